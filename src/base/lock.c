/*
 * lock: the slow half of weft_lock, waiting for a holder that may not be running.
 */
#include <sched.h>

#include "base/base.h"

/* Holders keep a lock for a few instructions: this many looks cover one that runs on another
 * processor. */
#define LOCK_SPINS 100

WEFT_COLD void weft_lock_wait(weft_lock_t *lock) {
  unsigned spins = 0;
  do {
    /* Only read while it is held, so that the line is not taken from the holder. */
    while (weft_peek(&lock->held)) {
      if (spins < LOCK_SPINS) {
        spins++;
        weft_cpu_relax();
      } else {
        sched_yield();
      }
    }
  } while (!weft_lock_try(lock));
}
