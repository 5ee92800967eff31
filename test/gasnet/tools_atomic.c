/* gasnet_tools: atomics of every width, plain and strong, from one thread and from several; fences;
 * what wraps around; and that a release store publishes what was written before it. */
#define GASNETT_THREAD_SAFE 1
#include <gasnet_tools.h>
#include <pthread.h>

#include "check.h"

/* The same for each width and kind. */
#define ONE_THREAD(prefix, val_t)                                                                  \
  static void prefix##_one(void) {                                                                 \
    static prefix##_t a = prefix##_init(5);                                                        \
    CHECK_EQ(prefix##_read(&a, 0), 5);                                                             \
    prefix##_set(&a, (val_t)-1, GASNETT_ATOMIC_REL);                                               \
    CHECK(prefix##_read(&a, GASNETT_ATOMIC_ACQ) == (val_t)-1);                                     \
    prefix##_increment(&a, GASNETT_ATOMIC_MB_PRE | GASNETT_ATOMIC_MB_POST);                        \
    CHECK_EQ(prefix##_read(&a, GASNETT_ATOMIC_MB_PRE), 0);                                         \
    prefix##_decrement(&a, GASNETT_ATOMIC_RMB_PRE | GASNETT_ATOMIC_WMB_POST);                      \
    CHECK(prefix##_read(&a, GASNETT_ATOMIC_MB_POST) == (val_t)-1);                                 \
    CHECK_EQ(prefix##_add(&a, 3, 0), 2);                                                           \
    CHECK_EQ(prefix##_subtract(&a, 1, 0), 1);                                                      \
    CHECK(prefix##_decrement_and_test(&a, GASNETT_ATOMIC_ACQ_IF_TRUE));                            \
    CHECK(!prefix##_decrement_and_test(&a, GASNETT_ATOMIC_ACQ_IF_FALSE));                          \
    CHECK(!prefix##_compare_and_swap(&a, 0, 7, GASNETT_ATOMIC_ACQ_IF_FALSE));                      \
    CHECK(prefix##_compare_and_swap(&a, (val_t)-1, 7, GASNETT_ATOMIC_REL));                        \
    CHECK_EQ(prefix##_swap(&a, 9, GASNETT_ATOMIC_ACQ), 7);                                         \
    CHECK_EQ(prefix##_read(&a, 0), 9);                                                             \
  }
ONE_THREAD(gasnett_atomic, gasnett_atomic_val_t)
ONE_THREAD(gasnett_atomic32, uint32_t)
ONE_THREAD(gasnett_atomic64, uint64_t)
ONE_THREAD(gasnett_strongatomic, gasnett_atomic_val_t)
ONE_THREAD(gasnett_strongatomic32, uint32_t)
ONE_THREAD(gasnett_strongatomic64, uint64_t)

enum { THREADS = 4, ROUNDS = 20000 };
static gasnett_atomic64_t sum = gasnett_atomic64_init(0), product = gasnett_atomic64_init(0);
static gasnett_atomic_t left = gasnett_atomic_init(THREADS), last = gasnett_atomic_init(0);
static gasnett_atomic32_t turn = gasnett_atomic32_init(0);
static int passed; /* no atomic: whoever has the turn may touch it */

static void *work(void *argument) {
  const uint32_t me = (uint32_t)(uintptr_t)argument;
  for (int i = 0; i < ROUNDS; i++) {
    gasnett_atomic64_add(&sum, UINT64_C(1) << 32, 0);
    uint64_t old;
    do old = gasnett_atomic64_read(&product, 0);
    while (!gasnett_atomic64_compare_and_swap(&product, old, old + 3, 0));
  }
  for (int i = 0; i < 50; i++) {
    while (gasnett_atomic32_read(&turn, GASNETT_ATOMIC_ACQ) != me) {
      gasnett_spinloop_hint();
      gasnett_sched_yield();
    }
    passed++;
    gasnett_atomic32_set(&turn, (me + 1) % THREADS, GASNETT_ATOMIC_REL);
  }
  if (gasnett_atomic_decrement_and_test(&left, GASNETT_ATOMIC_REL))
    gasnett_atomic_increment(&last, 0);
  return NULL;
}

int main(void) {
  gasnett_atomic_one(), gasnett_atomic32_one(), gasnett_atomic64_one();
  gasnett_strongatomic_one(), gasnett_strongatomic32_one(), gasnett_strongatomic64_one();
  CHECK_EQ(gasnett_atomic_signed((gasnett_atomic_val_t)-4), -4);
  CHECK_EQ(sizeof(gasnett_atomic32_t), 4);
  CHECK_EQ(sizeof(gasnett_atomic64_t), 8);
  double number = 1; /* an object of another type may be used as one */
  gasnett_atomic64_set((gasnett_atomic64_t *)&number, 0, 0);
  CHECK(number == 0);
  gasnett_local_wmb(), gasnett_local_rmb(), gasnett_local_mb(), gasnett_compiler_fence();
  gasnett_weak_wmb(), gasnett_weak_rmb(), gasnett_weak_mb();

  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, work, (void *)i), 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  CHECK(gasnett_atomic64_read(&sum, 0) == (uint64_t)THREADS * ROUNDS << 32);
  CHECK_EQ(gasnett_atomic64_read(&product, 0), 3 * THREADS * ROUNDS);
  CHECK_EQ(passed, 50 * THREADS);
  CHECK_EQ(gasnett_atomic_read(&last, 0), 1);
  return 0;
}
