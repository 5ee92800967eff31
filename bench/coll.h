/* coll.h: the collectives' figures, common to coll_bench.c (OpenSHMEM) and coll_mpi.c (MPI): which
 * operation at which sizes, what every PE contributes, what must come out. The program supplies
 * coll_call, which makes one call, and knows how to; this file knows neither library. */
#ifndef WEFT_BENCH_COLL_H
#define WEFT_BENCH_COLL_H

#include "bench.h"

enum {
  COLL_WINDOW = 16,               /* calls back to back, then one barrier */
  COLL_WORDS_MAX = (1 << 20) / 8, /* of one PE's contribution, or one pair's in alltoall */
  COLL_STRIDE = 2,                /* alltoalls: every second word, at both ends */
  COLL_PES_MAX = 8,
};

typedef enum {
  COLL_BARRIER_ALL,
  COLL_SYNC_ALL,
  COLL_SYNC, /* over an active set or a team */
  COLL_BROADCAST,
  COLL_COLLECT,
  COLL_FCOLLECT,
  COLL_ALLTOALL,
  COLL_ALLTOALLS,
  COLL_SUM_LONG,
  COLL_SUM_DOUBLE,
  COLL_PROD,
  COLL_MAX,
  COLL_MIN,
  COLL_AND,
  COLL_OR,
  COLL_XOR,
  COLL_INSCAN,
  COLL_EXSCAN,
} coll_kind_t;

static long *coll_src, *coll_dst; /* coll_bytes() each, symmetric */
static coll_kind_t coll_kind;     /* what is being measured */
static size_t coll_words;         /* its size in words of 8 bytes */
static long coll_salt;            /* makes the data of one verification its own */
static int coll_size, coll_me;    /* members of the set, and which of them this PE is; -1: none */

static void coll_call(coll_kind_t kind, size_t words, int turn); /* turn < COLL_WINDOW */
static void coll_fail(const char *what, size_t at, long got, long wanted);

static inline size_t coll_bytes(void) {
  return (size_t)npes * COLL_WORDS_MAX * COLL_STRIDE * sizeof(long);
}

/* What PE `from` gives `to` (0 where all get the same): 1 to 256, so that sums and products of a
 * few PEs are exact in long and double. */
static inline long coll_word(int from, int to, size_t i) {
  return (long)((31 * (unsigned)from + 7 * (unsigned)to + i + (size_t)coll_salt) & 255) + 1;
}

static inline bool coll_is_pairs(void) {
  return coll_kind == COLL_ALLTOALL || coll_kind == COLL_ALLTOALLS;
}

static inline void coll_fill(void) {
  int blocks = coll_is_pairs() ? coll_size : 1;
  size_t stride = coll_kind == COLL_ALLTOALLS ? COLL_STRIDE : 1;
  memset(coll_dst, 0, (size_t)coll_size * coll_words * COLL_STRIDE * sizeof(long));
  for (int to = 0; to < blocks; to++)
    for (size_t i = 0; i < coll_words; i++) {
      long *at = coll_src + ((size_t)to * coll_words + i) * stride;
      *at = coll_word(coll_me, to, i);
      if (coll_kind == COLL_SUM_DOUBLE) memcpy(at, &(double){(double)*at}, sizeof *at);
    }
}

static inline long coll_combine(long a, long b) {
  switch (coll_kind) {
  case COLL_PROD: return a * b;
  case COLL_MAX: return a > b ? a : b;
  case COLL_MIN: return a < b ? a : b;
  case COLL_AND: return a & b;
  case COLL_OR: return a | b;
  case COLL_XOR: return a ^ b;
  default: return a + b;
  }
}

/* Word i of a reduction over the PEs before `end`. Over none (the first PE's exclusive scan) it is
 * 0. */
static inline long coll_reduced(size_t i, int end) {
  long value = end ? coll_word(0, 0, i) : 0;
  for (int pe = 1; pe < end; pe++) value = coll_combine(value, coll_word(pe, 0, i));
  return value;
}

