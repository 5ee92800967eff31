/*
 * handler.c: registration of handlers. The messages' layer calls a handler of the primordial
 * endpoint itself; with WEFT_CHECK=1 a function here stands between, which compares the message
 * with what was promised at registration.
 */
#include "am/am.h"
#include "gasnet/ex/internal.h"

enum { FIRST = GEX_AM_INDEX_BASE, ARGS = 16 };

/* ---- WEFT_CHECK=1 ---------------------------------------------------------------------------- */

static const char *category_name(int category) {
  static const char *const names[] = {"short", "medium", "long"};
  return names[category];
}

void weft_gex_check_promises(const gex_AM_Entry_t *e, const weft_token_t *t, int category,
                             int nargs) {
  const unsigned kind = t->is_request ? GEX_FLAG_AM_REQUEST : GEX_FLAG_AM_REPLY;
  const char *name = e->gex_name ? e->gex_name : "no name";
  if (!e->gex_flags) return; /* GASNet-1 promises nothing */
  if (!(e->gex_flags & GEX_FLAG_AM_SHORT << category) || !(e->gex_flags & kind))
    weft_fatal("active message from PE %u: handler %d (%s) is not registered for a %s %s", t->from,
               e->gex_index, name, category_name(category), t->is_request ? "request" : "reply");
  if ((int)e->gex_nargs != nargs)
    weft_fatal("active message from PE %u: handler %d (%s) is registered with %u arguments, and "
               "was sent %d",
               t->from, e->gex_index, name, e->gex_nargs, nargs);
}

static const gex_AM_Entry_t *kept(const weft_token_t *t) {
  const gex_AM_Entry_t *e = &weft_gex_ep0.handlers[t->handler - FIRST];
  weft_gex_check_promises(e, t, t->category, t->nargs);
  return e;
}

/* Called with as many arguments as the message has: the others are never looked at. */
static void checked_short(weft_token_t *t, int32_t a0, int32_t a1, int32_t a2, int32_t a3,
                          int32_t a4, int32_t a5, int32_t a6, int32_t a7, int32_t a8, int32_t a9,
                          int32_t a10, int32_t a11, int32_t a12, int32_t a13, int32_t a14,
                          int32_t a15) {
  const int32_t a[ARGS] = {a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15};
  weft_gex_call(kept(t)->gex_fnptr, t, t->category, t->nargs, NULL, 0, a);
}

static void checked_payload(weft_token_t *t, void *p, size_t n, int32_t a0, int32_t a1, int32_t a2,
                            int32_t a3, int32_t a4, int32_t a5, int32_t a6, int32_t a7, int32_t a8,
                            int32_t a9, int32_t a10, int32_t a11, int32_t a12, int32_t a13,
                            int32_t a14, int32_t a15) {
  const int32_t a[ARGS] = {a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15};
  weft_gex_call(kept(t)->gex_fnptr, t, t->category, t->nargs, p, n, a);
}

/* ---- the call -------------------------------------------------------------------------------- */

