/*
 * weft/gex_event.h: GASNet-EX, events and implicit-event synchronisation. Include <gasnetex.h>
 * instead.
 */
#ifndef WEFT_GEX_EVENT_H
#define WEFT_GEX_EVENT_H

#include <weft/gex_types.h>

/* Categories of events, a bit each. */
typedef unsigned int gex_EC_t;
#define GEX_EC_PUT ((gex_EC_t)1 << 0)
#define GEX_EC_LC ((gex_EC_t)1 << 1)
#define GEX_EC_GET ((gex_EC_t)1 << 2)
#define GEX_EC_RMW ((gex_EC_t)1 << 3)
#define GEX_EC_AM ((gex_EC_t)1 << 4)
#define GEX_EC_ALL (~(gex_EC_t)0)

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

/* The categories in which this thread may have something that is not synchronised. Nothing that was
 * done on this node ever comes here. */
extern __thread gex_EC_t weft_gex_open __attribute__((tls_model("initial-exec")));

/* What the inline functions below leave to the library. */
int weft_gex_event_test(gex_Event_t event);
void weft_gex_event_wait(gex_Event_t event);
int weft_gex_nbi_test(gex_EC_t categories);
void weft_gex_nbi_wait(gex_EC_t categories);
void weft_gex_nbi_wait_puts(void);

/* Operations on this node are complete when they return; what came before a sync must be seen
 * before what comes after it. */
WEFT_DIRECT_INLINE void weft_gex_ordered(void) {
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
}

/* A test makes progress, but is no poll: no handler of active messages runs. */

/* ---- one event ---- */

WEFT_GEX_INLINE int gex_Event_Test(gex_Event_t event) {
  if (event != GEX_EVENT_INVALID) return weft_gex_event_test(event);
  weft_gex_ordered();
  return GASNET_OK;
}

WEFT_GEX_INLINE void gex_Event_Wait(gex_Event_t event) {
  if (event != GEX_EVENT_INVALID)
    weft_gex_event_wait(event);
  else
    weft_gex_ordered();
}

gex_Event_t gex_Event_QueryLeaf(gex_Event_t root, gex_EC_t category);

/* ---- arrays of them: complete ones become GEX_EVENT_INVALID ---- */

int gex_Event_TestSome(gex_Event_t *events, size_t n, gex_Flags_t flags);
void gex_Event_WaitSome(gex_Event_t *events, size_t n, gex_Flags_t flags);
int gex_Event_TestAll(gex_Event_t *events, size_t n, gex_Flags_t flags);
void gex_Event_WaitAll(gex_Event_t *events, size_t n, gex_Flags_t flags);

/* ---- implicit events of this thread ---- */

WEFT_GEX_INLINE int gex_NBI_Test(gex_EC_t categories, gex_Flags_t flags) {
  (void)flags;
  if (__builtin_expect(weft_gex_open & categories, 0)) return weft_gex_nbi_test(categories);
  weft_gex_ordered();
  return GASNET_OK;
}

WEFT_GEX_INLINE void gex_NBI_Wait(gex_EC_t categories, gex_Flags_t flags) {
  (void)flags;
  if (__builtin_expect(weft_gex_open & categories, 0)) {
    if (__builtin_constant_p(categories) && categories == GEX_EC_PUT)
      weft_gex_nbi_wait_puts();
    else
      weft_gex_nbi_wait(categories);
  }
  weft_gex_ordered();
}

void gex_NBI_BeginAccessRegion(gex_Flags_t flags);
gex_Event_t gex_NBI_EndAccessRegion(gex_Flags_t flags);

#ifdef __cplusplus
}
#endif
WEFT_GEX_END

#endif
