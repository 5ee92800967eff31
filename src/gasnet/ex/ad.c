/*
 * ad.c: atomic domains, and the functions behind gex_AD_Op* of which the compiler did not know the
 * operation. A domain needs no agreement: every operation on a word is the processor's atomics
 * that do it. So creation and destruction communicate nothing, and all hints are followed.
 */
#include <sched.h>
#include <string.h>

#include "gasnet/ex/ad.h"

/* Valid combinations (gex_OP_t): bitwise operations are for integers. */
static void check_domain(gex_DT_t dt, gex_OP_t ops) {
  const gex_OP_t pairs = GEX_OP_AND | GEX_OP_OR | GEX_OP_XOR | GEX_OP_ADD | GEX_OP_SUB |
                         GEX_OP_MULT | GEX_OP_MIN | GEX_OP_MAX | GEX_OP_INC | GEX_OP_DEC |
                         GEX_OP_SET | GEX_OP_CAS;
  const gex_OP_t all = pairs | GEX_OP_TO_FETCHING(pairs) | GEX_OP_GET;
  const gex_OP_t bitwise = GEX_OP_AND | GEX_OP_OR | GEX_OP_XOR;
  const gex_DT_t real = GEX_DT_FLT | GEX_DT_DBL;
  if ((dt & (dt - 1)) || !(dt & (real | GEX_DT_I32 | GEX_DT_U32 | GEX_DT_I64 | GEX_DT_U64)))
    weft_fatal("gex_AD_Create: data type %#x is none that atomics have", dt);
  if (!ops || (ops & ~all))
    weft_fatal("gex_AD_Create: %#x is no set of operations of atomics", ops & ~all);
  if ((dt & real) && (ops & (bitwise | GEX_OP_TO_FETCHING(bitwise))))
    weft_fatal("gex_AD_Create: bitwise operations on a floating-point type");
}

/* Ranks are PEs, as weft_gex_ad_at sees from the domain's address. */
static bool has_world_ranks(gex_TM_t tm) {
  if (WEFT_GEX_IS_WORLD(tm)) return true;
  return !WEFT_GEX_IS_PAIR(tm) && !tm->pes && tm->start == 0 && (tm->stride == 1 || tm->size == 1);
}

void gex_AD_Create(gex_AD_t *ad_p, gex_TM_t tm, gex_DT_t dt, gex_OP_t ops, gex_Flags_t flags) {
  enum { ALIGN = 128 };
  weft_gex_up("gex_AD_Create");
  weft_gex_given_team(tm, "gex_AD_Create");
  check_domain(dt, ops);
  char *block = weft_handle_new(ALIGN / 2 + sizeof(struct weft_gex_ad), "an atomic domain");
  if (!block) weft_fatal("gex_AD_Create: no memory");
  const bool world = has_world_ranks(tm), crowded = weft_progress_is_crowded();
  gex_AD_t ad = (gex_AD_t)(world && !crowded ? block : block + ALIGN / 2);
  *ad = (struct weft_gex_ad){
      .block = block, .tm = tm, .dt = dt, .ops = ops, .flags = flags, .yields = world && crowded};
  *ad_p = ad;
}

void gex_AD_Destroy(gex_AD_t ad) {
  weft_gex_given(ad, "gex_AD_Destroy");
  weft_handle_free(ad->block);
}

gex_TM_t gex_AD_QueryTM(gex_AD_t ad) {
  weft_gex_given(ad, "gex_AD_QueryTM");
  return ad->tm;
}
gex_DT_t gex_AD_QueryDT(gex_AD_t ad) {
  weft_gex_given(ad, "gex_AD_QueryDT");
  return ad->dt;
}
gex_OP_t gex_AD_QueryOps(gex_AD_t ad) {
  weft_gex_given(ad, "gex_AD_QueryOps");
  return ad->ops;
}
WEFT_GEX_QUERIES(AD)

/* With more PEs than processors programs that spin on a word by atomics would keep the PE that is
 * to change it from running. Their domains look to the inline functions like those of other teams,
 * so they come here, and every 512th of their operations gives way. */
static bool gives_way(gex_AD_t ad, gex_Rank_t rank, void *addr, uintptr_t *at) {
  enum { EVERY = 512 };
  static WEFT_THREAD unsigned done;
  if (!ad || !ad->yields) return false;
  if (__builtin_add_overflow((uintptr_t)addr, weft_gex.disp[rank], at)) return false;
  if (++done % EVERY == 0) {
    weft_gex_poll();
    sched_yield();
  }
  return true;
}

/* An operand as the layers below want it: little endian, as all our machines are. */
static inline uint64_t bits_of(const void *operand, size_t width) {
  uint64_t bits = 0;
  memcpy(&bits, operand, width);
  return bits;
}

#define OPERATION(name, RET, N, T, done, elsewhere)                                                \
  WEFT_API RET name##_##N WEFT_GEX_AD_PARAMS(T) {                                                  \
    uintptr_t at;                                                                                  \
    if ((weft_likely(weft_gex_ad_at(ad, tgt_rank, tgt_addr, flags, &at)) ||                        \
         gives_way(ad, tgt_rank, tgt_addr, &at)) &&                                                \
        weft_gex_ad_here_##N((T *)at, result_p, opcode, operand1, operand2, flags))                \
      return done;                                                                                 \
    const weft_gex_amo_t amo = {.ad = ad,                                                          \
                                .dt = GEX_DT_##N,                                                  \
                                .op = opcode,                                                      \
                                .rank = tgt_rank,                                                  \
                                .flags = flags,                                                    \
                                .target = (uintptr_t)tgt_addr,                                     \
                                .result = result_p,                                                \
                                .a = bits_of(&operand1, sizeof operand1),                          \
                                .b = bits_of(&operand2, sizeof operand2)};                         \
    return elsewhere(&amo);                                                                        \
  }
#define BOTH(N, T, KIND)                                                                           \
  OPERATION(weft_gex_ad_nb, gex_Event_t, N, T, GEX_EVENT_INVALID, weft_gex_amo_nb)                 \
  OPERATION(weft_gex_ad_nbi, int, N, T, 0, weft_gex_amo_nbi)
WEFT_GEX_AD_TYPES(BOTH)
