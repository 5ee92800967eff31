// The code paths that test/count/run.sh counts with weft-count: each count_ function is nothing but
// one inlined OpenSHMEM call; the pointers below reach the library's own symbols.
//
// Plain OpenSHMEM 1.4, so that any implementation's oshcc builds it and can be counted beside.

#include <shmem.h>
#include <stdio.h>

#if defined(__clang__)
#define PATH __attribute__((noinline, used))
#else
#define PATH __attribute__((noipa, used)) // else equal bodies are merged and constants moved in
#endif
enum { ROUNDS = 24 }; // run.sh lets some calls pass first: connections and caches are warm then

// On the symmetric heap: statics take a longer path in some peers.
static int *cell, *counter, *own;
static long *word;

PATH void count_int_p(int *dest, int value, int pe) {
  shmem_int_p(dest, value, pe);
}
PATH int count_int_g(const int *source, int pe) {
  return shmem_int_g(source, pe);
}
PATH void count_quiet(void) {
  shmem_quiet();
}
PATH void count_quiet_idle(void) {
  shmem_quiet();
}
PATH int count_fetch_add(int *dest, int value, int pe) {
  return shmem_int_atomic_fetch_add(dest, value, pe);
}

/* The size is the caller's, as in a program that does not know it when it is compiled. */
PATH void count_putmem(void *dest, const void *source, size_t n, int pe) {
  shmem_putmem(dest, source, n, pe);
}
PATH void count_getmem(void *dest, const void *source, size_t n, int pe) {
  shmem_getmem(dest, source, n, pe);
}
PATH int count_test_hit(int *ivar, int value) {
  return shmem_int_test(ivar, SHMEM_CMP_EQ, value);
}
PATH int count_test_miss(int *ivar, int value) {
  return shmem_int_test(ivar, SHMEM_CMP_EQ, value);
}
PATH void count_wait_until_hit(int *ivar, int value) {
  shmem_int_wait_until(ivar, SHMEM_CMP_EQ, value);
}

static void (*volatile call_int_p)(int *, int, int) = shmem_int_p;
static int (*volatile call_int_g)(const int *, int) = shmem_int_g;
static void (*volatile call_quiet)(void) = shmem_quiet;
static int (*volatile call_fetch_add)(int *, int, int) = shmem_int_atomic_fetch_add;

static int run(int pe) {
  int wrong = 0;
  for (int i = 0; i < ROUNDS; i++) {
    count_int_p(cell, 2 * i, pe);
    count_quiet();
    wrong += count_int_g(cell, pe) != 2 * i;
    wrong += count_fetch_add(counter, 1, pe) != 2 * i;
    count_quiet_idle();
    call_int_p(cell, 2 * i + 1, pe);
    call_quiet();
    wrong += call_int_g(cell, pe) != 2 * i + 1;
    wrong += call_fetch_add(counter, 1, pe) != 2 * i + 1;
  }
  for (long i = 0, got = -1; i < ROUNDS; i++) {
    count_putmem(word, &i, sizeof i, pe);
    shmem_quiet();
    count_getmem(&got, word, sizeof got, pe);
    wrong += got != i;
    *own = (int)i;
    wrong += count_test_miss(own, -1) || !count_test_hit(own, (int)i);
    count_wait_until_hit(own, (int)i);
  }
  return wrong;
}

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), last = shmem_n_pes() - 1;
  cell = shmem_calloc(3, sizeof *cell);
  word = shmem_calloc(1, sizeof *word);
  if (!cell || !word) shmem_global_exit(1);
  counter = cell + 1, own = cell + 2;
  int wrong = me == 0 ? run(last) : 0;
  shmem_barrier_all();
  wrong += me == last && (*cell != 2 * ROUNDS - 1 || *counter != 2 * ROUNDS);
  if (wrong) fprintf(stderr, "pe %d: %d wrong values\n", me, wrong);
  shmem_finalize();
  return wrong != 0;
}
