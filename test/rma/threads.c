/*
 * The ordered class in a program with threads: while one thread fences, another's puts to a place
 * take effect in their order, and its gets see them.
 */
#include <shmem.h>

#include <pthread.h>

#include "check.h"
#include "rma/rma.h"

enum { LONG = 20000 /* goes as a write */, ROUNDS = 1500 };

static char to[LONG];
static int far, stop;

static void *fence(void *arg) {
  (void)arg;
  while (!weft_peek(&stop)) weft_rma_fence_pe(far);
  return NULL;
}

static void check_order(void) {
  static char from[LONG];
  const uintptr_t off = weft_job_offset(to);
  for (int i = 0; i < ROUNDS; i++) {
    char small[8], got = 0;
    memset(small, i, sizeof small);
    memset(from, i + 1, LONG);
    weft_rma_put_behind(far, off, small, sizeof small, NULL, NULL);
    weft_rma_put_behind(far, off, from, LONG, NULL, NULL);
    weft_rma_get_behind(far, off, &got, 1, NULL);
    CHECK_EQ(got, (char)(i + 1));
  }
}

int main(void) {
  int level;
  pthread_t thread;
  CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level), 0);
  far = shmem_n_pes() - 1;
  shmem_barrier_all();
  if (shmem_my_pe() == 0) {
    CHECK_EQ(pthread_create(&thread, NULL, fence, NULL), 0);
    check_order();
    weft_poke(&stop, 1);
    CHECK_EQ(pthread_join(thread, NULL), 0);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
