/* gasnet_tools: mutexes, condition variables, reader/writer locks and thread-specific pointers,
 * between threads.
 */
#define GASNETT_THREAD_SAFE 1
#include <gasnet_tools.h>
#include <errno.h>
#include <pthread.h>

#include "check.h"

enum { THREADS = 3, ROUNDS = 5000 };
static gasnett_mutex_t mutex = GASNETT_MUTEX_INITIALIZER;
static gasnett_cond_t cond = GASNETT_COND_INITIALIZER;
static gasnett_rwlock_t rwlock = GASNETT_RWLOCK_INITIALIZER;
static long counted, written, turn;
GASNETT_THREADKEY_DECLARE(own);
GASNETT_THREADKEY_DEFINE(own);

static void *work(void *argument) {
  const long me = (long)(uintptr_t)argument;
  CHECK(gasnett_threadkey_get(own) == NULL);
  gasnett_threadkey_init(own);
  gasnett_threadkey_set(own, argument);
  for (int i = 0; i < ROUNDS; i++) {
    gasnett_mutex_lock(&mutex);
    counted++;
    gasnett_mutex_unlock(&mutex);
    gasnett_rwlock_wrlock(&rwlock);
    written += 2;
    gasnett_rwlock_unlock(&rwlock);
    gasnett_rwlock_rdlock(&rwlock);
    CHECK(written % 2 == 0);
    gasnett_rwlock_unlock(&rwlock);
  }
  gasnett_mutex_lock(&mutex);
  while (turn != me) gasnett_cond_wait(&cond, &mutex);
  turn++;
  gasnett_cond_broadcast(&cond);
  gasnett_mutex_unlock(&mutex);
  CHECK(gasnett_threadkey_get_noinit(own) == argument);
  return NULL;
}

/* A lock that another thread holds. */
static void *try(void *argument) {
  (void)argument;
  CHECK_EQ(gasnett_mutex_trylock(&mutex), EBUSY);
  CHECK(gasnett_rwlock_trywrlock(&rwlock) != 0);
  CHECK_EQ(gasnett_rwlock_tryrdlock(&rwlock), 0);
  gasnett_rwlock_unlock(&rwlock);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, work, (void *)i), 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  CHECK_EQ(counted, THREADS * ROUNDS);
  CHECK_EQ(written, 2 * THREADS * ROUNDS);
  CHECK_EQ(turn, THREADS);
  CHECK(gasnett_threadkey_get(own) == NULL);

  CHECK_EQ(gasnett_mutex_trylock(&mutex), 0);
  gasnett_mutex_assertlocked(&mutex);
  gasnett_rwlock_rdlock(&rwlock);
  gasnett_rwlock_assertrdlocked(&rwlock), gasnett_rwlock_assertlocked(&rwlock);
  CHECK_EQ(pthread_create(&threads[0], NULL, try, NULL), 0);
  pthread_join(threads[0], NULL);
  gasnett_mutex_unlock(&mutex);
  gasnett_rwlock_unlock(&rwlock);
  gasnett_mutex_assertunlocked(&mutex), gasnett_rwlock_assertunlocked(&rwlock);
  CHECK_EQ(gasnett_rwlock_trywrlock(&rwlock), 0);
  gasnett_rwlock_assertwrlocked(&rwlock);
  gasnett_rwlock_unlock(&rwlock);

  gasnett_mutex_t another;
  gasnett_cond_t other;
  gasnett_rwlock_t third;
  gasnett_mutex_init(&another), gasnett_cond_init(&other), gasnett_rwlock_init(&third);
  gasnett_cond_signal(&other);
  gasnett_cond_destroy(&other), gasnett_rwlock_destroy(&third);
  CHECK_EQ(gasnett_mutex_destroy_ignoreerr(&another), 0);
  gasnett_mutex_init(&another);
  gasnett_mutex_destroy(&another);
  return 0;
}
