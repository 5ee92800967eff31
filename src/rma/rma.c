/*
 * Which table the job gets, and the operations for the layers above.
 */
#include <string.h>

#include "rma/rma_internal.h"

/* weft_direct with another PE's displacement is not for internal areas: they are reached by slot
 * offset. */
static struct weft_direct remote; /* the unchecked table for other nodes */

static void choose(void) {
  weft_job_t *j = &weft_job;
  if (j->nnodes == 1) {
    remote = weft_local;
    return;
  }
  weft_wire = (weft_wire_t){.ep = j->endpoint.ep,
                            .inject_write = j->endpoint.ep->rma->inject,
                            .dirty = weft_job_dirty(),
                            .writes = j->endpoint.writes};
  bool counter = j->fabric.completion == WEFT_COMPLETION_COUNTER;
  remote = counter ? weft_plain_counter : weft_plain_flush;
  if (j->region_base || j->region_key) {
    remote = weft_plain_general;
    if (counter) remote.quiet = weft_plain_counter.quiet;
  }
  if (weft_options.coalesce) {
    const struct weft_direct *c = &weft_coalesced;
    remote.p1 = c->p1, remote.p2 = c->p2, remote.p4 = c->p4, remote.p8 = c->p8;
    remote.put = c->put, remote.put_nbi = c->put_nbi;
  }
}

int weft_rma_start(void) {
  choose();
  if (weft_options.check) return weft_check_start(&remote);
  remote.disp = weft_job.disp;
  weft_direct = remote;
  return 0;
}

void weft_rma_stop(void) {
  weft_direct = weft_closed;
}

WEFT_API void weft_direct_store(void *dest, const void *source, size_t n) {
  weft_am_store(dest, source, n);
}

void weft_rma_put(int pe, uintptr_t off, const void *source, size_t n) {
  char *slot = weft_job_slot(pe);
  if (slot)
    weft_am_store(slot + off, source, n);
  else
    remote.put(off, source, n, pe, "collective");
}

void weft_rma_get(int pe, uintptr_t off, void *dest, size_t n) {
  char *slot = weft_job_slot(pe);
  if (slot)
    memcpy(dest, slot + off, n);
  else
    remote.get(off, dest, n, pe, "collective");
}

void weft_rma_tell(int pe, uintptr_t off, uint64_t value) {
  char *slot = weft_job_slot(pe);
  if (slot) {
    weft_publish((uint64_t *)(slot + off), value);
    return;
  }
  weft_endpoint_inject_write(&weft_job.endpoint, weft_job.where[pe].node, &value, sizeof value,
                             weft_job_remote_addr(pe, off), weft_job_remote_key(pe));
  weft_helper_arm();
}

void weft_rma_add(int pe, uintptr_t off, uint64_t value) {
  char *slot = weft_job_slot(pe);
  if (slot)
    weft_am_apply(slot + off, WEFT_AMO_ADD, 8, value, 0);
  else
    remote.amo_post(off, WEFT_AMO_ADD, 8, value, pe, "collective");
}

void weft_rma_fence(void) {
  weft_fence_stores();
  remote.fence();
}

void weft_rma_quiet(void) {
  weft_fence_full();
  remote.quiet();
}
