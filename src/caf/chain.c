/*
 * chain.c: reference chains of any image: followed here when the image shares the node; else one
 * request to the port of its node, which follows it in the owner's memory and moves the data if
 * they fit into its answer. The owner takes no part.
 */
#include "caf/chain.h"

#include <stdlib.h>
#include <string.h>

#include "caf/internal.h"
#include "caf/walk.h"
#include "port/port.h"
#include "rma/rma.h"

void weft_caf_bounds(weft_caf_descriptor_t *d, const weft_caf_section_t *like) {
  size_t stride = 1; /* what another image has sent may be any numbers: they wrap */
  d->span = (ptrdiff_t)d->elem_len;
  d->offset = 0;
  for (int i = 0; i < like->rank; i++) {
    const size_t lower = (size_t)d->dim[i].lower;
    d->dim[i].upper = (ptrdiff_t)(lower + like->dim[i].n - 1);
    d->dim[i].stride = (ptrdiff_t)stride;
    d->offset -= stride * lower;
    stride *= like->dim[i].n;
  }
}

weft_caf_step_t *weft_caf_chain_add(weft_caf_chain_t *chain, const weft_caf_step_t *step) {
  const size_t bytes = weft_caf_step_bytes(step);
  if (bytes > sizeof chain->bytes - chain->n)
    weft_fatal("a reference to a coarray with more than %zu bytes of parts", sizeof chain->bytes);
  weft_caf_step_t *to = (weft_caf_step_t *)(chain->bytes + chain->n);
  *to = *step;
  chain->n += bytes;
  return to;
}

/* ---- requests to a port ---------------------------------------------------------------------- */

enum action { WALK, PIECES };

/* WALK: then the coarray's descriptor (bounds bytes), the steps (so many bytes), and the data to be
 * written. PIECES: then `steps` pieces, and the data to be written. */
typedef struct request {
  uint32_t action, bounds, steps, unused;
  uint64_t base;    /* slot offset of the coarray */
  uint64_t data;    /* bytes that may be moved; of pieces: their sum */
  uint64_t element; /* bytes of an element */
  uint64_t write;
} request_t;

/* One piece of the owner's memory. */
typedef struct piece {
  uint64_t at, n;
} piece_t;

/* The data of a walk that found what was expected. */
static void move_along(const weft_caf_memory_t *m, const request_t *q, weft_caf_place_t *place,
                       char *data) {
  weft_caf_section_t s;
  const weft_caf_element_t e = {.class = WEFT_CAF_RAW, .bytes = q->element};
  if (!q->data || place->outcome != WEFT_CAF_FOUND) return;
  for (uint32_t d = 0; d < place->rank; d++)
    if (place->dim[d].vector) return;
  weft_caf_place_section(place, &e, &s);
  size_t bytes = q->element;
  for (int d = 0; d < s.rank; d++)
    if (__builtin_mul_overflow(bytes, s.dim[d].n, &bytes)) return;
  if (q->write ? bytes != q->data : bytes > q->data) return;
  if (weft_caf_memory_move(m, &s, data, q->write))
    place->moved = bytes;
  else
    place->outcome = WEFT_CAF_BAD;
}

/* Do the pieces take as many bytes as are there for them? */
static bool is_sum(const piece_t *piece, uint32_t n, uint64_t bytes) {
  for (uint32_t i = 0; i < n; bytes -= piece[i++].n)
    if (piece[i].n > bytes) return false;
  return bytes == 0;
}

static size_t serve_pieces(const weft_caf_memory_t *m, const request_t *q, const piece_t *piece,
                           char *answer) {
  char *data = q->write ? (char *)(uintptr_t)(piece + q->steps) : answer + sizeof(uint64_t);
  uint64_t good = 1;
  for (uint32_t i = 0; i < q->steps; data += piece[i].n, i++) {
    const weft_caf_section_t s = {.at = (char *)(uintptr_t)piece[i].at,
                                  .element = {.class = WEFT_CAF_RAW, .bytes = piece[i].n}};
    good &= weft_caf_memory_move(m, &s, data, q->write);
  }
  memcpy(answer, &good, sizeof good);
  return sizeof good + (q->write ? 0 : q->data);
}

