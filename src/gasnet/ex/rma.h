/*
 * rma.h: what rma.c, value.c and one/rma.c share: where a rank's memory is, and puts and gets
 * of memory that is not here.
 */
#ifndef WEFT_GASNET_RMA_H
#define WEFT_GASNET_RMA_H

#include "gasnet/ex/internal.h"
#include "trace/trace.h"

/* Memory of a PE: its address here, or NULL, and its slot offset. */
typedef struct weft_gex_place {
  int pe;
  uintptr_t off;
  void *here;
} weft_gex_place_t;

/* ---- rma.c ---- */

/* Calls are looked at first: with WEFT_CHECK=1, or because there is no client yet. */
extern bool weft_gex_looks __attribute__((visibility("hidden")));
/* With WEFT_CHECK=1 ends the job unless the n bytes are in the segment of that endpoint. */
weft_gex_place_t weft_gex_find(gex_TM_t tm, gex_Rank_t rank, const void *address, size_t n,
                               const char *who);
/* The same for the slot offset that weft_gex_at has given. */
weft_gex_place_t weft_gex_place_at(int pe, uintptr_t off, size_t n, const char *who);
/* For WEFT_CHECK=1: the n bytes must lie in the segment that is bound to the PE's endpoint. */
WEFT_COLD void weft_gex_check_place(const weft_gex_place_t *place, unsigned index, size_t n,
                                    const char *who);
/* To and from memory on this node. */
void weft_gex_copy_to(const weft_gex_place_t *to, const void *src, size_t n, const char *who);
void weft_gex_copy_from(void *dest, const weft_gex_place_t *from, size_t n, const char *who);
/* The functions of GASNet under the name of one. 1, or GEX_EVENT_NO_OP: with GEX_FLAG_IMMEDIATE,
 * and nothing was done. how: WEFT_GEX_HOW, of which the two below are the parts. */
int weft_gex_put_as(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t n,
                    gex_Flags_t flags, const char *who);
int weft_gex_get_as(gex_TM_t tm, void *dest, gex_Rank_t rank, void *src, size_t n,
                    gex_Flags_t flags, const char *who);
gex_Event_t weft_gex_put_nb_as(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t n,
                               gex_Event_t *lc_opt, gex_Flags_t flags, const char *who);
int weft_gex_put_nbi_to(const weft_gex_place_t *to, const void *src, size_t n, unsigned long how,
                        const char *who);
static inline gex_Event_t *weft_gex_how_lc(unsigned long how) {
  return (gex_Event_t *)(how & 3);
}
static inline unsigned long weft_gex_how_flags(unsigned long how) {
  return how >> 2;
}

/* The arguments of weft_puts_inject, on the stack over the call. */
typedef struct weft_gex_injected {
  size_t n;
  unsigned long pe;
  uintptr_t off;
  union { /* not first: a compiler would keep its address, the structure's, in a register */
    const void *src;
    gex_RMA_Value_t value;
  } data;
} weft_gex_injected_t;
__attribute__((noinline)) int weft_gex_injected(const weft_gex_injected_t *put, ssize_t rc,
                                                bool is_value);

/* What the functions with _away leave. */
WEFT_COLD int weft_gex_put_nbi_at(gex_TM_t unused, unsigned long pe, uintptr_t off, const void *src,
                                  size_t n);
WEFT_COLD int weft_gex_put_nbi_value_at(gex_TM_t unused, unsigned long pe, uintptr_t off,
                                        gex_RMA_Value_t value, size_t n);

/* An operation is recorded until the end of the block; `place` is where. */
#define WEFT_GEX_SPAN(kind, who, n, place) WEFT_SPAN_TO(kind, who, n, (place).pe, 0)

#endif
