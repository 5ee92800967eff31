/*
 * WEFT_ON_DEATH=continue: OpenSHMEM's blocking collectives when a member of the team dies in front
 * of one, now and then inside shmem_wait_until: all others get a status, and the same; barriers and
 * allocation go on among the living; a team without the dead works as before. Before that all of
 * them give what they should. `living WHO KIND`.
 */
#include <shmem.h>

#include <signal.h>
#include <stdbool.h>

#include "check.h"

enum { KINDS = 8, N = 3000 };

static long in[N * 8], out[N * 8];
static int me, npes;

static int call(shmem_team_t team, int kind, int root) {
  const size_t size = (size_t)shmem_team_n_pes(team);
  switch (kind) {
  case 0: return shmem_long_sum_reduce(team, out, in, N);
  case 1: return shmem_long_broadcast(team, out, in, N, root);
  case 2: return shmem_long_fcollect(team, out, in, N);
  case 3: return shmem_long_collect(team, out, in, N - (size_t)shmem_team_my_pe(team));
  case 4: return shmem_long_alltoall(team, out, in, N / size);
  case 5: return shmem_long_sum_inscan(team, out, in, N);
  case 6: return shmem_team_sync(team);
  default: return shmem_long_alltoalls(team, out, in, 2, 2, 10);
  }
}

/* Where PEs may fail the operations go another way: it brings the same. */
static void right(shmem_team_t team) {
  const int size = shmem_team_n_pes(team), rank = shmem_team_my_pe(team);
  for (int i = 0; i < N * 8; i++) in[i] = rank + i;
  for (int kind = 0; kind < KINDS; kind++) {
    memset(out, 0, sizeof out);
    shmem_barrier_all();
    CHECK_EQ(call(team, kind, size - 1), 0);
    const long sum = (long)size * (size - 1) / 2;
    if (kind == 0) CHECK_EQ(out[7], sum + 7L * size);
    if (kind == 1) CHECK_EQ(out[7], size - 1 + 7);
    if (kind == 2) CHECK_EQ(out[(size - 1) * N + 7], size - 1 + 7);
    if (kind == 3) CHECK_EQ(out[(size - 1) * N - (size - 1) * (size - 2) / 2 + 7], size - 1 + 7);
    if (kind == 4) CHECK_EQ(out[(size - 1) * (N / size)], size - 1 + rank * (N / size));
    if (kind == 5) CHECK_EQ(out[7], (long)rank * (rank + 1) / 2 + 7L * (rank + 1));
    if (kind == 7) CHECK_EQ(out[2], rank * 20 + 2);
  }
}

/* It dies, by its own hand or while it waits for a word that nobody writes. */
static void die(bool waits, int killer) {
  static int victim;
  static long never;
  if (me == killer && waits) {
    shmem_int_wait_until(&victim, SHMEM_CMP_NE, 0);
    usleep(20000);
    kill(victim, SIGKILL);
  }
  if (me == killer) return;
  if (!waits) kill(getpid(), SIGKILL);
  shmem_int_p(&victim, getpid(), killer);
  shmem_long_wait_until(&never, SHMEM_CMP_NE, 0);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 3);
  shmem_init();
  me = shmem_my_pe(), npes = shmem_n_pes();
  const int who = atoi(argv[1]), kind = atoi(argv[2]);
  shmem_team_t others = SHMEM_TEAM_INVALID, none;
  const int start = who == 0; /* two neighbours that live */
  CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, start, 1, 2, NULL, 0, &others), 0);
  right(SHMEM_TEAM_WORLD);
  if (others != SHMEM_TEAM_INVALID) CHECK_EQ(shmem_long_sum_reduce(others, out, in, N), 0);
  shmem_barrier_all();

  if (me == who || me == start) die(kind % 2 == 0, start);
  CHECK(call(SHMEM_TEAM_WORLD, kind, who) != 0);
  shmem_barrier_all();
  if (others != SHMEM_TEAM_INVALID) {
    out[0] = 0;
    CHECK_EQ(shmem_long_sum_reduce(others, out, in, N), 0);
    CHECK(out[0] > 0);
  }
  long *p = shmem_malloc(1000);
  CHECK(p != NULL);
  const int next = (me + 1) % npes == who ? (me + 2) % npes : (me + 1) % npes;
  shmem_long_p(p, me, next);
  shmem_barrier_all();
  CHECK_EQ(p[0], (me + npes - 1) % npes == who ? (me + npes - 2) % npes : (me + npes - 1) % npes);
  shmem_free(p);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &none) != 0);
  shmem_finalize();
  if (me == start) puts("right");
  return 0;
}
