/*
 * The random test: what a thread does alone, on its lanes: it has one on each thread, which nobody
 * else touches, so it knows what is there. Accesses, transfers and Berkeley's lists and strided
 * regions, blocking and begun; what is begun is waited for before another transfer meets it.
 */
#ifndef TEST_UPC_RANDOM_LANE_H
#define TEST_UPC_RANDOM_LANE_H

#include "lists.h"
#include "random.h"

#define BEGUN(name, ...)                                                                           \
  handle name##_nb(__VA_ARGS__);                                                                   \
  void name##_nbi(__VA_ARGS__);
BEGUN(upc_memcpy, pts, pts, size_t)
BEGUN(upc_memget, void *, pts, size_t)
BEGUN(upc_memput, pts, const void *, size_t)
BEGUN(upc_memset, pts, int, size_t)
int upc_sync_attempt(handle h);
void upc_synci(void);
int upc_synci_attempt(void);
int bupc_trysync_some(handle *h, size_t n);
void bupc_begin_accessregion(void);
handle bupc_end_accessregion(void);

enum { OPS = 8, ROOM = 8000, VIS_MOST = 900, PIECES = 40, EVERYWHERE = -1, NOWHERE = -2 };
enum { LANES = 480000 }; /* bytes on a thread */
static pts area[THREADS_MOST]; /* a thread's: at one offset, or not */
static size_t lane;            /* bytes */
static unsigned char *model[THREADS_MOST];

typedef struct span {
  int thread;
  size_t at, n;
} span;
static struct op {
  enum { FREE, HANDLE, IMPLICIT, REGION } state;
  handle h;
  span to, from;
  bool gets;
  size_t n; /* of the buffers */
  unsigned char *buffer, *want;
} ops[OPS];
static bool region;

static pts lane_at(int owner, int thread, size_t at) {
  return area[thread] + (pts)((size_t)owner * lane + at);
}
static pts place(int thread, size_t at) {
  return lane_at(ME, thread, at);
}

/* ---- waiting --------------------------------------------------------------------------------- */

static void is_over(struct op *o) {
  o->state = FREE;
  if (o->gets) must_equal(o->buffer, o->want, o->n, "a begun get");
}

static void wait_kind(int state) {
  for (int i = 0; i < OPS; i++)
    if ((int)ops[i].state == state) is_over(&ops[i]);
}

static void wait_handle(handle h) {
  if (any(2))
    upc_sync(h);
  else
    while (!upc_sync_attempt(h)) weft_upc_spin();
}

static void close_region(void) {
  if (!region) return;
  region = false;
  wait_handle(bupc_end_accessregion());
  wait_kind(REGION);
}

/* All that have handles, or some of them. */
static void wait_several(struct op *o) {
  handle h[OPS];
  for (int i = 0; i < OPS; i++) h[i] = ops[i].state == HANDLE ? ops[i].h : NULL;
  const size_t how = any(4);
  do {
    if (how == 0) bupc_waitsync_all(h, OPS);
    if (how == 1) bupc_waitsync_some(h, OPS);
    if (how == 2 && bupc_trysync_all(h, OPS)) CHECK(!h[o - ops]);
    if (how == 3) bupc_trysync_some(h, OPS);
    if (how > 1) weft_upc_spin();
  } while (h[o - ops]);
  for (int i = 0; i < OPS; i++) {
    if (ops[i].state != HANDLE) continue;
    ops[i].h = h[i];
    if (!h[i]) is_over(&ops[i]);
  }
}

static void settle(struct op *o) {
  if (o->state == REGION) close_region();
  if (o->state == IMPLICIT) {
    close_region();
    if (any(2))
      upc_synci();
    else
      while (!upc_synci_attempt()) weft_upc_spin();
    wait_kind(IMPLICIT);
  }
  if (o->state == HANDLE && any(3) == 0) wait_several(o);
  if (o->state != HANDLE) return;
  wait_handle(o->h);
  is_over(o);
}
static void settle_all(void) {
  for (int i = 0; i < OPS; i++) settle(&ops[i]);
  close_region();
}

