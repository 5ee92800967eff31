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

/* The initial team's is the symmetric heap's. */
static void *team_alloc(weft_caf_team_t *team, size_t size) {
  if (weft_caf.survive) return weft_caf_survive_alloc(team, size);
  if (team->parent) return weft_team_alloc(team->team, &team->blocks, WEFT_CACHELINE, size);
  return weft_symmetric_alloc(WEFT_CACHELINE, size, "allocate");
}

/* All images of the team are here. */
static void team_free(weft_caf_team_t *team, char *base) {
  if (weft_caf.survive)
    weft_caf_survive_free(team, base);
  else if (team->parent)
    weft_team_dealloc(team->team, &team->blocks, base);
  else
    weft_symmetric_free(base, "deallocate");
}

weft_caf_coarray_t *weft_caf_allocate(size_t size, bool zero, const weft_caf_report_t *report) {
  weft_caf_team_t *team = weft_caf.team;
  if (!weft_caf_gather(team, report, "ALLOCATE", NULL)) return NULL;
  weft_caf_coarray_t *c = weft_caf_need(calloc(1, sizeof *c), "allocate");
  /* Size 0 has an address of its own, too. */
  c->base = team_alloc(team, size ? size : 1);
  if (!c->base) {
    free(c);
    const bool global = weft_caf.survive || team->parent;
    weft_caf_fail(report, WEFT_CAF_NO_MEMORY, "Failed to allocate coarray: %s",
                  global ? weft_private_shortage() : weft_symmetric_shortage());
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
  return c;
}

static void unlink_coarray(weft_caf_coarray_t *c) {
  if (!c->self) return;
  *c->self = c->next;
  if (c->next) c->next->self = c->self;
  c->self = NULL;
}

static void forget_coarray(weft_caf_coarray_t *c) {
  unlink_coarray(c);
  free(c->bounds);
  free(c);
}

/* The program's descriptor says that the memory is no longer there. False: it has another coarray,
 * or none, as move_alloc has copied it. */
static bool say_gone(const weft_caf_coarray_t *c) {
  weft_caf_descriptor_t *d = c->descriptor;
  const bool found = d && d->base == c->base;
  if (found) d->base = NULL;
  return found;
}

void weft_caf_deallocate(weft_caf_coarray_t *c, bool forget, const weft_caf_report_t *report) {
  if (!c->team) { /* END TEAM has done so */
    if (forget) forget_coarray(c);
    weft_caf_good(report);
    return;
  }
  weft_caf_quiet();
  int found;
  if (!weft_caf_gather(c->team, report, "DEALLOCATE", &found)) return;
  if (found) say_gone(c); /* the compiler takes any stat for a failure */
  if (c->base) team_free(c->team, c->base);
  c->base = NULL;
  if (forget) forget_coarray(c);
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
 * them on. Where that cannot be found the program may still deallocate the coarray, so the object
 * stays. Where an image has stopped the memory stays. */
void weft_caf_coarrays_release(weft_caf_team_t *team, bool all) {
  if (all && !weft_caf.survive) weft_team_dealloc_all(team->team, &team->blocks);
  while (team->coarrays) {
    weft_caf_coarray_t *c = team->coarrays;
    const bool known = !c->descriptor || !c->base || say_gone(c) || weft_caf_moved_gone(c);
    if (all && weft_caf.survive && c->base) weft_caf_survive_free(team, c->base);
    if (known) {
      forget_coarray(c);
      continue;
    }
    unlink_coarray(c);
    c->base = NULL;
    c->team = NULL;
  }
}
