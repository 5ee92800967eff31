/* Every typed put, get, p, g, put_nbi and get_nbi, with and without a context, to the right
 * neighbour. */
#include <shmem.h>

#include "check.h"

/* clang-format off: it takes the lists of macros for declarations */

enum { N_ELEMS = 12 };

#define DATA(FN, N, T) static T N##_dest[N_ELEMS], N##_source[N_ELEMS];
WEFT_TYPES_RMA(DATA, )

static int me, right, left;

/* A function per type: one large main would take minutes to compile. */
#define APART static __attribute__((noinline)) void
#define RUN(F, N, T) F##_##N();

#define FILL(FN, N, T)                                                                             \
  APART fill_##N(void) {                                                                           \
    for (int i = 0; i < N_ELEMS; i++) {                                                            \
      N##_source[i] = (T)(10 * me + i + 1);                                                        \
      N##_dest[i] = 0;                                                                             \
    }                                                                                              \
  }
WEFT_TYPES_RMA(FILL, )

#define PUT(FN, N, T)                                                                              \
  APART put_##N(void) {                                                                            \
    shmem_##N##_put(N##_dest, N##_source, 3, right);                                               \
    shmem_ctx_##N##_put(SHMEM_CTX_DEFAULT, N##_dest + 3, N##_source + 3, 2, right);                \
    shmem_##N##_p(N##_dest + 5, N##_source[5], right);                                             \
    shmem_ctx_##N##_p(SHMEM_CTX_DEFAULT, N##_dest + 6, N##_source[6], right);                      \
    shmem_##N##_put_nbi(N##_dest + 7, N##_source + 7, 2, right);                                   \
    shmem_ctx_##N##_put_nbi(SHMEM_CTX_DEFAULT, N##_dest + 9, N##_source + 9, 2, right);            \
  }
WEFT_TYPES_RMA(PUT, )

/* Eleven elements came from the left, the twelfth was not touched. */
#define ARRIVED(FN, N, T)                                                                          \
  APART arrived_##N(void) {                                                                        \
    for (int i = 0; i < N_ELEMS; i++)                                                              \
      CHECK(N##_dest[i] == (i < 11 ? (T)(10 * left + i + 1) : (T)0));                              \
  }
WEFT_TYPES_RMA(ARRIVED, )

#define GET(FN, N, T)                                                                              \
  APART get_##N(void) {                                                                            \
    {                                                                                              \
      T got[N_ELEMS] = {0};                                                                        \
      shmem_##N##_get(got, N##_source, 3, right);                                                  \
      shmem_ctx_##N##_get(SHMEM_CTX_DEFAULT, got + 3, N##_source + 3, 2, right);                   \
      got[5] = shmem_##N##_g(N##_source + 5, right);                                               \
      got[6] = shmem_ctx_##N##_g(SHMEM_CTX_DEFAULT, N##_source + 6, right);                        \
      for (int i = 0; i < 7; i++) CHECK(got[i] == (T)(10 * right + i + 1));                        \
      shmem_##N##_get_nbi(got + 7, N##_source + 7, 2, right);                                      \
      shmem_ctx_##N##_get_nbi(SHMEM_CTX_DEFAULT, got + 9, N##_source + 9, 2, right);               \
      shmem_quiet();                                                                               \
      for (int i = 7; i < 11; i++) CHECK(got[i] == (T)(10 * right + i + 1));                       \
      CHECK(got[11] == 0);                                                                         \
    }                                                                                              \
  }
WEFT_TYPES_RMA(GET, )

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  right = (me + 1) % shmem_n_pes();
  left = (me + shmem_n_pes() - 1) % shmem_n_pes();
  WEFT_TYPES_RMA(RUN, fill)
  shmem_barrier_all();
  WEFT_TYPES_RMA(RUN, put)
  shmem_barrier_all();
  WEFT_TYPES_RMA(RUN, arrived)
  WEFT_TYPES_RMA(RUN, get)
  shmem_finalize();
  return 0;
}
