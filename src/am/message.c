/*
 * Sending active messages: into the inbox of a PE of this node, or as records of a lane towards
 * another node. A lane sends at once while few of its packets are under way, and gathers otherwise.
 */
#include "am/am.h"

#include "am/am_internal.h"

enum {
  UNDER_WAY = 2 /* packets to a node; then the lane gathers */
};

/* What is left of a packet, for the largest number of arguments; not more than the receiver's
 * buffers hold. */
static size_t medium_away(void) {
  const size_t around = sizeof(weft_packet_t) + sizeof(weft_record_t) +
                        sizeof(weft_wire_message_t) + 4 * WEFT_AM_ARGS_MAX;
  const size_t room = (weft_ports.piece_bytes - around) & ~(size_t)63;
  return room < WEFT_INBOX_LARGE ? room : WEFT_INBOX_LARGE;
}

/* Straight over TCP a write and a message behind it take longer than to copy 64 KB twice. */
size_t weft_am_packed(void) {
  enum { SOME = 4096, MOST = 65536 };
  const size_t room = medium_away() - weft_stage_put_bytes(0), some = room < SOME ? room : SOME;
  const size_t most = weft_job.fabric.large_in_order ? weft_ports.buffer_bytes / 3 : 0;
  return most < some ? some : most < MOST ? most : MOST;
}

static bool mortal; /* PEs may fail while the job goes on */

static bool is_gone(int slot) {
  return weft_job_state(weft_job.local[slot]) == WEFT_FAILED;
}

static int mend(void) {
  return weft_job_changes() > 0 ? weft_inbox_mend(is_gone) : 0;
}

int weft_am_open(void) {
  const bool again = weft_inbox_is_open();
  int rc = weft_inbox_open();
  if (rc < 0 || again) return rc;
  mortal = weft_job_goes_on();
  if (mortal) weft_progress_add(mend);
  if (weft_job.nnodes > 1) weft_channels_open_lanes();
  return 0;
}

static uintptr_t place(const weft_message_t *m, int pe) {
  return weft_inbox_dest(m->handler, pe, m->dest);
}

void weft_am_settle(void) {
  for (int i = 0; weft_job.nnodes > 1 && i < WEFT_LANES; i++)
    weft_stage_settle(&weft_channels[WEFT_LANE + i]);
}

void weft_am_close(void) {
  if (weft_job.nnodes > 1) {
    for (int i = 0; i < WEFT_LANES; i++) weft_stage_flush(&weft_channels[WEFT_LANE + i]);
    weft_channels_close_lanes();
  }
  weft_inbox_close();
}

void weft_am_register(int index, weft_am_handler_t handler) {
  weft_inbox_register(index, handler);
}

size_t weft_am_max_medium(int pe) {
  const bool here = pe < 0 ? weft_job.nnodes == 1 : weft_job.where[pe].node == weft_job.node;
  return here ? WEFT_INBOX_LARGE : medium_away();
}

size_t weft_am_max_long(void) {
  return (size_t)1 << 31;
}

void *weft_am_buffer(bool reply, size_t n, unsigned flags) {
  uint64_t name;
  void *buffer;
  const enum weft_lane lane = reply ? WEFT_REPLIES : WEFT_REQUESTS;
  WEFT_WAIT_UNTIL((buffer = weft_pool_take(lane, -1, n, &name)) || flags & WEFT_AM_IMMEDIATE);
  return buffer;
}

void weft_am_buffer_free(void *buffer) {
  weft_pool_give_back(weft_pool_name(buffer));
}

/* ---- on this node ---------------------------------------------------------------------------- */

