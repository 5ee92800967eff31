/*
 * vis.c: Berkeley UPC's transfers between lists of pieces, lists of places and strided regions
 * (bupc_extensions.h), by the floor's non-contiguous engine. Bytes can be added to a
 * pointer-to-shared as to an address, so a shape holds either. The pieces of a list may lie on
 * several threads.
 */
#include "upc/internal.h"

typedef struct move {
  const char *who;
  bool to_shared, from_shared;
  weft_shape_t to, from;
  weft_op_t
      *op; /* counts all of it if `begun`, else until the local memory is the caller's again */
  bool begun;
} move_t;

/* Between this process and a thread of another node. */
static void post(const move_t *m, bool puts, int thread, const weft_shape_t *far,
                 const weft_shape_t *near) {
  WEFT_SPAN_TO(puts ? WEFT_TRACE_PUT : WEFT_TRACE_GET, m->who, weft_shape_bytes(far), thread, 0);
  weft_rma_order_shape(thread, far, near, false);
  if (puts)
    weft_rma_put_shape(far, near, thread, m->op, m->begun ? m->op : NULL, m->who);
  else
    weft_rma_get_shape(near, far, thread, m->op, m->who);
}

/* Pieces that go the same way, until there are enough of them. */
enum { MOST = 256 };
typedef struct batch {
  bool puts;
  int thread;
  size_t n;
  weft_piece_t far[MOST], near[MOST];
} batch_t;

static void post_batch(const move_t *m, batch_t *b) {
  const weft_shape_t far = weft_shape_pieces(0, b->n, b->far);
  const weft_shape_t near = weft_shape_pieces(0, b->n, b->near);
  if (b->n) post(m, b->puts, b->thread, &far, &near);
  b->n = 0;
}

static char *address(bool shared, uintptr_t at, size_t n, const char *who) {
  return shared ? weft_upc_address(weft_upc_checked(at, n, who)) : (char *)at;
}

/* n consecutive bytes. */
static void move_piece(const move_t *m, batch_t *b, uintptr_t to, uintptr_t from, size_t n) {
  char *dest = address(m->to_shared, to, n, m->who);
  const char *source = address(m->from_shared, from, n, m->who);
  if (dest && source) {
    weft_direct_copy(dest, source, n);
  } else if (!dest && !source) {
    weft_upc_memcpy(to, from, n, m->op, m->who);
  } else {
    const bool puts = source;
    const weft_upc_place_t at = weft_upc_place(puts ? to : from);
    if (b->n == MOST || (b->n && (b->puts != puts || b->thread != at.thread))) post_batch(m, b);
    b->puts = puts, b->thread = at.thread;
    b->far[b->n] = (weft_piece_t){at.off, n};
    b->near[b->n++] = (weft_piece_t){(uintptr_t)(puts ? source : dest), n};
  }
}

static void move_pieces(const move_t *m) {
  weft_cursor_t to, from;
  batch_t batch;
  batch.n = 0;
  weft_cursor_open(&to, &m->to);
  weft_cursor_open(&from, &m->from);
  while (to.left) {
    const size_t n = to.left < from.left ? to.left : from.left;
    move_piece(m, &batch, to.at, from.at, n);
    weft_cursor_step(&to, n);
    weft_cursor_step(&from, n);
  }
  post_batch(m, &batch);
}

/* A strided region of another node's thread against private memory goes as it is. */
static bool move_strided(const move_t *m) {
  const bool puts = m->to_shared;
  weft_shape_t far = puts ? m->to : m->from;
  const weft_upc_place_t at = weft_upc_place(far.base);
  if (far.form != WEFT_STRIDED || m->to_shared == m->from_shared || weft_options.check ||
      weft_upc_address(at))
    return false;
  far.base = at.off;
  post(m, puts, at.thread, &far, puts ? &m->from : &m->to);
  return true;
}

static void move(const move_t *m) {
  const size_t bytes = weft_shape_bytes(&m->to);
  weft_upc_up(m->who);
  if (bytes != weft_shape_bytes(&m->from))
    weft_fatal("%s: the source has %zu bytes, the destination %zu", m->who,
               weft_shape_bytes(&m->from), bytes);
  if (bytes && !move_strided(m)) move_pieces(m);
}

/* ---- public: a side is an address or a pointer-to-shared, both of 64 bits ---- */

#define BOTH(NAME, TO_SHARED, FROM_SHARED, PARAMETERS, TO, FROM)                                   \
  WEFT_API void bupc_##NAME PARAMETERS {                                                           \
    weft_op_t op = {0};                                                                            \
    const move_t m = {"bupc_" #NAME, TO_SHARED, FROM_SHARED, TO, FROM, &op, .begun = false};       \
    move(&m);                                                                                      \
    weft_op_wait(&op);                                                                             \
  }                                                                                                \
  WEFT_API upc_handle_t bupc_##NAME##_async PARAMETERS {                                           \
    upc_handle_t handle = weft_upc_take_handle();                                                  \
    const move_t m = {"bupc_" #NAME "_async", TO_SHARED, FROM_SHARED, TO, FROM, &handle->op,       \
                      .begun = true};                                                              \
    move(&m);                                                                                      \
    return weft_upc_give_handle(handle);                                                           \
  }
#define FORM(NAME, PARAMETERS, TO, FROM)                                                           \
  BOTH(memcpy_##NAME, true, true, PARAMETERS, TO, FROM)                                            \
  BOTH(memput_##NAME, true, false, PARAMETERS, TO, FROM)                                           \
  BOTH(memget_##NAME, false, true, PARAMETERS, TO, FROM)
#define STRIDED(base, run, dims, count, strides)                                                   \
  weft_shape_strided(base, run, dims, count, (const ptrdiff_t *)(strides))

FORM(vlist, (size_t dstcount, const weft_piece_t *dst, size_t srccount, const weft_piece_t *src),
     weft_shape_pieces(0, dstcount, dst), weft_shape_pieces(0, srccount, src))
FORM(ilist,
     (size_t dstcount, const uintptr_t *dst, size_t dstlen, size_t srccount, const uintptr_t *src,
      size_t srclen),
     weft_shape_places(0, dstlen, dstcount, dst), weft_shape_places(0, srclen, srccount, src))
FORM(fstrided,
     (uintptr_t dst, size_t dstlen, size_t dststride, size_t dstcount, uintptr_t src, size_t srclen,
      size_t srcstride, size_t srccount),
     STRIDED(dst, dstlen, 1, &dstcount, &dststride), STRIDED(src, srclen, 1, &srccount, &srcstride))
FORM(strided,
     (uintptr_t dst, const size_t *dststrides, uintptr_t src, const size_t *srcstrides,
      const size_t *count, size_t levels),
     STRIDED(dst, count[0], levels, count + 1, dststrides),
     STRIDED(src, count[0], levels, count + 1, srcstrides))
