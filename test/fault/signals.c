/*
 * A signal whose handler is not to restart system calls comes every millisecond, to whichever
 * thread, before init, in every kind of call, and in finalize: nothing fails for it, nothing is
 * done twice.
 */
#include <shmem.h>
#include <stdbool.h>
#include <time.h>

#include "check.h"

enum { ROUNDS = 30, ROUNDS_MAX = 3000, WORDS = 20000 };

static long word, counter, flag, data[WORDS], came[WORDS], sums[2], lock;
static uint64_t sig;
static volatile sig_atomic_t signals;

static void handler(int number) {
  (void)number;
  signals++;
}

static void begin(void) {
  const struct sigaction action = {.sa_handler = handler}; /* no SA_RESTART */
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  const struct itimerspec every = {.it_interval = {.tv_nsec = 1000000},
                                   .it_value = {.tv_nsec = 1000000}};
  timer_t timer;
  CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
  CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  CHECK(timer_settime(timer, 0, &every, NULL) == 0);
}

static void move(long round, int me, int to, int from) {
  static long back[WORDS];
  for (int i = 0; i < WORDS; i++) data[i] = round * 1000 + me;
  shmem_long_put(came, data, WORDS, to);
  shmem_long_put_nbi(&came[1], &data[1], 100, to);
  shmem_long_iput(&came[200], data, 3, 1, 100, to);
  shmem_fence();
  shmem_long_atomic_inc(&counter, to);
  CHECK(shmem_long_atomic_fetch_add(&word, 1, to) == round - 1);
  shmem_quiet();
  shmem_long_put_signal(&came[1000], data, 500, &sig, (uint64_t)round, SHMEM_SIGNAL_SET, to);
  shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, (uint64_t)round);
  shmem_barrier_all();
  for (int i = 0; i < WORDS; i++) CHECK(came[i] == round * 1000 + from);
  shmem_long_get(back, came, WORDS, to);
  CHECK(back[WORDS - 1] == round * 1000 + me && back[0] == back[1]);
  shmem_long_p(&flag, round, to);
  shmem_long_wait_until(&flag, SHMEM_CMP_EQ, round);
}

static void together(long round, int me, int n) {
  sums[0] = me + round;
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sums[1], &sums[0], 1);
  CHECK_EQ(sums[1], (long)n * (n - 1) / 2 + n * round);
  shmem_long_broadcast(SHMEM_TEAM_WORLD, came, data, 100, (int)round % n);
  CHECK_EQ(came[99], round * 1000 + round % n);
  long *piece = shmem_malloc(100000);
  CHECK(piece != NULL);
  shmem_set_lock(&lock);
  shmem_long_p(piece, shmem_long_g(piece, 0) + 1, 0);
  shmem_quiet();
  shmem_clear_lock(&lock);
  shmem_free(piece);
  shmem_team_t team;
  CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team), 0);
  shmem_team_sync(team);
  shmem_team_destroy(team);
  shmem_ctx_t ctx;
  if (round < 4 && shmem_ctx_create(0, &ctx) == 0) {
    shmem_ctx_long_put(ctx, &came[50], data, 50, (me + 1) % n);
    shmem_ctx_quiet(ctx);
    shmem_ctx_destroy(ctx);
  }
  shmem_barrier_all();
}

/* On a quick machine thirty rounds are over before some PE had its signals. */
static bool any_had_few(void) {
  static int few, sum;
  few = signals <= 5;
  shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &sum, &few, 1);
  return sum > 0;
}

int main(void) {
  begin();
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  long round = 0;
  do {
    round++;
    move(round, me, (me + 1) % n, (me + n - 1) % n);
    together(round, me, n);
  } while (round < ROUNDS || (round < ROUNDS_MAX && any_had_few()));
  CHECK(!any_had_few());
  CHECK_EQ(counter, round);
  shmem_finalize();
  return 0;
}
