/*
 * internal.h: what the files of the OpenSHMEM front end share. Each function stands under the file
 * that defines it. The public headers' lists are expanded here with WEFT_EMIT: a strong pshmem_x
 * and a weak shmem_x for every line. Nothing in this folder calls a shmem_ name, which a profiling
 * tool may have replaced.
 */
#ifndef WEFT_SHMEM_INTERNAL_H
#define WEFT_SHMEM_INTERNAL_H

#define WEFT_NO_INLINE
#include <pshmem.h>

#include <stdbool.h>

#include "base/base.h"
#include "coll/coll.h"
#include "team/team.h"

/* Define a public function: WEFT_FUNCTION(int, my_pe, (void)) { ... } */
#define WEFT_FUNCTION(RET, NAME, PARAMS)                                                           \
  extern __typeof__(shmem_##NAME) shmem_##NAME                                                     \
      __attribute__((weak, alias("pshmem_" #NAME), visibility("default")));                        \
  RET pshmem_##NAME PARAMS
#define WEFT_EMIT(RET, NAME, PARAMS, ...)                                                          \
  WEFT_FUNCTION(RET, NAME, PARAMS) {                                                               \
    __VA_ARGS__                                                                                    \
  }
/* The same for the extensions. */
#define WEFT_EMITX(RET, NAME, PARAMS, ...)                                                         \
  extern __typeof__(shmemx_##NAME) shmemx_##NAME                                                   \
      __attribute__((weak, alias("pshmemx_" #NAME), visibility("default")));                       \
  RET pshmemx_##NAME PARAMS {                                                                      \
    __VA_ARGS__                                                                                    \
  }

/* ---- setup.c ---- */
void weft_shmem_start(const char *who);
/* Fatal, with the function's name, outside init and finalize. */
void weft_shmem_require(const char *who);
extern int weft_shmem_depth;
extern int weft_shmem_threads; /* SHMEM_THREAD_MULTIPLE: the program may have threads here */
static inline void weft_shmem_up(const char *who) {
  if (weft_unlikely(weft_shmem_depth == 0)) weft_shmem_require(who);
}

/* ---- team.c ---- */
struct weft_shmem_team {
  weft_team_t *coll; /* the team as src/coll has it */
  shmem_team_config_t config;
  struct weft_shmem_context *contexts;
  struct weft_shmem_team *next; /* of all teams that the program made */
};
void weft_shmem_teams_start(void);
void weft_shmem_teams_stop(void);

/* ---- context.c ---- */
struct weft_shmem_context {
  struct weft_shmem_ctx public; /* what the program's handle points to */
  struct weft_shmem_team *team;
  struct weft_shmem_context *next; /* of the team's */
  int number;
  bool session;
};
void weft_shmem_contexts_free(struct weft_shmem_team *team);

/* ---- memory.c: shmem_malloc for `who` ---- */
void *weft_shmem_allocate(size_t size, const char *who);

/* ---- strided.c: blocks of bsize elements of `width` bytes, one every dst or sst elements ---- */
void weft_shmem_put_blocks(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                           size_t bsize, size_t nblocks, size_t width, long to, const char *who);
void weft_shmem_get_blocks(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                           size_t bsize, size_t nblocks, size_t width, long to, const char *who);

/* ---- ordering.c ---- */
void weft_shmem_ctx_quiet(shmem_ctx_t ctx);
void weft_shmem_ctx_fence(shmem_ctx_t ctx);
void weft_shmem_pe_quiet(shmem_ctx_t ctx, const int *pes, size_t npes, const char *who);

/* ---- wait.c: kind is WEFT_WAIT_KIND(type); values[i * step * width] belongs to variable i ---- */
void weft_shmem_wait_until(const void *ivar, unsigned kind, int cmp, uint64_t value,
                           const char *who);
int weft_shmem_test(const void *ivar, unsigned kind, int cmp, uint64_t value, const char *who);
void weft_shmem_wait_all(const void *ivars, unsigned kind, size_t n, const int *status, int cmp,
                         const void *values, size_t step, const char *who);
size_t weft_shmem_wait_any(const void *ivars, unsigned kind, size_t n, const int *status, int cmp,
                           const void *values, size_t step, const char *who);
size_t weft_shmem_wait_some(const void *ivars, unsigned kind, size_t n, size_t *indices,
                            const int *status, int cmp, const void *values, size_t step,
                            const char *who);
int weft_shmem_test_all(const void *ivars, unsigned kind, size_t n, const int *status, int cmp,
                        const void *values, size_t step, const char *who);
size_t weft_shmem_test_any(const void *ivars, unsigned kind, size_t n, const int *status, int cmp,
                           const void *values, size_t step, const char *who);
size_t weft_shmem_test_some(const void *ivars, unsigned kind, size_t n, size_t *indices,
                            const int *status, int cmp, const void *values, size_t step,
                            const char *who);
uint64_t weft_shmem_signal_wait(const uint64_t *sig_addr, int cmp, uint64_t value, const char *who);

/* ---- signal.c ---- */
void weft_shmem_put_signal(void *dest, const void *source, size_t bytes, uint64_t *sig_addr,
                           uint64_t signal, int op, long to, int nbi, const char *who);
void weft_shmem_signal(uint64_t *sig_addr, uint64_t signal, int op, long to, const char *who);
uint64_t weft_shmem_signal_fetch(const uint64_t *sig_addr);

/* ---- lock.c ---- */
void weft_shmem_lock(long *lock, const char *who);
int weft_shmem_lock_try(long *lock, const char *who);
void weft_shmem_unlock(long *lock, const char *who);

/* ---- collective.c: over teams; sizes in bytes ---- */
void weft_shmem_barrier_all(const char *who);
void weft_shmem_sync_all(const char *who);
int weft_shmem_team_sync(shmem_team_t team, const char *who);
int weft_shmem_broadcast(shmem_team_t team, void *dest, const void *source, size_t n, int root,
                         const char *who);
int weft_shmem_collect(shmem_team_t team, void *dest, const void *source, size_t n,
                       const char *who);
int weft_shmem_alltoall(shmem_team_t team, void *dest, const void *source, size_t n,
                        const char *who);
int weft_shmem_alltoalls(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems, size_t width, const char *who);
int weft_shmem_reduce(shmem_team_t team, void *dest, const void *source, size_t nelems,
                      size_t width, weft_combine_t combine, const char *who);
int weft_shmem_scan(shmem_team_t team, void *dest, const void *source, size_t nelems, size_t width,
                    weft_combine_t combine, int inclusive, const char *who);
int weft_shmem_fcollect(shmem_team_t team, void *dest, const void *source, size_t n,
                        const char *who);
int weft_shmem_scatter(shmem_team_t team, void *dest, const void *source, size_t n, int root,
                       const char *who);
int weft_shmem_gather(shmem_team_t team, void *dest, const void *source, size_t n, int root,
                      const char *who);
/* Fatal unless the range is symmetric: dest between nodes and with WEFT_CHECK=1, source with it. */
void weft_shmem_dest(const void *dest, size_t n, const char *who);
void weft_shmem_source(const void *source, size_t n, const char *who);
/* With WEFT_CHECK=1 fatal unless dest is source, or has nothing of it. */
void weft_shmem_apart(const void *dest, const void *source, size_t n, const char *who);
void weft_shmem_check_strides(const void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                              size_t nelems, size_t width, int size, const char *who);

/* ---- active_set.c: the same over {start, 1 << log_stride, size} and the program's pSync ---- */
void weft_shmem_set_sync(int quiet, int start, int log_stride, int size, long *sync,
                         const char *who);
void weft_shmem_set_broadcast(void *dest, const void *source, size_t n, int root, int start,
                              int log_stride, int size, long *sync, const char *who);
void weft_shmem_set_collect(void *dest, const void *source, size_t n, int start, int log_stride,
                            int size, long *sync, const char *who);
void weft_shmem_set_fcollect(void *dest, const void *source, size_t n, int start, int log_stride,
                             int size, long *sync, const char *who);
void weft_shmem_set_alltoalls(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                              size_t nelems, size_t width, int contiguous, int start,
                              int log_stride, int size, long *sync, const char *who);
void weft_shmem_set_reduce(void *dest, const void *source, int nelems, size_t width,
                           weft_combine_t combine, int start, int log_stride, int size, long *sync,
                           const char *who);

/* The function of data's table for a reduction of the headers' lists. */
#define WEFT_COMBINE(T, op) weft_data_combine(WEFT_TYPE_OF(T), WEFT_COMBINE_##op)

#endif
