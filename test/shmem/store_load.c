/*
 * Trap 4: of two PEs that each put, quiet and get, at least one sees the other's put (quiet orders
 * stores before later loads). Missing both would be the processor's store buffer showing through.
 */
#include <shmem.h>

#include "check.h"

enum { ROUNDS = 2000 };
static int mark[ROUNDS], got[ROUNDS], theirs[ROUNDS];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), other = me ^ 1;
  if (shmem_n_pes() < 2) CHECK_SKIP("needs 2 PEs");
  shmem_barrier_all();
  if (me < 2)
    for (int r = 0; r < ROUNDS; r++) {
      shmem_int_p(&mark[r], 1, me); /* Dekker: mine up, then look at the other's */
      shmem_quiet();
      got[r] = shmem_int_g(&mark[r], other);
    }
  shmem_barrier_all();
  if (me < 2) {
    shmem_int_get(theirs, got, ROUNDS, other);
    for (int r = 0; r < ROUNDS; r++) CHECK(got[r] || theirs[r]);
  }
  shmem_finalize();
  return 0;
}
