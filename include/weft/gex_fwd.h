/*
 * weft/gex_fwd.h: the simple types and constants of GASNet-EX 0.19, in the numeric layout that
 * clients assert. Only defines and typedefs, safe to include from anywhere: gasnet_fwd.h is this
 * file. It must not need a thread mode or any other header of ours.
 */
#ifndef WEFT_GEX_FWD_H
#define WEFT_GEX_FWD_H

#include <stdint.h>

typedef uint32_t gex_Rank_t;
#define GEX_RANK_INVALID (~(gex_Rank_t)0)

typedef uint16_t gex_EP_Index_t;
#define GEX_EP_INDEX_INVALID ((gex_EP_Index_t)0xffff)
typedef struct {
  gex_Rank_t gex_rank;
  gex_EP_Index_t gex_ep_index;
} gex_EP_Location_t;

/* The values that events and pointers to events have beside real ones. */
typedef struct weft_gex_event *gex_Event_t;
#define GEX_EVENT_INVALID ((gex_Event_t)(uintptr_t)0)
#define GEX_EVENT_NO_OP ((gex_Event_t)(uintptr_t)1)
#define GEX_EVENT_NOW ((gex_Event_t *)(uintptr_t)1)
#define GEX_EVENT_DEFER ((gex_Event_t *)(uintptr_t)2)
#define GEX_EVENT_GROUP ((gex_Event_t *)(uintptr_t)3)

typedef void *gex_Addr_t;

/* ---- data types: a bit each ---- */

typedef uint32_t gex_DT_t;
#define GEX_DT_I32 (1 << 0)
#define GEX_DT_U32 (1 << 1)
#define GEX_DT_I64 (1 << 2)
#define GEX_DT_U64 (1 << 3)
#define GEX_DT_FLT (1 << 4)
#define GEX_DT_DBL (1 << 5)
#define GEX_DT_USER (1 << 6)

/* ---- operations: a bit each; the fetching form of one is 15 bits further up ---- */

typedef uint32_t gex_OP_t;
#define GEX_OP_AND (1 << 0)
#define GEX_OP_OR (1 << 1)
#define GEX_OP_XOR (1 << 2)
#define GEX_OP_ADD (1 << 3)
#define GEX_OP_SUB (1 << 4)
#define GEX_OP_MULT (1 << 5)
#define GEX_OP_MIN (1 << 6)
#define GEX_OP_MAX (1 << 7)
#define GEX_OP_INC (1 << 8)
#define GEX_OP_DEC (1 << 9)
#define GEX_OP_SET (1 << 10)
#define GEX_OP_CAS (1 << 11)
#define GEX_OP_FAND (1 << 15)
#define GEX_OP_FOR (1 << 16)
#define GEX_OP_FXOR (1 << 17)
#define GEX_OP_FADD (1 << 18)
#define GEX_OP_FSUB (1 << 19)
#define GEX_OP_FMULT (1 << 20)
#define GEX_OP_FMIN (1 << 21)
#define GEX_OP_FMAX (1 << 22)
#define GEX_OP_FINC (1 << 23)
#define GEX_OP_FDEC (1 << 24)
#define GEX_OP_SWAP (1 << 25)
#define GEX_OP_FCAS (1 << 26)
#define GEX_OP_GET (1 << 27)
#define GEX_OP_USER (1 << 30)
#define GEX_OP_USER_NC (1U << 31)
#define GEX_OP_CSWAP GEX_OP_FCAS /* deprecated name */
#define GEX_OP_TO_FETCHING(op) ((op) << 15)
#define GEX_OP_TO_NONFETCHING(op) ((op) >> 15)

/* ---- flags: each group is for other functions, so bits repeat ---- */

