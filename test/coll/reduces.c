/*
 * Reductions and scans: every set, elements of 1, 8 and 16 bytes, odd counts, in place, private
 * sources; sums of reals that depend on the order have the same bits on all members.
 */
#include "sets.h"

typedef struct pair { /* an operation that is associative, not commutative: x -> ax + b */
  uint64_t a, b;
} pair_t;

static void compose(void *inout, const void *in, size_t n) {
  pair_t *f = inout;
  const pair_t *g = in;
  for (size_t i = 0; i < n; i++)
    f[i] = (pair_t){.a = f[i].a * g[i].a, .b = f[i].b * g[i].a + g[i].b};
}

static void sum_u64(void *inout, const void *in, size_t n) {
  for (size_t i = 0; i < n; i++) ((uint64_t *)inout)[i] += ((const uint64_t *)in)[i];
}

static void sum_real(void *inout, const void *in, size_t n) {
  for (size_t i = 0; i < n; i++) ((float *)inout)[i] += ((const float *)in)[i];
}

static void max_u8(void *inout, const void *in, size_t n) {
  unsigned char *a = inout;
  for (size_t i = 0; i < n; i++)
    if (((const unsigned char *)in)[i] > a[i]) a[i] = ((const unsigned char *)in)[i];
}

static uint64_t value(int member, int salt, size_t i) {
  return (uint64_t)(member + 1) * 1000003u + (uint64_t)salt * 17 + i;
}

static void sums(weft_team_t *c, size_t n) {
  const uint64_t size = (uint64_t)c->set.size;
  for (int k = 0; k < REGIONS; k++) {
    uint64_t *to = (uint64_t *)(void *)region[k];
    uint64_t *from = k % 2 ? to : (uint64_t *)(void *)source;
    for (size_t i = 0; i < n; i++) from[i] = value(c->me, k, i);
    weft_coll_reduce(c, to, from, n, 8, sum_u64);
    memset(source, 0, n * 8);
  }
  for (int k = 0; k < REGIONS; k++) {
    const uint64_t *got = (uint64_t *)(void *)region[k];
    for (size_t i = 0; i < n; i++) {
      const uint64_t want = size * (size - 1) / 2 * 1000003u + size * value(0, k, i);
      if (got[i] != want) CHECK_EQ(got[i], want);
    }
    expect_guard(region[k] + n * 8, BEHIND);
  }
}

static void maxima(weft_team_t *c, size_t n) {
  for (int k = 0; k < 2; k++) {
    fill(source, n, c->me, k);
    weft_coll_reduce(c, region[k], source, n, 1, max_u8);
  }
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < n; i++) {
      unsigned char want = 0;
      for (int m = 0; m < c->set.size; m++)
        if (pattern(m, k, i) > want) want = pattern(m, k, i);
      if ((unsigned char)region[k][i] != want) CHECK_EQ((unsigned char)region[k][i], want);
    }
}

/* max(+0, -0) is the second: the order can be seen. */
static void max_real(void *inout, const void *in, size_t n) {
  float *a = inout;
  for (size_t i = 0; i < n; i++)
    a[i] = a[i] > ((const float *)in)[i] ? a[i] : ((const float *)in)[i];
}

/* Member 0's bits are everybody's. Region 1 gets them by a broadcast. */
static void same_bits(weft_team_t *c, size_t n, weft_combine_t combine) {
  float *mine = (float *)(void *)source;
  for (size_t i = 0; i < n; i++)
    mine[i] = combine == sum_real            ? 1.0f / (float)(c->me * 7 + (int)(i % 97) + 1)
              : ((size_t)c->me >> i % 3) & 1 ? -0.0f
                                             : 0.0f;
  weft_coll_reduce(c, region[0], mine, n, 4, combine);
  weft_coll_broadcast(c, region[1], region[0], n * 4, 0, true);
  CHECK(!memcmp(region[0], region[1], n * 4));
}

static void scans(weft_team_t *c, size_t n) {
  for (int k = 0; k < REGIONS; k++) {
    pair_t *to = (pair_t *)(void *)region[k], *from = k % 2 ? to : (pair_t *)(void *)source;
    for (size_t i = 0; i < n; i++) from[i] = (pair_t){(uint64_t)c->me + 3, i + (uint64_t)k};
    weft_coll_scan(c, to, from, n, sizeof *to, compose, k % 3 != 0);
    memset(source, 0, n * sizeof *to);
  }
  for (int k = 0; k < REGIONS; k++) {
    pair_t one = {0, 0}; /* if every member's b were 1: b of the result is linear in it */
    for (int m = 0; m <= c->me - (k % 3 == 0); m++) {
      const pair_t next = {(uint64_t)m + 3, 1};
      if (m == 0) one = next;
      if (m > 0) compose(&one, &next, 1);
    }
    for (size_t i = 0; i < n; i++) {
      const pair_t *got = (pair_t *)(void *)region[k] + i;
      const pair_t want = {one.a, one.b * (i + (uint64_t)k)};
      if (got->a != want.a || got->b != want.b) CHECK_EQ(got->b, want.b);
    }
  }
  for (int k = 0; k < REGIONS; k++) expect_guard(region[k] + n * sizeof(pair_t), BEHIND);
}

int main(void) {
  static const size_t sizes[] = {0, 1, 5, 129, 1000, 12345, 40001};
  start();
  for (int s = 0; s < sets; s++)
    for (unsigned k = 0; k < WEFT_ARRAY_LEN(sizes); k++) {
      weft_team_t *c = set[s];
      clear(sizes[k] * 8);
      if (c) sums(c, sizes[k]);
      clear(sizes[k]);
      if (c) maxima(c, sizes[k]);
      clear(sizes[k] * 4);
      if (c) same_bits(c, sizes[k], sum_real);
      clear(sizes[k] * 4);
      if (c) same_bits(c, sizes[k], max_real);
      clear(sizes[k] * sizeof(pair_t));
      if (c && c->area >= 0) scans(c, sizes[k]);
    }
  weft_runtime_stop();
  return 0;
}
