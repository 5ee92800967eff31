/*
 * Locks of 4 bytes (src/sync/ticket.c): mutual exclusion on words of every PE, first come first
 * served, also where the tickets go round, and what a PE may not do twice or without having it.
 */
#include <errno.h>
#include <shmem.h>

#include "check.h"
#include "counts.h"
#include "job/job.h"
#include "rma/rma.h"
#include "runtime/runtime.h"
#include "sync/sync.h"

enum { PES = 16 };
/* The next tickets are 65533, 65534, 65535, 0, ... */
#define NEARLY_ROUND 0xfffdfffdu

static uint32_t locks[2] = {0, NEARLY_ROUND}, queue = NEARLY_ROUND; /* symmetric */
static long counts[2], order[PES], turn;
static const lock_kind_t kind = {weft_ticket_acquire, weft_ticket_try, weft_ticket_release};

/* PE 0 has the lock; PE i queues up when i others have a ticket. */
static void in_order(int me, int npes) {
  const uint32_t first = NEARLY_ROUND >> 16;
  if (me == 0) CHECK_EQ(weft_ticket_acquire(0, at(&queue)), 0);
  shmem_barrier_all();
  const uint32_t want = (uint32_t)(me ? me : npes);
  for (uint32_t word = NEARLY_ROUND; ((word >> 16) - first) % 65536 != want;)
    word = (uint32_t)weft_rma_amo(0, at(&queue), WEFT_AMO_FETCH, sizeof word, 0, 0);
  if (me) CHECK_EQ(weft_ticket_acquire(0, at(&queue)), 0);
  const long place = shmem_long_atomic_fetch_inc(&turn, 0);
  shmem_long_p(&order[place], me, 0);
  shmem_quiet();
  CHECK_EQ(weft_ticket_release(0, at(&queue)), 0);
  shmem_barrier_all();
  for (int i = 0; me == 0 && i < npes; i++) CHECK_EQ(order[i], i);
}

static void mistakes(int me, int npes) {
  const int home = (me + 1) % npes; /* its own lock of each PE */
  shmem_barrier_all();
  CHECK_EQ(weft_ticket_release(home, at(&locks[0])), -EPERM);
  CHECK_EQ(weft_ticket_try(home, at(&locks[0])), 0);
  CHECK_EQ(weft_ticket_acquire(home, at(&locks[0])), -EDEADLK);
  CHECK_EQ(weft_ticket_try(home, at(&locks[0])), -EBUSY);
  shmem_barrier_all();
  if (npes > 1) CHECK_EQ(weft_ticket_try(me, at(&locks[0])), -EBUSY);
  shmem_barrier_all();
  CHECK_EQ(weft_ticket_release(home, at(&locks[0])), 0);
  CHECK_EQ(weft_ticket_release(home, at(&locks[0])), -EPERM);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  CHECK(npes <= PES);
  exclude(&kind, at(&locks[0]), at(&locks[1]), counts);
  in_order(me, npes);
  mistakes(me, npes);
  shmem_finalize();
  return 0;
}
