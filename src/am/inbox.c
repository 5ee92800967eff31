/*
 * The inbox: rings in shared memory, and the handlers that run from them. See weft/am.h for the
 * ring that the front ends' headers write to, and pool.h for payloads that are not in its cells.
 */
#include "am/inbox.h"

#include <stdlib.h>
#include <string.h>

#include "am/pool.h"
#include "data/data.h"
#include "job/job.h"
#include "weft/am_arity.h"

enum {
  SENDER_RINGS = 8, /* per lane; more PEs on the node share them */
  HELPER_CELLS = 256,
  DRAIN_AT_MOST = 16, /* messages of a ring at a time */
};

/* A ring for helpers is a longer one. */
typedef struct long_ring {
  weft_ring_t head; /* its cells go on in `more` */
  weft_cell_t more[HELPER_CELLS - WEFT_RING_CELLS];
} long_ring_t;

typedef struct inbox {
  weft_pools_t pools;
  weft_ring_t rings[WEFT_LANES][SENDER_RINGS];
  long_ring_t helpers[WEFT_LANES][WEFT_HELPERS_MAX];
} inbox_t;
_Static_assert(offsetof(inbox_t, pools) == 0, "where pool.c looks for them");

/* What this process knows about a ring of its inbox that it reads. */
typedef struct reader {
  weft_lock_t lock;
  weft_cell_t *at; /* the one that comes next */
  weft_cell_t *first, *end;
  uint8_t running[HELPER_CELLS]; /* the handler of the message in this cell; not said in the cell,
                                    which is another processor's and dear to write to */
} reader_t;

/* With the displacements of before a job, -1 or check.c's -4096, every message comes to short.c; so
 * it does in a job until the inbox is open (message.c). */
struct weft_am_direct weft_am_direct = {.requests = 4096, .replies = 4096};

static struct {
  bool open;
  int nreaders; /* per lane; 0 while it is closed */
  reader_t readers[WEFT_LANES][SENDER_RINGS + WEFT_HELPERS_MAX];
  weft_am_handler_t handlers[WEFT_AM_HANDLERS];
} inbox;

static const uintptr_t *owners[WEFT_AM_HANDLERS]; /* weft_am_owners */

/* In a handler of which kind this thread is: 0 none, else 1 + lane. */
static WEFT_THREAD int inside;

bool weft_am_in_handler(void) {
  return inside != 0;
}

size_t weft_inbox_size(void) {
  return sizeof(inbox_t);
}

static inbox_t *inbox_of(int slot) {
  return (inbox_t *)(weft_window_slot(&weft_job.window, slot) + weft_job.layout.inbox);
}

void weft_am_owners(int first, int n, const uintptr_t *disp) {
  for (int i = first; i < first + n; i++) weft_publish(&owners[i], disp);
}

uintptr_t weft_inbox_dest(int handler, int pe, uint64_t dest) {
  return dest + weft_peek(&weft_observe(&owners[handler])[pe]);
}

/* ---- open ------------------------------------------------------------------------------------ */

static void ready(weft_ring_t *ring, uint32_t ncells, bool shared) {
  const uint32_t taken = (ncells + WEFT_RING_SPILL) * WEFT_CELL_SIZE;
  ring->cells[0].handler = 0;
  ((weft_cell_t *)((char *)ring->cells + taken))->handler = 1;
  ring->next = shared ? (uint32_t)WEFT_RING_TAKEN : 0;
  ring->shared = shared ? 0 : (uint32_t)WEFT_RING_TAKEN;
}

static reader_t make_reader(weft_cell_t *cells, int n) {
  return (reader_t){.at = cells, .first = cells, .end = cells + n};
}

