/*
 * The sending side: records are packed into the staging area of their destination node and travel
 * as packets. No allocation, no system call but the provider's; a full set of buffers is
 * back-pressure, and the waiter makes progress.
 */
#include <string.h>

#include "am/am_internal.h"

/* Head of a PE's staging area, before its stages. */
typedef struct weft_stages {
  uint32_t outstanding; /* packets of this PE sent (by it or by the helper) and not answered */
  uint32_t due;         /* replies that were asked for and are not there */
  /* A bit per node whose stage holds something; then as many words with a bit per node that owes
   * answers which nobody has asked for. */
  uint64_t open[];
} weft_stages_t;

weft_am_glance_t weft_am_glance;

static struct {
  weft_stage_t *own; /* this PE's stages, one per node */
  uint32_t hellos;   /* greetings not yet answered */
} stage_state;

/* The head takes a cache line per node of the job: a bit is enough, but so the size is a multiple
 * of the node count. */
size_t weft_am_stage_size(void) {
  return sizeof(weft_stage_t) + WEFT_CACHELINE;
}

static weft_stages_t *head_of(int slot) {
  return (weft_stages_t *)(weft_window_slot(&weft_job.window, slot) + weft_job.layout.stages);
}

weft_stage_t *weft_stage_of(int slot, int node) {
  char *stages = (char *)head_of(slot) + (size_t)weft_job.nnodes * WEFT_CACHELINE;
  return (weft_stage_t *)stages + node;
}

uint64_t *weft_stage_open_words(int slot) {
  return head_of(slot)->open;
}

static void set_bit(uint64_t *words, int node, bool on) {
  uint64_t *word = &words[node / 64], bit = (uint64_t)1 << node % 64;
  if (on)
    __atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
  else
    __atomic_fetch_and(word, ~bit, __ATOMIC_RELEASE);
}

static uint64_t *owing_words(void) {
  return weft_am_glance.open + weft_am_glance.words;
}

/* From here on the answers to all that this PE has sent to the node itself are on their way, or
 * not. */
static void set_owed(weft_stage_t *stage, int node, bool owed) {
  if (stage->owed == owed) return;
  stage->owed = owed;
  set_bit(owing_words(), node, owed);
}

void weft_stage_send(weft_stage_t *stage, int slot, int node, weft_endpoint_t *from, bool want) {
  weft_packet_t *packet = (weft_packet_t *)stage->data[stage->next];
  uint32_t bytes = stage->fill;
  *packet = (weft_packet_t){.kind = WEFT_PACKET_RECORDS,
                            .buffer = (uint16_t)stage->next,
                            .bytes = bytes,
                            .from = (uint32_t)weft_job.local[slot],
                            .want = want};
  /* Counted before the open bit goes, so that quiet cannot see neither. */
  __atomic_fetch_add(&head_of(slot)->outstanding, 1, __ATOMIC_RELAXED);
  if (want) __atomic_fetch_add(&head_of(slot)->due, 1, __ATOMIC_RELAXED);
  __atomic_fetch_or(&stage->busy, 1u << stage->next, __ATOMIC_RELAXED);
  stage->next = (stage->next + 1) % WEFT_STAGE_BUFFERS;
  stage->fill = 0;
  stage->sent++;
  set_bit(head_of(slot)->open, node, false);
  if (bytes <= from->inject_max)
    weft_endpoint_inject(from, (uint64_t)node, packet, bytes);
  else
    weft_endpoint_send(from, (uint64_t)node, packet, bytes, &from->sends);
}

/* The PE's own packets travel in order, so asking with the last one asks for all. Even who does not
 * want to know asks before the buffers run out. */
static void send_own(weft_stage_t *stage, int node, bool want) {
  want |= __builtin_popcount(weft_peek(&stage->busy)) >= WEFT_STAGE_BUFFERS - 2;
  set_owed(stage, node, !want);
  weft_stage_send(stage, weft_job.slot, node, &weft_job.endpoint, want);
  weft_helper_arm();
}

/* Ask for the answers that a node owes. Under the lock. */
static void ask(weft_stage_t *stage, int node) {
  if (!stage->owed) return;
  weft_packet_t packet = {
      .kind = WEFT_PACKET_ASK, .bytes = sizeof packet, .from = (uint32_t)weft_job.pe, .want = true};
  __atomic_fetch_add(weft_am_glance.due, 1, __ATOMIC_RELAXED);
  set_owed(stage, node, false);
  weft_endpoint_inject(&weft_job.endpoint, (uint64_t)node, &packet, sizeof packet);
}

