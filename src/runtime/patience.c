/*
 * Who waits for the others for long says once where it is. Members of a collective that some call
 * and others do not wait for ever; from the lines of all of them one sees who is where.
 */
#include "port/port.h"
#include "runtime/runtime.h"

static WEFT_THREAD struct {
  const char *who; /* NULL: this thread does not wait so, or it has been said */
  uint64_t since;  /* ns */
  int seconds;
} patience;

/* A step of waits. */
static int look(void) {
  const char *who = patience.who;
  if (weft_likely(!who)) return 0;
  const uint64_t ns = (uint64_t)patience.seconds * 1000000000u;
  if (weft_clock_ns() - patience.since < ns) return 0;
  patience.who = NULL;
  weft_warn("%s: this PE has waited for the others for %d s: are they in another collective, or at "
            "their end?",
            who, patience.seconds);
  return 0;
}

void weft_patience_start(void) {
  weft_progress_add(look);
}

void weft_patience_begin(const char *who, int seconds) {
  patience.since = weft_clock_ns();
  patience.seconds = seconds;
  patience.who = who;
}

void weft_patience_end(void) {
  patience.who = NULL;
}
