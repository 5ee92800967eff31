/*
 * Lends memory of this process to other nodes for a while, as a target of their writes: so large
 * data need not land in the slot and be copied. It is registered at the node's port; only the
 * port's process can do that. This is cheap only where registering does not pin.
 */
#include "rma/rma_internal.h"
#include "trace/trace.h"

enum { PAGE = 4096 };

bool weft_rma_lends(void) { /* of several ports another may write than the one that counts */
  return weft_job.fabric.notes && weft_job.nhelpers == 1;
}

bool weft_rma_lend(weft_lent_t *lent, void *p, size_t n) {
  const weft_job_t *j = &weft_job;
  *lent = (weft_lent_t){0};
  if (!weft_rma_lends()) return false;
  if (weft_window_contains(&j->window, p, n)) {
    lent->addr = weft_job_remote_addr(j->pe, weft_job_offset(p));
    lent->key = weft_job_remote_key(j->pe);
    return true;
  }
  if (!j->port || j->fabric.pins) return false;
  /* From the beginning of its page on: so an offset tells where in a page it lies (post.c). */
  const size_t in_page = (uintptr_t)p % PAGE;
  lent->addr = j->fabric.virtual_addresses ? (uintptr_t)p : in_page;
  lent->key = weft_job_lent_key();
  lent->region = weft_endpoint_lend(j->port, (char *)p - in_page, n + in_page, &lent->key);
  return lent->region;
}

void weft_rma_take_back(weft_lent_t *lent) {
  if (lent->region) weft_endpoint_take_back(weft_job.port, lent->region);
  lent->region = NULL;
}

void weft_rma_put_lent_begin(int pe, const weft_lent_t *to, const void *source, size_t n,
                             uintptr_t word, weft_op_t *op) {
  weft_channel_t *c = &weft_channels[0];
  if (weft_unlikely(weft_peek(&weft_trace_on))) weft_trace_inner(pe, n);
  weft_progress_move(n);
  weft_endpoint_write_note(c->endpoint, weft_job.where[pe].node, source, n, to->addr, to->key,
                           weft_port_note(pe, word), op);
  weft_helper_arm(c);
}
