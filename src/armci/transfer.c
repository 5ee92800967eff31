/*
 * transfer.c: put, get and accumulate, contiguous, strided and by lists. What a caller describes as
 * strided is mostly less so (Global Arrays describes everything that way): levels that continue one
 * another are taken together first. On a node the caller does the work, itself and at once.
 */
#include "armci/internal.h"

#include <stdlib.h>
#include <string.h>

/* Local and remote side of one strided transfer: dimensions that remain. */
typedef struct strides {
  size_t run; /* bytes of a block */
  int dims;
  size_t count[WEFT_ARMCI_LEVELS];
  ptrdiff_t local[WEFT_ARMCI_LEVELS], remote[WEFT_ARMCI_LEVELS];
} strides_t;

/* ---- to and from shapes ---------------------------------------------------------------------- */

static void complete_here(const weft_armci_call_t *call) {
  if (call->handle) weft_armci_handle_done(call->handle);
}

/* To another node, or whatever is not simple enough to be done here. */
static void move(const weft_armci_call_t *call, const weft_shape_t *local,
                 const weft_shape_t *remote) {
  weft_op_t *op = weft_armci_handle_open(call->handle);
  const weft_acc_type_t type = (weft_acc_type_t)call->type;
  weft_rma_order_shape(call->proc, remote, local, call->kind == WEFT_ARMCI_ACC);
  switch (call->kind) {
  case WEFT_ARMCI_PUT: weft_rma_put_shape(remote, local, call->proc, op, NULL, call->who); break;
  case WEFT_ARMCI_GET: weft_rma_get_shape(local, remote, call->proc, op, call->who); break;
  case WEFT_ARMCI_ACC:
    weft_rma_acc_shape(remote, local, type, call->scale, call->proc, op, NULL, call->who);
    break;
  }
  weft_armci_handle_begun(op);
}

static inline bool is_good(const weft_armci_call_t *call, size_t run) {
  return call->kind != WEFT_ARMCI_ACC ||
         (call->scale && (run & (weft_acc_width((weft_acc_type_t)call->type) - 1)) == 0);
}

/* Everything about a call that does not depend on where the bytes are. */
static void check(const weft_armci_call_t *call, size_t run) {
  weft_armci_check(call->proc, call->who);
  if (weft_likely(is_good(call, run))) return;
  if (!call->scale) weft_fatal("%s: no scale", call->who);
  weft_fatal("%s: blocks of %zu bytes are no whole elements", call->who, run);
}

/* ---- on this node: `n` rows of `run` bytes --------------------------------------------------- */

static WEFT_NOINLINE void add_rows(const weft_armci_call_t *call, size_t run, size_t n, char *local,
                                   ptrdiff_t local_stride, char *here, ptrdiff_t stride) {
  weft_adder_t adder = weft_rma_adder(call->proc, (weft_acc_type_t)call->type, call->scale);
  for (; n > 0; n--, here += stride, local += local_stride)
    weft_adder_add(&adder, here, local, run);
  weft_adder_end(&adder);
}

static inline void rows_here(const weft_armci_call_t *call, size_t run, size_t n, char *local,
                             ptrdiff_t local_stride, char *here, ptrdiff_t stride) {
  switch (call->kind) {
  case WEFT_ARMCI_PUT:
    for (; n > 0; n--, here += stride, local += local_stride) weft_direct_copy(here, local, run);
    break;
  case WEFT_ARMCI_GET:
    for (; n > 0; n--, here += stride, local += local_stride) weft_direct_fetch(local, here, run);
    break;
  case WEFT_ARMCI_ACC: add_rows(call, run, n, local, local_stride, here, stride); break;
  }
  complete_here(call);
}

/* ---- contiguous ------------------------------------------------------------------------------ */

/* To another node. */
static void send_block(const weft_armci_call_t *call, char *local, uintptr_t off, size_t n) {
  const int pe = call->proc;
  if (call->kind == WEFT_ARMCI_ACC) {
    const weft_shape_t far = weft_shape_strided(off, n, 0, NULL, NULL);
    const weft_shape_t near = weft_shape_strided((uintptr_t)local, n, 0, NULL, NULL);
    move(call, &near, &far);
    return;
  }
  weft_op_t *op = weft_armci_handle_open(call->handle);
  if (call->kind == WEFT_ARMCI_PUT)
    weft_rma_put_behind(pe, off, local, n, op, NULL);
  else
    weft_rma_get_behind(pe, off, local, n, op);
  weft_armci_handle_begun(op);
}