typedef uint32_t gex_Flags_t;
#define GEX_FLAG_IMMEDIATE (1U << 0)
/* Copying decides itself; these are hints that nothing needs. */
#define GEX_FLAG_LC_COPY_YES (1U << 1)
#define GEX_FLAG_LC_COPY_NO (1U << 2)
#define GEX_FLAG_SELF_SEG_UNKNOWN (1U << 3)
#define GEX_FLAG_SELF_SEG_SOME (1U << 4)
#define GEX_FLAG_SELF_SEG_BOUND (1U << 5)
#define GEX_FLAG_SELF_SEG_OFFSET (1U << 6)
#define GEX_FLAG_PEER_SEG_UNKNOWN (1U << 7)
#define GEX_FLAG_PEER_SEG_SOME (1U << 8)
#define GEX_FLAG_PEER_SEG_BOUND (1U << 9)
#define GEX_FLAG_PEER_SEG_OFFSET (1U << 10)
#define GEX_FLAG_PEER_NEVER_NBRHD (1U << 14)
#define GEX_FLAG_PEER_NEVER_SELF (1U << 15)
#define GEX_FLAG_ENABLE_LEAF_LC (1U << 11)
/* active messages: limits; registration */
#define GEX_FLAG_AM_PREPARE_LEAST_CLIENT (1U << 11)
#define GEX_FLAG_AM_PREPARE_LEAST_ALLOC (1U << 12)
#define GEX_FLAG_AM_SHORT (1U << 0)
#define GEX_FLAG_AM_MEDIUM (1U << 1)
#define GEX_FLAG_AM_LONG (1U << 2)
#define GEX_FLAG_AM_MEDLONG (GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_LONG)
#define GEX_FLAG_AM_REQUEST (1U << 3)
#define GEX_FLAG_AM_REPLY (1U << 4)
#define GEX_FLAG_AM_REQREP (GEX_FLAG_AM_REQUEST | GEX_FLAG_AM_REPLY)
/* atomics: of an operation; of a domain */
#define GEX_FLAG_AD_REL (1U << 1)
#define GEX_FLAG_AD_ACQ (1U << 2)
#define GEX_FLAG_AD_MY_RANK (1U << 11)
#define GEX_FLAG_AD_MY_NBRHD (1U << 12)
#define GEX_FLAG_AD_FAVOR_MY_RANK (1U << 0)
#define GEX_FLAG_AD_FAVOR_MY_NBRHD (1U << 1)
#define GEX_FLAG_AD_FAVOR_REMOTE (1U << 2)
#define GEX_FLAG_RANK_IS_JOBRANK (1U << 13)
/* clients */
#define GEX_FLAG_USES_GASNET1 (1U << 0)
#define GEX_FLAG_DEFER_THREADS (1U << 1)
/* teams */
#define GEX_FLAG_TM_SCRATCH_SIZE_MIN (1U << 0)
#define GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED (1U << 1)
#define GEX_FLAG_TM_GLOBAL_SCRATCH (1U << 2)
#define GEX_FLAG_TM_LOCAL_SCRATCH (1U << 3)
#define GEX_FLAG_TM_SYMMETRIC_SCRATCH (1U << 4)
#define GEX_FLAG_TM_NO_SCRATCH (1U << 5)
#define GEX_FLAG_SCRATCH_SEG_OFFSET (1U << 6)
#define GEX_FLAG_GLOBALLY_QUIESCED (1U << 13)
/* endpoints */
#define GEX_FLAG_HINT_ACCEL_AD (1U << 0)
#define GEX_FLAG_HINT_ACCEL_COLL (1U << 1)
#define GEX_FLAG_HINT_ACCEL_ALL ((1U << 2) - 1)

typedef uint32_t gex_EP_Capabilities_t;
#define GEX_EP_CAPABILITY_RMA (1U << 0)
#define GEX_EP_CAPABILITY_AM (1U << 1)
#define GEX_EP_CAPABILITY_VIS (1U << 2)
#define GEX_EP_CAPABILITY_COLL (1U << 3)
#define GEX_EP_CAPABILITY_AD (1U << 4)
#define GEX_EP_CAPABILITY_ALL ((1U << 5) - 1)

#endif
