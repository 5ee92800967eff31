/*
 * The random test: collectives, with all modes of synchronisation, back to back. Each thread fills
 * what is its own, and changes it again as soon as the mode allows.
 */
#ifndef TEST_UPC_RANDOM_COLL_H
#define TEST_UPC_RANDOM_COLL_H

#include "random.h"

void weft_upc_allv_reduce(void *dst, const void *src, int type, int root, upc_op_t op, int prefix);
void weft_upc_allv_broadcast(void *value, size_t size, int root);
void weft_upc_allv_scatter(void *dst, const void *src, size_t size, int root);
void weft_upc_allv_gather(void *dst, const void *src, size_t size, int root);
void weft_upc_allv_permute(void *dst, const void *src, size_t size, int to);

enum { COLL_MOST = 1 << 17, COLL_GUARD = 32, COLL_ROOM = COLL_MOST + 4096, ELEMENTS = 1500 };
enum { FUNC = 1 << 16, NONCOMM = 1 << 17 };
static pts coll_src, coll_dst, coll_perm;
static pts coll_one[THREADS_MOST]; /* memory of one thread, at no offset of the others */

/* ---- blocks ---------------------------------------------------------------------------------- */

enum { BROADCAST, SCATTER, GATHER, GATHER_ALL, EXCHANGE, PERMUTE, RELOCALIZATIONS };

static void permutation(int *perm) {
  for (int i = 0; i < N; i++) perm[i] = i;
  for (int i = 0; i + 1 < N; i++) {
    const int k = i + (int)all_draw((size_t)(N - i)), x = perm[i];
    perm[i] = perm[k], perm[k] = x;
  }
}

