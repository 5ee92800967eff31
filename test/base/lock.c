/*
 * The lock excludes, between threads and with more of them than processors; the processor count
 * follows the affinity mask; the clock does not go backwards. test: unit
 */
#include <pthread.h>
#include <sched.h>

#include "base/base.h"
#include "check.h"

#define THREADS 8
#define ROUNDS 3000

static weft_lock_t lock;
static long total; /* only the lock protects it */

static void *count(void *arg) {
  (void)arg;
  for (int i = 0; i < ROUNDS; i++) {
    weft_lock(&lock);
    total++;
    weft_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t thread[THREADS];
  cpu_set_t old, one;
  uint64_t before, after, mask[WEFT_CPU_WORDS];
  int bits = 0;
  for (int i = 0; i < THREADS; i++) CHECK(!pthread_create(&thread[i], NULL, count, NULL));
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  CHECK_EQ(total, (long)THREADS * ROUNDS);
  CHECK(weft_lock_try(&lock));
  CHECK(!weft_lock_try(&lock));
  weft_unlock(&lock);
  CHECK(weft_lock_try(&lock));

  CHECK(sched_getaffinity(0, sizeof(old), &old) == 0);
  CHECK_EQ(weft_cpu_mask(mask), CPU_COUNT(&old));
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && !CPU_COUNT(&one); cpu++)
    if (CPU_ISSET(cpu, &old)) CPU_SET(cpu, &one);
  CHECK(sched_setaffinity(0, sizeof(one), &one) == 0);
  CHECK_EQ(weft_cpu_mask(mask), 1);
  for (int w = 0; w < WEFT_CPU_WORDS; w++) bits += __builtin_popcountll(mask[w]);
  CHECK_EQ(bits, 1);

  before = weft_clock_ns();
  usleep(1000);
  after = weft_clock_ns();
  CHECK(after - before >= 1000000 && before > 0);
  return 0;
}
