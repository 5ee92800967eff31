/*
 * Helpers that have nothing to do sleep: while nobody communicates they take a small part of the
 * time that passes, by the kernel's count; and afterwards they are there again.
 */
#include <shmem.h>

#include <dirent.h>

#include "check.h"
#include "fabric/board.h"

enum { WAIT_MS = 600 };

typedef struct usage {
  long ms;     /* that it has run */
  long sleeps; /* how often it gave the processor up because it had to wait */
} usage_t;

static FILE *task_file(const char *task, const char *name) {
  char path[600];
  snprintf(path, sizeof path, "/proc/self/task/%s/%s", task, name);
  return fopen(path, "r");
}

static usage_t usage_of(const char *task) {
  usage_t u = {-1, -1};
  char line[256];
  long ns = 0;
  FILE *f = task_file(task, "schedstat");
  if (!f) CHECK_SKIP("this kernel does not count threads' time");
  CHECK_EQ(fscanf(f, "%ld", &ns), 1);
  fclose(f);
  u.ms = ns / 1000000;
  CHECK((f = task_file(task, "status")) != NULL);
  while (fgets(line, sizeof line, f)) sscanf(line, "voluntary_ctxt_switches: %ld", &u.sleeps);
  fclose(f);
  return u;
}

/* Of this process's helper. */
static usage_t helper_usage(void) {
  struct dirent *entry;
  DIR *tasks = opendir("/proc/self/task");
  usage_t u = {-1, -1};
  CHECK(tasks != NULL);
  while ((entry = readdir(tasks))) {
    char name[64] = "";
    FILE *f = task_file(entry->d_name, "comm");
    if (!f) continue;
    if (fgets(name, sizeof name, f) && strcmp(name, "weft-helper\n") == 0)
      u = usage_of(entry->d_name);
    fclose(f);
  }
  closedir(tasks);
  return u;
}

int main(void) {
  static long word;
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  board_t *board = board_open();
  shmem_long_atomic_add(&word, 1, (me + 1) % npes);
  shmem_barrier_all();
  const usage_t before = helper_usage();
  CHECK(before.ms >= 0);
  usleep(WAIT_MS * 1000);
  const usage_t after = helper_usage();
  CHECK(after.ms - before.ms < WAIT_MS / 3);
  /* On a busy machine even a thread that never sleeps runs little. */
  CHECK(after.sleeps - before.sleeps >= 3);
  if (me == 0) {
    shmem_long_atomic_add(&word, 1, npes - 1);
    shmem_quiet();
    board_raise(&board->flag, 1);
  }
  board_wait(&board->flag, 1); /* no progress but the helpers' */
  if (me == npes - 1) CHECK_EQ(plain(&word), 2);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
