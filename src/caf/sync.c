/*
 * sync.c: sync all, sync team, sync memory, sync images (Fortran 2018, 11.6.3 to 11.6.6). A meeting
 * of a team carries what everybody is: running or stopped. An image that has stopped takes part in
 * the others' meetings, of all teams that it belongs to, until all have, so nobody waits for it in
 * vain and everybody gets the same answer. Where images may fail, meetings are survive.c's.
 */
#include <stdlib.h>

#include "caf/internal.h"
#include "rma/rma.h"
#include "runtime/runtime.h"

enum { RUNNING = 1, STOPPED = 2 };

int weft_caf_meet(weft_caf_team_t *team) {
  bool all;
  if (weft_unlikely(weft_caf.survive)) return weft_caf_survive_meet(team);
  if (team == weft_caf.initial) {
    all = weft_coll_meet(weft_team_world(), RUNNING) & RUNNING;
    weft_caf_shared->meetings++;
  } else {
    uint64_t name = weft_name(RUNNING);
    weft_op_t op = {0};
    weft_team_notify(team->team, &name, &op);
    weft_team_wait(&op);
    all = name == weft_name(RUNNING);
  }
  return all ? 0 : WEFT_CAF_STOPPED_IMAGE;
}

bool weft_caf_met(int found, const weft_caf_report_t *report, const char *what) {
  if (weft_likely(found == 0)) {
    weft_caf_good(report);
    return true;
  }
  weft_caf_fail(report, found, "%s failed - there are %s images", what,
                found == WEFT_CAF_STOPPED_IMAGE ? "stopped" : "failed");
  return false;
}

bool weft_caf_gather(weft_caf_team_t *team, const weft_caf_report_t *report, const char *what,
                     int *found) {
  const int state = weft_caf_meet(team);
  if (found) *found = state;
  weft_caf_met(state, report, what);
  return state != WEFT_CAF_STOPPED_IMAGE;
}

/* The stopped image's part in the meetings of one team, gone on with by every wait. */
typedef struct stopped {
  weft_pending_t pending; /* first */
  weft_team_t *team;
  uint64_t name;
  weft_op_t op;
} stopped_t;

static unsigned meeting; /* teams whose images have not all stopped */

static int meet_again(weft_pending_t *pending) {
  stopped_t *s = (stopped_t *)pending;
  if (!weft_op_test(&s->op)) return 0;
  if (s->name == weft_name(STOPPED)) {
    meeting--;
    free(s);
    return WEFT_PENDING_END;
  }
  s->name = weft_name(STOPPED);
  weft_team_notify(s->team, &s->name, &s->op);
  return 1;
}

void weft_caf_meet_stopped(void) {
  if (weft_caf.survive) return; /* the end of the job waits for the images that still run */
  for (const weft_caf_team_t *team = weft_caf_teams; team; team = team->next) {
    stopped_t *s = weft_caf_need(calloc(1, sizeof *s), "stop");
    s->pending.advance = meet_again;
    s->team = team->team;
    meeting++;
    weft_pending_add(&s->pending);
  }
  while (!(weft_coll_meet(weft_team_world(), STOPPED) & STOPPED)) {
  }
  WEFT_WAIT_UNTIL(meeting == 0);
}

void weft_caf_sync_memory(const weft_caf_report_t *report) {
  weft_caf_quiet();
  weft_caf_good(report);
}

void weft_caf_sync_team(weft_caf_team_t *team, const weft_caf_report_t *report, const char *what) {
  weft_caf_coarrays_note();
  weft_caf_quiet();
  weft_caf_gather(team, report, what, NULL);
}

/* ---- sync images ----------------------------------------------------------------------------- */

/* How often this image has named the PE; the PE adds to its counter here. */
static uint64_t *named;

static bool is_duplicate(int count, const int *images) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j < i; j++)
      if (images[i] == images[j]) return true;
  return false;
}

static void tell(int pe) {
  uintptr_t at;
  const uint64_t *met = &weft_caf_shared->met[weft_job_pe()];
  if (weft_direct_at(met, pe, &at))
    __atomic_fetch_add((uint64_t *)at, 1, __ATOMIC_RELEASE);
  else
    weft_rma_add(pe, weft_job_offset(met), 1);
}

static bool has_come(int pe) {
  return weft_observe(&weft_caf_shared->met[pe]) >= named[pe];
}

/* 0, or the state of the image that will not come. */
static int await(int pe) {
  enum { LOOK = 1024 }; /* to look is a round trip, if the image is on another node */
  unsigned steps = 0;
  int state = 0;
  WEFT_WAIT_UNTIL(has_come(pe) || (++steps % LOOK == 0 && (state = weft_caf_state(pe))));
  if (has_come(pe)) return 0; /* it may have come before it stopped */
  return weft_caf_told_state(pe);
}

/* An image that is told next may rely on what this image has put. If all are on one other node what
 * went there is not waited for: neither are the acknowledgements of what was told before. */
static void release(int count, const int *images) {
  int at = -1;
  for (int i = 0; i < count; i++) {
    const int pe = weft_caf_pe(images[i]);
    if (images[i] == weft_caf.me) continue;
    if (weft_job_slot(pe) || (at >= 0 && weft_job_node_of(pe) != weft_job_node_of(at))) {
      weft_caf_quiet();
      return;
    }
    at = pe;
  }
  if (at >= 0)
    weft_rma_release(at);
  else
    weft_caf_quiet();
}

void weft_caf_sync_images(int count, const int *images, const weft_caf_report_t *report) {
  const int me = weft_caf.me, n = count < 0 ? weft_caf.images : count;
  int state = 0;
  if (!named) named = weft_caf_need(calloc((size_t)weft_job_npes(), sizeof *named), "sync images");
  weft_caf_coarrays_note();
  for (int i = 0; i < count; i++)
    if (!weft_caf_is_image(images[i])) {
      weft_caf_no_image(images[i], report);
      return;
    }
  if (is_duplicate(count, images)) {
    weft_caf_fail(report, WEFT_CAF_DUPLICATE, "SYNC IMAGES: an image is named twice");
    return;
  }
  release(count, images);
  for (int i = 0; i < n; i++) {
    const int image = count < 0 ? i + 1 : images[i];
    if (image == me) continue;
    named[weft_caf_pe(image)]++;
    tell(weft_caf_pe(image));
  }
  weft_patience_begin(weft_options.check ? "SYNC IMAGES" : NULL, weft_options.patience_s);
  for (int i = 0; i < n; i++) {
    const int image = count < 0 ? i + 1 : images[i];
    const int found = image == me ? 0 : await(weft_caf_pe(image));
    if (found && state != WEFT_CAF_STOPPED_IMAGE) state = found;
  }
  weft_patience_end();
  weft_caf_met(state, report, "SYNC IMAGES");
}
