/*
 * control.c: sync all, images, memory; locks, critical sections, events; atomic subroutines.
 */
#include <string.h>

#include "caf/gfortran/abi.h"
#include "caf/gfortran/memory.h"

/* gfortran 12 passes the address of errmsg's address to these three. */
static char *text_of(char *errmsg) {
  uintptr_t inner;
  if (!errmsg) return NULL;
  memcpy(&inner, errmsg, sizeof inner);
  return gfc_is_address(inner) ? (char *)inner : errmsg;
}

/* An ALLOCATE with stat= goes on where images have failed; the sync_all that the compiler puts
 * behind it has no stat. */
CAF(void, sync_all, (int *stat, char *errmsg, size_t errmsg_len)) {
  const bool said = gfc_said_failed;
  int found = 0;
  errmsg = text_of(errmsg);
  gfc_said_failed = false;
  if (said && !stat) stat = &found;
  weft_caf_sync_team(weft_caf.team, &REPORT, "SYNC ALL");
}

CAF(void, sync_memory, (int *stat, char *errmsg, size_t errmsg_len)) {
  errmsg = text_of(errmsg);
  weft_caf_sync_memory(&REPORT);
}

CAF(void, sync_images, (int count, int *images, int *stat, char *errmsg, size_t errmsg_len)) {
  errmsg = text_of(errmsg);
  weft_caf_sync_images(count, images, &REPORT);
}

/* PE of an image, 0 being this one; -1: the report has it. */
static int find(const void *token, int image, const weft_caf_report_t *report) {
  if (!gfc_is_allocated(token, report)) return -1;
  if (image == 0) return weft_caf_pe(weft_caf.me);
  return weft_caf_find(NULL, image, report);
}

/* A critical section keeps out all images, whichever team is current (Fortran 2018, 11.1.6), and
 * goes on where its image has failed. */
static int find_lock(void *token, int image, const weft_caf_report_t *report) {
  const weft_caf_coarray_t *c = token;
  return c && c->critical ? weft_caf_team_pe(c->team, image) : find(c, image, report);
}

/* The element of so many bytes that lies `offset` bytes behind the beginning. */
static void *element(const weft_caf_coarray_t *c, size_t offset, size_t bytes) {
  if (weft_caf.check)
    gfc_check_index((ptrdiff_t)(offset / bytes) + 1, 0, 1, (ptrdiff_t)(c->size / bytes));
  return c->base + offset;
}

/* Of locks and events. */
static void *object(const weft_caf_coarray_t *c, size_t index) {
  enum { BYTES = 8 };
  return element(c, BYTES * index, BYTES);
}

CAF(void, lock,
    (void *token, size_t index, int image, int *acquired, int *stat, char *errmsg,
     size_t errmsg_len)) {
  const weft_caf_report_t report = REPORT;
  bool got = false;
  const int pe = find_lock(token, image, &report);
  if (pe < 0) return;
  weft_caf_lock(pe, object(token, index), acquired ? &got : NULL, &report);
  if (acquired) *acquired = got;
}

CAF(void, unlock,
    (void *token, size_t index, int image, int *stat, char *errmsg, size_t errmsg_len)) {
  const weft_caf_report_t report = REPORT;
  const int pe = find_lock(token, image, &report);
  if (pe >= 0) weft_caf_unlock(pe, object(token, index), &report);
}

CAF(void, event_post,
    (void *token, size_t index, int image, int *stat, char *errmsg, size_t errmsg_len)) {
  const weft_caf_report_t report = REPORT;
  const int pe = find(token, image, &report);
  if (pe >= 0) weft_caf_event_post(pe, object(token, index), &report);
}

CAF(void, event_wait,
    (void *token, size_t index, int until, int *stat, char *errmsg, size_t errmsg_len)) {
  const weft_caf_report_t report = REPORT;
  if (gfc_is_allocated(token, &report)) weft_caf_event_wait(object(token, index), until, &report);
}

CAF(void, event_query, (void *token, size_t index, int image, int *count, int *stat)) {
  const weft_caf_report_t report = {.stat = stat};
  const int pe = find(token, image, &report);
  if (pe < 0) return;
  *count = (int)weft_caf_event_query(pe, object(token, index));
  weft_caf_good(&report);
}

/* ---- atomics --------------------------------------------------------------------------------- */

static uint32_t atomic(void *token, size_t offset, int image, enum weft_amo op, uint32_t operand,
                       uint32_t compare, int *stat) {
  const weft_caf_report_t report = {.stat = stat};
  const weft_caf_coarray_t *c = token;
  const int pe = find(token, image, &report);
  if (pe < 0) return 0;
  void *at = element(c, offset, sizeof operand);
  weft_caf_good(&report);
  return (uint32_t)weft_caf_atomic(pe, at, op, sizeof operand, operand, compare);
}

CAF(void, atomic_define,
    (void *token, size_t offset, int image, void *value, int *stat, int type, int kind)) {
  (void)type, (void)kind; /* ATOMIC_INT_KIND and ATOMIC_LOGICAL_KIND are 4 */
  atomic(token, offset, image, WEFT_AMO_SWAP, *(uint32_t *)value, 0, stat);
}

CAF(void, atomic_ref,
    (void *token, size_t offset, int image, void *value, int *stat, int type, int kind)) {
  (void)type, (void)kind;
  *(uint32_t *)value = atomic(token, offset, image, WEFT_AMO_FETCH, 0, 0, stat);
}

CAF(void, atomic_cas,
    (void *token, size_t offset, int image, void *old, void *compare, void *new, int *stat,
     int type, int kind)) {
  (void)type, (void)kind;
  *(uint32_t *)old =
      atomic(token, offset, image, WEFT_AMO_CSWAP, *(uint32_t *)new, *(uint32_t *)compare, stat);
}

CAF(void, atomic_op,
    (int op, void *token, size_t offset, int image, void *value, void *old, int *stat, int type,
     int kind)) {
  static const enum weft_amo ops[] = {
      [1] = WEFT_AMO_ADD, [2] = WEFT_AMO_AND, [3] = WEFT_AMO_OR, [4] = WEFT_AMO_XOR};
  (void)type, (void)kind;
  const uint32_t was = atomic(token, offset, image, ops[op & 7], *(uint32_t *)value, 0, stat);
  if (old) *(uint32_t *)old = was;
}
