/*
 * WEFT_ON_DEATH=continue: PEs are killed, or say that they have failed, in every kind of wait; the
 * others learn it, their waits return with a status, meetings agree, locks of the dead are given
 * back, and the job ends well. `deaths HOW WHO`: WHO fails (the PE with its node's port or not),
 * HOW: kill, or word.
 */
#include <signal.h>

#include "check.h"
#include "coll/coll.h"
#include "counts.h"
#include "job/job.h"
#include "port/port.h"
#include "rma/rma.h"
#include "runtime/runtime.h"
#include "sync/sync.h"

static long lock, event, flag, cells[64];
static char bulk[65536];
static int me, npes, who;
static bool by_word;

static void die(void) {
  if (by_word) weft_alive_fail();
  kill(getpid(), SIGKILL);
}

static int living(void) {
  int n = 0;
  for (int pe = 0; pe < npes; pe++) n += weft_job_state(pe) == WEFT_RUNNING;
  return n;
}

/* The lowest PE that will live; the lock's words are there. */
static int first(void) {
  return who == 0;
}

/* Takes longer than its PE lives. */
static uint64_t sleep_long(int from, const void *data, size_t n, void *reply, size_t *reply_n) {
  (void)from, (void)data, (void)n, (void)reply, (void)reply_n;
  sleep(3);
  return 1;
}

/* What is under way to it while it dies comes to an end: puts, gets, atomics, calls. */
static void keep_busy_with(int pe) {
  static char mine[sizeof bulk];
  do {
    weft_rma_put(pe, at(bulk), mine, sizeof mine);
    weft_rma_add(pe, at(&cells[41]), 1);
    weft_rma_quiet();
    weft_rma_get(pe, at(bulk), mine, sizeof mine);
    weft_rma_amo(pe, at(&cells[41]), WEFT_AMO_FETCH, 8, 0, 0);
    weft_qlock_holder(pe, at(&lock));
  } while (!weft_job_has_failed(pe));
}

/* A lock of the dead goes round as long as another PE of its node is there. */
static void share_lock_of(int pe, int home) {
  static uint64_t kept;
  for (int i = 0; i < 20; i++) {
    CHECK_EQ(weft_qlock_acquire(pe, at(&kept)), 0);
    weft_rma_get(home, at(&cells[50]), &cells[51], sizeof *cells);
    cells[51]++;
    weft_rma_put(home, at(&cells[50]), &cells[51], sizeof *cells);
    weft_rma_quiet();
    CHECK_EQ(weft_qlock_release(pe, at(&kept)), 0);
  }
}

/* Data between them, meetings one after the other. */
static void living_go_on(weft_meeting_t *meeting) {
  for (long round = 1; round <= 20; round++) {
    for (int pe = 0; pe < npes; pe++) {
      if (weft_job_has_failed(pe)) continue;
      weft_rma_put(pe, at(&cells[1 + me]), &round, sizeof round);
    }
    weft_rma_quiet();
    CHECK_EQ(weft_alive_meet(meeting).failed, 1);
    for (int pe = 0; pe < npes; pe++)
      if (!weft_job_has_failed(pe)) CHECK_EQ(cells[1 + pe], round);
    weft_alive_meet(meeting);
  }
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 3);
  weft_runtime_start("deaths");
  me = weft_job_pe(), npes = weft_job_npes(), who = atoi(argv[2]) % npes;
  by_word = strcmp(argv[1], "word") == 0;
  CHECK(weft_job_goes_on());
  const weft_set_t all = {.start = 0, .stride = 1, .size = npes};
  weft_meeting_t meeting = {.set = &all, .key = 7};
  uint32_t changes = weft_job_changes();
  weft_outcome_t seen = weft_alive_meet(&meeting);
  CHECK(seen.failed == 0 && seen.stopped == 0);

  weft_owner_register(0, sleep_long);
  if (me == who) weft_owner_serve();
  weft_alive_meet(&meeting);

  /* It dies with the lock, while others wait for the lock, an event, a flag, an answer of its
   * process, the end of what they have begun there, a meeting. */
  const int home = first();
  if (me == who) {
    CHECK_EQ(weft_qlock_acquire(home, at(&lock)), 0);
    for (int pe = 0; pe < npes; pe++) weft_rma_add(pe, at(&flag), 1);
    weft_rma_quiet();
    usleep(100000);
    die();
  }
  WEFT_WAIT_ON(NULL, __atomic_load_n(&flag, __ATOMIC_ACQUIRE));
  if (me == (who + 1) % npes) {
    CHECK_EQ(weft_owner_call(who, 0, NULL, 0, NULL, 0), WEFT_NO_RESULT);
  } else if (me % 2 == 0) {
    CHECK_EQ(weft_event_wait_unless(at(&event), 1, &changes), -EINTR);
    CHECK(weft_job_has_failed(who));
  } else {
    keep_busy_with(who);
  }
  int rc = weft_qlock_acquire(home, at(&lock));
  CHECK(rc == 0 || rc == -EOWNERDEAD);
  if (rc == -EOWNERDEAD) {
    const long one = 1;
    weft_rma_put(home, at(&cells[0]), &one, sizeof one);
    weft_rma_quiet();
  }
  CHECK_EQ(weft_qlock_release(home, at(&lock)), 0);
  WEFT_WAIT_ON(NULL, living() != npes);
  seen = weft_alive_meet(&meeting);
  CHECK(seen.failed == 1 && seen.stopped == 0);
  CHECK(weft_job_has_failed(who));
  CHECK_EQ(living(), npes - 1);
  if (me == home) CHECK_EQ(cells[0], 1); /* one of them has it from the dead */
  if (me == home) CHECK_EQ(lock, 0);

  living_go_on(&meeting);
  share_lock_of(who, home);
  CHECK_EQ(weft_alive_meet(&meeting).failed, 1);
  if (me == home) CHECK_EQ(cells[50], 20 * (npes - 1));

  /* What is sent to the dead stops nobody. */
  for (int i = 0; i < 200; i++) weft_rma_add(who, at(&cells[40]), 1);
  weft_rma_quiet();
  CHECK_EQ(weft_alive_meet(&meeting).failed, 1);
  if (me == home) puts("right");
  weft_runtime_stop();
  return 0;
}
