/*
 * register.c: register and deregister: coarrays, locks and events, components.
 */
#include <stdlib.h>
#include <string.h>

#include "caf/gfortran/abi.h"
#include "caf/gfortran/memory.h"

enum { OBJECT = 8 /* bytes of a lock or an event */ };

bool gfc_said_failed;

/* gfortran uses the types of coarrays for components too: the token's place tells. */
static void component(size_t size, bool allocate, void **token, gfc_t *d,
                      const weft_caf_report_t *report) {
  weft_caf_component_known(token, d->rank > 0 ? d : NULL, allocate);
  *token = NULL;
  if (allocate) {
    void *p = weft_caf_component(token, size);
    if (!p) {
      const char *why = weft_caf_component_shortage();
      weft_caf_fail(report, WEFT_CAF_NO_MEMORY, "Failed to allocate coarray%s%s", why ? ": " : "",
                    why ? why : "");
      return;
    }
    *token = p;
    d->base = p;
  }
  weft_caf_good(report);
}

/* Nobody deregisters it, so the next one at this place is the same object. */
static void map_existing(void **token, const gfc_t *d) {
  static weft_caf_coarray_t *all;
  const weft_caf_coarray_t *of = *token;
  weft_caf_coarray_t *c = all;
  while (c && c->token != token) c = c->next;
  if (!c) {
    c = weft_caf_need(calloc(1, sizeof *c), "register");
    c->token = token;
    c->next = all;
    all = c;
  }
  c->base = d->base;
  c->size = of->size - (size_t)(c->base - of->base);
  c->element = of->element;
  c->team = of->team;
  *token = c;
}

/* With any stat but 0 gfortran leaves the bounds as they were, and does not come to the statement's
 * next object. So of images that have failed the next SYNC tells, not ALLOCATE. */
static weft_caf_coarray_t *allocate(size_t size, bool zero, const weft_caf_report_t *report) {
  int state = 0, n = 128;
  char text[128];
  if (!report->stat) return weft_caf_allocate(size, zero, report);
  gfc_said_failed = weft_caf.survive;
  weft_caf_coarray_t *c =
      weft_caf_allocate(size, zero, &(weft_caf_report_t){&state, text, sizeof text});
  while (state && n > 0 && text[n - 1] == ' ') n--;
  if (c)
    weft_caf_good(report);
  else
    weft_caf_fail(report, state, "%.*s", n, text);
  return c;
}

CAF(void, register,
    (size_t size, int type, void **token, gfc_t *d, int *stat, char *errmsg, size_t errmsg_len)) {
  const weft_caf_report_t report = {stat, errmsg, errmsg_len};
  gfc_start();
  if (type == MAP_EXISTING) {
    map_existing(token, d);
    weft_caf_good(&report);
    return;
  }
  if (type >= COMPONENT_REGISTER || (type == COARRAY_ALLOC && weft_caf_is_component(token))) {
    component(size, type != COMPONENT_REGISTER, token, d, &report);
    return;
  }
  const bool objects = type >= LOCK_STATIC;
  weft_caf_coarray_t *c = allocate(objects ? size * OBJECT : size, objects, &report);
  if (!c) return;
  c->token = token;
  c->critical = type == CRITICAL;
  if (!objects && d->type > 0 && d->type <= GFC_CHARACTER && d->type != GFC_DERIVED)
    c->element = d->elem_len;
  /* A static coarray's descriptor is a constructor's local variable. */
  if (type == COARRAY_ALLOC || type == LOCK_ALLOC || type == EVENT_ALLOC) c->descriptor = d;
  *token = c;
  d->base = c->base;
}

/* A descriptor ends with the token, and move_alloc copies both, so it may not be the one of
 * ALLOCATE; but it has as many dimensions and codimensions. */
static void find_descriptor(weft_caf_coarray_t *c, void **token) {
  const size_t bytes = (uintptr_t)c->token - (uintptr_t)c->descriptor;
  if (!c->descriptor || !c->base || bytes < weft_caf_descriptor_bytes(1) ||
      bytes > weft_caf_descriptor_bytes(WEFT_CAF_RANK_MAX))
    return;
  gfc_t *d = (gfc_t *)((char *)token - bytes);
  if (d->base != c->base) return;
  c->descriptor = d;
  c->token = token;
}

CAF(void, deregister, (void **token, int type, int *stat, char *errmsg, size_t errmsg_len)) {
  const weft_caf_report_t report = {stat, errmsg, errmsg_len};
  if (weft_caf_is_component(token)) {
    weft_caf_component_free(token, *token);
    *token = NULL;
    weft_caf_good(&report);
  } else if (*token) {
    weft_caf_coarray_t *c = *token;
    find_descriptor(c, token);
    weft_caf_deallocate(c, type == 0, &report);
    if (type == 0) *token = NULL;
  }
}