/* Is all that a request of n bytes names in it, and is there room for what it wants? */
static bool makes_sense(const request_t *q, size_t n) {
  if (n < sizeof *q) return false;
  const char *rest = (const char *)(q + 1);
  const bool walk = q->action == WALK;
  const size_t head = walk ? sizeof(weft_caf_place_t) : sizeof(uint64_t);
  const size_t steps = walk ? q->steps : q->steps * sizeof(piece_t);
  n -= sizeof *q;
  if (q->bounds > n || steps > n - q->bounds || q->data > weft_query_max() - head) return false;
  if (q->write && q->data > n - q->bounds - steps) return false;
  if (!walk) return !q->bounds && is_sum((const piece_t *)rest, q->steps, q->data);
  return !q->bounds || weft_caf_is_descriptor(rest, q->bounds);
}

/* For weft_query_register. */
static size_t serve(int slot, int from, const void *request, size_t n, void *answer) {
  const request_t *q = request;
  const char *rest = (const char *)(q + 1);
  weft_caf_memory_t m;
  if (!makes_sense(q, n)) weft_fatal("pe %d sent a reference that makes no sense", from);
  weft_caf_memory_of(&m, slot);
  m.own = false; /* what a request names is not trusted: of what is not there the kernel says so */
  if (q->action != WALK) return serve_pieces(&m, q, (const piece_t *)rest, answer);
  weft_caf_place_t *place = answer;
  weft_caf_walk(&m, m.base + q->base, rest + q->bounds, q->steps,
                q->bounds ? (const weft_caf_descriptor_t *)rest : NULL, place);
  char *data = q->write ? (char *)(uintptr_t)(rest + q->bounds + q->steps) : (char *)(place + 1);
  move_along(&m, q, place, data);
  return sizeof *place + (q->write ? 0 : place->moved);
}

void weft_caf_chain_start(void) {
  weft_query_register(WEFT_QUERY_CHAIN, serve);
}

/* A buffer for a request and its answer. */
static char *room(void) {
  static char *memory;
  if (!memory) memory = weft_caf_need(malloc(2 * weft_query_max()), "a reference to a coarray");
  return memory;
}

/* Are there no bytes of an answer because the PE's node is gone? */
static bool is_gone(int pe, size_t n) {
  return n == 0 && weft_job_changes() && weft_job_state(pe) != WEFT_RUNNING;
}

static WEFT_COLD void refuse_answer(int pe) {
  weft_fatal("pe %d gave an answer that makes no sense", pe);
}

/* The chain's vector subscript of this number, from 1, or NULL. */
static const weft_caf_subscript_t *vector_of(const weft_caf_chain_t *chain, uint64_t number) {
  for (size_t at = 0; at < chain->n;) {
    const weft_caf_step_t *step = (const weft_caf_step_t *)(chain->bytes + at);
    const weft_caf_subscript_t *s = (const weft_caf_subscript_t *)(step + 1);
    for (int i = 0; i < step->rank; i++)
      if (s[i].mode == WEFT_CAF_VECTOR && --number == 0) return &s[i];
    at += weft_caf_step_bytes(step);
  }
  return NULL;
}

/* Do elements so far apart lie in one memory? */
static bool is_reach(uint64_t n, int64_t step) {
  int64_t all;
  return n == 0 || (!__builtin_mul_overflow(step, (int64_t)(n - 1), &all) &&
                    weft_caf_is_place(all));
}

static bool is_outside(const weft_caf_place_t *place) {
  return place->outside.index < place->outside.lower || place->outside.index > place->outside.upper;
}

/* Can this chain have led there, and is all in the answer of n bytes that it says was moved? */
static bool is_answer(const weft_caf_place_t *place, size_t n, const request_t *q,
                      const weft_caf_chain_t *chain) {
  size_t bytes = q->element;
  if (n != sizeof *place + (q->write ? 0 : place->moved)) return false;
  if (place->outcome > WEFT_CAF_OUTSIDE || place->rank > WEFT_CAF_RANK_MAX) return false;
  if (place->outcome != WEFT_CAF_FOUND)
    return place->moved == 0 && (place->outcome != WEFT_CAF_OUTSIDE || is_outside(place));
  for (uint32_t d = 0; d < place->rank; d++) {
    const weft_caf_subscript_t *v =
        place->dim[d].vector ? vector_of(chain, (uint64_t)place->dim[d].vector) : NULL;
    if (place->dim[d].vector && (!v || place->moved || place->dim[d].n != (uint64_t)v->n))
      return false;
    if (__builtin_mul_overflow(bytes, place->dim[d].n, &bytes) || bytes > PTRDIFF_MAX) return false;
    if (!v && !is_reach(place->dim[d].n, place->dim[d].step)) return false;
  }
  if (place->moved == 0) return true;
  return place->moved == bytes && (q->write ? bytes == q->data : bytes <= q->data);
}

