/*
 * A queue lock between nodes costs three messages an acquisition (request, grant, release) however
 * many wait, and none while they wait: packets that the others' PEs send to the home's port, and
 * answers that the port sends, are counted.
 */
#include <shmem.h>

#include "check.h"
#include "counts.h"
#include "port/port.h"
#include "rma/rma.h"
#include "sync/sync.h"

enum { ROUNDS = 100 };

static uint32_t ticket;
static long lock, arrived, held, sent_by[64], answers[2];

/* Packets of this PE to the node of PE 0, whoever sent them. */
static long sent(void) {
  return (long)weft_stage_of(weft_job.slot, 0, 0)->sent;
}

static void tell(long *word) {
  weft_rma_add(0, at(word), 1);
  weft_rma_quiet();
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  int others = 0; /* PEs of other nodes than the home's, PE 0's */
  for (int pe = 0; pe < npes; pe++) others += weft_job_node_of(pe) != 0;
  CHECK(others > 0 && npes <= 64);

  /* PE 0 has it, all others wait: not a packet more than the request. */
  if (me == 0) CHECK_EQ(weft_qlock_acquire(0, at(&lock)), 0);
  shmem_barrier_all();
  if (weft_job.node != 0) {
    const long before = sent();
    CHECK_EQ(weft_qlock_acquire(0, at(&lock)), 0);
    CHECK(sent() - before <= 1);
    CHECK_EQ(weft_qlock_release(0, at(&lock)), 0);
  }
  if (me == 0) usleep(50000);
  if (me == 0) CHECK_EQ(weft_qlock_release(0, at(&lock)), 0);
  shmem_barrier_all();

  /* A lock of 4 bytes: fewer questions the longer it is held. */
  if (me == 0) CHECK_EQ(weft_ticket_acquire(0, at(&ticket)), 0);
  shmem_barrier_all();
  if (weft_job.node != 0) {
    const long before = sent();
    const uint64_t began = weft_clock_ns();
    CHECK_EQ(weft_ticket_acquire(0, at(&ticket)), 0);
    CHECK(sent() > before); /* they are counted at all */
    CHECK(sent() - before <= 800 * (1 + (long)((weft_clock_ns() - began) / 200000000)));
    CHECK_EQ(weft_ticket_release(0, at(&ticket)), 0);
  }
  if (me == 0) usleep(200000);
  if (me == 0) CHECK_EQ(weft_ticket_release(0, at(&ticket)), 0);
  shmem_barrier_all();

  /* All take turns. */
  answers[0] = (long)weft_server_answers();
  shmem_barrier_all();
  const long begin = sent();
  for (int i = 0; weft_job.node != 0 && i < ROUNDS; i++) {
    CHECK_EQ(weft_qlock_acquire(0, at(&lock)), 0);
    CHECK_EQ(__atomic_add_fetch(&held, 1, __ATOMIC_RELAXED), 1);
    __atomic_sub_fetch(&held, 1, __ATOMIC_RELAXED);
    CHECK_EQ(weft_qlock_release(0, at(&lock)), 0);
  }
  const long mine = sent() - begin;
  if (weft_job.node != 0) {
    weft_rma_put(0, at(&sent_by[me]), &mine, sizeof mine);
    tell(&arrived);
  } else if (me == 0) {
    CHECK_WITHIN(30, __atomic_load_n(&arrived, __ATOMIC_ACQUIRE) == others);
    long all = (long)weft_server_answers() - answers[0];
    for (int pe = 0; pe < npes; pe++) all += sent_by[pe];
    /* What reports the end and the barrier before is in it. */
    const long acquisitions = (long)others * ROUNDS, besides = 8L * others;
    if (all > 3 * acquisitions + besides)
      printf("%ld messages, %ld acquisitions\n", all, acquisitions);
    CHECK(all <= 3 * acquisitions + besides);
    CHECK(all >= 2 * acquisitions); /* they are counted at all */
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
