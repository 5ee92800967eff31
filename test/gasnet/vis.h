/*
 * Random shapes for the tests of non-contiguous transfers, and what they mean byte by byte: the
 * reference knows nothing of the library's. A side is a region of VIS_REGION bytes and where the
 * n-th byte of the transfer lies in it.
 */
#ifndef TEST_GASNET_VIS_H
#define TEST_GASNET_VIS_H

#include "gasnet/world.h"

enum { VIS_REGION = 1 << 15, VIS_BYTES = 4096, VIS_PIECES = 512, VIS_DIMS = 4 };
enum vis_kind { VIS_VECTOR, VIS_INDEXED, VIS_STRIDED, VIS_KINDS };

/* What both sides of a transfer have in common. */
typedef struct vis_size {
  size_t elemsz, count[VIS_DIMS], levels, bytes;
} vis_size_t;

typedef struct vis_side {
  char *at; /* the region, as its owner sees it */
  size_t n; /* entries of vec or list */
  gex_Memvec_t vec[VIS_PIECES];
  void *list[VIS_BYTES];
  size_t length; /* of each of the list */
  char *start;
  ptrdiff_t stride[VIS_DIMS];
  uint32_t offset[VIS_BYTES];
} vis_side_t;

static __thread uint64_t vis_seed;
static inline size_t vis_random(size_t below) {
  return world_random(&vis_seed) % below;
}

static inline vis_size_t vis_size(void) {
  static const size_t sizes[] = {1, 3, 4, 8, 16};
  vis_size_t s = {.elemsz = sizes[vis_random(5)], .levels = vis_random(VIS_DIMS + 1)};
  s.bytes = s.elemsz;
  for (size_t i = 0; i < s.levels; i++) s.bytes *= s.count[i] = 1 + vis_random(4);
  return s;
}

/* Pieces in different cells of 64 bytes, some of them empty. */
static inline void vis_lay_vector(vis_side_t *side, const vis_size_t *s) {
  const size_t first = vis_random(VIS_PIECES), step = vis_random(VIS_PIECES) | 1;
  size_t done = 0;
  for (side->n = 0; done < s->bytes || vis_random(2); side->n++) {
    const size_t left = s->bytes - done;
    size_t length = vis_random(8) ? 16 + vis_random(49) : 0;
    if (length > left || side->n >= VIS_PIECES - 70) length = left < 64 ? left : 64;
    const size_t cell = (first + side->n * step) % VIS_PIECES;
    const size_t offset = cell * 64 + vis_random(65 - length);
    side->vec[side->n] = (gex_Memvec_t){side->at + offset, length};
    for (size_t i = 0; i < length; i++) side->offset[done++] = (uint32_t)(offset + i);
  }
}

/* Places of one length, which divides the transfer's. */
static inline void vis_lay_indexed(vis_side_t *side, const vis_size_t *s) {
  size_t cell = 1, length = s->elemsz;
  for (size_t i = 0; i < s->levels && vis_random(2); i++) length *= s->count[i];
  while (cell < length) cell *= 2;
  const size_t cells = VIS_REGION / cell, first = vis_random(cells), step = vis_random(cells) | 1;
  side->length = length;
  side->n = s->bytes / length;
  for (size_t i = 0; i < side->n; i++) {
    const size_t offset = (first + i * step) % cells * cell + vis_random(cell - length + 1);
    side->list[i] = side->at + offset;
    for (size_t b = 0; b < length; b++) side->offset[i * length + b] = (uint32_t)(offset + b);
  }
}

/* The dimensions in any order in memory (a transposition), each upwards or downwards. */
static inline void vis_lay_strided(vis_side_t *side, const vis_size_t *s) {
  size_t extent = s->elemsz, start = 0, left = s->levels, taken = 0;
  while (left > 0) {
    size_t d = vis_random(s->levels);
    if (taken >> d & 1) continue;
    taken |= (size_t)1 << d;
    left--;
    const size_t stride = extent + vis_random(4), span = stride * (s->count[d] - 1);
    const int down = (int)vis_random(2);
    side->stride[d] = down ? -(ptrdiff_t)stride : (ptrdiff_t)stride;
    if (down) start += span;
    extent += span;
  }
  start += vis_random(VIS_REGION - extent + 1);
  side->start = side->at + start;
  for (size_t b = 0; b < s->bytes; b++) {
    size_t rest = b / s->elemsz, offset = start + b % s->elemsz;
    for (size_t d = 0; d < s->levels; d++) {
      offset += (size_t)side->stride[d] * (rest % s->count[d]);
      rest /= s->count[d];
    }
    side->offset[b] = (uint32_t)offset;
  }
}

static inline void vis_lay(enum vis_kind kind, vis_side_t *side, char *at, const vis_size_t *s) {
  side->at = at;
  (kind == VIS_VECTOR    ? vis_lay_vector
   : kind == VIS_INDEXED ? vis_lay_indexed
                         : vis_lay_strided)(side, s);
}

/* What the transfer does to a copy of the destination's region. */
static inline void vis_model(char *to, const vis_side_t *dst, const char *from,
                             const vis_side_t *src, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) to[dst->offset[i]] = from[src->offset[i]];
}

#ifndef VIS_TM
#define VIS_TM world.tm
#endif

/* The call, in form NB, NBI or Blocking. */
#define VIS_PUT(form, kind, rank, dst, src, s, flags)                                              \
  (kind == VIS_VECTOR ? gex_VIS_VectorPut##form(VIS_TM, rank, (dst)->n, (dst)->vec, (src)->n,      \
                                                (src)->vec, flags)                                 \
   : kind == VIS_INDEXED                                                                           \
       ? gex_VIS_IndexedPut##form(VIS_TM, rank, (dst)->n, (dst)->list, (dst)->length, (src)->n,    \
                                  (src)->list, (src)->length, flags)                               \
       : gex_VIS_StridedPut##form(VIS_TM, rank, (dst)->start, (dst)->stride, (src)->start,         \
                                  (src)->stride, (s)->elemsz, (s)->count, (s)->levels, flags))
#define VIS_GET(form, kind, rank, dst, src, s, flags)                                              \
  (kind == VIS_VECTOR ? gex_VIS_VectorGet##form(VIS_TM, (dst)->n, (dst)->vec, rank, (src)->n,      \
                                                (src)->vec, flags)                                 \
   : kind == VIS_INDEXED                                                                           \
       ? gex_VIS_IndexedGet##form(VIS_TM, (dst)->n, (dst)->list, (dst)->length, rank, (src)->n,    \
                                  (src)->list, (src)->length, flags)                               \
       : gex_VIS_StridedGet##form(VIS_TM, (dst)->start, (dst)->stride, rank, (src)->start,         \
                                  (src)->stride, (s)->elemsz, (s)->count, (s)->levels, flags))

#endif