static int send_here(int slot, enum weft_lane lane, weft_message_t *m, unsigned flags) {
  const bool own = flags & WEFT_AM_BUFFER, immediate = flags & WEFT_AM_IMMEDIATE;
  if (m->category == WEFT_AM_LONG && m->n) {
    m->at = (void *)place(m, weft_job.local[slot]);
    m->once = immediate; /* one that is refused has done nothing */
  }
  if (own && m->category == WEFT_AM_MEDIUM) m->buffer = weft_pool_name(m->payload);
  bool posted;
  WEFT_WAIT_UNTIL((posted = weft_inbox_post(slot, lane, false, m)) || immediate);
  if (!posted) {
    if (m->buffer && !own) weft_pool_give_back(m->buffer);
    return 1;
  }
  if (own && m->category == WEFT_AM_LONG) weft_am_buffer_free((void *)(uintptr_t)m->payload);
  return 0;
}

/* ---- to another node ------------------------------------------------------------------------- */

static size_t message_bytes(const weft_message_t *m) {
  const size_t payload = m->category == WEFT_AM_MEDIUM ? m->n : 0;
  return sizeof(weft_wire_message_t) + ((size_t)m->nargs + 1) / 2 * 8 + (payload + 7) / 8 * 8;
}

static void write_message(weft_record_t *r, int slot, const weft_message_t *m, size_t bytes) {
  weft_wire_message_t *wire = (weft_wire_message_t *)(r + 1);
  int32_t *args = (int32_t *)(wire + 1);
  *r = (weft_record_t){.off = m->dest,
                       .slot = (uint16_t)slot,
                       .kind = WEFT_RECORD_MESSAGE,
                       .op = (uint8_t)m->handler,
                       .len = (uint32_t)bytes};
  *wire = (weft_wire_message_t){
      .category = (uint8_t)m->category, .nargs = (uint8_t)m->nargs, .n = (uint32_t)m->n};
  for (int i = 0; i < m->nargs; i++) args[i] = m->args[i];
  if (m->category == WEFT_AM_MEDIUM && m->n)
    weft_direct_memcpy(args + (m->nargs + 1) / 2 * 2, m->payload, m->n);
}

/* Where the provider does not keep messages behind writes: until the payload is there. With the
 * stage's lock, so only completions are looked at. */
static void deliver(weft_channel_t *c, int pe, uintptr_t off, const char *source, size_t n) {
  weft_endpoint_t *e = c->endpoint;
  weft_op_t op = {0};
  const uint64_t node = weft_job.where[pe].node, addr = weft_job_remote_addr(pe, off);
  weft_endpoint_deliver(e, node, source, n, addr, weft_job_remote_key(pe), &op);
  while (!weft_op_is_done(&op)) weft_endpoint_poll_or_yield(e);
}

/* The record is written: its packet leaves now, or gathers more. Unlocks. */
static void close_message(weft_channel_t *c, int node, bool now, bool may_wait) {
  weft_stage_t *stage = &c->stages[node];
  const int under_way = weft_stage_under_way(stage);
  const unsigned how = (under_way > 0 ? WEFT_SEND_ASK : 0) | (may_wait ? 0 : WEFT_SEND_TRY);
  if (now || under_way < UNDER_WAY) weft_stage_send(c->head, stage, node, c->endpoint, how);
  weft_unlock(&stage->lock);
}

/* A LONG's payload is written by RMA, and the message travels behind it. Until the payload has
 * left, nothing but `op` knows. Who takes answers does not wait for the lock until then. */
static int send_behind_write(weft_channel_t *c, int pe, weft_message_t *m, unsigned flags,
                             weft_op_t *op) {
  const weft_where_t to = weft_job.where[pe];
  const uintptr_t off = place(m, pe);
  const size_t bytes = message_bytes(m);
  weft_record_t *r;
  WEFT_WAIT_UNTIL((r = weft_stage_try_record(c, to.node, sizeof *r + bytes)) ||
                  flags & WEFT_AM_IMMEDIATE);
  if (!r) return 1;
  weft_poke(&c->stages[to.node].stuck, true);
  if (c->endpoint->fabric->ordered_writes)
    weft_endpoint_write(c->endpoint, to.node, m->payload, m->n, weft_job_remote_addr(pe, off),
                        weft_job_remote_key(pe), op);
  else
    deliver(c, pe, off, m->payload, m->n);
  weft_poke(&c->stages[to.node].stuck, false);
  write_message(r, to.slot, m, bytes);
  close_message(c, to.node, true, true);
  return 0;
}

