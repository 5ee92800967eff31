/*
 * The sending side: records are packed into the staging area of their destination node and travel
 * as packets. No allocation, no system call but the provider's; a full set of buffers is
 * back-pressure, and the waiter makes progress.
 */
#include <string.h>

#include "port/port_internal.h"

weft_plan_t weft_ports;
static int ask_from; /* packets under way that make the next one want an answer: at most 2 */

/* The head takes a cache line per node of the job: a bit is enough, but so the size is a multiple
 * of the node count. */
static size_t stage_size(void) {
  return WEFT_CACHELINE + sizeof(weft_stage_t) +
         weft_round_up((size_t)weft_ports.buffers * weft_ports.buffer_bytes, WEFT_CACHELINE);
}

int weft_port_plan(size_t memory, size_t clients, weft_job_areas_t *areas) {
  const weft_plan_input_t input = {.memory = memory,
                                   .clients = clients,
                                   .channels = areas->channels,
                                   .lanes = WEFT_LANES_MAX,
                                   .helpers = weft_job_helpers(),
                                   .limit = weft_options.port_memory,
                                   .buffers = weft_options.port_buffers,
                                   .spares = weft_options.port_spares};
  int rc = weft_plan_make(&weft_ports, &input);
  if (rc < 0) return rc;
  ask_from = weft_ports.buffers < 4 ? weft_ports.buffers - 2 : 2;
  areas->channels = weft_ports.channels;
  areas->stage_size = stage_size();
  areas->message_max = weft_ports.receive_bytes;
  areas->receives = weft_ports.receives;
  return 0;
}

/* With a signal behind it a put is still one packet. */
size_t weft_stage_put_max(void) {
  enum { PUT_MAX = 4096, AROUND = sizeof(weft_packet_t) + 2 * sizeof(weft_record_t) + 16 };
  const size_t room = weft_ports.buffer_bytes - AROUND;
  return room < PUT_MAX ? room : PUT_MAX;
}

weft_stages_t *weft_stage_head(int slot, int channel) {
  const int area = channel < WEFT_LANE ? channel : weft_job.layout.channels + channel - WEFT_LANE;
  char *first = weft_window_slot(&weft_job.window, slot) + weft_job.layout.stages;
  return (weft_stages_t *)(first + (size_t)area * (size_t)weft_job.nnodes * stage_size());
}

weft_stage_t *weft_stage_of(int slot, int channel, int node) {
  char *head = (char *)weft_stage_head(slot, channel);
  return (weft_stage_t *)(head + (size_t)weft_job.nnodes * WEFT_CACHELINE) + node;
}

/* The stages of a channel are one array; their buffers follow it. */
void weft_stage_lay(weft_channel_t *c, int node) {
  char *first = (char *)(c->stages + weft_job.nnodes);
  const size_t bytes = stage_size() - WEFT_CACHELINE - sizeof(weft_stage_t);
  c->stages[node].data = first + (size_t)node * bytes - (char *)&c->stages[node];
}

static void set_bit(uint64_t *words, int node, bool on) {
  uint64_t *word = &words[node / 64], bit = (uint64_t)1 << node % 64;
  if (on)
    __atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
  else
    __atomic_fetch_and(word, ~bit, __ATOMIC_RELEASE);
}

static uint64_t *owing_words(const weft_channel_t *c) {
  return c->open + c->words;
}

/* From here on the answers to all that this PE has sent to the node itself are on their way, or
 * not. */
static void set_owed(weft_channel_t *c, int node, bool owed) {
  weft_stage_t *stage = &c->stages[node];
  if (stage->owed == owed) return;
  stage->owed = owed;
  set_bit(owing_words(c), node, owed);
}

