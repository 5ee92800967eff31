/*
 * How a process leaves the job, in good order or not.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>

#include "job/job.h"

static void end_job(void *arg, int status) {
  (void)arg;
  weft_job_flush(WEFT_FLUSH_FAIL, status);
  weft_job_abort(status);
}

void weft_job_catch_end(void) {
  weft_log_set_abort(end_job, NULL);
}

void weft_job_abort(int status) {
  weft_alive_end_job();
  weft_job.boot->abort(weft_job.boot, weft_job_shown(status));
}

void weft_job_exit(int status) {
  weft_job_flush(WEFT_FLUSH_END, status);
  if (!weft_job.boot) exit(weft_job_shown(status));
  weft_job_abort(status);
}

static void close_fabric(void) {
  weft_job_t *j = &weft_job;
  if (j->port && j->port != &j->endpoint) {
    weft_endpoint_close(j->port);
    free(j->port);
  }
  j->port = NULL;
  if (j->nnodes > 1) {
    weft_endpoint_close(&j->endpoint);
    weft_fabric_close(&j->fabric);
    weft_fabric_shut_door(NULL);
    weft_links_forget();
  }
}

void weft_job_leave(void) {
  if (!weft_job.started) return; /* ended before */
  close_fabric();
  weft_job.boot->finalize(weft_job.boot);
}

void weft_job_end(void) {
  weft_job_t *j = &weft_job;
  if (!j->started) return;
  weft_alive_stop();
  close_fabric();
  weft_log_share(NULL, 0);
  if (weft_window_unmap(&j->window) < 0) weft_end_job(1);
  weft_boot_close(j->boot);
  weft_boot_know_peers(NULL, 0);
  weft_log_set_abort(NULL, NULL);
  if (j->owner != j->disp) free(j->owner);
  munmap(j->keys, j->table_bytes);
  free(j->pids);
  free(j->leader);
  free(j->local);
  free(j->addresses);
  free(j->tokens);
  free(j->client_tokens);
  free(j->ports);
  free(j->region_base);
  *j = (weft_job_t){.where = weft_nowhere};
}
