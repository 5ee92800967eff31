/*
 * Puts whose bytes lie in two places, with a count behind them: heads and sources of any length,
 * from any place of a page; and collects, which send parts behind their heads so between nodes of
 * one PE each. Sources change as soon as they may.
 */
#include <shmem.h>

#include "check.h"
#include "port/port.h"
#include "rma/rma.h"

enum { MOST = 70000, HEADS = 5, PUTS = 200, COLLECTS = 40, GUARD = 0x5a };

static unsigned char source[MOST + 8];
static unsigned char *dest; /* of all PEs' parts */
static uint64_t *came;

static size_t bytes_of(int pe, int round) {
  static const size_t sizes[] = {1024, 0,    1000,  1023,  1025,  2047,
                                 8111, 8193, 32749, 65495, 65504, 69999};
  return sizes[(unsigned)(round + 5 * pe) % (sizeof sizes / sizeof *sizes)];
}

static unsigned char byte_of(int pe, int round, size_t i) {
  return (unsigned char)(37 * pe + 11 * round + (int)(i % 251));
}

static unsigned char *fill(int round) {
  unsigned char *first = source + round % 8;
  for (size_t i = 0; i < bytes_of(shmem_my_pe(), round); i++)
    first[i] = byte_of(shmem_my_pe(), round, i);
  return first;
}

/* PE 0 to the last one; which of them can be joined both know. */
static void puts_to_last(int last) {
  uint64_t expected = 0;
  for (int round = 0; round < PUTS; round++) {
    const size_t n = bytes_of(0, round), nhead = (size_t)(round % HEADS) * 8 + 8;
    const size_t place = (size_t)round * 13 % 4096;
    if (!weft_rma_joins(nhead, n)) continue;
    uint64_t head[HEADS];
    memset(head, round, sizeof head);
    shmem_barrier_all(); /* the last one has looked at what came before */
    if (shmem_my_pe() == 0) {
      weft_op_t op = {0};
      weft_rma_put_count_joined(last, weft_job_offset(dest + place), head, nhead, fill(round), n,
                                weft_job_offset(came), &op);
      weft_op_wait(&op);
      memset(source, GUARD, sizeof source);
    } else if (shmem_my_pe() == last) {
      dest[place + nhead + n] = GUARD;
      shmem_uint64_wait_until(came, SHMEM_CMP_EQ, ++expected);
      for (size_t i = 0; i < nhead; i++) CHECK_EQ(dest[place + i], (unsigned char)round);
      for (size_t i = 0; i < n; i++) CHECK_EQ(dest[place + nhead + i], byte_of(0, round, i));
      CHECK_EQ(dest[place + nhead + n], GUARD);
    }
  }
  if (weft_job.fabric.notes && weft_job.fabric.joins && shmem_my_pe() == last)
    CHECK(expected > PUTS / 2);
}

static void collects(int npes) {
  const size_t all = (size_t)npes * MOST;
  for (int round = 0; round < COLLECTS; round++) {
    const unsigned char *mine = fill(round);
    size_t at = 0;
    memset(dest, 0, all);
    shmem_barrier_all();
    CHECK_EQ(shmem_collectmem(SHMEM_TEAM_WORLD, dest, mine, bytes_of(shmem_my_pe(), round)), 0);
    memset(source, GUARD, sizeof source);
    for (int pe = 0; pe < npes; pe++)
      for (size_t i = 0; i < bytes_of(pe, round); i++) CHECK_EQ(dest[at++], byte_of(pe, round, i));
    for (; at < all; at++) CHECK_EQ(dest[at], 0);
  }
}

int main(void) {
  shmem_init();
  const int npes = shmem_n_pes();
  dest = shmem_malloc((size_t)npes * MOST + 8192);
  came = shmem_calloc(1, sizeof *came);
  CHECK(dest && came);
  puts_to_last(npes - 1);
  shmem_barrier_all();
  collects(npes);
  shmem_finalize();
  return 0;
}
