/*
 * Locks of 4 bytes, for programs whose locks are 32-bit integers (lock.c's take 8). The upper half
 * of the word is the next ticket, the lower half the ticket whose turn it is; equal halves are a
 * free lock. A PE of another node asks the home again and again whose turn it is, the later the
 * more are in front of it.
 */
#include <errno.h>
#include <stdlib.h>

#include "port/port.h"
#include "rma/rma.h"
#include "sync/sync.h"

enum { NEXT_SHIFT = 16, TURNS = 1 << NEXT_SHIFT };

/* Those that this PE has. */
static struct {
  weft_lock_t lock;
  struct held {
    int home;
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

static void note(int home, uintptr_t off) {
  weft_lock(&mine.lock);
  if (mine.n == mine.room) {
    mine.room = 2 * mine.room + 16;
    mine.held = realloc(mine.held, mine.room * sizeof *mine.held);
    if (!mine.held) weft_fatal("no memory for a list of locks");
  }
  mine.held[mine.n++] = (struct held){home, off};
  weft_unlock(&mine.lock);
}

static bool forget(int home, uintptr_t off) {
  weft_lock(&mine.lock);
  const size_t i = find(home, off);
  const bool found = i < mine.n;
  if (found) mine.held[i] = mine.held[--mine.n];
  weft_unlock(&mine.lock);
  return found;
}

void weft_ticket_end(void) {
  free(mine.held);
  mine.held = NULL;
  mine.n = mine.room = 0;
}

/* ---- the locks ------------------------------------------------------------------------------- */

static void wait_for_turn(int home, uintptr_t off, uint16_t ticket) {
  enum { EACH_NS = 2000, MOST = 50 };
  const char *slot = weft_job_slot(home);
  const uint32_t *word = slot ? (const uint32_t *)(const void *)(slot + off) : NULL;
  if (word) {
    WEFT_WAIT_UNTIL(turn_of(weft_observe(word)) == ticket);
    return;
  }
  for (unsigned ahead; (ahead = (uint16_t)(ticket - turn_of(look(home, off)))) > 0;) {
    const uint64_t until = weft_clock_ns() + (uint64_t)(ahead < MOST ? ahead : MOST) * EACH_NS;
    WEFT_WAIT_UNTIL(weft_clock_ns() >= until);
  }
}

int weft_ticket_acquire(int home, uintptr_t off) {
  if (has(home, off)) return -EDEADLK;
  const uint32_t word = change(home, off, WEFT_AMO_ADD, 1u << NEXT_SHIFT, 0);
  wait_for_turn(home, off, next_of(word));
  note(home, off);
  return 0;
}

int weft_ticket_try(int home, uintptr_t off) {
  const uint32_t word = look(home, off);
  if (next_of(word) != turn_of(word)) return -EBUSY;
  if (change(home, off, WEFT_AMO_CSWAP, word + (1u << NEXT_SHIFT), word) != word) return -EBUSY;
  note(home, off);
  return 0;
}

/* Only the holder changes the lower half, so it may look first whether that goes round, which must
 * not carry. */
int weft_ticket_release(int home, uintptr_t off) {
  if (!forget(home, off)) return -EPERM;
  const bool round = turn_of(look(home, off)) == TURNS - 1;
  change(home, off, WEFT_AMO_ADD, round ? 1u - TURNS : 1, 0);
  return 0;
}
