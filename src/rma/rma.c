/*
 * Which table the job gets, and the operations for the layers above.
 */
#include <string.h>

#include "rma/rma_internal.h"
#include "trace/trace.h"

/* weft_direct with another PE's displacement is not for internal areas: they are reached by slot
 * offset. */
static struct weft_direct remote; /* the unchecked table for other nodes */

/* Scalars of the default context. */
static void set_scalars(struct weft_direct *table, const struct weft_direct *from) {
  weft_poke(&table->p1, from->p1);
  weft_poke(&table->p2, from->p2);
  weft_poke(&table->p4, from->p4);
  weft_poke(&table->p8, from->p8);
}

static const struct weft_direct *plain_table(void) {
  const weft_job_t *j = &weft_job;
  const bool general = j->region_base;
  if (j->fabric.completion != WEFT_COMPLETION_FLUSH)
    return general ? &weft_plain_general_counter : &weft_plain_counter;
  return general ? &weft_plain_general_flush : &weft_plain_flush;
}

static void choose(void) {
  weft_job_t *j = &weft_job;
  if (j->nnodes == 1) {
    remote = weft_local;
    return;
  }
  /* The endpoint, and its counter, outlive the last front end. */
  weft_wire = (weft_wire_t){.ep = j->endpoint.ep,
                            .injected = weft_wire.injected,
                            .inject_write = j->endpoint.inject_write,
                            .where = j->where,
                            .dirty = weft_channels[0].dirty,
                            .writes = j->endpoint.writes,
                            .readmsg = j->endpoint.ep->rma->readmsg};
  weft_quiet_start();
  remote = *plain_table();
  remote.put = weft_coalesced.put, remote.put_nbi = weft_coalesced.put_nbi;
  remote.put_signal = weft_coalesced.put_signal, remote.get_nbi = weft_coalesced.get_nbi;
  remote.get = weft_coalesced.get;
  if (weft_options.coalesce) set_scalars(&remote, &weft_coalesced);
}

int weft_rma_start(void) {
  choose();
  if (weft_options.check) return weft_check_start(&remote);
  remote.disp = remote.amo_disp = weft_job.disp;
  weft_direct = remote;
  return weft_turns_start(&weft_direct, &remote);
}

int weft_rma_record(void) {
  int rc = weft_options.check ? 0 : weft_check_start(&remote);
  if (rc == 0) weft_record_start();
  return rc;
}

void weft_rma_session(long on, bool begins) {
  weft_channel_session(weft_channel_of(on), begins);
  if (weft_job.nnodes == 1 || weft_options.coalesce || weft_channel_of(on) != &weft_channels[0])
    return;
  const struct weft_direct *scalars =
      weft_channels[0].sessions > 0 ? &weft_coalesced : plain_table();
  set_scalars(&remote, scalars);
  if (weft_direct.put == remote.put)
    set_scalars(&weft_direct, scalars); /* nothing stands between */
}

void weft_rma_stop(void) {
  weft_direct = weft_closed;
  weft_direct.disp = weft_direct.amo_disp = weft_closed_table();
}

void weft_rma_end(void) {
  weft_wire.injected = 0;
  weft_check_stop();
  weft_turns_end();
}

WEFT_API void weft_direct_store(void *dest, const void *source, size_t n) {
  weft_data_store(dest, source, n);
}

void weft_rma_put(int pe, uintptr_t off, const void *source, size_t n) {
  char *slot = weft_job_slot(pe);
  if (weft_unlikely(weft_peek(&weft_trace_on))) weft_trace_inner(pe, n);
  if (slot)
    weft_data_store(slot + off, source, n);
  else
    remote.put(off, source, n, pe, "collective");
}

void weft_rma_get(int pe, uintptr_t off, void *dest, size_t n) {
  char *slot = weft_job_slot(pe);
  if (weft_unlikely(weft_peek(&weft_trace_on))) weft_trace_inner(pe, n);
  if (slot)
    weft_direct_fetch(dest, slot + off, n);
  else
    remote.get(off, dest, n, pe, "collective");
}

void weft_rma_tell(int pe, uintptr_t off, uint64_t value) {
  char *slot = weft_job_slot(pe);
  if (slot) {
    weft_publish((uint64_t *)(slot + off), value);
    return;
  }
  /* A provider may store a word twice. Where another port may have stored a newer value in between,
   * the port does it itself, once. */
  if (weft_unlikely(weft_job_helpers() > 1)) {
    weft_stage_post_now(&weft_channels[0], pe, off, WEFT_AMO_SET, sizeof value, value);
    return;
  }
  weft_endpoint_inject_write(&weft_job.endpoint, weft_job.where[pe].node, &value, sizeof value,
                             weft_job_remote_addr(pe, off), weft_job_remote_key(pe));
  weft_helper_arm(&weft_channels[0]);
}

