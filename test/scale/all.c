/*
 * What a job of any size does first: everyone says hello, waits for all, sums, puts to all and
 * leaves. The last line of PE 0 is for scale.sh: seconds until the first barrier, of a barrier and
 * of the puts; memory of a PE (PSS), descriptors, sockets.
 */
#include <shmem.h>

#include <dirent.h>
#include <time.h>

#include "check.h"

static long sum, mine, *from;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_BOOTTIME, &t); /* as /proc/uptime */
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long pss_kb(void) {
  char line[256];
  long kb = 0;
  FILE *f = fopen("/proc/self/smaps_rollup", "r");
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "Pss: %ld", &kb) == 1) break;
  if (f) fclose(f);
  return kb;
}

static int descriptors(int *sockets) {
  char path[300], to[64];
  int n = 0;
  DIR *d = opendir("/proc/self/fd");
  *sockets = 0;
  for (struct dirent *e; d && (e = readdir(d));) {
    if (e->d_name[0] == '.') continue;
    n++;
    snprintf(path, sizeof path, "/proc/self/fd/%s", e->d_name);
    ssize_t length = readlink(path, to, sizeof to - 1);
    if (length > 7 && !strncmp(to, "socket:", 7)) ++*sockets;
  }
  if (d) closedir(d);
  return n;
}

int main(int argc, char **argv) {
  const double begin = argc > 1 ? atof(argv[1]) : 0;
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  shmem_barrier_all();
  const double up = now();
  for (int i = 0; i < 3; i++) shmem_barrier_all();
  const double waited = (now() - up) / 3;
  mine = me + 1;
  CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1), 0);
  CHECK_EQ(sum, (long)n * (n + 1) / 2);
  from = shmem_calloc((size_t)n, sizeof *from);
  CHECK(from != NULL);
  const double before = now();
  for (int i = 0; i < n; i++) shmem_long_p(&from[me], me + 1, (me + i) % n);
  shmem_barrier_all();
  const double put = now() - before;
  for (int i = 0; i < n; i++) CHECK_EQ(from[i], i + 1);
  if (me == 0) {
    int sockets, all = descriptors(&sockets);
    printf("| %d | %.2f | %.2f | %.2f | %ld | %d | %d |\n", n, begin ? up - begin : 0, waited * 1e3,
           put * 1e3, pss_kb(), all, sockets);
  }
  shmem_free(from);
  shmem_finalize();
  return 0;
}
