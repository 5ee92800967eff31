/* Contexts complete apart: while a PE is stopped by a signal, what goes to it on one context cannot
 * complete, and quiet on another context returns all the same. PE 1 is stopped, alone on its node
 * or not; on one node nothing is ever under way and it is only continued again. */
#include <shmem.h>

#include <signal.h>
#include <sys/types.h>

#include "check.h"

enum { BYTES = 3 << 20 };
static long pids[3], word, put, result;
static int stops;

/* Everything that can be under way on a context; nothing orders it. */
static void load(shmem_ctx_t ctx, char *block, char *back, int pe) {
  memset(block, 7, BYTES);
  shmem_ctx_putmem_nbi(ctx, block, block, BYTES, pe);
  shmem_ctx_getmem_nbi(ctx, back, back, BYTES, pe);
  shmem_ctx_long_p(ctx, &put, 1, pe);
  shmem_ctx_long_atomic_inc(ctx, &word, pe);
  shmem_ctx_long_atomic_inc(ctx, &word, pe);
  shmem_ctx_long_atomic_fetch_nbi(ctx, &result, &word, pe);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  char *block = shmem_malloc(BYTES), *back = shmem_malloc(BYTES);
  CHECK(block && back);
  memset(back, me, BYTES);
  for (int pe = 0; pe < 3 && pe < n; pe++) shmem_long_p(&pids[me], getpid(), pe);
  shmem_barrier_all();
  shmem_ctx_t a, b;
  CHECK_EQ(shmem_ctx_create(0, &a), 0);
  CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE, &b), 0);
  stops = me == 0 && n > 2 && !shmem_ptr(&word, 1);
  if (stops) {
    weft_check_stop_process(pids[1]);
    load(a, block, back, 1);
    for (int round = 0; round < 50; round++) {
      shmem_ctx_long_atomic_add(b, &word, 1, 2);
      shmem_ctx_long_p(b, &pids[0], round, 2);
      shmem_ctx_fence(b);
      shmem_ctx_quiet(b);
      CHECK_EQ(shmem_ctx_long_g(b, &pids[0], 2), round);
    }
    CHECK_EQ(shmem_ctx_long_atomic_fetch(b, &word, 2), 50);
    shmem_ctx_putmem(b, block, block, BYTES, 2);
    shmem_ctx_quiet(b);
    shmem_long_atomic_add(&word, 50, 2); /* and the default one */
    shmem_quiet();
    CHECK_EQ(kill((pid_t)pids[1], SIGCONT), 0);
    shmem_ctx_quiet(a);
    CHECK(result >= 0 && result <= 2);
    CHECK_EQ(shmem_long_atomic_fetch(&word, 1), 2);
    CHECK_EQ(shmem_long_g(&put, 1), 1);
    for (int i = 0; i < BYTES; i++) CHECK_EQ(back[i], 1);
  }
  shmem_barrier_all();
  if (me == 2 && shmem_int_g(&stops, 0)) CHECK_EQ(word, 100);
  shmem_ctx_destroy(b);
  shmem_ctx_destroy(a);
  shmem_finalize();
  return 0;
}
