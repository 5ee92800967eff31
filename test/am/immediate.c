/*
 * An IMMEDIATE long message that is refused has written nothing, while other threads send to the
 * same PE: the ring may be full, or another thread's for the moment.
 */
#include <pthread.h>
#include <string.h>

#include "am/am.h"
#include "check.h"
#include "coll/coll.h"
#include "job/job.h"
#include "runtime/runtime.h"

enum { THREADS = 3, ROUNDS = 100000, ARRIVED = 128, BYTES = 6000 };

static unsigned char dest[THREADS][BYTES], ones[BYTES];
static uint32_t arrived[THREADS];
static uint32_t refused;

static void on_long(weft_token_t *t, void *payload, size_t n, int32_t who) {
  CHECK(t->is_request && payload == dest[who] && dest[who][n - 1] == 1);
  __atomic_fetch_add(&arrived[who], 1, __ATOMIC_RELEASE);
}

static bool is_clean(const unsigned char *bytes, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (bytes[i]) return false;
  return true;
}

static void *work(void *arg) {
  const int32_t who = (int32_t)(long)arg;
  for (uint32_t i = 0, sent = 0; i < ROUNDS; i++) {
    const size_t n = i % 3 == 0 ? BYTES : i % 3 == 1 ? 300 + i % 700 : 8 + i % 56;
    memset(dest[who], 0, n);
    if (weft_am_request(weft_job.pe, WEFT_AM_LONG, ARRIVED, ones, n, (uintptr_t)dest[who],
                        WEFT_AM_IMMEDIATE, NULL, 1, &who)) {
      CHECK(is_clean(dest[who], n));
      __atomic_fetch_add(&refused, 1, __ATOMIC_RELAXED);
      weft_am_poll();
      continue;
    }
    sent++;
    WEFT_WAIT_UNTIL(__atomic_load_n(&arrived[who], __ATOMIC_ACQUIRE) == sent);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  weft_runtime_start("immediate");
  memset(ones, 1, sizeof ones);
  CHECK(weft_am_open() == 0);
  weft_am_register(ARRIVED, (weft_am_handler_t)on_long);
  weft_coll_sync(weft_team_world());
  for (long t = 0; t < THREADS; t++) CHECK(pthread_create(&threads[t], NULL, work, (void *)t) == 0);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  printf("%u of %d refused\n", refused, THREADS * ROUNDS);
  weft_coll_sync(weft_team_world());
  weft_runtime_imply_stop();
  weft_runtime_stop();
  return 0;
}
