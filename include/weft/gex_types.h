/*
 * weft/gex_types.h: what all chapters of gasnetex.h share: the thread mode, handles, object types,
 * and how functions are defined that are inline here and symbols in the library. Include
 * <gasnetex.h> instead.
 */
#ifndef WEFT_GEX_TYPES_H
#define WEFT_GEX_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include <weft/direct.h>
#include <weft/gex_fwd.h>

/* ---- thread mode ---------------------------------------------------------------------------- */

/* WEFT_GEX_THREADS: client threads may be in the library at a time. */
#if defined(GASNET_SEQ) + defined(GASNET_PARSYNC) + defined(GASNET_PAR) != 1
#error Define exactly one of GASNET_SEQ, GASNET_PAR and GASNET_PARSYNC before gasnetex.h or gasnet.h
#elif defined(GASNET_SEQ)
#undef GASNET_SEQ
#define GASNET_SEQ 1
#define WEFT_GEX_MODE 0
#define WEFT_GEX_THREADS 0
#elif defined(GASNET_PARSYNC)
#undef GASNET_PARSYNC
#define GASNET_PARSYNC 1
#define WEFT_GEX_MODE 1
#define WEFT_GEX_THREADS 0
#else
#undef GASNET_PAR
#define GASNET_PAR 1
#define WEFT_GEX_MODE 2
#define WEFT_GEX_THREADS 1
#endif

/* A public function that is small enough to be inline. src/gasnet/ex/symbols.c defines this as
 * "export a symbol" and includes everything: so each is a symbol as well. Private helpers of such
 * functions are WEFT_DIRECT_INLINE. */
#ifndef WEFT_GEX_INLINE
#define WEFT_GEX_INLINE extern inline __attribute__((gnu_inline, always_inline))
#endif

#define WEFT_GEX_BEGIN _Pragma("GCC visibility push(default)")
#define WEFT_GEX_END _Pragma("GCC visibility pop")

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

/* ---- status --------------------------------------------------------------------------------- */

#define GASNET_OK 0
#define GASNET_ERR_NOT_INIT 10001
#define GASNET_ERR_RESOURCE 10002
#define GASNET_ERR_BAD_ARG 10003
#define GASNET_ERR_NOT_READY 10004
#define GASNET_ERR_BARRIER_MISMATCH 10005

/* ---- handles -------------------------------------------------------------------------------- */

typedef struct weft_gex_client *gex_Client_t;
typedef struct weft_gex_ep *gex_EP_t;
typedef struct weft_gex_segment *gex_Segment_t;
typedef struct weft_gex_tm *gex_TM_t;
typedef struct weft_gex_mk *gex_MK_t;
typedef struct weft_gex_token *gex_Token_t;
typedef struct weft_gex_srcdesc *gex_AM_SrcDesc_t;
#define GEX_CLIENT_INVALID ((gex_Client_t)(uintptr_t)0)
#define GEX_EP_INVALID ((gex_EP_t)(uintptr_t)0)
#define GEX_SEGMENT_INVALID ((gex_Segment_t)(uintptr_t)0)
#define GEX_TM_INVALID ((gex_TM_t)(uintptr_t)0)
#define GEX_MK_INVALID ((gex_MK_t)(uintptr_t)0)
#define GEX_MK_HOST ((gex_MK_t)(uintptr_t)1)
#define GEX_AM_SRCDESC_NO_OP ((gex_AM_SrcDesc_t)(uintptr_t)0)

typedef uint64_t gex_RMA_Value_t;
#define SIZEOF_GEX_RMA_VALUE_T 8

typedef struct {
  void *gex_addr;
  size_t gex_len;
} gex_Memvec_t;

/* ---- active messages ------------------------------------------------------------------------ */

typedef uint8_t gex_AM_Index_t;
typedef int32_t gex_AM_Arg_t;
#define GEX_AM_INDEX_BASE 128

#pragma GCC diagnostic push
#ifndef __cplusplus
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#endif
typedef void (*gex_AM_Fn_t)(); /* any parameters: in C no cast is wanted */
#pragma GCC diagnostic pop

typedef struct {
  gex_AM_Index_t gex_index; /* 0: any */
  gex_AM_Fn_t gex_fnptr;
  gex_Flags_t gex_flags; /* GEX_FLAG_AM_{SHORT,MEDIUM,LONG,MEDLONG} | GEX_FLAG_AM_{REQUEST,...} */
  unsigned int gex_nargs;
  const void *gex_cdata;
  const char *gex_name;
} gex_AM_Entry_t;

