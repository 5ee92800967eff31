/*
 * random_coll_calls.h: all typed collectives, over teams and active sets, as tables of functions.
 */
#ifndef RANDOM_COLL_CALLS_H
#define RANDOM_COLL_CALLS_H

#include "shmem/random_space.h"

enum coll {
  BROADCAST,
  COLLECT,
  FCOLLECT,
  ALLTOALL,
  ALLTOALLS,
  SUM,
  PROD,
  INSCAN,
  EXSCAN,
  MAX,
  MIN,
  AND_,
  OR_,
  XOR_,
  BARRIER,
  SYNC,
  MEMORY,
  COLLS
};
typedef struct {
  enum coll op;
  shmem_team_t team;
  void *dest;
  const void *source;
  size_t count;
  int root, start, log, size; /* log -1: a team */
  ptrdiff_t dst, sst;
  long *psync;
} coll_t;
enum { PSYNCS = 40 };
static long psyncs[PSYNCS][SHMEM_SYNC_SIZE];
static int psyncs_used;
static long double work[1024]; /* Weft needs none */

#define COLL_MOVES(BROADCAST_, COLLECT_, FCOLLECT_, ALLTOALL_, ALLTOALLS_)                         \
  case BROADCAST: return shmem_##BROADCAST_(c->team, d, s, c->count, c->root);                     \
  case COLLECT: return shmem_##COLLECT_(c->team, d, s, c->count);                                  \
  case FCOLLECT: return shmem_##FCOLLECT_(c->team, d, s, c->count);                                \
  case ALLTOALL: return shmem_##ALLTOALL_(c->team, d, s, c->count);                                \
  case ALLTOALLS:                                                                                  \
    return shmem_##ALLTOALLS_(c->team, d, s, c->dst, c->sst, c->count);
#define COLL_MOVE_TYPE(FN, N, T)                                                                   \
  static int move_##N(const coll_t *c) {                                                           \
    T *d = c->dest;                                                                                \
    const T *s = c->source;                                                                        \
    switch (c->op) {                                                                               \
      COLL_MOVES(N##_broadcast, N##_collect, N##_fcollect, N##_alltoall, N##_alltoalls)            \
    case MAX: return shmem_##N##_max_reduce(c->team, d, s, c->count);                              \
    case MIN: return shmem_##N##_min_reduce(c->team, d, s, c->count);                              \
    default: return 9;                                                                             \
    }                                                                                              \
  }
#define COLL_SUM_TYPE(FN, N, T)                                                                    \
  static int sum_##N(const coll_t *c) {                                                            \
    T *d = c->dest;                                                                                \
    const T *s = c->source;                                                                        \
    switch (c->op) {                                                                               \
    case SUM: return shmem_##N##_sum_reduce(c->team, d, s, c->count);                              \
    case PROD: return shmem_##N##_prod_reduce(c->team, d, s, c->count);                            \
    case INSCAN: return shmem_##N##_sum_inscan(c->team, d, s, c->count);                           \
    default: return shmem_##N##_sum_exscan(c->team, d, s, c->count);                               \
    }                                                                                              \
  }                                                                                                \
  static void put_##N(void *at, size_t i, int value) {                                             \
    ((T *)at)[i] = (T)value;                                                                       \
  }
#define COLL_BITS_TYPE(FN, N, T)                                                                   \
  static int bits_##N(const coll_t *c) {                                                           \
    if (c->op == AND_) return shmem_##N##_and_reduce(c->team, c->dest, c->source, c->count);       \
    if (c->op == OR_) return shmem_##N##_or_reduce(c->team, c->dest, c->source, c->count);         \
    return shmem_##N##_xor_reduce(c->team, c->dest, c->source, c->count);                          \
  }
WEFT_TYPES_RMA(COLL_MOVE_TYPE, )
WEFT_TYPES_SUM(COLL_SUM_TYPE, )
WEFT_TYPES_BITS(COLL_BITS_TYPE, )
static int move_mem(const coll_t *c) {
  void *d = c->dest;
  const void *s = c->source;
  switch (c->op) {
    COLL_MOVES(broadcastmem, collectmem, fcollectmem, alltoallmem, alltoallsmem)
  default: return 9;
  }
}

