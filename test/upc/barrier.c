/*
 * Barriers with and without values, split and whole, values that agree with none (trap 18), fences
 * between notify and wait (trap 17); with an argument, a misuse that must end the job with one line
 * (barrier.sh).
 */
#include "runtime.h"

#include <pthread.h>
#include <sched.h>

#include "check.h"

void bupc_memget_strided(void *to, const size_t *, pts from, const size_t *, const size_t *,
                         size_t);
void bupc_memput_fstrided(pts to, size_t, size_t, size_t, const void *, size_t, size_t, size_t);
void bupc_begin_accessregion(void);
void weft_upc_allv_broadcast(void *value, size_t size, int root);
void weft_upc_allv_reduce(void *dst, const void *src, int type, int root, upc_op_t op, int prefix);
void upc_all_reduceI(pts dst, pts src, upc_op_t op, size_t n, size_t block, int (*func)(int, int),
                     upc_flag_t flags);

static long arrived;

static void notify(int given, int value) {
  weft_upc_notify(given, value, __FILE__, __LINE__);
}
static void wait_for(int given, int value) {
  weft_upc_wait(given, value, __FILE__, __LINE__);
}

/* Nobody leaves before all have come, and work between the halves is done meanwhile. */
static void all_come(void) {
  for (long i = 1; i <= 50; i++) {
    WEFT_UPC_PUT_COPY(long, &arrived, (ME + 1) % N, i);
    if (i % 3 == 0)
      weft_upc_barrier(i % 2 == 0, (int)i, __FILE__, __LINE__);
    else {
      notify(1, 0);
      weft_upc_fence();
      wait_for(i % 2, 0);
    }
    CHECK_EQ(arrived, i);
    BARRIER();
  }
}

/* One says a value, the others none; -1 and the smallest are values too. */
static void values(void) {
  const int some[] = {0, 1, -1, 5, 0x7fffffff, (int)0x80000000};
  for (int i = 0; i < 6; i++) {
    weft_upc_barrier(ME == i % N, some[i], __FILE__, __LINE__);
    notify(1, some[i]);
    wait_for(0, 0);
    notify(0, 0);
    wait_for(1, some[i]); /* nobody gave one: not compared */
  }
}

static _Atomic int held;
static void *hold(void *arg) {
  flockfile(stdout);
  held = 1;
  for (;;) pause();
  return arg;
}

static void misuse(const char *what) {
  if (!strcmp(what, "values")) weft_upc_barrier(1, 5 + (ME == N - 1), "here.upc", 17);
  if (!strcmp(what, "wait-value")) notify(1, 3), wait_for(1, 4);
  if (!strcmp(what, "twice")) notify(0, 0), notify(0, 0);
  if (!strcmp(what, "barrier-after-notify")) notify(0, 0), BARRIER();
  if (!strcmp(what, "wait-alone")) wait_for(0, 0);
  if (!strcmp(what, "collective")) notify(0, 0), upc_all_alloc(1, 1);
  if (!strcmp(what, "exit-print")) { /* what the other has printed is in its buffer */
    if (ME == 0) printf("said by thread 0\n");
    BARRIER();
    if (ME == 1) upc_global_exit(0);
    BARRIER();
  }
  if (!strcmp(what, "exit-held") && ME == 1) { /* a thread holds a stream for ever */
    pthread_t thread;
    pthread_create(&thread, NULL, hold, NULL);
    while (!held) sched_yield();
    upc_global_exit(256);
  }
  if (!strcmp(what, "exit-held")) BARRIER();
  if (!strcmp(what, "exit-busy") && ME == 0) /* never waits */
    for (volatile int i = 0;; i++) continue;
  if (!strcmp(what, "exit-busy")) upc_global_exit(7);
  if (!strcmp(what, "ends")) {
    if (ME == 0) weft_upc_end(0);
    weft_upc_barrier(0, 0, "here.upc", 18);
  }
  if (!strcmp(what, "fails")) {
    if (ME == N - 1) weft_upc_end(3);
    BARRIER();
  }
  if (!strcmp(what, "fails-last") && ME == 0) weft_upc_end(3);
  if (!strcmp(what, "alone")) {
    while (ME) usleep(100000);
    BARRIER();
  }
  if (!strcmp(what, "null")) WEFT_UPC_PUT(int, (pts)0, 1);
  if (!strcmp(what, "freed")) {
    const pts p = upc_alloc(64);
    upc_free(p);
    (void)WEFT_UPC_GET(int, p);
  }
  if (!strcmp(what, "outside")) {
    const pts p = upc_all_alloc(N, 100);
    upc_memset(p, 0, 101);
  }
  if (!strcmp(what, "thread")) (void)WEFT_UPC_GET(int, weft_upc_make(N, 0, 4096));
  if (!strcmp(what, "free-twice")) {
    const pts p = upc_alloc(64);
    upc_free(p), upc_free(p);
  }
  if (!strcmp(what, "free-beyond")) {
    const pts p = upc_alloc(64), next = upc_alloc(64);
    memset(upc_cast(p), 0, 128); /* and over what the heap keeps of `next` */
    upc_free(p), upc_free(next);
  }
  if (!strcmp(what, "unlock")) upc_unlock(upc_global_lock_alloc());
  if (!strcmp(what, "relock")) {
    const pts lock = upc_global_lock_alloc();
    upc_lock(lock), upc_lock(lock);
  }
  if (!strcmp(what, "keeps")) {
    const pts lock = upc_all_lock_alloc();
    if (ME == 0) upc_lock(lock);
    BARRIER();
    if (ME != 0) upc_lock(lock);
  }
  if (!strcmp(what, "lengths")) bupc_memget_strided(NULL, NULL, 0, NULL, &(size_t){0}, 0);
  if (!strcmp(what, "lengths")) bupc_memput_fstrided(upc_alloc(8), 4, 4, 2, NULL, 3, 3, 2);
  if (!strcmp(what, "regions")) bupc_begin_accessregion(), bupc_begin_accessregion();
  if (!strcmp(what, "arguments")) upc_all_alloc(N, 8 + (size_t)ME);
  if (!strcmp(what, "alloc")) ME ? upc_all_alloc(1, 8) : upc_all_lock_alloc();
  if (!strcmp(what, "value-op"))
    weft_upc_allv_reduce(&(double){0}, &(double){1}, UPC_DOUBLE, 0, UPC_OR, 0);
  if (!strcmp(what, "value-root")) weft_upc_allv_broadcast(&(int){0}, sizeof(int), N);
  if (!strcmp(what, "value-notify")) notify(0, 0), weft_upc_allv_broadcast(&(int){0}, 4, 0);
  if (!strcmp(what, "value-calls")) weft_upc_allv_broadcast((long[2]){0}, 4 + 4 * (size_t)ME, 0);
  if (!strcmp(what, "flags")) {
    const pts p = upc_all_alloc(N, 100);
    upc_all_broadcast(p, p, 4, 4096);
  }
  if (!strcmp(what, "phase")) {
    const pts p = upc_all_alloc(N, 100);
    upc_all_reduceI(p, weft_upc_make(0, 7, weft_upc_offset(p) + 28), UPC_ADD, 9, 3, NULL, 0);
  }
  if (!strcmp(what, "exit")) {
    if (ME == N - 1) upc_global_exit(7);
    BARRIER();
  }
}

int main(int argc, char **argv) {
  weft_upc_start(&argc, &argv);
  if (argc > 1) {
    misuse(argv[1]);
    weft_upc_end(0);
  }
  all_come();
  values();
  weft_upc_end(0);
}