/* n is not 0; `remote` is the owner's address. */
static void contiguous(const weft_armci_call_t *call, char *local, char *remote, size_t n) {
  char *here = weft_armci_here(call->proc, remote);
  if (weft_unlikely(weft_options.check)) weft_armci_check_memory(call->proc, remote, n, call->who);
  if (weft_unlikely(!here)) {
    send_block(call, local, weft_job_offset_of(call->proc, (uintptr_t)remote), n);
    return;
  }
  rows_here(call, n, 1, local, 0, here, 0);
}

static WEFT_NOINLINE int looked_at(const weft_armci_call_t *call, void *src, void *dst,
                                   size_t bytes) {
  const bool get = call->kind == WEFT_ARMCI_GET;
  check(call, bytes);
  if (bytes > PTRDIFF_MAX) weft_fatal("%s: %zd bytes", call->who, (ptrdiff_t)bytes);
  WEFT_SPAN_TO(weft_armci_counted(call->kind), call->who, bytes, call->proc, 0);
  if (bytes)
    contiguous(call, get ? dst : src, get ? src : dst, bytes);
  else
    complete_here(call);
  return 0;
}

/* On a node a few words are copied or added in less time than it takes to look at the call. NULL:
 * look at it (also where there is nothing to copy: `src` may be NULL then). */
static inline void *nearby(int proc, const void *remote, size_t bytes) {
  uintptr_t at;
  return (unsigned)proc < weft_armci_near.n && bytes - 1 < PTRDIFF_MAX &&
                 !__builtin_add_overflow((uintptr_t)remote, weft_armci_near.owner[proc], &at)
             ? (void *)at
             : NULL;
}

/* Of whole elements. */
static inline int block(const weft_armci_call_t *call, void *src, void *dst, size_t bytes) {
  const bool get = call->kind == WEFT_ARMCI_GET;
  void *here = nearby(call->proc, get ? src : dst, bytes);
  if (!here) return looked_at(call, src, dst, bytes);
  rows_here(call, bytes, 1, get ? dst : src, 0, here, 0);
  return 0;
}

int weft_armci_contiguous(const weft_armci_call_t *call, void *src, void *dst, size_t bytes) {
  return is_good(call, bytes) ? block(call, src, dst, bytes) : looked_at(call, src, dst, bytes);
}

/* A blocking copy, for which on a node even the description of the call would count. False: it was
 * not done. */
static inline bool copied_nearby(bool get, void *src, void *dst, size_t bytes, int proc) {
  void *here = nearby(proc, get ? src : dst, bytes);
  if (!here) return false;
  if (get)
    weft_direct_fetch(dst, here, bytes);
  else
    weft_direct_copy(here, src, bytes);
  return true;
}

/* ---- strided --------------------------------------------------------------------------------- */

/* The bytes of what is one block in disguise, or 0. Strides are not looked at beyond the levels
 * that there are, nor where there is only one of a level. */
static inline size_t whole(const int *src, const int *dst, const int *count, int levels) {
  if (!count || count[0] <= 0 || (unsigned)levels > WEFT_ARMCI_LEVELS) return 0;
  ptrdiff_t n = count[0];
  for (int i = 0; i < levels; i++) {
    if (count[i + 1] <= 0 || (count[i + 1] > 1 && (src[i] != n || dst[i] != n))) return 0;
    n *= count[i + 1];
  }
  return (size_t)n;
}

/* False: there is nothing to move. Of strides the same is looked at. */
static bool collapse(strides_t *s, const int *local, const int *remote, const int *count,
                     int levels) {
  bool any = count[0] > 0;
  ptrdiff_t near = count[0], far = count[0]; /* strides of what would continue the level below */
  s->run = (size_t)count[0];
  s->dims = 0; /* what the arrays hold beyond means nothing */
  for (int i = 0; i < levels; i++) {
    const size_t n = (size_t)count[i + 1];
    if (count[i + 1] <= 0) any = false;
    if (count[i + 1] <= 1) continue;
    if (local[i] != near || remote[i] != far) {
      near = s->local[s->dims] = local[i];
      far = s->remote[s->dims] = remote[i];
      s->count[s->dims++] = n;
    } else if (s->dims) {
      s->count[s->dims - 1] *= n;
    } else {
      s->run *= n;
    }
    near *= (ptrdiff_t)n;
    far *= (ptrdiff_t)n;
  }
  return any;
}

static size_t bytes_of(const strides_t *s) {
  size_t n = s->run;
  for (int i = 0; i < s->dims; i++) n *= s->count[i];
  return n;
}

/* WEFT_CHECK=1: blocks of what is written do not overlap, in whatever order the levels come; a
 * stride of 0 is the same place on purpose. */
