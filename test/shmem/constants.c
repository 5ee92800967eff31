/*
 * Constants of the program are symmetric (OpenSHMEM 1.6, section 3): each way to read those of
 * another PE works, for plain constants and for those that hold addresses, and so do collectives
 * whose source is one. With an argument PE 0 writes one instead, in that way, which ends the job
 * with a line (constants.sh).
 */
#include <shmemx.h>

#include "check.h"

static const long numbers[1000] = {[0] = 17, [1] = 18, [500] = 42, [999] = -5};
static const int32_t word = 77;
static const char text[] = "constant";
static const char *const names[] = {text, "two", "three"};
static long results[1000];

static void write_one(const char *way, int to) {
  long *at = (long *)(uintptr_t)&numbers[500];
  if (!strcmp(way, "p")) shmem_long_p(at, 1, to);
  if (!strcmp(way, "put")) shmem_long_put(at, results, 400, to);
  if (!strcmp(way, "iput")) shmem_long_iput(at, results, 2, 1, 100, to);
  if (!strcmp(way, "add")) shmem_long_atomic_add(at, 1, to);
  if (!strcmp(way, "swap")) shmem_long_atomic_swap(at, 1, to);
  if (!strcmp(way, "ptr")) *(volatile long *)shmem_ptr(at, to) = 1;
  shmem_quiet();
}

static void read_all(int pe) {
  CHECK_EQ(shmem_long_g(&numbers[500], pe), 42);
  CHECK_EQ(shmem_int32_g(&word, pe), 77);
  memset(results, 0, sizeof results);
  shmem_long_get(results, numbers, 1000, pe);
  CHECK(memcmp(results, numbers, sizeof numbers) == 0);
  memset(results, 0, sizeof results);
  shmem_long_get_nbi(results, &numbers[1], 1, pe);
  shmem_quiet();
  CHECK_EQ(results[0], 18);
  shmem_long_iget(results, numbers, 1, 500, 2, pe);
  CHECK(results[0] == 17 && results[1] == 42);
  shmem_long_iget(results, numbers, 1, 10, 100, pe);
  CHECK(results[0] == 17 && results[50] == 42 && results[99] == 0);
  CHECK_EQ(shmem_long_atomic_fetch(&numbers[999], pe), -5);
  CHECK_EQ(shmem_int32_atomic_fetch(&word, pe), 77);
  char back[sizeof text];
  shmem_getmem(back, text, sizeof text, pe);
  CHECK_STR(back, text);
  const char *name = NULL;
  shmem_getmem(&name, &names[0], sizeof name, pe);
  CHECK(name != NULL); /* an address over there: equal only where layouts are */
  const long *there = shmem_ptr(numbers, pe);
  CHECK(!there || (there[500] == 42 && there[1] == 18));
  CHECK(shmem_addr_accessible(numbers, pe) && shmem_addr_accessible(names, pe));
}

enum { MANY = 17280, MOST = 4 };
static const long table[MANY] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, [119] = 11, [MANY - 1] = 12};
static long dest[MANY * MOST], psync[SHMEM_SYNC_SIZE];

static void check_blocks(size_t nelems, int blocks) {
  for (size_t i = 0; i < (size_t)blocks; i++)
    CHECK(memcmp(dest + i * nelems, table, nelems * sizeof *dest) == 0);
  memset(dest, 0, sizeof dest);
  shmem_barrier_all();
}

/* From few elements to so many that members read them where they are. */
static void collectives(int me, int n) {
  CHECK(n <= MOST);
  for (size_t nelems = 10; nelems <= MANY; nelems *= 12) {
    for (int i = 0; i < 3; i++) { /* from the second one on the set is kept */
      shmem_broadcast64(dest, table, nelems, 0, 0, 0, n, psync);
      check_blocks(nelems, me > 0);
    }
    CHECK_EQ(shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, table, nelems, n - 1), 0);
    check_blocks(nelems, 1);
    CHECK_EQ(shmem_long_max_reduce(SHMEM_TEAM_WORLD, dest, table, nelems), 0);
    check_blocks(nelems, 1);
    CHECK_EQ(shmem_long_fcollect(SHMEM_TEAM_WORLD, dest, table, nelems), 0);
    check_blocks(nelems, n);
    CHECK_EQ(shmem_long_collect(SHMEM_TEAM_WORLD, dest, table, nelems), 0);
    check_blocks(nelems, n);
    const size_t part = nelems / (size_t)n;
    CHECK_EQ(shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, table, part), 0);
    for (int i = 0; i < n; i++)
      CHECK(memcmp(dest + (size_t)i * part, table + (size_t)me * part, part * sizeof *dest) == 0);
    shmem_barrier_all();
    CHECK_EQ(shmemx_long_scatter(SHMEM_TEAM_WORLD, dest, table, part, 0), 0);
    CHECK(memcmp(dest, table + (size_t)me * part, part * sizeof *dest) == 0);
    shmem_barrier_all();
  }
}

int main(int argc, char **argv) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  CHECK(shmem_ptr(numbers, me) == (void *)(uintptr_t)numbers);
  if (argc > 2) {
    if (me == 0) write_one(argv[1], atoi(argv[2]));
    shmem_barrier_all();
    return 0;
  }
  for (int pe = 0; pe < n; pe++) read_all(pe);
  collectives(me, n);
  shmem_barrier_all();
  CHECK(numbers[500] == 42 && numbers[999] == -5);
  shmem_finalize();
  return 0;
}
