/*
 * PE 0 serves its node's port and finds no room towards PE 1 for a while, which ends when PE 2's
 * additions to a counter of PE 0's have been served.
 */
#ifndef NO_ROOM_H
#define NO_ROOM_H

#include <shmem.h>

#include "check.h"
#include "fabric/board.h"
#include "port/port_internal.h"

enum { ADDS = 10 };

static long counter;
static long open_at; /* no room until the counter is there; 0: there is room */

static bool has_room(void) {
  return plain(&open_at) <= plain(&counter);
}

/* PE 0: no room from now on; returns what the counter is to be at last. */
static long lose_room(long round) {
  board_raise(&open_at, round * ADDS);
  return round * ADDS;
}

/* PE 2: add when PE 0 has come to this round. */
static void add(board_t *board, long round) {
  board_wait(&board->flag, round);
  usleep(2000);
  for (int i = 0; i < ADDS; i++) shmem_long_atomic_fetch_inc(&counter, 0);
}

#endif
