/*
 * Threads on contexts of their own, and more contexts than endpoints (WEFT_CTX_ENDPOINTS), made and
 * destroyed over and over: every kind of operation arrives, on the context that it was given to.
 */
#include <pthread.h>
#include <shmem.h>

#include "check.h"

enum { THREADS = 3, ROUNDS = 12, OPS = 40, BLOCK = 3000 };
static long sum, cells[THREADS][OPS], board[THREADS], blocks[THREADS][BLOCK];
static uint64_t signals[THREADS];
static int me, n;

static void one_round(shmem_ctx_t ctx, long t, long round, int to) {
  static __thread long source[BLOCK];
  long back[BLOCK] = {0}, got[OPS], fetched = -1;
  const long mark = round * 1000 + t;
  for (int i = 0; i < BLOCK; i++) source[i] = mark + i;
  for (int i = 0; i < OPS; i++) {
    shmem_ctx_long_p(ctx, &cells[t][i], mark + i, to);
    shmem_ctx_long_atomic_add(ctx, &sum, 1, i % n);
  }
  shmem_ctx_long_put_nbi(ctx, blocks[t], source, BLOCK, to);
  shmem_ctx_quiet(ctx);
  shmem_ctx_long_get_nbi(ctx, got, cells[t], OPS, to);
  shmem_ctx_long_atomic_fetch_nbi(ctx, &fetched, &cells[t][1], to);
  shmem_ctx_long_get(ctx, back, blocks[t], BLOCK, to);
  shmem_ctx_quiet(ctx);
  CHECK_EQ(fetched, mark + 1);
  for (int i = 0; i < OPS; i++) CHECK_EQ(got[i], mark + i);
  for (int i = 0; i < BLOCK; i++) CHECK_EQ(back[i], mark + i);
  shmem_ctx_long_put_signal(ctx, &board[t], &mark, 1, &signals[t], 1, SHMEM_SIGNAL_ADD, to);
  shmem_signal_wait_until(&signals[t], SHMEM_CMP_GE, (uint64_t)round + 1);
  CHECK(board[t] >= mark);
}

static void *work(void *number) {
  const long t = (long)number, to = (me + 1) % n;
  shmem_ctx_t ctx, spare[4];
  for (long round = 0; round < ROUNDS; round++) {
    CHECK_EQ(shmem_ctx_create(round % 2 ? SHMEM_CTX_PRIVATE : 0, &ctx), 0);
    for (int i = 0; i < 4; i++) CHECK_EQ(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &spare[i]), 0);
    if (round % 3 == 0) shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    one_round(ctx, t, round, (int)to);
    for (int i = 0; i < 4; i++) {
      shmem_ctx_long_atomic_add(spare[i], &sum, 1, (int)to);
      shmem_ctx_destroy(spare[i]);
    }
    shmem_ctx_destroy(ctx);
  }
  return NULL;
}

int main(void) {
  int provided;
  pthread_t threads[THREADS];
  CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
  CHECK_EQ(provided, SHMEM_THREAD_MULTIPLE);
  me = shmem_my_pe();
  n = shmem_n_pes();
  for (long t = 0; t < THREADS; t++)
    CHECK_EQ(pthread_create(&threads[t], NULL, work, (void *)t), 0);
  for (int t = 0; t < THREADS; t++) CHECK_EQ(pthread_join(threads[t], NULL), 0);
  shmem_barrier_all();
  long total = 0;
  for (int pe = 0; pe < n; pe++) total += shmem_long_g(&sum, pe);
  CHECK_EQ(total, (long)n * THREADS * ROUNDS * (OPS + 4));
  shmem_finalize();
  return 0;
}
