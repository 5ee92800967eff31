/*
 * access.c: single accesses that leave the inline path (weft/upc_access.h): to other nodes, and all
 * of them with WEFT_CHECK=1 or while recording. And the order of a thread's own accesses (B.2):
 * what goes to a node by staged packets and what goes as RMA may overtake one another, so a
 * change of the way asks the floor for order first. Knows no blocks and no phases.
 */
#include "upc/internal.h"

WEFT_API void weft_upc_far_quiet(void) {
  if (weft_job.nnodes == 1) return;
  WEFT_SPAN(WEFT_TRACE_QUIET, "upc strict", 0);
  weft_rma_quiet();
}

/* ---- scalars ---- */

static uint64_t load(const char *p, size_t width, int order) {
  switch (width) {
  case 1: return __atomic_load_n((const uint8_t *)p, order);
  case 2: return __atomic_load_n((const uint16_t *)p, order);
  case 4: return __atomic_load_n((const uint32_t *)p, order);
  default: return __atomic_load_n((const uint64_t *)p, order);
  }
}

static void store(char *p, uint64_t value, size_t width, int order) {
  switch (width) {
  case 1: __atomic_store_n((uint8_t *)p, (uint8_t)value, order); break;
  case 2: __atomic_store_n((uint16_t *)p, (uint16_t)value, order); break;
  case 4: __atomic_store_n((uint32_t *)p, (uint32_t)value, order); break;
  default: __atomic_store_n((uint64_t *)p, value, order);
  }
}

/* Packed or misaligned members cannot be loaded at once. */
static bool is_whole(uintptr_t off, size_t width) {
  return (off & (width - 1)) == 0;
}

/* A word that threads of two nodes may change in turn, so it must not be stored twice. */
static bool is_far_strict(const char *here, uintptr_t off, size_t width, int order) {
  return !here && order == __ATOMIC_SEQ_CST && is_whole(off, width);
}

static weft_upc_place_t place(uintptr_t off, int thread, size_t n, const char *who) {
  const weft_upc_place_t at = {thread, off & weft_upc_widths.offset_mask};
  if (weft_unlikely(weft_options.check)) weft_upc_check_range(at, n, who);
  return at;
}

static uint64_t get(weft_upc_place_t at, size_t width, int order, const char *who) {
  uint64_t value = 0;
  WEFT_SPAN_TO(WEFT_TRACE_GET, who, width, at.thread, 0);
  const char *here = weft_upc_address(at);
  if (here && is_whole(at.off, width)) return load(here, width, order);
  if (is_far_strict(here, at.off, width, order))
    return weft_rma_load_word(at.thread, at.off, width);
  weft_upc_get(&value, at, width, NULL);
  return value;
}

static void put(weft_upc_place_t at, uint64_t value, size_t width, int order, const char *who) {
  WEFT_SPAN_TO(WEFT_TRACE_PUT, who, width, at.thread, 0);
  char *here = weft_upc_address(at);
  if (here && is_whole(at.off, width))
    store(here, value, width, order);
  else if (is_far_strict(here, at.off, width, order))
    weft_rma_store_word(at.thread, at.off, value, width);
  else
    weft_upc_put(at, &value, width, NULL);
}

WEFT_API weft_upc_u64 weft_upc_far_get(weft_upc_uptr off, int thread, weft_upc_size width) {
  return get(place(off, thread, width, "shared read"), width, __ATOMIC_RELAXED, "upc get");
}

WEFT_API void weft_upc_far_put(weft_upc_uptr off, weft_upc_u64 value, int thread,
                               weft_upc_size width) {
  put(place(off, thread, width, "shared write"), value, width, __ATOMIC_RELAXED, "upc put");
}

/* The read is done when it returns; what was begun before is complete before it begins. */
WEFT_API weft_upc_u64 weft_upc_far_get_strict(weft_upc_uptr off, int thread, weft_upc_size width) {
  weft_upc_null_strict();
  return get(place(off, thread, width, "strict shared read"), width, __ATOMIC_SEQ_CST,
             "upc strict get");
}

WEFT_API void weft_upc_far_put_strict(weft_upc_uptr off, weft_upc_u64 value, int thread,
                                      weft_upc_size width) {
  weft_upc_null_strict();
  put(place(off, thread, width, "strict shared write"), value, width, __ATOMIC_SEQ_CST,
      "upc strict put");
  weft_upc_null_strict();
}

/* ---- larger objects ---- */

WEFT_API void weft_upc_far_read(void *dest, weft_upc_uptr off, weft_upc_size n, int thread) {
  const weft_upc_place_t at = place(off, thread, n, "shared read");
  WEFT_SPAN_TO(WEFT_TRACE_GET, "upc get", n, thread, 0);
  weft_upc_get(dest, at, n, NULL);
}

WEFT_API void weft_upc_far_write(weft_upc_uptr off, const void *source, weft_upc_size n,
                                 int thread) {
  const weft_upc_place_t at = place(off, thread, n, "shared write");
  WEFT_SPAN_TO(WEFT_TRACE_PUT, "upc put", n, thread, 0);
  weft_upc_put(at, source, n, NULL);
}

/* Word by word, each as large as place and length allow: a thread that has seen one of them may
 * write to it. */
