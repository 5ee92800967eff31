/*
 * The counters under all this: more names than there is room for, one name of two kinds, spans
 * inside spans, threads that count at a time, and texts that JSON must quote.
 */
#include <pthread.h>

#include "check.h"
#include "trace/trace.h"

enum { NAMES = 1000, THREADS = 4, TIMES = 2000 };

static void call(weft_trace_kind_t kind, const char *name, size_t bytes, int peer) {
  WEFT_SPAN_TO(kind, name, bytes, peer, 0);
}

static void *count(void *arg) {
  for (int i = 0; i < TIMES; i++) call(WEFT_TRACE_GET, "shared", 5, 1);
  return arg;
}

static void count_in_threads(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) CHECK_EQ(pthread_create(&threads[i], NULL, count, NULL), 0);
  for (int i = 0; i < THREADS; i++) CHECK_EQ(pthread_join(threads[i], NULL), 0);
}

/* What a collective does inside is not the program's; the blocks of a strided put are the put. */
static void nest(void) {
  {
    WEFT_SPAN(WEFT_TRACE_COLLECTIVE, "collective", 9);
    call(WEFT_TRACE_ATOMIC, "inside", 8, 1);
    call(WEFT_TRACE_QUIET, "inside", 0, -1);
  }
  WEFT_SPAN_TO(WEFT_TRACE_PUT, "strided", 100, 1, 0);
  for (int i = 0; i < 10; i++) call(WEFT_TRACE_PUT, "strided", 10, 1);
}

static void expect(const weft_trace_part_t *part, weft_trace_kind_t kind, size_t calls,
                   size_t bytes) {
  const weft_trace_sum_t sum = weft_trace_sum(part, kind);
  CHECK_EQ(sum.calls, calls);
  CHECK_EQ(sum.bytes, bytes);
}

static void check_text(uint64_t bytes, const char *want) {
  char text[16];
  CHECK_STR(weft_trace_size_text(text, bytes), want);
}

int main(void) {
  static char names[NAMES][8];
  CHECK_EQ(weft_options_read(), 0);
  CHECK(!weft_trace_wanted());
  weft_options.stats = true;
  CHECK(weft_trace_wanted());
  call(WEFT_TRACE_PUT, "before", 1, 1); /* off: nothing happens */
  CHECK_EQ(weft_trace_open(0, 2, 0, true), 0);
  weft_trace_start();
  nest();
  call(WEFT_TRACE_ATOMIC, "strided", 8, 0); /* the same name as a put's */
  count_in_threads();
  for (int i = 0; i < NAMES; i++) {
    snprintf(names[i], sizeof names[i], "n%d", i);
    call(WEFT_TRACE_PUT, names[i], 3, 1);
    call(WEFT_TRACE_PUT, names[i], 3, 1);
  }
  weft_trace_part_t *part = weft_trace_stop();
  call(WEFT_TRACE_PUT, "after", 1, 1);
  expect(part, WEFT_TRACE_PUT, 2 * NAMES + 1, 6 * NAMES + 100);
  expect(part, WEFT_TRACE_GET, THREADS * TIMES, 5 * THREADS * TIMES);
  expect(part, WEFT_TRACE_ATOMIC, 1, 8);
  expect(part, WEFT_TRACE_COLLECTIVE, 1, 9);
  expect(part, WEFT_TRACE_QUIET, 0, 0);
  CHECK_EQ(part->nnames, WEFT_TRACE_NAMES);
  CHECK(part->names[WEFT_TRACE_PUT].calls > NAMES / 2); /* "other" */
  const weft_trace_peer_t *peer = weft_trace_peers(part);
  CHECK_EQ(peer[0].calls[WEFT_TRACE_ATOMIC], 1);
  CHECK_EQ(peer[1].calls[WEFT_TRACE_PUT], 2 * NAMES + 1);
  CHECK_EQ(peer[1].inner_calls, 1);
  CHECK_EQ(peer[1].inner_bytes, 8);
  CHECK_EQ(part->sizes[WEFT_TRACE_PUT][2], 2 * NAMES); /* 2 to 3 bytes */

  char *text;
  size_t n;
  FILE *out = open_memstream(&text, &n);
  const weft_trace_part_t *parts[2] = {part, NULL};
  snprintf(part->host, sizeof part->host, "a\"b\\c\n");
  weft_trace_json_begin(out, parts, 2);
  weft_trace_json_end(out, parts, 2, false);
  fclose(out);
  CHECK(strstr(text, "\"PE 0 on a\\\"b\\\\c\\u000a\""));
  check_text(0, "0B");
  check_text(1023, "1023B");
  check_text(1024, "1.0K");
  check_text(1048575, "1.0M");
  check_text(UINT64_MAX, "16.0E");
  return 0;
}