static void relocalization(void) {
  static unsigned char want[COLL_MOST], from[COLL_MOST], guard[COLL_GUARD];
  const size_t kind = all_draw(RELOCALIZATIONS);
  const size_t n = 1 + some_size(&common, COLL_MOST / (size_t)N - 1);
  const size_t at = COLL_GUARD + all_draw(1000), src_at = COLL_GUARD + all_draw(1000);
  const int root = (int)all_draw((size_t)N);
  const uint64_t number = all_draw(1u << 30);
  const upc_flag_t flags = some_mode();
  const bool rooted = kind == BROADCAST || kind == SCATTER;
  const size_t sent = kind == SCATTER || kind == EXCHANGE ? n * (size_t)N : n;
  const size_t got = kind == GATHER || kind == GATHER_ALL || kind == EXCHANGE ? n * (size_t)N : n;
  const bool lone = all_draw(3) == 0; /* what only the root has lies in such memory */
  const pts lone_at = coll_one[root] + src_at;
  const pts src = coll_src + src_at, dst = coll_dst + at;
  const pts root_src = lone ? lone_at : at_thread(src, root);
  const pts root_dst = lone ? lone_at : at_thread(dst, root);
  const pts my_src = rooted ? at_thread(root_src, ME) : src;
  const pts my_dst = kind == GATHER ? at_thread(root_dst, ME) : dst;
  const bool has_dst = kind != GATHER || ME == root;
  int perm[THREADS_MOST];
  snprintf(text, sizeof text, "relocalization %zu, %zu bytes at %zu, root %d, flags %#x", kind, n,
           at, root, flags);
  permutation(perm);
  if (!rooted || ME == root) fill(mine(my_src), sent, number + (uint64_t)ME);
  if (has_dst) memset(mine(my_dst) - COLL_GUARD, 0x77, got + 2 * COLL_GUARD);
  memset(guard, 0x77, COLL_GUARD);
  if (kind == PERMUTE) *(int *)(void *)mine(coll_perm) = perm[ME];
  before(flags);
  switch (kind) {
  case BROADCAST: upc_all_broadcast(dst, root_src, n, flags); break;
  case SCATTER: upc_all_scatter(dst, root_src, n, flags); break;
  case GATHER: upc_all_gather(root_dst, src, n, flags); break;
  case GATHER_ALL: upc_all_gather_all(dst, src, n, flags); break;
  case EXCHANGE: upc_all_exchange(dst, src, n, flags); break;
  default: upc_all_permute(dst, src, coll_perm, n, flags);
  }
  after(flags);
  if ((!rooted || ME == root) && any(2)) memset(mine(my_src), 0x44, sent);
  if (kind == PERMUTE && any(2)) *(int *)(void *)mine(coll_perm) = -1;
  if (!has_dst) return;
  for (int t = 0; t < N; t++) {
    fill(from, sent, number + (uint64_t)t);
    if (rooted && t == root) memcpy(want, from + (kind == SCATTER ? n * (size_t)ME : 0), n);
    if (kind == GATHER || kind == GATHER_ALL) memcpy(want + (size_t)t * n, from, n);
    if (kind == EXCHANGE) memcpy(want + (size_t)t * n, from + (size_t)ME * n, n);
    if (kind == PERMUTE && perm[t] == ME) memcpy(want, from, n);
  }
  must_equal(mine(my_dst), want, got, "what came");
  must_equal(mine(my_dst) - COLL_GUARD, guard, COLL_GUARD, "before it");
  must_equal(mine(my_dst) + got, guard, COLL_GUARD, "behind it");
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* X(suffix, type, number of upc_types.h, is real) */
#define REDUCIBLE(X)                                                                               \
  X(C, signed char, UPC_CHAR, 0)                                                                   \
  X(UC, unsigned char, UPC_UCHAR, 0)                                                               \
  X(S, short, UPC_SHORT, 0)                                                                        \
  X(US, unsigned short, UPC_USHORT, 0)                                                             \
  X(I, int, UPC_INT, 0)                                                                            \
  X(UI, unsigned, UPC_UINT, 0)                                                                     \
  X(L, long, UPC_LONG, 0)                                                                          \
  X(UL, unsigned long, UPC_ULONG, 0)                                                               \
  X(F, float, UPC_FLOAT, 1) X(D, double, UPC_DOUBLE, 1) X(LD, long double, UPC_LDOUBLE, 1)
/* The first three are for whole numbers only. */
static const upc_op_t coll_ops[] = {UPC_AND,   UPC_OR,  UPC_XOR, UPC_ADD, UPC_MULT, UPC_LOGAND,
                                    UPC_LOGOR, UPC_MIN, UPC_MAX, FUNC,    NONCOMM};

struct reduction {
  pts src, dst, one;
  size_t n, block;
  int home;
  upc_op_t op;
  uint64_t number;
  upc_flag_t flags;
  bool prefix;
};

/* Sums of reals are exact, and products stay numbers; a NONCOMM function keeps the last. */
#define REDUCTION(X, T, TYPE, REAL)                                                                \
  void upc_all_reduce##X(pts, pts, upc_op_t, size_t, size_t, T (*)(T, T), upc_flag_t);             \
  void upc_all_prefix_reduce##X(pts, pts, upc_op_t, size_t, size_t, T (*)(T, T), upc_flag_t);      \
  static T value_##X(uint64_t number, upc_op_t op) {                                               \
    const uint64_t x = mix(number, 3);                                                             \
    if (op == UPC_LOGAND) return (T)(x % 50 != 0);                                                 \
    if (op == UPC_LOGOR) return (T)(x % 50 == 0);                                                  \
    if (!REAL) return (T)x;                                                                        \
    return op == UPC_MULT ? (T)(x % 2 ? 1 : -1) : (T)(int)(x % 19) - 9;                            \
  }                                                                                                \
  static T func_##X(T a, T b) {                                                                    \
    return REAL ? a + b : (T)((unsigned long)a + (unsigned long)b);                                \
  }                                                                                                \
  static T last_##X(T a, T b) {                                                                    \
    (void)a;                                                                                       \
    return b;                                                                                      \
  }                                                                                                \
  static T joined_##X(T a, T b, upc_op_t op) {                                                     \
    const unsigned long x = REAL ? 0 : (unsigned long)a, y = REAL ? 0 : (unsigned long)b;          \
    switch (op) {                                                                                  \
    case UPC_ADD:                                                                                  \
    case FUNC: return func_##X(a, b);                                                              \
    case UPC_MULT: return REAL ? a * b : (T)(x * y);                                               \
    case UPC_AND: return (T)(x & y);                                                               \
    case UPC_OR: return (T)(x | y);                                                                \
    case UPC_XOR: return (T)(x ^ y);                                                               \
    case UPC_LOGAND: return (T)(a != 0 && b != 0);                                                 \
    case UPC_LOGOR: return (T)(a != 0 || b != 0);                                                  \
    case UPC_MIN: return a < b ? a : b;                                                            \
    case UPC_MAX: return a > b ? a : b;                                                            \
    default: return b;                                                                             \
    }                                                                                              \
  }                                                                                                \
  static void reduce_##X(const struct reduction *r) {                                              \
    T (*func)(T, T) = r->op == FUNC ? func_##X : r->op == NONCOMM ? last_##X : NULL;               \
    for (size_t i = 0; i < r->n; i++) {                                                            \
      const pts p = step(r->src, i, r->block, sizeof(T));                                          \
      const T x = value_##X(r->number + i, r->op);                                                 \
      if ((int)weft_upc_thread(p) == ME) memcpy(weft_upc_local(p), &x, sizeof x);                  \
    }                                                                                              \
    before(r->flags);                                                                              \
    (r->prefix ? upc_all_prefix_reduce##X : upc_all_reduce##X)(                                    \
        r->prefix ? r->dst : r->one, r->src, r->op, r->n, r->block, func, r->flags);               \
    after(r->flags);                                                                               \
    T sum = 0;                                                                                     \
    for (size_t i = 0; i < r->n; i++) {                                                            \
      const T x = value_##X(r->number + i, r->op);                                                 \
      const pts p = step(r->dst, i, r->block, sizeof(T));                                          \
      sum = i ? joined_##X(sum, x, r->op) : x;                                                     \
      if (!r->prefix || (int)weft_upc_thread(p) != ME) continue;                                   \
      CHECK(*(T *)weft_upc_local(p) == sum);                                                       \
    }                                                                                              \
    if (!r->prefix && ME == r->home) CHECK(*(T *)weft_upc_local(r->one) == sum);                   \
  }                                                                                                \
  static void allv_##X(upc_op_t op, uint64_t number, int root, bool prefix) {                      \
    const T x = value_##X(number + (uint64_t)ME, op);                                              \
    T got = (T)55, sum = 0;                                                                        \
    weft_upc_allv_reduce(&got, &x, TYPE, root, op, prefix);                                        \
    for (int t = 0; t <= (prefix ? ME : N - 1); t++)                                               \
      sum = t ? joined_##X(sum, value_##X(number + (uint64_t)t, op), op)                           \
              : value_##X(number, op);                                                             \
    if (prefix || root < 0 || root == ME) CHECK(got == sum);                                       \
  }
