/*
 * The receiving side of flows: packets are carried out on the window, and leases of the spare
 * buffers are granted to those who say that more is coming. The port's server alone calls this.
 */
#include <string.h>

#include "flow/flow_internal.h"
#include "flow/lease.h"

/* A client that does not use a lease for so long has lost it: it may be stopped, or gone. A packet
 * that it sends on the lost lease is still taken, as every packet says itself where it belongs. */
#define PATIENCE_NS (10 * 1000000000ull)
enum { LOOK_MS = 100 };

static struct {
  weft_leases_t leases;
  uint64_t looked;
  uint32_t changes; /* weft_job_changes */
} port;

void weft_flow_port_start(void) {
  weft_leases_open(&port.leases, weft_ports.spares);
}

/* ---- the target's bytes ---------------------------------------------------------------------- */

static __attribute__((noreturn)) void refuse(const weft_packet_t *packet,
                                             const weft_flow_head_t *h) {
  weft_fatal("pe %u: a non-contiguous transfer with pe %d reaches beyond its memory, or a constant",
             packet->from, h->slot < weft_job.nslots ? weft_job.local[h->slot] : -1);
}

/* [off, off + n) in a slot, from `begin` on? */
static bool inside(uint64_t off, uint64_t n, uint64_t begin) {
  const size_t end = weft_layout_end(&weft_job.window.layout);
  return (n == 0 || off >= begin) && off <= end && n <= end - off;
}

/* The first slot offset that the packet may touch: constants, which come first, may only be read.
 */
static uint64_t begin_of(const weft_flow_head_t *h) {
  return h->action == WEFT_FLOW_GET ? 0 : weft_job.window.layout.statics;
}

/* The lowest and highest block of a strided shape are corners of it. Neither the number of bytes
 * nor a distance may overflow. */
static bool strided_inside(const weft_shape_t *s, uint64_t base, uint64_t begin) {
  uint64_t low = base, high = base, bytes = s->run;
  for (size_t d = 0; d < s->n; d++) {
    int64_t reach;
    uint64_t *end = s->stride[d] < 0 ? &low : &high;
    if (s->count[d] == 0 || __builtin_mul_overflow(bytes, s->count[d], &bytes) ||
        __builtin_mul_overflow((int64_t)(s->count[d] - 1), (int64_t)s->stride[d], &reach))
      return false;
    *end += (uint64_t)reach;
    if (!inside(*end, 0, begin)) return false;
  }
  return inside(low, s->run, begin) && inside(high, s->run, begin);
}

/* Bytes of the description; SIZE_MAX: it has no valid form. */
static size_t describes(const weft_flow_head_t *h) {
  switch (h->form) {
  case WEFT_STRIDED: return h->dims <= WEFT_FLOW_DIMS ? 16u * h->dims : SIZE_MAX;
  case WEFT_PIECES: return h->entries * sizeof(weft_piece_t);
  case WEFT_PLACES: return h->entries * sizeof(uint64_t);
  default: return SIZE_MAX;
  }
}

static bool has_target(const weft_flow_head_t *h) {
  return h->action < WEFT_FLOW_RETURN;
}

/* Every field of the head, before any is used. */
static void check(const weft_packet_t *packet, const weft_flow_head_t *h) {
  const size_t left = packet->bytes - sizeof *packet;
  if (left < sizeof *h) weft_server_refuse(packet, "a flow without a head");
  if (h->lease > WEFT_SPARES_MAX || h->returns > WEFT_SPARES_MAX ||
      h->action > WEFT_FLOW_ANNOUNCE ||
      (!h->lease && packet->buffer != WEFT_NO_BUFFER &&
       packet->buffer >= (unsigned)weft_ports.buffers))
    weft_server_refuse(packet, "a flow's lease, buffer or action that there is not");
  if (!has_target(h)) return;
  const size_t room = left - sizeof *h, text = describes(h);
  const size_t most = weft_job.layout.message_max - sizeof *packet - sizeof(weft_flow_note_t) - 8;
  if (text > room || (h->action == WEFT_FLOW_GET ? h->bytes > most : h->bytes > room - text))
    weft_server_refuse(packet, "a flow whose description or data reach beyond its end");
  if (h->action == WEFT_FLOW_ADD &&
      (h->type >= WEFT_ACC_TYPES || h->bytes % weft_acc_width((weft_acc_type_t)h->type)))
    weft_server_refuse(packet, "an accumulate of no known type");
}

