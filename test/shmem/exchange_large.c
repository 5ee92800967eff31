/* Blocks of more than one write of the provider, of odd lengths, that all send to one another;
 * several calls in a row, so that one's last part and the next one's first are under way together.
 */
#include <shmem.h>
#include <stdbool.h>

#include "check.h"

enum { MOST = 600011, ROW = 3, MAX_PES = 4 };
static const size_t lengths[] = {131072, 131073, 300007, MOST};
static unsigned char *source, *dest[ROW];
static int me, n;

/* Byte i of what PE `from` gives `to`. */
static unsigned char given(int from, int to, size_t i) {
  return (unsigned char)(i * 7 + i / 251 + (size_t)(31 * from + 17 * to));
}

static void fill(size_t bytes, bool pairs) {
  for (int to = 0; to < (pairs ? n : 1); to++)
    for (size_t i = 0; i < bytes; i++) source[(size_t)to * bytes + i] = given(me, to, i);
  for (int k = 0; k < ROW; k++) memset(dest[k], 0, (size_t)n * MOST);
  shmem_barrier_all();
}

/* The block of PE `from`, at dest + at. */
static void expect(int k, int from, int to, size_t at, size_t bytes) {
  size_t wrong = 0;
  for (size_t i = 0; i < bytes; i++) wrong += dest[k][at + i] != given(from, to, i);
  CHECK_EQ(wrong, 0);
}

/* PE p gives p bytes less. */
static void expect_all(size_t bytes, bool pairs, int fewer) {
  for (int k = 0; k < ROW; k++) {
    size_t at = 0;
    for (int p = 0; p < n; p++) {
      const size_t part = bytes - (size_t)(p * fewer);
      expect(k, p, pairs ? me : 0, at, part);
      at += part;
    }
  }
  shmem_barrier_all();
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
  CHECK(n <= MAX_PES);
  source = shmem_malloc((size_t)n * MOST);
  for (int k = 0; k < ROW; k++) CHECK((dest[k] = shmem_malloc((size_t)n * MOST)) != NULL);
  for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
    const size_t bytes = lengths[l];
    fill(bytes, false);
    for (int k = 0; k < ROW; k++)
      CHECK_EQ(shmem_fcollectmem(SHMEM_TEAM_WORLD, dest[k], source, bytes), 0);
    expect_all(bytes, false, 0);
    fill(bytes, false);
    for (int k = 0; k < ROW; k++)
      CHECK_EQ(shmem_collectmem(SHMEM_TEAM_WORLD, dest[k], source, bytes - (size_t)me), 0);
    expect_all(bytes, false, 1);
    fill(bytes, true);
    for (int k = 0; k < ROW; k++)
      CHECK_EQ(shmem_alltoallmem(SHMEM_TEAM_WORLD, dest[k], source, bytes), 0);
    expect_all(bytes, true, 0);
  }
  shmem_finalize();
  return 0;
}
