/*
 * Private memory: whatever each PE allocates by itself, every PE puts to and gets from, by address
 * on the node and by slot offset elsewhere; threads may allocate at once; what is freed can be had
 * again, and its pages go back.
 */
#include <shmem.h>

#include <pthread.h>

#include "am/am.h"
#include "check.h"
#include "job/job.h"
#include "rma/rma.h"
#include "runtime/runtime.h"

enum { MB = 1 << 20, BIG = 600 * MB, WORDS = 4096, THREADS = 4 };

static uintptr_t published; /* symmetric: slot offset of what a PE gives */

static size_t resident(void) { /* shared memory of this process that has pages */
  size_t pages = 0, shared = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  CHECK(f && fscanf(f, "%*s %zu %zu", &pages, &shared) == 2);
  fclose(f);
  return shared * (size_t)sysconf(_SC_PAGESIZE);
}

static void *churn(void *arg) {
  unsigned seed = (unsigned)(size_t)arg;
  unsigned char *piece[16] = {0};
  for (int i = 0; i < 4000; i++) {
    size_t k = (size_t)rand_r(&seed) % 16, n = 1 + (size_t)rand_r(&seed) % 5000;
    if (piece[k]) CHECK_EQ(piece[k][0], (int)k);
    weft_private_free(piece[k]);
    CHECK((piece[k] = weft_private_alloc(64, n)) != NULL);
    CHECK_EQ((uintptr_t)piece[k] % 64, 0);
    memset(piece[k], (int)k, n);
  }
  for (int k = 0; k < 16; k++) weft_private_free(piece[k]);
  return NULL;
}

static void everyone_reaches(int me, int npes) {
  /* Different sizes before: offsets differ from PE to PE. */
  char *before = weft_private_alloc(16, 1000 + (size_t)me * 777);
  long *mine = weft_private_alloc(4096, (size_t)npes * WORDS * sizeof *mine);
  CHECK(before && mine && (uintptr_t)mine % 4096 == 0);
  CHECK(!weft_job_is_symmetric(mine, 8));
  published = weft_job_offset(mine);
  shmem_barrier_all();
  static long source[WORDS], back[WORDS];
  for (int pe = 0; pe < npes; pe++) {
    uintptr_t off = shmem_ulong_g(&published, pe) + (uintptr_t)me * WORDS * sizeof(long);
    for (int i = 0; i < WORDS; i++) source[i] = 1000 * me + pe + i;
    char *slot = weft_job_slot(pe);
    if (slot)
      memcpy(slot + off, source, sizeof source);
    else
      weft_rma_put(pe, off, source, sizeof source);
    weft_rma_quiet();
    if (slot)
      weft_data_apply(slot + off, WEFT_AMO_ADD, 8, 5, 0);
    else
      CHECK_EQ(weft_stage_fetch(&weft_channels[0], pe, off, WEFT_AMO_ADD, 8, 5, 0), source[0]);
    weft_rma_get(pe, off, back, sizeof back);
    source[0] += 5;
    CHECK(memcmp(source, back, sizeof back) == 0);
  }
  shmem_barrier_all();
  for (int pe = 0; pe < npes; pe++)
    for (int i = 0; i < WORDS; i++)
      CHECK_EQ(mine[pe * WORDS + i], 1000 * pe + me + i + (i == 0 ? 5 : 0));
  shmem_barrier_all();
  weft_private_free(mine);
  weft_private_free(before);
}

int main(void) {
  shmem_init();
  everyone_reaches(shmem_my_pe(), shmem_n_pes());
  pthread_t thread[THREADS];
  for (size_t i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, churn, (void *)(i + 1));
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  /* A promise costs nothing, and what was touched goes back. */
  const bool limited = weft_job.window.limited; /* then pages are taken at once, and kept */
  const size_t start = resident();
  char *big = weft_private_alloc(4096, limited ? 24 * MB : BIG);
  CHECK(big != NULL);
  CHECK(resident() < start + 8 * MB);
  memset(big, 1, 20 * MB);
  CHECK(resident() >= start + 18 * MB); /* the kernel counts in batches */
  weft_private_free(big);
  CHECK(limited || resident() < start + 8 * MB);
  CHECK(weft_private_alloc(16, weft_private_limit() + 65536) == NULL);
  CHECK(weft_private_limit() >= (size_t)BIG);
  shmem_finalize();
  return 0;
}
