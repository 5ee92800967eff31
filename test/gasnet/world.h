/*
 * What tests of several PEs begin with: a client, its objects, and where everybody's memory is.
 * Include it first. It knows the primordial team only.
 */
#ifndef TEST_GASNET_WORLD_H
#define TEST_GASNET_WORLD_H

#ifndef GASNET_PAR
#define GASNET_SEQ 1
#endif
#include <gasnetex.h>
#include <gasnet_ratomic.h>
#include <gasnet_vis.h>
#include <gasnet_coll.h>

#include "check.h"

#ifndef WORLD_BYTES
#define WORLD_BYTES (1 << 20)
#endif
enum { WORLD_PES = 16 };

static struct {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  gex_Segment_t segment;
  gex_Rank_t me, n;
  char *base[WORLD_PES];
} world;

/* The first byte of a PE's segment, as that PE sees it. */
static inline char *world_of(gex_Rank_t rank) {
  return world.base[rank];
}

static inline void world_barrier(void) {
  gex_Coll_BarrierBlocking(world.tm, 0);
}

/* Defined before: should the segment be memory of the client's? */
#ifndef WORLD_IS_CLIENTS
#define WORLD_IS_CLIENTS 0
#endif

static inline void world_bind(void) {
  void *memory = aligned_alloc((size_t)GASNET_PAGESIZE, WORLD_BYTES);
  CHECK_EQ(
      gex_Segment_Create(&world.segment, world.client, memory, WORLD_BYTES, GEX_MK_HOST, 0),
      GASNET_OK);
  CHECK_EQ(gex_EP_BindSegment(world.ep, world.segment, 0), GASNET_OK);
  CHECK_EQ(gex_EP_PublishBoundSegment(world.tm, &world.ep, 1, 0), GASNET_OK);
}

static inline void world_open(void) {
  CHECK_EQ(gex_Client_Init(&world.client, &world.ep, &world.tm, "test", NULL, NULL, 0), GASNET_OK);
  world.me = gex_System_QueryJobRank();
  world.n = gex_System_QueryJobSize();
  CHECK(world.n <= WORLD_PES);
  if (WORLD_IS_CLIENTS)
    world_bind();
  else
    CHECK_EQ(gex_Segment_Attach(&world.segment, world.tm, WORLD_BYTES), GASNET_OK);
  for (gex_Rank_t i = 0; i < world.n; i++)
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(world.tm, i, (void **)&world.base[i], NULL, NULL, 0));
  memset(world_of(world.me), 0, WORLD_BYTES);
  world_barrier();
}

static inline void world_close(void) {
  world_barrier();
}

/* A small generator: the same numbers everywhere from the same seed. */
static inline uint32_t world_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

#endif