/* Accumulates add whole elements, whose widths are powers of two. */
static bool has_elements(const weft_flow_head_t *h, const weft_shape_t *s) {
  if (h->action != WEFT_FLOW_ADD) return true;
  size_t odd = h->skip | s->run;
  for (size_t i = 0; s->form == WEFT_PIECES && i < s->n; i++) odd |= s->pieces[i].n;
  return odd % weft_acc_width((weft_acc_type_t)h->type) == 0;
}

/* Open a cursor on the target's bytes of this packet; returns its data, after the description. */
static const char *open_target(const weft_packet_t *packet, const weft_flow_head_t *h,
                               weft_cursor_t *c) {
  const char *after = (const char *)(h + 1);
  if (h->slot >= weft_job.nslots) refuse(packet, h);
  const uintptr_t slot = (uintptr_t)weft_window_slot(&weft_job.window, h->slot);
  weft_shape_t s = {0};
  const uint64_t begin = begin_of(h);
  bool good = true;
  switch (h->form) {
  case WEFT_STRIDED:
    s = weft_shape_strided(slot + h->base, h->run, h->dims, (const size_t *)after,
                           (const ptrdiff_t *)(after + 8u * h->dims));
    good = h->dims <= WEFT_FLOW_DIMS && strided_inside(&s, h->base, begin);
    after += 16u * h->dims;
    break;
  case WEFT_PIECES:
    s = weft_shape_pieces(slot, h->entries, (const weft_piece_t *)after);
    for (size_t i = 0; i < s.n; i++) good &= inside(s.pieces[i].at, s.pieces[i].n, begin);
    after += h->entries * sizeof *s.pieces;
    break;
  case WEFT_PLACES:
    s = weft_shape_places(slot, h->run, h->entries, (const uintptr_t *)after);
    for (size_t i = 0; i < s.n; i++) good &= inside(s.places[i], s.run, begin);
    after += h->entries * sizeof *s.places;
    break;
  default: good = false;
  }
  if (!good) refuse(packet, h);
  if (!has_elements(h, &s)) weft_server_refuse(packet, "an accumulate of parts of elements");
  weft_cursor_open(c, &s);
  if (h->skip > c->total || h->bytes > c->total - h->skip) refuse(packet, h);
  weft_cursor_skip(c, h->skip);
  return after;
}

/* ---- leases ---------------------------------------------------------------------------------- */

/* The data that a spare buffer holds, nearly. */
static size_t spare_payload(void) {
  return weft_ports.spare_bytes - sizeof(weft_packet_t) - sizeof(weft_flow_head_t) -
         16 * WEFT_FLOW_DIMS;
}

static void tell_next(uint32_t present, weft_flow_note_t *note, uint64_t now) {
  weft_waiting_t granted;
  while (weft_lease_next(&port.leases, now, &granted)) {
    if (note && granted.client == present) {
      note->granted = (uint16_t)(note->granted + granted.wants);
      continue;
    }
    const weft_flow_note_t other = {.flow = granted.flow, .granted = (uint16_t)granted.wants};
    weft_server_tell(granted.client, &other, sizeof other);
  }
}

static int ask(uint32_t client, const weft_flow_head_t *h, uint64_t now) {
  const size_t payload = spare_payload(), wants = (h->left + payload - 1) / payload;
  const int most = wants < WEFT_LEASES_MAX ? (int)wants : WEFT_LEASES_MAX;
  return weft_lease_ask(&port.leases, client, h->flow, most - weft_lease_held(&port.leases, client),
                        now);
}

static uint32_t client_of(const weft_packet_t *packet) {
  return packet->from * WEFT_CHANNELS_MAX + packet->channel;
}

void weft_flow_hear(const weft_packet_t *packet) {
  const weft_flow_head_t *h = (const weft_flow_head_t *)(packet + 1);
  if (packet->kind != WEFT_PACKET_FLOW) return;
  check(packet, h);
  if (h->lease || h->left == 0 || !port.leases.spares) return;
  const uint32_t client = client_of(packet);
  const weft_flow_note_t note = {.flow = h->flow,
                                 .granted = (uint16_t)ask(client, h, weft_clock_ns())};
  if (note.granted) weft_server_tell(client, &note, sizeof note);
}

