/*
 * Who waits for the others for long says once where it is. Members of a collective that some call
 * and others do not wait for ever; from the lines of all of them one sees who is where.
 */
#include "coll/coll.h"
#include "port/port.h"

static WEFT_THREAD struct {
  const char *who; /* NULL: this thread does not wait so, or it has been said */
  uint64_t since;  /* ns */
  int seconds;
} patience;

bool weft_patience_over(const char *who, uint64_t since, int seconds) {
  if (weft_clock_ns() - since < (uint64_t)seconds * 1000000000u) return false;
  weft_warn("%s: this PE has waited for the others for %d s: are they in another collective, or at "
            "their end?",
            who, seconds);
  return true;
}

/* A step of waits. */
static int look(void) {
  const char *who = patience.who;
  if (weft_likely(!who)) return 0;
  if (weft_patience_over(who, patience.since, patience.seconds)) patience.who = NULL;
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
