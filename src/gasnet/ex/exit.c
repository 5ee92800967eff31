/*
 * exit.c: the end of a GASNet job. All PEs leave together, through the launcher, so that none takes
 * away what others still need; one that leaves while others go on ends the job with its status
 * when it has waited for them as long as GASNET_EXITTIMEOUT says. Returning from main and exit()
 * are gasnet_exit.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "am/am.h"
#include "coll/coll.h"
#include "gasnet/ex/internal.h"
#include "gasnet/tools/tools.h"
#include "runtime/runtime.h"
#include "sync/sync.h"

static struct {
  char begun; /* a thread is at it */
  bool met;   /* all PEs are at it */
  bool apart; /* they could not say so: MPI was over before. The runtime's own end must. */
  bool open;  /* all is left as it is, to the end of the process */
  pid_t pid;
} leaving;

/* Seconds: GASNET_EXITTIMEOUT, or as GASNet's README computes it from _MAX, _MIN and _FACTOR. Not
 * 0, which would be no timer, nor less than a job needs to leave together. */
static double patience(void) {
  const double least = 0.1;
  const double most = gasnett_getenv_dbl_withdefault("GASNET_EXITTIMEOUT_MAX", 360);
  const double usual =
      gasnett_getenv_dbl_withdefault("GASNET_EXITTIMEOUT_MIN", 2) +
      gasnett_getenv_dbl_withdefault("GASNET_EXITTIMEOUT_FACTOR", 0.25) * weft_job.npes;
  const double asked =
      gasnett_getenv_dbl_withdefault("GASNET_EXITTIMEOUT", usual < most ? usual : most);
  return asked > least ? asked : least;
}

/* Threads of a PAR client may be anywhere in the library: nothing is taken away from under them, by
 * libfabric's end neither. */
static bool others_may_be_inside(void) {
  return !leaving.apart && weft_gex_client.mode == 2 && !weft_options.stats && !*weft_options.trace;
}

/* All of a SEQ client's processes stop the runtime together, also one that could not flush. */
static void stop_together(void) {
  if (!others_may_be_inside()) weft_runtime_stop();
}

/* Others may have more messages for this PE than there is room for here, and wait until some were
 * taken: so nobody waits for the launcher, in which nothing is taken, before all have settled. (A
 * coarray program's image that has stopped does not: nobody meets it any more.) */
static void all_settle(void) {
  static weft_meeting_t place = {.key = UINT64_C(0xd15ba9d5e771e11)};
  weft_am_settle(); /* others may wait for our replies */
  place.set = &weft_team_world()->set;
  if (weft_job_state(weft_job.pe) == WEFT_RUNNING) weft_alive_meet(&place);
}

/* Everyone is leaving, or the job ends here. */
static void meet(int status) {
  /* With another status than 0 the first one that ends takes the others with it. */
  if (status) weft_job_flush(WEFT_FLUSH_END, status);
  weft_runtime_be_patient(patience(), status, status != 0);
  all_settle();
  weft_watch_stop();
  leaving.apart = weft_job_boot_barrier() == -ESHUTDOWN;
  weft_runtime_end_patience();
  leaving.met = true;
  weft_job_flush_ends_with(stop_together);
  if (!status) weft_job_flush(WEFT_FLUSH_LEAVE, 0); /* nobody's patience is at an end meanwhile */
  /* One with another status ends the others, but not before they have printed. */
  weft_job_boot_barrier();
}

/* Only one thread leaves. */
static void begin(void) {
  if (__atomic_test_and_set(&leaving.begun, __ATOMIC_ACQUIRE))
    for (;;) pause();
  weft_tools_requests_end();
}

/* This library's end comes after the program's handlers and destructors. */
static void __attribute__((destructor(101))) at_end(void) {
  if (!leaving.open || getpid() != leaving.pid) return;
  fflush(NULL);
  _exit(0);
}

/* exit() and return from main. What is left is done by the runtime's own, which comes after it. */
static void at_exit(int status, void *arg) {
  (void)arg;
  if (getpid() != leaving.pid) return;
  if (!leaving.met) {
    begin();
    meet(status);
  }
  if (status != 0) weft_job_exit(status);
  if (others_may_be_inside()) {
    weft_job.boot->finalize(weft_job.boot);
    weft_runtime_keep();
    leaving.open = true; /* the program's handlers go on, those from before gex_Client_Init */
  } else {
    weft_runtime_stop();
  }
}

void weft_gex_exit_start(void) {
  leaving.pid = getpid();
  on_exit(at_exit, NULL);
}

WEFT_API void gasnet_exit(int exitcode) {
  if (!weft_gex.tm0) weft_job_exit(exitcode);
  begin();
  meet(exitcode & 255);
  if (exitcode & 255) weft_job_exit(exitcode & 255);
  if (others_may_be_inside()) {
    weft_job.boot->finalize(weft_job.boot);
    _exit(0);
  }
  exit(0);
}
