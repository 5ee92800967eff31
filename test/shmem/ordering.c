/*
 * Traps 4, 5 and 21: fence orders puts of all kinds and stores; quiet completes; both do nothing on
 * SHMEM_CTX_INVALID; a blocking put's source may be changed at once; barrier_all completes the
 * default context.
 */
#include <shmem.h>

#include "check.h"

enum { ROUNDS = 200, ELEMS = 300 };
static long data[ELEMS], flag, seen, slots[ROUNDS];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n;
  long *const direct = shmem_ptr(data, right); /* NULL off-node: then by puts only */
  long source[ELEMS];

  for (long r = 1; r <= ROUNDS; r++) {
    for (int i = 0; i < ELEMS; i++) source[i] = r;
    shmem_long_put(data + 1, source, r % 2 ? 3 : ELEMS - 2, right);
    shmem_long_p(data + ELEMS - 1, r, right);
    if (direct)
      direct[0] = r; /* a memory store is ordered too */
    else
      shmem_long_put_nbi(data, &r, 1, right);
    shmem_fence();
    shmem_long_p(&flag, r, right);
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, r);
    for (int i = 0; i < ELEMS; i++)
      if (i < 4 || i == ELEMS - 1 || r % 2 == 0) CHECK_EQ(data[i], r);
    shmem_quiet(); /* the neighbour's stores into my data wait for mine: both are done with this
                      round */
    shmem_sync_all();
  }

  /* The source of a blocking put may be changed on return. */
  for (long r = 0; r < ROUNDS; r++) {
    source[0] = r + 7;
    shmem_long_put(slots + r, source, 1, right);
    source[0] = -1;
  }
  shmem_barrier_all();
  for (long r = 0; r < ROUNDS; r++) CHECK_EQ(slots[r], r + 7);

  /* Put, quiet, get: what quiet completed is there for everybody, without any action of the target.
   */
  shmem_long_p(&seen, me + 1, right);
  const int targets[1] = {right};
  shmem_pe_quiet(targets, 1);
  CHECK_EQ(shmem_long_g(&seen, right), me + 1);
  shmem_ctx_pe_quiet(SHMEM_CTX_DEFAULT, NULL, 0);

  shmem_ctx_quiet(SHMEM_CTX_INVALID), shmem_ctx_fence(SHMEM_CTX_INVALID);
  shmem_ctx_pe_quiet(SHMEM_CTX_INVALID, targets, 1);
  shmem_ctx_destroy(SHMEM_CTX_INVALID), shmem_team_destroy(SHMEM_TEAM_INVALID);
  shmem_ctx_session_start(SHMEM_CTX_INVALID, 0, NULL, 0), shmem_ctx_session_stop(SHMEM_CTX_INVALID);
  shmem_finalize();
  return 0;
}
