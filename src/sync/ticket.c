/*
 * Locks of 4 bytes, for programs whose locks are 32-bit integers (lock.c's take 8). The upper half
 * of the word is the next ticket, the lower half the ticket whose turn it is; equal halves are a
 * free lock. A PE of another node asks the home again and again whose turn it is: the later, the
 * more are in front of it and the longer the turn lasts.
 *
 * Fewer than GONE wait, so a turn that far from the tickets is nobody's: the PE that has the lock
 * has come to its end.
 */
#include <errno.h>
#include <stdlib.h>

#include "port/port.h"
#include "rma/rma.h"
#include "sync/sync.h"

enum { NEXT_SHIFT = 16, TURNS = 1 << NEXT_SHIFT, GONE = TURNS / 2 };

/* Those that this PE has. */
static struct {
  weft_lock_t lock;
  struct held {
    int home;
    uint16_t ticket;
    uintptr_t off;
  } * held;
  size_t n, room;
} mine;

static uint16_t next_of(uint32_t word) {
  return (uint16_t)(word >> NEXT_SHIFT);
}
static uint16_t turn_of(uint32_t word) {
  return (uint16_t)word;
}

static uint32_t change(int home, uintptr_t off, enum weft_amo op, uint32_t operand, uint32_t cond) {
  return (uint32_t)weft_rma_amo(home, off, op, sizeof(uint32_t), operand, cond);
}
static uint32_t look(int home, uintptr_t off) {
  return change(home, off, WEFT_AMO_FETCH, 0, 0);
}

/* No memory is behind the home any more: what it answered is nothing. */
static bool is_lost(int home) {
  return weft_unlikely(weft_job_changes()) && !weft_job_slot(home) &&
         weft_job_state(home) == WEFT_FAILED && !weft_lost_runs(weft_job_node_of(home));
}

/* ---- what this PE has ------------------------------------------------------------------------ */

static size_t find(int home, uintptr_t off) {
  size_t i = 0;
  while (i < mine.n && (mine.held[i].home != home || mine.held[i].off != off)) i++;
  return i;
}

static bool has(int home, uintptr_t off) {
  weft_lock(&mine.lock);
  const bool found = find(home, off) < mine.n;
  weft_unlock(&mine.lock);
  return found;
}

static void note(int home, uintptr_t off, uint16_t ticket) {
  weft_seen_got(&weft_job); /* what the port of this process did for those who had it before */
  weft_lock(&mine.lock);
  if (mine.n == mine.room) {
    mine.room = 2 * mine.room + 16;
    mine.held = realloc(mine.held, mine.room * sizeof *mine.held);
    if (!mine.held) weft_fatal("no memory for a list of locks");
  }
  mine.held[mine.n++] = (struct held){home, ticket, off};
  weft_unlock(&mine.lock);
}

/* Its ticket, or -EPERM. */
static int forget(int home, uintptr_t off) {
  weft_lock(&mine.lock);
  const size_t i = find(home, off);
  const int ticket = i < mine.n ? mine.held[i].ticket : -EPERM;
  if (i < mine.n) mine.held[i] = mine.held[--mine.n];
  weft_unlock(&mine.lock);
  return ticket;
}

void weft_ticket_leave(void) {
  for (size_t i = 0; i < mine.n; i++)
    change(mine.held[i].home, mine.held[i].off, WEFT_AMO_XOR, GONE, 0);
}

void weft_ticket_end(void) {
  free(mine.held);
  mine.held = NULL;
  mine.n = mine.room = 0;
}

/* ---- the locks ------------------------------------------------------------------------------- */

typedef struct turn_wait {
  int home;
  uint16_t ticket;
  uintptr_t off;
  uint64_t began, since; /* ns: of the wait; of the turn, as far as is known */
  uint16_t ahead;        /* PEs that come before this one */
  bool said;
} turn_wait_t;

