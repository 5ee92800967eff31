/*
 * The reader of recordings: a file that a PE has left, damaged in any way. An input changes a whole
 * one: two bytes that say by how much its length differs, then changes of an offset (3 bytes), a
 * length (1) and the bytes.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "trace/trace.h"

enum { NPES = 3, ROOM = 4, BYTES = sizeof(weft_trace_part_t) + NPES * sizeof(weft_trace_peer_t) +
                                   ROOM * sizeof(weft_trace_event_t), SPARE = 1 << 15 };

static union {
  weft_trace_part_t part;
  char bytes[BYTES + SPARE];
} file;

static void make_whole(void) {
  memset(&file, 0, sizeof file);
  memcpy(file.part.magic, "weft-t1", sizeof file.part.magic);
  file.part.size = sizeof file.part;
  file.part.pe = 1, file.part.npes = NPES, file.part.origin = 1, file.part.end = 1000;
  file.part.room = ROOM, file.part.nevents = ROOM, file.part.nnames = 12;
  strcpy(file.part.host, "host");
  for (int i = 0; i < 12; i++)
    file.part.names[i] = (weft_trace_name_t){.text = "name", .kind = (uint32_t)i % 9, .calls = 3};
  for (int i = 0; i < ROOM; i++)
    weft_trace_events(&file.part)[i] = (weft_trace_event_t){.start = 5, .ns = 7, .name = 3};
}

static size_t damage(const uint8_t *data, size_t size) {
  size_t at = 2, n;
  for (; at + 4 <= size; at += n) {
    const size_t to = (data[at] | data[at + 1] << 8 | data[at + 2] << 16) % (BYTES + SPARE);
    n = data[at + 3];
    at += 4;
    if (n > size - at) n = size - at;
    if (n > BYTES + SPARE - to) n = BYTES + SPARE - to;
    memcpy(file.bytes + to, data + at, n);
  }
  return BYTES + (size > 1 ? (int16_t)(data[0] | data[1] << 8) : 0) % SPARE;
}

/* What weftrun does with what it has found. */
static void report(const weft_trace_part_t *part) {
  const weft_trace_part_t *parts[NPES] = {NULL, part, NULL};
  const uint64_t n = part->nevents < part->room ? part->nevents : part->room;
  FILE *out = fopen("/dev/null", "we");
  FUZZ_CHECK(out != NULL);
  weft_trace_json_begin(out, parts, NPES);
  weft_trace_json_events(out, parts, 1, weft_trace_events(part), n);
  weft_trace_json_end(out, parts, NPES, false);
  weft_trace_table(out, parts, NPES, part->end != 0);
  fclose(out);
}

bool fuzz_input(const uint8_t *data, size_t size) {
  static char prefix[64], name[80];
  snprintf(prefix, sizeof prefix, "/tmp/weft-fuzz-%d", (int)getpid());
  snprintf(name, sizeof name, "%s.pe1", prefix);
  make_whole();
  size_t bytes = damage(data, size);
  const int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  FUZZ_CHECK(fd >= 0 && write(fd, file.bytes, bytes) == (ssize_t)bytes && close(fd) == 0);
  const int npes = weft_trace_npes_of_file(name);
  FUZZ_CHECK(npes >= 0 && npes <= (int)(bytes / sizeof(weft_trace_peer_t)));
  weft_trace_part_t *part = weft_trace_take_file(prefix, 1);
  const bool taken = part && part->npes == NPES;
  if (taken) report(part);
  if (part) munmap(part, bytes);
  return taken;
}
