/*
 * The sending side: where the staging areas lie, how a packet leaves them, and what its answer
 * does. The records in a packet are records.c's. A full set of buffers is back-pressure, and the
 * caller that waits for room makes progress.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "port/port_internal.h"

weft_plan_t weft_ports;
uint8_t weft_stage_late;
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
                                   .spares = weft_options.port_spares,
                                   .most =
                                       weft_fabric_is_stream(weft_options.provider) ? 0 : 32768};
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
  enum { PUT_MAX = 65536, AROUND = sizeof(weft_packet_t) + 2 * sizeof(weft_record_t) + 16 };
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
static char *buffers_of(weft_channel_t *c, int node) {
  char *first = (char *)(c->stages + weft_job.nnodes);
  const size_t bytes = stage_size() - WEFT_CACHELINE - sizeof(weft_stage_t);
  return first + (size_t)node * bytes;
}

void weft_stage_touch(weft_channel_t *c) {
  enum { PAGES = 64 };
  const int each = PAGES / weft_job.nnodes;
  for (int node = 0; node < weft_job.nnodes; node++)
    for (int i = 0; i < weft_ports.buffers && i < each && node != weft_job.node; i++)
      *(volatile char *)(buffers_of(c, node) + (size_t)i * weft_ports.buffer_bytes) = 0;
}

/* Pages of a lane's buffers are touched here, as am/short.c finds the token in them; others when a
 * packet is put there. */
void weft_stage_lay(weft_channel_t *c, int node) {
  weft_stage_t *stage = &c->stages[node];
  weft_poke(&stage->data, buffers_of(c, node) - (char *)stage);
  stage->token = weft_job.tokens[node];
  stage->room = (uint32_t)weft_ports.buffer_bytes;
  for (uint32_t i = 0; c->number >= WEFT_LANE && i < (uint32_t)weft_ports.buffers; i++)
    ((weft_packet_t *)weft_stage_buffer(stage, i))->token = stage->token;
}

static void set_bit(uint64_t *words, int node, bool on) {
  uint64_t *word = &words[node / 64], bit = (uint64_t)1 << node % 64;
  if (on)
    __atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
  else
    __atomic_fetch_and(word, ~bit, __ATOMIC_RELEASE);
}

/* ---- ops that the records of a buffer count -------------------------------------------------- */

static WEFT_COLD void grow(weft_holder_t *h) {
  h->room = h->room ? 2 * h->room : 8;
  h->held = realloc(h->held, h->room * sizeof *h->held);
  if (!h->held) weft_fatal("no memory to count operations: this machine is out of memory");
}

void weft_stage_hold(weft_channel_t *c, int node, weft_op_t *op) {
  weft_holder_t *h = &c->holders[node * weft_ports.buffers + (int)c->stages[node].next];
  weft_op_up(op);
  weft_poke(&op->staged, true);
  if (h->n > 0 && h->held[h->n - 1].op == op) {
    h->held[h->n - 1].n++;
  } else {
    if (h->n == h->room) grow(h);
    h->held[h->n++] = (weft_held_t){op, 1};
  }
  weft_seen_given(h);
}

/* The buffer's packet was applied; it is not filled again before its busy bit goes. */
static void let_go(weft_channel_t *c, int node, int buffer) {
  weft_holder_t *h = &c->holders[node * weft_ports.buffers + buffer];
  weft_seen_got(h);
  const uint32_t n = h->n;
  h->n = 0;
  for (uint32_t i = 0; i < n; i++) {
    weft_op_t *op = h->held[i].op;
    __atomic_fetch_sub(&op->pending, h->held[i].n, __ATOMIC_RELEASE);
  }
}

/* ---- sending --------------------------------------------------------------------------------- */

/* owed = false: answers to all packets that this PE has sent to the node itself are on their way.
 */
static void set_owed(weft_stages_t *head, weft_stage_t *stage, int node, bool owed) {
  if (stage->owed == owed) return;
  stage->owed = owed;
  set_bit(head->open + (weft_job.nnodes + 63) / 64, node, owed);
}

/* The mark of a packet that was answered is cleared here, by the next one in its buffer and before
 * that is under way, not by the answer: so `loose` is written under the lock only. Who waits for
 * loose packets waits for no others: those may have asked for no answer. */
