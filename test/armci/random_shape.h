/*
 * random_shape.h: what the files of armci.random share: numbers by chance, allocations with their
 * model, shapes of transfers, and what an accumulate does.
 */
#ifndef RANDOM_SHAPE_H
#define RANDOM_SHAPE_H

#include "armci_test.h"

enum { PROCS = 16, ALLOCATIONS = 4, PENDING = 24, BLOCKS = 4096, LEVELS = 8 };

static uint64_t seed, common, own; /* numbers that all draw alike, and one's own */
static bool loud;
static int phase, nops;

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static size_t drawn_from(uint64_t *state, size_t below) {
  const uint64_t x = mix(*state += 0x9e3779b97f4a7c15u);
  return below ? (size_t)(x % below) : 0;
}

static size_t any(size_t below) {
  return drawn_from(&own, below);
}

static void fill(void *to, size_t bytes, uint64_t number) {
  char *at = to;
  for (uint64_t k = 0; bytes > 0; k++) {
    const uint64_t word = mix(mix(seed ^ number) + k * 0x9e3779b97f4a7c15u);
    const size_t step = bytes < 8 ? bytes : 8;
    memcpy(at, &word, step);
    at += step, bytes -= step;
  }
}

/* Of every allocation of every process each process has a lane that only it uses. Behind the lanes
 * are an area that is only read, and one that all add to. */
static struct allocation {
  void *at[PROCS];
  size_t size[PROCS], lane[PROCS]; /* bytes of each, of one lane */
  char *model[PROCS];              /* of one's own lane there */
  double *sums;                    /* how one's own area that all add to should be */
  int type;                        /* of its elements */
  uint64_t number;
  bool is_live;
} allocations[ALLOCATIONS];

static char *lane_at(const struct allocation *a, int proc, int of) {
  return (char *)a->at[proc] + a->lane[proc] * (size_t)of;
}

static char text[400]; /* the operation under way */

__attribute__((noreturn)) static void fail(const char *what, size_t at) {
  fprintf(stderr, "[proc %d/%d] seed %llu, phase %d, operation %d: %s: %s at %zu\n", me, np,
          (unsigned long long)seed, phase, nops, text, what, at);
  fflush(NULL);
  ARMCI_Error("random", 1);
  abort();
}

static void must_equal(const char *got, const char *want, size_t bytes, const char *what) {
  if (!memcmp(got, want, bytes)) return;
  size_t at = 0;
  while (got[at] == want[at]) at++;
  fail(what, at);
}

/* ---- shapes: blocks of `bytes` here and there ------------------------------------------------ */

static struct shape {
  enum { CONTIGUOUS, STRIDED, VECTOR } kind;
  int bytes, nblocks, levels, count[LEVELS + 1], near[LEVELS], far[LEVELS];
  size_t near_at[BLOCKS], far_at[BLOCKS], near_span, far_span;
  size_t near_first, far_first; /* STRIDED: where the first block is; strides may be negative */
} shape;

