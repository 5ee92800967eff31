/*
 * Helpers run where WEFT_HELPER_AFFINITY says: the kernel's word for each thread of that name. With
 * auto PE 1 binds itself to one processor before init; with auto and BOUND each to one of its own.
 */
#define _GNU_SOURCE
#include <shmem.h>

#include <dirent.h>
#include <sched.h>
#include <unistd.h>

#include "add_block.h"
#include "check.h"
#include "job/job.h"
#include "port/port.h"
#include "rma/rma.h"

/* A line "NAME:\tVALUE" of a task's status. */
static void status_of(const char *task, const char *name, char *value, size_t room) {
  char path[600], line[256];
  snprintf(path, sizeof path, "/proc/self/task/%s/status", task);
  FILE *f = fopen(path, "r");
  CHECK(f != NULL);
  *value = 0;
  while (fgets(line, sizeof line, f))
    if (strncmp(line, name, strlen(name)) == 0)
      snprintf(value, room, "%.*s", (int)strcspn(line + strlen(name) + 2, "\n"),
               line + strlen(name) + 2);
  fclose(f);
}

/* The processors of this process's helper, as the kernel lists them; how many helpers there are. */
static int helper_cpus(char *value, size_t room) {
  struct dirent *entry;
  DIR *tasks = opendir("/proc/self/task");
  int n = 0;
  CHECK(tasks != NULL);
  while ((entry = readdir(tasks))) {
    char name[64];
    if (entry->d_name[0] == '.') continue;
    status_of(entry->d_name, "Name", name, sizeof name);
    if (strcmp(name, "weft-helper") != 0) continue;
    status_of(entry->d_name, "Cpus_allowed_list", value, room);
    n++;
  }
  closedir(tasks);
  return n;
}

/* Of these processors, the n-th; -1: there are not so many. */
static int nth(const cpu_set_t *set, int n) {
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, set) && n-- == 0) return cpu;
  return -1;
}

/* With rotate and a small WEFT_DEBUG=helper_move: accumulates and what else arrives move a helper
 * to another processor, one at a time. */
static void check_moves(int ncpus) {
  enum { BYTES = 65536, TIMES = 8 };
  static int64_t target[BYTES / 8], source[BYTES / 8];
  char got[256];
  int cpus[2];
  const int to = (weft_job.pe + weft_job.npes / 2) % weft_job.npes;
  source[0] = 1;
  shmem_barrier_all();
  for (int i = 0; i < TIMES; i++) {
    weft_op_t op = {0};
    add_block(to, weft_job_offset(target), source, BYTES, WEFT_ACC_INT64, NULL, &op);
    weft_op_wait(&op);
  }
  shmem_barrier_all();
  CHECK_EQ(target[0], TIMES);
  while (weft_job.port && ncpus > 1 && weft_helper_moves() == 0) usleep(1000);
  if (!weft_job.port) CHECK_EQ(weft_helper_moves(), 0);
  CHECK_EQ(helper_cpus(got, sizeof got), 1);
  if (weft_job.port) CHECK_EQ(weft_parse_cpus(got, cpus, 2), 1);
}

/* Where the helper belongs. `own`: what this PE was bound to before init; `all`: what the job was.
 */
static void expected(const char *want, const cpu_set_t *all, const cpu_set_t *own, cpu_set_t *set) {
  const int n = CPU_COUNT(all), last = nth(all, n - 1);
  *set = *own;
  if (!weft_job.port || strcmp(want, "none") == 0) return;
  if (getenv("BOUND")) { /* what the PEs have between them */
    for (int pe = 0; pe < weft_job.npes; pe++) CPU_SET(nth(all, pe % n), set);
    return;
  }
  if (strcmp(want, "auto") == 0) {
    if (!CPU_EQUAL(own, all) || n == 1) return;
    CPU_CLR(last, set);
    return;
  }
  const int index = weft_job.node * weft_job_helpers() + weft_job.slot;
  CPU_ZERO(set);
  CPU_SET(strcmp(want, "rotate") == 0 ? nth(all, index % n) : nth(all, weft_job.slot % n), set);
}

int main(void) {
  const char *rank = getenv("PMI_RANK"), *want = getenv("WEFT_HELPER_AFFINITY");
  char got[256] = "";
  int cpus[CPU_SETSIZE];
  cpu_set_t all, own, there, here;
  CPU_ZERO(&all);
  CHECK(rank && want && sched_getaffinity(0, sizeof all, &all) == 0);
  own = all;
  if (getenv("BOUND") || (strcmp(rank, "1") == 0 && strcmp(want, "auto") == 0)) {
    const int n = CPU_COUNT(&all);
    CPU_ZERO(&own);
    CPU_SET(nth(&all, getenv("BOUND") ? atoi(rank) % n : n - 1), &own);
    CHECK_EQ(sched_setaffinity(0, sizeof own, &own), 0);
  }
  if (strcmp(want, "list") == 0) { /* the processors that there are */
    char list[32];
    snprintf(list, sizeof list, "%d,%d", nth(&all, 0), nth(&all, 1 % CPU_COUNT(&all)));
    setenv("WEFT_HELPER_AFFINITY", list, 1);
  }
  shmem_init();
  CHECK_EQ(helper_cpus(got, sizeof got), weft_job.nnodes > 1);
  if (weft_job.nnodes > 1) {
    CPU_ZERO(&there);
    for (int i = weft_parse_cpus(got, cpus, CPU_SETSIZE); i > 0; i--) CPU_SET(cpus[i - 1], &there);
    expected(want, &all, &own, &here);
    CHECK(CPU_EQUAL(&there, &here));
    if (strcmp(want, "rotate") == 0) check_moves(CPU_COUNT(&all));
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
