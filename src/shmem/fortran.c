/*
 * fortran.c: the Fortran interface of OpenSHMEM 1.0 to 1.4 (removed in 1.5), by the names that
 * gfortran and flang give: lower case with an underscore behind; two with -fsecond-underscore. All
 * arguments are passed by reference; INTEGER and LOGICAL have 4 bytes, what a pointer is put into
 * has 8. include/shmem.fh declares what has a type; a program calls the others as they come.
 *
 * Locks are INTEGERs there, half as long as in C: they are src/sync's of 4 bytes. A pSync array has
 * 4-byte elements and need not stand where a word may, so it has room for one more.
 */
#include <errno.h>
#include <string.h>

#include "boot/boot.h"
#include "data/data.h"
#include "job/job.h"
#include "rma/rma.h"
#include "runtime/runtime.h"
#include "shmem/internal.h"
#include "sync/sync.h"
#include "trace/trace.h"

typedef int32_t integer_t;

/* A public function; its name in messages is `who`. */
#define FORTRAN(RET, NAME, PARAMS, ...)                                                            \
  WEFT_API RET NAME##_ PARAMS;                                                                     \
  extern __typeof__(NAME##_) NAME##__                                                              \
      __attribute__((alias(#NAME "_"), visibility("default")));                                    \
  RET NAME##_ PARAMS {                                                                             \
    static const char who[] = #NAME;                                                               \
    (void)who;                                                                                     \
    __VA_ARGS__                                                                                    \
  }

static size_t count(const integer_t *n, const char *who) {
  if (weft_unlikely(*n < 0)) weft_fatal("%s: %d elements", who, *n);
  return (size_t)*n;
}

static long to(const integer_t *pe) {
  return weft_direct_to(*pe, 0);
}

static long *words(integer_t *sync) {
  return (long *)weft_round_up((uintptr_t)sync, sizeof(long));
}

/* ---- setup and queries ----------------------------------------------------------------------- */

/* At SIGQUIT libgfortran prints a backtrace, for each PE that the launcher ends. */
FORTRAN(void, shmem_init, (void), weft_shmem_start(who); weft_boot_tell_term();)
FORTRAN(void, start_pes, (const integer_t *npes), pstart_pes(*npes); weft_boot_tell_term();)
FORTRAN(void, shmem_finalize, (void), pshmem_finalize();)
FORTRAN(void, shmem_global_exit, (const integer_t *status), pshmem_global_exit(*status);)
FORTRAN(integer_t, shmem_my_pe, (void), return pshmem_my_pe();)
FORTRAN(integer_t, shmem_n_pes, (void), return pshmem_n_pes();)
FORTRAN(integer_t, my_pe, (void), return pshmem_my_pe();)
FORTRAN(integer_t, num_pes, (void), return pshmem_n_pes();)
FORTRAN(integer_t, shmem_pe_accessible, (const integer_t *pe), return pshmem_pe_accessible(*pe);)
FORTRAN(integer_t, shmem_addr_accessible, (const void *addr, const integer_t *pe),
        return pshmem_addr_accessible(addr, *pe);)
FORTRAN(void *, shmem_ptr, (const void *dest, const integer_t *pe), return pshmem_ptr(dest, *pe);)

FORTRAN(void, shmem_info_get_version, (integer_t * major, integer_t *minor), int a, b;
        pshmem_info_get_version(&a, &b); *major = a; *minor = b;)

/* A string has its length behind all arguments, and blanks behind its text. */
FORTRAN(void, shmem_info_get_name, (char *name, size_t n), char text[SHMEM_MAX_NAME_LEN];
        pshmem_info_get_name(text); const size_t have = strnlen(text, sizeof text);
        memset(name, ' ', n); memcpy(name, text, have < n ? have : n);)

/* ---- memory: lengths in words of 4 bytes ----------------------------------------------------- */

enum { NO_LENGTH = -1, NO_MEMORY = -2, NOT_IN_HEAP = -3, IS_FREE = -4, NO_BEGINNING = -5 };

/* What is wrong is told in *status, or ends the job. */
static void refuse(integer_t status, integer_t *told, const integer_t *abort, const char *who) {
  static const char *const why[] = {"the length is not above 0",
                                    "no more symmetric memory",
                                    "the address is not in the symmetric heap",
                                    "the block is free already",
                                    "the address is not the beginning of a block"};
  if (*abort) weft_fatal("%s: %s", who, why[NO_LENGTH - status]);
  *told = status;
}

/* 0, or what is wrong with the address of a block. */
static integer_t block_error(const void *block) {
  const uintptr_t heap = weft_job.window.layout.heap;
  weft_lock(&weft_job.heap_lock);
  const int live = weft_heap_live(&weft_job.heap, block);
  weft_unlock(&weft_job.heap_lock);
  if (live == 0 || live == -EUCLEAN) return 0; /* (to free it says more of the second) */
  if (!weft_job_is_symmetric(block, 1) || weft_job_offset(block) < heap) return NOT_IN_HEAP;
  return weft_job_heap_owns(block, 1) ? NO_BEGINNING : IS_FREE;
}

FORTRAN(void, shpalloc,
        (void **addr, const integer_t *length, integer_t *errcode, const integer_t *abort),
        weft_shmem_up(who); *addr = NULL; *errcode = 0;
        if (*length <= 0) refuse(NO_LENGTH, errcode, abort, who);
        else if (!(*addr = weft_shmem_allocate((size_t)*length * sizeof(integer_t), who)))
            refuse(NO_MEMORY, errcode, abort, who);)

FORTRAN(void, shpdeallc, (void **addr, integer_t *errcode, const integer_t *abort),
        weft_shmem_up(who); *errcode = 0; const integer_t error = block_error(*addr);
        if (error) refuse(error, errcode, abort, who); else weft_symmetric_free(*addr, who);)

FORTRAN(void, shpclmove,
        (void **addr, const integer_t *length, integer_t *status, const integer_t *abort),
        weft_shmem_up(who); *status = 0;
        const integer_t error = *length <= 0 ? NO_LENGTH : block_error(*addr);
        const size_t bytes = (size_t)*length * sizeof(integer_t);
        void *moved = error ? NULL : weft_symmetric_realloc(*addr, bytes, who);
        if (!moved) refuse(error ? error : NO_MEMORY, status, abort, who);
        else { *status = moved != *addr; *addr = moved; })

/* ---- puts and gets --------------------------------------------------------------------------- */

#define MOVE(PUT, GET, BYTES)                                                                      \
  FORTRAN(void, shmem_##PUT,                                                                       \
          (void *dest, const void *source, const integer_t *nelems, const integer_t *pe),          \
          weft_direct_put(dest, source, count(nelems, who) * (BYTES), to(pe), who);)               \
  FORTRAN(void, shmem_##PUT##_nbi,                                                                 \
          (void *dest, const void *source, const integer_t *nelems, const integer_t *pe),          \
          weft_direct_put_nbi(dest, source, count(nelems, who) * (BYTES), to(pe), who);)           \
  FORTRAN(void, shmem_##GET,                                                                       \
          (void *dest, const void *source, const integer_t *nelems, const integer_t *pe),          \
          weft_direct_get(dest, source, count(nelems, who) * (BYTES), to(pe), who);)               \
  FORTRAN(void, shmem_##GET##_nbi,                                                                 \
          (void *dest, const void *source, const integer_t *nelems, const integer_t *pe),          \
          weft_direct_get_nbi(dest, source, count(nelems, who) * (BYTES), to(pe), who);)
MOVE(putmem, getmem, 1)
MOVE(character_put, character_get, 1)
MOVE(put4, get4, 4)
MOVE(put8, get8, 8)
MOVE(put32, get32, 4)
MOVE(put64, get64, 8)
MOVE(put128, get128, 16)
MOVE(integer_put, integer_get, 4)
MOVE(logical_put, logical_get, 4)
MOVE(real_put, real_get, 4)
MOVE(double_put, double_get, 8)
MOVE(complex_put, complex_get, 8)
/* It stands only where 1.2 deprecates it. */
FORTRAN(void, shmem_put,
        (void *dest, const void *source, const integer_t *nelems, const integer_t *pe),
        weft_direct_put(dest, source, count(nelems, who) * 8, to(pe), who);)

#define STRIDED_PARAMS                                                                             \
  (void *dest, const void *source, const integer_t *dst, const integer_t *sst,                     \
   const integer_t *nelems, const integer_t *pe)
#define MOVE_STRIDED(IPUT, IGET, BYTES)                                                            \
  FORTRAN(void, shmem_##IPUT, STRIDED_PARAMS,                                                      \
          weft_shmem_put_blocks(dest, source, *dst, *sst, 1, count(nelems, who), BYTES, to(pe),    \
                                who);)                                                             \
  FORTRAN(void, shmem_##IGET, STRIDED_PARAMS,                                                      \
          weft_shmem_get_blocks(dest, source, *dst, *sst, 1, count(nelems, who), BYTES, to(pe),    \
                                who);)
MOVE_STRIDED(iput4, iget4, 4)
MOVE_STRIDED(iput8, iget8, 8)
MOVE_STRIDED(iput32, iget32, 4)
MOVE_STRIDED(iput64, iget64, 8)
MOVE_STRIDED(iput128, iget128, 16)
MOVE_STRIDED(integer_iput, integer_iget, 4)
MOVE_STRIDED(logical_iput, logical_iget, 4)
MOVE_STRIDED(real_iput, real_iget, 4)
MOVE_STRIDED(double_iput, double_iget, 8)
MOVE_STRIDED(complex_iput, complex_iget, 8)

/* ---- atomics: N of Fortran and the type of C ------------------------------------------------- */

static uint64_t atomic(const void *object, enum weft_amo op, size_t width, uint64_t operand,
                       uint64_t cond, const integer_t *pe, const char *who) {
  uintptr_t at;
  if (weft_likely(weft_direct_amo_at(object, *pe, &at)))
    return weft_data_apply((void *)at, op, width, operand, cond);
  return weft_direct.amo(at, op, width, operand, cond, to(pe), who);
}

/* Its old value is not wanted. */
static void change(const void *object, enum weft_amo op, size_t width, uint64_t operand,
                   const integer_t *pe, const char *who) {
  uintptr_t at;
  if (weft_likely(weft_direct_amo_at(object, *pe, &at)))
    weft_data_apply((void *)at, op, width, operand, 0);
  else
    weft_direct.amo_post(at, op, width, operand, to(pe), who);
}

static uint64_t bits(const void *value, size_t width) {
  uint64_t result = 0;
  memcpy(&result, value, width);
  return result;
}

#define RESULT(T, OP, OBJECT, OPERAND, COND)                                                       \
  const uint64_t old = atomic(OBJECT, OP, sizeof(T), OPERAND, COND, pe, who);                      \
  T result;                                                                                        \
  memcpy(&result, &old, sizeof result);                                                            \
  return result;
#define EXTENDED(N, T)                                                                             \
  FORTRAN(T, shmem_##N##fetch, (const T *source, const integer_t *pe),                             \
          RESULT(T, WEFT_AMO_FETCH, source, 0, 0))                                                 \
  FORTRAN(void, shmem_##N##set, (T * dest, const T *value, const integer_t *pe),                   \
          change(dest, WEFT_AMO_SET, sizeof(T), bits(value, sizeof(T)), pe, who);)                 \
  FORTRAN(T, shmem_##N##swap, (T * dest, const T *value, const integer_t *pe),                     \
          RESULT(T, WEFT_AMO_SWAP, dest, bits(value, sizeof(T)), 0))
#define STANDARD(N, T)                                                                             \
  EXTENDED(N, T)                                                                                   \
  FORTRAN(T, shmem_##N##cswap,                                                                     \
          (T * dest, const T *cond, const T *value, const integer_t *pe),                          \
          RESULT(T, WEFT_AMO_CSWAP, dest, bits(value, sizeof(T)), bits(cond, sizeof(T))))          \
  FORTRAN(T, shmem_##N##fadd, (T * dest, const T *value, const integer_t *pe),                     \
          RESULT(T, WEFT_AMO_ADD, dest, bits(value, sizeof(T)), 0))                                \
  FORTRAN(T, shmem_##N##finc, (T * dest, const integer_t *pe),                                     \
          RESULT(T, WEFT_AMO_ADD, dest, 1, 0))                                                     \
  FORTRAN(void, shmem_##N##add, (T * dest, const T *value, const integer_t *pe),                   \
          change(dest, WEFT_AMO_ADD, sizeof(T), bits(value, sizeof(T)), pe, who);)                 \
  FORTRAN(void, shmem_##N##inc, (T * dest, const integer_t *pe),                                   \
          change(dest, WEFT_AMO_ADD, sizeof(T), 1, pe, who);)
STANDARD(int4_, int32_t)
STANDARD(int8_, int64_t)
EXTENDED(real4_, float)
EXTENDED(real8_, double)
FORTRAN(integer_t, shmem_swap, (integer_t * dest, const integer_t *value, const integer_t *pe),
        RESULT(integer_t, WEFT_AMO_SWAP, dest, bits(value, sizeof *value), 0))

/* ---- order, waits, locks --------------------------------------------------------------------- */

FORTRAN(void, shmem_fence, (void), pshmem_fence();)
FORTRAN(void, shmem_quiet, (void), pshmem_quiet();)
FORTRAN(void, shmem_barrier_all, (void), weft_shmem_barrier_all(who);)

#define WAIT(N, T)                                                                                 \
  FORTRAN(void, shmem_##N##wait, (T * ivar, const T *cmp_value),                                   \
          weft_shmem_wait_until(ivar, WEFT_WAIT_KIND(T), SHMEM_CMP_NE, (uint64_t)*cmp_value,       \
                                who);)                                                             \
  FORTRAN(void, shmem_##N##wait_until, (T * ivar, const integer_t *cmp, const T *cmp_value),       \
          weft_shmem_wait_until(ivar, WEFT_WAIT_KIND(T), *cmp, (uint64_t)*cmp_value, who);)
WAIT(, integer_t)
WAIT(int4_, int32_t)
WAIT(int8_, int64_t)

/* Different locks are on different PEs. */
static int home_of(const integer_t *lock, uintptr_t *off, const char *who) {
  weft_shmem_up(who);
  if (weft_unlikely(!weft_job_is_symmetric(lock, sizeof *lock)))
    weft_fatal("%s: lock %p is not symmetric: a lock is in a common block, has SAVE, or is from "
               "SHPALLOC",
               who, (const void *)lock);
  *off = weft_job_offset(lock);
  return (int)(*off / sizeof *lock % (unsigned)weft_job_npes());
}

static int lock_result(int rc, int home, const integer_t *lock, const char *who) {
  if (rc == -EDEADLK) weft_fatal("%s: this PE already has the lock %p", who, (const void *)lock);
  if (rc == -EHOSTDOWN)
    weft_fatal("%s: the lock %p is kept at PE %d, which has failed", who, (const void *)lock, home);
  return rc;
}

FORTRAN(void, shmem_set_lock, (const integer_t *lock), uintptr_t off;
        const int home = home_of(lock, &off, who); WEFT_SPAN(WEFT_TRACE_LOCK, who, 0);
        lock_result(weft_ticket_acquire(home, off), home, lock, who);)
FORTRAN(integer_t, shmem_test_lock, (const integer_t *lock), uintptr_t off;
        const int home = home_of(lock, &off, who); WEFT_SPAN(WEFT_TRACE_LOCK, who, 0);
        return lock_result(weft_ticket_try(home, off), home, lock, who) < 0;)
FORTRAN(void, shmem_clear_lock, (const integer_t *lock), uintptr_t off;
        const int home = home_of(lock, &off, who); WEFT_SPAN(WEFT_TRACE_LOCK, who, 0);
        weft_direct_quiet(); if (weft_ticket_release(home, off) < 0)
            weft_fatal("%s: this PE does not have the lock %p", who, (const void *)lock);)

/* ---- collectives ----------------------------------------------------------------------------- */

#define SET_PARAMS const integer_t *start, const integer_t *log_stride, const integer_t *size
#define SET *start, *log_stride, *size, words(sync), who
FORTRAN(void, shmem_barrier, (SET_PARAMS, integer_t *sync), weft_shmem_set_sync(1, SET);)

#define GATHER(N, BYTES)                                                                           \
  FORTRAN(void, shmem_broadcast##N,                                                                \
          (void *dest, const void *source, const integer_t *nelems, const integer_t *root,         \
           SET_PARAMS, integer_t *sync),                                                           \
          weft_shmem_set_broadcast(dest, source, count(nelems, who) * (BYTES), *root, SET);)       \
  FORTRAN(void, shmem_collect##N,                                                                  \
          (void *dest, const void *source, const integer_t *nelems, SET_PARAMS, integer_t *sync),  \
          weft_shmem_set_collect(dest, source, count(nelems, who) * (BYTES), SET);)                \
  FORTRAN(void, shmem_fcollect##N,                                                                 \
          (void *dest, const void *source, const integer_t *nelems, SET_PARAMS, integer_t *sync),  \
          weft_shmem_set_fcollect(dest, source, count(nelems, who) * (BYTES), SET);)
GATHER(4, 4)
GATHER(8, 8)
GATHER(32, 4)
GATHER(64, 8)

#define EXCHANGE(N, BYTES)                                                                         \
  FORTRAN(void, shmem_alltoall##N,                                                                 \
          (void *dest, const void *source, const integer_t *nelems, SET_PARAMS, integer_t *sync),  \
          weft_shmem_set_alltoalls(dest, source, 1, 1, count(nelems, who), BYTES, 1, SET);)        \
  FORTRAN(void, shmem_alltoalls##N,                                                                \
          (void *dest, const void *source, const integer_t *dst, const integer_t *sst,             \
           const integer_t *nelems, SET_PARAMS, integer_t *sync),                                  \
          weft_shmem_set_alltoalls(dest, source, *dst, *sst, count(nelems, who), BYTES, 0, SET);)
EXCHANGE(32, 4)
EXCHANGE(64, 8)

#define REDUCE(N, TYPE, OP)                                                                        \
  FORTRAN(void, shmem_##N##_##OP##_to_all,                                                         \
          (void *dest, const void *source, const integer_t *nreduce, SET_PARAMS, void *work,       \
           integer_t *sync),                                                                       \
          (void)work; weft_shmem_set_reduce(dest, source, (int)count(nreduce, who),                \
                                            weft_data_width(TYPE),                                 \
                                            weft_data_combine(TYPE, WEFT_COMBINE_##OP), SET);)
#define SUMS(N, TYPE) REDUCE(N, TYPE, sum) REDUCE(N, TYPE, prod)
#define REALS(N, TYPE) SUMS(N, TYPE) REDUCE(N, TYPE, max) REDUCE(N, TYPE, min)
#define INTEGERS(N, TYPE)                                                                          \
  REALS(N, TYPE) REDUCE(N, TYPE, and) REDUCE(N, TYPE, or) REDUCE(N, TYPE, xor)
INTEGERS(int4, WEFT_TYPE_I32)
INTEGERS(int8, WEFT_TYPE_I64)
REALS(real4, WEFT_TYPE_FLOAT)
REALS(real8, WEFT_TYPE_DOUBLE)
REALS(real16, WEFT_TYPE_FLOAT128)
SUMS(comp4, WEFT_TYPE_COMPLEX_FLOAT)
SUMS(comp8, WEFT_TYPE_COMPLEX_DOUBLE)

/* ---- caches, which are coherent: nothing is to be done --------------------------------------- */

FORTRAN(void, shmem_set_cache_inv, (void), weft_shmem_up(who);)
FORTRAN(void, shmem_clear_cache_inv, (void), weft_shmem_up(who);)
FORTRAN(void, shmem_udcflush, (void), weft_shmem_up(who);)
FORTRAN(void, shmem_set_cache_line_inv, (void *dest), (void)dest; weft_shmem_up(who);)
FORTRAN(void, shmem_clear_cache_line_inv, (void *dest), (void)dest; weft_shmem_up(who);)
FORTRAN(void, shmem_udcflush_line, (void *dest), (void)dest; weft_shmem_up(who);)
