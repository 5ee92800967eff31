/* line.c: the floor of `make bench` on one node: 8 bytes from one processor's cache to another's
 * and back, between two threads that spin. Prints the CSV lines. */
#include <pthread.h>
#include <stdatomic.h>

#include "bench.h"

enum { NPROCESSORS = 2 };

static struct {
  _Alignas(128) _Atomic uint64_t word;
} there, back;
static _Atomic bool stop;
static uint64_t turn;

static long bench_agree(long value) {
  return value;
}

static void bench_barrier(void) {}

static void pin(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  sched_setaffinity(0, sizeof set, &set);
}

static void *answer(void *unused) {
  (void)unused;
  pin(1);
  for (uint64_t seen = 0; !stop;) {
    const uint64_t now = there.word;
    if (now != seen) atomic_store_explicit(&back.word, seen = now, memory_order_release);
  }
  return NULL;
}

static void pingpong(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n; i++) {
    atomic_store_explicit(&there.word, ++turn, memory_order_release);
    while (atomic_load_explicit(&back.word, memory_order_acquire) != turn) continue;
  }
}

int main(int argc, char **argv) {
  static const bench_test_t tests[] = {
      {"line", pingpong, NULL, UNIT_US, false, 2, bench_size_8, NULL},
  };
  pthread_t thread;
  if (sysconf(_SC_NPROCESSORS_ONLN) < NPROCESSORS) return 77;
  if (pthread_create(&thread, NULL, answer, NULL)) return 1;
  npes = NPROCESSORS;
  bench_run(tests, 1, argc, argv);
  stop = true;
  pthread_join(thread, NULL);
  bench_emit("done", 0, 1, "");
  return 0;
}
