/*
 * start.c: joining the job and leaving it, as often as a program likes; errors.
 */
#include "armci/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "coll/coll.h"
#include "runtime/runtime.h"

bool weft_armci_running;
struct weft_armci_near weft_armci_near;

/* What job scripts set for other implementations: honoured, or answered by one line. */
static void read_environment(void) {
  static const char *const names[] = {"ARMCI_VERBOSE", NULL}; /* those that are honoured */
  const char *verbose = getenv("ARMCI_VERBOSE");
  if (weft_job.pe != 0) return;
  weft_options_check_near(names, NULL);
  if (getenv("ARMCI_DEFAULT_SHMMAX"))
    weft_warn("ARMCI_DEFAULT_SHMMAX is ignored: a process may have %zu MB of ARMCI memory, which "
              "costs nothing until it is used (WEFT_PRIVATE_SIZE)",
              weft_private_limit() >> 20);
  if (getenv("GA_NUM_PROGRESS_RANKS_PER_NODE"))
    weft_warn(
        "GA_NUM_PROGRESS_RANKS_PER_NODE is ignored: all %d processes compute, a thread of one "
        "of them serves other nodes (WEFT_HELPERS)",
        weft_job.npes);
  if (verbose && *verbose && *verbose != '0')
    weft_warn("ARMCI by Weft %s: %d processes on %d nodes, up to %zu MB of ARMCI memory each",
              WEFT_VERSION, weft_job.npes, weft_job.nnodes, weft_private_limit() >> 20);
}

void weft_armci_start(const char *who, const void *communicator) {
  if (weft_armci_running) return;
  weft_boot_mpi_use(communicator);
  weft_runtime_start(who);
  weft_runtime_ends_with("ARMCI_Finalize", NULL);
  weft_armci_running = true;
  weft_mail_start();
  weft_armci_domains_start();
  weft_armci_groups_start();
  weft_armci_order_start();
  read_environment();
  weft_coll_sync(weft_team_world());
  if (!weft_options.check && !weft_trace_wanted())
    weft_armci_near = (struct weft_armci_near){weft_job.owner, (unsigned)weft_job.npes};
}

/* A process that calls it alone is on its way out of an error, and the others may be in a
 * collective for ever: it waits for them, but not longer than it may. */
static void meet_others(void) {
  const uint64_t limit = (uint64_t)weft_options.finalize_limit * 1000000000u;
  const uint64_t begin = weft_clock_ns();
  weft_op_t op = {0};
  weft_team_name(weft_team_world(), "ARMCI_Finalize");
  weft_team_barrier_begin(weft_team_world(), &op);
  WEFT_WAIT_UNTIL(weft_op_is_done(&op) || (limit && weft_clock_ns() - begin > limit));
  if (!weft_op_is_done(&op))
    weft_fatal("ARMCI_Finalize: not all %d processes called it within %d s "
               "(WEFT_FINALIZE_LIMIT)",
               weft_job.npes, weft_options.finalize_limit);
}

void weft_armci_stop(bool over_mpi) {
  if (!weft_armci_running) return;
  weft_armci_near.n = 0;
  weft_armci_wait_all();
  weft_armci_fence_all("ARMCI_Finalize");
  weft_rma_quiet();
  weft_qlock_leave(true);
  meet_others();
  weft_armci_mutexes_stop();
  weft_qlock_leave(false); /* this process may go on with another interface, and its locks */
  weft_runtime_stop();
  weft_armci_handles_stop();
  weft_armci_order_stop();
  weft_armci_groups_stop();
  weft_armci_running = false;
  if (over_mpi) weft_runtime_end(); /* another job may follow, with other processes */
}

bool weft_armci_is_up(void) {
  return weft_armci_running;
}

void weft_armci_up(const char *who) {
  if (!weft_armci_running)
    weft_fatal("%s: not between ARMCI_Init and ARMCI_Finalize: call ARMCI_Init first", who);
}

int weft_armci_me(void) {
  return weft_job.pe;
}

int weft_armci_nproc(void) {
  return weft_job.npes;
}

double weft_armci_seconds(void) {
  return (double)weft_clock_ns() * 1e-9;
}

/* A loop around it is a wait, which ends when a test of the program's finds what it looked for. */
static _Thread_local weft_wait_t polling = {.channel = &weft_channels[0]};

void weft_armci_progress(void) {
  weft_wait_poll(&polling);
}

void weft_armci_found(void) {
  polling.idle = 0;
}

/* ---- errors ---------------------------------------------------------------------------------- */

void weft_armci_error(const char *message, int code) {
  fflush(NULL);
  weft_warn("ARMCI_Error: %s (code %d)", message ? message : "", code);
  weft_end_job(code > 0 && code < 256 ? code : 1);
}

void weft_armci_fatal(const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  weft_fatal("%s", text);
}
