/* put8 .. put128, putmem, their gets, nonblocking and context forms: lengths from 0 to larger than
 * any inner limit. */
#include <shmem.h>

#include "check.h"

enum { ELEMS = 20000, LENGTHS = 6 };
static const size_t lengths[LENGTHS] = {0, 1, 7, 64, 1000, ELEMS};

static int me, right, left;
static unsigned char *dest, *source, *got;

static unsigned char byte_of(int pe, size_t i) {
  return (unsigned char)(7 * pe + i % 251 + 1);
}

/* Exactly the first n bytes were written. */
static void check_bytes(const unsigned char *p, size_t n, int from) {
  for (size_t i = 0; i < n; i++)
    if (p[i] != byte_of(from, i)) CHECK_EQ(p[i], byte_of(from, i));
  CHECK_EQ(p[n], 0);
}

static void clear(size_t n) {
  memset(dest, 0, n + 1);
  memset(got, 0, n + 1);
  shmem_barrier_all();
}

static void arrived(size_t n) {
  shmem_barrier_all();
  check_bytes(dest, n, left);
}

#define ROUND(PUT, GET, BYTES)                                                                     \
  for (int k = 0; k < LENGTHS; k++) {                                                              \
    const size_t n = lengths[k];                                                                   \
    clear(n *BYTES);                                                                               \
    shmem_##PUT(dest, source, n, right);                                                           \
    arrived(n *BYTES);                                                                             \
    clear(n *BYTES);                                                                               \
    shmem_ctx_##PUT(SHMEM_CTX_DEFAULT, dest, source, n, right);                                    \
    arrived(n *BYTES);                                                                             \
    shmem_##GET(got, source, n, right);                                                            \
    shmem_quiet();                                                                                 \
    check_bytes(got, n *BYTES, right);                                                             \
    memset(got, 0, n *BYTES);                                                                      \
    shmem_ctx_##GET(SHMEM_CTX_DEFAULT, got, source, n, right);                                     \
    shmem_quiet();                                                                                 \
    check_bytes(got, n *BYTES, right);                                                             \
  }
#define SIZE(FN, BITS, BYTES)                                                                      \
  ROUND(put##BITS, get##BITS, BYTES)                                                               \
  ROUND(put##BITS##_nbi, get##BITS##_nbi, BYTES)

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  right = (me + 1) % shmem_n_pes();
  left = (me + shmem_n_pes() - 1) % shmem_n_pes();
  dest = shmem_malloc(16 * ELEMS + 1);
  source = shmem_malloc(16 * ELEMS + 1);
  got = malloc(16 * ELEMS + 1);
  CHECK(dest && source && got);
  for (size_t i = 0; i < 16 * ELEMS; i++) source[i] = byte_of(me, i);
  WEFT_SIZES(SIZE, )
  ROUND(putmem, getmem, 1)
  ROUND(putmem_nbi, getmem_nbi, 1)
  shmem_barrier_all();
  shmem_free(source);
  shmem_free(dest);
  free(got);
  shmem_finalize();
  return 0;
}
