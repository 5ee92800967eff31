/*
 * events.c: event post, event wait, event_query (Fortran 2018, 11.6.6 to 11.6.7, 16.9.72).
 */
#include "caf/internal.h"
#include "sync/sync.h"

/* What was put before is seen by whoever sees the post. */
void weft_caf_event_post(int pe, void *event, const weft_caf_report_t *report) {
  weft_caf_quiet();
  weft_event_post(pe, weft_job_offset(event));
  weft_caf_good(report);
}

void weft_caf_event_wait(void *event, int until, const weft_caf_report_t *report) {
  weft_caf_quiet();
  weft_event_wait(weft_job_offset(event), until);
  weft_caf_good(report);
}

int weft_caf_event_query(int pe, void *event) {
  return (int)weft_event_count(pe, weft_job_offset(event));
}