/* False: not `may_wait`, and the provider has no room. */
static bool send_packet(weft_stage_t *stage, enum weft_packet_kind kind, int slot, int channel,
                        int node, weft_endpoint_t *from, bool want, bool may_wait) {
  weft_stages_t *head = weft_stage_head(slot, channel);
  weft_packet_t *packet = (weft_packet_t *)weft_stage_buffer(stage, stage->next);
  const uint32_t bytes = stage->fill, bit = 1u << stage->next;
  *packet = (weft_packet_t){.kind = (uint8_t)kind,
                            .channel = (uint8_t)channel,
                            .buffer = (uint16_t)stage->next,
                            .bytes = bytes,
                            .from = (uint32_t)weft_job.local[slot],
                            .want = want};
  /* Counted before the open bit goes, so that quiet cannot see neither. */
  __atomic_fetch_add(&head->outstanding, 1, __ATOMIC_RELAXED);
  if (want) __atomic_fetch_add(&head->due, 1, __ATOMIC_RELAXED);
  __atomic_fetch_or(&stage->busy, bit, __ATOMIC_RELAXED);
  if (may_wait) {
    if (bytes <= from->inject_max)
      weft_endpoint_inject(from, (uint64_t)node, packet, bytes);
    else
      weft_endpoint_send(from, (uint64_t)node, packet, bytes, &from->all);
  } else if (!weft_endpoint_try_send(from, (uint64_t)node, packet, bytes, &from->all)) {
    __atomic_fetch_and(&stage->busy, ~bit, __ATOMIC_RELAXED);
    if (want) __atomic_fetch_sub(&head->due, 1, __ATOMIC_RELAXED);
    __atomic_fetch_sub(&head->outstanding, 1, __ATOMIC_RELAXED);
    return false;
  }
  stage->next = weft_stage_after(stage->next);
  stage->fill = 0;
  stage->sent++;
  set_bit(head->open, node, false);
  return true;
}

void weft_stage_send(weft_stage_t *stage, int slot, int channel, int node, weft_endpoint_t *from,
                     bool want) {
  send_packet(stage, WEFT_PACKET_RECORDS, slot, channel, node, from, want, true);
}

/* The PE's own packets travel in order, so asking with the last one asks for all. Even who does not
 * want to know asks before the buffers run out. */
static bool leave(weft_channel_t *c, enum weft_packet_kind kind, int node, bool want,
                  bool may_wait) {
  enum { IN_ORDER = 8192 }; /* bytes; the provider may deliver a larger packet after the next */
  weft_stage_t *stage = &c->stages[node];
  want |= weft_stage_under_way(stage) >= ask_from;
  want |= stage->fill > IN_ORDER;
  if (!send_packet(stage, kind, weft_job.slot, c->number, node, c->endpoint, want, may_wait))
    return false;
  set_owed(c, node, !want);
  weft_helper_arm(c);
  return true;
}

bool weft_stage_leave(weft_channel_t *c, int node, bool want, bool may_wait) {
  return leave(c, WEFT_PACKET_RECORDS, node, want, may_wait);
}

static void send_own(weft_channel_t *c, int node, bool want) {
  weft_stage_leave(c, node, want, true);
}

/* Ask for the answers that a node owes. Under the lock. */
static void ask(weft_channel_t *c, int node) {
  if (!c->stages[node].owed) return;
  weft_packet_t packet = {.kind = WEFT_PACKET_ASK,
                          .channel = c->number,
                          .bytes = sizeof packet,
                          .from = (uint32_t)weft_job.pe,
                          .want = true};
  __atomic_fetch_add(c->due, 1, __ATOMIC_RELAXED);
  set_owed(c, node, false);
  weft_endpoint_inject(c->endpoint, (uint64_t)node, &packet, sizeof packet);
}

/* ---- greetings ------------------------------------------------------------------------------- */

static void greet(weft_channel_t *c, int node) {
  struct {
    weft_packet_t head;
    uint8_t address[WEFT_ADDRESS_MAX];
  } hello = {.head = {.kind = WEFT_PACKET_HELLO,
                      .channel = c->number,
                      .buffer = (uint16_t)c->context,
                      .bytes = c->number ? sizeof hello : sizeof hello.head,
                      .from = (uint32_t)weft_job.pe,
                      .want = true}};
  memcpy(hello.address, c->address, sizeof hello.address);
  __atomic_fetch_add(&c->unmet, 1, __ATOMIC_RELAXED);
  weft_endpoint_inject(c->endpoint, (uint64_t)node, &hello, hello.head.bytes);
}

