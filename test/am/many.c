/*
 * Much on its way at once, from everybody to everybody: more packets than there are staging
 * buffers, replies too large to inject, results of non-blocking fetches that are there after quiet.
 */
#include <shmem.h>

#include "check.h"

enum { OPS = 400, MOST = 16, BLOCK = 700 };

static long sum, ticket[MOST * OPS];
static long fetched[MOST][OPS], mine[MOST], block[MOST][BLOCK], source[BLOCK];

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), npes = shmem_n_pes();
  for (int i = 0; i < MOST * OPS; i++) ticket[i] = 1000 + i;
  for (int i = 0; i < BLOCK; i++) source[i] = me * 1000L + i;
  for (int round = 0; round < 3; round++) {
    memset(fetched, 0xff, sizeof fetched);
    shmem_barrier_all();
    for (int i = 0; i < OPS; i++)
      for (int pe = 0; pe < npes; pe++) {
        shmem_long_atomic_add(&sum, me + 1, pe);
        shmem_long_atomic_fetch_add_nbi(&fetched[pe][i], &ticket[me * OPS + i], 1, pe);
        if (i % 100 == 0) shmem_long_put_nbi(block[me], source, BLOCK, pe);
        if (i % 8 == 0) shmem_long_p(&mine[me], round * OPS + i, pe);
      }
    shmem_fence(); /* without it puts to one place may pass each other */
    for (int pe = 0; pe < npes; pe++) shmem_long_p(&mine[me], round * OPS + OPS, pe);
    shmem_quiet();
    for (int pe = 0; pe < npes; pe++)
      for (int i = 0; i < OPS; i++) CHECK_EQ(fetched[pe][i], 1000 + me * OPS + i + round);
    shmem_barrier_all();
    CHECK_EQ(sum, (round + 1L) * OPS * npes * (npes + 1) / 2);
    for (int pe = 0; pe < npes; pe++) {
      CHECK_EQ(mine[pe], round * OPS + OPS);
      for (int i = 0; i < BLOCK; i++) CHECK_EQ(block[pe][i], pe * 1000L + i);
    }
  }
  shmem_finalize();
  return 0;
}
