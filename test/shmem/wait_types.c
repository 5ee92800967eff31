/* Every typed wait and test, every comparison, at the edges of signed and unsigned ranges; the
 * deprecated ones too. */
#include <shmem.h>

#include "check.h"

/* clang-format off: it takes the lists of macros for declarations */

#define DATA(FN, N, T) static T N##_word[4];
WEFT_TYPES_AMO(DATA, )
static short short_word[4];
static unsigned short ushort_word[4];

/* A function per type: one large main would take minutes to compile. */
#define APART static __attribute__((noinline)) void
#define RUN(F, N, T) F##_##N();

/* All six comparisons of what is in `w` with v; `order` is -1, 0, 1 for less, equal, greater. */
#define COMPARE(N, w, v, order)                                                                    \
  CHECK_EQ(shmem_##N##_test(w, SHMEM_CMP_EQ, v), order == 0);                                      \
  CHECK_EQ(shmem_##N##_test(w, SHMEM_CMP_NE, v), order != 0);                                      \
  CHECK_EQ(shmem_##N##_test(w, SHMEM_CMP_GT, v), order > 0);                                       \
  CHECK_EQ(shmem_##N##_test(w, SHMEM_CMP_GE, v), order >= 0);                                      \
  CHECK_EQ(shmem_##N##_test(w, SHMEM_CMP_LT, v), order < 0);                                       \
  CHECK_EQ(shmem_##N##_test(w, SHMEM_CMP_LE, v), order <= 0);                                      \
  shmem_##N##_wait_until(w, order < 0 ? SHMEM_CMP_LT : order ? SHMEM_CMP_GT : SHMEM_CMP_EQ, v);

#define ONE(FN, N, T)                                                                              \
  APART one_##N(void) {                                                                            \
    N##_word[0] = (T)-1;                                                                           \
    COMPARE(N, N##_word, (T)-1, 0)                                                                 \
    COMPARE(N, N##_word, (T)1, ((T)-1 < (T)1 ? -1 : 1))                                            \
    N##_word[0] = (T)1 << (sizeof(T) * 8 - 2);                                                     \
    COMPARE(N, N##_word, (T)3, 1)                                                                  \
    N##_word[0] = 5;                                                                               \
    COMPARE(N, N##_word, 5, 0)                                                                     \
    COMPARE(N, N##_word, 6, -1)                                                                    \
  }
WEFT_TYPES_AMO(ONE, )
ONE(, short, short)
ONE(, ushort, unsigned short)

#define MANY(FN, N, T)                                                                             \
  APART many_##N(void) {                                                                           \
    {                                                                                              \
      const T values[4] = {(T)-1, 2, 3, 4};                                                        \
      const int status[4] = {1, 0, 0, 1};                                                          \
      size_t found[4];                                                                             \
      N##_word[0] = (T)-1, N##_word[1] = 7, N##_word[2] = 3, N##_word[3] = 7;                      \
      CHECK_EQ(shmem_##N##_wait_until_any(N##_word, 4, status, SHMEM_CMP_EQ, 3), 2);               \
      CHECK_EQ(shmem_##N##_test_any(N##_word, 4, NULL, SHMEM_CMP_EQ, (T)-1), 0);                   \
      CHECK(shmem_##N##_test_any(N##_word, 4, status, SHMEM_CMP_EQ, (T)-1) == SIZE_MAX);           \
      CHECK_EQ(shmem_##N##_wait_until_some(N##_word, 4, found, NULL, SHMEM_CMP_EQ, 7), 2);         \
      CHECK(found[0] == 1 && found[1] == 3);                                                       \
      CHECK_EQ(shmem_##N##_test_some(N##_word, 4, found, status, SHMEM_CMP_EQ, 7), 1);             \
      CHECK_EQ(shmem_##N##_test_all(N##_word, 4, NULL, SHMEM_CMP_EQ, 7), 0);                       \
      CHECK_EQ(shmem_##N##_test_all(N##_word, 4, status, SHMEM_CMP_GE, 3), 1);                     \
      shmem_##N##_wait_until_all(N##_word, 4, status, SHMEM_CMP_GE, 3);                            \
      CHECK_EQ(shmem_##N##_test_all_vector(N##_word, 4, NULL, SHMEM_CMP_EQ, values), 0);           \
      CHECK_EQ(shmem_##N##_test_all_vector(N##_word, 4, NULL, SHMEM_CMP_GE, values), 1);           \
      shmem_##N##_wait_until_all_vector(N##_word, 4, status, SHMEM_CMP_GE, values);                \
      CHECK_EQ(shmem_##N##_wait_until_any_vector(N##_word, 4, status, SHMEM_CMP_EQ, values), 2);   \
      CHECK_EQ(shmem_##N##_test_any_vector(N##_word, 4, status, SHMEM_CMP_EQ, values), 2);         \
      CHECK_EQ(shmem_##N##_wait_until_some_vector(N##_word, 4, found, NULL, SHMEM_CMP_EQ, values), \
               2);                                                                                 \
      CHECK(found[0] == 0 && found[1] == 2);                                                       \
      CHECK_EQ(shmem_##N##_test_some_vector(N##_word, 4, found, status, SHMEM_CMP_NE, values), 1); \
      CHECK_EQ(found[0], 1);                                                                       \
    }                                                                                              \
  }
WEFT_TYPES_AMO(MANY, )

int main(void) {
  shmem_init();
  WEFT_TYPES_AMO(RUN, one)
  RUN(one, short, )
  RUN(one, ushort, )
  WEFT_TYPES_AMO(RUN, many)
  shmem_short_wait(short_word, 4), shmem_int_wait(int_word, 4), shmem_long_wait(long_word, 4);
  shmem_longlong_wait(longlong_word, 4), shmem_wait(long_word, 4);
  shmem_finalize();
  return 0;
}