static void walk_away(int pe, char *base, const weft_caf_chain_t *chain, weft_caf_place_t *place,
                      void *data, size_t n, size_t element, bool write) {
  const size_t most = weft_query_max();
  char *request = room(), *answer = request + most, *at = request + sizeof(request_t);
  request_t q = {.action = WALK,
                 .steps = (uint32_t)chain->n,
                 .base = weft_job_offset(base),
                 .element = element,
                 .write = write};
  const weft_caf_step_t *first = (const weft_caf_step_t *)chain->bytes;
  if (chain->bounds && chain->n && first->type == WEFT_CAF_ARRAY)
    q.bounds = (uint32_t)weft_caf_descriptor_bytes(chain->bounds->rank);
  if (q.bounds) memcpy(at, chain->bounds, q.bounds);
  memcpy(at + q.bounds, chain->bytes, chain->n);
  at += q.bounds + chain->n;
  if (data && write && n <= most - (size_t)(at - request)) {
    memcpy(at, data, n);
    at += n;
    q.data = n;
  } else if (data && !write) {
    q.data = n < most - sizeof *place ? n : most - sizeof *place;
  }
  memcpy(request, &q, sizeof q);
  weft_rma_order(pe);
  const size_t size = weft_query_call(&weft_channels[0], pe, WEFT_QUERY_CHAIN, request,
                                      (size_t)(at - request), answer);
  if (weft_unlikely(is_gone(pe, size))) {
    *place = (weft_caf_place_t){.outcome = WEFT_CAF_GONE};
    return;
  }
  memcpy(place, answer, sizeof *place);
  if (size < sizeof *place || !is_answer(place, size, &q, chain)) refuse_answer(pe);
  if (place->moved && !write) memcpy(data, answer + sizeof *place, place->moved);
}

void weft_caf_chain_walk(int pe, char *base, const weft_caf_chain_t *chain, weft_caf_place_t *place,
                         void *data, size_t n, size_t element, bool write) {
  if (!weft_job_slot(pe)) {
    walk_away(pe, base, chain, place, data, n, element, write);
    return;
  }
  weft_caf_memory_t m;
  weft_caf_memory_of(&m, weft_job.where[pe].slot);
  weft_caf_walk(&m, m.base + weft_job_offset(base), chain->bytes, chain->n, chain->bounds, place);
}

bool weft_caf_is_near(int pe) {
  return weft_job_slot(pe) != NULL;
}

/* ---- elements that a chain has led to -------------------------------------------------------- */

/* Pieces of a section outside the windows of another node, as many requests as it takes. */
static bool pieces_away(int pe, const weft_caf_section_t *s, char *packed, bool write) {
  const size_t most = weft_query_max() - sizeof(request_t) - sizeof(uint64_t);
  char *request = room(), *answer = request + weft_query_max();
  request_t *q = (request_t *)request;
  piece_t *piece = (piece_t *)(q + 1);
  int first;
  const size_t bytes = weft_caf_run(s, &first);
  const size_t runs = bytes ? weft_caf_elements(s) * s->element.bytes / bytes : 0;
  size_t index[WEFT_CAF_RANK_MAX] = {0}, done = 0;
  uint64_t at = 0;
  for (size_t i = 0; i < runs;) {
    *q = (request_t){.action = PIECES, .write = write};
    /* A run of elements longer than a request goes in parts. */
    do {
      if (!done) at = (uint64_t)(uintptr_t)s->at + (uint64_t)weft_caf_next(s, index, first);
      const size_t left = most - q->data - (q->steps + 1) * sizeof *piece;
      const size_t n = bytes - done < left ? bytes - done : left;
      piece[q->steps++] = (piece_t){at + done, n};
      q->data += n;
      done += n;
      if (done < bytes) break;
      done = 0;
    } while (++i < runs && q->data + (q->steps + 2) * sizeof *piece < most);
    if (write) memcpy(piece + q->steps, packed, q->data);
    const size_t size = sizeof *q + q->steps * sizeof *piece + (write ? q->data : 0);
    const size_t moved = q->data;
    uint64_t good;
    const size_t n =
        weft_query_call(&weft_channels[0], pe, WEFT_QUERY_CHAIN, request, size, answer);
    if (weft_unlikely(is_gone(pe, n))) return true; /* what is got is undefined then */
    if (n != sizeof good + (write ? 0 : moved)) refuse_answer(pe);
    memcpy(&good, answer, sizeof good);
    if (!good) return false;
    if (!write) memcpy(packed, answer + sizeof good, moved);
    packed += moved;
  }
  return true;
}

