/*
 * sync.c: SYNC statements, locks, critical constructs, events, notifications, atomic subroutines
 * (PRIF 0.8, the chapters of these names). Objects are 8 bytes, 0 at first.
 */
#include "caf/prif/glue.h"

void weft_prif_sync_memory(void) {
  weft_prif_team_of(NULL, "prif_sync_memory");
  weft_caf_sync_memory(weft_prif_report());
}

int weft_prif_sync_team(void *info) {
  weft_caf_sync_team(weft_prif_team_of(info, "prif_sync_team")->team, weft_prif_report(), "SYNC");
  return weft_prif_code();
}

/* n -1: all images. */
int weft_prif_sync_images(int n, const int *images) {
  weft_prif_team_of(NULL, "prif_sync_images");
  weft_caf_sync_images(n, images, weft_prif_report());
  return weft_prif_code();
}

/* ---- locks and critical constructs ----------------------------------------------------------- */

/* acquired NULL: wait for it. */
int weft_prif_lock(int image, void *handle, intptr_t at, bool *acquired) {
  weft_prif_place_t place;
  const int code = weft_prif_find_object(&place, image, handle, at, "prif_lock");
  if (code) return code;
  weft_caf_lock(place.pe, place.here, acquired, weft_prif_report());
  return weft_prif_code_of_lock();
}

int weft_prif_unlock(int image, void *handle, intptr_t at) {
  weft_prif_place_t place;
  const int code = weft_prif_find_object(&place, image, handle, at, "prif_unlock");
  if (code) return code;
  weft_caf_unlock(place.pe, place.here, weft_prif_report());
  return weft_prif_code_of_lock();
}

/* The lock is the one on the first image of the team that allocated the coarray. It is used on
 * where that image has failed. */
static weft_prif_place_t critical_place(void *handle, const char *who) {
  const weft_prif_coarray_t *c = weft_prif_coarray_of(handle, who);
  return (weft_prif_place_t){.pe = weft_caf_team_pe(c->team->team, 1), .here = c->data};
}

int weft_prif_critical(void *handle) {
  const weft_prif_place_t place = critical_place(handle, "prif_critical");
  weft_caf_lock(place.pe, place.here, NULL, weft_prif_report());
  return weft_prif_code_of_lock();
}

int weft_prif_end_critical(void *handle) {
  const weft_prif_place_t place = critical_place(handle, "prif_end_critical");
  weft_caf_unlock(place.pe, place.here, weft_prif_report());
  return weft_prif_code_of_lock();
}

/* ---- events and notifications ---------------------------------------------------------------- */

/* with_stat: the program is told if the image has stopped; of another node that is a round trip. */
int weft_prif_event_post(int image, void *handle, intptr_t at, bool with_stat) {
  const weft_caf_report_t none = {0};
  weft_prif_place_t place;
  const int code = weft_prif_find_object(&place, image, handle, at, "prif_event_post");
  if (code) return code;
  weft_caf_event_post(place.pe, place.here, with_stat ? weft_prif_report() : &none);
  return with_stat ? weft_prif_code() : PRIF_GOOD;
}

/* An image waits for and asks after its own only. */
static int own(weft_prif_place_t *place, void *event, const char *who) {
  const int me = weft_caf.initial ? weft_caf_team_me(weft_caf.initial) : 0;
  return weft_prif_find_object(place, me, NULL, (intptr_t)event, who);
}

int weft_prif_event_wait(void *event, int64_t until) {
  weft_prif_place_t place;
  const int code = own(&place, event, "prif_event_wait");
  if (code) return code;
  weft_caf_event_wait(place.here, until > 1 ? until : 1, weft_prif_report());
  return weft_prif_code();
}

int weft_prif_event_query(void *event, int64_t *count) {
  weft_prif_place_t place;
  const int code = own(&place, event, "prif_event_query");
  if (code) return code;
  *count = weft_caf_event_query(place.pe, place.here);
  return PRIF_GOOD;
}

/* ---- atomic subroutines ---------------------------------------------------------------------- */

/* op: in the order of the parameters in prif.F90. */
int weft_prif_atomic(int op, int image, void *handle, intptr_t at, int64_t operand, int64_t compare,
                     int64_t *old) {
  static const enum weft_amo ops[] = {WEFT_AMO_FETCH, WEFT_AMO_SWAP, WEFT_AMO_CSWAP, WEFT_AMO_ADD,
                                      WEFT_AMO_AND,   WEFT_AMO_OR,   WEFT_AMO_XOR};
  weft_prif_place_t place;
  const int code = weft_prif_find_object(&place, image, handle, at, "an atomic subroutine");
  if (code) return code;
  const uint64_t was = weft_caf_atomic(place.pe, place.here, ops[op], sizeof was, (uint64_t)operand,
                                       (uint64_t)compare);
  if (old) *old = (int64_t)was;
  return PRIF_GOOD;
}
