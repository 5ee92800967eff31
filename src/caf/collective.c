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

/* With WEFT_CHECK=1 all images call the same, with the same image, size and operation: the team's
 * own collectives see to that, but not where images may fail. */
static void check_same(weft_caf_team_t *team, const char *who, int image, size_t bytes,
                       uint64_t operation) {
  uint64_t digest = 14695981039346656037u; /* FNV-1a */
  if (!weft_caf.check) return;
  for (const char *c = who; *c; c++) digest = (digest ^ (unsigned char)*c) * 1099511628211u;
  const uint64_t values[] = {(uint64_t)image, bytes, operation};
  for (int i = 0; i < 3; i++) digest = (digest ^ values[i]) * 1099511628211u;
  if (!weft_caf_survive_agree(team, digest))
    weft_fatal("%s: another image calls another collective subroutine, or with another image, "
               "size or type",
               who);
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
    check_same(team, "CO_BROADCAST", source_image, bytes, 0);
    const int found = weft_caf_survive_broadcast(team, data, bytes, source_image);
    if (found && !state) weft_caf_met(found, report, "CO_BROADCAST");
  } else if (bytes || weft_caf.check) { /* do the others have something, where here is nothing? */
    weft_op_t op = {0};
    weft_team_name(team->team, "CO_BROADCAST");
    weft_team_broadcast_begin(team->team, source_image - 1, data, data, bytes, &op);
    weft_team_wait(&op);
  }
  if (!mine && copied && bytes) weft_caf_copy(a, &packed);
}

/* Images but the one with the result keep what they have. */
void weft_caf_co_reduce(const weft_caf_section_t *a, int result_image, enum weft_caf_op op,
                        weft_caf_combine_t combine, const void *arg,
                        const weft_caf_report_t *report) {
  static const char *const names[] = {"CO_SUM", "CO_MIN", "CO_MAX", "CO_REDUCE"};
  weft_caf_team_t *team = weft_caf.team;
  const size_t width = a->element.bytes, n = width ? weft_caf_elements(a) : 0;
  const bool mine = result_image == 0 || result_image == team->me;
  const uint64_t operation =
      (uint64_t)op << 32 | (uint64_t)a->element.class << 8 | (uint64_t)a->element.kind;
  weft_caf_section_t packed;
  int state;
  if (result_image && !weft_caf_is_image(result_image)) {
    weft_caf_no_image(result_image, report);
    return;
  }
  if (!weft_caf_gather(team, report, "a collective subroutine", &state)) return;
  if (!n && !weft_caf.check) return; /* else it is looked whether the others have something */
  char *data = open_packed(a, &packed, weft_caf.survive && !mine);
  const bool copied = data != a->at;
  if (copied && n) weft_caf_copy(&packed, a);
  if (weft_caf.survive) {
    check_same(team, names[op], result_image, n * width, operation);
    const int found =
        n ? weft_caf_survive_reduce(team, data, n * width, width, combine, arg) : 0;
    if (found && !state) weft_caf_met(found, report, "a collective subroutine");
  } else {
    const weft_reducer_t how = {.user = combine,
                                .arg = arg,
                                .width = width ? width : 1,
                                .ordered = op == WEFT_CAF_REDUCE,
                                .check = operation};
    weft_op_t done = {0};
    weft_team_name(team->team, names[op]);
    if (result_image)
      weft_team_reduce_begin(team->team, result_image - 1, mine ? data : NULL, data, n, &how,
                             &done);
    else
      weft_team_reduce_all_begin(team->team, data, data, n, &how, &done);
    weft_team_wait(&done);
  }
  if (mine && copied && n) weft_caf_copy(a, &packed);
}