/* The stage is locked and its buffer is full, or was sent and is not answered. Returns locked, with
 * room. */
static WEFT_COLD void make_room(weft_stage_t *stage, int node, size_t bytes) {
  unsigned steps = 0;
  for (;;) {
    if (stage->fill + bytes > WEFT_PACKET_MAX) send_own(stage, node, true);
    if (stage->fill == 0 && !(weft_observe(&stage->busy) >> stage->next & 1)) {
      stage->fill = sizeof(weft_packet_t);
      set_bit(weft_am_glance.open, node, true);
    }
    if (stage->fill != 0) return;
    ask(stage, node);
    weft_unlock(&stage->lock);
    weft_am_wait_step(&steps);
    weft_lock(&stage->lock);
  }
}

/* Room for a record of `bytes` (header included, padded); returns with the stage locked. */
static inline weft_record_t *open_record(weft_stage_t *stage, int node, size_t bytes) {
  weft_lock(&stage->lock);
  if (weft_unlikely(stage->fill == 0 || stage->fill + bytes > WEFT_PACKET_MAX))
    make_room(stage, node, bytes);
  weft_record_t *record = (weft_record_t *)(stage->data[stage->next] + stage->fill);
  stage->fill += (uint32_t)bytes;
  return record;
}

void weft_am_put(int pe, uintptr_t off, const void *source, size_t n) {
  weft_where_t to = weft_job.where[pe];
  weft_stage_t *stage = &stage_state.own[to.node];
  weft_record_t *r = open_record(stage, to.node, sizeof *r + ((n + 7) & ~(size_t)7));
  *r = (weft_record_t){.off = off, .slot = to.slot, .kind = WEFT_RECORD_PUT, .len = (uint32_t)n};
  memcpy(r + 1, source, n);
  weft_unlock(&stage->lock);
}

void weft_am_put_word(int pe, uintptr_t off, uint64_t value, size_t n) {
  weft_where_t to = weft_job.where[pe];
  weft_stage_t *stage = &stage_state.own[to.node];
  weft_record_t *r = open_record(stage, to.node, sizeof *r + sizeof value);
  *r = (weft_record_t){.off = off, .slot = to.slot, .kind = WEFT_RECORD_PUT, .len = (uint32_t)n};
  memcpy(r + 1, &value, sizeof value); /* little endian: the first n bytes count */
  weft_unlock(&stage->lock);
}

void weft_am_post(int pe, uintptr_t off, enum weft_amo op, size_t width, uint64_t operand) {
  weft_where_t to = weft_job.where[pe];
  weft_stage_t *stage = &stage_state.own[to.node];
  weft_record_t *r = open_record(stage, to.node, sizeof *r + sizeof operand);
  *r = (weft_record_t){.off = off,
                       .slot = to.slot,
                       .kind = WEFT_RECORD_POST,
                       .op = (uint8_t)op,
                       .len = (uint32_t)width};
  memcpy(r + 1, &operand, sizeof operand);
  weft_unlock(&stage->lock);
}

/* Returns with the stage locked: the caller decides whether the packet leaves now. */
static weft_stage_t *stage_fetch(weft_where_t to, uintptr_t off, enum weft_amo op, size_t width,
                                 uint64_t operand, uint64_t cond, void *result) {
  uint64_t rest[3] = {operand, cond, (uint64_t)(uintptr_t)result};
  weft_stage_t *stage = &stage_state.own[to.node];
  weft_record_t *r = open_record(stage, to.node, sizeof *r + sizeof rest);
  *r = (weft_record_t){.off = off,
                       .slot = to.slot,
                       .kind = WEFT_RECORD_FETCH,
                       .op = (uint8_t)op,
                       .len = (uint32_t)width};
  memcpy(r + 1, rest, sizeof rest);
  return stage;
}

void weft_am_fetch_nbi(int pe, uintptr_t off, enum weft_amo op, size_t width, uint64_t operand,
                       uint64_t cond, void *result) {
  weft_stage_t *stage = stage_fetch(weft_job.where[pe], off, op, width, operand, cond, result);
  weft_unlock(&stage->lock);
}

uint64_t weft_am_fetch(int pe, uintptr_t off, enum weft_amo op, size_t width, uint64_t operand,
                       uint64_t cond) {
  weft_where_t to = weft_job.where[pe];
  uint64_t result = 0;
  unsigned steps = 0;
  weft_stage_t *stage = stage_fetch(to, off, op, width, operand, cond, &result);
  uint32_t *answered = &stage->answered[stage->next], before = weft_peek(answered);
  send_own(stage, to.node, true);
  weft_unlock(&stage->lock);
  while (weft_observe(answered) == before) weft_am_wait_step(&steps);
  return result; /* little endian, as all our machines are: a 4-byte result fills the low half */
}