/* With WEFT_CHECK=1 a long wait is said. */
static WEFT_COLD void say_long(turn_wait_t *p, uint64_t now) {
  const uint64_t patience = (uint64_t)weft_options.patience_s * 1000000000;
  if (!weft_options.check || p->said || now - p->began < patience) return;
  p->said = true;
  weft_warn("this PE has waited for the lock at %p of pe %d for %d s",
            (void *)(weft_job.window.base + p->off), p->home, weft_options.patience_s);
}

/* Is it over: has its turn come, or will it never come? */
static bool is_over(turn_wait_t *p, uint32_t word) {
  const uint16_t ahead = (uint16_t)(p->ticket - turn_of(word));
  const bool same = ahead == p->ahead;
  p->ahead = ahead;
  if (ahead == 0 || ahead >= GONE) return true;
  const uint64_t now = weft_clock_ns();
  if (p->began == 0) p->began = now;
  if (!same || p->since == 0) p->since = now;
  say_long(p, now);
  return false;
}

/* Until the home is asked again: 2 us for each PE in front; and of a turn longer than 1 ms, where a
 * late answer costs little, a sixteenth of what it has lasted beyond that, but 1 ms at most. */
static uint64_t pause_of(const turn_wait_t *p, uint64_t now) {
  enum { EACH_NS = 2000, LONG_NS = 1000000, SHARE = 16, MOST_NS = 1000000 };
  const uint64_t turn = now - p->since;
  const uint64_t share = turn < LONG_NS ? 0 : (turn - LONG_NS) / SHARE;
  return p->ahead * (uint64_t)EACH_NS + (share < MOST_NS ? share : MOST_NS);
}

/* 0 or -EHOSTDOWN. */
static int wait_for_turn(int home, uintptr_t off, uint16_t ticket) {
  turn_wait_t wait = {.home = home, .ticket = ticket, .off = off};
  const char *slot = weft_job_slot(home);
  const uint32_t *word = slot ? (const uint32_t *)(const void *)(slot + off) : NULL;
  if (word) {
    WEFT_WAIT_UNTIL(is_over(&wait, weft_observe(word)));
  } else {
    while (!is_over(&wait, look(home, off)) && !is_lost(home)) {
      const uint64_t now = weft_clock_ns(), pause = pause_of(&wait, now);
      WEFT_WAIT_UNTIL(weft_clock_ns() - now >= pause);
    }
  }
  if (is_lost(home)) return -EHOSTDOWN;
  if (weft_likely(wait.ahead == 0)) return 0;
  weft_sleep_ms(weft_job.pe % 16 * 50); /* the first one that says it ends the others */
  weft_fatal("the lock at %p of pe %d is not given up any more: the PE that has it is at its end",
             (void *)(weft_job.window.base + off), home);
}

int weft_ticket_acquire(int home, uintptr_t off) {
  if (has(home, off)) return -EDEADLK;
  const uint32_t word = change(home, off, WEFT_AMO_ADD, 1u << NEXT_SHIFT, 0);
  if (is_lost(home)) return -EHOSTDOWN;
  if (next_of(word) != turn_of(word)) {
    const int rc = wait_for_turn(home, off, next_of(word));
    if (rc) return rc;
  }
  note(home, off, next_of(word));
  return 0;
}

static int try_once(int home, uintptr_t off) {
  const uint32_t word = look(home, off);
  if (next_of(word) != turn_of(word)) return is_lost(home) ? -EHOSTDOWN : -EBUSY;
  const uint32_t was = change(home, off, WEFT_AMO_CSWAP, word + (1u << NEXT_SHIFT), word);
  if (is_lost(home)) return -EHOSTDOWN;
  if (was != word) return -EBUSY;
  note(home, off, next_of(word));
  return 0;
}

int weft_ticket_try(int home, uintptr_t off) {
  const int rc = try_once(home, off);
  weft_wait_tried(rc != -EBUSY);
  return rc;
}

/* The lower half must not carry where it goes round. */
int weft_ticket_release(int home, uintptr_t off) {
  const int ticket = forget(home, off);
  if (ticket < 0) return ticket;
  weft_seen_given(&weft_job);
  change(home, off, WEFT_AMO_ADD, ticket == TURNS - 1 ? 1u - TURNS : 1, 0);
  return 0;
}
