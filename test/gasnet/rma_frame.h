// What the tests of puts and gets share: a job, memory that every PE has at the same place
// (statics), a barrier made of puts and nothing else, and bytes that tell who wrote them. Include
// it after gasnet.h; define ROOM, bytes of memory per PE that puts to it, before.
#ifndef WEFT_TEST_GASNET_RMA_FRAME_H
#define WEFT_TEST_GASNET_RMA_FRAME_H

#include <sched.h>

#include "check.h"

#ifndef ROOM
#define ROOM (1 << 16)
#endif
enum { MAX_PES = 8 };

static gex_TM_t tm;
static unsigned me, npes;
static unsigned char *base[MAX_PES]; // of each PE's segment, as that PE sees it

// Where this PE puts to `pe`, as `pe` sees it; and where `pe` puts to this one.
static inline unsigned char *there(unsigned pe) {
  return base[pe] + (size_t)me * ROOM;
}
static inline unsigned char *here(unsigned pe) {
  return base[me] + (size_t)pe * ROOM;
}

static inline void start(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_Segment_t segment;
  CHECK_EQ(gex_Client_Init(&client, &ep, &tm, "test", &argc, &argv, 0), GASNET_OK);
  me = gex_TM_QueryRank(tm);
  npes = gex_TM_QuerySize(tm);
  CHECK(npes <= MAX_PES);
  const size_t bytes =
      (size_t)(MAX_PES * ROOM + GASNET_PAGESIZE) / GASNET_PAGESIZE * GASNET_PAGESIZE;
  CHECK_EQ(gex_Segment_Attach(&segment, tm, bytes), GASNET_OK);
  for (unsigned pe = 0; pe < npes; pe++) {
    void *owner = NULL, *local;
    uintptr_t size;
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(tm, pe, &owner, &local, &size, 0));
    CHECK(owner && size >= bytes);
    base[pe] = owner;
  }
}

// A barrier made of puts and nothing else: behind the PEs' memory are their rounds.
static inline void everybody(void) {
  static uint64_t round;
  round++;
  for (unsigned pe = 0; pe < npes; pe++)
    gex_RMA_PutBlockingVal(tm, pe, base[pe] + MAX_PES * ROOM + 8 * me, round, 8, 0);
  const uint64_t *arrived = (const uint64_t *)(const void *)(base[me] + MAX_PES * ROOM);
  for (unsigned pe = 0; pe < npes; pe++)
    while (__atomic_load_n(&arrived[pe], __ATOMIC_ACQUIRE) < round) sched_yield();
}

static inline void finish(void) {
  everybody();
  gasnet_exit(0);
}

// Byte i of what PE `from` puts to PE `to` in round `salt`.
static inline unsigned char byte_of(unsigned from, unsigned to, unsigned salt, size_t i) {
  return (unsigned char)(from * 31 + to * 7 + salt * 13 + i * 5 + (i >> 8) + 1);
}

static inline void fill(unsigned char *p, size_t n, unsigned from, unsigned to, unsigned salt) {
  for (size_t i = 0; i < n; i++) p[i] = byte_of(from, to, salt, i);
}

static inline int is_filled(const unsigned char *p, size_t n, unsigned from, unsigned to,
                            unsigned salt) {
  for (size_t i = 0; i < n; i++)
    if (p[i] != byte_of(from, to, salt, i)) return 0;
  return 1;
}

#endif