static WEFT_COLD void mark_loose(weft_stage_t *stage, unsigned mark) {
  const unsigned bit = 1u << stage->next, both = bit | bit << WEFT_LOOSE_ADDS;
  const unsigned mine = mark == WEFT_LOOSE_ADD ? bit << WEFT_LOOSE_ADDS : mark ? bit : 0;
  weft_poke(&stage->loose, (uint16_t)((stage->loose & ~both) | mine));
}

/* Records may gather while their node's connection is made: so a PE that puts to many makes many
 * connections at a time. The first one is waited for a little, because the PE may compute next. */
static WEFT_COLD bool is_late(const weft_stage_t *stage, uint64_t *since) {
  enum { SOON_NS = 200000, ROW_NS = 100000000 };
  static uint64_t last; /* when one was late */
  const uint64_t now = weft_clock_ns();
  if (*since == 0) *since = now;
  if (stage->sent || (now - *since < SOON_NS && now - weft_peek(&last) > ROW_NS)) return false;
  weft_poke(&last, now);
  return true;
}

/* The provider had no room. The stage's PE, which holds its lock, tries until there is some, unless
 * `how` says otherwise. It does not serve its port meanwhile: that is the helper's. */
static WEFT_COLD bool send_again(weft_stage_t *stage, int node, weft_endpoint_t *from,
                                 const weft_packet_t *packet, unsigned how) {
  const bool own = !(how & WEFT_SEND_FOR);
  uint64_t since = 0;
  bool sent = false;
  weft_poke(&stage->stuck, own);
  while (!sent) {
    if (own && !stage->sent) weft_progress_touch(); /* it may connect */
    if (how & WEFT_SEND_TRY || (how & WEFT_SEND_MEET && is_late(stage, &since))) break;
    sent = weft_endpoint_try_send(from, (uint64_t)node, packet, packet->bytes, &from->all);
  }
  weft_poke(&stage->stuck, false);
  return sent;
}

/* The PE's own packets travel in order, so asking for an answer to the last one asks for all. A
 * packet asks in any case before the buffers run out. */
bool weft_stage_send(weft_stages_t *head, weft_stage_t *stage, int node, weft_endpoint_t *from,
                     unsigned how) {
  enum { LARGE = 8192 }; /* bytes; some providers may deliver such a packet after the next */
  const bool own = !(how & WEFT_SEND_FOR);
  const uint32_t bytes = stage->fill, bit = 1u << stage->next;
  if (own && (bytes > LARGE || weft_stage_under_way(stage) >= ask_from)) how |= WEFT_SEND_ASK;
  const bool want = how & (WEFT_SEND_ASK | WEFT_SEND_LAZY);
  weft_ride_t ride = stage->ride;
  if (own && weft_peek(&weft_server_put_off) && from == weft_job.port && !ride.count)
    ride = weft_server_ride(node);
  weft_packet_t *packet = (weft_packet_t *)weft_stage_buffer(stage, stage->next);
  *packet = (weft_packet_t){.kind = stage->room ? WEFT_PACKET_RECORDS : WEFT_PACKET_FLOW,
                            .channel = head->channel,
                            .buffer = (uint16_t)stage->next,
                            .bytes = bytes,
                            .from = head->pe,
                            .token = stage->token,
                            .want = how & WEFT_SEND_ASK    ? 1
                                    : how & WEFT_SEND_LAZY ? WEFT_WANT_LAZY
                                                           : 0,
                            .ride = ride};
  const bool loose = (bytes > LARGE && !from->fabric->large_in_order) || !own;
  if (weft_unlikely(loose || stage->loose))
    mark_loose(stage, !loose ? 0 : how & WEFT_SEND_ADD ? WEFT_LOOSE_ADD : WEFT_LOOSE_OTHER);
  if (want) __atomic_fetch_add(&head->due, 1, __ATOMIC_RELAXED);
  __atomic_fetch_or(&stage->busy, bit, __ATOMIC_RELEASE); /* weft_answer_check reads the packet */
  if (weft_unlikely(!stage->sent) && own) weft_progress_touch(); /* it may connect */
  if (weft_unlikely(!weft_endpoint_try_send(from, (uint64_t)node, packet, bytes, &from->all)) &&
      !send_again(stage, node, from, packet, how)) {
    __atomic_fetch_and(&stage->busy, ~bit, __ATOMIC_RELAXED);
    if (want) __atomic_fetch_sub(&head->due, 1, __ATOMIC_RELAXED);
    stage->ride = ride;
    weft_stage_mark(head, node);
    if (own && !stage->sent) weft_stage_be_late(WEFT_LATE_RECORDS);
    return false;
  }
  stage->next = weft_stage_after(stage->next);
  weft_poke(&stage->fill, 0);
  stage->room = (uint32_t)weft_ports.buffer_bytes;
  stage->run = 0;
  weft_poke(&stage->sent, stage->sent + 1); /* send_unmet looks without the lock */
  stage->ride = (weft_ride_t){0};
  /* Who finds the mark gone, and asks (weft_stage_ask_all), finds that answers are owed. */
  if (own) set_owed(head, stage, node, !want);
  if (weft_stage_is_marked(head, node)) set_bit(head->open, node, false);
  return true;
}

