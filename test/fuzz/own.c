/*
 * A PE's own endpoint: any answers of members of the job, to a PE that has atomics, gets, a
 * request, a call and transfers under way to the other node. What it asked for stands at fixed
 * addresses, so that inputs can name them, and nothing but that may be written.
 */
#include <string.h>
#include <sys/mman.h>

#include "flow/flow.h"
#include "wire.h"

/* Byte offsets of what is asked for, beside each other's remains of a page that is REST. */
enum {
  FETCHED = 0,    /* 8 bytes */
  BEGUN = 64,     /* 4 bytes */
  GOT = 128,      /* 40 bytes */
  ROWS = 256,     /* 4 rows of 16 bytes, one every 32 */
  ANSWER = 512,   /* a weft_answer_t */
  BYTES = 1024,   /* its bytes */
  LATE = 3 * PAGE /* the slot offset of a call's result */
};
enum { PLACES = 2 * PAGE, REST = 0xa5 };
static char *places;
static uint64_t late; /* address */

static void make_job(void) {
  wire_job(false);
  weft_options_read();
  weft_flow_attach();
  places = wire_pages((uintptr_t)2 << 44, PLACES + PAGE);
  FUZZ_CHECK(mprotect(places + PLACES, PAGE, PROT_NONE) == 0);
  /* Where the PE sees its own slot. */
  char *own = (char *)weft_job.window.base;
  FUZZ_CHECK(mprotect(own + PAGE, END - PAGE, PROT_READ | PROT_WRITE) == 0);
  late = (uintptr_t)own + LATE;
}

/* ---- what is under way ----------------------------------------------------------------------- */

static weft_op_t begun, got, put;

static void ask(weft_channel_t *c) {
  weft_answer_t *answer = (weft_answer_t *)(void *)(places + ANSWER);
  weft_record_t *r = weft_stage_try_record(c, 1, sizeof *r + 8);
  FUZZ_CHECK(r != NULL);
  *r = (weft_record_t){.off = (uintptr_t)answer, .kind = WEFT_RECORD_QUERY, .len = 8};
  answer->bytes = places + BYTES;
  weft_unlock(&c->stages[1].lock);
}

/* Two packets that left, one that gathered behind them, and transfers. */
static void post(void) {
  static char source[20000];
  static const size_t rows = 4, blocks = 100;
  static const ptrdiff_t there = 64, here = 32, far = 200;
  const uintptr_t heap = weft_job.window.layout.heap;
  weft_channel_t *c = &weft_channels[0];
  const weft_amo_t amo = {.off = heap, .op = WEFT_AMO_FETCH, .width = 4, .result = places + BEGUN};
  const weft_shape_t remote = weft_shape_strided(heap, 16, 1, &rows, &there);
  const weft_shape_t local = weft_shape_strided((uintptr_t)places + ROWS, 16, 1, &rows, &here);
  const weft_shape_t from = weft_shape_strided((uintptr_t)source, 200, 1, &blocks, &far);
  const weft_shape_t to = weft_shape_strided(heap, 200, 1, &blocks, &far);
  weft_stage_fetch_nbi(c, 2, heap, WEFT_AMO_ADD, 8, 1, 0, places + FETCHED);
  FUZZ_CHECK(weft_stage_amo_begin(c, 3, &amo, &begun, true));
  weft_stage_get(c, 2, heap, places + GOT, 40, NULL, false);
  ask(c);
  weft_service_begin(2, heap, WEFT_SERVICE_LOCK, 1, 2, (uint64_t *)late);
  weft_flow_start(c, 2, WEFT_FLOW_GET, &remote, &local, 0, NULL, NULL, &got);
  weft_flow_start(c, 2, WEFT_FLOW_PUT, &to, &from, 0, NULL, NULL, &put);
}

static void begin(void) {
  memset(places, REST, PLACES);
  begun = got = put = (weft_op_t){0};
  weft_channels_start();
  weft_channels_open_lanes();
  weft_channels[0].stages[1].greeted = true;
  weft_channels[0].stages[1].questions = 1;
  post();
}

/* ---- what has become of it ------------------------------------------------------------------- */

static bool is_asked_for(size_t at) {
  return at < FETCHED + 8 || (at >= BEGUN && at < BEGUN + 4) || (at >= GOT && at < GOT + 40) ||
         (at >= ROWS && at < ROWS + 128 && at % 32 < 16) ||
         (at >= ANSWER && at < ANSWER + sizeof(weft_answer_t)) ||
         (at >= BYTES && at < BYTES + weft_query_max());
}

static void check(void) {
  const weft_answer_t *answer = (const weft_answer_t *)(const void *)(places + ANSWER);
  for (size_t i = 0; i < PLACES; i++)
    FUZZ_CHECK(is_asked_for(i) || (unsigned char)places[i] == REST);
  FUZZ_CHECK(answer->bytes == places + BYTES);
  FUZZ_CHECK(begun.pending <= 1 && got.pending <= 1);
}

static void clear(void) {
  weft_channels_stop();
  wire_clear();
  const char *own = (const char *)weft_job.window.base;
  FUZZ_CHECK(madvise((void *)(uintptr_t)(own + PAGE), END - PAGE, MADV_DONTNEED) == 0);
}

bool fuzz_input(const uint8_t *data, size_t size) {
  if (!weft_job.npes) make_job();
  begin();
  wire_begin(data, size);
  if (setjmp(fuzz_end)) {
    check();
    clear();
    return false;
  }
  while (weft_progress_take_replies(&weft_channels[0]) > 0) continue;
  check();
  clear();
  return true;
}
