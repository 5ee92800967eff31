/* upc_forall (6.6.2) with every kind of affinity, bounds and nesting; the loop variable afterwards
 * (traps 21 to 24). Each iteration leaves who ran it, and everything is compared with the rule. */
#include "expect.h"

#define N 37
#define MOST (sizeof(int)) /* without a sign */
shared int ran[N * THREADS], twice[N * THREADS];
shared [4] int blocked[N * THREADS];
shared [*] double whole[N * THREADS];
shared [8] int rows[N * THREADS][4];
shared int grid[THREADS][6];
shared unsigned char bytes[256 * THREADS];
static int effects, seen;

static int affinity(int i) {
  effects++;
  return i;
}

static void who_ran(int from, int to, int block, int shift) {
  upc_barrier;
  for (int i = 0; i < N * THREADS; i++)
    CHECK(ran[i] == (i >= from && i < to ? (i + shift) / block % THREADS + 1 : 0));
  upc_barrier;
  for (int i = MYTHREAD; i < N * THREADS; i += THREADS) ran[i] = 0;
  upc_barrier;
}

static void kinds(int lo, int hi) {
  int i;
  unsigned long u;
  upc_forall (i = lo; i < hi; i++; i) ran[i] = MYTHREAD + 1;
  CHECK(i == (lo < hi ? hi : lo));
  who_ran(lo, hi, 1, 0);
  upc_forall (i = lo; i < hi; ++i; i + 3) { ran[i] = MYTHREAD + 1; }
  who_ran(lo, hi, 1, 3);
  upc_forall (i = lo; i <= hi - 1; i += 1; &ran[i]) ran[i] += MYTHREAD + 1;
  CHECK(i == (lo < hi ? hi : lo));
  who_ran(lo, hi, 1, 0);
  upc_forall (i = lo; i < hi; i++; &blocked[i]) {
    if (i % 3 == 0) { ran[i] = MYTHREAD + 1; blocked[i] = i; continue; }
    ran[i] = MYTHREAD + 1;
    blocked[i] = i;
  }
  who_ran(lo, hi, 4, 0);
  upc_forall (u = (unsigned long)lo; u < (unsigned long)hi; u++; &whole[u]) { ran[u] = MYTHREAD + 1; whole[u] = u; }
  who_ran(lo, hi, N, 0);
  upc_forall (int j = lo; j < hi; j++; &rows[j][0]) {
    ran[j] = MYTHREAD + 1;
    for (int k = 0; k < 4; k++) rows[j][k] = 10 * j + k;
  }
  who_ran(lo, hi, 2, 0);
  upc_forall (i = lo; i < hi; i++; &blocked[i + 2 < N * THREADS ? i + 2 : 0]) {
    if (i + 2 < N * THREADS) ran[i] = (i + 2) / 4 % THREADS + 1;
    else ran[i] = (i + 2) / 4 % THREADS + 1;
  }
  who_ran(lo, hi, 4, 2);
  for (i = lo; i < hi; i++) {
    CHECK(blocked[i] == i && whole[i] == i && rows[i][3] == 10 * i + 3);
  }
}

static void odd_ones(void) {
  int i, n = 0;
  effects = 0;
  upc_forall (i = 0; i < 10; i++; affinity(i)) n++;
  CHECK(effects == 10 && n == (MYTHREAD < 10 ? (9 - MYTHREAD) / THREADS + 1 : 0) && i == 10);
  n = 0;
  upc_forall (i = 10; i-- > 0; ; i) n += i;
  upc_forall (i = 0; i < 10; i++; continue) n++;
  upc_forall (i = 0; i < 10; i++; ) n++;
  CHECK(n >= 20);
  n = 0;
  upc_forall (i = 0; i < 5; i++; (shared void *)&ran[i]) n += upc_threadof(&ran[i]) == (size_t)MYTHREAD;
  CHECK(n == (MYTHREAD < 5 ? (4 - MYTHREAD) / THREADS + 1 : 0));
  n = 0; /* negative: rounded down, in both forms */
  upc_forall (i = -5; i < 5; i++; i) { n += ((i % THREADS) + THREADS) % THREADS == MYTHREAD; }
  upc_forall (i = -5; i < 5; i++; i * 1) n -= ((i % THREADS) + THREADS) % THREADS == MYTHREAD;
  CHECK(n == 0);
  upc_forall (unsigned u = 0; u < 3; u++; u - 1) n += 1 << u; /* unsigned: it wraps around */
  for (unsigned u = 0; u < 3; u++) n -= ((u - 1) % (unsigned)THREADS == (unsigned)MYTHREAD) << u;
  upc_forall (unsigned long u = 0; u < 3; u++; u + 18446744073709551614U) n += 1 << u;
  for (unsigned long u = 0; u < 3; u++) n -= ((u - 2) % (unsigned)THREADS == (unsigned)MYTHREAD) << u;
  upc_forall (i = -5; i < 5; i++; i + 1u) n += 1 << (i + 5);
  upc_forall (i = -5; i < 5; i++; i + 1ul) n += 1 << (i + 15);
  for (i = -5; i < 5; i++) {
    n -= ((i + 1u) % (unsigned)THREADS == (unsigned)MYTHREAD) << (i + 5);
    n -= ((i + 1ul) % (unsigned)THREADS == (unsigned)MYTHREAD) << (i + 15);
  }
  upc_forall (unsigned u = UINT32_MAX - 5; u < UINT32_MAX - 1; u++; u + 4) n += 1 << (u & 7);
  for (unsigned u = UINT32_MAX - 5; u < UINT32_MAX - 1; u++)
    n -= ((u + 4) % (unsigned)THREADS == (unsigned)MYTHREAD) << (u & 7);
  CHECK(n == 0);
  unsigned long long big = 1ULL << 40; /* not narrowed before mod */
  upc_forall (i = 0; i < 1; i++; big) n++;
  CHECK(n == ((int)(big % (unsigned long long)THREADS) == MYTHREAD));
}

