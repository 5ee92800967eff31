/*
 * The sending side of flows. Transfers to a node wait in a queue per channel; as base buffers and
 * leases come free, the thread that takes the answer packs the next packets (pump). Knows nothing
 * of how the port decides.
 */
#include "flow/flow.h"

#include <stdlib.h>
#include <string.h>

#include "flow/flow_internal.h"

typedef struct transfer {
  struct transfer *next;
  weft_cursor_t local, remote;
  size_t bytes, remote_base; /* of the whole; STRIDED: slot offset of the first block */
  weft_op_t *lc, *rc;
  uint32_t flow, wanted; /* wanted: parts of a get that have not arrived; they use its lists */
  enum weft_flow_action action;
  weft_acc_type_t type;
  uint16_t slot;
  bool scaled, begun, sent;
  uint8_t scale[16];
  _Alignas(16) char lists[]; /* copies of the shapes' lists */
} transfer_t;

/* Where the data of one packet of a get go. */
typedef struct wanted {
  weft_cursor_t local;
  transfer_t *of;
  size_t bytes;
} wanted_t;

/* A packet on a lease that is not answered. */
typedef struct leased {
  weft_op_t *op; /* that counts it, or NULL */
  wanted_t *wanted;
} leased_t;

/* Towards one node. Invariant, under the lock: `backlog` is the bytes of the queue's transfers that
 * are not packed; bit i of `on_lease` is set while leased[i] is under way. The thread that serves
 * the port takes the lock, so nobody who has it waits for the provider's room, or for a stage's
 * lock with a PE that does. */
typedef struct weft_flow_peer {
  weft_lock_t lock;
  bool late; /* there was no room: the last base packet may be staged still, and `kept` wait; no
                other packet goes before them */
  weft_flow_large_t *kept, **kept_end;
  transfer_t *first, **last;
  size_t backlog;
  wanted_t *wanted[WEFT_BUFFERS_MAX]; /* of gets in base buffers */
  leased_t leased[WEFT_SPARES_MAX];
  uint32_t on_lease, adds; /* adds: those of them that accumulate */
  int leases;              /* granted and not used */
  int announced;           /* transfers that will be started: leases are kept for them */
} peer_t;

static struct {
  weft_lock_t lock; /* of making peers */
  uint32_t flows;
  weft_flow_counts_t counts;
} flow;

static void count(uint64_t *counter, uint64_t n) {
  __atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
}

weft_flow_counts_t weft_flow_counts(void) {
  return (weft_flow_counts_t){.packets = weft_peek(&flow.counts.packets),
                              .leases = weft_peek(&flow.counts.leases),
                              .returns = weft_peek(&flow.counts.returns),
                              .announced = weft_peek(&flow.counts.announced)};
}

static void *need(void *memory) {
  if (!memory) weft_fatal("no memory for a non-contiguous transfer: this machine is out of memory");
  return memory;
}

/* ---- room ------------------------------------------------------------------------------------ */

static void send_large(const weft_channel_t *c, int node, peer_t *p, weft_flow_large_t *large) {
  if (weft_likely(!p->late) && weft_flow_large_offer(c, node, large)) return;
  large->next = NULL;
  *p->kept_end = large;
  p->kept_end = &large->next;
  weft_poke(&p->late, true);
}

/* Is all sent that found no room? */
static WEFT_COLD bool offer_kept(weft_channel_t *c, int node, peer_t *p) {
  if (!weft_stage_push(c, node)) return false;
  for (weft_flow_large_t *large = p->kept, *next; large; p->kept = large = next) {
    next = large->next;
    if (!weft_flow_large_offer(c, node, large)) return false;
  }
  p->kept_end = &p->kept;
  weft_poke(&p->late, false);
  return true;
}

/* The flow goes on in waits, and by the helper. */
static WEFT_COLD void go_on_later(weft_channel_t *c) {
  weft_helper_arm(c);
  weft_publish(&c->late, true);
  weft_stage_be_late(WEFT_LATE_FLOWS);
}

/* ---- packing --------------------------------------------------------------------------------- */

static enum weft_flow_reason reason_of(const transfer_t *t) {
  return t->action == WEFT_FLOW_ADD       ? WEFT_REASON_ACCUMULATE
         : t->remote.form == WEFT_STRIDED ? WEFT_REASON_STRIDED
                                          : WEFT_REASON_VECTOR;
}