int weft_inbox_open(void) {
  inbox_t *own = inbox_of(weft_job.slot);
  const bool shared = weft_job.nslots > SENDER_RINGS;
  if (inbox.open) return 0;
  if (weft_job_commit(weft_job.layout.inbox, sizeof *own) < 0) return -ENOMEM;
  memset(own->rings, 0, sizeof own->rings);
  memset(own->helpers, 0, sizeof own->helpers);
  weft_pools_open();
  int nreaders = 0;
  for (int lane = 0; lane < WEFT_LANES; lane++) {
    int n = 0;
    for (int i = 0; i < SENDER_RINGS && i < weft_job.nslots; i++) {
      ready(&own->rings[lane][i], WEFT_RING_CELLS, shared);
      inbox.readers[lane][n++] = make_reader(own->rings[lane][i].cells, WEFT_RING_CELLS);
    }
    for (int i = 0; weft_job.nnodes > 1 && i < weft_job_helpers(); i++) {
      ready(&own->helpers[lane][i].head, HELPER_CELLS, false);
      inbox.readers[lane][n++] = make_reader(own->helpers[lane][i].head.cells, HELPER_CELLS);
    }
    nreaders = n;
  }
  const inbox_t *here = (const inbox_t *)(weft_job.window.base + weft_job.layout.inbox);
  const int ring = weft_job.slot % SENDER_RINGS;
  weft_am_direct = (struct weft_am_direct){.requests = (uintptr_t)&here->rings[WEFT_REQUESTS][ring],
                                           .replies = (uintptr_t)&here->rings[WEFT_REPLIES][ring],
                                           .pe = (uint32_t)weft_job.pe};
  weft_am_owners(0, WEFT_AM_HANDLERS, weft_job.owner);
  inbox.open = true;
  weft_poke(&inbox.nreaders, nreaders);
  return 0;
}

bool weft_inbox_is_open(void) {
  return inbox.open;
}

void weft_inbox_close(void) {
  inbox.open = false;
  weft_poke(&inbox.nreaders, 0);
}

/* Messages to the clients' handlers that wait until the client is ready: its handlers are away from
 * the table meanwhile, so a message that may run meets no test. */
typedef struct held {
  struct held *next;
  enum weft_lane lane;
  int handler;
  _Alignas(16) weft_cell_t cells[];
} held_t;
static struct {
  weft_lock_t lock;
  int depth;
  weft_am_handler_t handlers[WEFT_AM_HANDLERS];
  held_t *first;
} held;

void weft_inbox_register(int index, weft_am_handler_t handler) {
  weft_lock(&held.lock);
  if (held.depth && index >= WEFT_AM_CLIENTS)
    held.handlers[index] = handler;
  else
    weft_poke(&inbox.handlers[index], handler);
  weft_unlock(&held.lock);
}

static void move_handlers(weft_am_handler_t *from, weft_am_handler_t *to) {
  for (int i = WEFT_AM_CLIENTS; i < WEFT_AM_HANDLERS; i++) {
    weft_poke(&to[i], from[i]);
    weft_poke(&from[i], NULL);
  }
}

void weft_am_hold(bool hold) {
  weft_lock(&held.lock);
  if (hold && held.depth++ == 0) move_handlers(inbox.handlers, held.handlers);
  if (!hold && --held.depth == 0) move_handlers(held.handlers, inbox.handlers);
  weft_unlock(&held.lock);
}

/* ---- the message in its cells ---------------------------------------------------------------- */

/* Behind the arguments of MEDIUM and LONG: bytes of payload, then, aligned, the payload itself, the
 * name of its buffer, or the address where it is. FOR_DEST: the address where it belongs, and
 * behind it the payload, which the receiver copies there. */
enum place { NOWHERE, IN_CELLS, IN_BUFFER, AT_DEST, FOR_DEST };

/* The arguments of a message; the last ones of many are in the next cell. */
static int32_t *args_of(weft_cell_t *cell) {
  return (int32_t *)(void *)((char *)cell + offsetof(weft_cell_t, args));
}

/* A MEDIUM's handler may take its payload for an array of any type. */
static inline size_t payload_offset(int nargs, bool is_long) {
  return weft_round_up(offsetof(weft_cell_t, args) + 4 * ((size_t)nargs + 1), is_long ? 8 : 16);
}

/* A LONG's payload travels in one cell or not at all: in several it would take as many lines as at
 * its destination, and a copy more. */
static enum place place_of(const weft_message_t *m) {
  const size_t at = payload_offset(m->nargs, m->category == WEFT_AM_LONG);
  if (m->category == WEFT_AM_SHORT) return NOWHERE;
  if (m->category == WEFT_AM_LONG)
    return m->at && at + sizeof m->dest + m->n <= WEFT_CELL_SIZE ? FOR_DEST : AT_DEST;
  return !m->buffer && at + m->n <= WEFT_INBOX_INLINE ? IN_CELLS : IN_BUFFER;
}

static size_t cells_of(const weft_message_t *m, enum place place) {
  const size_t carried = place == IN_CELLS ? m->n : place == FOR_DEST ? 8 + m->n : 8;
  const size_t bytes = place == NOWHERE
                           ? offsetof(weft_cell_t, args) + 4 * (size_t)m->nargs
                           : payload_offset(m->nargs, m->category == WEFT_AM_LONG) + carried;
  return (bytes + WEFT_CELL_SIZE - 1) / WEFT_CELL_SIZE;
}