static bool meet(const span *a, const span *b) {
  if (a->thread == NOWHERE || b->thread == NOWHERE) return false;
  if (a->thread >= 0 && b->thread >= 0 && a->thread != b->thread) return false;
  return a->at < b->at + b->n && b->at < a->at + a->n;
}
static struct op *take(span to, span from, size_t n, bool gets) {
  struct op *o = &ops[any(OPS)];
  settle(o);
  for (int i = 0; i < OPS; i++)
    if (ops[i].state != FREE &&
        (meet(&ops[i].to, &to) || meet(&ops[i].to, &from) || meet(&ops[i].from, &to)))
      settle(&ops[i]);
  o->to = to, o->from = from, o->n = n, o->gets = gets;
  free(o->buffer), free(o->want);
  o->buffer = malloc(n + 1), o->want = malloc(n + 1);
  return o;
}
/* A handle, or NULL for one without: is it under way? */
static void has_begun(struct op *o, bool implicit, handle h) {
  o->h = h;
  o->state = !implicit ? HANDLE : region ? REGION : IMPLICIT;
}

/* ---- contiguous, and accesses ---------------------------------------------------------------- */

static void contiguous(void) {
  const size_t kind = any(4), how = any(4), n = some_size(&own, lane / 2);
  const int t = (int)any((size_t)N), u = (int)any((size_t)N), byte = (int)any(600);
  size_t at = any(lane - n + 1), src = any(lane - n + 1);
  if (kind == 2) at = any(lane / 2 - n + 1), src = lane / 2 + any(lane / 2 - n + 1);
  if (kind == 2 && any(2)) at += lane / 2, src -= lane / 2;
  const span here = {t, at, n}, nothing = {NOWHERE, 0, 0}, there = {u, src, n};
  snprintf(text, sizeof text, "kind %zu, how %zu, %zu bytes at %zu of thread %d, %zu of %d", kind,
           how, n, at, t, src, u);
  struct op *o = take(kind == 1 ? nothing : here,
                      kind == 1 ? here : kind == 2 ? there : nothing, n, kind == 1);
#define DO(name, ...)                                                                              \
  if (how < 2) name(__VA_ARGS__);                                                                  \
  if (how == 2) has_begun(o, false, name##_nb(__VA_ARGS__));                                       \
  if (how == 3) name##_nbi(__VA_ARGS__), has_begun(o, true, NULL);
  switch (kind) {
  case 0:
    fill(o->buffer, n, own);
    memcpy(model[t] + at, o->buffer, n);
    DO(upc_memput, place(t, at), o->buffer, n)
    break;
  case 1:
    memcpy(o->want, model[t] + at, n);
    memset(o->buffer, 0x77, n);
    DO(upc_memget, o->buffer, place(t, at), n)
    break;
  case 2:
    memcpy(model[t] + at, model[u] + src, n);
    DO(upc_memcpy, place(t, at), place(u, src), n)
    break;
  default:
    memset(model[t] + at, byte, n);
    DO(upc_memset, place(t, at), byte, n)
  }
#undef DO
  if (o->state == FREE && kind == 1) is_over(o);
  if (o->state == FREE) memset(o->buffer, 0x55, n);
}

#define ACCESS(T)                                                                                  \
  {                                                                                                \
    const size_t at = any(lane / sizeof(T)) * sizeof(T);                                           \
    const span s = {t, at, sizeof(T)};                                                             \
    take(s, s, 0, false);                                                                          \
    T value, want;                                                                                 \
    fill(&value, sizeof value, own);                                                               \
    memcpy(&want, model[t] + at, sizeof want);                                                     \
    if (any(2)) {                                                                                  \
      strict ? WEFT_UPC_PUT_STRICT(T, place(t, at), value)                                         \
             : WEFT_UPC_PUT(T, place(t, at), value);                                               \
      memcpy(model[t] + at, &value, sizeof value);                                                 \
    } else {                                                                                       \
      value = strict ? WEFT_UPC_GET_STRICT(T, place(t, at)) : WEFT_UPC_GET(T, place(t, at));       \
      must_equal(&value, &want, sizeof value, "a load");                                           \
    }                                                                                              \
  }
static void accesses(void) {
  for (size_t left = 1 + any(30); left > 0; left--) {
    const int t = (int)any((size_t)N);
    const bool strict = any(8) == 0;
    switch (any(5)) {
    case 0: ACCESS(uint8_t) break;
    case 1: ACCESS(uint16_t) break;
    case 2: ACCESS(uint32_t) break;
    default: ACCESS(uint64_t)
    }
  }
}

/* ---- what does not lie together -------------------------------------------------------------- */

enum form { VLIST, ILIST, FSTRIDED, STRIDED };
/* One side of a transfer: where each byte is, and the arguments. */
typedef struct side {
  bool shared;
  size_t base; /* of shared memory's room in the lane */
  unsigned char *buffer;
  int thread[VIS_MOST];
  size_t at[VIS_MOST], bytes;
  piece list[PIECES];
  uintptr_t places[PIECES], first;
  size_t count, length, stride, strides[3];
} side;

static uintptr_t address(const side *s, int thread, size_t at) {
  if (!s->shared) return (uintptr_t)(s->buffer + at);
  return place(thread, s->base + at) | (pts)any(7) << WEFT_UPC_ADDR_BITS;
}
static uintptr_t chunk(side *s, int thread, size_t at, size_t n) {
  for (size_t i = 0; i < n; i++) s->thread[s->bytes] = thread, s->at[s->bytes++] = at + i;
  return address(s, thread, at);
}

static void lay_list(side *s, enum form form, size_t n) {
  const size_t least = (n + PIECES - 1) / PIECES;
  size_t at[PIECES], length[PIECES], left = n, next = 0;
  for (s->length = least + any(n - least + 1); n % s->length;) s->length++;
  if (form == ILIST) s->count = n / s->length;
  if (form == VLIST) s->count = 1 + any(PIECES);
  for (size_t i = 0; i < s->count; i++) {
    length[i] = form == ILIST ? s->length : i + 1 == s->count ? left : any(left + 1);
    left -= length[i];
    next += any((ROOM - VIS_MOST) / PIECES);
    at[i] = next, next += length[i];
  }
  for (size_t i = 0; form == ILIST && i + 1 < s->count; i++) { /* in any order */
    const size_t k = i + any(s->count - i), x = at[i];
    at[i] = at[k], at[k] = x;
  }
  for (size_t i = 0; i < s->count; i++) {
    const uintptr_t p = chunk(s, (int)any((size_t)N), at[i], length[i]);
    s->places[i] = p;
    s->list[i] = (piece){p, length[i]};
  }
}

static void lay_strided(side *s, enum form form, const size_t *count, size_t levels) {
  const int thread = (int)any((size_t)N);
  const size_t start = any(500), n = count[0] * count[1] * count[2] * count[3];
  s->first = address(s, thread, start);
  if (form == FSTRIDED) {
    do s->length = 1 + any(n);
    while (n % s->length);
    s->count = n / s->length;
    s->stride = s->length + any((ROOM - 500) / s->count - s->length + 1);
    for (size_t i = 0; i < s->count; i++) chunk(s, thread, start + i * s->stride, s->length);
    return;
  }
  size_t extent = count[0];
  for (size_t i = 0; i < 3; i++) {
    s->strides[i] = extent + any(i ? extent / 3 + 1 : extent + 1);
    extent = s->strides[i] * count[i + 1];
  }
  CHECK(start + extent <= ROOM);
  for (size_t c = 0; c < count[3]; c++)
    for (size_t b = 0; b < count[2]; b++)
      for (size_t a = 0; a < count[1]; a++)
        chunk(s, thread, start + a * s->strides[0] + b * s->strides[1] + c * s->strides[2],
              count[0]);
  for (size_t i = levels; i < 3; i++) s->strides[i] = 99999;
}

static unsigned char *byte_of(const side *s, size_t i) {
  return s->shared ? model[s->thread[i]] + s->base + s->at[i] : s->buffer + s->at[i];
}

#define CALL(name)                                                                                 \
  switch (form) {                                                                                  \
  case VLIST: SOME(name##_vlist, to.count, to.list, from.count, from.list) break;                  \
  case ILIST:                                                                                      \
    SOME(name##_ilist, to.count, to.places, to.length, from.count, from.places, from.length)       \
    break;                                                                                         \
  case FSTRIDED:                                                                                   \
    SOME(name##_fstrided, to.first, to.length, to.stride, to.count, from.first, from.length,       \
         from.stride, from.count)                                                                  \
    break;                                                                                         \
  case STRIDED:                                                                                    \
    SOME(name##_strided, to.first, to.strides, from.first, from.strides, count, levels)            \
  }
#define SOME(name, ...)                                                                            \
  {                                                                                                \
    if (begun)                                                                                     \
      has_begun(o, false, bupc_##name##_async(__VA_ARGS__));                                       \
    else                                                                                           \
      bupc_##name(__VA_ARGS__);                                                                    \
  }

static void vis(void) {
  static side to, from;
  const enum form form = (enum form)any(4);
  const size_t kind = any(3), levels = any(4); /* put, get, copy */
  const bool begun = any(2);
  size_t count[4] = {1 + any(any(3) ? 9 : 60), 1, 1, 1}, n = count[0];
  for (size_t i = 1; i < 4; i++)
    if (form != STRIDED || i <= levels) count[i] = 1 + any(4), n *= count[i];
  while (n > VIS_MOST) n /= 2, count[0] = n / (count[1] * count[2] * count[3]);
  n = count[0] * count[1] * count[2] * count[3];
  if (lane < 2 * ROOM || n == 0) return;
  to.shared = kind != 1, from.shared = kind != 0;
  to.bytes = from.bytes = 0;
  to.base = any(lane / 2 - ROOM + 1), from.base = lane / 2 + any(lane / 2 - ROOM + 1);
  snprintf(text, sizeof text, "vis kind %zu, form %d, begun %d, %zu bytes", kind, form, begun, n);
  struct op *o =
      take((span){to.shared ? EVERYWHERE : NOWHERE, to.base, ROOM},
           (span){from.shared ? EVERYWHERE : NOWHERE, from.base, ROOM}, kind < 2 ? ROOM : 0,
           kind == 1);
  to.buffer = from.buffer = o->buffer;
  for (int i = 0; i < 2; i++) {
    side *s = i ? &from : &to;
    if (form == VLIST || form == ILIST)
      lay_list(s, form, n);
    else
      lay_strided(s, form, count, levels);
  }
  if (kind == 0) fill(o->buffer, ROOM, own);
  if (kind == 1) memset(o->buffer, 0x77, ROOM), memset(o->want, 0x77, ROOM), to.buffer = o->want;
  unsigned char moved[VIS_MOST];
  for (size_t i = 0; i < n; i++) moved[i] = *byte_of(&from, i);
  for (size_t i = 0; i < n; i++) *byte_of(&to, i) = moved[i];
  if (kind == 0) CALL(memput)
  if (kind == 1) CALL(memget)
  if (kind == 2) CALL(memcpy)
  memset(count, 0xff, sizeof count); /* the arguments may change */
  memset(to.list, 0, sizeof to.list), memset(from.list, 0, sizeof from.list);
  memset(to.places, 0, sizeof to.places), memset(from.places, 0, sizeof from.places);
  memset(to.strides, 0, sizeof to.strides), memset(from.strides, 0, sizeof from.strides);
  if (!begun && kind == 1) is_over(o);
  if (!begun && kind == 0) memset(o->buffer, 0x55, ROOM);
}

static void lane_operation(void) {
  if (!region && any(12) == 0) {
    for (int i = 0; i < OPS; i++) settle(&ops[i]);
    bupc_begin_accessregion();
    region = true;
  }
  switch (any(6)) {
  case 0: accesses(); break;
  case 1:
  case 2: vis(); break;
  default: contiguous();
  }
  if (any(4) == 0) settle(&ops[any(OPS)]);
  if (any(8) == 0) close_region();
  if (any(9) == 0) weft_upc_fence();
}

#endif
