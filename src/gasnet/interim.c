/* interim.c: stands in for event.c and nbi.c until these are here; theirs win, then this goes. */
#include <stdlib.h>

#include "gasnet/internal.h"

#define WEAK __attribute__((weak))

WEAK weft_gex_event_t *weft_gex_event_new(void) {
  weft_gex_event_t *e = aligned_alloc(64, sizeof *e);
  if (!e) weft_fatal("no memory for an event");
  *e = (weft_gex_event_t){0};
  e->part[0].pending = 1;
  return e;
}
WEAK void weft_gex_event_free(weft_gex_event_t *e) {
  free(e);
}
WEAK bool weft_gex_event_ready(gex_Event_t event) {
  for (int i = 0; i < WEFT_GEX_PARTS; i++)
    if (!weft_gex_op_done(&event->part[i])) return false;
  return true;
}
WEAK int weft_gex_event_test(gex_Event_t event) {
  weft_gex_poll();
  if (!weft_gex_event_ready(event)) return GASNET_ERR_NOT_READY;
  weft_gex_event_free(event);
  return GASNET_OK;
}
WEAK void weft_gex_event_wait(gex_Event_t event) {
  for (unsigned steps = 0; weft_gex_event_test(event);) weft_gex_wait_step(&steps);
}
static weft_op_t ams;
WEAK __thread gex_EC_t weft_gex_open;
WEAK weft_op_t *weft_gex_nbi_op(gex_EC_t category) {
  weft_gex_open |= category;
  return &ams;
}
WEAK int weft_gex_nbi_test(gex_EC_t categories) {
  (void)categories;
  weft_gex_poll();
  return weft_gex_op_done(&ams) ? GASNET_OK : GASNET_ERR_NOT_READY;
}
WEAK void weft_gex_nbi_wait(gex_EC_t categories) {
  for (unsigned steps = 0; weft_gex_nbi_test(categories);) weft_gex_wait_step(&steps);
}
WEAK int weft_gex_pending_advance(void) {
  return 0;
}
WEAK void weft_gex_wait_step(unsigned *steps) {
  weft_gex_poll();
  weft_am_poll_step(steps);
}
