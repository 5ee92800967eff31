/*
 * The degenerate cases of the specification: no bytes, no dimensions, lists of nothing, many
 * dimensions of one; then other arguments are ignored. What is empty neither reads nor writes.
 */
#include "gasnet/vis.h"

enum { ONES = 30 };
static const gex_Rank_t nobody = 1u << 30;

static char *here, there[64];

static void nothing(gex_Rank_t to) {
  const size_t zero[] = {3, 0, 2};
  const ptrdiff_t strides[3] = {4, 8, 16};
  char *bad = (char *)(uintptr_t)8;
  CHECK(!gex_VIS_StridedPutNB(world.tm, nobody, bad, NULL, bad, NULL, 0, NULL, 7, 0));
  CHECK(!gex_VIS_StridedGetBlocking(world.tm, bad, NULL, nobody, bad, NULL, 0, NULL, 7, 0));
  CHECK(!gex_VIS_StridedGetNB(world.tm, bad, strides, nobody, bad, strides, 4, zero, 3, 0));
  CHECK(!gex_VIS_StridedPutNBI(world.tm, nobody, bad, strides, bad, strides, 4, zero, 3, 0));
  const gex_Memvec_t none[] = {{bad, 0}, {bad, 0}};
  gex_Event_Wait(gex_VIS_VectorPutNB(world.tm, to, 2, none, 0, NULL, GEX_FLAG_ENABLE_LEAF_LC));
  gex_Event_Wait(gex_VIS_VectorGetNB(world.tm, 0, NULL, to, 2, none, 0));
  CHECK(!gex_VIS_IndexedPutBlocking(world.tm, to, 0, NULL, 4, 0, NULL, 9, 0));
  CHECK(!gex_VIS_IndexedGetNBI(world.tm, 0, NULL, 0, to, 0, NULL, 0, 0));
  gex_NBI_Wait(GEX_EC_ALL, 0);
}

/* Empty entries everywhere, lists of different lengths, other sizes on the two sides. */
static void uneven(gex_Rank_t to) {
  char *at = world_of(to) + 64 * world.me;
  const gex_Memvec_t dst[] = {{at, 0}, {at + 1, 3}, {at + 9, 0}, {at + 4, 5}, {at, 0}};
  const gex_Memvec_t src[] = {{here + 1, 8}, {NULL, 0}};
  gex_Event_Wait(gex_VIS_VectorPutNB(world.tm, to, 5, dst, 2, src, 0));
  void *const four[] = {at + 16, at + 20, at + 24, at + 28}, *const two[] = {here + 16, here + 24};
  gex_Event_Wait(gex_VIS_IndexedPutNB(world.tm, to, 4, four, 4, 2, two, 8, 0));
  void *const one[] = {there};
  const gex_Memvec_t back[] = {{there, 64}};
  const gex_Memvec_t all[] = {{at, 33}, {at + 33, 31}};
  CHECK(!gex_VIS_VectorGetBlocking(world.tm, 1, back, to, 2, all, 0));
  CHECK(!memcmp(there + 1, here + 1, 8) && there[0] == 0 && there[9] == 0);
  CHECK(!memcmp(there + 16, here + 16, 16) && there[15] == 0 && there[32] == 0);
  void *const far[] = {at};
  memset(there, 1, sizeof there);
  CHECK(!gex_VIS_IndexedGetBlocking(world.tm, 1, one, 64, to, 1, far, 64, GEX_FLAG_IMMEDIATE));
  CHECK(there[0] == 0 && !memcmp(there + 16, here + 16, 16));
}

/* Thirty dimensions, all but two of one element; a stride of 0 at the source repeats it. */
static void dimensions(gex_Rank_t to) {
  char *at = world_of(to) + 64 * world.me + 32;
  size_t count[ONES];
  ptrdiff_t up[ONES], still[ONES];
  for (int i = 0; i < ONES; i++) {
    count[i] = 1;
    up[i] = still[i] = i * 1000003L;
  }
  count[7] = 3, up[7] = 5, still[7] = 0;
  count[21] = 2, up[21] = -16, still[21] = 2;
  gex_Event_Wait(gex_VIS_StridedPutNB(world.tm, to, at + 16, up, here, still, 2, count, ONES, 0));
  CHECK(!gex_VIS_StridedGetNBI(world.tm, there, NULL, to, at, NULL, 32, NULL, 0, 0));
  gex_NBI_Wait(GEX_EC_GET, 0);
  for (int i = 0; i < 3; i++)
    CHECK(!memcmp(there + 16 + 5 * i, here, 2) && !memcmp(there + 5 * i, here + 2, 2));
  CHECK(there[2] == 0 && there[12] == 0 && there[28] == 0);
}

int main(void) {
  world_open();
  static char source[64];
  here = source;
  for (int i = 0; i < 64; i++) source[i] = (char)(i + 1);
  for (gex_Rank_t i = 0; i < world.n; i++) {
    const gex_Rank_t to = (world.me + i) % world.n;
    nothing(to);
    uneven(to);
    dimensions(to);
  }
  world_close();
  return 0;
}