static void write(weft_cell_t *cell, const weft_message_t *m, enum place place, size_t cells) {
  char *at = (char *)cell + payload_offset(m->nargs, m->category == WEFT_AM_LONG);
  cell->shape = WEFT_CELL_SHAPE(m->nargs, m->category, cells, place);
  cell->from = m->from;
  if (m->nargs) memcpy(args_of(cell), m->args, 4 * (size_t)m->nargs);
  if (place != NOWHERE) {
    const uint32_t n = (uint32_t)m->n;
    memcpy((char *)cell + offsetof(weft_cell_t, args) + 4 * (size_t)m->nargs, &n, sizeof n);
  }
  if (place == IN_CELLS && m->n) memcpy(at, m->payload, m->n);
  if (place == IN_BUFFER) memcpy(at, &m->buffer, 8);
  if (place == AT_DEST || place == FOR_DEST) memcpy(at, &m->dest, 8);
  if (place == FOR_DEST) memcpy(at + 8, m->payload, m->n);
}

/* Cells from byte offset `next` on: are all free? What lies in the spill is freed with the rest. */
static bool are_free(weft_ring_t *ring, uint32_t next, size_t cells, uint32_t ncells) {
  weft_cell_t *cell = (weft_cell_t *)((char *)ring->cells + next);
  for (uint32_t i = next / WEFT_CELL_SIZE; cells-- && i < ncells; i++, cell++)
    if (weft_observe(&cell->handler)) return false;
  return true;
}

static weft_ring_t *ring_of(int slot, enum weft_lane lane, bool helper, uint32_t *ncells) {
  inbox_t *to = inbox_of(slot);
  *ncells = helper ? HELPER_CELLS : WEFT_RING_CELLS;
  return helper ? &to->helpers[lane][weft_job.slot].head
                : &to->rings[lane][weft_job.slot % SENDER_RINGS];
}

static bool is_shared(bool helper) {
  return !helper && weft_job.nslots > SENDER_RINGS;
}

static uint32_t *cursor_of(weft_ring_t *ring, bool helper) {
  return is_shared(helper) ? &ring->shared : &ring->next;
}

/* A shared cursor while a process is at the ring: HELD, the process's slot, and the cursor that it
 * found. The holder may die. */
#define HELD (UINT32_C(1) << 31)
enum { HOLDER_SHIFT = 16 };

/* Keep others from the ring until its cursor is published again; the cursor, or `taken`: another is
 * at it. */
static uint32_t take_cursor(uint32_t *cursor, bool shared, uint32_t taken) {
  if (!shared) return __atomic_exchange_n(cursor, taken, __ATOMIC_ACQUIRE);
  uint32_t next = weft_peek(cursor);
  const uint32_t mine = HELD | (uint32_t)weft_job.slot << HOLDER_SHIFT | next;
  return !(next & HELD) && __atomic_compare_exchange_n(cursor, &next, mine, false, __ATOMIC_ACQUIRE,
                                                       __ATOMIC_RELAXED)
             ? next
             : taken;
}

/* The receiver's cache has the lines of what it read last. Ask for them all at once: each store
 * would ask for its own. */
static inline void ask_for(const char *at, size_t n) {
  enum { LINE = 64, MOST = 1024 };
  for (size_t i = 0; i < n && i < MOST; i += LINE)
#if defined(__x86_64__) /* for which the compiler's own asks to read, without an option */
    __asm__ volatile("prefetchw %0" : : "m"(at[i]));
#else
    __builtin_prefetch(at + i, 1);
#endif
}

static void copy_payload(weft_message_t *m) {
  weft_copy_to_reader(m->at, m->payload, m->n);
  m->at = NULL;
}

/* A payload too long for the cells goes into a buffer, which stays the message's own if the ring
 * turns out to have no room. A short payload is copied when the ring has been taken: that is an
 * atomic, which would wait until the payload is in this processor's cache. (Not while other
 * processes wait for the ring.) What may be refused is copied only then, however long it is, and
 * others wait for the ring meanwhile. */
