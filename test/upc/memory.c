/*
 * Shared memory that is allocated: one offset on all threads; by one thread, freed by another
 * (traps 31, 32); sizes 0 and too large; the parts of a pointer; affinity sizes against a count.
 */
#include "runtime.h"

#include "check.h"

static long list[4]; /* static shared data: thread t's copy */

/* Everybody's allocation is written by the next thread and freed by the one after that. */
static void by_one_thread(void) {
  pts mine = upc_alloc(1000), all[N];
  CHECK_EQ(upc_threadof(mine), ME);
  CHECK_EQ(upc_phaseof(mine), 0);
  for (int t = 0; t < N; t++) {
    pts slot = at_thread(weft_upc_at(list, 0, 0), t);
    if (t == ME) WEFT_UPC_PUT(unsigned long, slot, mine);
  }
  BARRIER();
  for (int t = 0; t < N; t++) all[t] = WEFT_UPC_GET_COPY(unsigned long, list, t);
  pts next = all[(ME + 1) % N];
  for (int i = 0; i < 125; i++) WEFT_UPC_PUT(long, next + (pts)i * 8, i * ME);
  BARRIER();
  for (int i = 0; i < 125; i++) CHECK_EQ(((long *)weft_upc_local(mine))[i], i * ((ME + N - 1) % N));
  BARRIER();
  upc_free(all[(ME + 2) % N]);
  BARRIER();
}

/* A block each, at one offset: also on threads that did not call. */
static void global(void) {
  pts p = 0;
  if (ME == N - 1) {
    p = upc_global_alloc((size_t)N * 2 + 1, 24);
    CHECK(p != 0);
    CHECK_EQ(upc_threadof(p), 0);
    CHECK(p != upc_global_alloc(1, 24));
    for (int t = 0; t < N; t++) upc_memset(at_thread(p, t), 'a' + t, 48);
    upc_memset(p + 48, 'z', 24);
    WEFT_UPC_PUT_COPY(unsigned long, list + 1, 0, p);
  }
  BARRIER();
  p = WEFT_UPC_GET_COPY(unsigned long, list + 1, 0);
  const char *mine = weft_upc_local(at_thread(p, ME));
  for (int i = 0; i < 48; i++) CHECK_EQ(mine[i], 'a' + ME);
  if (ME == 0) CHECK_EQ(mine[71], 'z');
  BARRIER();
  if (ME == 0) upc_free(p);
  BARRIER();
}

static void collective(void) {
  for (int round = 0; round < 3; round++) {
    pts p = upc_all_alloc((size_t)N * 4, 128), q = upc_all_alloc(1, 8);
    CHECK(p && q && p != q);
    WEFT_UPC_PUT_COPY(unsigned long, list + 2, ME, p);
    BARRIER();
    CHECK_EQ(WEFT_UPC_GET_COPY(unsigned long, list + 2, (ME + 1) % N), p);
    upc_memset(at_thread(p, (ME + 1) % N), ME, 512);
    BARRIER();
    CHECK_EQ(((char *)weft_upc_local(at_thread(p, ME)))[511], (ME + N - 1) % N);
    BARRIER();
    upc_all_free(p);
    if (ME == round % N) upc_free(q);
  }
}

static void limits(void) {
  CHECK_EQ(upc_alloc(0), 0);
  CHECK_EQ(upc_all_alloc(0, 8), 0);
  CHECK_EQ(upc_all_alloc(8, 0), 0);
  CHECK_EQ(upc_global_alloc(0, 0), 0);
  CHECK_EQ(upc_global_alloc(SIZE_MAX, SIZE_MAX), 0);
  CHECK_EQ(upc_all_alloc((size_t)N, (size_t)1 << 40), 0);
  CHECK_EQ(upc_alloc((size_t)1 << 40), 0);
  upc_free(0);
  upc_all_free(0);
}

static void parts(void) {
  const pts p = weft_upc_make(N - 1, 5, 4096);
  CHECK_EQ(upc_threadof(p), N - 1);
  CHECK_EQ(upc_phaseof(p), 5);
  CHECK_EQ(upc_addrfield(p), 4096);
  CHECK_EQ(upc_resetphase(p), weft_upc_make(N - 1, 0, 4096));
  CHECK_EQ(upc_threadof(0), 0);
  CHECK_EQ(upc_phaseof(0), 0);
  for (size_t total = 0; total < 50; total += 7)
    for (size_t block = 1; block < 9; block++) {
      size_t count[N];
      for (int t = 0; t < N; t++) count[t] = 0;
      for (size_t i = 0; i < total; i++) count[i / block % (size_t)N]++;
      for (int t = 0; t < N; t++) CHECK_EQ(upc_affinitysize(total, block, t), count[t]);
    }
  CHECK_EQ(upc_affinitysize(100, 0, 0), 100);
  CHECK_EQ(upc_affinitysize(100, 0, 1), 0);
}

int main(int argc, char **argv) {
  weft_upc_start(&argc, &argv);
  by_one_thread();
  global();
  collective();
  limits();
  parts();
  weft_upc_end(0);
}
