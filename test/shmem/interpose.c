/*
 * Trap 22: a tool that defines shmem_x gets the program's calls and works through pshmem_x; what
 * the library does inside never comes by. The plain functions, the deprecated ones made of them,
 * and collectives made of puts.
 */
#include <pshmem.h>

#include "check.h"

static int puts_seen, adds_seen, barriers_seen, waits_seen, quiets_seen;
static long word, block[8], many[512];

void shmem_long_put(long *dest, const long *source, size_t nelems, int pe) {
  puts_seen++;
  pshmem_long_put(dest, source, nelems, pe);
}

void shmem_putmem(void *dest, const void *source, size_t nelems, int pe) {
  puts_seen++;
  pshmem_putmem(dest, source, nelems, pe);
}

long shmem_long_atomic_fetch_add(long *dest, long value, int pe) {
  adds_seen++;
  return pshmem_long_atomic_fetch_add(dest, value, pe);
}

void shmem_barrier_all(void) {
  barriers_seen++;
  pshmem_barrier_all();
}

void shmem_quiet(void) {
  quiets_seen++;
  pshmem_quiet();
}

void(shmem_long_wait_until)(long *ivar, int cmp, long value) {
  waits_seen++;
  pshmem_long_wait_until(ivar, cmp, value);
}

int main(void) {
  shmem_init();
  CHECK_EQ(barriers_seen, 0);
  const int me = shmem_my_pe(), n = shmem_n_pes();
  const long source[1] = {7};
  CHECK(n <= 64);
  shmem_long_put(block, source, 1, me);
  shmem_putmem(block + 1, source, 8, me);
  CHECK(puts_seen == 2 && block[0] == 7 && block[1] == 7);
  CHECK_EQ(shmem_long_atomic_fetch_add(&word, 1, me), 0);
  shmem_atomic_fetch_add(&word, 1, me); /* the generic macro calls shmem_x */
  CHECK_EQ(adds_seen, 2);
  CHECK_EQ(shmem_long_fadd(&word, 1, me), 2); /* the library's own business */
  shmem_wait_until(&word, SHMEM_CMP_EQ, 3);
  CHECK(adds_seen == 2 && waits_seen == 1);
  shmem_barrier_all();
  shmem_quiet();

  CHECK_EQ(shmem_alltoallmem(SHMEM_TEAM_WORLD, many, many + 256, 8), 0);
  shmem_long_iput(block, source, 1, 1, 1, me);
  shmem_set_lock(&many[400]);
  shmem_clear_lock(&many[400]);
  void *p = shmem_calloc(1, 8);
  shmem_free(p);
  shmem_finalize();
  CHECK(puts_seen == 2 && adds_seen == 2 && barriers_seen == 1 && waits_seen == 1);
  CHECK_EQ(quiets_seen, 1);
  return 0;
}
