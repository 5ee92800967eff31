/*
 * test: none
 * Two PEs or more of different nodes that talk all the time, each to the next, until file
 * $NOTES/end is there; then the results must be right. With "alone" only PE 0 does; with "idle"
 * nobody; with "waits" PE 0 only waits for the last one, which computes; with "loose" results are
 * not looked at; with "late" PE 0 puts to PE 1 when $NOTES/put is there, and says when its quiet is
 * over. What is done to them, their links and launcher meanwhile, links.sh knows. PE 0
 * says how far it is in $NOTES/rounds.
 */
#include <shmem.h>
#include <fcntl.h>
#include <stdbool.h>

#include "check.h"

enum { WORDS = 10240 /* by RMA */ };

static long counter, flag, sum, end, data[WORDS], came[WORDS];

static void note(const char *what, int pe, long value) {
  char name[512], text[32];
  snprintf(name, sizeof name, "%s/%s.%d", getenv("NOTES"), what, pe);
  snprintf(text, sizeof text, "%ld\n", value);
  const int fd = open(name, O_WRONLY | O_CREAT, 0600); /* rewritten in place, and never shorter */
  CHECK(fd >= 0 && write(fd, text, strlen(text)) > 0 && close(fd) == 0);
}

/* PE 0 asks the last PE, unless it is idle; the others wait. */
static void ask_alone(const char *stop, bool idle, int me, int n) {
  long round = 0;
  if (me > 0) shmem_long_wait_until(&end, SHMEM_CMP_EQ, 1);
  if (me > 0) return;
  for (; access(stop, F_OK) != 0; note("rounds", 0, 1000000 + ++round)) {
    usleep(1000);
    if (idle) continue;
    shmem_long_atomic_inc(&counter, n - 1);
    CHECK_EQ(shmem_long_atomic_fetch(&counter, n - 1), round + 1);
  }
  for (int pe = 1; pe < n; pe++) shmem_long_p(&end, 1, pe);
}

/* PE 0 says that it begins to wait. */
static void wait_for_last(const char *stop, int me, int n) {
  for (long round = 0; me == 0 && round < 10;) note("rounds", 0, 1000000 + ++round), usleep(100000);
  while (me == n - 1 && access(stop, F_OK) != 0) usleep(1000);
  if (me == n - 1) shmem_long_p(&end, 1, 0);
  if (me == 0) shmem_long_wait_until(&end, SHMEM_CMP_EQ, 1);
}

static void put_once(const char *stop, int me) {
  char put[512];
  snprintf(put, sizeof put, "%s/put", getenv("NOTES"));
  while (me > 0) pause();
  while (access(put, F_OK) != 0) usleep(1000);
  shmem_long_p(&flag, 1, 1);
  shmem_quiet();
  note("rounds", 0, 1000000);
  while (access(stop, F_OK) != 0) shmem_long_test(&end, SHMEM_CMP_EQ, 1), usleep(1000);
}

static bool strict;

static void check_round(long round, int me, int from, int to) {
  const long back = shmem_long_g(&came[5], to);
  if (!strict) return;
  CHECK_EQ(came[0], round * 10 + from);
  CHECK_EQ(came[WORDS - 1], round * 10 + from);
  CHECK_EQ(back, round * 10 + me);
}

int main(int argc, char **argv) {
  char stop[512];
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes(), to = (me + 1) % n, from = (me + n - 1) % n;
  snprintf(stop, sizeof stop, "%s/end", getenv("NOTES"));
  note("pid", me, getpid());
  shmem_barrier_all();
  long round = 0;
  const bool idle = argc > 1 && !strcmp(argv[1], "idle");
  const bool alone = idle || (argc > 1 && !strcmp(argv[1], "alone"));
  strict = argc == 1;
  const bool waits = argc > 1 && !strcmp(argv[1], "waits");
  if (alone) ask_alone(stop, idle, me, n);
  const bool late = argc > 1 && !strcmp(argv[1], "late");
  if (waits) wait_for_last(stop, me, n);
  if (late) put_once(stop, me);
  while (!alone && !waits && !late && !end) {
    round++;
    for (int i = 0; i < WORDS; i++) data[i] = round * 10 + me;
    shmem_putmem(came, data, sizeof data, to); /* by RMA, */
    shmem_long_atomic_inc(&counter, to);       /* as packets, */
    shmem_fence();
    shmem_long_p(&flag, round, to);
    shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
    shmem_quiet();
    check_round(round, me, from, to);
    sum = round;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &sum, 1);
    CHECK(sum == round * n || !strict);
    if (me == 0) {
      end = access(stop, F_OK) == 0;
      note("rounds", 0, 1000000 + round);
    }
    shmem_long_broadcast(SHMEM_TEAM_WORLD, &end, &end, 1, 0);
    usleep(1000);
  }
  if (strict) CHECK_EQ(counter, round);
  shmem_finalize();
  return 0;
}
