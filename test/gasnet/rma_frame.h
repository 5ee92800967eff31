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
static unsigned char shared[MAX_PES][ROOM]; // shared[i] of each PE is PE i's to write
static volatile uint64_t arrived[MAX_PES];

static inline void start(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  CHECK_EQ(gex_Client_Init(&client, &ep, &tm, "test", &argc, &argv, 0), GASNET_OK);
  me = tm->rank;
  npes = tm->size;
  CHECK(npes <= MAX_PES);
}

static inline void everybody(void) {
  static uint64_t round;
  round++;
  for (unsigned pe = 0; pe < npes; pe++)
    gex_RMA_PutBlockingVal(tm, pe, (void *)&arrived[me], round, 8, 0);
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