static WEFT_COLD void check_strides(const weft_armci_call_t *call, const int *stride,
                                    const int *count, int levels) {
  ptrdiff_t extent = count[0], past = 0;
  for (;;) { /* the levels by their strides */
    int next = -1;
    for (int i = 0; i < levels; i++) {
      const ptrdiff_t s = labs(stride[i]);
      if (count[i + 1] > 1 && s > past && (next < 0 || s < labs(stride[next]))) next = i;
    }
    if (next < 0) return;
    past = labs(stride[next]);
    if (past < extent)
      weft_fatal("%s: the target's stride of level %d is %d bytes, the block below it has %td: "
                 "they overlap",
                 call->who, next, stride[next], extent);
    extent += (count[next + 1] - 1) * past;
  }
}

/* WEFT_CHECK=1: from the first byte of what is remote to the last, in one block. */
static WEFT_COLD void check_extent(const weft_armci_call_t *call, const char *remote,
                                   const strides_t *s) {
  ptrdiff_t first = 0, end = (ptrdiff_t)s->run;
  for (int i = 0; i < s->dims; i++) {
    const ptrdiff_t last = (ptrdiff_t)(s->count[i] - 1) * s->remote[i];
    if (last < 0)
      first += last;
    else
      end += last;
  }
  weft_armci_check_memory(call->proc, remote + first, (size_t)(end - first), call->who);
}

#define ROWS                                                                                       \
  void *src, const int *src_stride, void *dst, const int *dst_stride, const int *count, int levels

static WEFT_NOINLINE int in_rows(const weft_armci_call_t *call, ROWS) {
  strides_t s;
  const bool get = call->kind == WEFT_ARMCI_GET;
  char *local = get ? dst : src, *remote = get ? src : dst;
  if (!count || levels < 0 || levels > WEFT_ARMCI_LEVELS || count[0] < 0)
    weft_fatal("%s: %d levels of strides (0 to %d), first count %d", call->who, levels,
               WEFT_ARMCI_LEVELS, count ? count[0] : -1);
  check(call, (size_t)count[0]);
  if (weft_unlikely(weft_options.check)) check_strides(call, dst_stride, count, levels);
  if (!collapse(&s, get ? dst_stride : src_stride, get ? src_stride : dst_stride, count, levels)) {
    complete_here(call);
    return 0;
  }
  WEFT_SPAN_TO(weft_armci_counted(call->kind), call->who, bytes_of(&s), call->proc, 0);
  if (weft_unlikely(weft_options.check)) check_extent(call, remote, &s);
  char *here = weft_armci_here(call->proc, remote);
  if (here && s.dims == 1 && !weft_options.check) {
    rows_here(call, s.run, s.count[0], local, s.local[0], here, s.remote[0]);
    return 0;
  }
  const size_t dims = (size_t)s.dims;
  const weft_shape_t near = weft_shape_strided((uintptr_t)local, s.run, dims, s.count, s.local);
  const weft_shape_t far = weft_shape_strided(weft_job_offset_of(call->proc, (uintptr_t)remote),
                                              s.run, dims, s.count, s.remote);
  move(call, &near, &far);
  return 0;
}

int weft_armci_strided(const weft_armci_call_t *call, ROWS) {
  const size_t bytes = whole(src_stride, dst_stride, count, levels);
  if (bytes && is_good(call, (size_t)count[0])) return block(call, src, dst, bytes);
  return in_rows(call, src, src_stride, dst, dst_stride, count, levels);
}

/* ---- blocking copies ------------------------------------------------------------------------- */

