/*
 * Everybody updates one word of PE 0 at a time; nothing is lost. Doubles by swap: what is taken out
 * equals what was put in. A neighbour of the word (the other half of 8 bytes) must stay as it is:
 * 4-byte operations are 4 bytes wide.
 */
#include <shmem.h>

#include "check.h"

enum { ROUNDS = 500 };

static struct { int a, guard; } narrow = {0, 77};
static long added, fetched, swapped_in;
static unsigned long ored;
static double token = -1;

int main(void) {
  long sum = 0, seen = 0;
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  for (int i = 0; i < ROUNDS; i++) {
    shmem_int_atomic_inc(&narrow.a, 0);
    shmem_long_atomic_add(&added, me + 1, 0);
    sum += shmem_long_atomic_fetch_add(&fetched, 1, 0);
    shmem_ulong_atomic_or(&ored, 1ul << (me * 8 + i % 8), 0);
    if (shmem_int_atomic_compare_swap(&narrow.guard, 76, 1, 0) != 77) CHECK(!"guard changed");
    shmem_long_atomic_add(&swapped_in, i, 0);
    const double out = shmem_double_atomic_swap(&token, i, 0);
    if (out >= 0) seen += (long)out;
  }
  static long total, all;
  total = sum;
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &total, 1);
  const long updates = (long)ROUNDS * n;
  CHECK_EQ(all, updates * (updates - 1) / 2);
  shmem_barrier_all();
  total = seen;
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &total, 1);
  if (me == 0) {
    CHECK_EQ(narrow.a, updates);
    CHECK_EQ(narrow.guard, 77);
    CHECK_EQ(added, (long)ROUNDS * n * (n + 1) / 2);
    CHECK_EQ(all + (long)token, swapped_in);
    CHECK(ored == (n == 8 ? ~0ul : (1ul << (8 * n)) - 1));
  }
  shmem_finalize();
  return 0;
}
