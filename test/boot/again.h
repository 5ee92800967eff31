/*
 * One life of a job, for tests that begin several in one process: static data move in and out of
 * the window and keep what they hold, and everything that a job has works from scratch.
 */
#ifndef AGAIN_H
#define AGAIN_H

#include "check.h"
#include "coll/coll.h"
#include "job/job.h"
#include "port/port.h"
#include "rma/rma.h"
#include "runtime/runtime.h"
#include "sync/sync.h"

static long kept = 17, mailbox[64], count, lock;

static void one_life(int life) {
  weft_runtime_start("again");
  const int me = weft_job_pe(), npes = weft_job_npes(), next = (me + 1) % npes;
  CHECK_EQ(kept, 17 + life);
  memset(mailbox, 0, sizeof mailbox);
  count = lock = 0;
  weft_coll_sync(weft_team_world());
  for (int pe = 0; pe < npes; pe++) {
    const long value = 100 * life + me;
    weft_rma_put(pe, weft_job_offset(&mailbox[me]), &value, sizeof value);
    weft_rma_add(pe, weft_job_offset(&count), 1);
  }
  weft_rma_quiet();
  weft_coll_sync(weft_team_world());
  for (int pe = 0; pe < npes; pe++) CHECK_EQ(mailbox[pe], 100 * life + pe);
  CHECK_EQ(count, npes);
  long *heap = weft_symmetric_alloc(64, 1 << 20, "again");
  CHECK(heap != NULL);
  memset(heap, life, 1 << 20);
  const uintptr_t off = weft_private_alloc_on(next, 64, 1000);
  CHECK(off != 0);
  CHECK_EQ(weft_qlock_acquire(0, weft_job_offset(&lock)), 0);
  CHECK_EQ(weft_qlock_release(0, weft_job_offset(&lock)), 0);
  weft_mail_start();
  weft_coll_sync(weft_team_world());
  weft_mail_send(next, 5, &life, sizeof life);
  int got = -1;
  weft_mail_receive(-1, 5, &got, sizeof got, NULL);
  CHECK_EQ(got, life);
  CHECK_EQ(weft_private_free_on(next, off), 0);
  if (life % 2) weft_symmetric_free(heap, "again"); /* or it goes with the job */
  kept++;
  weft_runtime_stop();
  weft_runtime_end();
  CHECK(!weft_job.started);
  CHECK_EQ(kept, 18 + life);
}

#endif
