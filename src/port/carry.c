/*
 * What the port does with records: each is checked against its packet and the window, and then
 * takes effect with the CPU's own stores and atomics, as those of local PEs do: so both kinds are
 * atomic to each other.
 */
#include <string.h>

#include "port/port_internal.h"

/* ---- checks ---------------------------------------------------------------------------------- */

static size_t size_of(const weft_record_t *r) {
  const size_t data = weft_round_up(r->len, 8);
  switch (r->kind) {
  case WEFT_RECORD_POST: return sizeof *r + 8;
  case WEFT_RECORD_FETCH: return sizeof *r + 24;
  case WEFT_RECORD_FILL: return sizeof *r;
  case WEFT_RECORD_COPY: return sizeof *r + 16;
  case WEFT_RECORD_GET: return sizeof *r + 8;
  case WEFT_RECORD_CALL: return sizeof *r + 24 + data;
  default: return sizeof *r + data;
  }
}

size_t weft_carry_size(const weft_packet_t *packet, size_t at) {
  const weft_record_t *r = (const weft_record_t *)((const char *)packet + at);
  const size_t left = packet->bytes - at;
  if (weft_unlikely(left < sizeof *r || size_of(r) > left))
    weft_server_refuse(packet, "a record reaches beyond its end");
  return size_of(r);
}

size_t weft_carry_result(const weft_record_t *r) {
  switch (r->kind) {
  case WEFT_RECORD_FETCH:
  case WEFT_RECORD_CALL: return sizeof(weft_result_t);
  case WEFT_RECORD_GET: return sizeof(weft_result_t) + weft_round_up(r->len, 8);
  default: return 0;
  }
}

static __attribute__((noreturn)) void refuse(const weft_packet_t *packet, const weft_record_t *r) {
  weft_fatal("pe %u: %s pe %d: %u bytes at an address that is not symmetric, or is a constant's",
             packet->from,
             r->kind == WEFT_RECORD_PUT || r->kind == WEFT_RECORD_FILL   ? "put to"
             : r->kind == WEFT_RECORD_COPY || r->kind == WEFT_RECORD_GET ? "copy from"
                                                                         : "atomic on",
             r->slot < weft_job.nslots ? weft_job.local[r->slot] : -1, r->len);
}

static bool reads_only(const weft_record_t *r) {
  return (r->kind == WEFT_RECORD_FETCH && r->op == WEFT_AMO_FETCH) || r->kind == WEFT_RECORD_COPY ||
         r->kind == WEFT_RECORD_GET;
}

/* Do n bytes from here on lie in a slot, behind its first `begin` bytes? */
static inline bool is_in_slot(uintptr_t off, size_t n, size_t begin) {
  const size_t end = weft_layout_end(&weft_job.window.layout);
  return off - begin < end - begin && n <= end - off;
}

/* Where a slot's constants end. */
static inline size_t writable(void) {
  return weft_job.window.layout.statics;
}

/* The object in this process. */
static char *object_of(const weft_packet_t *packet, const weft_record_t *r) {
  if (weft_unlikely(r->slot >= weft_job.nslots ||
                    !is_in_slot(r->off, r->len, reads_only(r) ? 0 : writable())))
    refuse(packet, r);
  return weft_window_slot(&weft_job.window, r->slot) + r->off;
}

static void check_atomic(const weft_packet_t *packet, const weft_record_t *r) {
  if (weft_unlikely((r->len != 4 && r->len != 8) || r->op > WEFT_AMO_CSWAP_R))
    weft_server_refuse(packet, "an atomic of no known operation or width");
  if (weft_unlikely(r->off % r->len))
    weft_fatal("pe %u: atomic on pe %d: its address is not aligned to %u bytes", packet->from,
               weft_job.local[r->slot], r->len);
}

