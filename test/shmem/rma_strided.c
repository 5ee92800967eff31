/* Every iput, iget, ibput and ibget, typed and sized, with and without a context: what lies between
 * the blocks stays. */
#include <shmem.h>

#include "check.h"

/* clang-format off: it takes the lists of macros for declarations */

enum { ELEMS = 32 };
static int me, right, left;

#define DATA(FN, N, T) static T N##_dest[ELEMS], N##_source[ELEMS];
WEFT_TYPES_RMA(DATA, )
static unsigned char dest[16 * ELEMS], source[16 * ELEMS];

/* A function per type: one large main would take minutes to compile. */
#define APART static __attribute__((noinline)) void
#define RUN(F, N, T) F##_##N();

/* Where element i of dest comes from: blocks of b elements, one every dst, from one every sst; n
 * blocks. -1: nowhere. */
static int origin(int i, int dst, int sst, int b, int n) {
  return i / dst < n && i % dst < b ? i / dst * sst + i % dst : -1;
}

#define FILL(N, T)                                                                                 \
  for (int i = 0; i < ELEMS; i++) {                                                                \
    N##_source[i] = (T)(20 * me + i + 1);                                                          \
    N##_dest[i] = 0;                                                                               \
  }                                                                                                \
  shmem_barrier_all();
#define EXPECT(N, T, pe, dst, sst, b, n)                                                           \
  for (int i = 0; i < ELEMS; i++) {                                                                \
    const int o = origin(i, dst, sst, b, n);                                                       \
    CHECK(N##_dest[i] == (o < 0 ? (T)0 : (T)(20 * (pe) + o + 1)));                                 \
  }                                                                                                \
  shmem_barrier_all();
#define ONE(N, T, OP, pe, ...)                                                                     \
  FILL(N, T) shmem_##N##_##OP(N##_dest, N##_source, __VA_ARGS__, right);                           \
  shmem_barrier_all();                                                                             \
  pe FILL(N, T) shmem_ctx_##N##_##OP(SHMEM_CTX_DEFAULT, N##_dest, N##_source, __VA_ARGS__, right); \
  shmem_barrier_all();                                                                             \
  pe
#define TYPED(FN, N, T)                                                                            \
  APART typed_##N(void) {                                                                          \
    ONE(N, T, iput, EXPECT(N, T, left, 3, 2, 1, 7), 3, 2, 7)                                       \
    ONE(N, T, iget, EXPECT(N, T, right, 2, 3, 1, 8), 2, 3, 8)                                      \
    ONE(N, T, ibput, EXPECT(N, T, left, 5, 4, 3, 6), 5, 4, 3, 6)                                   \
    ONE(N, T, ibget, EXPECT(N, T, right, 4, 5, 4, 6), 4, 5, 4, 6)                                  \
    ONE(N, T, iput, EXPECT(N, T, left, 1, 1, 1, 9), 1, 1, 9)                                       \
    ONE(N, T, ibput, EXPECT(N, T, left, 4, 4, 4, 0), 4, 4, 4, 0)                                   \
  }
WEFT_TYPES_RMA(TYPED, )

static void expect_bytes(int bytes, int pe, int dst, int sst, int b, int n) {
  shmem_barrier_all();
  for (int i = 0; i < ELEMS * bytes; i++) {
    const int o = origin(i / bytes, dst, sst, b, n);
    CHECK_EQ(dest[i], o < 0 ? 0 : (unsigned char)(3 * pe + o * bytes + i % bytes + 1));
  }
  shmem_barrier_all();
  memset(dest, 0, sizeof dest);
  shmem_barrier_all();
}
#define SIZED(FN, BITS, BYTES)                                                                     \
  shmem_iput##BITS(dest, source, 3, 2, 7, right);                                                  \
  expect_bytes(BYTES, left, 3, 2, 1, 7);                                                           \
  shmem_ctx_iput##BITS(SHMEM_CTX_DEFAULT, dest, source, 2, 3, 8, right);                           \
  expect_bytes(BYTES, left, 2, 3, 1, 8);                                                           \
  shmem_iget##BITS(dest, source, 3, 2, 7, right);                                                  \
  expect_bytes(BYTES, right, 3, 2, 1, 7);                                                          \
  shmem_ctx_iget##BITS(SHMEM_CTX_DEFAULT, dest, source, 2, 3, 8, right);                           \
  expect_bytes(BYTES, right, 2, 3, 1, 8);                                                          \
  shmem_ibput##BITS(dest, source, 5, 4, 3, 6, right);                                              \
  expect_bytes(BYTES, left, 5, 4, 3, 6);                                                           \
  shmem_ctx_ibput##BITS(SHMEM_CTX_DEFAULT, dest, source, 4, 5, 2, 5, right);                       \
  expect_bytes(BYTES, left, 4, 5, 2, 5);                                                           \
  shmem_ibget##BITS(dest, source, 5, 4, 3, 6, right);                                              \
  expect_bytes(BYTES, right, 5, 4, 3, 6);                                                          \
  shmem_ctx_ibget##BITS(SHMEM_CTX_DEFAULT, dest, source, 4, 5, 2, 5, right);                       \
  expect_bytes(BYTES, right, 4, 5, 2, 5);

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  right = (me + 1) % shmem_n_pes();
  left = (me + shmem_n_pes() - 1) % shmem_n_pes();
  for (size_t i = 0; i < sizeof source; i++) source[i] = (unsigned char)(3 * me + i + 1);
  WEFT_TYPES_RMA(RUN, typed)
  WEFT_SIZES(SIZED, )
  shmem_finalize();
  return 0;
}
