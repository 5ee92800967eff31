/*
 * job.c: GASNet-1's job calls: ranks and nodes, segments of all PEs, errors, waiting. A
 * GASNet-1 client is a GASNet-EX client whose primordial objects the calls go to.
 */
#include <stdlib.h>
#include <string.h>

#include "am/am.h"
#include "gasnet/ex/internal.h"
#include "gasnet/tools/tools.h"

WEFT_API void (*gasnet_client_attach_hook)(void *addr, uintptr_t size);

/* ---- beginning ------------------------------------------------------------------------------- */

WEFT_API int weft_gasnet1_init(int *argc, char ***argv, int mode) {
  return weft_gex_client_init(NULL, NULL, NULL, "LEGACY", argc, argv, GEX_FLAG_USES_GASNET1, mode);
}

WEFT_API int gasnet_attach(gasnet_handlerentry_t *table, int numentries, uintptr_t segsize,
                           uintptr_t minheapoffset) {
  const char *who = "gasnet_attach";
  gex_AM_Entry_t entries[WEFT_GEX_HANDLERS] = {{0}};
  (void)minheapoffset;
  if (!weft_gex.tm0) return weft_gex_error(GASNET_ERR_NOT_INIT, who, "call gasnet_init before");
  if (weft_gex_attached)
    return weft_gex_error(GASNET_ERR_NOT_INIT, who, "there is a segment already");
  if (numentries < 0 || numentries > WEFT_GEX_HANDLERS || (numentries && !table))
    return weft_gex_error(GASNET_ERR_BAD_ARG, who, "%d entries", numentries);
  for (int i = 0; i < numentries; i++) {
    entries[i].gex_index = table[i].index;
    entries[i].gex_fnptr = table[i].fnptr;
  }
  weft_am_hold(true);
  int rc = weft_gex_register(&weft_gex_ep0, entries, (size_t)numentries, false, who);
  for (int i = 0; rc == GASNET_OK && i < numentries; i++) table[i].index = entries[i].gex_index;
  if (rc == GASNET_OK) {
    rc = weft_gex_attach(NULL, weft_gex.tm0, segsize, who);
    if (rc != GASNET_OK) weft_gex_unregister(&weft_gex_ep0, entries, (size_t)numentries);
  }
  weft_am_hold(false);
  return rc;
}

WEFT_API void gasnet_QueryGexObjects(gex_Client_t *client_p, gex_EP_t *endpoint_p, gex_TM_t *tm_p,
                                     gex_Segment_t *segment_p) {
  weft_gex_up("gasnet_QueryGexObjects");
  if (client_p) *client_p = &weft_gex_client;
  if (endpoint_p) *endpoint_p = &weft_gex_ep0;
  if (tm_p) *tm_p = weft_gex.tm0;
  if (segment_p) *segment_p = weft_gex_ep0.segment;
}

/* ---- ranks and nodes ------------------------------------------------------------------------- */

WEFT_API gasnet_node_t gasnet_mynode(void) {
  weft_gex_up("gasnet_mynode");
  return (gasnet_node_t)weft_job.pe;
}

WEFT_API gasnet_node_t gasnet_nodes(void) {
  weft_gex_up("gasnet_nodes");
  return (gasnet_node_t)weft_job.npes;
}

WEFT_API uintptr_t gasnet_getMaxLocalSegmentSize(void) {
  weft_gex_up("gasnet_getMaxLocalSegmentSize");
  return weft_gex_segment_max;
}

WEFT_API uintptr_t gasnet_getMaxGlobalSegmentSize(void) {
  weft_gex_up("gasnet_getMaxGlobalSegmentSize");
  return weft_gex_segment_least;
}

WEFT_API int gasnet_getSegmentInfo(gasnet_seginfo_t *seginfo_table, int numentries) {
  const char *who = "gasnet_getSegmentInfo";
  weft_gex_up(who);
  const int n = numentries < weft_job.npes ? numentries : weft_job.npes;
  if (n < 0 || (n && !seginfo_table))
    return weft_gex_error(GASNET_ERR_BAD_ARG, who, "%d entries", numentries);
  if (!weft_gex_attached && !weft_gex_ep0.segment)
    return weft_gex_error(GASNET_ERR_NOT_INIT, who, "no segment is attached");
  weft_am_hold(true); /* clients make their tables of this: no message may come before it returns */
  for (int pe = 0; pe < n; pe++) {
    weft_gex_card_t card;
    weft_gex_card_get(pe, 0, false, &card);
    seginfo_table[pe].addr = (void *)(uintptr_t)card.addr;
    seginfo_table[pe].size = card.size;
  }
  weft_am_hold(false);
  return GASNET_OK;
}

