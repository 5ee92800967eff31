/*
 * More PEs than processors, and each spins by atomics until it is its turn, on its own memory or on
 * another's: who spins must give way to who has to change the word, or every turn takes a slice of
 * the scheduler's. The number of turns is such that this would take minutes.
 */
#include <shmem.h>

#include "check.h"

static long own, shared;
static int small;
static uint64_t signal_word;

int main(int argc, char **argv) {
  const int turns = argc > 1 ? atoi(argv[1]) : 4000;
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n;
  /* A word of PE 0's; turn i is PE (i mod n)'s. */
  for (long i = me; i < turns; i += n)
    while (shmem_long_atomic_compare_swap(&shared, i, i + 1, 0) != i) continue;
  for (int i = me; i < turns; i += n) {
    while (shmem_int_atomic_fetch(&small, 0) != i) continue;
    shmem_int_atomic_inc(&small, 0);
  }
  /* Round the ring, each looks at its own. */
  for (long i = 1; i <= turns / n; i++) {
    while (me > 0 || i > 1) {
      if (shmem_long_atomic_fetch_add(&own, 0, me) >= (me > 0 ? i : i - 1)) break;
    }
    shmem_long_atomic_set(&own, i, next);
    while (me > 0 && shmem_signal_fetch(&signal_word) < (uint64_t)i) continue;
    if (next > 0) shmem_signal_set(&signal_word, (uint64_t)i, next);
  }
  shmem_barrier_all();
  if (me == 0) CHECK(shared == turns && small == turns);
  /* Atomics with a result later, and bits. */
  long got = -1;
  shmem_long_atomic_fetch_add_nbi(&got, &own, 3, next);
  shmem_quiet();
  CHECK(got >= turns / n);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