/* n, or less so that it is whole elements of an accumulate. */
static size_t whole(const transfer_t *t, size_t n) {
  return t->action == WEFT_FLOW_ADD ? n - n % weft_acc_width(t->type) : n;
}

/* The description of as many of the target's bytes as fit `room` with their data behind it; the
 * remote cursor moves past them. Returns the description's size. */
static size_t describe_strided(transfer_t *t, weft_flow_head_t *h, size_t room) {
  uint64_t *count = (uint64_t *)(h + 1);
  weft_cursor_t *c = &t->remote;
  const size_t size = 2 * c->n * sizeof *count;
  h->form = WEFT_STRIDED;
  h->dims = (uint8_t)c->n;
  h->base = t->remote_base;
  h->run = c->run;
  h->skip = t->bytes - c->total;
  for (size_t d = 0; d < c->n; d++) {
    count[d] = c->count[d];
    count[c->n + d] = (uint64_t)c->stride[d];
  }
  h->bytes = (uint32_t)weft_smaller(whole(t, room - size), c->total);
  weft_cursor_skip(c, h->bytes);
  return size;
}

static size_t describe_places(transfer_t *t, weft_flow_head_t *h, size_t room) {
  uint64_t *place = (uint64_t *)(h + 1);
  weft_cursor_t *c = &t->remote;
  h->form = WEFT_PLACES;
  h->run = c->run;
  for (; c->total > 0 && room >= c->run + sizeof *place; room -= c->run + sizeof *place) {
    *place++ = c->at;
    h->bytes += (uint32_t)c->run;
    h->entries++;
    weft_cursor_step(c, c->run);
  }
  return h->entries * sizeof *place;
}

static size_t describe_pieces(transfer_t *t, weft_flow_head_t *h, size_t room) {
  /* Bytes of a block's beginning; and a word is not cut in two: its owner may be looking at it. */
  enum { WORTHWHILE = 64, WORD = 8 };
  weft_piece_t *piece = (weft_piece_t *)(h + 1);
  weft_cursor_t *c = &t->remote;
  h->form = WEFT_PIECES;
  while (c->total > 0 && room > sizeof *piece) {
    size_t n = weft_smaller(c->left, whole(t, room - sizeof *piece));
    if (n < c->left && t->action == WEFT_FLOW_PUT) n -= weft_smaller(n, (c->at + n) % WORD);
    if (n == 0 || (n < c->left && n < WORTHWHILE && h->entries > 0)) break;
    *piece++ = (weft_piece_t){c->at, n};
    h->bytes += (uint32_t)n;
    h->entries++;
    room -= sizeof *piece + n;
    weft_cursor_step(c, n);
  }
  return h->entries * sizeof *piece;
}

/* Fill a packet of at most `room` bytes with what comes next; its size. */
static size_t pack(transfer_t *t, char *packet, size_t room) {
  weft_flow_head_t *h = (weft_flow_head_t *)(packet + sizeof(weft_packet_t));
  const weft_cursor_t *c = &t->remote;
  *h = (weft_flow_head_t){.flow = t->flow,
                          .action = (uint8_t)t->action,
                          .reason = (uint8_t)reason_of(t),
                          .type = (uint8_t)t->type,
                          .scaled = t->scaled,
                          .slot = t->slot};
  memcpy(h->scale, t->scale, sizeof h->scale);
  room -= sizeof(weft_packet_t) + sizeof *h;
  /* The data of a get come in an acknowledgement, which is smaller by less than that. */
  size_t size;
  if (c->form == WEFT_STRIDED && c->n <= WEFT_FLOW_DIMS)
    size = describe_strided(t, h, room);
  else if (c->form == WEFT_PLACES && c->left == c->run && c->run + 8 <= room)
    size = describe_places(t, h, room);
  else
    size = describe_pieces(t, h, room);
  size += sizeof(weft_packet_t) + sizeof *h;
  if (t->action == WEFT_FLOW_GET) return size;
  weft_cursor_pack(&t->local, packet + size, h->bytes);
  return weft_round_up(size + h->bytes, 8); /* heads that follow each other are aligned */
}

