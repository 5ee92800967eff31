/*
 * Helpers that have nothing to do sleep: while nobody communicates they give the processor up
 * because they have to wait, by the kernel's count; and afterwards they are there again.
 */
#include <shmem.h>

#include <dirent.h>

#include "check.h"
#include "fabric/board.h"

enum { WAIT_MS = 600 };

static FILE *task_file(const char *task, const char *name) {
  char path[600];
  snprintf(path, sizeof path, "/proc/self/task/%s/%s", task, name);
  return fopen(path, "r");
}

static long sleeps_of(const char *task) {
  char line[256];
  long sleeps = -1;
  FILE *f = task_file(task, "status");
  CHECK(f != NULL);
  while (fgets(line, sizeof line, f)) sscanf(line, "voluntary_ctxt_switches: %ld", &sleeps);
  fclose(f);
  return sleeps;
}

/* How often this process's helper gave the processor up because it had to wait. */
static long helper_sleeps(void) {
  struct dirent *entry;
  DIR *tasks = opendir("/proc/self/task");
  long sleeps = -1;
  CHECK(tasks != NULL);
  while ((entry = readdir(tasks))) {
    char name[64] = "";
    FILE *f = task_file(entry->d_name, "comm");
    if (!f) continue;
    if (fgets(name, sizeof name, f) && strcmp(name, "weft-helper\n") == 0)
      sleeps = sleeps_of(entry->d_name);
    fclose(f);
  }
  closedir(tasks);
  return sleeps;
}

int main(void) {
  static long word;
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  board_t *board = board_open();
  shmem_long_atomic_add(&word, 1, (me + 1) % npes);
  shmem_barrier_all();
  const long before = helper_sleeps();
  CHECK(before >= 0);
  usleep(WAIT_MS * 1000);
  CHECK(helper_sleeps() - before >= 3);
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
