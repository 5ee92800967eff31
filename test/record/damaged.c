/*
 * A part of a trace that a crash, or a full disk, has left half: it is not read, whatever its
 * fields say. test: unit
 */
#include <fcntl.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "trace/trace.h"

#include "check.h"

enum { NPES = 3, ROOM = 4 };

static char prefix[64], name[80];

/* A whole part with one field changed by `damage`; is it taken? */
static bool taken(int damage) {
  const size_t front = weft_trace_front_bytes(NPES),
               bytes = front + ROOM * sizeof(weft_trace_event_t);
  weft_trace_part_t *part = calloc(1, bytes);
  CHECK(part != NULL);
  memcpy(part->magic, "weft-t1", sizeof part->magic);
  part->size = sizeof *part;
  part->pe = 1, part->npes = NPES, part->room = ROOM, part->origin = 1;
  size_t written = bytes;
  switch (damage) {
  case 1: part->room = UINT64_MAX / sizeof(weft_trace_event_t) + 2; break; /* the product wraps */
  case 2: part->room = ROOM + 1; break;
  case 3: part->npes = 1 << 30; break;
  case 4: part->nnames = WEFT_TRACE_NAMES + 1; break;
  case 5: memset(part->host, 'x', sizeof part->host); break;
  case 6: memset(part->names[5].text, 'x', sizeof part->names[5].text); break;
  case 7: part->pe = 2; break;
  case 8: written = front - 8; break;
  case 9: part->magic[0] ^= 1; break;
  case 10: part->npes = -1; break;
  default: break;
  }
  const int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  CHECK(fd >= 0 && write(fd, part, written) == (ssize_t)written && close(fd) == 0);
  free(part);
  weft_trace_part_t *got = weft_trace_take_file(prefix, 1);
  if (got) munmap(got, bytes);
  CHECK(access(name, F_OK) != 0); /* gone either way */
  return got != NULL;
}

int main(void) {
  snprintf(prefix, sizeof prefix, "/tmp/weft-test-damaged-%d", (int)getpid());
  snprintf(name, sizeof name, "%s.pe1", prefix);
  CHECK(taken(0));
  for (int damage = 1; damage <= 10; damage++) CHECK(!taken(damage));
  return 0;
}