/* Do what the packet says of leases, and write the note's part about them. A get on a lease is not
 * named in `ids`, as its data are its acknowledgement. */
static void account(uint32_t client, const weft_flow_head_t *h, weft_flow_note_t *note) {
  weft_leases_t *l = &port.leases;
  if (!h->lease && !h->returns && !h->left && !l->waiting) return;
  const uint64_t now = weft_clock_ns();
  bool known = true;
  if (h->lease && h->action == WEFT_FLOW_GET)
    weft_lease_return(l, client, 1);
  else if (h->lease)
    known = weft_lease_use(l, client, h->lease - 1, now);
  if (h->returns) weft_lease_return(l, client, h->returns);
  if (h->left > 0) {
    note->granted = (uint16_t)ask(client, h, now);
  } else if (h->action != WEFT_FLOW_RETURN) {
    weft_lease_done(l, client);
  }
  note->ids = weft_lease_settle(l, client, h->left > 0);
  if (!known) note->ids |= (uint64_t)1 << (h->lease - 1);
  tell_next(client, note, now);
}

/* A get on a lease is not among them: its data leave when it is carried out. */
uint64_t weft_flow_arrived(const weft_packet_t *question) {
  return weft_lease_used(&port.leases, client_of(question));
}

/* Leases of failed PEs end at once, as they will not be returned. */
static void take_from_the_dead(uint64_t now) {
  port.changes = weft_job_changes();
  for (uint32_t pe = 0; pe < (uint32_t)weft_job.npes; pe++)
    if (weft_job_state((int)pe) == WEFT_FAILED)
      for (uint32_t i = 0; i < WEFT_CHANNELS_MAX; i++)
        weft_lease_drop(&port.leases, pe * WEFT_CHANNELS_MAX + i);
  tell_next(0, NULL, now);
}

/* Leases that were granted and not used in time end. Their client may only have been stopped, so it
 * is sent the acknowledgement of the packets that it had sent on others. */
void weft_flow_tick(void) {
  weft_leases_t *l = &port.leases;
  uint32_t client;
  if (weft_likely(weft_leases_idle(l))) return;
  const uint64_t now = weft_clock_ns();
  if (weft_unlikely(weft_job_changes() != port.changes)) take_from_the_dead(now);
  if (now - port.looked < LOOK_MS * 1000000ull) return;
  port.looked = now;
  while (weft_lease_expire(l, now, PATIENCE_NS, &client)) {
    const weft_flow_note_t note = {.ids = weft_lease_settle(l, client, false)};
    weft_server_tell(client, &note, sizeof note);
  }
  tell_next(0, NULL, now);
}

/* ---- packets --------------------------------------------------------------------------------- */

static void add(const weft_flow_head_t *h, weft_cursor_t *c, const char *data) {
  weft_adder_t adder = {
      .locks = weft_port_acc_locks(weft_job.local[h->slot],
                                   (uintptr_t)weft_window_slot(&weft_job.window, h->slot)),
      .type = (weft_acc_type_t)h->type,
      .scale = h->scaled ? h->scale : NULL};
  weft_adder_pass(&adder, c, data, h->bytes);
  weft_adder_end(&adder);
}

size_t weft_flow_serve(const weft_packet_t *packet, char *out) {
  const weft_flow_head_t *h = (const weft_flow_head_t *)(packet + 1);
  weft_flow_note_t *note = (weft_flow_note_t *)out;
  const uint32_t client = client_of(packet);
  weft_cursor_t c;
  *note = (weft_flow_note_t){.flow = h->flow, .lease = h->lease, .buffer = (uint8_t)packet->buffer};
  if (has_target(h)) {
    const char *data = open_target(packet, h, &c);
    if (h->action == WEFT_FLOW_PUT) {
      weft_cursor_unpack(&c, data, h->bytes);
    } else if (h->action == WEFT_FLOW_ADD) {
      add(h, &c, data);
      weft_helper_worked(h->bytes, 0);
    } else {
      note->bytes = h->bytes;
      weft_cursor_pack(&c, note + 1, h->bytes);
    }
    weft_fence_full();
  }
  account(client, h, note);
  const bool tells = note->bytes || note->ids || note->granted;
  return tells ? weft_round_up(sizeof *note + note->bytes, 8) : 0;
}