bool weft_inbox_post(int slot, enum weft_lane lane, bool helper, weft_message_t *m) {
  uint32_t ncells;
  weft_ring_t *ring = ring_of(slot, lane, helper, &ncells);
  const uint32_t taken = (ncells + WEFT_RING_SPILL) * WEFT_CELL_SIZE;
  const enum place place = place_of(m);
  const size_t cells = cells_of(m, place);
  if (place == IN_BUFFER && !m->buffer &&
      !(m->at = weft_pool_take(lane, helper ? slot : -1, m->n, &m->buffer)))
    return false;
  const bool apart = m->at && place != FOR_DEST;
  if (apart) ask_for(m->at, m->n);
  if (apart && (m->n > WEFT_INBOX_SHORT || is_shared(helper)) && !m->once) copy_payload(m);
  uint32_t *cursor = cursor_of(ring, helper);
  uint32_t next = take_cursor(cursor, is_shared(helper), taken);
  const bool room = next != taken && are_free(ring, next, cells, ncells);
  if (room && apart && m->at) copy_payload(m);
  if (next == taken) return false;
  if (room) {
    weft_cell_t *first = (weft_cell_t *)((char *)ring->cells + next);
    write(first, m, place, cells);
    if (place == IN_BUFFER) weft_seen_given(weft_pool_returned(m->buffer));
    weft_publish(&first->handler, (uint8_t)m->handler);
    next += (uint32_t)cells * WEFT_CELL_SIZE;
    if (next >= ncells * WEFT_CELL_SIZE) next = 0;
  }
  weft_publish(cursor, next);
  return room;
}

/* A cell of the own inbox where this process reads it: where others see this slot. */
static inline char *seen_by_reader(const weft_cell_t *cell) {
  return weft_window_slot(&weft_job.window, weft_job.slot) +
         ((uintptr_t)cell - weft_job.window.base);
}

bool weft_inbox_post_small(uintptr_t rings, int pe, enum weft_am_category category, int handler,
                           int nargs, const int32_t *args, const void *payload, size_t n,
                           uint64_t dest) {
  const bool carries = category != WEFT_AM_SHORT, is_long = category == WEFT_AM_LONG;
  const size_t args_end = offsetof(weft_cell_t, args) + 4 * (size_t)nargs;
  const size_t dest_at = payload_offset(nargs, is_long), at = dest_at + (is_long ? sizeof dest : 0);
  const size_t bytes = carries ? at + n : args_end;
  const size_t most = is_long ? WEFT_CELL_SIZE : WEFT_INBOX_INLINE;
  const uint32_t cells = (uint32_t)((bytes + WEFT_CELL_SIZE - 1) / WEFT_CELL_SIZE);
  weft_ring_t *ring;
  uintptr_t next;
  if (bytes > most) return false;
  weft_cell_t *cell = weft_am_reserve(rings, pe, 1, &ring, &next);
  if (weft_unlikely(!cell)) return false;
  if (cells > 1 && !are_free(ring, (uint32_t)next, cells, WEFT_RING_CELLS)) {
    weft_publish(&ring->next, (uint32_t)next);
    return false;
  }
  int32_t *to = args_of(cell);
  for (int i = 0; i < nargs; i++) to[i] = args[i];
  if (carries) {
    *(uint32_t *)((char *)cell + args_end) = (uint32_t)n;
    if (is_long) memcpy((char *)cell + dest_at, &dest, sizeof dest);
    if (n) memcpy((char *)cell + at, payload, n);
  }
  cell->shape = WEFT_CELL_SHAPE(nargs, category, cells,
                                is_long   ? FOR_DEST
                                : carries ? IN_CELLS
                                          : NOWHERE);
  cell->from = weft_am_direct.pe;
  if (pe == weft_job.pe) weft_seen_given(seen_by_reader(cell));
  weft_publish(&cell->handler, (uint8_t)handler);
  next += cells * WEFT_CELL_SIZE;
  weft_publish(&ring->next, next < WEFT_RING_CELLS * WEFT_CELL_SIZE ? (uint32_t)next : 0);
  return true;
}

/* Does another thread still run a message in one of the cells that a sender here may have taken? */
static bool runs_behind(const reader_t *r) {
  for (int i = 0; i <= WEFT_RING_SPILL && r->at + i < r->end; i++)
    if (weft_observe(&r->running[r->at + i - r->first])) return true;
  return false;
}

/* The ring was held by a process that is gone, and all that was published has been taken: so the
 * reader stands where the dead was. What it may have written of a message that is not published
 * is no message. */
