/*
 * random_rma.h: puts, gets, single words and strided ones of all types, with signals, and plain
 * loads and stores by shmem_ptr.
 */
#ifndef RANDOM_RMA_H
#define RANDOM_RMA_H

#include "shmem/random_plan.h"

typedef struct {
  enum verb verb;
  bool nbi, plain;
  shmem_ctx_t ctx;
  void *dest;
  const void *source;
  ptrdiff_t dst, sst;
  size_t block, count;
  uint64_t *signal, value;
  int op, pe;
} rma_t;

#define RMA_MOVES(NAME_PUT, NAME_GET, N)                                                           \
  case PUT:                                                                                        \
    if (c->nbi)                                                                                    \
      CTX_CALL(NAME_PUT##_nbi, d, s, c->block, c->pe);                                             \
    else                                                                                           \
      CTX_CALL(NAME_PUT, d, s, c->block, c->pe);                                                   \
    break;                                                                                         \
  case GET:                                                                                        \
    if (c->nbi)                                                                                    \
      CTX_CALL(NAME_GET##_nbi, d, s, c->block, c->pe);                                             \
    else                                                                                           \
      CTX_CALL(NAME_GET, d, s, c->block, c->pe);                                                   \
    break;                                                                                         \
  case PUT_SIGNAL:                                                                                 \
    if (c->nbi)                                                                                    \
      CTX_CALL(NAME_PUT##_signal_nbi, d, s, c->block, c->signal, c->value, c->op, c->pe);          \
    else                                                                                           \
      CTX_CALL(NAME_PUT##_signal, d, s, c->block, c->signal, c->value, c->op, c->pe);              \
    break;
#define RMA_STRIDED(IPUT_, IGET_, IBPUT_, IBGET_)                                                  \
  case IPUT: CTX_CALL(IPUT_, d, s, c->dst, c->sst, c->count, c->pe); break;                        \
  case IGET: CTX_CALL(IGET_, d, s, c->dst, c->sst, c->count, c->pe); break;                        \
  case IBPUT: CTX_CALL(IBPUT_, d, s, c->dst, c->sst, c->block, c->count, c->pe); break;            \
  case IBGET:                                                                                      \
    CTX_CALL(IBGET_, d, s, c->dst, c->sst, c->block, c->count, c->pe);                             \
    break;
#define RMA_TYPE(FN, N, T)                                                                         \
  static void rma_##N(const rma_t *c) {                                                            \
    T *d = c->dest;                                                                                \
    const T *s = c->source;                                                                        \
    switch (c->verb) {                                                                             \
      RMA_MOVES(N##_put, N##_get, N)                                                               \
      RMA_STRIDED(N##_iput, N##_iget, N##_ibput, N##_ibget)                                        \
    case P: CTX_CALL(N##_p, d, *s, c->pe); break;                                                  \
    case G: *d = c->plain ? shmem_##N##_g(s, c->pe) : shmem_ctx_##N##_g(c->ctx, s, c->pe); break;  \
    default: break;                                                                                \
    }                                                                                              \
  }
#define RMA_SIZE(FN, BITS, BYTES)                                                                  \
  static void rma_##BITS(const rma_t *c) {                                                         \
    void *d = c->dest;                                                                             \
    const void *s = c->source;                                                                     \
    switch (c->verb) {                                                                             \
      RMA_MOVES(put##BITS, get##BITS, BITS)                                                        \
      RMA_STRIDED(iput##BITS, iget##BITS, ibput##BITS, ibget##BITS)                                \
    default: break;                                                                                \
    }                                                                                              \
  }
WEFT_TYPES_RMA(RMA_TYPE, )
WEFT_SIZES(RMA_SIZE, )
static void rma_mem(const rma_t *c) {
  void *d = c->dest;
  const void *s = c->source;
  switch (c->verb) {
    RMA_MOVES(putmem, getmem, mem)
  default: break;
  }
}

#define RMA_ROW(FN, N, T) {sizeof(T), rma_##N},
#define RMA_ROW_SIZE(FN, BITS, BYTES) {BYTES, rma_##BITS},
static const struct {
  size_t size;
  void (*call)(const rma_t *);
} rma_types[] = {{1, rma_mem}, WEFT_SIZES(RMA_ROW_SIZE, ) WEFT_TYPES_RMA(RMA_ROW, )};
enum {
  RMA_TYPES = sizeof rma_types / sizeof *rma_types,
  RMA_TYPED = 6,
  RMA_LAST_WORD = RMA_TYPES - 1
};

static bool is_get(const item_t *i) {
  return i->verb == GET || i->verb == G || i->verb == IGET || i->verb == IBGET || i->verb == LOAD;
}

static bool is_put(const item_t *i) {
  return (i->verb <= PUT_SIGNAL && !is_get(i)) || i->verb == STORE;
}

static size_t span(const item_t *i, ptrdiff_t stride) {
  if (!i->count || !i->block) return 0;
  return ((i->count - 1) * (size_t)stride + i->block) * rma_types[i->type].size;
}

static void copy_blocks(const item_t *i, char *to, ptrdiff_t dst, const char *from, ptrdiff_t sst) {
  const size_t size = rma_types[i->type].size;
  for (size_t k = 0; k < i->count; k++)
    memcpy(to + k * (size_t)dst * size, from + k * (size_t)sst * size, i->block * size);
}

/* ---- the plan -------------------------------------------------------------------------------- */

static size_t most_bytes; /* of an item */

static size_t size_by_chance(void) {
  static const size_t limits[] = {1, 9, 64, 300, 4200, 9000, 70000, SIZE_MAX};
  size_t limit = limits[draw(chance(70) ? 5 : 8)];
  if (limit > most_bytes) limit = most_bytes;
  return draw(limit + 1);
}

static size_t align_of(const item_t *i) {
  const size_t size = rma_types[i->type].size;
  return size > 16 ? 16 : size;
}

/* The local side. `is_simple`: buffers only. */
static bool near_side(item_t *i) {
  const int pe = i->actor / threads;
  i->near_bytes = span(i, i->near);
  i->place = (enum place)draw(5);
  i->near_region = 1 + (int)draw(REGIONS - 1);
  i->near_pe = pe;
  if (i->nbi && (i->place == STACK || i->place == STATIC)) i->place = PRIVATE;
  if (i->verb == P || i->verb == G) i->place = PRIVATE;
  if (i->place == PEERS && is_get(i)) i->place = PRIVATE;
  if (i->place == PEERS) i->near_pe = (int)draw((size_t)n);
  if (i->place < SYMMETRIC) return true;
  i->near_at = is_get(i) ? region_carve(i->near_region, pe, i->near_bytes, align_of(i))
                         : region_readable(i->near_region, i->near_pe, i->near_bytes, align_of(i));
  if (i->near_at == SIZE_MAX) i->place = PRIVATE;
  return true;
}

/* What memory will be. */
static void model_put(const item_t *i) {
  char *to = model_of(i->region, i->pe) + i->at;
  if (i->place >= SYMMETRIC) {
    copy_blocks(i, to, i->far, model_of(i->near_region, i->near_pe) + i->near_at, i->near);
    return;
  }
  char *from = malloc(i->near_bytes + 1);
  fill(from, i->near_bytes, (uint64_t)i->id);
  copy_blocks(i, to, i->far, from, i->near);
  free(from);
}

/* A put or get between an actor and a PE; NULL if there is no room. */
static item_t *plan_rma(int actor, int pe, int ctx, bool put) {
  static const enum verb puts[] = {PUT, PUT, PUT, P, IPUT, IBPUT, STORE};
  static const enum verb gets[] = {GET, GET, GET, G, IGET, IBGET, LOAD};
  item_t *i = item_new((put ? puts : gets)[draw(7)], actor, pe);
  i->ctx = ctx;
  i->type = (int)draw(RMA_TYPES);
  i->region = 1 + (int)draw(REGIONS - 1);
  if (i->verb == P || i->verb == G) i->type = RMA_TYPED + (int)draw(RMA_TYPES - RMA_TYPED - 1);
  if (i->verb >= IPUT && i->verb <= IBGET && i->type == 0) i->type = 1;
  if (i->verb == STORE || i->verb == LOAD) i->type = 0;
  const size_t size = rma_types[i->type].size, elements = size_by_chance() / size;
  i->far = i->near = 1;
  i->count = 1;
  i->block = elements;
  if (i->verb == P || i->verb == G) i->block = 1;
  if (i->verb == IBPUT || i->verb == IBGET) i->block = chance(20) ? draw(600) : draw(9);
  if (i->verb >= IPUT && i->verb <= IBGET) {
    if (i->verb == IPUT || i->verb == IGET) i->block = 1;
    i->far = (ptrdiff_t)(i->block + (chance(30) ? 0 : chance(80) ? draw(5) : draw(900)));
    i->near = (ptrdiff_t)(i->block + (chance(30) ? 0 : chance(80) ? draw(5) : draw(100)));
    if (!i->far) i->far = 1;
    if (!i->near) i->near = 1;
    i->count = elements / (size_t)i->far;
  }
  i->nbi = (i->verb == PUT || i->verb == GET) && chance(40);
  const size_t bytes = span(i, i->far);
  i->at = put ? region_carve(i->region, pe, bytes, align_of(i))
              : region_readable(i->region, pe, bytes, align_of(i));
  if (i->at == SIZE_MAX) {
    nitems--;
    return NULL;
  }
  near_side(i);
  if (put)
    model_put(i);
  else if (i->place == SYMMETRIC)
    copy_blocks(i, model_of(i->near_region, actor / threads) + i->near_at, i->near,
                model_of(i->region, pe) + i->at, i->far);
  return i;
}

/* ---- carrying it out ------------------------------------------------------------------------- */

enum { GUARD = 32, SCRATCH = 65536 };
static char scratch[THREADS][SCRATCH] __attribute__((aligned(16)));

/* Before the phase begins: the actor's buffer. */
static void rma_prepare(item_t *i) {
  const size_t align = align_of(i), all = i->near_bytes + 2 * GUARD;
  i->buffer = NULL;
  if (i->place >= SYMMETRIC) {
    if (i->place == SYMMETRIC)
      i->room = regions[i->near_region].base + i->near_at;
    else
      i->room = shmem_ptr(regions[i->near_region].base + i->near_at, i->near_pe);
    if (i->room) return;
  }
  i->buffer = aligned_alloc(64, (all + 16 + 63) / 64 * 64);
  i->room = i->buffer + GUARD + ((size_t)i->id * align) % 16 / align * align;
  if (i->place == PEERS)
    memcpy(i->room, model_of(i->near_region, i->near_pe) + i->near_at, i->near_bytes);
  else
    fill(i->room, i->near_bytes, (uint64_t)i->id);
  memset(i->room - GUARD + 16, 0x77, GUARD - 16);
  memset(i->room + i->near_bytes, 0x77, GUARD - 16);
}

/* When the operation is complete: its result, and nothing beside it. */
static void rma_check(item_t *i) {
  if (i->is_done) return;
  i->is_done = true;
  if (i->place >= SYMMETRIC || !i->buffer) return;
  for (int k = 0; k < GUARD - 16; k++)
    if (i->room[k - GUARD + 16] != 0x77 || i->room[i->near_bytes + (size_t)k] != 0x77)
      fail(i, "wrote beside the local buffer");
  char *want = malloc(i->near_bytes + 1);
  fill(want, i->near_bytes, (uint64_t)i->id);
  if (is_get(i)) copy_blocks(i, want, i->near, model_of(i->region, i->pe) + i->at, i->far);
  const size_t at = differs(i->room, want, i->near_bytes);
  if (at != SIZE_MAX)
    fail(i, "%s: byte %zu of %zu is %#x and should be %#x", is_get(i) ? "result" : "source", at,
         i->near_bytes, (unsigned char)i->room[at], (unsigned char)want[at]);
  free(want);
  if (is_put(i)) memset(i->room, 0x55, i->near_bytes); /* it may be used for something else */
}

static void rma_run_at(item_t *i, char *room, shmem_ctx_t ctx, int ctx_pe) {
  char *there = regions[i->region].base + i->at, *ptr;
  const bool get = is_get(i);
  rma_t c = {.verb = i->verb,
             .nbi = i->nbi,
             .plain = i->plain && ctx == SHMEM_CTX_DEFAULT,
             .ctx = ctx,
             .dest = get ? room : there,
             .source = get ? there : room,
             .dst = get ? i->near : i->far,
             .sst = get ? i->far : i->near,
             .block = i->block,
             .count = i->count,
             .pe = ctx_pe,
             .op = i->op,
             .value = i->value,
             .signal = (uint64_t *)(void *)(regions[i->cell_region].base + i->cell_at)};
  if (i->verb == STORE || i->verb == LOAD) {
    ptr = shmem_ptr(there, i->pe);
    if (ptr)
      memcpy(get ? room : ptr, get ? ptr : room, i->near_bytes);
    else if (get)
      shmem_ctx_getmem(ctx, room, there, i->near_bytes, ctx_pe);
    else
      shmem_ctx_putmem(ctx, there, room, i->near_bytes, ctx_pe);
  } else
    rma_types[i->type].call(&c);
}

/* pe: the number that the target has in the context's team */
static void rma_run(item_t *i, shmem_ctx_t ctx, int pe) {
  char stack[1024] __attribute__((aligned(16))), *room = i->room;
  if (i->place == STACK && i->near_bytes <= sizeof stack) room = stack;
  if (i->place == STATIC && i->near_bytes <= SCRATCH) room = scratch[i->actor % threads];
  if (room != i->room) memcpy(room, i->room, i->near_bytes);
  rma_run_at(i, room, ctx, pe);
  if (room != i->room) {
    memcpy(i->room, room, i->near_bytes);
    memset(room, 0x33, i->near_bytes);
  }
  if (!i->nbi) rma_check(i);
}

#endif
