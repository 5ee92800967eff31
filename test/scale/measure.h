/*
 * What a process of a large job has taken, and the line of the table that PE 0 prints (scale.sh).
 * For all.c and, over MPI, mpi.c.
 */
#ifndef WEFT_TEST_SCALE_MEASURE_H
#define WEFT_TEST_SCALE_MEASURE_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_BOOTTIME, &t); /* as /proc/uptime */
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The number behind the first line of a file of /proc/self that begins with `what`; 0: none. */
static inline long number_of(const char *file, const char *what) {
  char line[256];
  long kb = 0;
  FILE *f = fopen(file, "r");
  while (f && fgets(line, sizeof line, f))
    if (strncmp(line, what, strlen(what)) == 0 && sscanf(line + strlen(what), "%ld", &kb) == 1)
      break;
  if (f) fclose(f);
  return kb;
}

enum { SHARE, TABLES, TAKEN };

/* KB of this process: its share of the memory that is there, and page tables. */
static inline void taken(long kb[TAKEN]) {
  kb[SHARE] = number_of("/proc/self/smaps_rollup", "Pss:");
  kb[TABLES] = number_of("/proc/self/status", "VmPTE:");
}

/* How many, and how many of them are connections of the internet. */
static inline int descriptors(int *connections) {
  struct sockaddr_storage peer;
  int n = 0;
  DIR *d = opendir("/proc/self/fd");
  *connections = 0;
  for (struct dirent *e; d && (e = readdir(d));) {
    socklen_t len = sizeof peer;
    if (e->d_name[0] == '.') continue;
    n++;
    if (getpeername(atoi(e->d_name), (struct sockaddr *)&peer, &len) == 0 &&
        (peer.ss_family == AF_INET || peer.ss_family == AF_INET6))
      ++*connections;
  }
  if (d) closedir(d);
  return n;
}

typedef struct times {
  double up;      /* when the first barrier was over */
  double barrier; /* of one */
  double put;     /* to all, and a barrier */
} times_t;

/* sum: what all have taken. begin: when the launcher was started, as text; NULL: nobody wants to
 * know. few: connections before the puts to all. */
static inline void print_line(const times_t *t, int n, const long sum[TAKEN], const char *begin,
                              int few) {
  int connections, all = descriptors(&connections);
  printf("| %d | %.2f | %.2f | %.2f | %ld | %ld | %d | %d | %d |\n", n,
         begin ? t->up - atof(begin) : 0, t->barrier * 1e3, t->put * 1e3, sum[SHARE] / n,
         sum[TABLES] / n, all, few, connections);
}

#endif
