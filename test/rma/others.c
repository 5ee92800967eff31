/*
 * A copy between two other PEs, whichever nodes they are on, and compare-and-swap under a mask of
 * PEs of every node: what is there afterwards, what it says was there, and what stays as it was.
 * All PEs at once, each in a part of its own; and one word that all change the bytes of.
 */
#include <shmem.h>

#include "check.h"
#include "rma/rma.h"

enum { BYTES = 40000, PES = 16 };

static char source[PES][BYTES], dest[PES][BYTES];
static uint64_t words[PES], shared;
static uint32_t halves[PES][2];

static char pattern(int from, int by, size_t i) {
  return (char)(from * 31 + by * 7 + (int)i);
}

static void copies(int me, int npes) {
  weft_op_t op = {0};
  const int from = (me + 1) % npes, to = (me + 2) % npes;
  for (size_t i = 0; i < BYTES; i++) dest[me][i] = 0;
  for (int by = 0; by < npes; by++)
    for (size_t i = 0; i < BYTES; i++) source[by][i] = pattern(me, by, i);
  shmem_barrier_all();
  /* Small and large, at odd offsets; what is not named stays. */
  weft_rma_copy_begin(to, weft_job_offset(dest[me]) + 1, from, weft_job_offset(source[me]) + 1, 7,
                      &op);
  weft_rma_copy_begin(to, weft_job_offset(dest[me]) + 9, from, weft_job_offset(source[me]) + 9,
                      BYTES - 20, &op);
  weft_rma_copy_begin(to, weft_job_offset(dest[me]), from, weft_job_offset(source[me]), 0, &op);
  weft_op_wait(&op);
  shmem_quiet();
  static char there[BYTES];
  weft_rma_get(to, weft_job_offset(dest[me]), there, BYTES);
  for (size_t i = 0; i < BYTES; i++) {
    const bool copied = i > 0 && i != 8 && i < BYTES - 11;
    CHECK_EQ(there[i], copied ? pattern(from, me, i) : 0);
  }
  /* Both ends at one PE, and one over the other. */
  weft_rma_copy_begin(to, weft_job_offset(dest[me]) + 5, to, weft_job_offset(dest[me]), BYTES - 5,
                      &op);
  weft_op_wait(&op);
  shmem_quiet();
  static char moved[BYTES];
  weft_rma_get(to, weft_job_offset(dest[me]), moved, BYTES);
  CHECK(memcmp(moved, there, 5) == 0 && memcmp(moved + 5, there, BYTES - 5) == 0);
  shmem_barrier_all();
}

static uint64_t swap(int pe, const void *object, size_t width, uint64_t operand, uint64_t cond,
                     uint64_t mask) {
  uint64_t old = 0;
  weft_op_t op = {0};
  weft_rma_cswap_mask_begin(pe, weft_job_offset(object), width, operand, cond, mask, &old, &op,
                            false);
  weft_op_wait(&op);
  return old;
}

static void masks(int me, int npes) {
  const uint64_t first = 0x1122334455667788u, mask = 0xff00ff0000u;
  for (int pe = 0; pe < npes; pe++) {
    uint64_t *word = &words[me];
    weft_rma_put(pe, weft_job_offset(word), &first, sizeof first);
    weft_rma_quiet();
    /* Under the mask it is equal, elsewhere not; then not equal; then no bit at all. */
    CHECK_EQ(swap(pe, word, 8, 0xaaaaaaaaaaaaaaaau, 0x4400660000u, mask), first);
    const uint64_t second = (first & ~mask) | (0xaaaaaaaaaaaaaaaau & mask);
    CHECK_EQ(swap(pe, word, 8, 0, first, mask), second);
    CHECK_EQ(swap(pe, word, 8, ~(uint64_t)0, 0, (uint64_t)1 << 63), second);
    CHECK_EQ(weft_rma_amo(pe, weft_job_offset(word), WEFT_AMO_FETCH, 8, 0, 0),
             second | (uint64_t)1 << 63);
    /* Of four bytes: the other four stay. */
    const uint32_t both[2] = {0x01020304, 0x05060708};
    weft_rma_put(pe, weft_job_offset(halves[me]), both, sizeof both);
    weft_rma_quiet();
    CHECK_EQ(swap(pe, &halves[me][1], 4, 0xffffffffu, 0x00060000, 0x00ff0000), both[1]);
    uint32_t now[2];
    weft_rma_get(pe, weft_job_offset(halves[me]), now, sizeof now);
    CHECK(now[0] == both[0] && now[1] == 0x05ff0708);
  }
  /* Each PE counts in bits of its own of one word. */
  const int bits = 64 / PES, at = me * bits;
  for (uint64_t i = 0; i < 200; i++) {
    const uint64_t own = (((uint64_t)1 << bits) - 1) << at, n = (uint64_t)1 << bits;
    const uint64_t old = swap(0, &shared, 8, (i + 1) % n << at, i % n << at, own);
    CHECK_EQ((old & own) >> at, i % n);
  }
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  CHECK(npes <= PES);
  copies(me, npes);
  masks(me, npes);
  shmem_barrier_all();
  for (int pe = 0; me == 0 && pe < npes; pe++) CHECK_EQ(shared >> (pe * (64 / PES)) & 15, 200 % 16);
  shmem_finalize();
  return 0;
}
