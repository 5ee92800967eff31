/*
 * shmem.h: OpenSHMEM 1.6 on Weft.
 *
 * Small operations are inlined when the compiler optimises; define WEFT_NO_INLINE before including
 * this file, or include pshmem.h first, and every call goes through the library's symbol, which a
 * profiling tool can replace.
 */
/* ---- Sections 9.1 to 9.4 are below. The typed chapters are generated, one line per function:
 *   weft/shmem_types.h    constants, handles, type tables
 *   weft/shmem_rma.h      put, get, p, g, strided                     (9.5)
 *   weft/shmem_amo.h      atomics                                     (9.7)
 *   weft/shmem_sync.h     signals, waits, ordering, locks             (9.8, 9.11 - 9.13)
 *   weft/shmem_coll.h     collectives over teams                      (9.10)
 *   weft/shmem_old.h      deprecated names, active sets
 *   weft/shmem_generic.h  C11 type-generic forms
 */
#ifndef WEFT_SHMEM_H
#define WEFT_SHMEM_H

#include <weft/shmem_types.h>

/* FN(return type, name without shmem_, (parameters), body): see weft/shmem_types.h */
#define WEFT_SHMEM_SETUP(FN)                                                                       \
  FN(void, init, (void), )                                                                         \
  FN(int, init_thread, (int requested, int *provided), )                                           \
  FN(void, query_thread, (int *provided), )                                                        \
  FN(void, finalize, (void), )                                                                     \
  FN(void, query_initialized, (int *initialized), )                                                \
  FN(__attribute__((noreturn)) void, global_exit, (int status), )                                  \
  FN(int, my_pe, (void), )                                                                         \
  FN(int, n_pes, (void), )                                                                         \
  FN(int, pe_accessible, (int pe), )                                                               \
  FN(int, addr_accessible, (const void *addr, int pe), )                                           \
  FN(void *, ptr, (const void *dest, int pe), )                                                    \
  FN(void *, team_ptr, (shmem_team_t team, const void *dest, int pe), )                            \
  FN(void, info_get_version, (int *major, int *minor), )                                           \
  FN(void, info_get_name, (char *name), )                                                          \
  FN(void, pcontrol, (int level, ...), )

#define WEFT_SHMEM_MEMORY(FN)                                                                      \
  FN(void *, malloc, (size_t size), )                                                              \
  FN(void, free, (void *ptr), )                                                                    \
  FN(void *, realloc, (void *ptr, size_t size), )                                                  \
  FN(void *, align, (size_t alignment, size_t size), )                                             \
  FN(void *, malloc_with_hints, (size_t size, long hints), )                                       \
  FN(void *, calloc, (size_t count, size_t size), )

#define WEFT_SHMEM_TEAM(FN)                                                                        \
  FN(int, team_my_pe, (shmem_team_t team), )                                                       \
  FN(int, team_n_pes, (shmem_team_t team), )                                                       \
  FN(int, team_get_config, (shmem_team_t team, long config_mask, shmem_team_config_t *config), )   \
  FN(int, team_translate_pe, (shmem_team_t src_team, int src_pe, shmem_team_t dest_team), )        \
  FN(int, team_split_strided,                                                                      \
     (shmem_team_t parent_team, int start, int stride, int size,                                   \
      const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team), )              \
  FN(int, team_split_2d,                                                                           \
     (shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config,               \
      long xaxis_mask, shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config,          \
      long yaxis_mask, shmem_team_t *yaxis_team), )                                                \
  FN(void, team_destroy, (shmem_team_t team), )

#define WEFT_SHMEM_CTX(FN)                                                                         \
  FN(int, ctx_create, (long options, shmem_ctx_t *ctx), )                                          \
  FN(int, team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx), )                  \
  FN(void, ctx_destroy, (shmem_ctx_t ctx), )                                                       \
  FN(int, ctx_get_team, (shmem_ctx_t ctx, shmem_team_t * team), )                                  \
  FN(void, ctx_session_start,                                                                      \
     (shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config,                     \
      long config_mask), )                                                                         \
  FN(void, ctx_session_stop, (shmem_ctx_t ctx), )

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
WEFT_SHMEM_SETUP(WEFT_PROTOTYPE)
WEFT_SHMEM_MEMORY(WEFT_PROTOTYPE)
WEFT_SHMEM_TEAM(WEFT_PROTOTYPE)
WEFT_SHMEM_CTX(WEFT_PROTOTYPE)
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#include <weft/shmem_rma.h>
#include <weft/shmem_amo.h>
#include <weft/shmem_sync.h>
#include <weft/shmem_coll.h>
#include <weft/shmem_old.h>

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L && !defined(__cplusplus)
#include <weft/shmem_generic.h>
#endif

#endif
