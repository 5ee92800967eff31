/*
 * weft/shmemx_coll.h: collectives that OpenSHMEM has not: scatter and gather, as GSHMEM had them.
 * Include <shmemx.h> instead. The manual page is shmemx(3).
 */
/* ---- For int; TYPENAME as in the standard RMA types
 *   int shmemx_TYPENAME_scatter(shmem_team_t team, int *dest, const int *source, size_t nelems,
 *                               int PE_root);
 *       Block i of the root's source, nelems elements, becomes dest on PE i of the team. dest on
 *       every PE; source, nelems times the team's size, is read on the root only.
 *   int shmemx_TYPENAME_gather(shmem_team_t team, int *dest, const int *source, size_t nelems,
 *                              int PE_root);
 *       source on PE i of the team, nelems elements, becomes block i of the root's dest. dest,
 *       nelems times the team's size, is written on the root only.
 *   and for bytes, type-generic in C11, and with p in front for profiling tools.
 * All PEs of the team call with the same team, dest, source, nelems and PE_root, the root's number
 * in the team. dest and source are symmetric and do not overlap, but a root may scatter from or
 * gather into the very place where its own block is. On entry dest must be ready on all PEs, source
 * on the own one; on return dest here is complete and source may be changed. No RMA is completed.
 * The return value is 0, or nonzero if team is SHMEM_TEAM_INVALID; a root that is not in the team
 * ends the job with a line that says so.
 */
#ifndef WEFT_SHMEMX_COLL_H
#define WEFT_SHMEMX_COLL_H

#include <weft/shmem_types.h>

/* FN(return type, name without shmemx_, (parameters), body) */
#define WEFT_COLLX_AS(FN, SCATTER, GATHER, T, BYTES)                                               \
  FN(int, SCATTER, (shmem_team_t team, T * dest, const T *source, size_t nelems, int PE_root),     \
     return weft_shmem_scatter(team, dest, source, nelems * (BYTES), PE_root,                      \
                               "shmemx_" #SCATTER);)                                               \
  FN(int, GATHER, (shmem_team_t team, T * dest, const T *source, size_t nelems, int PE_root),      \
     return weft_shmem_gather(team, dest, source, nelems * (BYTES), PE_root, "shmemx_" #GATHER);)
#define WEFT_COLLX(FN, N, T) WEFT_COLLX_AS(FN, N##_scatter, N##_gather, T, sizeof(T))

#define WEFT_SHMEMX_COLL(FN)                                                                       \
  WEFT_TYPES_RMA(WEFT_COLLX, FN)                                                                   \
  WEFT_COLLX_AS(FN, scattermem, gathermem, void, 1)

#define WEFT_PROTOTYPEX(RET, NAME, PARAMS, ...)                                                    \
  RET shmemx_##NAME PARAMS;                                                                        \
  RET pshmemx_##NAME PARAMS;

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
WEFT_SHMEMX_COLL(WEFT_PROTOTYPEX)
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L && !defined(__cplusplus)
#include <weft/shmem_generic.h>
#define WEFT_TEAMX(OP, team, d, s, ...)                                                            \
  _Generic((d), WEFT_GEN_RMA(WEFT_BY_POINTER, shmemx_, OP))(team, (void *)(d), WEFT_LIKE(d, s),    \
                                                            __VA_ARGS__)
#define shmemx_scatter(...) WEFT_TEAMX(_scatter, __VA_ARGS__)
#define shmemx_gather(...) WEFT_TEAMX(_gather, __VA_ARGS__)
#endif

#endif
