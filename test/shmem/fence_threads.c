/*
 * A fence of one thread orders what it has put also where another thread's quiet is just waiting
 * for that: PE 2, which serves the port of PE 3's node, is stopped, so neither can end before it
 * goes on. PEs 0 and 1 share a node, and PE 1's puts do not go through its own port. And a quiet
 * ends although another thread begins one large put after the other.
 */
#include <shmem.h>

#include "check.h"

#include <pthread.h>
#include <sched.h>

enum { N = 200000, ROUNDS = 3 };
static char there[N], here[N]; /* symmetric */
static long flag, spare, pids[4];
static int begun, goes_on; /* rounds in which the other thread is in its quiet; PE 2 goes on */

static void *quiet(void *arg) {
  for (int r = 1; r <= ROUNDS; r++) {
    while (__atomic_load_n(&begun, __ATOMIC_ACQUIRE) < r) sched_yield();
    shmem_quiet();
  }
  return arg;
}

static void *go_on(void *arg) {
  usleep(100000);
  __atomic_store_n(&goes_on, 1, __ATOMIC_RELEASE);
  kill((pid_t)pids[2], SIGCONT);
  return arg;
}

static void one_round(int r) {
  pthread_t later;
  memset(here, r, N);
  shmem_quiet();
  __atomic_store_n(&goes_on, 0, __ATOMIC_RELEASE);
  weft_check_stop_process(pids[2]);
  CHECK_EQ(pthread_create(&later, NULL, go_on, NULL), 0);
  shmem_putmem(there, here, N, 3);
  __atomic_store_n(&begun, r, __ATOMIC_RELEASE);
  usleep(20000);
  shmem_fence();
  const int waited = __atomic_load_n(&goes_on, __ATOMIC_ACQUIRE);
  kill((pid_t)pids[2], SIGCONT);
  CHECK(waited);
  shmem_long_p(&spare, r, 3);
  shmem_long_p(&flag, r, 3);
  CHECK_EQ(pthread_join(later, NULL), 0);
  shmem_quiet();
}

static void *stream(void *over) {
  while (!__atomic_load_n((int *)over, __ATOMIC_ACQUIRE)) shmem_putmem_nbi(there, here, N, 3);
  return NULL;
}

static void quiets_beside_a_stream(void) {
  static int over;
  pthread_t other;
  CHECK_EQ(pthread_create(&other, NULL, stream, &over), 0);
  for (int i = 0; i < 5; i++) {
    usleep(20000);
    shmem_quiet();
  }
  __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  CHECK_EQ(pthread_join(other, NULL), 0);
}

int main(void) {
  int provided;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  const int me = shmem_my_pe();
  CHECK(shmem_n_pes() == 4);
  for (int pe = 0; pe < 4; pe++) shmem_long_p(&pids[me], getpid(), pe);
  shmem_barrier_all();
  if (me == 1) {
    pthread_t other;
    CHECK_EQ(pthread_create(&other, NULL, quiet, NULL), 0);
    for (int r = 1; r <= ROUNDS; r++) one_round(r);
    CHECK_EQ(pthread_join(other, NULL), 0);
    quiets_beside_a_stream();
  }
  for (int r = 1; me == 3 && r <= ROUNDS; r++) {
    shmem_long_wait_until(&flag, SHMEM_CMP_GE, r);
    CHECK(there[N - 1] >= r);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