static int send_packed(weft_channel_t *c, int pe, weft_message_t *m, unsigned flags) {
  const weft_where_t to = weft_job.where[pe];
  const bool immediate = flags & WEFT_AM_IMMEDIATE, payload = m->category == WEFT_AM_LONG && m->n;
  const size_t bytes = message_bytes(m), put = payload ? weft_stage_put_bytes(m->n) : 0;
  weft_record_t *r;
  WEFT_WAIT_UNTIL((r = weft_stage_try_record(c, to.node, put + sizeof *r + bytes)) || immediate);
  if (!r) return 1;
  if (payload) r = weft_stage_write_put(r, to.slot, place(m, pe), m->payload, m->n);
  write_message(r, to.slot, m, bytes);
  close_message(c, to.node, false, !immediate);
  return 0;
}

static int send_away(int pe, enum weft_lane lane, weft_message_t *m, unsigned flags,
                     weft_op_t *lc) {
  weft_channel_t *c = &weft_channels[WEFT_LANE + (int)lane];
  weft_op_t op = {0};
  const bool write = m->category == WEFT_AM_LONG && m->n > weft_am_packed(),
             wait = !lc || flags & WEFT_AM_BUFFER;
  if (write && !wait) weft_progress_post(m->n);
  int rc =
      write ? send_behind_write(c, pe, m, flags, wait ? &op : lc) : send_packed(c, pe, m, flags);
  if (rc == 0 && write && wait) weft_op_wait_on(c, &op);
  if (rc == 0 && flags & WEFT_AM_BUFFER) weft_am_buffer_free((void *)(uintptr_t)m->payload);
  return rc;
}

/* Send what gathered in the lanes while packets were under way, if their answers came; how many
 * packets. */
static int flush_lanes(void) {
  int n = 0;
  for (int i = 0; i < WEFT_LANES; i++) {
    weft_channel_t *c = &weft_channels[WEFT_LANE + i];
    for (int w = 0; w < c->words; w++) {
      for (uint64_t open = weft_observe(&c->open[w]); open; open &= open - 1) {
        const int node = w * 64 + __builtin_ctzll(open);
        weft_stage_t *stage = &c->stages[node];
        if (weft_stage_under_way(stage) >= UNDER_WAY || !weft_lock_try(&stage->lock)) continue;
        const unsigned ask = weft_stage_under_way(stage) > 0 ? WEFT_SEND_ASK : 0;
        if (stage->fill)
          n += weft_stage_send(c->head, stage, node, c->endpoint, ask | WEFT_SEND_TRY);
        weft_unlock(&stage->lock);
      }
    }
  }
  return n;
}

/* ---- either ---------------------------------------------------------------------------------- */

static int send(int pe, enum weft_lane lane, enum weft_am_category category, int handler,
                const void *source, size_t n, uint64_t dest, unsigned flags, weft_op_t *lc,
                int nargs, const int32_t *args) {
  const weft_where_t to = weft_job.where[pe];
  weft_message_t m = {.from = (uint32_t)weft_job.pe,
                      .category = category,
                      .handler = handler,
                      .nargs = nargs,
                      .args = args,
                      .payload = source,
                      .n = n,
                      .dest = dest};
  return weft_likely(to.node == weft_job.node) ? send_here(to.slot, lane, &m, flags)
                                               : send_away(pe, lane, &m, flags, lc);
}

