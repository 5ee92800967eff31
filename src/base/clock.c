/*
 * clock: time, and the processors there are to wait on.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"

uint64_t weft_clock_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void weft_sleep_ms(int ms) {
  enum { STEP_MS = 10 };
  for (; ms > 0; ms -= STEP_MS) {
    struct timespec rest = {.tv_nsec = (ms < STEP_MS ? ms : STEP_MS) * 1000000L};
    while (nanosleep(&rest, &rest) < 0 && errno == EINTR) continue;
  }
}

/* The kernel's struct sched_attr in its first size, which glibc does not declare. */
typedef struct attributes {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime; /* the slice in ns: of an ordinary thread since Linux 6.12, ignored before */
  uint64_t deadline, period;
} attributes_t;

int weft_slice_set(uint64_t ns) {
  attributes_t now = {0};
  if (syscall(SYS_sched_getattr, 0, &now, sizeof now, 0)) return -errno;
  if (now.policy != SCHED_OTHER) return 0;
  now.runtime = ns;
  return syscall(SYS_sched_setattr, 0, &now, 0) ? -errno : 0;
}

static void set_cpu(uint64_t *mask, int cpu) {
  mask[cpu / 64 % WEFT_CPU_WORDS] |= (uint64_t)1 << cpu % 64;
}

int weft_cpu_mask(uint64_t mask[WEFT_CPU_WORDS]) {
  memset(mask, 0, WEFT_CPU_WORDS * sizeof *mask);
  /* The kernel refuses (EINVAL) a set smaller than its own: grow until it is pleased. */
  for (int cpus = CPU_SETSIZE; cpus <= 1 << 20; cpus *= 2) {
    cpu_set_t *set = CPU_ALLOC((size_t)cpus);
    size_t size = CPU_ALLOC_SIZE((size_t)cpus);
    int n = 0, failed;
    if (!set) break;
    failed = sched_getaffinity(0, size, set) ? errno : 0;
    if (!failed) n = CPU_COUNT_S(size, set);
    for (int cpu = 0; n > 0 && cpu < cpus; cpu++)
      if (CPU_ISSET_S(cpu, size, set)) set_cpu(mask, cpu);
    CPU_FREE(set);
    if (n > 0) return n;
    if (failed != EINVAL) break;
  }
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  if (online < 1) online = 1;
  for (int cpu = 0; cpu < online; cpu++) set_cpu(mask, cpu);
  return (int)online;
}

/* A number at *text, which is moved behind it; -1: none. */
static int read_cpu(const char **text) {
  char *end;
  if (**text < '0' || **text > '9') return -1;
  const long cpu = strtol(*text, &end, 10);
  *text = end;
  return cpu < 64 * WEFT_CPU_WORDS ? (int)cpu : -1;
}

int weft_parse_cpus(const char *text, int *cpus, int room) {
  int n = 0;
  for (;; text++) {
    int first = read_cpu(&text), last = first;
    if (*text == '-') {
      text++;
      last = read_cpu(&text);
    }
    if (first < 0 || last < first) return -EINVAL;
    for (int cpu = first; cpu <= last && n < room; cpu++) cpus[n++] = cpu;
    if (*text != ',') break;
  }
  return *text ? -EINVAL : n;
}