static int await_greetings(weft_channel_t *c) {
  enum { PATIENCE_S = 60 };
  uint64_t deadline = weft_clock_ns() + PATIENCE_S * 1000000000ull;
  unsigned steps = 0;
  while (weft_observe(&c->unmet)) {
    weft_progress_wait(c, &steps);
    if (weft_clock_ns() > deadline) {
      weft_warn(
          "%u of %d nodes did not answer over %s within %d s: is the network between them open? "
          "WEFT_IFACE chooses the interface",
          weft_peek(&c->unmet), weft_job.nnodes - 1, weft_job.fabric.name, PATIENCE_S);
      return -ETIMEDOUT;
    }
  }
  return 0;
}

int weft_stage_greet_all(weft_channel_t *c) {
  enum { GREET_UP_TO = 256 };
  if (weft_job.nnodes > GREET_UP_TO) return 0;
  for (int node = 0; node < weft_job.nnodes; node++)
    if (node != weft_job.node) greet(c, node);
  int rc = await_greetings(c);
  for (int node = 0; rc == 0 && node < weft_job.nnodes; node++) c->stages[node].greeted = true;
  return rc;
}

/* The first packet to a node that was not greeted: it must know where replies go before the helper
 * sends one for us, by a connection of its own. */
static WEFT_COLD void introduce(weft_channel_t *c, int node) {
  greet(c, node);
  weft_unlock(&c->stages[node].lock);
  if (await_greetings(c) < 0) weft_end_job(1);
  weft_lock(&c->stages[node].lock);
  c->stages[node].greeted = true;
}

/* ---- records --------------------------------------------------------------------------------- */

/* The stage is locked and its buffer is full, or was sent and is not answered. Returns locked, with
 * room. */
static WEFT_COLD void make_room(weft_channel_t *c, int node, size_t bytes) {
  weft_stage_t *stage = &c->stages[node];
  unsigned steps = 0;
  if (!stage->greeted) introduce(c, node);
  for (;;) {
    if (stage->fill + bytes > weft_ports.buffer_bytes) send_own(c, node, true);
    if (stage->fill == 0 && !(weft_observe(&stage->busy) >> stage->next & 1)) {
      stage->fill = sizeof(weft_packet_t);
      set_bit(c->open, node, true);
    }
    if (stage->fill != 0) return;
    ask(c, node);
    weft_unlock(&stage->lock);
    weft_progress_wait(c, &steps);
    weft_lock(&stage->lock);
  }
}

/* Room for a record of `bytes` (header included, padded); returns with the stage locked. */
static inline weft_record_t *open_record(weft_channel_t *c, int node, size_t bytes) {
  weft_stage_t *stage = &c->stages[node];
  weft_lock(&stage->lock);
  if (weft_unlikely(stage->fill == 0 || stage->fill + bytes > weft_ports.buffer_bytes))
    make_room(c, node, bytes);
  weft_record_t *record = (weft_record_t *)(weft_stage_buffer(stage, stage->next) + stage->fill);
  stage->fill += (uint32_t)bytes;
  return record;
}

static inline void close_record(weft_channel_t *c, int node) {
  weft_unlock(&c->stages[node].lock);
}

void weft_stage_unlock(weft_channel_t *c, int node) {
  close_record(c, node);
}

static size_t padded(size_t n) {
  return (n + 7) & ~(size_t)7;
}

size_t weft_stage_put_bytes(size_t n) {
  return sizeof(weft_record_t) + padded(n);
}

weft_record_t *weft_stage_write_put(weft_record_t *r, int slot, uintptr_t off, const void *source,
                                    size_t n) {
  *r = (weft_record_t){
      .off = off, .slot = (uint16_t)slot, .kind = WEFT_RECORD_PUT, .len = (uint32_t)n};
  memcpy(r + 1, source, n);
  return (weft_record_t *)((char *)(r + 1) + padded(n));
}

static void write_post(weft_record_t *r, int slot, uintptr_t off, enum weft_amo op, size_t width,
                       uint64_t operand) {
  *r = (weft_record_t){.off = off,
                       .slot = (uint16_t)slot,
                       .kind = WEFT_RECORD_POST,
                       .op = (uint8_t)op,
                       .len = (uint32_t)width};
  memcpy(r + 1, &operand, sizeof operand);
}

void weft_stage_put(weft_channel_t *c, int pe, uintptr_t off, const void *source, size_t n) {
  weft_where_t to = weft_job.where[pe];
  weft_stage_write_put(open_record(c, to.node, weft_stage_put_bytes(n)), to.slot, off, source, n);
  close_record(c, to.node);
}

