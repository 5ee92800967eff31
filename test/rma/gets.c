/*
 * Gets that gather: their records are short, and an answer brings the bytes of a whole packet's. Of
 * any size, with atomics that have results and with puts between them, no answer is longer than a
 * packet and every byte is where it belongs.
 */
#include "check.h"

#include "port/port.h"
#include "rma/rma.h"
#include "runtime/runtime.h"
#include "weft/direct.h"

enum { BYTES = 1 << 20, ROUNDS = 6, MOST = 400 };

static unsigned char *source, *got;
static uint64_t *sum, olds[MOST];
static unsigned seed = 1;

static unsigned draw(unsigned below) {
  seed = seed * 1664525 + 1013904223;
  return (seed >> 8) % below;
}

static unsigned char byte_of(size_t at) {
  return (unsigned char)(at * 7 + at / 251);
}

/* One of a few sizes in a round: so packets are full of the same, or mixed. */
static size_t size_in(int round) {
  const size_t all = weft_stage_get_max(), few[] = {all, 8, 1 + draw((unsigned)all), 512, all - 1};
  return round < 5 ? few[round] : few[draw(5)];
}

static void gets(int pe, int round) {
  weft_op_t op = {.unordered = true};
  size_t at = 0, n;
  uint64_t added = 0;
  memset(got, 0, BYTES);
  for (int i = 0; i < MOST && at + (n = size_in(round)) <= BYTES; i++, at += n) {
    CHECK(weft_rma_get_begin(pe, weft_job_offset(source + at), got + at, n, &op, false));
    if (i % 3 == round % 3) {
      olds[added] = UINT64_MAX;
      weft_rma_amo_begin(pe, weft_job_offset(sum), WEFT_AMO_ADD, 8, 1, 0, &olds[added], &op, false);
      added++;
    }
    if (i % 5 == 0) weft_rma_put(pe, weft_job_offset(source + at), source + at, n < 9 ? n : 9);
  }
  weft_op_wait(&op);
  for (size_t k = 0; k < at; k++) CHECK_EQ(got[k], byte_of(k));
  for (uint64_t k = 0; k < added; k++) CHECK_EQ(olds[k] - olds[0], k);
  weft_rma_quiet();
}

int main(void) {
  weft_runtime_start("test");
  source = weft_symmetric_alloc(64, BYTES, "test");
  got = weft_symmetric_alloc(64, BYTES, "test");
  sum = weft_symmetric_alloc(64, sizeof *sum, "test");
  for (size_t k = 0; k < BYTES; k++) source[k] = byte_of(k);
  *sum = 0;
  weft_coll_sync(weft_team_world());
  for (int round = 0; round < ROUNDS; round++) gets(1 - weft_job.pe, round);
  weft_coll_sync(weft_team_world());
  weft_runtime_stop();
  return 0;
}