/* What fits into cells, to a PE of this node; false if it does not, or cannot be done at once. */
static inline bool post_small(uintptr_t rings, int pe, enum weft_am_category category, int handler,
                              unsigned flags, int nargs, const int32_t *args, const void *payload,
                              size_t n, uint64_t dest) {
  weft_ring_t *ring;
  uintptr_t next;
  if (category != WEFT_AM_SHORT || nargs > WEFT_CELL_ARGS)
    return n <= (category == WEFT_AM_LONG ? WEFT_CELL_SIZE : WEFT_INBOX_INLINE) &&
           !(flags & WEFT_AM_BUFFER) &&
           weft_inbox_post_small(rings, pe, category, handler, nargs, args, payload, n, dest);
  weft_cell_t *cell = weft_am_reserve(rings, pe, 1, &ring, &next);
  if (weft_unlikely(!cell)) return false;
  for (int i = 0; i < nargs; i++) cell->args[i] = args[i];
  weft_am_publish(cell, handler, nargs, ring, next);
  return true;
}

int weft_am_request(int pe, enum weft_am_category category, int handler, const void *source,
                    size_t n, uint64_t dest, unsigned flags, weft_op_t *lc, int nargs,
                    const int32_t *args) {
  if (post_small(weft_am_direct.requests, pe, category, handler, flags, nargs, args, source, n,
                 dest))
    return 0;
  return send(pe, WEFT_REQUESTS, category, handler, source, n, dest, flags, lc, nargs, args);
}

int weft_am_reply(weft_token_t *token, enum weft_am_category category, int handler,
                  const void *source, size_t n, uint64_t dest, unsigned flags, weft_op_t *lc,
                  int nargs, const int32_t *args) {
  token->replied = true;
  if (post_small(weft_am_direct.replies, (int)token->from, category, handler, flags, nargs, args,
                 source, n, dest))
    return 0;
  if (category == WEFT_AM_SHORT && !flags && weft_job.where[token->from].node != weft_job.node &&
      weft_short_reply((int)token->from, handler, nargs, args))
    return 0;
  int rc = send((int)token->from, WEFT_REPLIES, category, handler, source, n, dest, flags, lc,
                nargs, args);
  token->replied = rc == 0;
  return rc;
}

static inline int poll_with(int (*drain)(void)) {
  int n = drain();
  if (weft_unlikely(mortal)) n += mend();
  if (weft_job.nnodes == 1) return n;
  const int got = weft_progress_network();
  if (got > 0) n += got + drain(); /* what came runs now, not after another look */
  return weft_channels_have_lanes() ? n + flush_lanes() : n;
}

int weft_am_poll(void) {
  return poll_with(weft_inbox_drain);
}

int weft_am_poll_own(void) {
  return poll_with(weft_inbox_drain_own);
}

static int step(void) {
  const int n = weft_inbox_drain();
  return weft_job.nnodes > 1 && weft_channels_have_lanes() ? n + flush_lanes() : n;
}

/* Until the inbox is open a ring that is always taken stands in its place, in memory that a slot
 * has anyway, so that an inline message of a program that is too early comes to short.c. */
static void shut(void) {
  const uintptr_t off = weft_job.layout.shared + offsetof(weft_shared_t, shut);
  weft_ring_t *ring = (weft_ring_t *)(weft_job.window.base + off);
  _Static_assert(sizeof *ring == WEFT_SHUT_BYTES, "what a slot has for it");
  weft_cell_t *never_free = (weft_cell_t *)((char *)ring->cells + WEFT_RING_TAKEN);
  never_free->handler = 1;
  ring->next = (uint32_t)WEFT_RING_TAKEN;
  weft_am_direct = (struct weft_am_direct){
      .requests = (uintptr_t)ring, .replies = (uintptr_t)ring, .pe = (uint32_t)weft_job.pe};
}

void weft_am_attach(void) {
  if (weft_job.started) shut();
  weft_progress_add(step);
  weft_port_handle_records(&(weft_record_handlers_t){.open = weft_arrive_start,
                                                     .close = weft_arrive_stop,
                                                     .arrive = weft_arrive,
                                                     .again = weft_arrive_again,
                                                     .waiting = weft_arrive_waiting});
}
