/*
 * weft/shmem_coll.h: OpenSHMEM 1.6 section 9.10, collectives over teams. Include <shmem.h> instead.
 */
/* ---- For int; 0 means success; the types of each are in the tables of shmem_types.h
 *   int shmem_int_broadcast(shmem_team_t team, int *dest, const int *source, size_t nelems,
 *                           int PE_root);
 *   int shmem_int_collect(shmem_team_t team, int *dest, const int *source, size_t nelems);
 *       (and fcollect, alltoall)
 *   int shmem_int_alltoalls(shmem_team_t team, int *dest, const int *source, ptrdiff_t dst,
 *                           ptrdiff_t sst, size_t nelems);
 *   int shmem_int_sum_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce);
 *       (and and, or, xor, max, min, prod)
 *   int shmem_int_sum_inscan(shmem_team_t team, int *dest, const int *source, size_t nelems);
 *       (and sum_exscan)
 *   and shmem_broadcastmem, collectmem, fcollectmem, alltoallmem, alltoallsmem.
 */
#ifndef WEFT_SHMEM_COLL_H
#define WEFT_SHMEM_COLL_H

#include <weft/shmem_types.h>

#define WEFT_COLL_MOVE_AS(FN, BROADCAST, COLLECT, FCOLLECT, ALLTOALL, ALLTOALLS, T, BYTES)         \
  FN(int, BROADCAST, (shmem_team_t team, T * dest, const T *source, size_t nelems, int PE_root),   \
     return weft_shmem_broadcast(team, dest, source, nelems * (BYTES), PE_root,                    \
                                 "shmem_" #BROADCAST);)                                            \
  FN(int, COLLECT, (shmem_team_t team, T * dest, const T *source, size_t nelems),                  \
     return weft_shmem_collect(team, dest, source, nelems * (BYTES), "shmem_" #COLLECT);)          \
  FN(int, FCOLLECT, (shmem_team_t team, T * dest, const T *source, size_t nelems),                 \
     return weft_shmem_fcollect(team, dest, source, nelems * (BYTES), "shmem_" #FCOLLECT);)        \
  FN(int, ALLTOALL, (shmem_team_t team, T * dest, const T *source, size_t nelems),                 \
     return weft_shmem_alltoall(team, dest, source, nelems * (BYTES), "shmem_" #ALLTOALL);)        \
  FN(int, ALLTOALLS,                                                                               \
     (shmem_team_t team, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems),  \
     return weft_shmem_alltoalls(team, dest, source, dst, sst, nelems, BYTES,                      \
                                 "shmem_" #ALLTOALLS);)
#define WEFT_COLL_MOVE(FN, N, T)                                                                   \
  WEFT_COLL_MOVE_AS(FN, N##_broadcast, N##_collect, N##_fcollect, N##_alltoall, N##_alltoalls, T,  \
                    sizeof(T))

#define WEFT_COLL_REDUCE(FN, N, T, op)                                                             \
  FN(int, N##_##op##_reduce, (shmem_team_t team, T * dest, const T *source, size_t nreduce),       \
     return weft_shmem_reduce(team, dest, source, nreduce, sizeof(T), WEFT_COMBINE(T, op),         \
                              "shmem_" #N "_" #op "_reduce");)
#define WEFT_COLL_BITS(FN, N, T)                                                                   \
  WEFT_COLL_REDUCE(FN, N, T, and)                                                                  \
  WEFT_COLL_REDUCE(FN, N, T, or)                                                                   \
  WEFT_COLL_REDUCE(FN, N, T, xor)
#define WEFT_COLL_MAX(FN, N, T)                                                                    \
  WEFT_COLL_REDUCE(FN, N, T, max)                                                                  \
  WEFT_COLL_REDUCE(FN, N, T, min)
#define WEFT_COLL_SUM(FN, N, T)                                                                    \
  WEFT_COLL_REDUCE(FN, N, T, sum)                                                                  \
  WEFT_COLL_REDUCE(FN, N, T, prod)                                                                 \
  FN(int, N##_sum_inscan, (shmem_team_t team, T * dest, const T *source, size_t nelems),           \
     return weft_shmem_scan(team, dest, source, nelems, sizeof(T), WEFT_COMBINE(T, sum), 1,        \
                            "shmem_" #N "_sum_inscan");)                                           \
  FN(int, N##_sum_exscan, (shmem_team_t team, T * dest, const T *source, size_t nelems),           \
     return weft_shmem_scan(team, dest, source, nelems, sizeof(T), WEFT_COMBINE(T, sum), 0,        \
                            "shmem_" #N "_sum_exscan");)

#define WEFT_SHMEM_COLL(FN)                                                                        \
  FN(void, barrier_all, (void), weft_shmem_barrier_all("shmem_barrier_all");)                      \
  FN(void, sync_all, (void), weft_shmem_sync_all("shmem_sync_all");)                               \
  FN(int, team_sync, (shmem_team_t team), return weft_shmem_team_sync(team, "shmem_team_sync");)   \
  WEFT_TYPES_RMA(WEFT_COLL_MOVE, FN)                                                               \
  WEFT_COLL_MOVE_AS(FN, broadcastmem, collectmem, fcollectmem, alltoallmem, alltoallsmem, void, 1) \
  WEFT_TYPES_BITS(WEFT_COLL_BITS, FN)                                                              \
  WEFT_TYPES_RMA(WEFT_COLL_MAX, FN)                                                                \
  WEFT_TYPES_SUM(WEFT_COLL_SUM, FN)

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif
WEFT_SHMEM_COLL(WEFT_PROTOTYPE)
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
