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

/* The initial team's is the symmetric heap's. Of another team image 1 gets an offset that is free
 * on all PEs and tells the others. */
static char *team_alloc(weft_caf_team_t *team, size_t size) {
  if (!team->parent) return weft_symmetric_alloc(WEFT_CACHELINE, size, "allocate");
  uint64_t off = team->me == 1 ? weft_global_alloc(WEFT_CACHELINE, size) : 0;
  char *piece = weft_caf_shared->piece;
  memcpy(piece, &off, sizeof off);
  weft_coll_broadcast(team->coll, piece, piece, sizeof off, 0, true);
  memcpy(&off, piece, sizeof off);
  weft_coll_sync(team->coll);
  return off ? (char *)(weft_job.window.base + off) : NULL;
}

/* All images of the team are here. */
static void team_free(weft_caf_team_t *team, char *base) {
  if (!team->parent)
    weft_symmetric_free(base, "deallocate");
  else if (team->me == 1)
    weft_global_free(weft_job_offset(base));
}

weft_caf_coarray_t *weft_caf_allocate(size_t size, bool zero, const weft_caf_report_t *report) {
  weft_caf_team_t *team = weft_caf.team;
  if (!weft_caf_meet(team, report, "ALLOCATE")) return NULL;
  weft_caf_coarray_t *c = calloc(1, sizeof *c);
  if (!c) weft_fatal("allocate: this machine is out of memory");
  /* Size 0 has an address of its own, too. */
  c->base = team_alloc(team, size ? size : 1);
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
  if (c->base) team_free(c->team, c->base);
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