static inline void coll_expect(size_t at, long wanted) {
  if (coll_dst[at] != wanted) coll_fail("a word", at, coll_dst[at], wanted);
}

static inline void coll_verify_blocks(void) {
  size_t stride = coll_kind == COLL_ALLTOALLS ? COLL_STRIDE : 1;
  for (int from = 0; from < coll_size; from++)
    for (size_t i = 0; i < coll_words; i++)
      coll_expect(((size_t)from * coll_words + i) * stride,
                  coll_word(from, coll_is_pairs() ? coll_me : 0, i));
}

static inline void coll_verify_reduced(void) {
  int end = coll_kind == COLL_EXSCAN ? coll_me : coll_kind == COLL_INSCAN ? coll_me + 1 : coll_size;
  for (size_t i = 0; i < coll_words; i++) {
    long wanted = coll_reduced(i, end);
    if (coll_kind == COLL_SUM_DOUBLE) memcpy(&wanted, &(double){(double)wanted}, sizeof wanted);
    coll_expect(i, wanted);
  }
}

static inline void coll_verify(void) {
  if (coll_kind < COLL_BROADCAST || coll_me < 0) return;
  if (coll_kind == COLL_BROADCAST) { /* the active-set one leaves dest of the root alone */
    for (size_t i = 0; i < coll_words && coll_me != 0; i++) coll_expect(i, coll_word(0, 0, i));
  } else if (coll_kind <= COLL_ALLTOALLS) {
    coll_verify_blocks();
  } else {
    coll_verify_reduced();
  }
}

/* Nothing is timed whose results are wrong: three calls with data of their own, each looked at. */
static inline void coll_prepare(const bench_test_t *t, size_t size);

/* The barrier bounds how far one PE runs ahead, for every system alike. */
static inline void coll_run(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n; i++) {
    for (int turn = 0; turn < COLL_WINDOW && coll_me >= 0; turn++)
      coll_call(coll_kind, coll_words, turn);
    if (coll_kind >= COLL_BROADCAST) bench_barrier();
  }
}

static inline void coll_check(void) {
  bench_barrier();
  coll_verify();
}

static const size_t coll_sizes[] = {8, 32, 128, 512, 2048, 8192, 32768, 131072, 524288, 1048576, 0};
static const size_t coll_sizes_few[] = {8, 8192, 1048576, 0};

#define COLL(name, sizes)                                                                          \
  { name, coll_run, coll_check, UNIT_US, false, COLL_WINDOW, sizes, coll_prepare }
/* In the order of coll_kind_t. */
static const bench_test_t coll_tests[] = {
    COLL("barrier_all", bench_size_8), COLL("sync_all", bench_size_8),
    COLL("sync", bench_size_8),        COLL("broadcast", coll_sizes),
    COLL("collect", coll_sizes),       COLL("fcollect", coll_sizes),
    COLL("alltoall", coll_sizes),      COLL("alltoalls", coll_sizes),
    COLL("sum_long", coll_sizes),      COLL("sum_double", coll_sizes),
    COLL("prod_long", coll_sizes_few), COLL("max_long", coll_sizes_few),
    COLL("min_long", coll_sizes_few),  COLL("and_long", coll_sizes_few),
    COLL("or_long", coll_sizes_few),   COLL("xor_long", coll_sizes_few),
    COLL("inscan_long", coll_sizes),   COLL("exscan_long", coll_sizes),
};
enum { COLL_TESTS = sizeof coll_tests / sizeof coll_tests[0] };

static inline void coll_prepare(const bench_test_t *t, size_t size) {
  coll_kind = (coll_kind_t)(t - coll_tests);
  coll_words = size / sizeof(long);
  for (int turn = 0; turn < 3; turn++) {
    coll_salt++;
    coll_fill();
    bench_barrier();
    if (coll_me >= 0) coll_call(coll_kind, coll_words, turn);
    coll_verify();
    bench_barrier();
  }
}

#endif
