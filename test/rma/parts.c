/*
 * Rows of puts of 16 KB to 64 KB, of which some find room for a part of them in the packet at hand
 * and go in two: each brings what it should, from and to any byte of a word, and nothing beside it;
 * by quiet, and counted each by an op of its own.
 */
#include <shmem.h>

#include "check.h"
#include "port/port.h"

enum { ROW = 40, MOST = 65536, GAP = 64, ROOM = MOST + 2 * GAP };

static char *dest;
static char source[ROW][ROOM];

/* The put's place begins so far behind the gap; as far does its source. */
static size_t shift(int i) {
  return (size_t)(i * 5 % 16);
}
static size_t bytes(int round, int i) {
  static const size_t some[] = {MOST, 16384, 40000, 65535, 16383, 33001, 60000};
  return round == 0 ? MOST : some[(round + i) % 7];
}
static char value(int round, int i, size_t k) {
  return (char)(round * 7 + i * 13 + (int)(k * 3 + k / 256) + 1);
}

static void put(int round, int i, int other, bool counted) {
  static weft_op_t ops[ROW];
  char *to = dest + (size_t)i * ROOM + GAP + shift(i), *from = source[i] + shift(i);
  const size_t n = bytes(round, i);
  for (size_t k = 0; k < n; k++) from[k] = value(round, i, k);
  if (!counted || n > weft_stage_put_max() || !weft_peek(&weft_channels[0].staging))
    shmem_putmem_nbi(to, from, n, other);
  else
    weft_stage_put_begin(&weft_channels[0], other, weft_job_offset(to), from, n, &ops[i], false);
  if (counted && i == ROW - 1)
    for (int k = 0; k < ROW; k++) weft_op_wait(&ops[k]);
}

static void look(int round) {
  for (int i = 0; i < ROW; i++) {
    const char *p = dest + (size_t)i * ROOM;
    const size_t from = GAP + shift(i), n = bytes(round, i);
    for (size_t k = 0; k < ROOM; k++)
      CHECK_EQ(p[k], k < from || k >= from + n ? 0 : value(round, i, k - from));
  }
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), other = shmem_n_pes() - 1;
  dest = shmem_malloc((size_t)ROW * ROOM);
  for (int round = 0; round < 16; round++) {
    memset(dest, 0, (size_t)ROW * ROOM);
    shmem_barrier_all();
    for (int i = 0; i < ROW && me == 0; i++) put(round, i, other, round % 2);
    shmem_barrier_all();
    if (me == other) look(round);
    shmem_barrier_all();
  }
  shmem_finalize();
  return 0;
}