#define DESCRIBED(NAME, KIND)                                                                      \
  (&(const weft_armci_call_t){.who = "ARMCI_" NAME, .kind = WEFT_ARMCI_##KIND, .proc = proc})

/* Put or Get, and PutS or GetS, with what they do in the less common case apart from them. */
#define BLOCKING(name, NAME, KIND)                                                                 \
  int weft_armci_##name(void *src, void *dst, size_t bytes, int proc) {                            \
    return copied_nearby(WEFT_ARMCI_##KIND == WEFT_ARMCI_GET, src, dst, bytes, proc)               \
               ? 0                                                                                 \
               : looked_at(DESCRIBED(NAME, KIND), src, dst, bytes);                                \
  }                                                                                                \
  static WEFT_NOINLINE int name##_rows(ROWS, int proc) {                                           \
    return weft_armci_strided(DESCRIBED(NAME "S", KIND), src, src_stride, dst, dst_stride, count,  \
                              levels);                                                             \
  }                                                                                                \
  int weft_armci_##name##_strided(ROWS, int proc) {                                                \
    const size_t bytes = whole(src_stride, dst_stride, count, levels);                             \
    return copied_nearby(WEFT_ARMCI_##KIND == WEFT_ARMCI_GET, src, dst, bytes, proc)               \
               ? 0                                                                                 \
               : name##_rows(src, src_stride, dst, dst_stride, count, levels, proc);               \
  }

BLOCKING(put, "Put", PUT)
BLOCKING(get, "Get", GET)

/* ---- lists ----------------------------------------------------------------------------------- */

static bool is_empty(const weft_armci_segments_t *s) {
  return s->n == 0 || s->bytes == 0;
}

/* The codes of the original ARMCI; nothing is done then. A list of nothing is none, as in ComEx and
 * ARMCI-MPI. */
static int wrong(int lists, weft_armci_segments_t (*list)(const void *all, int i), const void *all,
                 int *full) {
  *full = 0;
  if (!all) return -1;
  if (lists < 1) return -2;
  for (int i = 0; i < lists; i++) {
    const weft_armci_segments_t s = list(all, i);
    if (s.bytes < 0 || s.n < 0) return -4;
    if (!is_empty(&s) && (!s.src || !s.dst)) return -3;
    *full += !is_empty(&s);
  }
  return 0;
}

static void one_list(const weft_armci_call_t *call, const weft_armci_segments_t *s) {
  void **local = call->kind == WEFT_ARMCI_GET ? s->dst : s->src;
  void **remote = call->kind == WEFT_ARMCI_GET ? s->src : s->dst;
  const size_t n = (size_t)s->n, bytes = (size_t)s->bytes;
  if (weft_job_slot(call->proc) && !weft_options.check) {
    weft_adder_t adder = {.held = NULL};
    if (call->kind == WEFT_ARMCI_ACC)
      adder = weft_rma_adder(call->proc, (weft_acc_type_t)call->type, call->scale);
    for (size_t i = 0; i < n; i++) {
      char *here = weft_armci_here(call->proc, remote[i]);
      switch (call->kind) {
      case WEFT_ARMCI_PUT: weft_direct_copy(here, local[i], bytes); break;
      case WEFT_ARMCI_GET: weft_direct_fetch(local[i], here, bytes); break;
      case WEFT_ARMCI_ACC: weft_adder_add(&adder, here, local[i], bytes); break;
      }
    }
    weft_adder_end(&adder);
    complete_here(call);
    return;
  }
  for (size_t i = 0; weft_options.check && i < n; i++)
    weft_armci_check_memory(call->proc, remote[i], bytes, call->who);
  const weft_shape_t near = weft_shape_places(0, bytes, n, (uintptr_t *)local);
  const weft_shape_t far =
      weft_shape_places(-weft_job_base_of(call->proc), bytes, n, (uintptr_t *)remote);
  move(call, &near, &far);
}

int weft_armci_vector(const weft_armci_call_t *call, int lists,
                      weft_armci_segments_t (*list)(const void *all, int i), const void *all) {
  int full; /* lists of something */
  const int rc = wrong(lists, list, all, &full);
  if (rc) return rc;
  if ((unsigned)call->proc >= (unsigned)weft_job.npes) return -5;
  weft_armci_call_t one = *call;
  if (full == 0) complete_here(call);
  const bool made = full > 1 && weft_armci_handle_make_aggregate(call->handle);
  for (int i = 0; i < lists; i++) {
    const weft_armci_segments_t s = list(all, i);
    if (is_empty(&s)) continue;
    check(&one, (size_t)s.bytes);
    WEFT_SPAN_TO(weft_armci_counted(one.kind), one.who, (size_t)s.n * (size_t)s.bytes, one.proc, 0);
    one_list(&one, &s);
  }
  if (made) weft_armci_aggregate(call->handle, false);
  return 0;
}

/* ---- a flag behind the data ------------------------------------------------------------------ */

void weft_armci_flag(int proc, int *flag, int value, const char *who) {
  weft_armci_check(proc, who);
  if (weft_unlikely(weft_options.check)) weft_armci_check_memory(proc, flag, sizeof *flag, who);
  char *here = weft_armci_here(proc, flag);
  if (here) {
    __atomic_store_n((int *)here, value, __ATOMIC_RELEASE);
    return;
  }
  weft_rma_order(proc);
  weft_stage_put_word(&weft_channels[0], proc, weft_job_offset_of(proc, (uintptr_t)flag),
                      (uint32_t)value, sizeof value);
  weft_stage_release();
}
