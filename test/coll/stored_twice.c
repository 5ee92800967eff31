/*
 * A provider stores a flag with memcpy, which may do it twice. Here the port in PE 2's process
 * stores one twice, 0.3 s apart. Meanwhile the flag's team ends, and another team gets a newer flag
 * in the same word, by another port: that one must stay. (weft_rma_tell) WEFT_HELPERS=2.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <shmem.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "job/job.h"

static int armed; /* in this process the next flag is stored twice */
static long ready;

static bool is_of_provider(const void *code) {
  Dl_info library;
  return dladdr(code, &library) && strstr(library.dli_fname, "libfabric");
}

static bool is_of_pe_3(const void *p) {
  return (uintptr_t)p - (uintptr_t)weft_job_slot(3) < weft_layout_end(&weft_job.window.layout);
}

static bool takes(const void *to, size_t n, const void *caller) {
  int one = 1;
  return n == 8 && __atomic_load_n(&armed, __ATOMIC_RELAXED) && is_of_provider(caller) &&
         is_of_pe_3(to) &&
         __atomic_compare_exchange_n(&armed, &one, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* (A compiler would make memcpy of a plain memmove.) */
static void *(*volatile move)(void *, const void *, size_t) = memmove;

/* libfabric's, too, as this program's names come first. */
void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  if (takes(to, n, __builtin_return_address(0))) {
    move(to, from, n);
    usleep(300000);
  }
  return move(to, from, n);
}

/* Of two members of a parent. */
static shmem_team_t team_of(shmem_team_t parent, int start, int stride) {
  shmem_team_t team;
  CHECK_EQ(shmem_team_split_strided(parent, start, stride, 2, NULL, 0, &team), 0);
  return team;
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  CHECK(shmem_n_pes() == 8 && weft_job_helpers() == 2 && weft_job.nnodes == 4);
  shmem_team_t odd, next = SHMEM_TEAM_INVALID;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, 4, NULL, 0, &odd);
  shmem_team_t first = team_of(SHMEM_TEAM_WORLD, 0, 3);
  shmem_barrier_all();
  /* PE 2's process has the port by which PE 0 writes to node 1. */
  if (me == 2) __atomic_store_n(&armed, 1, __ATOMIC_RELAXED);
  if (me == 2) shmem_long_p(&ready, 1, 3);
  if (me == 3) shmem_long_wait_until(&ready, SHMEM_CMP_EQ, 1);
  if (me == 0) usleep(20000);
  if (first != SHMEM_TEAM_INVALID) shmem_team_destroy(first);
  if (me % 2) next = team_of(odd, 0, 1); /* PEs 1 and 3, by the other port */
  if (me == 3) usleep(600000);
  if (next != SHMEM_TEAM_INVALID) shmem_team_sync(next);
  if (me % 2 == 0) usleep(700000); /* nothing else of them comes meanwhile */
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
