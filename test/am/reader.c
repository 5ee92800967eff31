/*
 * A PE that computes and never calls Weft stalls nobody: others read from it, write to it and use
 * its atomics. The upper half of the PEs compute.
 */
#include <shmem.h>

#include "check.h"
#include "fabric/board.h"

enum { BLOCK = 40000 };

static long data[BLOCK], here[BLOCK], counter;

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), npes = shmem_n_pes(), half = npes / 2;
  board_t *board = board_open();
  for (int i = 0; i < BLOCK; i++) data[i] = i + 100000L * me;
  shmem_barrier_all();
  if (me >= half) {
    for (int pe = 0; pe < half; pe++) board_wait(&board->many[pe], 1);
    CHECK_EQ(counter, 20L * half);
  } else {
    for (int pe = half; pe < npes; pe++) {
      for (int i = 0; i < 20; i++) {
        CHECK_EQ(shmem_long_g(&data[i], pe), i + 100000L * pe);
        shmem_long_atomic_fetch_add(&counter, 1, pe);
      }
      shmem_long_get(here, data, BLOCK, pe);
      for (int i = 0; i < BLOCK; i++) CHECK_EQ(here[i], i + 100000L * pe);
      memset(here, 0, sizeof here);
      for (int i = 0; i < 40; i++) shmem_long_get_nbi(here + i * 1000, data + i * 1000, 1000, pe);
      shmem_quiet();
      for (int i = 0; i < BLOCK; i++) CHECK_EQ(here[i], i + 100000L * pe);
      shmem_long_put(data, here, 10, pe);
      shmem_quiet();
    }
    board_raise(&board->many[me], 1);
  }
  shmem_finalize();
  return 0;
}