/* Elements of `unit` bytes, within `room` there. */
static bool shape_new(int unit, size_t room) {
  struct shape *s = &shape;
  const size_t most[] = {1, 4, 30, 300, 3000, room};
  size_t want = most[any(6)];
  if (want > room) want = room;
  s->kind = any(3);
  s->levels = s->kind == STRIDED ? (int)any(LEVELS + 1) : 0;
  s->bytes = (int)(any(want + 1) / (size_t)unit) * unit;
  if (s->kind != CONTIGUOUS && any(4))
    s->bytes = (int)any(s->kind == VECTOR ? 200 : 60) / unit * unit;
  s->count[0] = s->bytes;
  s->nblocks = 1;
  s->near_at[0] = s->far_at[0] = s->near_first = s->far_first = 0;
  size_t near = (size_t)s->bytes, far = near;
  if (far > room) return false;
  for (int i = 0; i < s->levels; i++) {
    if (any(2)) near += (size_t)unit * any(i ? 9 : 3);
    if (any(2)) far += (size_t)unit * any(i ? 9 : 3);
    if (near == 0) near = (size_t)unit;
    if (far == 0) far = (size_t)unit;
    int n = 1 + (int)any(any(3) ? 5 : 40);
    while (n > 1 && (far * (size_t)n > room || near * (size_t)n > room || s->nblocks * n > BLOCKS))
      n--;
    const bool near_back = any(12) == 0, far_back = any(12) == 0;
    s->near[i] = near_back ? -(int)near : (int)near, s->far[i] = far_back ? -(int)far : (int)far;
    s->count[i + 1] = n;
    if (near_back) s->near_first += near * (size_t)(n - 1);
    if (far_back) s->far_first += far * (size_t)(n - 1);
    for (int k = s->nblocks * n; k-- > 0;) {
      const size_t j = (size_t)(k / s->nblocks), back = (size_t)n - 1 - j;
      s->near_at[k] = s->near_at[k % s->nblocks] + near * (near_back ? back : j);
      s->far_at[k] = s->far_at[k % s->nblocks] + far * (far_back ? back : j);
    }
    s->nblocks *= n;
    near *= (size_t)n, far *= (size_t)n;
  }
  if (s->kind == VECTOR) {
    const int many = (int)any(any(4) ? 12 : 900);
    s->nblocks = 0;
    for (near = far = 0; s->nblocks < many; s->nblocks++) {
      if (any(2)) near += (size_t)unit * any(20);
      if (any(2)) far += (size_t)unit * any(20);
      if (far + (size_t)s->bytes > room || near + (size_t)s->bytes > room) break;
      s->near_at[s->nblocks] = near, s->far_at[s->nblocks] = far;
      near += (size_t)s->bytes, far += (size_t)s->bytes;
    }
  }
  s->near_span = near, s->far_span = far;
  if (s->levels && any(40) == 0) s->nblocks = s->count[1 + any((size_t)s->levels)] = 0;
  return far <= room;
}

static void blocks_copy(char *to, const size_t *to_at, const char *from, const size_t *from_at) {
  for (int k = 0; k < shape.nblocks; k++)
    memcpy(to + to_at[k], from + from_at[k], (size_t)shape.bytes);
}

/* ---- accumulates ----------------------------------------------------------------------------- */

static const struct {
  int op, unit;
} types[] = {{ARMCI_ACC_INT, 4}, {ARMCI_ACC_LNG, sizeof(long)},
             {ARMCI_ACC_FLT, 4}, {ARMCI_ACC_DBL, 8},
             {ARMCI_ACC_CPL, 8}, {ARMCI_ACC_DCP, 16}};

/* x[i] += scale * y[i]; of complex numbers both parts of the scale. Reals are small whole numbers.
 */
static void add(int type, char *to, const char *from, int bytes, const void *scale) {
  for (int i = 0; i < bytes; i += types[type].unit) {
    char *x = to + i;
    const char *y = from + i;
#define ADD_PLAIN(T, U)                                                                            \
  {                                                                                                \
    T a, b, s;                                                                                     \
    memcpy(&a, x, sizeof a), memcpy(&b, y, sizeof b), memcpy(&s, scale, sizeof s);                 \
    a = (T)((U)a + (U)s * (U)b);                                                                   \
    memcpy(x, &a, sizeof a);                                                                       \
  }
#define ADD_PAIR(T)                                                                                \
  {                                                                                                \
    T a[2], b[2], s[2];                                                                            \
    memcpy(a, x, sizeof a), memcpy(b, y, sizeof b), memcpy(s, scale, sizeof s);                    \
    a[0] += s[0] * b[0] - s[1] * b[1];                                                             \
    a[1] += s[0] * b[1] + s[1] * b[0];                                                             \
    memcpy(x, a, sizeof a);                                                                        \
  }
    switch (type) {
    case 0: ADD_PLAIN(int, unsigned) break;
    case 1: ADD_PLAIN(long, unsigned long) break;
    case 2: ADD_PLAIN(float, float) break;
    case 3: ADD_PLAIN(double, double) break;
    case 4: ADD_PAIR(float) break;
    default: ADD_PAIR(double)
    }
  }
}

/* Whole numbers from -4 to 4 as elements of this type, by a number. */
static void small_numbers(int type, char *to, size_t bytes, uint64_t number) {
  const size_t width = type == 0 || type == 2 || type == 4 ? 4 : 8;
  for (size_t i = 0; i + width <= bytes; i += width) {
    const int value = (int)(mix(number * 7919 + i) % 9) - 4;
    const float f = (float)value;
    const double d = value;
    const long l = value;
    memcpy(to + i,
           type == 0    ? (const void *)&value
           : type == 1  ? (const void *)&l
           : width == 4 ? (const void *)&f
                        : (const void *)&d,
           width);
  }
}

#endif
