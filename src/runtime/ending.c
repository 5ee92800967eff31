/*
 * The end of the job by one PE, with what the others have printed. A word in the slot of each asks
 * it to; it flushes stdio in its next wait, where it is not in the middle of it, and says so there;
 * then the launcher ends them all. A PE that computes and does not wait is waited for a second, one
 * that flushes as long as it takes. And how long a PE that leaves waits for the others.
 */
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "am/am.h"
#include "port/port.h"
#include "runtime/runtime.h"
#include "runtime/runtime_internal.h"

enum { PATIENCE_S = 1 };
enum { RUNS, ASKED, FLUSHES, FLUSHED }; /* weft_shared_t.ending */

static weft_shared_t *mine; /* NULL: there is no job */

static struct {
  volatile int status;
  volatile bool flushed; /* the own stdio */
} patience;

/* In whichever process serves the PE's node. The result is how far it is. */
static bool serve(char *object, const weft_call_t *call, uint64_t *result) {
  weft_shared_t *shared = weft_job_shared(call->pe);
  uint32_t now = RUNS;
  (void)object;
  weft_poke(&shared->ending_status, (int32_t)call->operand);
  if (__atomic_compare_exchange_n(&shared->ending, &now, ASKED, false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE))
    now = ASKED;
  *result = now;
  return true;
}

static WEFT_COLD void flush(void) {
  uint32_t asked = ASKED;
  if (!__atomic_compare_exchange_n(&mine->ending, &asked, FLUSHES, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED))
    return; /* another thread does */
  weft_job_flush(WEFT_FLUSH_END, weft_peek(&mine->ending_status));
  weft_publish(&mine->ending, FLUSHED);
}

/* In waits. */
static void look(void) {
  if (weft_unlikely(mine && weft_peek(&mine->ending) == ASKED)) flush();
}

void weft_ending_serve(void) {
  weft_service_register(WEFT_SERVICE_FLUSH, serve);
}

void weft_ending_start(void) {
  mine = weft_job_shared(weft_job.pe);
  weft_progress_look(look);
}

void weft_ending_stop(void) {
  mine = NULL;
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

/* Asks again, so that it hears: a PE that is at it says nothing by itself. */
static uint64_t ask(int pe, int status) {
  return weft_service_call(pe, weft_job.layout.shared, WEFT_SERVICE_FLUSH, (uint32_t)status, 0);
}

/* Is anything to be waited for? */
static bool goes_on(int pe, int status) {
  if (pe == weft_job.pe || weft_job_state(pe) != WEFT_RUNNING) return false;
  const uint64_t now = ask(pe, status);
  if (now == FLUSHES) set_timer(PATIENCE_S);
  return now < FLUSHED;
}

/* A question is work that comes to a wait: too many would keep it from being idle. */
static void pause_a_little(void) {
  enum { PAUSE_NS = 1000000 };
  const uint64_t until = weft_clock_ns() + PAUSE_NS;
  WEFT_WAIT_UNTIL(weft_clock_ns() >= until);
}

/* All are asked before one is waited for. */
static void flush_others(int status) {
  for (int pe = 0; pe < weft_job.npes; pe++)
    if (pe != weft_job.pe && weft_job_state(pe) == WEFT_RUNNING)
      weft_service_begin(pe, weft_job.layout.shared, WEFT_SERVICE_FLUSH, (uint32_t)status, 0, NULL);
  for (int pe = 0; pe < weft_job.npes; pe++)
    while (goes_on(pe, status)) pause_a_little();
}

void weft_runtime_end_all(int status) {
  if (mine && !weft_runtime_is_over() && !weft_am_in_handler()) {
    weft_job_flush(WEFT_FLUSH_END, status);
    weft_runtime_be_patient(PATIENCE_S, status, true);
    flush_others(status);
    weft_runtime_end_patience();
  }
  weft_job_exit(status);
}
