/*
 * Collectives over many sets, back to back and without any other synchronisation, for sizes from
 * nothing to several times the scratch. Uses the layer's own interface; the front end's tests are
 * in test/shmem.
 */
#include "coll/coll.h"

#include "base/base.h"
#include "check.h"
#include "job/job.h"
#include "rma/rma.h"
#include "runtime/runtime.h"

#define REGION (384 * 1024) /* holds everybody's part of the largest collect */
#define REGIONS 8
#define GUARD 0x5a

static char *region[REGIONS], *source;
static uint64_t *counter;
static uintptr_t sync_area;
static weft_coll_t set[32];
static int sets;

/* The same PEs with an area, and plain. All PEs call. */
static void add_set(int start, int stride, int size) {
  const int last = start + (size - 1) * stride;
  if (start < 0 || start >= weft_job.npes || last < 0 || last >= weft_job.npes || size < 1) return;
  const weft_set_t members = {.start = start, .stride = stride, .size = size}, none = {0};
  const int me = weft_set_index(&members, weft_job.pe);
  set[sets].set = set[sets + 1].set = members;
  set[sets].me = set[sets + 1].me = me;
  CHECK_EQ(weft_coll_split(weft_coll_world(), me < 0 ? &none : &members, true, &set[sets]), 0);
  CHECK_EQ(set[sets].me, me);
  weft_coll_plain(&set[sets + 1], &members, me,
                  sync_area + (uintptr_t)sets * WEFT_COLL_SYNC_WORDS * 8);
  sets += 2;
}

static void start(void) {
  size_t words = WEFT_ARRAY_LEN(set) * WEFT_COLL_SYNC_WORDS * 8;
  void *area;
  int n;
  weft_runtime_start("test");
  n = weft_job.npes;
  CHECK((area = weft_symmetric_alloc(64, words, "test")) != NULL);
  memset(area, 0, words);
  sync_area = weft_job_offset(area);
  CHECK((counter = weft_symmetric_alloc(8, 8, "test")) != NULL);
  *counter = 0;
  CHECK((source = weft_symmetric_alloc(64, REGION, "test")) != NULL);
  for (int i = 0; i < REGIONS; i++)
    CHECK((region[i] = weft_symmetric_alloc(64, REGION, "test")) != NULL);
  add_set(0, 1, n);
  add_set(n - 1, -1, n); /* backwards */
  add_set(0, 2, (n + 1) / 2);
  add_set(1, 2, n / 2);
  add_set(1, 3, (n + 1) / 3);
  add_set(n - 1, -2, n / 2);
  add_set(0, 1, n - 1);
  add_set(1, 1, n - 1); /* overlaps the one before */
  add_set(n - 1, 1, 1);
  weft_coll_sync(weft_coll_world());
}

/* Nobody is in a collective: dest may be prepared. */
static void clear(void) {
  weft_coll_sync(weft_coll_world());
  for (int i = 0; i < REGIONS; i++) memset(region[i], GUARD, REGION);
  weft_coll_sync(weft_coll_world());
}

static unsigned char pattern(int member, int salt, size_t i) {
  return (unsigned char)(member * 31 + salt * 7 + (int)(i % 251));
}

static void expect(const char *at, size_t n, int member, int salt) {
  for (size_t i = 0; i < n; i++)
    if ((unsigned char)at[i] != pattern(member, salt, i))
      CHECK_EQ((unsigned char)at[i], pattern(member, salt, i));
}

static void expect_guard(const char *at, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (at[i] != GUARD) CHECK_EQ(at[i], GUARD);
}

/* Nobody leaves a sync before everyone has entered it. */
static void sync_holds(weft_coll_t *c) {
  uint64_t base = weft_peek(counter), seen;
  for (uint64_t k = 1; k <= 30; k++) {
    weft_publish(counter, k);
    weft_coll_sync(c);
    for (int m = 0; m < c->set.size; m++) {
      weft_rma_get(weft_set_world(&c->set, m), weft_job_offset(counter), &seen, 8);
      CHECK(seen == k || seen == k + 1);
    }
  }
  weft_coll_sync(c); /* all have looked */
  weft_publish(counter, base);
  weft_coll_sync(c);
}

static void agreement(void) {
  for (int k = 0; k < 100; k++) {
    CHECK_EQ(weft_coll_agree(1), 1);
    CHECK_EQ(weft_coll_agree(weft_job.pe != k % weft_job.npes), 0);
    CHECK_EQ(weft_coll_agree(0), 0);
  }
}

/* Private memory, and a PE that is slow to look at what it got. */
static void shares(void) {
  char got[WEFT_COLL_SHARE_MAX], want[WEFT_COLL_SHARE_MAX];
  for (int k = 0; k < 100; k++) {
    memset(want, k, sizeof(want));
    memset(got, weft_job.pe == 0 ? k : 200, sizeof(got));
    weft_coll_share(got, k % 2 ? sizeof(got) : 8);
    CHECK(!memcmp(got, want, k % 2 ? sizeof(got) : 8));
  }
}

static void broadcasts(weft_coll_t *c, size_t n) {
  for (int k = 0; k < REGIONS; k++) {
    int root = k % 2 ? c->set.size - 1 - k / 2 % c->set.size : k / 2 % c->set.size;
    if (c->me == root)
      for (size_t i = 0; i < n; i++) source[i] = (char)pattern(root, k, i);
    weft_coll_broadcast(c, region[k], source, n, root, true);
    if (c->me == root) memset(source, 0, n); /* ours again */
  }
  for (int k = 0; k < REGIONS; k++) {
    int root = k % 2 ? c->set.size - 1 - k / 2 % c->set.size : k / 2 % c->set.size;
    expect(region[k], n, root, k);
    expect_guard(region[k] + n, 64);
  }
}

