/*
 * shmem_fence between nodes is order, not a round trip: it returns while the target is stopped, and
 * what comes after it, by whatever way, is not seen before what was put ahead of it. The target
 * looks at its memory without a call, so its helper serves.
 */
#include <shmem.h>

#include <sched.h>
#include <signal.h>
#include <stdio.h>

#include "check.h"
#include "port/port.h"

enum { LARGE = 12288 /* a write */, BURST = 100, ROUNDS = 60, WAYS = 6 };

static long pids[2], data[BURST], flag, seen, large[LARGE];
static uint64_t sig;

/* Both puts leave, and neither is answered: the process with the port is stopped. */
static void fence_while_stopped(int other) {
  const weft_channel_t *c = &weft_channels[0];
  shmem_quiet();
  weft_check_stop_process(pids[1]);
  shmem_long_p(&data[0], -1, other);
  shmem_fence();
  shmem_long_p(&flag, -1, other);
  shmem_fence();
  CHECK(weft_stage_busy(c));
  CHECK(!weft_stage_staged(c));
  CHECK_EQ(kill((pid_t)pids[1], SIGCONT), 0);
}

/* The last word of what it puts is what the target waits for. */
static void put(int way, long round, int other) {
  static long source[LARGE];
  for (int i = 0; i < LARGE; i++) source[i] = round;
  if (way == 5) { /* the large one comes first */
    shmem_long_put_nbi(large, source, LARGE, other);
  } else {
    for (int i = 0; i < (way == 4 ? BURST : 1); i++) shmem_long_p(&data[i], round, other);
  }
  shmem_fence();
  switch (way) {
  case 0: shmem_long_put(large, source, LARGE, other); break;
  case 1: shmem_long_put_nbi(large, source, LARGE, other); break;
  case 2: shmem_long_iput(large, source, 1, 1, LARGE, other); break;
  case 3:
    shmem_long_put_signal(large, source, LARGE, &sig, (uint64_t)round, SHMEM_SIGNAL_SET, other);
    break;
  default: shmem_long_p(&flag, round, other);
  }
}

static void look(int way, long round) {
  const long *word = way < 4 ? &large[LARGE - 1] : &flag;
  for (long looks = 0; weft_observe(word) != round; looks++)
    if (looks % 64 == 0) sched_yield();
  for (int i = 0; way < 5 && i < (way == 4 ? BURST : 1); i++) CHECK_EQ(weft_peek(&data[i]), round);
  for (int i = 0; way == 5 && i < LARGE; i++) CHECK_EQ(weft_peek(&large[i]), round);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), other = shmem_n_pes() - 1;
  const int server = weft_job_leader(weft_job_node_of(other)); /* its process has the port */
  if (me == 0 || me == server) shmem_long_p(&pids[me == server], getpid(), 0);
  shmem_barrier_all();
  if (me == 0) fence_while_stopped(other);
  shmem_barrier_all();
  if (me == other) CHECK(data[0] == -1 && flag == -1);
  shmem_barrier_all();
  for (long round = 1; round <= ROUNDS * WAYS; round++) {
    if (me == 0) {
      put((int)(round % WAYS), round, other);
      shmem_long_wait_until(&seen, SHMEM_CMP_EQ, round);
    } else if (me == other) {
      look((int)(round % WAYS), round);
      shmem_long_p(&seen, round, 0);
    }
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
