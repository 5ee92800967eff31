/*
 * collective.c: co_broadcast, co_sum, co_min, co_max, co_reduce (Fortran 2018, 16.6) on any memory
 * of the image: by the team's begun collectives, where the elements lie if they lie one behind the
 * other.
 */
#include <stdlib.h>
#include <string.h>

#include "caf/internal.h"

static char *memory; /* for elements that do not */
static size_t room;

/* Elements of `a` one behind the other: themselves, or with `copy` a copy of them. */
static char *open_packed(const weft_caf_section_t *a, weft_caf_section_t *packed, bool copy) {
  const size_t bytes = weft_caf_elements(a) * a->element.bytes;
  packed->element = a->element;
  if (!copy && weft_caf_is_block(a)) {
    *packed = *a;
    return a->at;
  }
  if (bytes > room) {
    free(memory);
    memory = weft_caf_need(malloc(bytes), "a collective subroutine");
    room = bytes;
  }
  weft_caf_pack(packed, a, memory);
  return memory;
}

void weft_caf_co_broadcast(const weft_caf_section_t *a, int source_image,
                           const weft_caf_report_t *report) {
  weft_caf_team_t *team = weft_caf.team;
  const size_t bytes = weft_caf_elements(a) * a->element.bytes;
  weft_caf_section_t packed;
  int state;
  if (!weft_caf_is_image(source_image)) {
    weft_caf_no_image(source_image, report);
    return;
  }
  if (!weft_caf_gather(team, report, "CO_BROADCAST", &state)) return;
  char *data = open_packed(a, &packed, false);
  const bool copied = data != a->at, mine = source_image == team->me;
  if (mine && copied && bytes) weft_caf_copy(&packed, a);
  if (weft_caf.survive) {
    const int found = weft_caf_survive_broadcast(team, data, bytes, source_image);
    if (found && !state) weft_caf_met(found, report, "CO_BROADCAST");
  } else if (bytes) {
    weft_op_t op = {0};
    weft_team_broadcast_begin(team->team, source_image - 1, data, data, bytes, &op);
    weft_team_wait(&op);
  }
  if (!mine && copied && bytes) weft_caf_copy(a, &packed);
}

/* Images but the one with the result keep what they have. */
void weft_caf_co_reduce(const weft_caf_section_t *a, int result_image, weft_caf_combine_t combine,
                        const void *arg, const weft_caf_report_t *report) {
  weft_caf_team_t *team = weft_caf.team;
  const size_t width = a->element.bytes, elements = weft_caf_elements(a);
  const bool mine = result_image == 0 || result_image == team->me;
  weft_caf_section_t packed;
  int state;
  if (result_image && !weft_caf_is_image(result_image)) {
    weft_caf_no_image(result_image, report);
    return;
  }
  if (!weft_caf_gather(team, report, "a collective subroutine", &state) || !elements) return;
  char *data = open_packed(a, &packed, weft_caf.survive && !mine);
  const bool copied = data != a->at;
  if (copied) weft_caf_copy(&packed, a);
  if (weft_caf.survive) {
    const int found = weft_caf_survive_reduce(team, data, elements * width, width, combine, arg);
    if (found && !state) weft_caf_met(found, report, "a collective subroutine");
  } else {
    const weft_reducer_t how = {.user = combine, .arg = arg, .width = width, .ordered = true};
    weft_op_t op = {0};
    if (result_image)
      weft_team_reduce_begin(team->team, result_image - 1, mine ? data : NULL, data, elements, &how,
                             &op);
    else
      weft_team_reduce_all_begin(team->team, data, data, elements, &how, &op);
    weft_team_wait(&op);
  }
  if (mine && copied) weft_caf_copy(a, &packed);
}
