/* line.c: the floors of `make bench` on one node: 8 bytes from one processor's cache to another's
 * and back, between two threads that spin; and memcpy in memory as PEs share it, at one place and
 * from a window of places to another. Prints the CSV lines. */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "bench.h"

enum { NPROCESSORS = 2 };

static struct {
  _Alignas(128) _Atomic uint64_t word;
} there, back;
static _Atomic bool stop;
static uint64_t turn;
static char *src, *dst;

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

static void copy(long n, size_t size) {
  for (long i = 0; i < n; i++) {
    memcpy(dst, src, size);
    BENCH_KEEP();
  }
}

static void copy_bw(long n, size_t size) {
  const long depth = bench_depth(size);
  for (long i = 0; i < n; i++) {
    for (long k = 0; k < depth; k++) {
      memcpy(dst + (size_t)k * size, src + (size_t)k * size, size);
      BENCH_KEEP();
    }
  }
}

static bool make_memory(void) {
  const int fd = memfd_create("line", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, 2 * MAX_REGION) < 0) return false;
  src = mmap(NULL, 2 * MAX_REGION, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (src == MAP_FAILED) return false;
  dst = src + MAX_REGION;
  memset(src, 7, 2 * MAX_REGION);
  return true;
}

int main(int argc, char **argv) {
  static const bench_test_t tests[] = {
      {"line", pingpong, NULL, UNIT_US, false, 2, bench_size_8, NULL},
      {"copy", copy, NULL, UNIT_US, false, 1, bench_size_lat, NULL},
      {"copy_bw", copy_bw, NULL, UNIT_MBS, false, 0, bench_size_bw, NULL},
  };
  pthread_t thread;
  if (sysconf(_SC_NPROCESSORS_ONLN) < NPROCESSORS) return 77;
  if (!make_memory() || pthread_create(&thread, NULL, answer, NULL)) return 1;
  npes = 1; /* one program: it measures the line itself (near.h) */
  bench_run(tests, sizeof tests / sizeof *tests, argc, argv);
  stop = true;
  pthread_join(thread, NULL);
  bench_emit("done", 0, 1, "");
  return 0;
}