/* The packet is filled: it says how much comes after it, and returns leases that are not needed. */
static void intimate(peer_t *p, transfer_t *t, weft_flow_head_t *h) {
  p->backlog -= h->bytes;
  if (weft_options.flow_intimation) {
    h->left = p->backlog;
    h->blocks = t->remote.total ? (t->remote.total - 1) / weft_cursor_block(&t->remote) + 1 : 0;
  }
  if (p->backlog > 0 || p->leases == 0) return;
  h->returns = (uint8_t)p->leases;
  count(&flow.counts.returns, (uint64_t)p->leases);
  p->leases = 0;
}

/* The part of the local shape that this packet of a get asks for. */
static wanted_t *want_part(transfer_t *t, size_t bytes) {
  if (t->action != WEFT_FLOW_GET) return NULL;
  wanted_t *part = need(malloc(sizeof *part));
  *part = (wanted_t){t->local, t, bytes};
  t->wanted++;
  weft_cursor_skip(&t->local, bytes);
  return part;
}

static void forget(transfer_t *t) {
  if (t->sent && t->wanted == 0) free(t);
}

/* The part's data have come, or (NULL) will not come. */
static void end_part(wanted_t **part, const void *data, size_t n) {
  wanted_t *w = *part;
  if (!w) return;
  if (data) weft_cursor_unpack(&w->local, data, n);
  w->of->wanted--;
  forget(w->of);
  free(w);
  *part = NULL;
}

static bool send_base(weft_channel_t *c, int node, peer_t *p, transfer_t *t) {
  uint32_t buffer;
  bool late;
  char *packet = weft_stage_claim(c, node, &buffer, &late);
  if (weft_unlikely(late)) weft_poke(&p->late, true);
  if (!packet) return false;
  weft_flow_head_t *h = (weft_flow_head_t *)(packet + sizeof(weft_packet_t));
  const size_t size = pack(t, packet, weft_ports.piece_bytes);
  p->wanted[buffer] = want_part(t, h->bytes);
  intimate(p, t, h);
  count(&flow.counts.packets, 1);
  const bool want = t->action == WEFT_FLOW_GET || (t->remote.total == 0 && t->rc != NULL);
  const unsigned how =
      (want ? WEFT_SEND_ASK : 0) | (t->action == WEFT_FLOW_ADD ? WEFT_SEND_ADD : 0);
  if (weft_unlikely(!weft_stage_commit(c, node, size, how, t->rc))) weft_poke(&p->late, true);
  return true;
}

/* The head of a packet of `size` bytes, head and all, that takes no base buffer. */
static weft_packet_t unbuffered(const weft_channel_t *c, int node, size_t size) {
  return (weft_packet_t){.kind = WEFT_PACKET_FLOW,
                         .channel = c->number,
                         .buffer = WEFT_NO_BUFFER,
                         .bytes = (uint32_t)size,
                         .from = (uint32_t)weft_job.pe,
                         .token = weft_job.tokens[node]};
}

static void send_leased(weft_channel_t *c, int node, peer_t *p, transfer_t *t) {
  const int id = __builtin_ctz(~p->on_lease);
  weft_flow_large_t *large = weft_flow_large_take();
  weft_packet_t *packet = (weft_packet_t *)large->data;
  weft_flow_head_t *h = (weft_flow_head_t *)(packet + 1);
  weft_poke(&p->adds, (p->adds & ~(1u << id)) | (uint32_t)(t->action == WEFT_FLOW_ADD) << id);
  weft_poke(&p->on_lease, p->on_lease | 1u << id);
  p->leases--;
  const size_t size = pack(t, large->data, weft_ports.spare_bytes);
  p->leased[id] = (leased_t){t->rc, want_part(t, h->bytes)};
  if (t->rc) weft_op_up(t->rc);
  h->lease = (uint8_t)(id + 1);
  intimate(p, t, h);
  *packet = unbuffered(c, node, size);
  weft_op_up(&c->packets);
  __atomic_fetch_add(&c->head->due, 1, __ATOMIC_RELAXED);
  count(&flow.counts.leases, 1);
  send_large(c, node, p, large);
  weft_helper_arm(c);
}

/* A packet that is a head only; it takes no buffer and is not answered by itself. Only where there
 * are spares: large packets are of their size. */
