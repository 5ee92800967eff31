/* Every typed atomic operation, fetching and not, nonblocking, with and without a context: result
 * and effect. */
#include <shmem.h>

#include "check.h"

/* clang-format off: it takes the lists of macros for declarations */

static int me, right;

#define DATA(FN, N, T) static T N##_word;
WEFT_TYPES_AMO(DATA, )
WEFT_TYPES_REAL(DATA, )

/* A function per type: one large main would take minutes to compile. */
#define APART static __attribute__((noinline)) void
#define RUN(F, N, T) F##_##N();

/* Call a form without and with a context. SET(v): a known value in the neighbour's word; IS(v):
 * what is there after. */
#define SET(N, v) shmem_##N##_atomic_set(&N##_word, v, right)
#define IS(N, v) CHECK(shmem_##N##_atomic_fetch(&N##_word, right) == (v))
#define FETCHING(N, T, OP, before, after, ...)                                                     \
  {                                                                                                \
    T got = 0;                                                                                     \
    SET(N, before);                                                                                \
    CHECK(shmem_##N##_atomic_##OP(&N##_word __VA_ARGS__, right) == (T)(before));                   \
    IS(N, (T)(after));                                                                             \
    SET(N, before);                                                                                \
    CHECK(shmem_ctx_##N##_atomic_##OP(SHMEM_CTX_DEFAULT, &N##_word __VA_ARGS__, right) ==          \
          (T)(before));                                                                            \
    IS(N, (T)(after));                                                                             \
    SET(N, before);                                                                                \
    shmem_##N##_atomic_##OP##_nbi(&got, &N##_word __VA_ARGS__, right);                             \
    shmem_quiet();                                                                                 \
    CHECK(got == (T)(before));                                                                     \
    IS(N, (T)(after));                                                                             \
    SET(N, before);                                                                                \
    got = 0;                                                                                       \
    shmem_ctx_##N##_atomic_##OP##_nbi(SHMEM_CTX_DEFAULT, &got, &N##_word __VA_ARGS__, right);      \
    shmem_quiet();                                                                                 \
    CHECK(got == (T)(before));                                                                     \
    IS(N, (T)(after));                                                                             \
  }
#define PLAIN(N, T, OP, before, after, ...)                                                        \
  SET(N, before);                                                                                  \
  shmem_##N##_atomic_##OP(&N##_word __VA_ARGS__, right);                                           \
  IS(N, (T)(after));                                                                               \
  SET(N, before);                                                                                  \
  shmem_ctx_##N##_atomic_##OP(SHMEM_CTX_DEFAULT, &N##_word __VA_ARGS__, right);                    \
  IS(N, (T)(after));
#define COMMA ,

#define EXTENDED(FN, N, T)                                                                         \
  APART extended_##N(void) {                                                                       \
    FETCHING(N, T, fetch, 41, 41, )                                                                \
    PLAIN(N, T, set, 1, 42, COMMA 42)                                                              \
    FETCHING(N, T, swap, 43, 44, COMMA 44)                                                         \
  }
WEFT_TYPES_AMO(EXTENDED, )
WEFT_TYPES_REAL(EXTENDED, )
#define STANDARD(FN, N, T)                                                                         \
  APART standard_##N(void) {                                                                       \
    FETCHING(N, T, compare_swap, 5, 6, COMMA 5 COMMA 6)                                            \
    FETCHING(N, T, compare_swap, 5, 5, COMMA 4 COMMA 6)                                            \
    FETCHING(N, T, fetch_add, (T)1 << (sizeof(T) * 8 - 4), ((T)1 << (sizeof(T) * 8 - 4)) + 9,      \
             COMMA 9)                                                                              \
    FETCHING(N, T, fetch_add, 1, (T)-1, COMMA(T) - 2)                                              \
    FETCHING(N, T, fetch_inc, 7, 8, )                                                              \
    PLAIN(N, T, add, 7, 10, COMMA 3)                                                               \
    PLAIN(N, T, inc, (T)-1, 0, )                                                                   \
  }
WEFT_TYPES_AMO(STANDARD, )
#define BITWISE(FN, N, T)                                                                          \
  APART bitwise_##N(void) {                                                                        \
    FETCHING(N, T, fetch_and, 14, 10, COMMA 11)                                                    \
    FETCHING(N, T, fetch_or, 12, 15, COMMA 3)                                                      \
    FETCHING(N, T, fetch_xor, 14, 5, COMMA 11)                                                     \
    PLAIN(N, T, and, 14, 10, COMMA 11)                                                             \
    PLAIN(N, T, or, 12, 15, COMMA 3)                                                               \
    PLAIN(N, T, xor, 14, 5, COMMA 11)                                                              \
  }
WEFT_TYPES_BITWISE(BITWISE, )

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  right = (me + 1) % shmem_n_pes();
  WEFT_TYPES_AMO(RUN, extended)
  WEFT_TYPES_REAL(RUN, extended)
  WEFT_TYPES_AMO(RUN, standard)
  WEFT_TYPES_BITWISE(RUN, bitwise)
  shmem_finalize();
  return 0;
}
