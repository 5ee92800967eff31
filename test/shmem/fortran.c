/*
 * The Fortran interface (src/shmem/fortran.c), called as gfortran calls it: how many bytes an
 * element of each put, get and collective has. test/shmem/fortran.f90 has the rest.
 */
#include <shmem.h>

#include "check.h"

enum { N = 3, BYTES = 512, PES = 16 };

typedef void move_t(void *dest, const void *source, const int *n, const int *pe);
typedef void strided_t(void *dest, const void *source, const int *dst, const int *sst, const int *n,
                       const int *pe);
typedef void gather_t(void *dest, const void *source, const int *n, const int *start,
                      const int *log_stride, const int *size, int *sync);
typedef void broadcast_t(void *dest, const void *source, const int *n, const int *root,
                         const int *start, const int *log_stride, const int *size, int *sync);

#define MOVES(FN)                                                                                  \
  FN(putmem, getmem, 1)                                                                            \
  FN(character_put, character_get, 1)                                                              \
  FN(put4, get4, 4)                                                                                \
  FN(put8, get8, 8)                                                                                \
  FN(put32, get32, 4)                                                                              \
  FN(put64, get64, 8)                                                                              \
  FN(put128, get128, 16)                                                                           \
  FN(integer_put, integer_get, 4)                                                                  \
  FN(logical_put, logical_get, 4)                                                                  \
  FN(real_put, real_get, 4) FN(double_put, double_get, 8) FN(complex_put, complex_get, 8)
#define STRIDED(FN)                                                                                \
  FN(iput4, iget4, 4)                                                                              \
  FN(iput8, iget8, 8)                                                                              \
  FN(iput32, iget32, 4)                                                                            \
  FN(iput64, iget64, 8)                                                                            \
  FN(iput128, iget128, 16)                                                                         \
  FN(integer_iput, integer_iget, 4)                                                                \
  FN(logical_iput, logical_iget, 4)                                                                \
  FN(real_iput, real_iget, 4) FN(double_iput, double_iget, 8) FN(complex_iput, complex_iget, 8)
#define GATHERS(FN) FN(4, 4) FN(8, 8) FN(32, 4) FN(64, 8)

#define DECLARE(PUT, GET, SIZE)                                                                    \
  move_t shmem_##PUT##_, shmem_##PUT##_nbi_, shmem_##GET##_, shmem_##GET##_nbi_;
#define DECLARE_STRIDED(PUT, GET, SIZE) strided_t shmem_##PUT##_, shmem_##GET##_;
#define DECLARE_GATHER(BITS, SIZE)                                                                 \
  broadcast_t shmem_broadcast##BITS##_;                                                            \
  gather_t shmem_collect##BITS##_, shmem_fcollect##BITS##_;
MOVES(DECLARE)
STRIDED(DECLARE_STRIDED)
GATHERS(DECLARE_GATHER)
move_t shmem_put_;
gather_t shmem_alltoall32_, shmem_alltoall64_;

static unsigned char source[BYTES], dest[BYTES * PES]; /* symmetric */
static int sync_words[2 * SHMEM_SYNC_SIZE + 3], me, npes, next, n = N;

static void clear(void) {
  shmem_barrier_all();
  memset(dest, 0, sizeof dest);
  shmem_barrier_all();
}

/* Bytes of dest that were written, in a row. */
static int written(void) {
  int i = 0;
  shmem_barrier_all();
  while (i < (int)sizeof dest && dest[i]) i++;
  for (int k = i; k < (int)sizeof dest; k++) CHECK_EQ(dest[k], 0);
  return i;
}

static void check_move(move_t *move, int bytes) {
  clear();
  move(dest, source, &n, &next);
  CHECK_EQ(written(), N * bytes);
}

/* Every second element of the source, one behind the other. */
static void check_strided(strided_t *move, int bytes) {
  const int one = 1, two = 2;
  clear();
  move(dest, source, &one, &two, &n, &next);
  CHECK_EQ(written(), N * bytes);
  for (int i = 0; i < N * bytes; i++)
    CHECK_EQ(dest[i], source[i / bytes * 2 * bytes + i % bytes]);
}

/* pSync stands where an INTEGER may, and nowhere better. */
static void check_gather(gather_t *gather, int bytes) {
  const int zero = 0;
  clear();
  gather(dest, source, &n, &zero, &zero, &npes, sync_words + 1);
  CHECK_EQ(written(), npes * N * bytes);
}

static void check_broadcast(broadcast_t *broadcast, int bytes) {
  const int zero = 0;
  clear();
  broadcast(dest, source, &n, &zero, &zero, &zero, &npes, sync_words + 1);
  CHECK_EQ(written(), me ? N * bytes : 0);
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  npes = shmem_n_pes();
  next = (me + 1) % npes;
  CHECK(npes <= PES);
  for (int i = 0; i < BYTES; i++) source[i] = (unsigned char)(i % 250 + 1);
#define MOVE(PUT, GET, SIZE)                                                                       \
  check_move(shmem_##PUT##_, SIZE);                                                                \
  check_move(shmem_##PUT##_nbi_, SIZE);                                                            \
  check_move(shmem_##GET##_, SIZE);                                                                \
  check_move(shmem_##GET##_nbi_, SIZE);
  MOVES(MOVE)
  check_move(shmem_put_, 8);
#define MOVE_STRIDED(PUT, GET, SIZE)                                                               \
  check_strided(shmem_##PUT##_, SIZE);                                                             \
  check_strided(shmem_##GET##_, SIZE);
  STRIDED(MOVE_STRIDED)
#define GATHER(BITS, SIZE)                                                                         \
  check_broadcast(shmem_broadcast##BITS##_, SIZE);                                                 \
  check_gather(shmem_collect##BITS##_, SIZE);                                                      \
  check_gather(shmem_fcollect##BITS##_, SIZE);
  GATHERS(GATHER)
  check_gather(shmem_alltoall32_, 4);
  check_gather(shmem_alltoall64_, 8);
  shmem_finalize();
  return 0;
}