/* Active sets. */
#define COLL_SET c->start, c->log, c->size
#define COLL_OLD(BITS)                                                                             \
  static int old_##BITS(const coll_t *c) {                                                         \
    void *d = c->dest;                                                                             \
    const void *s = c->source;                                                                     \
    switch (c->op) {                                                                               \
    case BROADCAST: shmem_broadcast##BITS(d, s, c->count, c->root, COLL_SET, c->psync); break;     \
    case COLLECT: shmem_collect##BITS(d, s, c->count, COLL_SET, c->psync); break;                  \
    case FCOLLECT: shmem_fcollect##BITS(d, s, c->count, COLL_SET, c->psync); break;                \
    case ALLTOALL: shmem_alltoall##BITS(d, s, c->count, COLL_SET, c->psync); break;                \
    default: shmem_alltoalls##BITS(d, s, c->dst, c->sst, c->count, COLL_SET, c->psync);            \
    }                                                                                              \
    return 0;                                                                                      \
  }
COLL_OLD(32)
COLL_OLD(64)
#define COLL_TO_ALL(N, op)                                                                         \
  shmem_##N##_##op##_to_all(c->dest, c->source, (int)c->count, COLL_SET, (void *)work, c->psync)
#define COLL_OLD_SUM(FN, N, T)                                                                     \
  static int old_sum_##N(const coll_t *c) {                                                        \
    if (c->op == SUM)                                                                              \
      COLL_TO_ALL(N, sum);                                                                         \
    else                                                                                           \
      COLL_TO_ALL(N, prod);                                                                        \
    return 0;                                                                                      \
  }
#define COLL_OLD_BITS(FN, N, T)                                                                    \
  static int old_bits_##N(const coll_t *c) {                                                       \
    if (c->op == AND_)                                                                             \
      COLL_TO_ALL(N, and);                                                                         \
    else if (c->op == OR_)                                                                         \
      COLL_TO_ALL(N, or);                                                                          \
    else if (c->op == XOR_)                                                                        \
      COLL_TO_ALL(N, xor);                                                                         \
    else if (c->op == MAX)                                                                         \
      COLL_TO_ALL(N, max);                                                                         \
    else                                                                                           \
      COLL_TO_ALL(N, min);                                                                         \
    return 0;                                                                                      \
  }
WEFT_TYPES_OLD_SUM(COLL_OLD_SUM, )
WEFT_TYPES_OLD_BITS(COLL_OLD_BITS, )

typedef struct {
  size_t size;
  int (*call)(const coll_t *);
  void (*put)(void *at, size_t i, int value);
} coll_row_t;
#define COLL_ROW_MOVE(FN, N, T) {sizeof(T), move_##N, put_##N},
#define COLL_ROW_SUM(FN, N, T) {sizeof(T), sum_##N, put_##N},
#define COLL_ROW_BITS(FN, N, T) {sizeof(T), bits_##N, put_##N},
#define COLL_ROW_OLD_SUM(FN, N, T) {sizeof(T), old_sum_##N, put_##N},
#define COLL_ROW_OLD_BITS(FN, N, T) {sizeof(T), old_bits_##N, put_##N},
static const coll_row_t coll_moves[] = {{1, move_mem, put_schar}, WEFT_TYPES_RMA(COLL_ROW_MOVE, )},
                        coll_sums[] = {WEFT_TYPES_SUM(COLL_ROW_SUM, )},
                        coll_bits[] = {WEFT_TYPES_BITS(COLL_ROW_BITS, )},
                        coll_old_moves[] = {{4, old_32, put_int32}, {8, old_64, put_int64}},
                        coll_old_sums[] = {WEFT_TYPES_OLD_SUM(COLL_ROW_OLD_SUM, )},
                        coll_old_bits[] = {WEFT_TYPES_OLD_BITS(COLL_ROW_OLD_BITS, )};
#define ROWS(table) (sizeof(table) / sizeof *(table))

#endif