static void send_head(weft_channel_t *c, int node, peer_t *p, const weft_flow_head_t *head) {
  const size_t size = sizeof(weft_packet_t) + sizeof *head;
  weft_flow_large_t *large = weft_flow_large_take();
  weft_packet_t *packet = (weft_packet_t *)large->data;
  *packet = unbuffered(c, node, size);
  memcpy(packet + 1, head, sizeof *head);
  send_large(c, node, p, large);
}

static void return_leases(weft_channel_t *c, int node, peer_t *p) {
  const weft_flow_head_t head = {.action = WEFT_FLOW_RETURN, .returns = (uint8_t)p->leases};
  count(&flow.counts.returns, (uint64_t)p->leases);
  p->leases = 0;
  send_head(c, node, p, &head);
}

/* ---- the queue ------------------------------------------------------------------------------- */

/* All of the transfer is sent: from here on only its packets are counted. */
static void finish(weft_channel_t *c, transfer_t *t) {
  if (t->lc) weft_op_down(t->lc);
  if (t->rc) weft_op_down(t->rc);
  weft_op_down(&c->packets);
  t->sent = true;
  forget(t);
}

/* May a transfer that is sent now be applied before packets under way? It may pass a packet on a
 * lease, or a large one. Accumulates commute, so they may pass one another. */
static bool may_pass(const weft_channel_t *c, int node, const peer_t *p, bool add) {
  const unsigned loose = weft_stage_loose(&c->stages[node]);
  const uint32_t leased = p ? weft_peek(&p->on_lease) : 0;
  if (!add) return loose || leased;
  return loose & ~(unsigned)WEFT_LOOSE_ADD || (leased && leased & ~weft_peek(&p->adds));
}

/* On an ordered channel a transfer begins when the packets that it could pass are applied. */
static bool may_begin(const weft_channel_t *c, int node, const peer_t *p, const transfer_t *t) {
  return t->begun || !weft_peek(&c->ordered) || !may_pass(c, node, p, t->action == WEFT_FLOW_ADD);
}

/* A large rest waits for no base buffer if there is a lease, and a small one for no lease. */
static bool send_next(weft_channel_t *c, int node, peer_t *p) {
  transfer_t *t = p->first;
  if (!may_begin(c, node, p, t)) return false;
  const bool lease = p->leases > 0 && ~p->on_lease;
  const bool small = p->backlog <= weft_ports.piece_bytes / 2;
  if (!((small || !lease) && send_base(c, node, p, t))) {
    if (!lease || p->late) return false;
    send_leased(c, node, p, t);
  }
  t->begun = true;
  if (t->remote.total > 0) return true;
  weft_publish(&p->first, t->next); /* after its last packet's bit (weft_flow_is_loose) */
  if (!p->first) p->last = &p->first;
  finish(c, t);
  return true;
}

/* Under the lock. */
static void pump(weft_channel_t *c, int node, peer_t *p) {
  if (weft_likely(!p->late) || offer_kept(c, node, p)) {
    while (p->first && send_next(c, node, p) && !p->late) {
    }
    if (p->leases > 0 && !p->late && !p->announced &&
        (!p->first || !may_begin(c, node, p, p->first)))
      return_leases(c, node, p);
  }
  if (weft_unlikely(p->late)) go_on_later(c);
}

static peer_t *peer_of(const weft_channel_t *c, int node) {
  peer_t **peers = weft_observe(&c->flows);
  return peers ? weft_observe(&peers[node]) : NULL;
}

static WEFT_COLD peer_t *make_peer(weft_channel_t *c, int node) {
  weft_lock(&flow.lock);
  if (!c->flows) weft_publish(&c->flows, need(calloc((size_t)weft_job.nnodes, sizeof *c->flows)));
  peer_t *p = c->flows[node];
  if (!p) {
    p = need(calloc(1, sizeof *p));
    p->last = &p->first;
    p->kept_end = &p->kept;
    weft_publish(&c->flows[node], p);
  }
  weft_unlock(&flow.lock);
  return p;
}

static void pump_node(weft_channel_t *c, int node) {
  peer_t *p = peer_of(c, node);
  if (!p) return;
  weft_lock(&p->lock);
  pump(c, node, p);
  weft_unlock(&p->lock);
}

