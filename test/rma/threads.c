/*
 * The ordered class in a program with threads: while one thread fences, another's puts to a place
 * take effect in their order, and its gets see them. The one opens a context first, whose channel
 * meets the nodes that the other is meeting. And a fence beside a quiet: both return when the put
 * is there.
 */
#include <shmem.h>

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"
#include "rma/rma.h"

enum { LONG = 80000 /* goes as a write */, ROUNDS = 300, READS = 2000 };

static char to[LONG];
static int far, stop;

static void *fence(void *arg) {
  (void)arg;
  shmem_ctx_t context;
  CHECK_EQ(shmem_ctx_create(0, &context), 0);
  while (!weft_peek(&stop)) weft_rma_fence_pe(far);
  shmem_ctx_destroy(context);
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

/* What is behind a read that was begun finds it done, whatever another thread fences meanwhile. */
static void check_reads(void) {
  static char into[LONG];
  const uintptr_t off = weft_job_offset(to);
  for (int i = 0; i < READS; i++) {
    weft_op_t op = {0};
    weft_rma_get_begin(far, off, into, LONG, &op, false);
    weft_rma_order_next(far, WEFT_NEXT_WRITE, LONG);
    CHECK(weft_op_is_done(&op));
  }
}

/* ---- one thread's quiet, and another's fence of the same put, which is still under way ---- */

static long pids[2];
static int woken;

static void *wake(void *arg) {
  (void)arg;
  usleep(50000);
  weft_poke(&woken, 1);
  CHECK_EQ(kill((pid_t)pids[1], SIGCONT), 0);
  return NULL;
}

static void *end(void *fences) {
  if (fences)
    weft_rma_fence_pe(far);
  else
    shmem_quiet();
  return NULL;
}

/* The thread takes the put's mark, and main finds it gone. */
static void check_both(bool thread_fences) {
  static char from[LONG];
  pthread_t thread, waker;
  weft_check_stop_process(pids[1]);
  weft_rma_put_behind(far, weft_job_offset(to), from, LONG, NULL, NULL);
  CHECK_EQ(pthread_create(&thread, NULL, end, thread_fences ? &far : NULL), 0);
  while (weft_observe(&weft_channels[0].dirty[0])) usleep(100);
  weft_poke(&woken, 0);
  CHECK_EQ(pthread_create(&waker, NULL, wake, NULL), 0);
  end(thread_fences ? NULL : &far);
  CHECK(weft_peek(&woken));
  CHECK_EQ(pthread_join(thread, NULL) | pthread_join(waker, NULL), 0);
}

int main(void) {
  int level;
  pthread_t thread;
  CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level), 0);
  far = shmem_n_pes() - 1;
  for (int pe = 0; pe < 2; pe++) shmem_long_p(&pids[shmem_my_pe()], getpid(), pe);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) {
    CHECK_EQ(pthread_create(&thread, NULL, fence, NULL), 0);
    check_order();
    check_reads();
    weft_poke(&stop, 1);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    /* Where a put leaves although its target is stopped. */
    if (weft_job.fabric.large_in_order) check_both(true), check_both(false);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
