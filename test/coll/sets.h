/*
 * What the tests of the collectives share: sets of PEs of all shapes, each with an area and plain,
 * and symmetric regions with recognisable bytes. These programs contain the runtime and no front
 * end. Include it first.
 */
#ifndef WEFT_TEST_SETS_H
#define WEFT_TEST_SETS_H

#include "coll/coll.h"

#include "base/base.h"
#include "bytes.h"
#include "check.h"
#include "job/job.h"
#include "rma/rma.h"
#include "runtime/runtime.h"

enum { REGION = 768 * 1024, REGIONS = 6, GUARD = 0x5a, BEHIND = 64, SETS = 32 };

static char *region[REGIONS], *source;
static uintptr_t sync_area;
static weft_team_t *set[SETS], plain[SETS]; /* NULL: this PE is not in it */
static int sets;

/* The same PEs with an area, and plain. All PEs call. */
static inline void add_set(int start, int stride, int size) {
  const int last = start + (size - 1) * stride;
  if (start < 0 || start >= weft_job.npes || last < 0 || last >= weft_job.npes || size < 1) return;
  const weft_set_t members = {.start = start, .stride = stride, .size = size};
  const int me = weft_set_index(&members, weft_job.pe);
  CHECK(sets + 1 < SETS);
  CHECK_EQ(weft_team_create(weft_team_world(), me < 0 ? NULL : &members, true, &set[sets]), 0);
  CHECK(me < 0 ? !set[sets] : set[sets]->me == me);
  if (me >= 0) {
    set[sets + 1] = &plain[sets];
    weft_coll_plain(set[sets + 1], &members, me,
                    sync_area + (uintptr_t)sets * WEFT_COLL_SYNC_WORDS * 8);
  }
  sets += 2;
}

static inline void *symmetric(size_t n) {
  void *p = weft_symmetric_alloc(64, n, "test");
  CHECK(p != NULL);
  return p;
}

static inline void start(void) {
  const size_t words = SETS * WEFT_COLL_SYNC_WORDS * 8;
  weft_runtime_start("test");
  const int n = weft_job.npes;
  void *area = symmetric(words);
  memset(area, 0, words);
  sync_area = weft_job_offset(area);
  source = symmetric(REGION);
  for (int i = 0; i < REGIONS; i++) region[i] = symmetric(REGION);
  add_set(0, 1, n);
  add_set(n - 1, -1, n); /* backwards */
  add_set(0, 2, (n + 1) / 2);
  add_set(1, 3, (n + 1) / 3);
  add_set(n - 1, -2, n / 2);
  add_set(0, 1, n - 1);
  add_set(1, 1, n - 1); /* overlaps the one before */
  add_set(n - 1, 1, 1);
  weft_coll_sync(weft_team_world());
}

/* Nobody is in a collective: n bytes of each dest, and some behind, may be prepared. */
static inline void clear(size_t n) {
  CHECK(n + BEHIND <= REGION);
  weft_coll_sync(weft_team_world());
  for (int i = 0; i < REGIONS; i++) memset(region[i], GUARD, n + BEHIND);
  weft_coll_sync(weft_team_world());
}

static inline void expect_guard(const char *at, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (at[i] != GUARD) CHECK_EQ(at[i], GUARD);
}

#endif