WEFT_API int gasnet_getNodeInfo(gasnet_nodeinfo_t *nodeinfo_table, int numentries) {
  const char *who = "gasnet_getNodeInfo";
  weft_gex_up(who);
  const int n = numentries < weft_job.npes ? numentries : weft_job.npes;
  if (n < 0 || (n && !nodeinfo_table))
    return weft_gex_error(GASNET_ERR_BAD_ARG, who, "%d entries", numentries);
  for (int pe = 0; pe < n; pe++) {
    nodeinfo_table[pe].host = nodeinfo_table[pe].supernode = weft_job.where[pe].node;
    nodeinfo_table[pe].offset = weft_gex_offset(pe);
  }
  return GASNET_OK;
}

/* ---- errors, environment --------------------------------------------------------------------- */

#define ERRORS(X)                                                                                  \
  X(GASNET_OK, "no error")                                                                         \
  X(GASNET_ERR_NOT_INIT, "GASNet is not initialised, or was initialised before")                   \
  X(GASNET_ERR_RESOURCE, "a resource that was asked for is not there")                             \
  X(GASNET_ERR_BAD_ARG, "an argument is invalid")                                                  \
  X(GASNET_ERR_NOT_READY, "the operation is not complete")                                         \
  X(GASNET_ERR_BARRIER_MISMATCH, "the barrier's identifiers differ")

WEFT_API const char *gasnet_ErrorName(int errval) {
  switch (errval) {
#define NAME(value, text)                                                                          \
  case value: return #value;
    ERRORS(NAME)
#undef NAME
  default: return "*unknown*";
  }
}

WEFT_API const char *gasnet_ErrorDesc(int errval) {
  switch (errval) {
#define TEXT(value, text)                                                                          \
  case value: return text;
    ERRORS(TEXT)
#undef TEXT
  default: return "no such GASNet error";
  }
}

WEFT_API char *gasnet_getenv(const char *s) {
  return gasnett_getenv(s);
}

/* ---- progress -------------------------------------------------------------------------------- */

WEFT_API int gasnet_AMPoll(void) {
  weft_gex_up("gasnet_AMPoll");
  weft_gex_poll();
  return GASNET_OK;
}

/* Every wait of Weft's pauses first and yields soon, and naps where there are more PEs than
 * processors: SPIN changes nothing of that. With BLOCK it naps everywhere. */
WEFT_API int gasnet_set_waitmode(int mode) {
  if (mode != GASNET_WAIT_SPIN && mode != GASNET_WAIT_BLOCK && mode != GASNET_WAIT_SPINBLOCK)
    return weft_gex_error(GASNET_ERR_BAD_ARG, "gasnet_set_waitmode", "%d is no mode", mode);
  weft_wait_naps(mode == GASNET_WAIT_BLOCK);
  return GASNET_OK;
}

WEFT_API void weft_gex_block_step(unsigned *steps) {
  static WEFT_THREAD weft_wait_t wait; /* it knows the connections that were there */
  wait.idle = *steps;
  weft_wait_poll(&wait);
  *steps = wait.idle;
}

/* ---- locks ----------------------------------------------------------------------------------- */

#define FORWARD(NAME, EX)                                                                          \
  WEFT_API void gasnet_hsl_##NAME(gasnet_hsl_t *hsl) {                                             \
    gex_HSL_##EX(hsl);                                                                             \
  }
FORWARD(init, Init)
FORWARD(destroy, Destroy)
FORWARD(lock, Lock)
FORWARD(unlock, Unlock)
WEFT_API int gasnet_hsl_trylock(gasnet_hsl_t *hsl) {
  return gex_HSL_Trylock(hsl);
}
WEFT_API void gasnet_hold_interrupts(void) {}
WEFT_API void gasnet_resume_interrupts(void) {}

/* ---- active messages ------------------------------------------------------------------------- */

WEFT_API size_t gasnet_AMMaxArgs(void) {
  return gex_AM_MaxArgs();
}
WEFT_API size_t gasnet_AMMaxMedium(void) {
  size_t request = gex_AM_LUBRequestMedium(), reply = gex_AM_LUBReplyMedium();
  return request < reply ? request : reply;
}
WEFT_API size_t gasnet_AMMaxLongRequest(void) {
  return gex_AM_LUBRequestLong();
}
WEFT_API size_t gasnet_AMMaxLongReply(void) {
  return gex_AM_LUBReplyLong();
}
WEFT_API int gasnet_AMGetMsgSource(gasnet_token_t token, gasnet_node_t *srcindex) {
  weft_gex_given(token, "gasnet_AMGetMsgSource");
  *srcindex = ((const weft_token_t *)token)->from;
  return GASNET_OK;
}
