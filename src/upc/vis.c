/*
 * vis.c: Berkeley UPC's transfers between lists of pieces, lists of places and strided regions
 * (bupc_extensions.h), by the floor's non-contiguous engine. Bytes can be added to a
 * pointer-to-shared as to an address, so a shape holds either. The pieces of a list may lie on
 * several threads.
 */
#include "upc/internal.h"

typedef struct move {
  const char *who;
  weft_trace_kind_t kind;
  bool to_shared, from_shared;
  weft_shape_t to, from;
  weft_op_t *op; /* as of weft_upc_moves_t */
  bool begun;
} move_t;

static weft_upc_end_t end(bool shared, uintptr_t at, size_t n, const char *who) {
  return shared ? weft_upc_end_of(weft_upc_checked(at, n, who)) : (weft_upc_end_t){-1, at};
}

static void move_pieces(const move_t *m) {
  weft_upc_moves_t moves = {.who = m->who, .op = m->op, .begun = m->begun};
  weft_cursor_t to, from;
  weft_cursor_open(&to, &m->to);
  weft_cursor_open(&from, &m->from);
  while (to.left) {
    const size_t n = to.left < from.left ? to.left : from.left;
    weft_upc_moves_add(&moves, end(m->to_shared, to.at, n, m->who),
                       end(m->from_shared, from.at, n, m->who), n);
    weft_cursor_step(&to, n);
    weft_cursor_step(&from, n);
  }
  weft_upc_moves_end(&moves);
}

/* Between a strided region of another node's thread and one of this node, which go as they are. */
static bool move_strided(const move_t *m) {
  weft_shape_t to = m->to, from = m->from;
  if (to.form != WEFT_STRIDED || weft_options.check) return false;
  const weft_upc_end_t dest = end(m->to_shared, to.base, 1, m->who);
  const weft_upc_end_t source = end(m->from_shared, from.base, 1, m->who);
  if ((dest.thread < 0) == (source.thread < 0)) return false;
  to.base = dest.at, from.base = source.at;
  if (dest.thread < 0) {
    weft_rma_order_shape(source.thread, &from, &to, false);
    weft_rma_get_shape(&to, &from, source.thread, m->op, m->who);
  } else {
    weft_rma_order_shape(dest.thread, &to, &from, false);
    weft_rma_put_shape(&to, &from, dest.thread, m->op, m->begun ? m->op : NULL, m->who);
  }
  return true;
}

static void move(const move_t *m) {
  const size_t bytes = weft_shape_bytes(&m->to);
  weft_upc_up(m->who);
  WEFT_SPAN(m->kind, m->who, bytes);
  if (bytes != weft_shape_bytes(&m->from))
    weft_fatal("%s: the source has %zu bytes, the destination %zu", m->who,
               weft_shape_bytes(&m->from), bytes);
  if (bytes && !move_strided(m)) move_pieces(m);
}

/* ---- public: a side is an address or a pointer-to-shared, both of 64 bits ---- */

#define BOTH(NAME, KIND, TO_SHARED, FROM_SHARED, PARAMETERS, TO, FROM)                             \
  WEFT_API void bupc_##NAME PARAMETERS {                                                           \
    weft_op_t op = {.unordered = true};                                                            \
    move(&(move_t){"bupc_" #NAME, KIND, TO_SHARED, FROM_SHARED, TO, FROM, &op, .begun = false});   \
    weft_op_wait(&op);                                                                             \
  }                                                                                                \
  WEFT_API upc_handle_t bupc_##NAME##_async PARAMETERS {                                           \
    upc_handle_t handle = weft_upc_take_handle();                                                  \
    move(&(move_t){"bupc_" #NAME "_async", KIND, TO_SHARED, FROM_SHARED, TO, FROM, &handle->op,    \
                   .begun = true});                                                                \
    return weft_upc_give_handle(handle);                                                           \
  }
#define FORM(NAME, PARAMETERS, TO, FROM)                                                           \
  BOTH(memcpy_##NAME, WEFT_TRACE_PUT, true, true, PARAMETERS, TO, FROM)                            \
  BOTH(memput_##NAME, WEFT_TRACE_PUT, true, false, PARAMETERS, TO, FROM)                           \
  BOTH(memget_##NAME, WEFT_TRACE_GET, false, true, PARAMETERS, TO, FROM)
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
