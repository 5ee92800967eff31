/*
 * barrier.c: UPC 1.3, 6.6.1: upc_notify, upc_wait, upc_barrier with or without values, and the
 * barrier at the end of a thread. The floor's split barrier with names does the work; here are the
 * rules: notify and wait alternate, and values agree.
 */
#include <stdio.h>

#include "upc/internal.h"

static struct {
  bool notified;
  bool given; /* notify had a value */
  int value;
  const char *file; /* of the notify */
  int line;
  uint64_t name;
  weft_op_t op;
} barrier;

/* The value of a thread that has ended: none. */
static const uint64_t END = UINT64_C(1) << 40;

bool weft_upc_notified(void) {
  return barrier.notified;
}

static const char *place(char text[300], const char *file, int line) {
  snprintf(text, 300, "%s%s%d", file ? file : "", file ? ":" : "line ", line);
  return text;
}

WEFT_COLD static void out_of_turn(const char *what, const char *file, int line) {
  char here[300], there[300];
  if (barrier.notified)
    weft_fatal("%s: %s, but this thread has notified at %s and not waited yet",
               place(here, file, line), what, place(there, barrier.file, barrier.line));
  weft_fatal("%s: upc_wait without upc_notify", place(here, file, line));
}

/* Every thread that gave a value says so; the launcher ends the job after the first line. */
WEFT_COLD static void disagree(const char *what) {
  char at[300];
  place(at, barrier.file, barrier.line);
  if (barrier.given) weft_fatal("%s: %s: the value here is %d", at, what, barrier.value);
  weft_fatal("%s: %s", at, what);
}

static void notify(uint64_t name) {
  weft_upc_null_strict();
  barrier.name = name;
  weft_team_name(weft_team_world(), "upc_barrier");
  weft_team_notify(weft_team_world(), &barrier.name, &barrier.op);
  barrier.notified = true;
}

static void wait_for_all(void) {
  weft_team_wait(&barrier.op);
  barrier.notified = false;
  weft_upc_null_strict();
}

WEFT_API void weft_upc_notify(int given, int value, const char *file, int line) {
  weft_upc_up("upc_notify");
  if (weft_unlikely(barrier.notified)) out_of_turn("upc_notify", file, line);
  barrier.given = given, barrier.value = value;
  barrier.file = file, barrier.line = line;
  notify(given ? weft_name((uint32_t)value) : WEFT_NAME_NONE);
}

/* All have met, and a thread has ended: they meet once more, to tell the status of who failed. 0:
 * nobody did. */
static int status_of_all(int mine) {
  notify(mine & 255 ? weft_name(mine & 255) : WEFT_NAME_NONE);
  wait_for_all();
  return barrier.name == WEFT_NAME_MISMATCH ? 1 : (int)(uint32_t)barrier.name;
}

WEFT_COLD static void left_alone(void) {
  char at[300];
  const int status = status_of_all(0);
  weft_warn("%s: this thread is in a barrier while another has ended (exit status %d)",
            place(at, barrier.file, barrier.line), status);
  weft_end_job(status ? status : 1);
}

static void check_names(void) {
  const uint64_t all = barrier.name;
  if (weft_likely(all == (barrier.given ? weft_name((uint32_t)barrier.value) : WEFT_NAME_NONE)))
    return;
  if (all == END) left_alone();
  if (all == WEFT_NAME_MISMATCH && weft_upc_env("UPC_BARRIER_MISMATCH_WARNS", false))
    weft_warn("%s:%d: barrier values differ", barrier.file ? barrier.file : "", barrier.line);
  else if (all == WEFT_NAME_MISMATCH)
    disagree("barrier values differ between threads");
}

WEFT_API void weft_upc_wait(int given, int value, const char *file, int line) {
  char at[300];
  weft_upc_up("upc_wait");
  if (weft_unlikely(!barrier.notified)) out_of_turn("upc_wait", file, line);
  if (weft_unlikely(given && barrier.given && value != barrier.value))
    weft_fatal("%s: upc_wait %d, but upc_notify had %d", place(at, file, line), value,
               barrier.value);
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, "upc_wait", 0);
  wait_for_all();
  check_names();
}

WEFT_API void weft_upc_barrier(int given, int value, const char *file, int line) {
  if (weft_unlikely(barrier.notified)) out_of_turn("upc_barrier", file, line);
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, "upc_barrier", 0);
  weft_upc_notify(given, value, file, line);
  wait_for_all();
  check_names();
}

void weft_upc_barrier_end(int status) {
  char at[300];
  if (barrier.notified)
    weft_fatal("this thread ends between upc_notify (%s) and upc_wait",
               place(at, barrier.file, barrier.line));
  weft_rma_quiet();
  weft_qlock_leave(true);
  notify(END);
  wait_for_all();
  if (barrier.name != END)
    weft_fatal("this thread has ended while another is in a barrier with a value");
  status_of_all(status);
}
