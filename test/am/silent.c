/*
 * What a PE puts arrives although it never calls Weft again, and although the target calls nothing
 * either: small and large, blocking and not, atomics, one or many. Every PE is source and target,
 * so each kind of process is both: the one that has its node's port and those that have not.
 */
#include <shmem.h>

#include "check.h"
#include "fabric/board.h"

enum { BLOCK = 32768, WORDS = 5000 };

static long one, adds, word[WORDS], block[BLOCK], small_block[8];
static long source[BLOCK];

static void put_one(int to) {
  shmem_long_p(&one, 1, to);
}
static int got_one(void) {
  return plain(&one) == 1;
}
static void put_many(int to) { /* more than all staging buffers hold */
  for (int i = 0; i < WORDS; i++) shmem_long_p(&word[i], i + 1, to);
}
static int got_many(void) {
  for (int i = 0; i < WORDS; i++)
    if (plain(&word[i]) != i + 1) return 0;
  return 1;
}
static void put_small_block(int to) {
  shmem_long_put_nbi(small_block, &source[1], 8, to);
}
static int got_small_block(void) {
  return plain(&small_block[0]) == 1 && plain(&small_block[7]) == 8;
}
static void put_block_nbi(int to) {
  shmem_long_put_nbi(block, source, BLOCK, to);
}
static int got_block(void) {
  return plain(&block[1]) == 1 && plain(&block[BLOCK - 1]) == BLOCK - 1;
}
static void add(int to) {
  for (int i = 0; i < 1000; i++) shmem_long_atomic_inc(&adds, to);
}
static int got_adds(void) {
  return plain(&adds) == 1000;
}

static const struct {
  void (*put)(int to);
  int (*got)(void);
} kinds[] = {{put_one, got_one},
             {put_many, got_many},
             {put_small_block, got_small_block},
             {put_block_nbi, got_block},
             {add, got_adds}};

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), npes = shmem_n_pes();
  board_t *board = board_open();
  for (int i = 0; i < BLOCK; i++) source[i] = i;
  for (long k = 0; k < (long)(sizeof kinds / sizeof *kinds); k++) {
    shmem_barrier_all();
    kinds[k].put((me + npes / 2) % npes);
    while (!kinds[k].got()) sched_yield();
    /* Nobody calls Weft before everybody has got everything. */
    board_raise(&board->many[me], k + 1);
    for (int pe = 0; pe < npes; pe++) board_wait(&board->many[pe], k + 1);
  }
  shmem_finalize();
  return 0;
}
