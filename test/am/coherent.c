/*
 * Atomics of PEs on the object's node (the CPU's own) and of PEs on other nodes (the helper's) are
 * atomic to each other: every value fetched by an add is fetched once, compare-and-swap loops lose
 * nothing, and every bit flips as often as it was flipped. One object lies on a node's lowest PE,
 * one on its highest.
 */
#include <shmem.h>

#include "check.h"

enum { OPS = 48, MOST = 8 * OPS };

static long counter, looped;
static unsigned long set_bits;
static unsigned bits;
static long seen[MOST];

static void hammer(int on) {
  int me = shmem_my_pe();
  for (int i = 0; i < OPS; i++) {
    long old = shmem_long_atomic_fetch_add(&counter, 1, on);
    CHECK(old >= 0 && old < MOST);
    CHECK_EQ(shmem_long_atomic_fetch_inc(&seen[old], on), 0);
    unsigned bit = 1u << me;
    CHECK_EQ(shmem_uint_atomic_fetch_xor(&bits, bit, on) & bit, i % 2 ? bit : 0);
    CHECK_EQ((shmem_ulong_atomic_fetch_or(&set_bits, 1ul << me, on) >> me) & 1, i > 0);
    if (i % 4) continue;
    for (long expect = 0, found;; expect = found) {
      found = shmem_long_atomic_compare_swap(&looped, expect, expect + 3, on);
      if (found == expect) break;
    }
  }
}

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), npes = shmem_n_pes();
  for (int on = 0; on < npes; on += npes - 1) {
    shmem_barrier_all();
    hammer(on);
    shmem_barrier_all();
    if (me == on) {
      CHECK_EQ(counter, (long)npes * OPS);
      CHECK_EQ(looped, 3L * npes * (OPS / 4));
      CHECK_EQ(bits, 0);
      CHECK_EQ(set_bits, (1ul << npes) - 1);
      for (int i = 0; i < npes * OPS; i++) CHECK_EQ(seen[i], 1);
    }
    if (npes == 1) break;
  }
  shmem_finalize();
  return 0;
}