REDUCIBLE(REDUCTION)

static void reduction(void) {
  static void (*const all[])(const struct reduction *) = {
#define NAME(X, T, TYPE, REAL) reduce_##X,
      REDUCIBLE(NAME)};
  static const size_t widths[] = {
#define WIDTH(X, T, TYPE, REAL) sizeof(T),
      REDUCIBLE(WIDTH)};
  const size_t type = all_draw(11), real = type > 7 ? 3 : 0, width = widths[type];
  struct reduction r = {.op = coll_ops[real + all_draw(11 - real)], .number = all_draw(1u << 30)};
  r.n = 1 + all_draw(all_draw(3) ? 40 : ELEMENTS);
  r.block = all_draw(4) ? all_draw(all_draw(2) ? 6 : 200) : (r.n + (size_t)N - 1) / (size_t)N;
  const size_t phase = r.block > 1 ? all_draw(r.block) : 0, at = all_draw(60) * 16;
  const pts first = weft_upc_make(all_draw((size_t)N), phase, 0);
  r.src = coll_src + first + at + phase * width;
  r.dst = coll_dst + first + all_draw(60) * 16 + phase * width;
  r.home = (int)all_draw((size_t)N);
  r.one = (all_draw(2) ? at_thread(coll_dst, r.home) : coll_one[r.home]) + all_draw(60) * 16;
  r.flags = some_mode();
  r.prefix = all_draw(2);
  snprintf(text, sizeof text, "reduction of type %zu, op %#x, %zu elements, block %zu, prefix %d",
           type, r.op, r.n, r.block, r.prefix);
  all[type](&r);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void values(void) {
  static void (*const all[])(upc_op_t, uint64_t, int, bool) = {
#define ALLV(X, T, TYPE, REAL) allv_##X,
      REDUCIBLE(ALLV)};
  enum { MOST = 100 };
  unsigned char whole[MOST * THREADS_MOST], got[MOST * THREADS_MOST], want[MOST * THREADS_MOST];
  const size_t type = all_draw(11), real = type > 7 ? 3 : 0, n = 1 + all_draw(MOST);
  const int root = (int)all_draw((size_t)N + 1) - 1, one = root < 0 ? 0 : root;
  const upc_op_t op = coll_ops[real + all_draw(9 - real)];
  const uint64_t number = all_draw(1u << 30);
  const size_t kind = all_draw(5);
  int perm[THREADS_MOST];
  permutation(perm);
  snprintf(text, sizeof text, "values: %zu, type %zu, op %#x, root %d, %zu bytes", kind, type, op,
           root, n);
  for (int t = 0; t < N; t++) fill(whole + (size_t)t * n, n, number + (uint64_t)t);
  unsigned char *const me = whole + (size_t)ME * n;
  switch (kind) {
  case 0:
    if (all_draw(2))
      all[type](op, number, -1, true);
    else
      all[type](op, number, root, false);
    break;
  case 1:
    memcpy(got, me, n);
    weft_upc_allv_broadcast(got, n, one);
    must_equal(got, whole + (size_t)one * n, n, "broadcast");
    break;
  case 2:
    weft_upc_allv_scatter(got, ME == one ? whole : NULL, n, one);
    must_equal(got, me, n, "scattered");
    break;
  case 3:
    weft_upc_allv_gather(got, me, n, root);
    if (root < 0 || root == ME) must_equal(got, whole, n * (size_t)N, "gathered");
    break;
  default:
    weft_upc_allv_permute(got, me, n, perm[ME]);
    for (int t = 0; t < N; t++)
      if (perm[t] == ME) memcpy(want, whole + (size_t)t * n, n);
    must_equal(got, want, n, "permuted");
  }
}

#endif
