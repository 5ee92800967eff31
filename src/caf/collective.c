/*
 * collective.c: co_broadcast, co_sum, co_min, co_max, co_reduce (Fortran 2018, 16.6) on any memory
 * of the image: it is packed, goes through symmetric memory in pieces, and is unpacked. Operands
 * are combined in the order of the images.
 */
#include <stdlib.h>
#include <string.h>

#include "caf/internal.h"

enum { PIECE = WEFT_CAF_PIECE };

/* What is being combined: weft_combine_t has no argument. */
static struct {
  weft_caf_combine_t combine;
  void *arg;
  char *memory;
  size_t bytes;
} now;

static void combine_now(void *inout, const void *in, size_t n) {
  now.combine(now.arg, inout, in, n);
}

/* Packed elements of `a`, or where they are if they lie so already. */
static char *open_packed(const weft_caf_section_t *a, weft_caf_section_t *packed) {
  const size_t bytes = weft_caf_elements(a) * a->element.bytes;
  if (bytes > now.bytes) {
    free(now.memory);
    now.memory = malloc(bytes);
    now.bytes = bytes;
    if (!now.memory) weft_fatal("a collective subroutine on %zu bytes: no memory", bytes);
  }
  packed->element = a->element;
  weft_caf_pack(packed, a, now.memory);
  return now.memory;
}

static bool begin(const weft_caf_report_t *report, const char *what) {
  return weft_caf_meet(weft_caf.team, report, what);
}

void weft_caf_co_broadcast(const weft_caf_section_t *a, int source_image,
                           const weft_caf_report_t *report) {
  const weft_caf_team_t *team = weft_caf.team;
  if (!weft_caf_is_image(source_image)) {
    weft_caf_no_image(source_image, report);
    return;
  }
  if (!begin(report, "CO_BROADCAST")) return;
  const bool mine = source_image == team->me;
  const size_t bytes = weft_caf_elements(a) * a->element.bytes;
  weft_caf_section_t packed;
  char *data = open_packed(a, &packed);
  if (mine) weft_caf_copy(&packed, a);
  for (size_t at = 0; at < bytes; at += PIECE) {
    const size_t n = bytes - at < PIECE ? bytes - at : PIECE;
    char *piece = weft_caf_shared->piece;
    if (mine) memcpy(piece, data + at, n);
    weft_coll_broadcast(team->coll, piece, piece, n, source_image - 1, true);
    if (!mine) memcpy(data + at, piece, n);
    weft_coll_sync(team->coll); /* before the piece is written again */
  }
  if (!mine && bytes) weft_caf_copy(a, &packed);
  weft_caf_good(report);
}

void weft_caf_co_reduce(const weft_caf_section_t *a, int result_image, weft_caf_combine_t combine,
                        void *arg, const weft_caf_report_t *report) {
  const weft_caf_team_t *team = weft_caf.team;
  const size_t width = a->element.bytes, elements = weft_caf_elements(a);
  if (result_image && !weft_caf_is_image(result_image)) {
    weft_caf_no_image(result_image, report);
    return;
  }
  if (!begin(report, "a collective subroutine")) return;
  weft_caf_section_t packed;
  char *data = open_packed(a, &packed);
  const size_t most = width < PIECE ? PIECE / width : 1;
  if (width > PIECE) weft_fatal("a collective subroutine: an element of %zu bytes", width);
  now.combine = combine;
  now.arg = arg;
  if (elements) weft_caf_copy(&packed, a);
  for (size_t i = 0; i < elements; i += most) {
    const size_t n = elements - i < most ? elements - i : most;
    char *piece = weft_caf_shared->piece;
    memcpy(piece, data + i * width, n * width);
    weft_coll_reduce(team->coll, piece, piece, n, width, combine_now);
    memcpy(data + i * width, piece, n * width);
    if (elements > most) weft_coll_sync(team->coll);
  }
  if (elements && (result_image == 0 || result_image == team->me)) weft_caf_copy(a, &packed);
  weft_caf_good(report);
}