/* Other threads go by the node's bit: it is there until the provider has the packet. */
bool weft_stage_try_ask(weft_channel_t *c, int node) {
  weft_stage_t *stage = &c->stages[node];
  if (!stage->owed) return true;
  weft_packet_t packet = weft_stage_packet(c->number, node, WEFT_PACKET_ASK);
  packet.want = true;
  __atomic_fetch_add(&c->head->due, 1, __ATOMIC_RELAXED);
  stage->owed = false;
  if (!weft_endpoint_try_send(c->endpoint, (uint64_t)node, &packet, sizeof packet, NULL)) {
    stage->owed = true;
    __atomic_fetch_sub(&c->head->due, 1, __ATOMIC_RELAXED);
    return false;
  }
  set_bit(c->head->open + c->words, node, false);
  return true;
}

void weft_stage_ask(weft_channel_t *c, int node) {
  weft_stage_t *stage = &c->stages[node];
  bool again = false;
  while (!weft_stage_try_ask(c, node)) weft_poke(&stage->stuck, again = true);
  if (weft_unlikely(again)) weft_poke(&stage->stuck, false);
}

bool weft_stage_question(weft_channel_t *c, int node, uint16_t number) {
  uint32_t *questions = &c->stages[node].questions;
  weft_packet_t packet = weft_stage_packet(c->number, node, WEFT_PACKET_QUESTION);
  packet.buffer = number;
  __atomic_fetch_add(questions, 1, __ATOMIC_RELAXED);
  if (weft_endpoint_try_send(c->endpoint, (uint64_t)node, &packet, sizeof packet,
                             &c->endpoint->all))
    return true;
  __atomic_fetch_sub(questions, 1, __ATOMIC_RELAXED);
  return false;
}

/* ---- buffers --------------------------------------------------------------------------------- */

static bool open_buffer(weft_channel_t *c, int node) {
  const bool begun = weft_stage_begin(c, node);
  if (begun) weft_stage_mark(c->head, node);
  return begun;
}

/* The stage is locked and its buffer is full, or was sent and is not answered. Returns with the
 * lock held and room in the buffer. */
WEFT_COLD void weft_stage_make_room(weft_channel_t *c, int node, size_t bytes) {
  weft_stage_t *stage = &c->stages[node];
  weft_wait_t wait = {.channel = c};
  if (!stage->data) weft_stage_meet(c, node);
  for (;;) {
    if (stage->fill + bytes > stage->room)
      weft_stage_send(c->head, stage, node, c->endpoint, WEFT_SEND_ASK);
    if (stage->fill != 0 || open_buffer(c, node)) return;
    weft_stage_ask(c, node);
    weft_unlock(&stage->lock);
    weft_wait_step(&wait);
    weft_lock(&stage->lock);
  }
}

/* A short message (am/short.c) asks for an answer only if a packet is under way before it: never
 * where there is one buffer. Who wants that buffer asks, unless an answer is due anyway. */
static WEFT_COLD void ask_for_only(weft_channel_t *c, int node) {
  if (weft_ports.buffers > 1 || c->number < WEFT_LANE || weft_observe(&c->head->due)) return;
  set_owed(c->head, &c->stages[node], node, true);
  weft_stage_ask(c, node);
}

