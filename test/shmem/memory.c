/*
 * Trap 11: sizes of 0 give NULL without a barrier, free(NULL) does nothing, realloc(p, 0) frees, a
 * failed realloc leaves the block, calloc's product may overflow, alignments hold, blocks are the
 * same place on every PE; what was put before is there when an allocation returns.
 */
#include <shmem.h>

#include "check.h"

static uintptr_t mine, first;

/* All PEs have it at the same distance from a static object. */
static void check_symmetric(void *p) {
  CHECK(p && shmem_addr_accessible(p, 0));
  mine = (uintptr_t)p - (uintptr_t)&mine;
  shmem_barrier_all();
  shmem_getmem(&first, &mine, sizeof mine, 0);
  CHECK_EQ(mine, first);
  shmem_barrier_all();
}

/* The second PE puts to the last while all allocate: its data do not pass where the barrier does.
 */
static void check_complete(int me, int n) {
  enum { BYTES = 32 << 20, WAYS = 5 };
  char *dest = shmem_calloc(BYTES, 1), *source = shmem_malloc(BYTES);
  for (int way = 0; way < WAYS; way++) {
    void *p = NULL;
    if (me == 1) memset(source, way + 1, BYTES);
    if (me == 1) shmem_putmem_nbi(dest, source, BYTES, n - 1);
    switch (way) {
    case 0: p = shmem_malloc(8); break;
    case 1: p = shmem_calloc(1, 8); break;
    case 2: p = shmem_align(64, 8); break;
    case 3: p = shmem_malloc_with_hints(8, SHMEM_MALLOC_SIGNAL_REMOTE); break;
    case 4: p = shmem_realloc(NULL, 8); break;
    }
    if (me == n - 1) CHECK(dest[0] == way + 1 && dest[BYTES - 1] == way + 1);
    shmem_free(p);
  }
  shmem_free(source);
  shmem_free(dest);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  if (me == 0) { /* alone: nobody else takes part */
    CHECK(!shmem_malloc(0) && !shmem_calloc(0, 8) && !shmem_calloc(8, 0) && !shmem_align(64, 0));
    CHECK(!shmem_malloc_with_hints(0, SHMEM_MALLOC_ATOMICS_REMOTE) && !shmem_realloc(NULL, 0));
    CHECK(!shmem_calloc(SIZE_MAX / 2, 3));
    shmem_free(NULL);
  }
  for (size_t align = 1; align <= 4096; align *= 2) {
    char *p = shmem_align(align, 100), *q = shmem_malloc(1);
    CHECK_EQ((uintptr_t)p % align, 0);
    check_symmetric(p);
    check_symmetric(q);
    shmem_free(p);
    shmem_free(q);
  }
  CHECK(!shmem_align(24, 100));

  /* calloc: a neighbour's put right after return is not wiped out by the zeros. */
  for (int round = 0; round < 20; round++) {
    int *z = shmem_calloc(1000, sizeof(int));
    CHECK(z);
    shmem_int_p(&z[999], 7, (me + 1) % n);
    for (int i = 0; i < 999; i++) CHECK_EQ(z[i], 0);
    shmem_barrier_all();
    CHECK_EQ(z[999], 7);
    memset(z, 0xff, 1000 * sizeof(int));
    shmem_free(z);
  }

  char *p = shmem_malloc_with_hints(1000, SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE);
  for (int i = 0; i < 1000; i++) p[i] = (char)(me + i);
  char *larger = shmem_realloc(p, 300000);
  check_symmetric(larger);
  for (int i = 0; i < 1000; i++) CHECK_EQ(larger[i], (char)(me + i));
  CHECK(!shmem_realloc(larger, SIZE_MAX / 4));
  for (int i = 0; i < 1000; i++) CHECK_EQ(larger[i], (char)(me + i));
  char *smaller = shmem_realloc(larger, 10);
  check_symmetric(smaller);
  for (int i = 0; i < 10; i++) CHECK_EQ(smaller[i], (char)(me + i));
  CHECK(!shmem_realloc(smaller, 0));
  check_symmetric(p = shmem_realloc(NULL, 50));
  shmem_free(p);
  CHECK(!shmem_malloc(SIZE_MAX / 4));

  if (n > 1) check_complete(me, n);

  check_symmetric(p = shmalloc(10));
  check_symmetric(p = shrealloc(p, 20));
  shfree(p);
  p = shmemalign(256, 10);
  CHECK_EQ((uintptr_t)p % 256, 0);
  shfree(p);
  shmem_finalize();
  return 0;
}