void weft_carry_note(uint64_t hidden) {
  const uint64_t note = hidden ^ weft_job.note_mask;
  const unsigned slot = (unsigned)(note >> 48);
  const uintptr_t off = (uintptr_t)(note << 16 >> 13);
  if (weft_unlikely(slot >= (unsigned)weft_job.nslots ||
                    !is_in_slot(off, sizeof(uint64_t), writable()))) {
    weft_port_drop("the note of a write");
    return;
  }
  weft_seen_got(&weft_job);
  weft_data_apply(weft_window_slot(&weft_job.window, (int)slot) + off, WEFT_AMO_ADD, 8, 1, 0);
  weft_seen_given(&weft_job);
}

/* ---- copies ---------------------------------------------------------------------------------- */

static bool copy(const weft_packet_t *packet, const weft_record_t *r, const char *source) {
  uint64_t to[2]; /* PE, slot offset */
  memcpy(to, r + 1, sizeof to);
  if (to[0] >= (uint64_t)weft_job.npes || !is_in_slot(to[1], r->len, writable())) refuse(packet, r);
  char *slot = weft_job_slot((int)to[0]);
  if (slot) {
    weft_data_move(slot + to[1], source, r->len);
    return true;
  }
  if (r->len == 0) return true;
  weft_copies_ask(packet, (int)to[0], to[1], source, r->len);
  return false;
}

/* ---- records --------------------------------------------------------------------------------- */

/* (Every handler's object is a word, or more with one in front.) */
static void call(const weft_packet_t *packet, const weft_record_t *r, char *object,
                 const uint64_t rest[3], weft_result_t **result) {
  if (weft_unlikely(r->off % sizeof(uint64_t)))
    weft_server_refuse(packet, "a call with an object that is not aligned");
  const weft_call_t call = {.from = (int)packet->from,
                            .pe = weft_job.local[r->slot],
                            .at_port = true,
                            .operand = rest[0],
                            .cond = rest[1],
                            .result = rest[2],
                            .data = (const char *)(r + 1) + 3 * sizeof *rest,
                            .n = r->len};
  **result = (weft_result_t){.address = rest[2], .width = 8};
  if (weft_service_run(r->op, object, &call, &(*result)->value) && call.result) ++*result;
}

static weft_result_t *get(const weft_record_t *r, const char *object, weft_result_t *result) {
  *result = (weft_result_t){.value = r->len, .width = WEFT_RESULT_BYTES};
  memcpy(&result->address, r + 1, sizeof result->address);
  weft_data_store(result + 1, object, r->len); /* a scalar is read whole, too */
  return (weft_result_t *)((char *)(result + 1) + weft_round_up(r->len, 8));
}

void weft_carry_put(const weft_packet_t *packet, const weft_record_t *r) {
  char *object = object_of(packet, r);
  if (!r->op) {
    weft_data_store(object, r + 1, r->len);
    return;
  }
  if (weft_unlikely(r->op > 8 || (r->op & (r->op - 1)) || r->len & (r->op - 1u)))
    weft_server_refuse(packet, "words of no known width");
  weft_data_store_words(object, r + 1, r->len, r->op);
}

bool weft_carry_out(const weft_packet_t *packet, const weft_record_t *r, weft_result_t **result) {
  char *object = object_of(packet, r);
  const enum weft_amo op = (enum weft_amo)r->op;
  uint64_t rest[3];
  switch (r->kind) {
  case WEFT_RECORD_POST:
    check_atomic(packet, r);
    memcpy(rest, r + 1, 8);
    weft_seen_given(&weft_job); /* a PE that waits for the word may free what was put before it */
    weft_data_apply(object, op, r->len, rest[0], 0);
    return true;
  case WEFT_RECORD_FETCH:
    check_atomic(packet, r);
    memcpy(rest, r + 1, 24);
    *(*result)++ = (weft_result_t){.address = rest[2],
                                   .value = weft_data_apply(object, op, r->len, rest[0], rest[1]),
                                   .width = r->len};
    return true;
  case WEFT_RECORD_FILL: memset(object, r->op, r->len); return true;
  case WEFT_RECORD_COPY: return copy(packet, r, object);
  case WEFT_RECORD_GET: *result = get(r, object, *result); return true;
  case WEFT_RECORD_CALL:
    memcpy(rest, r + 1, 24);
    call(packet, r, object, rest, result);
    return true;
  default: weft_server_refuse(packet, "a record of no kind");
  }
}