WEFT_API void weft_upc_far_write_strict(weft_upc_uptr off, const void *source, weft_upc_size n,
                                        int thread) {
  const weft_upc_place_t at = place(off, thread, n, "strict shared write");
  WEFT_SPAN_TO(WEFT_TRACE_PUT, "upc strict put", n, thread, 0);
  if (weft_upc_address(at)) {
    weft_upc_put(at, source, n, NULL);
    return;
  }
  const size_t all = (size_t)at.off | n | sizeof(uint64_t), width = all & -all;
  for (size_t k = 0; k < n; k += width) {
    uint64_t word = 0;
    memcpy(&word, (const char *)source + k, width);
    weft_rma_store_word(at.thread, at.off + k, word, width);
  }
}

/* What the translator has begun, by set: reads, which it waits for before anything that they could
 * conflict with, so nothing else needs to; and writes of loops, until they have left their source.
 */
static weft_op_t begun[2] = {{.unordered = true}, {.unordered = true}};
static weft_op_t written[2];

WEFT_API void weft_upc_far_read_begin(void *dest, weft_upc_uptr off, weft_upc_size n, int thread,
                                      int set) {
  const weft_upc_place_t at = place(off, thread, n, "shared read");
  WEFT_SPAN_TO(WEFT_TRACE_GET, "upc get begun", n, thread, 0);
  weft_upc_get(dest, at, n, &begun[set]);
}

WEFT_API void weft_upc_far_read_end(int set) {
  weft_op_wait(&begun[set]);
}

/* A buffer is used again when what was written from it has left. */
WEFT_API void *weft_upc_far_piece(struct weft_upc_piece *piece, weft_upc_size n, int operand,
                                  int load, int set) {
  static char *buffers[2][WEFT_UPC_OPERANDS];
  const size_t bytes = n * piece->size;
  const weft_upc_place_t at = place(piece->at, piece->thread, bytes, "shared loop");
  char *here = weft_upc_address(at), **buffer = &buffers[set][operand];
  if (here) {
    WEFT_SPAN_TO(WEFT_TRACE_GET, "upc loop", bytes, piece->thread, 0);
    piece->here = 1;
    return here;
  }
  if (!*buffer && !(*buffer = malloc(WEFT_UPC_PIECE)))
    weft_fatal("a loop over shared data: no memory for %d bytes", WEFT_UPC_PIECE);
  weft_op_wait(&written[set]);
  if (load) weft_upc_far_read_begin(*buffer, piece->at, bytes, piece->thread, set);
  return *buffer;
}

static void put_elements(weft_upc_place_t at, const void *elements, size_t bytes, int set) {
  if (bytes > 0 && !weft_upc_address(at))
    weft_rma_put_behind(at.thread, at.off, elements, bytes, &written[set], NULL);
  else
    weft_upc_put(at, elements, bytes, NULL);
}

WEFT_API void weft_upc_far_piece_write(const struct weft_upc_piece *piece, weft_upc_size n,
                                       const void *elements, int set) {
  const size_t bytes = n * piece->size;
  WEFT_SPAN_TO(WEFT_TRACE_PUT, "upc loop", bytes, piece->thread, 0);
  put_elements((weft_upc_place_t){piece->thread, piece->at}, elements, bytes, set);
}

WEFT_API void weft_upc_far_pieces_end(void) {
  weft_op_wait(&written[0]);
  weft_op_wait(&written[1]);
}

WEFT_API void *weft_upc_far_copy(struct weft_upc_piece *piece, weft_upc_size n, void *memory,
                                 int load) {
  const size_t bytes = n * piece->size;
  const weft_upc_place_t at = place(piece->at, piece->thread, bytes, "shared loop");
  char *here = weft_upc_address(at);
  WEFT_SPAN_TO(load ? WEFT_TRACE_GET : WEFT_TRACE_PUT, "upc loop", bytes, piece->thread, 0);
  if (here) return here;
  if (load)
    weft_upc_get(memory, at, bytes, &begun[0]);
  else
    put_elements(at, memory, bytes, 0);
  return NULL;
}

WEFT_API void weft_upc_far_copies_end(void) {
  weft_op_wait(&begun[0]);
  weft_op_wait(&written[0]);
}

WEFT_API void weft_upc_far_gather(weft_upc_u64 *places, weft_upc_size n, weft_upc_size size,
                                  void *buffer) {
  weft_op_t op = {.unordered = true};
  weft_upc_moves_t moves = {.who = "shared list", .op = &op};
  WEFT_SPAN(WEFT_TRACE_GET, "upc list", n * size);
  for (weft_upc_size i = 0; i < n; i++) {
    const weft_upc_place_t p = weft_upc_place(places[i]);
    const weft_upc_end_t from = weft_upc_end_of(place(p.off, p.thread, size, "shared read"));
    const weft_upc_end_t to = {-1, (uintptr_t)buffer + i * size};
    if (from.thread >= 0) weft_upc_moves_add(&moves, to, from, size);
    places[i] = from.thread >= 0 ? to.at : from.at;
  }
  weft_upc_moves_end(&moves);
  weft_op_wait(&op);
}

/* A loop that spins on shared data waits, in the end, for another thread: what this one has staged
 * leaves, and the processor is given away. Long waits are counted as one, so that they nap. */
WEFT_API void weft_upc_poll(void) {
  enum { LONG = 4096 };
  static weft_wait_t wait;
  static unsigned polls;
  if (polls++ % LONG == 0) wait = (weft_wait_t){0};
  weft_wait_poll(&wait);
}
