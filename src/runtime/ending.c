/*
 * The end of the job by one PE, with what the others have printed. They flush stdio in their next
 * wait, where they are not in the middle of it, and say so; then the launcher ends them. One that
 * computes and does not wait is waited for a second.
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
  volatile int status;
} ending;

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

/* The own stdio is flushed already. */
static void out_of_patience(int signal_number) {
  (void)signal_number;
  weft_job_abort(ending.status);
}

/* Every second, as the flush for another one that ends the job has its own handler. */
static void set_timer(time_t seconds) {
  const struct itimerval timer = {{.tv_sec = seconds}, {.tv_sec = seconds}};
  setitimer(ITIMER_REAL, &timer, NULL);
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
  sigset_t alarms;
  if (ending.open && weft_job.started && !weft_am_in_handler()) {
    weft_job_flush(WEFT_FLUSH_END, status);
    ending.status = status;
    signal(SIGALRM, out_of_patience);
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
    set_timer(PATIENCE_S);
    flush_others(status);
    set_timer(0);
  }
  weft_job_exit(status);
}
