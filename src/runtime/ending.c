/*
 * The end of the job by one PE, with what the others have printed. They flush stdio in their next
 * wait, where they are not in the middle of it, and say so; then the launcher ends them. One that
 * computes and does not wait is waited for a second. And how long a PE that leaves waits for the
 * others.
 */
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "am/am.h"
#include "runtime/runtime.h"

enum { HANDLER = 24, PATIENCE_S = 1 };

static struct {
  bool open;
  int flushed; /* PEs that have */
} ending;

static struct {
  volatile int status;
  volatile bool flushed; /* the own stdio */
} patience;

/* With `done` it is the answer. */
static void arrive(weft_token_t *token, void *data, size_t n, int32_t done, int32_t status) {
  (void)data;
  if (token->nargs != 2 || n || (done != 0) == token->is_request)
    weft_fatal("PE %u sent a damaged message", token->from);
  if (done) {
    __atomic_fetch_add(&ending.flushed, 1, __ATOMIC_RELAXED);
    return;
  }
  const int32_t answer[] = {1, status};
  weft_job_flush(WEFT_FLUSH_END, status);
  weft_am_reply(token, WEFT_AM_MEDIUM, HANDLER, NULL, 0, 0, 0, NULL, 2, answer);
}

void weft_runtime_ending_start(void) {
  weft_am_register(HANDLER, (weft_am_handler_t)arrive);
  ending.open = true;
}

/* In the middle of the wait for the others. */
static void out_of_patience(int signal_number) {
  (void)signal_number;
  if (!patience.flushed) weft_job_flush(WEFT_FLUSH_FAIL, patience.status);
  weft_job_abort(patience.status);
}

/* It rings every second from then on: a flush for another PE that ends the job takes the signal to
 * a handler of its own meanwhile. */
static void set_timer(double seconds) {
  const struct itimerval timer = {
      .it_value = {.tv_sec = (time_t)seconds, .tv_usec = (long)(seconds * 1e6) % 1000000},
      .it_interval = {.tv_sec = seconds > 0}};
  setitimer(ITIMER_REAL, &timer, NULL);
}

void weft_runtime_be_patient(double seconds, int status, bool flushed) {
  sigset_t alarms;
  patience.status = status;
  patience.flushed = flushed;
  signal(SIGALRM, out_of_patience);
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
  set_timer(seconds);
}

void weft_runtime_end_patience(void) {
  set_timer(0);
}

static void flush_others(int status) {
  const int32_t question[] = {0, status};
  int asked = 0;
  for (int pe = 0; pe < weft_job.npes; pe++) {
    if (pe == weft_job.pe || weft_job_state(pe) != WEFT_RUNNING) continue;
    weft_am_request(pe, WEFT_AM_MEDIUM, HANDLER, NULL, 0, 0, 0, NULL, 2, question);
    asked++;
  }
  WEFT_WAIT_UNTIL(weft_observe(&ending.flushed) >= asked);
}

void weft_runtime_end_all(int status) {
  if (ending.open && weft_job.started && !weft_am_in_handler()) {
    weft_job_flush(WEFT_FLUSH_END, status);
    weft_runtime_be_patient(PATIENCE_S, status, true);
    flush_others(status);
    weft_runtime_end_patience();
  }
  weft_job_exit(status);
}
