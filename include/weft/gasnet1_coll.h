/*
 * weft/gasnet1_coll.h: the collectives prototype of GASNet-1 (docs/collective_notes.txt of its
 * releases). Include <gasnet_coll.h> instead.
 *
 * An image is a thread of the program that takes part (gasnet_coll_init). Each image calls, and
 * syncs the handle that it got. The forms with M are given a list of addresses, of all images with
 * GASNET_COLL_SINGLE or of this process's images with GASNET_COLL_LOCAL.
 */
#ifndef WEFT_GASNET1_COLL_H
#define WEFT_GASNET1_COLL_H

#include <weft/gex_barrier.h>
#include <weft/gex_types.h>

/* When data may move, and when a sync may succeed; whose addresses are given: one of each. */
#define GASNET_COLL_IN_NOSYNC (1 << 0)
#define GASNET_COLL_IN_MYSYNC (1 << 1)
#define GASNET_COLL_IN_ALLSYNC (1 << 2)
#define GASNET_COLL_OUT_NOSYNC (1 << 3)
#define GASNET_COLL_OUT_MYSYNC (1 << 4)
#define GASNET_COLL_OUT_ALLSYNC (1 << 5)
#define GASNET_COLL_SYNC_FLAG_MASK 0x3F
#define GASNET_COLL_SINGLE (1 << 6)
#define GASNET_COLL_LOCAL (1 << 7)
/* This call and those that follow, up to one without it, have one handle: the last's. */
#define GASNET_COLL_AGGREGATE (1 << 8)
/* Hints. */
#define GASNET_COLL_FIXED_THREADS_PER_NODE (1 << 9)
#define GASNET_COLL_DST_IN_SEGMENT (1 << 10)
#define GASNET_COLL_SRC_IN_SEGMENT (1 << 11)
#define GASNET_COLL_DISABLE_AUTOTUNE (1 << 18)
#define GASNET_COLL_NO_IMAGES (1 << 19) /* of processes, not images */
/* One of them with a scan. */
#define GASNET_COLL_INCLUSIVE_SCAN (1 << 16)
#define GASNET_COLL_EXCLUSIVE_SCAN (1 << 17)
/* Of functions that reduce. */
#define GASNET_COLL_AMSAFE (1 << 0)
#define GASNET_COLL_NONCOMM (1 << 1)

typedef uint32_t gasnet_image_t;
typedef int32_t gasnet_coll_fn_handle_t; /* index into gasnet_coll_init's table */
typedef struct weft_gasnet_coll *gasnet_coll_handle_t;
#define GASNET_COLL_INVALID_HANDLE ((gasnet_coll_handle_t)0)
typedef struct weft_gasnet_team *gasnet_team_handle_t;

/* results[i] = all of left, then right[0] to right[i]. */
typedef void (*gasnet_coll_reduce_fn_t)(void *results, size_t result_count, const void *left,
                                        size_t left_count, const void *right, size_t elem_size,
                                        int flags, int arg);
typedef struct {
  gasnet_coll_reduce_fn_t fnptr;
  unsigned int flags;
} gasnet_coll_fn_entry_t;

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

/* ---- teams ---- */

extern gasnet_team_handle_t weft_gasnet_team_all;
#define GASNET_TEAM_ALL weft_gasnet_team_all

gasnet_team_handle_t gasnet_coll_team_split(gasnet_team_handle_t team, gex_Rank_t color,
                                            gex_Rank_t relrank, void *clientdata);
gex_Rank_t gasnet_coll_team_rank2node(gasnet_team_handle_t team, int rank);
gex_Rank_t gasnet_coll_team_node2rank(gasnet_team_handle_t team, gex_Rank_t node);
gex_Rank_t gasnet_coll_team_size(gasnet_team_handle_t team);