static WEFT_COLD void unreachable(int pe) {
  weft_fatal("a pointer of pe %d leads to memory that this process may not read; where the kernel "
             "forbids process_vm_readv, let pointer components point to coarrays and their "
             "components",
             pe);
}

/* This image's own address of n bytes at an owner's, or NULL: they are not in the window. */
static char *here(int pe, uint64_t there, size_t n) {
  char *at = (char *)(weft_job.window.base + there - weft_job_base_of(pe));
  return weft_window_contains(&weft_job.window, at, n) ? at : NULL;
}

void *weft_caf_here(int pe, uint64_t there) {
  return here(pe, there, 1);
}

static void move_packed(int pe, const weft_caf_section_t *remote, char *packed, bool write) {
  bool good;
  if (weft_job_slot(pe)) {
    weft_caf_memory_t m;
    weft_caf_memory_of(&m, weft_job.where[pe].slot);
    good = weft_caf_memory_move(&m, remote, packed, write);
  } else {
    good = pieces_away(pe, remote, packed, write);
  }
  if (!good) unreachable(pe);
}

static void move(int pe, const weft_caf_section_t *remote, const weft_caf_section_t *local,
                 bool write) {
  weft_caf_section_t bounce, mine = *remote;
  ptrdiff_t first, end;
  if (weft_caf_elements(remote) == 0 || weft_caf_elements(local) == 0) return;
  if ((write ? remote : local)->element.bytes == 0) return; /* there may be any number of them */
  weft_caf_reach(remote, &first, &end);
  mine.at = here(pe, (uint64_t)(uintptr_t)remote->at + (uint64_t)first, (size_t)(end - first));
  if (mine.at) {
    mine.at -= first;
    if (write)
      weft_caf_put(pe, &mine, local, true);
    else
      weft_caf_get(pe, local, &mine, true);
    return;
  }
  char *memory = weft_caf_bounce(&bounce, remote);
  if (write) weft_caf_copy(&bounce, local);
  weft_rma_order(pe);
  move_packed(pe, remote, memory, write);
  if (!write) weft_caf_copy(local, &bounce);
  free(memory);
}

void weft_caf_chain_get(int pe, const weft_caf_section_t *local, const weft_caf_section_t *remote) {
  move(pe, remote, local, false);
}

void weft_caf_chain_put(int pe, const weft_caf_section_t *remote, const weft_caf_section_t *local) {
  move(pe, remote, local, true);
}

/* ---- components made for their owner --------------------------------------------------------- */

/* n bytes to the owner's address. */
static void poke(int pe, uint64_t at, const void *from, size_t n) {
  const weft_caf_element_t bytes = {.class = WEFT_CAF_RAW, .bytes = n};
  const weft_caf_section_t to = {.at = (char *)(uintptr_t)at, .element = bytes};
  const weft_caf_section_t here = {.at = (char *)(uintptr_t)from, .element = bytes};
  weft_caf_chain_put(pe, &to, &here);
}

static void describe(weft_caf_descriptor_t *d, const weft_caf_section_t *like, size_t bytes,
                     int type) {
  d->elem_len = bytes;
  d->version = 0;
  d->rank = (signed char)like->rank;
  d->type = (signed char)type;
  d->attribute = 0;
  for (int i = 0; i < like->rank; i++) d->dim[i].lower = 1;
  weft_caf_bounds(d, like);
}

bool weft_caf_chain_allocate(int pe, weft_caf_place_t *place, const weft_caf_section_t *like,
                             size_t bytes, int type) {
  weft_caf_descriptor_t d;
  size_t n;
  if (__builtin_mul_overflow(weft_caf_elements(like), bytes, &n)) return false;
  const uint64_t old = place->outcome == WEFT_CAF_FOUND ? place->at : 0;
  const uint64_t p = weft_caf_component_for(pe, place->token, n);
  if (!p) return false;
  place->outcome = WEFT_CAF_FOUND;
  place->at = p;
  place->rank = (uint32_t)like->rank;
  d.base = (void *)(uintptr_t)p;
  describe(&d, like, bytes, type);
  for (int i = 0; i < like->rank; i++) {
    place->dim[i] = (__typeof__(place->dim[0])){.n = like->dim[i].n};
    place->dim[i].step = (int64_t)((size_t)d.dim[i].stride * bytes);
  }
  poke(pe, place->token, &p, sizeof p);
  poke(pe, place->descriptor, &d,
       like->rank ? weft_caf_descriptor_bytes(like->rank) : sizeof d.base);
  if (old) weft_caf_component_free_for(pe, old);
  return true;
}
