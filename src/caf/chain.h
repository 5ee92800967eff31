/*
 * chain.h: references that lead through allocatable and pointer components of another image,
 * x[i]%a(3)%p%b(:). A chain is a list of steps without pointers, so that it can be walked where the
 * memory is: here when the image shares the node, else by the port of the image's node, in one
 * request. Knows the layout of gfortran's array descriptors, because they lie in the memory that is
 * walked.
 */
#ifndef WEFT_CAF_CHAIN_H
#define WEFT_CAF_CHAIN_H

#include "caf/caf.h"

/* gfortran's array descriptor; only `rank` of the dimensions are there. */
typedef struct weft_caf_descriptor {
  void *base;
  size_t offset;
  size_t elem_len;
  int version;
  signed char rank;
  signed char type;
  signed short attribute;
  ptrdiff_t span;
  struct {
    ptrdiff_t stride, lower, upper; /* strides in elements of `span` bytes */
  } dim[WEFT_CAF_RANK_MAX];
} weft_caf_descriptor_t;

_Static_assert(offsetof(weft_caf_descriptor_t, dim) == 40, "descriptor");

static inline size_t weft_caf_descriptor_bytes(int rank) {
  return offsetof(weft_caf_descriptor_t, dim) + 24 * (size_t)rank;
}
/* Are the n bytes that somebody sent one? */
static inline bool weft_caf_is_descriptor(const void *at, size_t n) {
  const weft_caf_descriptor_t *d = (const weft_caf_descriptor_t *)at;
  return n >= weft_caf_descriptor_bytes(0) && d->rank >= 0 && d->rank <= WEFT_CAF_RANK_MAX &&
         n == weft_caf_descriptor_bytes(d->rank);
}

/* Of elements one behind the other, as many in each dimension as `like` has: the bounds, counted
 * from the lower ones that are there. */
WEFT_API void weft_caf_bounds(weft_caf_descriptor_t *d, const weft_caf_section_t *like);

enum weft_caf_mode {
  WEFT_CAF_MODE_END,
  WEFT_CAF_VECTOR,
  WEFT_CAF_FULL,
  WEFT_CAF_RANGE,
  WEFT_CAF_SINGLE,
  WEFT_CAF_OPEN_END,
  WEFT_CAF_OPEN_START
};

/* Subscripts of one dimension. VECTOR: n of them, whose places are the caller's; with WEFT_CHECK=1
 * start and end are the lowest and the highest. Of a static array start, end and stride are in
 * elements of the whole array, from 0. */
typedef struct weft_caf_subscript {
  uint64_t mode;
  int64_t start, end;
  union {
    int64_t stride;
    int64_t n;
  };
} weft_caf_subscript_t;

/* One step: a component at `offset`, whose pointer is followed if `follow`; or subscripts. */
typedef struct weft_caf_step {
  uint8_t type; /* enum weft_caf_step_type */
  uint8_t follow;
  uint8_t rank; /* subscripts that come behind */
  uint8_t unused[5];
  int64_t offset;
  uint64_t item; /* subscripts: bytes of an element; a component: offset of its token */
} weft_caf_step_t;

enum weft_caf_step_type { WEFT_CAF_COMPONENT, WEFT_CAF_ARRAY, WEFT_CAF_STATIC };

/* Steps one behind the other, as they travel. */
typedef struct weft_caf_chain {
  size_t n;                            /* bytes */
  const weft_caf_descriptor_t *bounds; /* of the coarray, for an ARRAY step at the beginning */
  _Alignas(8) char bytes[2048];
} weft_caf_chain_t;

/* The step, with `rank` subscripts behind it for the caller to fill in. */
WEFT_API weft_caf_step_t *weft_caf_chain_add(weft_caf_chain_t *chain, const weft_caf_step_t *step);
static inline weft_caf_subscript_t *weft_caf_subscripts(weft_caf_step_t *step) {
  return (weft_caf_subscript_t *)(step + 1);
}

/* Of a step with its subscripts. */
static inline size_t weft_caf_step_bytes(const weft_caf_step_t *step) {
  return sizeof *step + step->rank * sizeof(weft_caf_subscript_t);
}

/* Where a chain leads, as its owner sees it. */
typedef struct weft_caf_place {
  uint32_t outcome; /* enum weft_caf_outcome */
  uint32_t rank;
  uint64_t at;         /* address in its owner; of no vector's element */
  uint64_t descriptor; /* of the last component that is followed, or the pointer's place; 0: none */
  uint64_t token;      /* of the same component */
  uint64_t moved;      /* bytes of data that were moved along */
  union {
    struct {
      uint64_t n;
      int64_t step;   /* bytes */
      int64_t lower;  /* VECTOR: what a subscript counts from; else 0 */
      int64_t vector; /* the number of the subscript, from 1; 0: evenly */
    } dim[WEFT_CAF_RANK_MAX];
    struct { /* OUTSIDE */
      int64_t dimension, index, lower, upper;
    } outside;
  };
} weft_caf_place_t;

enum weft_caf_outcome {
  WEFT_CAF_FOUND,
  WEFT_CAF_NOTHING, /* the last link is not allocated or associated */
  WEFT_CAF_BROKEN,  /* one before it is not */
  WEFT_CAF_BAD,     /* memory that cannot be reached, or subscripts that make no sense */
  WEFT_CAF_OUTSIDE, /* WEFT_CHECK=1: an index outside its bounds */
  WEFT_CAF_GONE     /* its image has failed meanwhile */
};

/* The section that a place is; vectors have no places yet. */
WEFT_API void weft_caf_place_section(const weft_caf_place_t *place,
                                     const weft_caf_element_t *element,
                                     weft_caf_section_t *section);

/* Follow the chain from `base`, this image's own address of the coarray, on the PE. In the same
 * round trip to another node the elements that it names, `element` bytes each, are read into `data`
 * if they take at most n bytes, or written if they take n; place->moved says how many bytes were,
 * or 0. data NULL: only look. */
WEFT_API void weft_caf_chain_walk(int pe, char *base, const weft_caf_chain_t *chain,
                                  weft_caf_place_t *place, void *data, size_t n, size_t element,
                                  bool write);

/* Give the component where the chain ends (place->descriptor) memory in its owner's process, in the
 * shape of `like`, `bytes` for each element, `type` in a descriptor; the place is what it is then.
 * What it had is freed. False: no memory. */
WEFT_API bool weft_caf_chain_allocate(int pe, weft_caf_place_t *place,
                                      const weft_caf_section_t *like, size_t bytes, int type);
/* Does the PE share this node? */
WEFT_API bool weft_caf_is_near(int pe);

/* Between a section of this process and one in the owner's memory, wherever that is: remote->at is
 * the owner's address. */
WEFT_API void weft_caf_chain_get(int pe, const weft_caf_section_t *local,
                                 const weft_caf_section_t *remote);
WEFT_API void weft_caf_chain_put(int pe, const weft_caf_section_t *remote,
                                 const weft_caf_section_t *local);

#endif
