/*
 * The end of the job by one PE, with what the others have printed. A word in the slot of each asks
 * it to; it flushes stdio in its next wait, where it is not in the middle of it, and says so there;
 * then the launcher ends them all. A PE that computes and does not wait is waited for a second, one
 * that flushes, because it was asked or because it ends the job, too, as long as it takes. And how
 * long a PE that leaves waits for the others.
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "am/am.h"
#include "port/port.h"
#include "runtime/runtime.h"
#include "runtime/runtime_internal.h"

enum { PATIENCE_S = 1 };
enum { RUNS, ASKED, FLUSHES, FLUSHED }; /* weft_shared_t.flush_state */

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
  weft_poke(&shared->flush_status, (int32_t)call->operand);
  if (__atomic_compare_exchange_n(&shared->flush_state, &now, ASKED, false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE))
    now = ASKED;
  *result = now;
  return true;
}

/* Another PE that ends the job waits for it, too. */
static WEFT_COLD void flush(int status) {
  weft_publish(&mine->flush_state, FLUSHES);
  weft_job_flush(WEFT_FLUSH_END, status);
  weft_publish(&mine->flush_state, FLUSHED);
}

/* In waits. Of several threads one flushes. */
static void look(void) {
  uint32_t asked = ASKED;
  if (weft_likely(!mine || weft_peek(&mine->flush_state) != ASKED)) return;
  if (__atomic_compare_exchange_n(&mine->flush_state, &asked, FLUSHES, false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_RELAXED))
    flush(weft_peek(&mine->flush_status));
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

/* One that has stopped waits for the others, as the job goes on where PEs die. */
static bool is_there(int pe) {
  return pe != weft_job.pe && weft_job_state(pe) < WEFT_ASLEEP;
}

/* What the PEs have told, a word each: the result of a call that may come at any later time, so it
 * stays. `silent`: there was no answer in time. */
static struct {
  struct {
    uint64_t how;
    bool silent;
  } * pes; /* NULL: there was no memory */
  int next;   /* those before it have answered, or are not waited for */
} told;

static bool begin_to_ask(void) {
  const size_t bytes = (size_t)weft_job.npes * sizeof *told.pes;
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  told.pes = memory;
  for (int pe = 0; pe < weft_job.npes; pe++) told.pes[pe].how = ASKED;
  return true;
}

/* All are asked before one is waited for; and again, so that it is heard how far they are: a PE
 * that is at it says nothing by itself. */
static void ask(int status) {
  for (int pe = 0; pe < weft_job.npes; pe++) {
    const uint64_t how = weft_observe(&told.pes[pe].how);
    told.pes[pe].silent = how == WEFT_NO_RESULT;
    if (is_there(pe) && (how == ASKED || how == FLUSHES))
      weft_service_begin(pe, weft_job.layout.shared, WEFT_SERVICE_FLUSH, (uint32_t)status, 0,
                         &told.pes[pe].how);
  }
  told.next = 0;
}

static bool have_answered(void) {
  while (told.next < weft_job.npes &&
         (weft_observe(&told.pes[told.next].how) != WEFT_NO_RESULT ||
          told.pes[told.next].silent || !is_there(told.next)))
    told.next++;
  return told.next == weft_job.npes;
}

/* Is anybody to be waited for? */
static bool somebody_goes_on(bool late) {
  for (int pe = 0; pe < weft_job.npes; pe++) {
    const uint64_t how = weft_observe(&told.pes[pe].how);
    if (is_there(pe) && (how == FLUSHES || (how == ASKED && !late))) return true;
  }
  return false;
}

/* A question is work that comes to a wait: too many would keep it from being idle. */
static void pause_a_little(void) {
  enum { PAUSE_NS = 1000000 };
  const uint64_t until = weft_clock_ns() + PAUSE_NS;
  WEFT_WAIT_UNTIL(weft_clock_ns() >= until);
}

/* A node that is stopped has a second to answer, in which the others are at it, and is not asked
 * again. The signal ends what hangs all the same. */
static void flush_others(int status) {
  const uint64_t begun = weft_clock_ns(), most_ns = (uint64_t)PATIENCE_S * 1000000000;
  bool late;
  if (!begin_to_ask()) return;
  do {
    const uint64_t now = weft_clock_ns();
    late = now - begun >= most_ns;
    set_timer(2 * PATIENCE_S);
    ask(status);
    WEFT_WAIT_UNTIL(have_answered() || weft_clock_ns() - now >= most_ns);
    pause_a_little();
  } while (somebody_goes_on(late));
}

void weft_runtime_end_all(int status) {
  if (mine && !weft_runtime_is_over() && !weft_am_in_handler()) {
    flush(status);
    weft_runtime_be_patient(PATIENCE_S, status, true);
    flush_others(status);
    weft_runtime_end_patience();
  }
  weft_job_exit(status);
}
