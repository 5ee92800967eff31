/*
 * events.c: event post, event wait, event_query (Fortran 2018, 11.6.6 to 11.6.7, 16.9.72).
 */
#include "caf/internal.h"
#include "coll/coll.h"
#include "rma/rma.h"
#include "sync/sync.h"

/* What was put before is seen by an image that sees the post. Where images may fail, the post has
 * arrived when the statement ends: it counts, whatever happens to this image then. */
void weft_caf_event_post(int pe, void *event, const weft_caf_report_t *report) {
  weft_rma_release(pe);
  weft_event_post(pe, weft_job_offset(event));
  if (weft_caf.survive) weft_caf_quiet();
  const int state = report->stat ? weft_caf_told_state(pe) : 0;
  if (state)
    weft_caf_fail(report, state, "EVENT POST failed - the image has %s",
                  state == WEFT_CAF_STOPPED_IMAGE ? "stopped" : "failed");
  else
    weft_caf_good(report);
}

/* Where images may fail the wait may be in vain: the image that was to post is gone. Each failure
 * is told once, unless a meeting has told it. */
static bool is_told(const weft_caf_report_t *report) {
  weft_caf_team_t *team = weft_caf.team;
  bool any = false;
  team->told = weft_job_changes();
  for (int i = 0; i < team->size; i++) {
    const int pe = weft_caf_pe_of(team, i + 1);
    if (team->states[i] || !weft_job_has_failed(pe)) continue;
    weft_caf_told_state(pe);
    any = true;
  }
  if (any)
    weft_caf_fail(report, WEFT_CAF_FAILED_IMAGE, "EVENT WAIT failed - there are failed images");
  return any;
}

void weft_caf_event_wait(void *event, int64_t until, const weft_caf_report_t *report) {
  const uintptr_t off = weft_job_offset(event);
  weft_caf_quiet();
  if (!weft_caf.survive) {
    weft_patience_begin(weft_options.check ? "EVENT WAIT" : NULL, weft_options.patience_s);
    weft_event_wait(off, until);
    weft_patience_end();
  } else {
    uint32_t changes = weft_caf.team->told;
    while (weft_event_wait_unless(off, until, &changes) != 0)
      if (is_told(report)) return;
  }
  weft_caf_good(report);
}

int64_t weft_caf_event_query(int pe, void *event) {
  return weft_event_count(pe, weft_job_offset(event));
}