static int again(weft_channel_t *c) {
  int n = 0;
  if (!__atomic_exchange_n(&c->late, false, __ATOMIC_ACQ_REL)) return 0;
  for (int node = 0; node < weft_job.nnodes; node++) {
    const peer_t *p = peer_of(c, node);
    if (!p || !weft_peek(&p->late)) continue;
    pump_node(c, node);
    n++;
  }
  return n;
}

/* The PE waits for the provider's room without the lock. */
static WEFT_COLD void wait_for_room(weft_channel_t *c, int node, const peer_t *p) {
  while (weft_peek(&p->late)) {
    weft_endpoint_poll_or_yield(c->endpoint);
    pump_node(c, node);
  }
}

/* Lists may change when the call returns; a strided shape is in its cursor. */
static size_t list_bytes(const weft_shape_t *s) {
  return s->form == WEFT_PIECES   ? s->n * sizeof *s->pieces
         : s->form == WEFT_PLACES ? s->n * sizeof *s->places
                                  : 0;
}

static void open_copy(weft_cursor_t *cursor, const weft_shape_t *s, char *copy) {
  weft_shape_t kept = *s;
  if (s->form == WEFT_PIECES) kept.pieces = memcpy(copy, s->pieces, list_bytes(s));
  if (s->form == WEFT_PLACES) kept.places = memcpy(copy, s->places, list_bytes(s));
  weft_cursor_open(cursor, &kept);
}

void weft_flow_start(weft_channel_t *c, int pe, enum weft_flow_action action,
                     const weft_shape_t *remote, const weft_shape_t *local, weft_acc_type_t type,
                     const void *scale, weft_op_t *lc, weft_op_t *rc) {
  const weft_where_t to = weft_job.where[pe];
  const size_t remote_list = list_bytes(remote), bytes = weft_shape_bytes(remote);
  if (bytes == 0) return;
  peer_t *p = peer_of(c, to.node);
  if (!p) p = make_peer(c, to.node);
  transfer_t *t = need(malloc(sizeof *t + remote_list + list_bytes(local)));
  t->next = NULL;
  t->bytes = bytes;
  t->remote_base = remote->base;
  t->lc = lc, t->rc = rc;
  t->flow = __atomic_add_fetch(&flow.flows, 1, __ATOMIC_RELAXED);
  t->action = action, t->type = type, t->slot = to.slot;
  t->begun = t->sent = false;
  t->wanted = 0;
  t->scaled = scale != NULL;
  memset(t->scale, 0, sizeof t->scale);
  if (scale) memcpy(t->scale, scale, weft_acc_width(type));
  open_copy(&t->remote, remote, t->lists);
  open_copy(&t->local, local, t->lists + remote_list);
  if (lc) weft_op_up(lc);
  if (rc) weft_op_up(rc);
  weft_op_up(&c->packets);
  weft_lock(&p->lock);
  weft_poke(p->last, t);
  p->last = &t->next;
  weft_channel_touch(c, to.node); /* when it is there to be seen (order.c) */
  p->backlog += bytes;
  if (p->announced) p->announced--;
  pump(c, to.node, p);
  weft_unlock(&p->lock);
  if (weft_unlikely(weft_peek(&p->late))) wait_for_room(c, to.node, p);
}

void weft_flow_announce(weft_channel_t *c, int node, size_t bytes, size_t blocks) {
  peer_t *p = peer_of(c, node);
  if (!weft_options.flow_intimation || bytes <= weft_ports.piece_bytes) return;
  if (weft_unlikely(weft_ports.spares == 0)) return; /* nothing could be lent */
  if (!p) p = make_peer(c, node);
  const weft_flow_head_t head = {
      .action = WEFT_FLOW_ANNOUNCE,
      .reason = WEFT_REASON_FENCE,
      .flow = __atomic_add_fetch(&flow.flows, 1, __ATOMIC_RELAXED),
      .left = bytes,
      .blocks = blocks,
  };
  count(&flow.counts.announced, 1);
  weft_lock(&p->lock);
  p->announced++;
  send_head(c, node, p, &head);
  weft_unlock(&p->lock);
  if (weft_unlikely(weft_peek(&p->late))) wait_for_room(c, node, p);
}

/* ---- answers --------------------------------------------------------------------------------- */

