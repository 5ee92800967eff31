// PAR: every thread puts and gets in every way at a time; its sync knows its own operations only,
// and ends although others go on posting; events are completed by other threads than began them.
#define GASNET_PAR
#define ROOM (1 << 18)
#include <gasnet.h>
#include <pthread.h>

#include "gasnet/rma_frame.h"

enum { THREADS = 4, ROUNDS = 12, EACH = ROOM / THREADS, LARGE = 30000 };
static unsigned char source[THREADS][EACH], back[THREADS][EACH];
static gex_Event_t handed[THREADS]; // by thread t to thread t + 1
static pthread_barrier_t barrier;
static int stop;

static void *work(void *arg) {
  const unsigned t = (unsigned)(uintptr_t)arg;
  unsigned char *src = source[t], *got = back[t];
  for (unsigned round = 0; round < ROUNDS; round++)
    for (unsigned pe = 0; pe < npes; pe++) {
      unsigned char *dest = there(pe) + t * EACH;
      const size_t n = round % 4 == 3 ? LARGE : 8 + round * t;
      fill(src, n, me + t, pe, round);
      handed[t] = gex_RMA_PutNB(tm, pe, dest, src, n, GEX_EVENT_DEFER, 0);
      pthread_barrier_wait(&barrier);
      gex_Event_Wait(handed[(t + 1) % THREADS]); // another's
      pthread_barrier_wait(&barrier);
      memset(got, 0, n);
      gex_RMA_GetNBI(tm, got, pe, dest, n, 0);
      gex_NBI_Wait(GEX_EC_GET, 0);
      CHECK(is_filled(got, n, me + t, pe, round));
      for (size_t i = 0; i < n; i += 64)
        gasnet_put_nbi(pe, dest + LARGE + i, src + i, i + 64 < n ? 64 : n - i);
      gasnet_wait_syncnbi_puts();
      gasnet_begin_nbi_accessregion();
      gasnet_get_nbi(got, pe, dest + LARGE, n);
      gasnet_put_nbi_val(pe, dest + EACH - 8, round + t, 8);
      gex_Event_Wait(gasnet_end_nbi_accessregion());
      CHECK(is_filled(got, n, me + t, pe, round));
      CHECK_EQ(gasnet_get_val(pe, dest + EACH - 8, 8), round + t);
    }
  return NULL;
}

// Posts until it is told to stop, and never syncs its puts.
static void *restless(void *arg) {
  (void)arg;
  const unsigned pe = (me + 1) % npes;
  for (uint64_t i = 0; !__atomic_load_n(&stop, __ATOMIC_ACQUIRE); i++) {
    gasnet_put_nbi_val(pe, there(pe) + 64, i, 8);
    gasnet_put_nbi_bulk(pe, there(pe) + 4096, source[1], 4096);
    gasnet_get_nbi(back[1], pe, there(pe) + 8192, 4096);
    if (i % 8 == 0) gasnet_wait_syncnbi_gets();
  }
  gasnet_wait_syncnbi_all();
  return NULL;
}

static void beside_others(void) {
  pthread_t thread;
  const unsigned pe = (me + 1) % npes;
  CHECK_EQ(pthread_create(&thread, NULL, restless, NULL), 0);
  for (uint64_t i = 0; i < 50; i++) {
    gasnet_put_nbi_val(pe, there(pe), i, 8);
    gasnet_wait_syncnbi_puts();
    CHECK_EQ(gasnet_get_val(pe, there(pe), 8), i);
    gasnet_get_nbi(back[0], pe, there(pe), 64);
    while (gasnet_try_syncnbi_gets() != GASNET_OK) continue;
    CHECK_EQ(back[0][0], i & 255);
  }
  __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
  CHECK_EQ(pthread_join(thread, NULL), 0);
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  start(argc, argv);
  CHECK_EQ(pthread_barrier_init(&barrier, NULL, THREADS), 0);
  for (uintptr_t t = 0; t < THREADS; t++)
    CHECK_EQ(pthread_create(&threads[t], NULL, work, (void *)t), 0);
  for (int t = 0; t < THREADS; t++) CHECK_EQ(pthread_join(threads[t], NULL), 0);
  everybody();
  beside_others();
  finish();
}