static bool mend(weft_ring_t *ring, reader_t *r) {
  if (!weft_lock_try(&r->lock)) return false;
  const bool idle = !weft_observe(&r->at->handler) && !runs_behind(r);
  if (idle) {
    for (int i = 0; i <= WEFT_RING_SPILL; i++) weft_publish((uint32_t *)&r->at[i], 0);
    weft_publish(&ring->shared, (uint32_t)((char *)r->at - (char *)r->first));
  }
  weft_unlock(&r->lock);
  return idle;
}

int weft_inbox_mend(bool (*is_gone)(int slot)) {
  int n = 0;
  if (!is_shared(false) || !weft_peek(&inbox.nreaders) || inside) return 0;
  for (int lane = 0; lane < WEFT_LANES; lane++)
    for (int i = 0; i < SENDER_RINGS; i++) {
      weft_ring_t *ring = &inbox_of(weft_job.slot)->rings[lane][i];
      const uint32_t cursor = weft_observe(&ring->shared);
      if (cursor & HELD && is_gone((int)((cursor & ~HELD) >> HOLDER_SHIFT)))
        n += mend(ring, &inbox.readers[lane][i]);
    }
  return n;
}

/* ---- handlers -------------------------------------------------------------------------------- */

static void call_short(weft_am_handler_t f, weft_token_t *t, const int32_t *a) {
  switch (t->nargs) {
#define CALL(n)                                                                                    \
  case n: ((void (*)(weft_token_t * WEFT_AM_TYPES_##n)) f)(t WEFT_AM_ITEMS_##n); break;
    WEFT_AM_ARITIES(CALL)
#undef CALL
  }
}

static void call_payload(weft_am_handler_t f, weft_token_t *t, void *p, size_t bytes,
                         const int32_t *a) {
  switch (t->nargs) {
#define CALL(n)                                                                                    \
  case n:                                                                                          \
    ((void (*)(weft_token_t *, void *, size_t WEFT_AM_TYPES_##n))f)(t, p,                          \
                                                                    bytes WEFT_AM_ITEMS_##n);      \
    break;
    WEFT_AM_ARITIES(CALL)
#undef CALL
  }
}

/* Keep a message if it is for a client that is not ready. */
static WEFT_COLD bool keep(const weft_cell_t *cell, int handler, enum weft_lane lane) {
  const size_t bytes = (cell->shape >> 16 & 0xff) * sizeof *cell;
  weft_lock(&held.lock);
  const bool holds = held.depth && handler >= WEFT_AM_CLIENTS;
  held_t *h = holds ? malloc(sizeof *h + bytes) : NULL;
  if (h) {
    held_t **last = &held.first;
    while (*last) last = &(*last)->next;
    *h = (held_t){.lane = lane, .handler = handler};
    memcpy(h->cells, cell, bytes);
    weft_poke(last, h);
  }
  weft_unlock(&held.lock);
  if (holds && !h) weft_fatal("no memory for active messages that came early");
  return holds;
}

/* Run the message in these cells. */
static void run(weft_cell_t *cell, int handler, enum weft_lane lane) {
  const uint32_t shape = cell->shape;
  weft_token_t token = {.from = cell->from,
                        .handler = (uint8_t)handler,
                        .category = (uint8_t)(shape >> 8),
                        .nargs = (uint8_t)shape,
                        .is_request = lane == WEFT_REQUESTS};
  weft_am_handler_t f = weft_peek(&inbox.handlers[handler]);
  const enum place place = (enum place)(shape >> 24);
  const int outside = inside;
  if (weft_unlikely(!f)) {
    if (keep(cell, handler, lane)) return;
    f = weft_peek(&inbox.handlers[handler]); /* another thread may just have put it back */
    if (!f)
      weft_fatal("pe %u sent an active message to handler %d, which is not registered here",
                 token.from, handler);
  }
  inside = 1 + (int)lane;
  if (place == NOWHERE) {
    call_short(f, &token, args_of(cell));
  } else {
    char *at = (char *)cell + payload_offset(token.nargs, token.category == WEFT_AM_LONG);
    uint32_t n;
    uint64_t word = 0;
    memcpy(&n, (char *)args_of(cell) + 4 * (size_t)token.nargs, sizeof n);
    if (place != IN_CELLS) memcpy(&word, at, sizeof word);
    void *payload = place == IN_CELLS    ? at
                    : place == IN_BUFFER ? (void *)weft_pool_buffer(word)
                                         : (void *)(uintptr_t)word;
    if (place == FOR_DEST)
      weft_data_store((void *)weft_inbox_dest(handler, weft_job.pe, word), at + sizeof word, n);
    call_payload(f, &token, payload, n, args_of(cell));
    if (place == IN_BUFFER) weft_pool_give_back(word);
  }
  inside = outside;
}

static uint8_t *running(reader_t *r, const weft_cell_t *cell) {
  return &r->running[cell - r->first];
}

/* Only a hint: beside another thread `at` may be old, and what stands there a payload's byte that
 * is being written. */
WEFT_UNSEEN static inline bool has_more(const reader_t *r) {
  return weft_unlikely(weft_peek(&weft_peek(&r->at)->handler));
}

/* The next message of a ring, which is now this thread's; NULL if there is none for a handler below
 * `end`. Others may have come all the way round the ring while one handler ran: so first whether
 * one runs in the cell, and then what is in it, as the other thread frees it first and then says
 * that it runs no more. */
static weft_cell_t *next_of(reader_t *r, int end, uint32_t *cells, uint8_t *handler) {
  weft_cell_t *cell = NULL;
  if (!has_more(r) || !weft_lock_try(&r->lock)) return NULL;
  if (!weft_observe(running(r, r->at)) && (*handler = weft_observe(&r->at->handler)) &&
      *handler < end) {
    cell = r->at;
    weft_poke(running(r, cell), 1);
    weft_seen_got(r);
    weft_seen_got(cell);
    weft_seen_got(&weft_job); /* what the port of this process did for the sender before */
    *cells = cell->shape >> 16 & 0xff;
    weft_poke(&r->at, cell + *cells < r->end ? cell + *cells : r->first);
  }
  weft_unlock(&r->lock);
  return cell;
}

/* Free a message's cells, the first one last. ThreadSanitizer is told so before these stores, and
 * does not see them: another thread here may read what another process writes there at once. */
WEFT_TOLD_BEFORE static inline void free_cells(reader_t *r, weft_cell_t *cell, uint32_t cells) {
  weft_seen_given(r);
  for (uint32_t i = cells; i-- > 0;) {
    weft_seen_given(&cell[i].handler); /* a sender of this process observes it */
    weft_publish((uint32_t *)&cell[i], 0);
  }
}

static WEFT_NOINLINE int drain(reader_t *r, enum weft_lane lane, int end) {
  int n = 0;
  uint32_t cells = 0;
  uint8_t handler = 0;
  for (weft_cell_t *cell; n < DRAIN_AT_MOST && (cell = next_of(r, end, &cells, &handler)); n++) {
    run(cell, handler, lane);
    free_cells(r, cell, cells);
    weft_publish(running(r, cell), 0);
  }
  return n;
}

/* The first of those that were kept and may run now, or NULL. */
static held_t *take_held(void) {
  weft_lock(&held.lock);
  held_t **at = &held.first, *h = NULL;
  while (*at && inside && (*at)->lane != WEFT_REPLIES) at = &(*at)->next;
  if (!held.depth && (h = *at)) weft_poke(at, h->next);
  weft_unlock(&held.lock);
  return h;
}

static WEFT_COLD int run_held(void) {
  int n = 0;
  for (held_t *h; (h = take_held()); n++) {
    run(h->cells, h->handler, h->lane);
    free(h);
  }
  return n;
}

/* Messages to handlers below `end`, up to the first one to another in each ring. */
static inline int drain_all(int end) {
  int n = 0;
  const int nreaders = weft_peek(&inbox.nreaders), in = inside;
  if (in == 1 + WEFT_REPLIES) return 0;
  if (weft_unlikely(weft_peek(&held.first) != NULL) && end == WEFT_AM_HANDLERS) n = run_held();
  reader_t *r = inbox.readers[WEFT_REPLIES];
  for (const reader_t *last = r + nreaders; r < last; r++)
    if (has_more(r)) n += drain(r, WEFT_REPLIES, end);
  if (in) return n;
  r = inbox.readers[WEFT_REQUESTS];
  for (const reader_t *last = r + nreaders; r < last; r++)
    if (has_more(r)) n += drain(r, WEFT_REQUESTS, end);
  if (n == 0 && nreaders) weft_pools_collect_first();
  return n;
}

int weft_inbox_drain(void) {
  return drain_all(WEFT_AM_HANDLERS);
}

int weft_inbox_drain_own(void) {
  return drain_all(WEFT_AM_FRONT);
}

/* As often as a full ring takes: others may go on sending. */
void weft_am_run_what_came(void) {
  for (int i = 0; i < HELPER_CELLS / DRAIN_AT_MOST && weft_inbox_drain() > 0; i++) continue;
}
