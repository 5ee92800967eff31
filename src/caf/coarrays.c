/*
 * coarrays.c: memory that every image of a team has at the same slot offset (Fortran 2018, 9.7.1.2,
 * 9.7.3.2), and which coarrays a team has, because END TEAM frees them.
 */
#include <stdlib.h>
#include <string.h>

#include "caf/chain.h"
#include "caf/internal.h"
#include "rma/rma.h"
#include "runtime/runtime.h"

static struct {
  bool unnoted; /* some coarray's bounds are not copied yet */
} coarrays;

weft_caf_coarray_t *weft_caf_allocate(size_t size, bool zero, const weft_caf_report_t *report) {
  weft_caf_team_t *team = weft_caf.team;
  if (!weft_caf_meet(team, report, "ALLOCATE")) return NULL;
  weft_caf_coarray_t *c = calloc(1, sizeof *c);
  if (!c) weft_fatal("allocate: this machine is out of memory");
  /* Size 0 has an address of its own, too. */
  c->base = weft_symmetric_alloc(WEFT_CACHELINE, size ? size : 1, "allocate");
  if (!c->base) {
    free(c);
    weft_caf_fail(report, WEFT_CAF_NO_MEMORY, "Failed to allocate coarray");
    return NULL;
  }
  if (zero) memset(c->base, 0, size);
  c->size = size;
  c->team = team;
  c->next = team->coarrays;
  c->self = &team->coarrays;
  if (c->next) c->next->self = &c->next;
  team->coarrays = c;
  coarrays.unnoted = true;
  weft_caf_good(report);
  return c;
}

static void unlink_coarray(weft_caf_coarray_t *c) {
  if (!c->self) return;
  *c->self = c->next;
  if (c->next) c->next->self = c->self;
  c->self = NULL;
}

void weft_caf_deallocate(weft_caf_coarray_t *c, bool forget, const weft_caf_report_t *report) {
  weft_caf_quiet();
  if (!weft_caf_meet(c->team, report, "DEALLOCATE")) return;
  if (c->base) weft_symmetric_free(c->base, "deallocate");
  c->base = NULL;
  weft_caf_good(report);
  if (!forget) return;
  unlink_coarray(c);
  free(c->bounds);
  free(c);
}

/* The compiler fills in the bounds after it has got the memory, and synchronises then. The program
 * may move its descriptor later (move_alloc), so a copy is kept. */
static void note(weft_caf_coarray_t *c) {
  const weft_caf_descriptor_t *d = c->descriptor;
  if (c->bounds || !d || d->base != c->base || d->rank < 0 || d->rank > WEFT_CAF_RANK_MAX) return;
  const size_t bytes = weft_caf_descriptor_bytes(d->rank);
  c->bounds = malloc(bytes);
  if (c->bounds) memcpy(c->bounds, d, bytes);
}

void weft_caf_coarrays_note(void) {
  if (weft_likely(!coarrays.unnoted)) return;
  coarrays.unnoted = false;
  for (weft_caf_coarray_t *c = weft_caf.team->coarrays; c; c = c->next) note(c);
}

/* END TEAM frees what was allocated inside. The program's descriptors must say so, or it would use
 * them on. */
void weft_caf_coarrays_release(weft_caf_team_t *team) {
  while (team->coarrays) {
    weft_caf_coarray_t *c = team->coarrays;
    weft_caf_descriptor_t *d = c->descriptor;
    if (d && d->base == c->base) d->base = NULL;
    weft_caf_deallocate(c, true, &(weft_caf_report_t){0});
  }
}