bool weft_stage_has_room(weft_channel_t *c, int node, size_t bytes) {
  weft_stage_t *stage = &c->stages[node];
  if (weft_unlikely(!stage->data)) weft_stage_meet(c, node);
  /* A full buffer makes room by leaving, if the provider takes it. */
  if (stage->fill + bytes > stage->room)
    weft_stage_send(c->head, stage, node, c->endpoint, WEFT_SEND_ASK | WEFT_SEND_TRY);
  if (stage->fill + bytes <= stage->room && (stage->fill != 0 || open_buffer(c, node))) return true;
  ask_for_only(c, node);
  return false;
}

/* ---- streams (stage.h) ----------------------------------------------------------------------- */

enum { STREAK = 4, ERRORS = 14, SOON_NS = 50000, MANY = 256 /* bytes */ };

static bool guesses(const weft_stage_t *stage) {
  return stage->streak >= (uint32_t)STREAK << stage->errors;
}

static WEFT_COLD void was_wrong(weft_stage_t *stage) {
  if (stage->errors < ERRORS) stage->errors++;
  stage->streak = 0;
}

bool weft_stage_streams_now(weft_stage_t *stage) {
  const bool guess = guesses(stage);
  if (stage->began == 1) return guess;
  const uint64_t now = weft_clock_ns(), before = stage->began;
  stage->began = guess && before ? 1 : now;
  if (!before || now - before < SOON_NS) return guess;
  if (guess)
    was_wrong(stage);
  else
    stage->streak = 0;
  return false;
}

void weft_stage_learn(weft_stage_t *stage, unsigned how) {
  if (how & WEFT_SEND_FOR && guesses(stage))
    was_wrong(stage);
  else if (how != WEFT_SEND_ASK || stage->fill < MANY)
    stage->streak = 0;
  else if (stage->streak < UINT16_MAX)
    stage->streak++;
  stage->began = 0;
}

/* ---- flush, fence, quiet --------------------------------------------------------------------- */

static void flush(weft_channel_t *c, unsigned how) {
  for (int w = 0; w < c->words; w++) {
    uint64_t open = weft_observe(&c->open[w]);
    for (; open; open &= open - 1) {
      const int node = w * 64 + __builtin_ctzll(open);
      weft_stage_t *stage = &c->stages[node];
      weft_lock(&stage->lock);
      if (stage->fill) {
        weft_stage_learn(stage, how);
        weft_stage_send(c->head, stage, node, c->endpoint, how);
      }
      weft_unlock(&stage->lock);
    }
  }
}

/* Try the records whose connection was still to be made; how many nodes they are for. */
static WEFT_COLD int send_unmet(weft_channel_t *c) {
  int n = 0;
  for (int w = 0; w < c->words; w++) {
    uint64_t open = weft_observe(&c->open[w]);
    for (; open; open &= open - 1) {
      const int node = w * 64 + __builtin_ctzll(open);
      weft_stage_t *stage = &c->stages[node];
      if (weft_peek(&stage->sent) || !weft_lock_try(&stage->lock)) continue;
      if (stage->fill && !stage->sent) {
        weft_stage_send(c->head, stage, node, c->endpoint, WEFT_SEND_LAZY | WEFT_SEND_TRY);
        n++;
      }
      weft_unlock(&stage->lock);
    }
  }
  return n;
}

void weft_stage_flush(weft_channel_t *c) {
  flush(c, WEFT_SEND_ASK);
}

void weft_stage_release(void) {
  if (weft_job.nnodes == 1) return;
  for (int i = 0; i < weft_channel_count(); i++)
    if (weft_stage_staged(&weft_channels[i])) flush(&weft_channels[i], WEFT_SEND_LAZY);
}

/* What is late again sets the flag again. There may be hundreds: a fifth of the time at most. But
 * at first a few are tried again soon: that they took long may be the last step to their
 * connection, which the provider takes when it is tried. */