void weft_rma_store_word(int pe, uintptr_t off, uint64_t value, size_t width) {
  weft_stage_put_word(&weft_channels[0], pe, off, value, width);
}

uint64_t weft_rma_load_word(int pe, uintptr_t off, size_t width) {
  uint64_t value = 0;
  weft_op_t op = {0};
  weft_stage_get(&weft_channels[0], pe, off, &value, width, &op, true);
  weft_op_wait_on(&weft_channels[0], &op);
  return value;
}

void weft_rma_put_add(int pe, uintptr_t off, const void *source, size_t n, uintptr_t flag,
                      uint64_t value) {
  char *slot = weft_job_slot(pe);
  if (weft_unlikely(weft_peek(&weft_trace_on))) weft_trace_inner(pe, n + sizeof value);
  if (slot) {
    weft_data_store(slot + off, source, n);
    weft_data_apply(slot + flag, WEFT_AMO_ADD, 8, value, 0);
  } else {
    remote.put_signal(off, source, n, flag, WEFT_AMO_ADD, value, 0, pe, "collective");
  }
}

/* Where writes bring no notes the count follows as a record. */
void weft_rma_put_count_begin(int pe, uintptr_t off, const void *source, size_t n, uintptr_t word,
                              weft_op_t *op) {
  if (weft_job_slot(pe) || !weft_job.fabric.notes) {
    weft_rma_put_add(pe, off, source, n, word, 1);
    return;
  }
  const weft_lent_t to = {.addr = weft_job_remote_addr(pe, off), .key = weft_job_remote_key(pe)};
  weft_rma_put_lent_begin(pe, &to, source, n, word, op);
}

void weft_rma_put_count(int pe, uintptr_t off, const void *source, size_t n, uintptr_t word) {
  weft_op_t op = {0};
  weft_rma_put_count_begin(pe, off, source, n, word, &op);
  weft_op_wait_on(&weft_channels[0], &op);
}

bool weft_rma_joins(size_t nhead, size_t n) {
  /* Below LEAST bytes a copy takes no longer than a second place; larger writes may leave in parts,
   * for where they lie (weft_endpoint_apart). */
  enum { LEAST = 1024, MOST = 65536 };
  return n >= LEAST && nhead + n < MOST && weft_job.fabric.notes && weft_job.fabric.joins &&
         nhead + n > weft_job.endpoint.inject_max && nhead + n <= weft_job.fabric.rma_max;
}

void weft_rma_put_count_joined(int pe, uintptr_t off, const void *head, size_t nhead,
                               const void *source, size_t n, uintptr_t word, weft_op_t *op) {
  weft_channel_t *c = &weft_channels[0];
  const struct iovec from[2] = {{(void *)(uintptr_t)head, nhead}, {(void *)(uintptr_t)source, n}};
  if (weft_unlikely(weft_peek(&weft_trace_on))) weft_trace_inner(pe, nhead + n);
  weft_progress_move(nhead + n);
  weft_endpoint_write_note_joined(c->endpoint, weft_job.where[pe].node, from,
                                  weft_job_remote_addr(pe, off), weft_job_remote_key(pe),
                                  weft_port_note(pe, word), op);
  weft_helper_arm(c);
}

/* A look for answers keeps the stream going: its PE may wait for nothing. */
bool weft_rma_put_count_gather(int pe, uintptr_t off, const void *source, size_t n,
                               uintptr_t word) {
  weft_channel_t *c = &weft_channels[0];
  if (weft_job_slot(pe) || n > weft_peek(&c->small_max)) return false;
  if (weft_unlikely(weft_peek(&weft_trace_on))) weft_trace_inner(pe, n);
  weft_stage_put_signal(c, pe, off, source, n, word, WEFT_AMO_ADD, 1, WEFT_SEND_FIRST);
  weft_progress_network();
  return true;
}

void weft_rma_add(int pe, uintptr_t off, uint64_t value) {
  char *slot = weft_job_slot(pe);
  if (weft_unlikely(weft_peek(&weft_trace_on))) weft_trace_inner(pe, sizeof value);
  if (slot)
    weft_data_apply(slot + off, WEFT_AMO_ADD, 8, value, 0);
  else
    remote.amo_post(off, WEFT_AMO_ADD, 8, value, pe, "collective");
}

void weft_rma_quiet(void) {
  weft_fence_full();
  remote.quiet();
}

void weft_rma_quiet_on(long on) {
  weft_fence_full();
  remote.quiet_on(on);
}

long weft_rma_context_open(uint32_t number) {
  return (long)number << 40 | (long)weft_channel_acquire()->number << 32;
}

void weft_rma_context_close(long on) {
  weft_channel_release(weft_channel_of(on));
}