void weft_stage_put_word(weft_channel_t *c, int pe, uintptr_t off, uint64_t value, size_t n) {
  weft_where_t to = weft_job.where[pe];
  weft_record_t *r = open_record(c, to.node, sizeof *r + sizeof value);
  *r = (weft_record_t){.off = off, .slot = to.slot, .kind = WEFT_RECORD_PUT, .len = (uint32_t)n};
  memcpy(r + 1, &value, sizeof value); /* little endian: the first n bytes count */
  close_record(c, to.node);
}

void weft_stage_post(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                     uint64_t operand) {
  weft_where_t to = weft_job.where[pe];
  write_post(open_record(c, to.node, sizeof(weft_record_t) + sizeof operand), to.slot, off, op,
             width, operand);
  close_record(c, to.node);
}

void weft_stage_post_now(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                         uint64_t operand) {
  weft_where_t to = weft_job.where[pe];
  write_post(open_record(c, to.node, sizeof(weft_record_t) + sizeof operand), to.slot, off, op,
             width, operand);
  send_own(c, to.node, false);
  close_record(c, to.node);
}

void weft_stage_put_signal(weft_channel_t *c, int pe, uintptr_t off, const void *source, size_t n,
                           uintptr_t sig, enum weft_amo op, uint64_t signal, bool now) {
  weft_where_t to = weft_job.where[pe];
  const size_t bytes = 2 * sizeof(weft_record_t) + padded(n) + sizeof signal;
  weft_record_t *r = open_record(c, to.node, bytes);
  write_post(weft_stage_write_put(r, to.slot, off, source, n), to.slot, sig, op, sizeof signal,
             signal);
  if (now) send_own(c, to.node, false);
  close_record(c, to.node);
}

static void write_fetch(weft_record_t *r, int slot, uintptr_t off, enum weft_amo op, size_t width,
                        uint64_t operand, uint64_t cond, void *result) {
  uint64_t rest[3] = {operand, cond, (uint64_t)(uintptr_t)result};
  *r = (weft_record_t){.off = off,
                       .slot = (uint16_t)slot,
                       .kind = WEFT_RECORD_FETCH,
                       .op = (uint8_t)op,
                       .len = (uint32_t)width};
  memcpy(r + 1, rest, sizeof rest);
}

enum { FETCH_BYTES = sizeof(weft_record_t) + 3 * sizeof(uint64_t) };

/* Returns with the stage locked: the caller decides whether the packet leaves now. */
static weft_stage_t *stage_fetch(weft_channel_t *c, weft_where_t to, uintptr_t off,
                                 enum weft_amo op, size_t width, uint64_t operand, uint64_t cond,
                                 void *result) {
  write_fetch(open_record(c, to.node, FETCH_BYTES), to.slot, off, op, width, operand, cond, result);
  return &c->stages[to.node];
}

void weft_stage_fetch_nbi(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                          uint64_t operand, uint64_t cond, void *result) {
  weft_where_t to = weft_job.where[pe];
  stage_fetch(c, to, off, op, width, operand, cond, result);
  close_record(c, to.node);
}

uint64_t weft_stage_fetch(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                          uint64_t operand, uint64_t cond) {
  weft_where_t to = weft_job.where[pe];
  uint64_t result = 0;
  unsigned steps = 0;
  weft_stage_t *stage = stage_fetch(c, to, off, op, width, operand, cond, &result);
  uint32_t *answered = &stage->answered[stage->next], before = weft_peek(answered);
  send_own(c, to.node, true);
  close_record(c, to.node);
  while (weft_observe(answered) == before) weft_progress_wait(c, &steps);
  return result; /* little endian, as all our machines are: a 4-byte result fills the low half */
}

void weft_stage_call(weft_channel_t *c, uintptr_t off, enum weft_service number,
                     const weft_call_t *call) {
  weft_where_t to = weft_job.where[call->pe];
  const uint64_t rest[3] = {call->operand, call->cond, call->result};
  weft_record_t *r = open_record(c, to.node, FETCH_BYTES + padded(call->n));
  *r = (weft_record_t){.off = off,
                       .slot = to.slot,
                       .kind = WEFT_RECORD_CALL,
                       .op = (uint8_t)number,
                       .len = (uint32_t)call->n};
  memcpy(r + 1, rest, sizeof rest);
  if (call->n) memcpy((char *)(r + 1) + sizeof rest, call->data, call->n);
  send_own(c, to.node, false);
  close_record(c, to.node);
}

