/*
 * How a process leaves the job, in good order or not.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "job/job.h"

static void end_job(void *arg, int status) {
  (void)arg;
  fflush(NULL);
  weft_job.boot->abort(weft_job.boot, status);
}

void weft_job_catch_end(void) {
  weft_log_set_abort(end_job, NULL);
}

void weft_job_exit(int status) {
  fflush(NULL);
  if (!weft_job.boot) exit(status);
  weft_job.boot->abort(weft_job.boot, status);
}

void weft_job_leave(void) {
  weft_job_t *j = &weft_job;
  if (j->port) {
    weft_endpoint_close(j->port);
    free(j->port);
    j->port = NULL;
  }
  if (j->nnodes > 1) {
    weft_endpoint_close(&j->endpoint);
    weft_fabric_close(&j->fabric);
  }
  j->boot->finalize(j->boot);
}
