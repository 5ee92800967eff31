/*
 * weft/gex_ad.h: GASNet-EX 0.19, "Remote Atomic Operations". Include <gasnet_ratomic.h> instead.
 *
 * On a node these are the processor's atomics on the target's memory; the helper of another node
 * uses the same ones, and so do OpenSHMEM's. So every atomic is atomic to every other, whatever
 * domain or interface it comes through.
 */
/* ---- For I32, U32, I64, U64, FLT, DBL (T is int32_t ... double):
 *   gex_Event_t gex_AD_OpNB_I32(gex_AD_t ad, T *result_p, gex_Rank_t tgt_rank, void *tgt_addr,
 *                               gex_OP_t opcode, T operand1, T operand2, gex_Flags_t flags);
 *   int gex_AD_OpNBI_I32(the same arguments);
 */
#ifndef WEFT_GEX_AD_H
#define WEFT_GEX_AD_H

#include <weft/gex_types.h>

/* X(name, C type, what has the operations in the processor: INT or REAL) */
#define WEFT_GEX_AD_TYPES(X)                                                                       \
  X(I32, int32_t, INT)                                                                             \
  X(U32, uint32_t, INT)                                                                            \
  X(I64, int64_t, INT)                                                                             \
  X(U64, uint64_t, INT)                                                                            \
  X(FLT, float, REAL)                                                                              \
  X(DBL, double, REAL)

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

/* Aligned to 128 bytes if the ranks of its team are PEs, and else at 64 modulo 128. */
typedef struct weft_gex_ad *gex_AD_t;
#define GEX_AD_INVALID ((gex_AD_t)0)

void gex_AD_Create(gex_AD_t *ad_p, gex_TM_t tm, gex_DT_t dt, gex_OP_t ops, gex_Flags_t flags);
void gex_AD_Destroy(gex_AD_t ad);
gex_Flags_t gex_AD_QueryFlags(gex_AD_t ad);
gex_TM_t gex_AD_QueryTM(gex_AD_t ad);
gex_DT_t gex_AD_QueryDT(gex_AD_t ad);
gex_OP_t gex_AD_QueryOps(gex_AD_t ad);
void gex_AD_SetCData(gex_AD_t ad, const void *val);
void *gex_AD_QueryCData(gex_AD_t ad);

/* Is the target in this process's memory, and where? 0 also where that takes longer to find out. */
WEFT_DIRECT_INLINE int weft_gex_ad_at(gex_AD_t ad, gex_Rank_t rank, void *addr, gex_Flags_t flags,
                                      uintptr_t *at) {
  if (!(flags & GEX_FLAG_RANK_IS_JOBRANK) && ((uintptr_t)ad & 127)) return 0;
  return !__builtin_add_overflow((uintptr_t)addr, weft_gex.disp[rank], at);
}

/* Read-modify-write instructions order both ways; a load that releases and a store that acquires
 * need a fence. */
#define WEFT_GEX_AD_GET(at, result, flags)                                                         \
  do {                                                                                             \
    if ((flags)&GEX_FLAG_AD_REL) __atomic_thread_fence(__ATOMIC_SEQ_CST);                          \
    __atomic_load(at, result, __ATOMIC_ACQUIRE);                                                   \
  } while (0)
#define WEFT_GEX_AD_SET(at, value, flags)                                                          \
  do {                                                                                             \
    __atomic_store(at, value, __ATOMIC_RELEASE);                                                   \
    if ((flags)&GEX_FLAG_AD_ACQ) __atomic_thread_fence(__ATOMIC_SEQ_CST);                          \
  } while (0)

/* One operation with and without its result. */
#define WEFT_GEX_AD_BOTH(OP, builtin, value)                                                       \
  case GEX_OP_F##OP: *result = builtin(at, value, __ATOMIC_ACQ_REL); return 1;                     \
  case GEX_OP_##OP:                                                                                \
    (void)builtin(at, value, __ATOMIC_ACQ_REL);                                                    \
    return 1;

#define WEFT_GEX_AD_ACCESS                                                                         \
  case GEX_OP_GET: WEFT_GEX_AD_GET(at, result, flags); return 1;                                   \
  case GEX_OP_SET: WEFT_GEX_AD_SET(at, &a, flags); return 1;                                       \
  case GEX_OP_SWAP:                                                                                \
    __atomic_exchange(at, &a, result, __ATOMIC_ACQ_REL);                                           \
    return 1;