static void sum_u64(void *inout, const void *in, size_t n) {
  uint64_t *a = inout;
  const uint64_t *b = in;
  for (size_t i = 0; i < n; i++) a[i] += b[i];
}

static void max_u8(void *inout, const void *in, size_t n) {
  unsigned char *a = inout;
  const unsigned char *b = in;
  for (size_t i = 0; i < n; i++)
    if (b[i] > a[i]) a[i] = b[i];
}

static uint64_t value_u64(int member, int salt, size_t i) {
  return (uint64_t)(member + 1) * 1000003u + (uint64_t)salt * 17 + i;
}

static void sums(weft_coll_t *c, size_t n) {
  uint64_t *from = (uint64_t *)(void *)source;
  for (int k = 0; k < REGIONS; k++) {
    if (k % 2) from = (uint64_t *)(void *)region[k]; /* in place */
    for (size_t i = 0; i < n; i++) from[i] = value_u64(c->me, k, i);
    weft_coll_reduce(c, region[k], from, n, 8, sum_u64);
    from = (uint64_t *)(void *)source;
    if (k % 2 == 0) memset(source, 0, n * 8);
  }
  for (int k = 0; k < REGIONS; k++) {
    const uint64_t *got = (uint64_t *)(void *)region[k];
    for (size_t i = 0; i < n; i++) {
      uint64_t want = 0;
      for (int m = 0; m < c->set.size; m++) want += value_u64(m, k, i);
      if (got[i] != want) CHECK_EQ(got[i], want);
    }
    expect_guard(region[k] + n * 8, 64);
  }
}

static void maxima(weft_coll_t *c, size_t n) {
  for (int k = 0; k < REGIONS; k++) {
    for (size_t i = 0; i < n; i++) source[i] = (char)pattern(c->me, k, i);
    weft_coll_reduce(c, region[k], source, n, 1, max_u8);
  }
  for (int k = 0; k < REGIONS; k++) {
    for (size_t i = 0; i < n; i++) {
      unsigned char want = 0;
      for (int m = 0; m < c->set.size; m++)
        if (pattern(m, k, i) > want) want = pattern(m, k, i);
      if ((unsigned char)region[k][i] != want) CHECK_EQ((unsigned char)region[k][i], want);
    }
    expect_guard(region[k] + n, 64);
  }
}

/* Every third member has nothing, a different third each time. */
static size_t part(int member, int salt, size_t most) {
  return (member + salt) % 3 == 0 ? 0 : most - (size_t)(member % 5) * most / 8;
}

static void collects(weft_coll_t *c, size_t most) {
  for (int k = 0; k < REGIONS; k++) {
    size_t n = part(c->me, k, most);
    for (size_t i = 0; i < n; i++) source[i] = (char)pattern(c->me, k, i);
    weft_coll_collect(c, region[k], source, n);
  }
  for (int k = 0; k < REGIONS; k++) {
    size_t at = 0;
    for (int m = 0; m < c->set.size; at += part(m, k, most), m++)
      expect(region[k] + at, part(m, k, most), m, k);
    expect_guard(region[k] + at, 64);
  }
}

/* Different collectives of overlapping sets, one after another. */
static void medley(void) {
  uint64_t *box = (uint64_t *)(void *)region[0], want;
  for (int round = 0; round < 20; round++)
    for (int s = 0; s < sets; s++) {
      weft_coll_t *c = &set[s];
      uint64_t *at = box + s * 100 + round * 4, mine = (uint64_t)(c->me + 1);
      int root = round % c->set.size;
      if (c->me < 0) continue;
      weft_coll_reduce(c, at, &mine, 1, 8, sum_u64);
      weft_coll_broadcast(c, at + 1, &mine, 8, root, true);
      if (round % 3 == 0) weft_coll_sync(c);
      weft_coll_collect(c, at + 2, &mine, c->me == root ? 8 : 0);
      want = (uint64_t)c->set.size * (uint64_t)(c->set.size + 1) / 2;
      CHECK_EQ(at[0], want);
      CHECK_EQ(at[1], root + 1);
      CHECK_EQ(at[2], root + 1);
    }
}

int main(void) {
  static const size_t sizes[] = {0, 1, 8, 1000, 40000};
  static const size_t long_sizes[] = {32768, 200000};
  start();
  agreement();
  shares();
  for (int s = 0; s < sets; s++) {
    weft_coll_t *c = &set[s];
    for (unsigned k = 0; k < WEFT_ARRAY_LEN(sizes); k++) {
      size_t n = sizes[k],
             most = n > REGION / 2 / (size_t)c->set.size ? REGION / 2 / (size_t)c->set.size : n;
      clear();
      if (c->me >= 0) broadcasts(c, n);
      clear();
      if (c->me >= 0) sums(c, n / 8);
      clear();
      if (c->me >= 0) maxima(c, n);
      clear();
      if (c->me >= 0) collects(c, most);
    }
    if (c->me >= 0) sync_holds(c);
  }
  for (unsigned k = 0; k < WEFT_ARRAY_LEN(long_sizes); k++) {
    clear();
    broadcasts(weft_coll_world(), long_sizes[k]);
    clear();
    sums(weft_coll_world(), long_sizes[k] / 8);
  }
  clear();
  medley();
  agreement();
  weft_runtime_stop();
  return 0;
}