size_t weft_service_data_max(void) {
  enum { DATA_MAX = 1024 };
  const size_t room = weft_ports.buffer_bytes - sizeof(weft_packet_t) - FETCH_BYTES;
  return weft_job.nnodes == 1 || room > DATA_MAX ? DATA_MAX : room;
}

weft_record_t *weft_stage_try_record(weft_channel_t *c, int node, size_t bytes) {
  weft_stage_t *stage = &c->stages[node];
  weft_lock(&stage->lock);
  /* A full buffer makes room by leaving, if the provider takes it. */
  if (stage->fill + bytes > weft_ports.buffer_bytes && stage->greeted)
    weft_stage_leave(c, node, true, false);
  if (weft_unlikely(!stage->greeted || stage->fill + bytes > weft_ports.buffer_bytes ||
                    (stage->fill == 0 && weft_observe(&stage->busy) >> stage->next & 1))) {
    weft_unlock(&stage->lock);
    return NULL;
  }
  if (stage->fill == 0) make_room(c, node, bytes);
  weft_record_t *record = (weft_record_t *)(weft_stage_buffer(stage, stage->next) + stage->fill);
  stage->fill += (uint32_t)bytes;
  return record;
}

char *weft_stage_claim(weft_channel_t *c, int node, uint32_t *buffer) {
  weft_stage_t *stage = &c->stages[node];
  weft_lock(&stage->lock);
  if (stage->fill) send_own(c, node, false);
  *buffer = stage->next;
  if (!(weft_observe(&stage->busy) >> stage->next & 1))
    return weft_stage_buffer(stage, stage->next);
  ask(c, node);
  weft_unlock(&stage->lock);
  return NULL;
}

void weft_stage_commit(weft_channel_t *c, int node, size_t bytes, bool want) {
  c->stages[node].fill = (uint32_t)bytes;
  leave(c, WEFT_PACKET_FLOW, node, want, true);
  weft_unlock(&c->stages[node].lock);
}

void weft_stage_meet(weft_channel_t *c, int node) {
  weft_lock(&c->stages[node].lock);
  if (!c->stages[node].greeted) introduce(c, node);
  weft_unlock(&c->stages[node].lock);
}

bool weft_stage_begin(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                      uint64_t operand, uint64_t cond, void *result, bool immediate,
                      weft_stage_ticket_t *ticket) {
  weft_where_t to = weft_job.where[pe];
  weft_stage_t *stage = &c->stages[to.node];
  const size_t bytes = result ? FETCH_BYTES : sizeof(weft_record_t) + sizeof operand;
  weft_record_t *r =
      immediate ? weft_stage_try_record(c, to.node, bytes) : open_record(c, to.node, bytes);
  if (!r) return false;
  if (result)
    write_fetch(r, to.slot, off, op, width, operand, cond, result);
  else
    write_post(r, to.slot, off, op, width, operand);
  const uint32_t *answered = &stage->answered[stage->next];
  *ticket = (weft_stage_ticket_t){answered, weft_peek(answered), to.node};
  close_record(c, to.node);
  return true;
}

void weft_stage_push(weft_channel_t *c, const weft_stage_ticket_t *ticket) {
  weft_stage_t *stage = &c->stages[ticket->node];
  weft_lock(&stage->lock);
  if (stage->fill && ticket->answered == &stage->answered[stage->next])
    send_own(c, ticket->node, true);
  else
    ask(c, ticket->node);
  weft_unlock(&stage->lock);
}

/* Packets of a node use its buffers in turn: packet k has buffer k modulo their number. */
uint32_t weft_stage_send_to(weft_channel_t *c, int node) {
  weft_stage_t *stage = &c->stages[node];
  weft_lock(&stage->lock);
  if (stage->fill)
    send_own(c, node, true);
  else
    ask(c, node);
  const uint32_t sent = stage->sent;
  weft_unlock(&stage->lock);
  return sent;
}