#define WEFT_GEX_AD_OPS_REAL WEFT_GEX_AD_ACCESS
#define WEFT_GEX_AD_OPS_INT                                                                        \
  WEFT_GEX_AD_ACCESS                                                                               \
  WEFT_GEX_AD_BOTH(ADD, __atomic_fetch_add, a)                                                     \
  WEFT_GEX_AD_BOTH(SUB, __atomic_fetch_sub, a)                                                     \
  WEFT_GEX_AD_BOTH(INC, __atomic_fetch_add, 1)                                                     \
  WEFT_GEX_AD_BOTH(DEC, __atomic_fetch_sub, 1)                                                     \
  WEFT_GEX_AD_BOTH(AND, __atomic_fetch_and, a)                                                     \
  WEFT_GEX_AD_BOTH(OR, __atomic_fetch_or, a)                                                       \
  WEFT_GEX_AD_BOTH(XOR, __atomic_fetch_xor, a)                                                     \
  case GEX_OP_FCAS:                                                                                \
    __atomic_compare_exchange_n(at, &a, b, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);                 \
    *result = a;                                                                                   \
    return 1;                                                                                      \
  case GEX_OP_CAS:                                                                                 \
    __atomic_compare_exchange_n(at, &a, b, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);                 \
    return 1;

/* weft_gex_ad_here_I32(...): do it on this node if it is one instruction of the processor's; else
 * 0.
 */
#define WEFT_GEX_AD_HERE(N, T, KIND)                                                               \
  WEFT_DIRECT_INLINE int weft_gex_ad_here_##N(T *at, T *result, gex_OP_t op, T a, T b,             \
                                              gex_Flags_t flags) {                                 \
    (void)b;                                                                                       \
    switch (op) { WEFT_GEX_AD_OPS_##KIND default : return 0; }                                     \
  }
WEFT_GEX_AD_TYPES(WEFT_GEX_AD_HERE)

/* What the compiler knows to be one instruction is inline; everything else is
 * weft_gex_ad_nb_I32(...) and weft_gex_ad_nbi_I32(...). */
#define WEFT_GEX_AD_PARAMS(T)                                                                      \
  (gex_AD_t ad, T * result_p, gex_Rank_t tgt_rank, void *tgt_addr, gex_OP_t opcode, T operand1,    \
   T operand2, gex_Flags_t flags)
#define WEFT_GEX_AD_BODY(N, T, done, elsewhere)                                                    \
  uintptr_t at;                                                                                    \
  if (__builtin_constant_p(opcode) &&                                                              \
      __builtin_expect(weft_gex_ad_at(ad, tgt_rank, tgt_addr, flags, &at), 1) &&                   \
      weft_gex_ad_here_##N((T *)at, result_p, opcode, operand1, operand2, flags))                  \
    return done;                                                                                   \
  return elsewhere##_##N(ad, result_p, tgt_rank, tgt_addr, opcode, operand1, operand2, flags);

#define WEFT_GEX_AD_FUNCTIONS(N, T, KIND)                                                          \
  gex_Event_t weft_gex_ad_nb_##N WEFT_GEX_AD_PARAMS(T);                                            \
  int weft_gex_ad_nbi_##N WEFT_GEX_AD_PARAMS(T);                                                   \
  gex_Event_t gex_AD_OpNB_##N WEFT_GEX_AD_PARAMS(T);                                               \
  int gex_AD_OpNBI_##N WEFT_GEX_AD_PARAMS(T);                                                      \
  WEFT_GEX_INLINE gex_Event_t gex_AD_OpNB_##N WEFT_GEX_AD_PARAMS(T){WEFT_GEX_AD_BODY(              \
      N, T, GEX_EVENT_INVALID, weft_gex_ad_nb)} WEFT_GEX_INLINE int gex_AD_OpNBI_##N               \
  WEFT_GEX_AD_PARAMS(T) {                                                                          \
    WEFT_GEX_AD_BODY(N, T, 0, weft_gex_ad_nbi)                                                     \
  }
WEFT_GEX_AD_TYPES(WEFT_GEX_AD_FUNCTIONS)

#ifdef __cplusplus
}
#endif
WEFT_GEX_END

#endif