static void flush(bool want) {
  for (int w = 0; w < weft_am_glance.words; w++) {
    uint64_t open = weft_observe(&weft_am_glance.open[w]);
    for (; open; open &= open - 1) {
      int node = w * 64 + __builtin_ctzll(open);
      weft_stage_t *stage = &stage_state.own[node];
      weft_lock(&stage->lock);
      if (stage->fill) send_own(stage, node, want);
      weft_unlock(&stage->lock);
    }
  }
}

void weft_am_flush(void) {
  flush(true);
}

void weft_am_release(void) {
  flush(false);
}

static void ask_all(void) {
  for (int w = 0; w < weft_am_glance.words; w++) {
    uint64_t owing = weft_peek(&owing_words()[w]);
    for (; owing; owing &= owing - 1) {
      int node = w * 64 + __builtin_ctzll(owing);
      weft_stage_t *stage = &stage_state.own[node];
      weft_lock(&stage->lock);
      ask(stage, node);
      weft_unlock(&stage->lock);
    }
  }
}

void weft_am_quiet(void) {
  unsigned steps = 0;
  while (weft_am_busy()) {
    flush(true);
    ask_all();
    if (weft_observe(weft_am_glance.outstanding)) weft_am_wait_step(&steps);
  }
}

/* ---- replies --------------------------------------------------------------------------------- */

void weft_stage_answered(const weft_packet_t *reply) {
  if (reply->buffer == UINT16_MAX) {
    __atomic_fetch_sub(&stage_state.hellos, 1, __ATOMIC_RELEASE);
    return;
  }
  weft_stage_t *stage = &stage_state.own[reply->from];
  const weft_result_t *r = (const weft_result_t *)(reply + 1);
  const weft_result_t *end = (const weft_result_t *)((const char *)reply + reply->bytes);
  for (; r < end; r++) {
    if (r->width == 4)
      *(uint32_t *)(uintptr_t)r->address = (uint32_t)r->value;
    else
      *(uint64_t *)(uintptr_t)r->address = r->value;
  }
  for (uint32_t answered = reply->buffer; answered; answered &= answered - 1) {
    int buffer = __builtin_ctz(answered);
    __atomic_fetch_add(&stage->answered[buffer], 1, __ATOMIC_RELEASE);
    __atomic_fetch_and(&stage->busy, ~(1u << buffer), __ATOMIC_RELEASE);
    __atomic_fetch_sub(weft_am_glance.outstanding, 1, __ATOMIC_RELEASE);
  }
  if (reply->want) __atomic_fetch_sub(weft_am_glance.due, 1, __ATOMIC_RELEASE);
}

void weft_stage_start(void) {
  weft_stages_t *head = head_of(weft_job.slot);
  weft_am_glance = (weft_am_glance_t){.open = head->open,
                                      .outstanding = &head->outstanding,
                                      .due = &head->due,
                                      .words = (weft_job.nnodes + 63) / 64};
  stage_state.own = weft_stage_of(weft_job.slot, 0);
}

/* Greet every node, so that connections are made now and not by the first operation, which a
 * computing peer would stall. A very large job connects as it goes. */
int weft_stage_hello(void) {
  enum { GREET_UP_TO = 256, PATIENCE_S = 60 };
  if (weft_job.nnodes > GREET_UP_TO) return 0;
  weft_packet_t hello = {.kind = WEFT_PACKET_HELLO,
                         .bytes = sizeof hello,
                         .from = (uint32_t)weft_job.pe,
                         .want = true};
  uint64_t deadline = weft_clock_ns() + PATIENCE_S * 1000000000ull;
  unsigned steps = 0;
  for (int node = 0; node < weft_job.nnodes; node++) {
    if (node == weft_job.node) continue;
    __atomic_fetch_add(&stage_state.hellos, 1, __ATOMIC_RELAXED);
    weft_endpoint_inject(&weft_job.endpoint, (uint64_t)node, &hello, sizeof hello);
  }
  while (weft_observe(&stage_state.hellos)) {
    weft_am_wait_step(&steps);
    if (weft_clock_ns() > deadline) {
      weft_warn(
          "%u of %d nodes did not answer over %s within %d s: is the network between them open? "
          "WEFT_IFACE chooses the interface",
          weft_peek(&stage_state.hellos), weft_job.nnodes - 1, weft_job.fabric.name, PATIENCE_S);
      return -ETIMEDOUT;
    }
  }
  return 0;
}
