/* Trap 23: three threads of every PE put, get, add and wait at a time, each on its own context and
 * on the default one. Then one puts to many allocations while another allocates and frees. */
#include <shmem.h>

#include <pthread.h>
#include <sched.h>

#include "check.h"

enum { THREADS = 3, ROUNDS = 60 };
static long counter, cells[THREADS][ROUNDS], flags[THREADS];
static int me, n;

static void *work(void *number) {
  const long t = (long)number;
  const int right = (me + 1) % n;
  shmem_ctx_t ctx;
  CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx), 0);
  for (long r = 0; r < ROUNDS; r++) {
    shmem_ctx_long_p(ctx, &cells[t][r], 1000 * t + r, right);
    shmem_ctx_fence(ctx);
    shmem_long_p(&flags[t], r + 1, right);
    shmem_long_atomic_inc(&counter, (int)(r % n));
    shmem_long_wait_until(&flags[t], SHMEM_CMP_GE, r + 1);
    if (r % 20 == 0) {
      shmem_ctx_quiet(ctx);
      CHECK_EQ(shmem_ctx_long_g(ctx, &cells[t][r], right), 1000 * t + r);
    }
  }
  shmem_ctx_destroy(ctx);
  return NULL;
}

enum { BLOCKS = 40 };
static long *blocks[BLOCKS];
static int is_over;

static void *put_to_blocks(void *arg) {
  for (unsigned i = 1; !__atomic_load_n(&is_over, __ATOMIC_ACQUIRE); i++) {
    shmem_long_p(blocks[i * 2654435761u % BLOCKS], 1, me);
    if (n > 1) sched_yield(); /* others allocate, too */
  }
  return arg;
}

static void allocate_beside(void) {
  pthread_t other;
  long *room = shmem_malloc(20000);
  for (int i = 0; i < BLOCKS; i++) blocks[i] = shmem_malloc(8 + 24 * (size_t)i);
  shmem_free(room); /* what comes and goes lies in front of the blocks */
  CHECK_EQ(pthread_create(&other, NULL, put_to_blocks, NULL), 0);
  for (size_t i = 0; i < (n > 1 ? 100 : 20000); i++) {
    long *first = shmem_malloc(100 + i % 3000), *second = shmem_malloc(8 + i % 100);
    shmem_free(first);
    second = shmem_realloc(second, 300 + i % 50);
    shmem_free(second);
  }
  __atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
  pthread_join(other, NULL);
  for (int i = 0; i < BLOCKS; i++) shmem_free(blocks[i]);
}

int main(void) {
  int provided;
  pthread_t threads[THREADS];
  CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
  if (provided < SHMEM_THREAD_MULTIPLE) CHECK_SKIP("the library is not safe for threads");
  me = shmem_my_pe();
  n = shmem_n_pes();
  for (long t = 0; t < THREADS; t++)
    CHECK_EQ(pthread_create(&threads[t], NULL, work, (void *)t), 0);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  shmem_barrier_all();
  long sum = 0;
  for (int pe = 0; pe < n; pe++) sum += shmem_long_g(&counter, pe);
  CHECK_EQ(sum, (long)n * THREADS * ROUNDS);
  for (int t = 0; t < THREADS; t++)
    for (int r = 0; r < ROUNDS; r++) CHECK_EQ(cells[t][r], 1000 * t + r);
  allocate_beside();
  shmem_finalize();
  return 0;
}
