/*
 * team.h: what the tests of teams and collectives share: a client, its name for "I", numbers that
 * all PEs draw alike. Include <gasnetex.h> before, check.h is included here.
 */
#ifndef WEFT_TEST_TEAM_H
#define WEFT_TEST_TEAM_H

#include <stdbool.h>

#include "check.h"

static gex_TM_t all;
static gex_Rank_t me, size;

static inline void start(int *argc, char ***argv) {
  CHECK_EQ(gex_Client_Init(NULL, NULL, &all, "TEST", argc, argv, 0), GASNET_OK);
  me = gex_TM_QueryRank(all);
  size = gex_TM_QuerySize(all);
}

/* The same sequence on all PEs that draw alike. */
static inline unsigned draw(unsigned *state) {
  *state = *state * 1103515245u + 12345u;
  return *state >> 8;
}

/* A value that tells who gave it, where and when. */
static inline unsigned char byte_of(unsigned who, size_t at, unsigned round) {
  return (unsigned char)(who * 31 + at * 7 + at / 251 + round * 13);
}

static inline gex_TM_t split(gex_TM_t parent, int color, int key) {
  gex_TM_t made = GEX_TM_INVALID;
  gex_TM_Split(color >= 0 ? &made : NULL, parent, color, key, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  return made;
}

#endif