bool weft_stage_all_answered(const weft_channel_t *c, int node, uint32_t sent) {
  const uint32_t n = (uint32_t)weft_ports.buffers;
  for (uint32_t b = 0; b < n; b++) {
    const uint32_t next = weft_observe(&c->stages[node].answered[b]) * n + b;
    if ((int32_t)(next - sent) < 0) return false;
  }
  return true;
}

/* ---- sending --------------------------------------------------------------------------------- */

static void flush(weft_channel_t *c, bool want) {
  for (int w = 0; w < c->words; w++) {
    uint64_t open = weft_observe(&c->open[w]);
    for (; open; open &= open - 1) {
      int node = w * 64 + __builtin_ctzll(open);
      weft_lock(&c->stages[node].lock);
      if (c->stages[node].fill) send_own(c, node, want);
      weft_unlock(&c->stages[node].lock);
    }
  }
}

void weft_stage_flush(weft_channel_t *c) {
  flush(c, true);
}

void weft_stage_release(void) {
  for (int i = 0; i < weft_channel_count(); i++) flush(&weft_channels[i], false);
}

static void ask_all(weft_channel_t *c) {
  for (int w = 0; w < c->words; w++) {
    uint64_t owing = weft_peek(&owing_words(c)[w]);
    for (; owing; owing &= owing - 1) {
      int node = w * 64 + __builtin_ctzll(owing);
      weft_lock(&c->stages[node].lock);
      ask(c, node);
      weft_unlock(&c->stages[node].lock);
    }
  }
}

void weft_stage_quiet(weft_channel_t *c) {
  unsigned steps = 0;
  while (weft_stage_busy(c)) {
    flush(c, true);
    ask_all(c);
    if (weft_observe(c->outstanding)) weft_progress_wait(c, &steps);
  }
}

void weft_stage_settle(weft_channel_t *c) {
  for (int node = 0; node < weft_job.nnodes; node++) {
    weft_stage_t *stage = &c->stages[node];
    weft_lock(&stage->lock);
    if (weft_observe(&stage->busy)) set_owed(c, node, true);
    weft_unlock(&stage->lock);
  }
  weft_stage_quiet(c);
}

/* ---- replies --------------------------------------------------------------------------------- */

/* Store it; the next one. */
static const weft_result_t *take_result(const weft_result_t *r) {
  if (weft_unlikely(r->width == WEFT_RESULT_ANSWER)) {
    weft_answer_t *answer = (weft_answer_t *)(uintptr_t)r->address;
    memcpy(answer->bytes, r + 1, r->value);
    answer->n = r->value;
    return (const weft_result_t *)((const char *)(r + 1) + padded(r->value));
  }
  if (r->width == 4)
    *(uint32_t *)(uintptr_t)r->address = (uint32_t)r->value;
  else
    *(uint64_t *)(uintptr_t)r->address = r->value;
  return r + 1;
}

void weft_stage_answered(const weft_packet_t *reply) {
  weft_channel_t *c = &weft_channels[reply->channel];
  if (reply->buffer == UINT16_MAX) {
    __atomic_fetch_sub(&c->unmet, 1, __ATOMIC_RELEASE);
    return;
  }
  weft_stage_t *stage = &c->stages[reply->from];
  const bool note = reply->kind == WEFT_PACKET_FLOW_REPLY;
  const weft_result_t *r = (const weft_result_t *)(reply + 1);
  const weft_result_t *end = (const weft_result_t *)((const char *)reply + reply->bytes);
  if (note) weft_packets.note(c, reply);
  while (!note && r < end) r = take_result(r);
  if (c->flows) weft_packets.answered(c, (int)reply->from, reply->buffer);
  for (uint32_t answered = reply->buffer; answered; answered &= answered - 1) {
    int buffer = __builtin_ctz(answered);
    __atomic_fetch_add(&stage->answered[buffer], 1, __ATOMIC_RELEASE);
    __atomic_fetch_and(&stage->busy, ~(1u << buffer), __ATOMIC_RELEASE);
    __atomic_fetch_sub(c->outstanding, 1, __ATOMIC_RELEASE);
  }
  if (reply->want) __atomic_fetch_sub(c->due, reply->want, __ATOMIC_RELEASE);
  if (c->flows) weft_packets.pump(c, (int)reply->from);
}
