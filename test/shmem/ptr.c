/*
 * Trap 15: shmem_ptr and shmem_team_ptr of a heap object are not NULL exactly for the members of
 * SHMEM_TEAM_SHARED, and what they point to is the PE's object. SHMEM_TEAM_SHARED is the same set
 * on all its members.
 */
#include <shmem.h>

#include "check.h"

static long number;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  const int shared = shmem_team_n_pes(SHMEM_TEAM_SHARED);
  long *heap = shmem_malloc(sizeof *heap), stack = 0;
  int members = 0;
  *heap = 10 + me;
  number = 20 + me;
  shmem_barrier_all();
  for (int pe = 0; pe < n; pe++) {
    const int index = shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED);
    long *there = shmem_ptr(heap, pe);
    CHECK_EQ(there != NULL, index >= 0);
    CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, heap, pe) == there);
    if (!there) continue;
    members++;
    CHECK_EQ(*there, 10 + pe);
    CHECK(shmem_team_ptr(SHMEM_TEAM_SHARED, heap, index) == there);
    long *global = shmem_ptr(&number, pe);
    if (global) CHECK_EQ(*global, 20 + pe);
  }
  CHECK_EQ(members, shared);
  CHECK(shmem_ptr(heap, me) == heap);
  CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, me, SHMEM_TEAM_SHARED),
           shmem_team_my_pe(SHMEM_TEAM_SHARED));
  CHECK(!shmem_ptr(&stack, me) && !shmem_ptr(heap, -1) && !shmem_ptr(heap, n));
  CHECK(!shmem_team_ptr(SHMEM_TEAM_INVALID, heap, 0) &&
        !shmem_team_ptr(SHMEM_TEAM_SHARED, heap, shared));

  /* Stores through the pointer are the PE's memory. */
  CHECK_EQ(shmem_team_sync(SHMEM_TEAM_SHARED), 0);
  const int next = (shmem_team_my_pe(SHMEM_TEAM_SHARED) + 1) % shared;
  *(long *)shmem_team_ptr(SHMEM_TEAM_SHARED, heap, next) = 30 + me;
  CHECK_EQ(shmem_team_sync(SHMEM_TEAM_SHARED), 0);
  const int before = (shmem_team_my_pe(SHMEM_TEAM_SHARED) + shared - 1) % shared;
  CHECK_EQ(*heap, 30 + shmem_team_translate_pe(SHMEM_TEAM_SHARED, before, SHMEM_TEAM_WORLD));
  shmem_barrier_all();
  shmem_free(heap);
  shmem_finalize();
  return 0;
}
