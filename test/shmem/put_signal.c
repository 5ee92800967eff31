/*
 * Trap 3: data, then a signal. The signal comes without data too, may lie in another segment than
 * the data (heap and globals), is an atomic update, and the data is there when the signal is. All
 * typed and sized forms.
 */
#include <shmem.h>

#include "check.h"

/* clang-format off: it takes the lists of macros for declarations */

enum { ELEMS = 5 };
static uint64_t signal_word, sum_word;
static int me, right, left;
static uint64_t signals_due;

#define DATA(FN, N, T) static T N##_dest[ELEMS];
WEFT_TYPES_RMA(DATA, )

/* A function per type: one large main would take minutes to compile. */
#define APART static __attribute__((noinline)) void
#define RUN(F, N, T) F##_##N();

#define ROUND(N, T, CALL)                                                                          \
  {                                                                                                \
    T source[ELEMS];                                                                               \
    for (int i = 0; i < ELEMS; i++) source[i] = (T)(9 * me + i + 1);                               \
    for (int i = 0; i < ELEMS; i++) N##_dest[i] = 0;                                               \
    shmem_barrier_all();                                                                           \
    CALL;                                                                                          \
    signals_due++;                                                                                 \
    CHECK_EQ(shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, signals_due), signals_due);       \
    for (int i = 0; i < ELEMS; i++) CHECK(N##_dest[i] == (T)(9 * left + i + 1));                   \
    shmem_barrier_all();                                                                           \
  }
#define ARGS(N) N##_dest, source, ELEMS, &signal_word, signals_due + 1, SHMEM_SIGNAL_SET, right
#define TYPED(FN, N, T)                                                                            \
  APART typed_##N(void) {                                                                          \
    ROUND(N, T, shmem_##N##_put_signal(ARGS(N)))                                                   \
    ROUND(N, T, shmem_ctx_##N##_put_signal(SHMEM_CTX_DEFAULT, ARGS(N)))                            \
    ROUND(N, T, shmem_##N##_put_signal_nbi(ARGS(N)))                                               \
    ROUND(N, T, shmem_ctx_##N##_put_signal_nbi(SHMEM_CTX_DEFAULT, ARGS(N)))                        \
  }
WEFT_TYPES_RMA(TYPED, )
#define SIZED(BITS, N, T)                                                                          \
  ROUND(N, T, shmem_put##BITS##_signal(ARGS(N)))                                                   \
  ROUND(N, T, shmem_ctx_put##BITS##_signal(SHMEM_CTX_DEFAULT, ARGS(N)))                            \
  ROUND(N, T, shmem_put##BITS##_signal_nbi(ARGS(N)))                                               \
  ROUND(N, T, shmem_ctx_put##BITS##_signal_nbi(SHMEM_CTX_DEFAULT, ARGS(N)))

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  const int n = shmem_n_pes();
  right = (me + 1) % n;
  left = (me + n - 1) % n;
  WEFT_TYPES_RMA(RUN, typed)
  SIZED(8, uint8, uint8_t)
  SIZED(16, uint16, uint16_t)
  SIZED(32, uint32, uint32_t)
  SIZED(64, uint64, uint64_t)
  SIZED(128, longdouble, long double)

  /* No data; a signal on the heap with data in a global and the other way round. */
  uint64_t *heap = shmem_calloc(4, sizeof *heap);
  const uint64_t value = 11;
  shmem_putmem_signal(NULL, NULL, 0, heap, 5, SHMEM_SIGNAL_SET, right);
  CHECK_EQ(shmem_signal_wait_until(heap, SHMEM_CMP_NE, 0), 5);
  shmem_uint64_put_signal(uint64_dest, &value, 1, heap + 1, 1, SHMEM_SIGNAL_ADD, right);
  shmem_signal_wait_until(heap + 1, SHMEM_CMP_EQ, 1);
  CHECK_EQ(uint64_dest[0], 11);
  shmem_ctx_putmem_signal_nbi(SHMEM_CTX_DEFAULT, heap + 2, &value, 8, &sum_word, 1,
                              SHMEM_SIGNAL_ADD, right);
  shmem_signal_wait_until(&sum_word, SHMEM_CMP_EQ, 1);
  CHECK_EQ(heap[2], 11);
  shmem_barrier_all();
  for (int pe = 0; pe < n; pe++) shmem_signal_add(&sum_word, 10, pe);
  shmem_signal_wait_until(&sum_word, SHMEM_CMP_EQ, 1 + 10 * (uint64_t)n);
  CHECK_EQ(shmem_signal_fetch(&sum_word), 1 + 10 * n);
  shmem_barrier_all();
  shmem_ctx_signal_set(SHMEM_CTX_DEFAULT, &sum_word, 3, right);
  shmem_signal_wait_until(&sum_word, SHMEM_CMP_EQ, 3);
  shmem_finalize();
  return 0;
}