void weft_gex_call(gex_AM_Fn_t f, void *token, int category, int nargs, void *p, size_t n,
                   const int32_t *a) {
  if (category == WEFT_AM_SHORT) {
    switch (nargs) {
#define CALL(M)                                                                                    \
  case M: ((void (*)(void *WEFT_AM_TYPES_##M))f)(token WEFT_AM_ITEMS_##M); break;
      WEFT_AM_ARITIES(CALL)
#undef CALL
    }
    return;
  }
  switch (nargs) {
#define CALL(M)                                                                                    \
  case M:                                                                                          \
    ((void (*)(void *, void *, size_t WEFT_AM_TYPES_##M))f)(token, p, n WEFT_AM_ITEMS_##M);        \
    break;
    WEFT_AM_ARITIES(CALL)
#undef CALL
  }
}

const gex_AM_Entry_t *weft_gex_entry(gex_EP_t ep, int handler) {
  const int at = handler - FIRST;
  if (!ep || at < 0 || at >= WEFT_GEX_HANDLERS) return NULL;
  if (ep->handlers[at].gex_fnptr) return &ep->handlers[at];
  return weft_gex_ep0.handlers[at].gex_fnptr ? &weft_gex_ep0.handlers[at] : NULL;
}

/* ---- registration ---------------------------------------------------------------------------- */

static void enter(gex_EP_t ep, int index, const gex_AM_Entry_t *e) {
  gex_AM_Entry_t *kept_entry = &ep->handlers[index - FIRST];
  *kept_entry = *e;
  kept_entry->gex_index = (gex_AM_Index_t)index;
  if (ep->index != 0) return; /* am_endpoint.c finds it in the table */
  weft_am_handler_t f = (weft_am_handler_t)e->gex_fnptr;
  if (weft_options.check && e->gex_flags)
    f = (e->gex_flags & GEX_FLAG_AM_SHORT) ? (weft_am_handler_t)checked_short
                                           : (weft_am_handler_t)checked_payload;
  weft_am_register(index, f);
}

static void leave(gex_EP_t ep, int index) {
  ep->handlers[index - FIRST] = (gex_AM_Entry_t){0};
  if (ep->index == 0) weft_am_register(index, NULL);
}

static const char *wrong(const gex_AM_Entry_t *e) {
  if (!e->gex_fnptr) return "no function";
  if (e->gex_index && e->gex_index < FIRST) return "indices below 128 are not the client's";
  if (e->gex_nargs > ARGS) return "more than 16 arguments";
  const gex_Flags_t category = e->gex_flags & (GEX_FLAG_AM_SHORT | GEX_FLAG_AM_MEDLONG);
  if (!category || ((category & GEX_FLAG_AM_SHORT) && category != GEX_FLAG_AM_SHORT))
    return "flags must have one of GEX_FLAG_AM_SHORT, MEDIUM, LONG, MEDLONG";
  if (!(e->gex_flags & GEX_FLAG_AM_REQREP))
    return "flags must have one of GEX_FLAG_AM_REQUEST, REPLY, REQREP";
  if (e->gex_flags & ~(gex_Flags_t)(GEX_FLAG_AM_SHORT | GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REQREP))
    return "unknown flags";
  return NULL;
}

/* Those with an index first, then the others in order, each at the highest index that is free. All
 * of them, or none. */
int weft_gex_register(gex_EP_t ep, gex_AM_Entry_t *table, size_t n, bool promises,
                      const char *who) {
  for (size_t i = 0; i < n; i++) {
    const char *why = promises ? wrong(&table[i]) : table[i].gex_fnptr ? NULL : "no function";
    if (!promises && table[i].gex_index && table[i].gex_index < FIRST)
      why = "indices below 128 are not the client's";
    if (why) return weft_gex_error(GASNET_ERR_BAD_ARG, who, "entry %zu: %s", i, why);
  }
  int rc = GASNET_OK, entered[WEFT_GEX_HANDLERS], count = 0;
  weft_lock(&ep->lock);
  for (size_t i = 0; i < n && rc == GASNET_OK; i++) {
    if (!table[i].gex_index) continue;
    if (ep->handlers[table[i].gex_index - FIRST].gex_fnptr)
      rc = weft_gex_error(GASNET_ERR_BAD_ARG, who, "handler %d is registered already",
                          table[i].gex_index);
    else
      enter(ep, entered[count++] = table[i].gex_index, &table[i]);
  }
  int next = 255;
  for (size_t i = 0; i < n && rc == GASNET_OK; i++) {
    if (table[i].gex_index) continue;
    while (next >= FIRST && ep->handlers[next - FIRST].gex_fnptr) next--;
    if (next < FIRST) {
      rc = weft_gex_error(GASNET_ERR_RESOURCE, who, "all %d handlers are taken", WEFT_GEX_HANDLERS);
    } else {
      enter(ep, entered[count++] = next, &table[i]);
      table[i].gex_index = (gex_AM_Index_t)next;
    }
  }
  while (rc != GASNET_OK && count > 0) leave(ep, entered[--count]);
  weft_unlock(&ep->lock);
  return rc;
}

void weft_gex_unregister(gex_EP_t ep, const gex_AM_Entry_t *table, size_t n) {
  weft_lock(&ep->lock);
  for (size_t i = 0; i < n; i++) leave(ep, table[i].gex_index);
  weft_unlock(&ep->lock);
}

WEFT_API int gex_EP_RegisterHandlers(gex_EP_t ep, gex_AM_Entry_t *table, size_t numentries) {
  const char *who = "gex_EP_RegisterHandlers";
  weft_gex_up(who);
  if (!ep || (numentries && !table))
    return weft_gex_error(GASNET_ERR_BAD_ARG, who, "no endpoint, or no table");
  if (!(ep->capabilities & GEX_EP_CAPABILITY_AM))
    return weft_gex_error(GASNET_ERR_BAD_ARG, who,
                          "endpoint %u was created without "
                          "GEX_EP_CAPABILITY_AM",
                          ep->index);
  return weft_gex_register(ep, table, numentries, true, who);
}