WEFT_COLD void weft_stage_send_late(void) {
  enum { SHARE = 4, FEW = 8, REST_NS = 2000 /* for each of them */, FIRST_NS = 10000000 };
  static uint64_t next, since;
  const uint64_t now = weft_clock_ns();
  uint64_t nodes = 0;
  if (now < weft_peek(&next)) return;
  __atomic_exchange_n(&weft_stage_late, 0, __ATOMIC_ACQUIRE); /* what was late before is seen */
  for (int i = 0; i < weft_channel_count(); i++)
    if (weft_stage_staged(&weft_channels[i])) nodes += (uint64_t)send_unmet(&weft_channels[i]);
  nodes += (uint64_t)weft_flows_again();
  const uint64_t end = weft_clock_ns();
  if (now - weft_peek(&next) > FIRST_NS) weft_poke(&since, now); /* others than before */
  const bool soon = nodes <= FEW && now - weft_peek(&since) < FIRST_NS;
  weft_poke(&next, end + (soon ? nodes * REST_NS : SHARE * (end - now)));
}

void weft_stage_flush_node(weft_channel_t *c, int node) {
  weft_stage_t *stage = &c->stages[node];
  weft_lock(&stage->lock);
  if (stage->fill) {
    weft_stage_learn(stage, WEFT_SEND_ASK);
    weft_stage_send(c->head, stage, node, c->endpoint, WEFT_SEND_ASK);
  } else {
    weft_stage_ask(c, node);
  }
  weft_unlock(&stage->lock);
}

void weft_stage_fence_node(weft_channel_t *c, int node) {
  weft_stage_t *stage = &c->stages[node];
  weft_lock(&stage->lock);
  if (stage->fill) {
    weft_stage_learn(stage, WEFT_SEND_LAZY);
    weft_stage_send(c->head, stage, node, c->endpoint, WEFT_SEND_LAZY);
  }
  weft_poke(&stage->fenced, true);
  weft_unlock(&stage->lock);
}

void weft_stage_stay_behind(weft_channel_t *c, int node) {
  weft_stage_t *stage = &c->stages[node];
  if (weft_peek(&stage->fenced)) return;
  weft_lock(&stage->lock);
  weft_poke(&stage->fenced, stage->fill || weft_observe(&stage->busy));
  weft_unlock(&stage->lock);
}

void weft_stage_ask_all(weft_channel_t *c) {
  for (int w = 0; w < c->words; w++) {
    uint64_t owing = weft_peek(&c->open[c->words + w]);
    for (; owing; owing &= owing - 1) {
      const int node = w * 64 + __builtin_ctzll(owing);
      weft_lock(&c->stages[node].lock);
      weft_stage_ask(c, node);
      weft_unlock(&c->stages[node].lock);
    }
  }
}

/* What is staged leaves, and all answers are asked for; are all there? */
static bool hurry(weft_channel_t *c) {
  if (!weft_stage_busy(c)) return true;
  flush(c, WEFT_SEND_ASK);
  weft_stage_ask_all(c);
  return !weft_stage_busy(c);
}

void weft_stage_waited(weft_channel_t *c) {
  enum { ROW = 2 };
  weft_lone_t *lone = &c->lone;
  const uint32_t sent = weft_peek(&lone->sent), since = sent - weft_peek(&lone->waited);
  if (since == 0 || !weft_stage_busy(c)) return;
  const uint32_t row = since == 1 ? weft_peek(&lone->row) + 1 : 0;
  weft_poke(&lone->row, row);
  weft_poke(&lone->waited, sent);
  weft_poke(&lone->asks, row >= ROW ? sent : sent - 1);
}

void weft_stage_quiet(weft_channel_t *c) {
  weft_stage_waited(c);
  WEFT_WAIT_ON(c, hurry(c));
}

void weft_stage_settle(weft_channel_t *c) {
  for (int node = 0; node < weft_job.nnodes; node++) {
    weft_stage_t *stage = &c->stages[node];
    weft_lock(&stage->lock);
    if (weft_observe(&stage->busy)) set_owed(c->head, stage, node, true);
    weft_unlock(&stage->lock);
  }
  weft_stage_quiet(c);
}

/* ---- replies --------------------------------------------------------------------------------- */