/* Indices without a sign beyond 2^63; indices below 0 beside a bound without a sign. */
#pragma GCC diagnostic ignored "-Wsign-compare"
static void unsigned_bounds(void) {
  const unsigned long top = 1ul << 63;
  int n = 0;
  upc_forall (unsigned long u = top - 5; u < top + 7; u++; u) n += 1 << (u & 15);
  for (unsigned long u = top - 5; u < top + 7; u++) n -= (u % THREADS == (unsigned)MYTHREAD) << (u & 15);
  upc_forall (unsigned long u = -9ul; u <= -2ul; u++; u + 3) n += 1 << (u & 15);
  for (unsigned long u = -9ul; u <= -2ul; u++) n -= ((u + 3) % THREADS == (unsigned)MYTHREAD) << (u & 15);
  CHECK(n == 0);
  upc_forall (int i = -1; i < (long)sizeof n; i++; i) n += 10;
  upc_forall (int i = -1; i < MOST; i++; i + 1) n += 1000;
  upc_forall (int i = -1; i < MOST; i++; &ran[i + 1]) n += 1000;
  upc_forall (long long i = -1; i < MOST; i++; i + 1) n += 1000;
  CHECK(n == 10 * ((MYTHREAD < 4 ? (3 - MYTHREAD) / THREADS + 1 : 0) + (MYTHREAD == THREADS - 1)));
}

/* What a call changes by an address is no bound to keep. */
static int *address;
static void shorten(void) {
  *address = 4;
}
static void addressed(void) {
  int i, most = 8, n = 0;
  address = &(most);
  upc_forall (i = 0; i < most; i++; i) {
    n++;
    shorten();
  }
  CHECK(i == (MYTHREAD < 8 ? 4 > MYTHREAD + 1 ? 4 : MYTHREAD + 1 : 8));
  int later = 8;
  address = &seen;
  for (int turn = 0; turn < 2; turn++) {
    upc_forall (i = 0; i < later; i++; i) shorten();
    address = &later;
  }
  address = NULL;
  CHECK(i == (MYTHREAD < 8 ? 4 > MYTHREAD + 1 ? 4 : MYTHREAD + 1 : 8));
}

static void inner(void) {
  int j;
  upc_forall (j = 0; j < 6; j++; j) seen++;
}

static int leaves(void) {
  int i;
  upc_forall (i = 0; i < THREADS; i++; continue) inner();
  return 0;
}

static void nested(void) {
  int i, j, own = 0;
  seen = 0;
  upc_forall (i = 0; i < 2 * THREADS; i++; i) inner();
  CHECK(seen == 12);
  upc_forall (i = 0; i < THREADS; i++; i) {
    upc_forall (j = 0; j < 6; j++; &grid[i][j]) own++;
  }
  CHECK(own == 6);
  seen = 0;
  leaves(); /* continue does not count: the inner ones decide */
  CHECK(seen == THREADS * (MYTHREAD < 6 ? (5 - MYTHREAD) / THREADS + 1 : 0));
  for (i = 0; i < 3; i++) upc_forall (j = 0; j < THREADS; j++; j) own++;
  CHECK(own == 9);
  if (own) upc_forall (j = 0; j < THREADS; j++; j) own = 0;
  else own = 5;
  CHECK(own == 0);
}

/* for (i = MYTHREAD; ...; i += THREADS): own elements too. */
static void by_hand(void) {
  int i;
  for (i = MYTHREAD; i < N * THREADS; i += THREADS) twice[i] = i;
  upc_forall (i = 0; i < 256 * THREADS; i++; i) bytes[i] = (unsigned char)(i * 7);
  for (i = MYTHREAD; i < N * THREADS; i += THREADS) {
    twice[i] += i;
    if (i + 1 < N * THREADS) CHECK(upc_threadof(&twice[i + 1]) == (size_t)((MYTHREAD + 1) % THREADS));
  }
  upc_barrier;
  int sum = 0;
  i = 0;
  unsigned char k;
  for (k = MYTHREAD; i++ < 300; k += THREADS) sum += bytes[k]; /* it wraps around */
  k = (unsigned char)MYTHREAD;
  for (i = 0; i < 300; i++, k = (unsigned char)(k + THREADS)) sum -= *(bytes + k);
  CHECK(sum == 0);
  for (i = 0; i < N * THREADS; i++) CHECK(twice[i] == 2 * i);
  for (shared int *p = twice, **at = &p, *end[1] = {twice + N}; p != *end; ++*at) i -= *p;
  CHECK(i == N * THREADS - N * (N - 1));
  for (shared int *p = twice, *const e = twice + 3; p < e; p++) i++;
  for (shared int *const e = twice + 3, *p = twice, *const *at = &e; p < *at; p++) i++;
  for (shared int *p = twice, *restrict q = twice + 3, *volatile v = p; p < q; v = ++p) i++;
  upc_forall (shared int *p = twice, *const e = twice + THREADS; p < e; p++; p) i++;
  CHECK(i == N * THREADS - N * (N - 1) + 10);
}

int main(void) {
  by_hand();
  kinds(0, N * THREADS);
  kinds(5, N * THREADS - 3);
  kinds(7, 7);
  kinds(9, 4);
  odd_ones();
  unsigned_bounds();
  addressed();
  nested();
  return 0;
}
