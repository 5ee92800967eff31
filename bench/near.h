/* near.h: are the two processors as far from each other as they mostly are? The host of a virtual
 * machine moves them while it runs: a cache line takes 50 ns to the other one on the same die and
 * 240 ns to one on another (AMD EPYC), which changes from one second to the next, and with it all
 * that two PEs do together. So a batch counts only if the line's time is the usual one before and
 * after it. bench/run finds out what is usual and says it in a file beside the programs; PE 0 and 1
 * measure in the same file, whatever system they belong to. bench.h includes it. */
#ifndef WEFT_BENCH_NEAR_H
#define WEFT_BENCH_NEAR_H

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
  NEAR_TURNS = 200,    /* to the other processor and back, for one answer */
  NEAR_CHUNK = 50,     /* of these are timed together; the best time counts */
  NEAR_PAUSE_MS = 200, /* for the host: two processors that rest come back to one die */
  NEAR_TRIES = 20,     /* then the usual distance is not to be had */
};

/* The file. bench/run writes the first line, zeroes behind it, before it starts a system. */
typedef struct {
  double least, most; /* ns for one way that are usual; most 0: whatever it takes */
  _Alignas(128) _Atomic uint64_t there;
  _Alignas(128) _Atomic uint64_t back;
  _Alignas(128) _Atomic uint64_t verdict; /* turn * 2 + is it usual */
} near_t;

static inline near_t *near_open(void) {
  char path[4096];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof "near");
  if (n < 0) return NULL;
  path[n] = 0;
  char *slash = strrchr(path, '/');
  strcpy(slash + 1, "near");
  const int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return NULL;
  near_t *file = mmap(NULL, sizeof *file, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  return file == MAP_FAILED || file->most <= 0 ? NULL : file;
}

static inline void near_await(_Atomic uint64_t *word, uint64_t wanted) {
  for (int looks = 0; atomic_load_explicit(word, memory_order_acquire) != wanted;)
    if (++looks > 1000) sched_yield();
}

/* Both PEs call it, each on its own processor, and get the same answer. */
static inline bool near_ask(near_t *file, int me) {
  static uint64_t turn;
  double best = 1e18, from = 0;
  for (int i = 0; i < NEAR_TURNS; i++) {
    turn++;
    if (me != 0) {
      near_await(&file->there, turn);
      atomic_store_explicit(&file->back, turn, memory_order_release);
      continue;
    }
    if (i % NEAR_CHUNK == 0) from = bench_now();
    atomic_store_explicit(&file->there, turn, memory_order_release);
    near_await(&file->back, turn);
    const double ns = 1e9 * (bench_now() - from) / (2 * NEAR_CHUNK);
    if (i % NEAR_CHUNK == NEAR_CHUNK - 1 && ns < best) best = ns;
  }
  if (me == 0)
    file->verdict = turn * 2 + (best >= file->least && best <= file->most);
  else
    for (int looks = 0; file->verdict / 2 != turn;)
      if (++looks > 1000) sched_yield();
  return file->verdict & 1;
}

#endif