/* Store a result; returns the next one. */
static const weft_result_t *take_result(const weft_result_t *r) {
  if (weft_unlikely(r->width == WEFT_RESULT_ANSWER)) {
    weft_answer_t *answer = (weft_answer_t *)(uintptr_t)r->address;
    weft_direct_memcpy(answer->bytes, r + 1, r->value);
    weft_publish(&answer->n, r->value);
    return (const weft_result_t *)((const char *)(r + 1) + weft_round_up(r->value, 8));
  }
  if (r->width == WEFT_RESULT_BYTES) {
    memcpy((void *)(uintptr_t)r->address, r + 1, r->value);
    return (const weft_result_t *)((const char *)(r + 1) + weft_round_up(r->value, 8));
  }
  if (r->address == 0) return r + 1; /* it is not wanted */
  if (r->width == 4)                 /* another thread may be looking at it */
    weft_publish((uint32_t *)(uintptr_t)r->address, (uint32_t)r->value);
  else
    weft_publish((uint64_t *)(uintptr_t)r->address, r->value);
  return r + 1;
}

static void store_results(const weft_packet_t *reply) {
  const weft_result_t *r = (const weft_result_t *)(reply + 1);
  const weft_result_t *end = (const weft_result_t *)((const char *)reply + reply->bytes);
  while (r < end) r = take_result(r);
}

/* What is staged leaves as soon as the PE is not stuck. */
bool weft_stage_lock_for_answer(weft_stage_t *stage) {
  enum { SPINS = 100 };
  for (int spins = 0;; spins++) {
    if (!weft_peek(&stage->lock.held) && weft_lock_try(&stage->lock)) return true;
    if (weft_peek(&stage->stuck)) return false;
    if (spins < SPINS)
      weft_cpu_relax();
    else
      sched_yield();
  }
}

/* Records that gathered behind a packet leave when its answer has come. */
static void send_gathered(weft_channel_t *c, int node) {
  weft_stage_t *stage = &c->stages[node];
  const uint64_t open = __atomic_load_n(&c->open[node / 64], __ATOMIC_SEQ_CST); /* send_missed */
  if (!(open >> node % 64 & 1) || !weft_peek(&c->eager) || !weft_stage_lock_for_answer(stage))
    return;
  if (stage->fill && weft_stage_is_quiet(stage))
    weft_stage_send(c->head, stage, node, c->endpoint, WEFT_SEND_LAZY | WEFT_SEND_TRY);
  weft_unlock(&stage->lock);
}

/* Without staged records and packets under way the fence has no effect any more. */
static WEFT_COLD void forget_fence(weft_stage_t *stage) {
  if (!weft_stage_lock_for_answer(stage)) return;
  if (stage->fill == 0 && weft_observe(&stage->busy) == 0) weft_poke(&stage->fenced, false);
  weft_unlock(&stage->lock);
}

void weft_stage_answered(const weft_packet_t *reply) {
  weft_channel_t *c = &weft_channels[reply->channel];
  if (weft_unlikely(reply->kind == WEFT_PACKET_ARRIVED)) {
    weft_watch_told(reply);
    return;
  }
  weft_poke(&c->answered, c->answered + 1); /* one thread at a time takes a channel's answers */
  if (reply->buffer == UINT16_MAX) {
    weft_publish(&c->stages[reply->from].greeted, true);
    __atomic_fetch_sub(&c->unmet, 1, __ATOMIC_RELEASE);
    return;
  }
  const int node = (int)reply->from;
  weft_stage_t *stage = &c->stages[node];
  if (reply->kind == WEFT_PACKET_FLOW_REPLY)
    weft_packets.note(c, reply);
  else
    store_results(reply);
  for (uint32_t answered = reply->buffer & WEFT_ANSWERED; answered; answered &= answered - 1) {
    const int buffer = __builtin_ctz(answered);
    let_go(c, node, buffer);
    if (__atomic_and_fetch(&stage->busy, ~(1u << buffer), __ATOMIC_SEQ_CST) == 0 &&
        weft_unlikely(weft_peek(&stage->fenced)))
      forget_fence(stage);
    weft_op_down(&c->packets);
  }
  if (reply->want) __atomic_fetch_sub(&c->head->due, reply->want, __ATOMIC_RELEASE);
  if (weft_observe(&c->flows)) weft_packets.pump(c, node);
  send_gathered(c, node);
}
