/*
 * Memory of other PEs: private memory that one PE allocates for another or frees of it, from the
 * node and from another one; addresses as their owner sees them; and global memory, one offset on
 * every PE that one caller asked for.
 */
#include <shmem.h>

#include "check.h"
#include "job/job.h"
#include "rma/rma.h"
#include "runtime/runtime.h"

static uintptr_t given[64], address, shared_at;

/* Everyone allocates at the next PE, writes there, and the PE after that frees it. */
static void for_others(int me, int npes) {
  const int next = (me + 1) % npes, last = (me + npes - 1) % npes;
  long value = 100 + me;
  const uintptr_t off = weft_private_alloc_on(next, 4096, 5000);
  CHECK(off != 0);
  CHECK_EQ((off + weft_job_base_of(next)) % 4096, 0);
  weft_rma_put(next, off, &value, sizeof value);
  shmem_ulong_p(&given[0], off, next);
  shmem_barrier_all();
  CHECK_EQ(*(long *)(weft_job.window.base + given[0]), 100 + last);
  shmem_barrier_all();
  const uintptr_t theirs = shmem_ulong_g(&given[0], last);
  CHECK_EQ(weft_private_free_on(last, theirs), 0);
  shmem_barrier_all();
  CHECK(weft_private_free_on(last, theirs) < 0);
  CHECK_EQ(weft_private_free_on(last, theirs + 16), -EINVAL);
  CHECK_EQ(weft_private_alloc_on(next, 16, weft_private_limit() + 65536), 0);
  shmem_barrier_all();
}

/* What a PE calls its own addresses, everyone finds. */
static void owners_addresses(int me, int npes) {
  long *mine = weft_private_alloc(64, 64);
  *mine = 7 * me;
  address = (uintptr_t)mine;
  shmem_barrier_all();
  for (int pe = 0; pe < npes; pe++) {
    const uintptr_t theirs = shmem_ulong_g(&address, pe);
    uintptr_t at;
    long value = -1;
    if (weft_job_reach(pe, theirs, &at))
      value = *(long *)at;
    else
      weft_rma_get(pe, at, &value, sizeof value);
    CHECK_EQ(value, 7 * pe);
    if (weft_job.where[pe].node != weft_job.node) CHECK_EQ(weft_job_offset_of(pe, theirs), at);
    if (pe == me) CHECK_EQ(at, theirs);
  }
  shmem_barrier_all();
  weft_private_free(mine);
}

/* Everyone asks alone; nothing overlaps, on any PE; freed by another it can be had again. */
static void global(int me, int npes) {
  enum { N = 100000 };
  const uintptr_t off = weft_global_alloc(64, N);
  CHECK(off != 0);
  for (int pe = 0; pe < npes; pe++) {
    const unsigned char mark[2] = {(unsigned char)(me + 1), (unsigned char)(me + 1)};
    weft_rma_put(pe, off, mark, 1);
    weft_rma_put(pe, off + N - 1, mark, 1);
    shmem_ulong_p(&given[me], off, pe);
  }
  shmem_barrier_all();
  for (int pe = 0; pe < npes; pe++) {
    const unsigned char *p = (unsigned char *)(weft_job.window.base + given[pe]);
    CHECK(p[0] == pe + 1 && p[N - 1] == pe + 1);
    CHECK(weft_job_is_symmetric(p, N));
  }
  shmem_barrier_all();
  CHECK_EQ(weft_global_free(given[(me + 1) % npes]), 0);
  shmem_barrier_all();
  CHECK(weft_global_free(given[(me + 1) % npes]) < 0);
  CHECK(weft_global_free(given[me] + 32) < 0);
  shmem_barrier_all();
  if (me == npes - 1) shared_at = weft_global_alloc(64, N);
  if (me == npes - 1) CHECK(shared_at == given[0] || npes > 1);
  CHECK_EQ(weft_global_alloc(16, weft_job.window.layout.global_limit), 0);
  shmem_barrier_all();
  if (me == npes - 1) CHECK_EQ(weft_global_free(shared_at), 0);
  shmem_barrier_all();
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  for_others(me, npes);
  owners_addresses(me, npes);
  global(me, npes);
  shmem_finalize();
  return 0;
}
