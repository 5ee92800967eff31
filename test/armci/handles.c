/*
 * More handles than there are entries for, in one thread; each wait of another thread is for its
 * own operation all the same. And more that are set to aggregate and then forgotten.
 */
#include "armci_test.h"

#include <pthread.h>

enum { MANY = 6000, WORDS = 8192, THREADS = 2, ROUNDS = 100 };
static long *at[NP_MAX];
static int next, ready;

static void *wait_for_each(void *arg) {
  static _Thread_local long got[WORDS];
  armci_hdl_t h;
  while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) sched_yield();
  for (int r = 0; r < ROUNDS; r++) {
    const int n = 512 * (1 + r % 16);
    got[0] = got[n - 1] = 0;
    ARMCI_INIT_HANDLE(&h);
    ARMCI_NbGet(at[next], got, n * (int)sizeof *got, next, &h);
    CHECK_EQ(ARMCI_Wait(&h), 0);
    CHECK(got[0] == 1000 && got[n - 1] == 1000 + n - 1);
  }
  __atomic_sub_fetch(&ready, 1, __ATOMIC_RELEASE);
  return arg;
}

/* `kept` goes on with many operations, whatever happens to the others. */
static void forgotten(void) {
  static long got[2];
  armci_hdl_t kept, h;
  ARMCI_INIT_HANDLE(&kept);
  ARMCI_SET_AGGREGATE_HANDLE(&kept);
  for (int i = 0; i < MANY; i++) {
    ARMCI_INIT_HANDLE(&h);
    ARMCI_SET_AGGREGATE_HANDLE(&h);
    got[0] = got[1] = 0;
    ARMCI_NbGet(at[next] + i % WORDS, &got[0], sizeof *got, next, i % 100 ? &h : &kept);
    ARMCI_NbGet(at[next] + i % WORDS, &got[1], sizeof *got, next, i % 100 ? &h : &kept);
    CHECK_EQ(ARMCI_Wait(i % 100 ? &h : &kept), 0);
    CHECK(got[0] == 1000 + i % WORDS && got[1] == got[0]);
  }
  ARMCI_UNSET_AGGREGATE_HANDLE(&kept);
}

int main(int argc, char **argv) {
  static armci_hdl_t many[MANY];
  static long got[MANY];
  pthread_t threads[THREADS];
  armci_begin(&argc, &argv);
  next = (me + 1) % np;
  CHECK_EQ(ARMCI_Malloc((void **)at, WORDS * sizeof(long)), 0);
  for (int i = 0; i < WORDS; i++) at[me][i] = 1000 + i;
  ARMCI_Barrier();
  forgotten();
  for (int t = 0; t < THREADS; t++)
    CHECK_EQ(pthread_create(&threads[t], NULL, wait_for_each, NULL), 0);
  bool begun = false;
  do {
    for (int i = 0; i < MANY; i++) {
      ARMCI_NbGet(at[next] + i % WORDS, &got[i], sizeof *got, next, &many[i]);
      if (begun || i < MANY - 500) continue; /* there are no more entries */
      __atomic_store_n(&ready, THREADS, __ATOMIC_RELEASE);
      begun = true;
    }
    for (int i = 0; i < MANY; i++) {
      CHECK_EQ(ARMCI_Wait(&many[i]), 0);
      CHECK_EQ(got[i], 1000 + i % WORDS);
      got[i] = 0;
    }
  } while (__atomic_load_n(&ready, __ATOMIC_ACQUIRE) > 0);
  for (int t = 0; t < THREADS; t++) CHECK_EQ(pthread_join(threads[t], NULL), 0);
  ARMCI_Barrier();
  ARMCI_Free(at[me]);
  return armci_end();
}