typedef struct {
  gex_Rank_t gex_srcrank;
  gex_EP_t gex_ep;
  const gex_AM_Entry_t *gex_entry;
  int gex_is_req;
  int gex_is_long;
} gex_Token_Info_t;

typedef unsigned int gex_TI_t;
#define GEX_TI_SRCRANK ((gex_TI_t)1 << 0)
#define GEX_TI_ENTRY ((gex_TI_t)1 << 1)
#define GEX_TI_IS_REQ ((gex_TI_t)1 << 2)
#define GEX_TI_IS_LONG ((gex_TI_t)1 << 3)
#define GEX_TI_EP ((gex_TI_t)1 << 4)
#define GEX_TI_ALL (((gex_TI_t)1 << 5) - 1)

/* ---- teams ---------------------------------------------------------------------------------- */

/* A gex_TM_t is one of
 *   - the primordial team's object, at 128 bytes' alignment: a rank is a PE; or with WEFT_CHECK=1
 *     where others are, so that inline functions leave every call to the library;
 *   - another team's object, at 64 modulo 128;
 *   - a TM-pair, which is no object: bit 0 is set, the local endpoint's index is in bits 8 to 19,
 *     the remote one's in bits 20 to 35. A rank is a PE.
 * Nothing of an object changes after its creation but cdata. */
struct weft_gex_tm {
  gex_Rank_t rank, size;
  const gex_Rank_t *pes; /* of each rank; NULL: start + rank * stride */
  gex_Rank_t start;
  int stride;
  gex_EP_t ep;
  const void *cdata;
  gex_Flags_t flags;
  struct weft_gex_team *team; /* what the collectives keep */
};

/* Is a rank of this team a PE? */
#define WEFT_GEX_IS_WORLD(tm) (((uintptr_t)(tm)&127) == 0)
#define WEFT_GEX_IS_PAIR(tm) ((uintptr_t)(tm)&1)

/* The PE of a rank, of any kind of gex_TM_t. With WEFT_CHECK=1 a rank that is not there ends the
 * job. */
long weft_gex_pe(gex_TM_t tm, gex_Rank_t rank);

/* ---- what inline functions see of the library ----------------------------------------------- */

/* disp: per PE, added to an address as that PE sees it: no carry, and the sum is the address here;
 * or a carry, and it is a slot offset (weft/direct.h): the PE is elsewhere, or operations are
 * recorded, or address randomisation left no way to say it in one addition. So a function that is
 * given a slot offset may find the PE on this node. With WEFT_CHECK=1 all entries are the same:
 * every address but those of the first page carries, and the sum is no slot offset. Before there is
 * a client there are 4096 entries, with which every address but NULL carries. */
struct weft_gex {
  const uintptr_t *disp;
  gex_TM_t tm0; /* the primordial team; NULL before there is a client */
  int threads;  /* WEFT_GEX_THREADS of the client */
};
extern struct weft_gex weft_gex;

/* Where an address of a PE is: true and the address here, or false and the slot offset. It is an
 * address of the segment of the PE's primordial endpoint, or any of its window. */
WEFT_DIRECT_INLINE int weft_gex_at(const volatile void *address, long pe, uintptr_t *at) {
  return !__builtin_add_overflow((uintptr_t)address, weft_gex.disp[pe], at);
}

/* The PE of a rank, without a call for the primordial team. */
WEFT_DIRECT_INLINE long weft_gex_to(gex_TM_t tm, gex_Rank_t rank) {
  return __builtin_expect(WEFT_GEX_IS_WORLD(tm), 1) ? (long)rank : weft_gex_pe(tm, rank);
}

/* The same, where an address of that rank's endpoint goes with it: the address becomes one for
 * weft_gex_at. Only a TM-pair can make it another: memory of the client's that is the segment of an
 * endpoint other than the primordial one. Everything that takes a remote address begins with this.
 */
long weft_gex_target(gex_TM_t tm, gex_Rank_t rank, uintptr_t *address);
WEFT_DIRECT_INLINE long weft_gex_reach(gex_TM_t tm, gex_Rank_t rank, uintptr_t *address) {
  return __builtin_expect(WEFT_GEX_IS_WORLD(tm), 1) ? (long)rank
                                                    : weft_gex_target(tm, rank, address);
}

#ifdef __cplusplus
}
#endif
WEFT_GEX_END

#endif
