/* What the begun collectives of gex_bench.c and mpi_am.c work on, and what they have to bring. */
#include <stdlib.h>

enum { BEGUN_MOST = 1048576 };

static long *operands, *sums; /* outside of any segment */
static size_t last;           /* of the elements of this size */

static bool begun_memory(void) {
  operands = (long *)(void *)bench_memory(BEGUN_MOST);
  sums = (long *)(void *)bench_memory(BEGUN_MOST);
  for (size_t i = 0; operands && i < BEGUN_MOST / sizeof *operands; i++) operands[i] = 1;
  return operands && sums;
}

/* PE 0's data are where the others get theirs. */
static void prepare_broadcast(const bench_test_t *t, size_t size) {
  (void)t;
  last = size / sizeof *sums - 1;
  for (size_t i = 0; i <= last; i++) sums[i] = me == 0;
}
static void prepare_sum(const bench_test_t *t, size_t size) {
  (void)t;
  last = size / sizeof *sums - 1;
  for (size_t i = 0; i <= last; i++) sums[i] = 0;
}

static void check_begun(const char *what, long value) {
  if (sums[0] == value && sums[last] == value) return;
  fprintf(stderr, "bench: pe %d: %s is %ld and %ld, not %ld\n", me, what, sums[0], sums[last],
          value);
  abort();
}
static void check_broadcast(void) {
  check_begun("what was broadcast", 1);
}
static void check_sum(void) {
  check_begun("a sum", npes);
}
