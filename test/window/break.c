/*
 * Between static data and what Weft has behind them there is room for the break: small blocks come
 * from there, and when it is full from elsewhere, never from the window.
 */
#include <shmem.h>

#include <unistd.h>

#include "job/job.h"

#include "check.h"

enum { BLOCKS = 20000, BLOCK = 1000 };

static char *blocks[BLOCKS];

static void fill(int first, int last) {
  for (int i = first; i < last; i++) {
    blocks[i] = malloc(BLOCK);
    CHECK(blocks[i] != NULL);
    CHECK(!weft_window_contains(&weft_job.window, blocks[i], BLOCK));
    memset(blocks[i], i & 127, BLOCK);
  }
}

int main(void) {
  const size_t step = (size_t)16 << 20;
  shmem_init();
  const weft_layout_t *l = &weft_job.window.layout;
  const uintptr_t begin = weft_job.window.base + l->statics + l->static_size;
  fill(0, BLOCKS / 2);
  CHECK((uintptr_t)sbrk(0) >= begin);
  CHECK(weft_job.window.base + l->runtime - begin >= (size_t)64 << 20);
  while (sbrk((intptr_t)step) != (void *)-1) continue; /* no page of it is touched */
  CHECK((uintptr_t)sbrk(0) <= weft_job.window.base + l->runtime);
  fill(BLOCKS / 2, BLOCKS);
  for (int i = 0; i < BLOCKS; i++)
    CHECK(blocks[i][0] == (i & 127) && blocks[i][BLOCK - 1] == (i & 127));
  for (int i = 0; i < BLOCKS; i++) free(blocks[i]);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
