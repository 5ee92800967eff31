/*
 * What a forked child stores to static data, the runtime's part of the slot and the heap stays its
 * own, also where there is no memory for a copy of the static data: the parent sees nothing of it.
 * A child of the child has what that has stored.
 */
#include <shmem.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "check.h"
#include "job/job.h"

enum { BIG = 64 << 20 };
static char big[BIG]; /* no room for as much again */
static long word;

static size_t address_space(void) {
  size_t pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  CHECK(f && fscanf(f, "%zu", &pages) == 1);
  fclose(f);
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* The last word of the runtime's part, of which nobody knows. */
static long *of_runtime(void) {
  const weft_layout_t *l = &weft_job.window.layout;
  return (long *)(weft_job.window.base + l->runtime + l->runtime_size) - 1;
}

/* A child finds `before` at all places and stores `after`, as deep as `depth` says. */
static void fork_is_apart(long *const places[4], long before, int depth) {
  for (int i = 0; i < 4; i++) *places[i] = before;
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 4; i++) CHECK_EQ(*places[i], before);
    if (depth > 1) fork_is_apart(places, before + 1, depth - 1);
    for (int i = 0; i < 4; i++) *places[i] = 99;
    _exit(word == 99 ? 0 : 3);
  }
  int status = -1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
  for (int i = 0; i < 4; i++) CHECK_EQ(*places[i], before);
}

int main(void) {
  shmem_init();
  long *heap = shmem_malloc(sizeof *heap);
  CHECK(heap != NULL);
  long *const places[] = {&word, (long *)(void *)(big + BIG / 2), heap, of_runtime()};
  fork_is_apart(places, 7, 2);
  struct rlimit limit;
  CHECK_EQ(getrlimit(RLIMIT_AS, &limit), 0);
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = address_space() + BIG / 2;
  CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
  fork_is_apart(places, 17, 2);
  limit.rlim_cur = before;
  CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
  shmem_barrier_all();
  shmem_free(heap);
  shmem_finalize();
  return 0;
}