void gasnet_coll_barrier_notify(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier_try(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier_wait(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier_result(gasnet_team_handle_t team, int *id);

/* ---- start, handles ---- */

void gasnet_coll_init(const gasnet_image_t images[], gasnet_image_t my_image,
                      gasnet_coll_fn_entry_t fn_tbl[], size_t fn_count, int init_flags);
int gasnet_coll_try_sync(gasnet_coll_handle_t handle);
int gasnet_coll_try_sync_some(gasnet_coll_handle_t *handles, size_t n);
int gasnet_coll_try_sync_all(gasnet_coll_handle_t *handles, size_t n);
void gasnet_coll_wait_sync(gasnet_coll_handle_t handle);
void gasnet_coll_wait_sync_some(gasnet_coll_handle_t *handles, size_t n);
void gasnet_coll_wait_sync_all(gasnet_coll_handle_t *handles, size_t n);

/* Weft's collectives are tuned by weft-tune and WEFT_COLL_TABLE, and profiled by WEFT_STATS: there
 * is no state of an autotuner to read or write. */
void gasnet_coll_loadTuningState(char *filename, gasnet_team_handle_t team);
void gasnet_coll_dumpTuningState(char *filename, gasnet_team_handle_t team);
void gasnet_coll_dumpProfile(char *filename, gasnet_team_handle_t team);

/* ---- the operations: each name blocking, and with _nb ---- */

#define WEFT_GASNET1_FROM_ROOT(D)                                                                  \
  (gasnet_team_handle_t team, D, gasnet_image_t srcimage, void *src, size_t nbytes, int flags)
#define WEFT_GASNET1_TO_ROOT(S)                                                                    \
  (gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, S, size_t nbytes, int flags)
#define WEFT_GASNET1_TO_ALL(D, S) (gasnet_team_handle_t team, D, S, size_t nbytes, int flags)
#define WEFT_GASNET1_REDUCE(S)                                                                     \
  (gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, S, size_t src_blksz,             \
   size_t src_offset, size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func,           \
   int func_arg, int flags)
#define WEFT_GASNET1_SCAN(D, S)                                                                    \
  (gasnet_team_handle_t team, D, size_t dst_blksz, size_t dst_offset, S, size_t src_blksz,         \
   size_t src_offset, size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func,           \
   int func_arg, int flags)
#define WEFT_GASNET1_COLL(NAME, PARAMS)                                                            \
  void gasnet_coll_##NAME PARAMS;                                                                  \
  gasnet_coll_handle_t gasnet_coll_##NAME##_nb PARAMS;

WEFT_GASNET1_COLL(broadcast, WEFT_GASNET1_FROM_ROOT(void *dst))
WEFT_GASNET1_COLL(broadcastM, WEFT_GASNET1_FROM_ROOT(void *const dstlist[]))
WEFT_GASNET1_COLL(scatter, WEFT_GASNET1_FROM_ROOT(void *dst))
WEFT_GASNET1_COLL(scatterM, WEFT_GASNET1_FROM_ROOT(void *const dstlist[]))
WEFT_GASNET1_COLL(gather, WEFT_GASNET1_TO_ROOT(void *src))
WEFT_GASNET1_COLL(gatherM, WEFT_GASNET1_TO_ROOT(void *const srclist[]))
WEFT_GASNET1_COLL(gather_all, WEFT_GASNET1_TO_ALL(void *dst, void *src))
WEFT_GASNET1_COLL(gather_allM, WEFT_GASNET1_TO_ALL(void *const dstlist[], void *const srclist[]))
WEFT_GASNET1_COLL(exchange, WEFT_GASNET1_TO_ALL(void *dst, void *src))
WEFT_GASNET1_COLL(exchangeM, WEFT_GASNET1_TO_ALL(void *const dstlist[], void *const srclist[]))
WEFT_GASNET1_COLL(reduce, WEFT_GASNET1_REDUCE(void *src))
WEFT_GASNET1_COLL(reduceM, WEFT_GASNET1_REDUCE(void *const srclist[]))
WEFT_GASNET1_COLL(scan, WEFT_GASNET1_SCAN(void *dst, void *src))
WEFT_GASNET1_COLL(scanM, WEFT_GASNET1_SCAN(void *const dstlist[], void *const srclist[]))

#ifdef __cplusplus
}
#endif
WEFT_GEX_END

#endif