static void release_leased(weft_channel_t *c, peer_t *p, int id) {
  if (!(p->on_lease >> id & 1)) return;
  weft_publish(&p->on_lease, p->on_lease & ~(1u << id)); /* after a get's data were stored */
  end_part(&p->leased[id].wanted, NULL, 0);
  if (p->leased[id].op) weft_op_down(p->leased[id].op);
  __atomic_fetch_sub(&c->head->due, 1, __ATOMIC_RELEASE);
  weft_op_down(&c->packets);
}

/* Data of a get in a base buffer come with the answer to its packet. */
static void check_note(const weft_packet_t *reply, const weft_flow_note_t *note) {
  const size_t head = sizeof *reply + sizeof *note;
  const unsigned answers = reply->buffer & WEFT_ANSWERED & 1u << note->buffer % WEFT_BUFFERS_MAX;
  const bool is_its = answers && reply->buffer >> WEFT_RESULTS_OF == note->buffer + 1;
  if (reply->bytes < head || note->bytes > reply->bytes - head || note->lease > WEFT_SPARES_MAX ||
      (note->bytes && !note->lease && (note->buffer >= WEFT_BUFFERS_MAX || !is_its)) ||
      note->ids >> WEFT_SPARES_MAX || note->granted > weft_ports.spares)
    weft_answer_refuse(reply, "a note that is not what it says");
}

static void take_data(peer_t *p, const weft_packet_t *reply, const weft_flow_note_t *note) {
  wanted_t **part = note->lease ? &p->leased[note->lease - 1].wanted : &p->wanted[note->buffer];
  if (*part && note->bytes != (*part)->bytes)
    weft_answer_refuse(reply, "other data than a get asked for");
  end_part(part, note + 1, note->bytes);
}

static void note_reply(weft_channel_t *c, const weft_packet_t *reply) {
  const weft_flow_note_t *note = (const weft_flow_note_t *)(reply + 1);
  peer_t *p = peer_of(c, (int)reply->from);
  check_note(reply, note);
  if (!p) return;
  weft_lock(&p->lock);
  p->leases += note->granted;
  if (note->bytes) {
    take_data(p, reply, note);
    if (note->lease) release_leased(c, p, note->lease - 1);
  }
  for (uint64_t ids = note->ids; ids; ids &= ids - 1) release_leased(c, p, __builtin_ctzll(ids));
  weft_unlock(&p->lock);
}

static uint64_t under_way(const weft_channel_t *c, int node) {
  const peer_t *p = peer_of(c, node);
  return p && !weft_peek(&p->kept) ? weft_observe(&p->on_lease) : 0;
}

static void lose(weft_channel_t *c, int node) {
  peer_t *p = peer_of(c, node);
  if (!p) return;
  weft_lock(&p->lock);
  p->leases = 0;
  for (int i = 0; i < WEFT_BUFFERS_MAX; i++) end_part(&p->wanted[i], NULL, 0);
  weft_flow_large_free(p->kept);
  weft_poke(&p->kept, NULL);
  p->kept_end = &p->kept;
  for (int id = 0; id < WEFT_SPARES_MAX; id++) release_leased(c, p, id);
  pump(c, node, p);
  weft_unlock(&p->lock);
}

static void close_flows(weft_channel_t *c) {
  for (int node = 0; c->flows && node < weft_job.nnodes; node++) {
    if (c->flows[node]) weft_flow_large_free(c->flows[node]->kept);
    free(c->flows[node]);
  }
  free(c->flows);
  c->flows = NULL;
  weft_flow_large_close();
}

bool weft_flow_waits(const weft_channel_t *c, int node, bool add) {
  return may_pass(c, node, peer_of(c, node), add);
}

bool weft_flow_is_loose(const weft_channel_t *c, int node) {
  const peer_t *p = peer_of(c, node);
  return p && (weft_observe(&p->first) || weft_observe(&p->on_lease));
}

void weft_flow_attach(void) {
  weft_port_handle_packets(&(weft_packet_handlers_t){.open = weft_flow_port_start,
                                                     .hear = weft_flow_hear,
                                                     .serve = weft_flow_serve,
                                                     .tick = weft_flow_tick,
                                                     .note = note_reply,
                                                     .pump = pump_node,
                                                     .again = again,
                                                     .under_way = under_way,
                                                     .arrived = weft_flow_arrived,
                                                     .lose = lose,
                                                     .close = close_flows});
}
