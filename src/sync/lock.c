/*
 * Queued locks. The word of a lock names its holder and the first that waits; those that wait are a
 * chain of entries in the home's slot. PEs of the home's node work on it directly, others by a call
 * to its port (port: services). A PE that waits looks at a word of its own slot, which the grant
 * sets.
 *
 *   word:  bits 0..31 the PE last in the queue + 1, the holder if nobody waits; bits 32..63 the
 * first entry that waits, in UNITs of the home's private heap, 0 if there is none
 *
 * A lock that nobody waits for changes by one compare-and-swap, with no other lock. Entries are
 * changed under the home's queue lock, and each step leaves a whole chain, so that a process may
 * die anywhere.
 */
#include "port/port.h"
#include "sync/sync.h"

#include <stdlib.h>

typedef struct entry {
  uint64_t next;   /* slot offset; 0: the last one */
  uint64_t last;   /* the first one's: where the last is, or one before it */
  uint64_t result; /* the word that the PE looks at, as it sees it */
  uint32_t pe;
  uint32_t holder; /* in the first entry: the PE that has the lock */
} entry_t;

/* A lock as a process of its home's node sees it. */
typedef struct place {
  uint64_t *word;
  char *slot;
  weft_shared_t *shared;
  int home;
} place_t;

enum { CHAIN_SHIFT = 32, UNIT = sizeof(entry_t) };

static uint64_t word_of(int last, uint64_t first) {
  const uint64_t unit = first ? (first - weft_job.window.layout.private_heap) / UNIT : 0;
  return ((uint64_t)last + 1) | unit << CHAIN_SHIFT;
}
static int last_of(uint64_t word) {
  return (int)((uint32_t)word - 1);
}
/* The first entry's slot offset, or 0. */
static uint64_t first_of(uint64_t word) {
  const uint64_t unit = word >> CHAIN_SHIFT;
  return unit ? weft_job.window.layout.private_heap + unit * UNIT : 0;
}

static place_t place_of(int home, char *word) {
  return (place_t){.word = (uint64_t *)(void *)word,
                   .slot = weft_job_slot(home),
                   .shared = weft_job_shared(home),
                   .home = home};
}

static bool change(const place_t *p, uint64_t *from, uint64_t to) {
  return __atomic_compare_exchange_n(p->word, from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* ---- the chain, under the home's queue lock -------------------------------------------------- */

static entry_t *entry_at(const place_t *p, uint64_t off) {
  return (entry_t *)(void *)(p->slot + off);
}

static WEFT_COLD void refuse(const place_t *p) {
  weft_fatal("the lock at %p of pe %d holds no value of a lock: it is 0 before its first use",
             (void *)(weft_job.window.base + (uintptr_t)((char *)p->word - p->slot)), p->home);
}

/* 0, or where an entry may lie? */
static bool is_place(uint64_t off) {
  const weft_layout_t *l = &weft_job.window.layout;
  const uint64_t at = off - l->private_heap;
  return off == 0 || (at <= l->private_limit - sizeof(entry_t) && at % UNIT == 0);
}
static void check_place(const place_t *p, uint64_t off) {
  if (weft_unlikely(!is_place(off))) refuse(p);
}

/* A damaged word may have led an entry that is free now to memory that somebody writes to. */
static uint64_t new_entry(const place_t *p) {
  enum { AT_A_TIME = 64 };
  weft_shared_t *s = p->shared;
  if (!s->queue_free) {
    const uint64_t some = weft_private_alloc_of(p->home, WEFT_CACHELINE, AT_A_TIME * UNIT);
    const bool far = (some - weft_job.window.layout.private_heap) / UNIT >= UINT32_MAX - AT_A_TIME;
    if (!some || far)
      weft_fatal("no memory for a queue of PEs at a lock of pe %d: %s", p->home,
                 some ? "its private heap is too full for one" : weft_private_shortage());
    for (uint64_t i = 0; i < AT_A_TIME; i++)
      entry_at(p, some + i * UNIT)->next = i + 1 < AT_A_TIME ? some + (i + 1) * UNIT : 0;
    s->queue_free = some;
  }
  const uint64_t off = s->queue_free;
  check_place(p, off);
  s->queue_free = entry_at(p, off)->next;
  return off;
}

static void free_entry(const place_t *p, uint64_t off) {
  entry_at(p, off)->next = p->shared->queue_free;
  p->shared->queue_free = off;
}

static void append(const place_t *p, uint64_t first, uint64_t off) {
  uint64_t last = entry_at(p, first)->last, left = weft_job.window.layout.private_limit / UNIT;
  for (uint64_t next; (next = entry_at(p, last)->next); last = next) {
    check_place(p, next);
    if (weft_unlikely(left-- == 0)) refuse(p); /* it goes round */
  }
  weft_publish(&entry_at(p, last)->next, off);
  entry_at(p, first)->last = off;
  weft_publish(p->word, word_of((int)entry_at(p, off)->pe, first));
}

static bool is_pe(uint32_t pe) {
  return pe < (uint32_t)weft_job.npes;
}

/* What is no word of a lock must not be followed: its memory was never set to 0, or is no lock. */
static void check_word(const place_t *p, uint64_t word) {
  const uint64_t first = first_of(word);
  const bool is_right = is_place(first) && is_pe((uint32_t)last_of(word));
  const entry_t *e = is_right && first ? entry_at(p, first) : NULL;
  if (weft_likely(is_right && (!e || (is_place(e->next) && e->last && is_place(e->last) &&
                                      is_pe(e->pe)))))
    return;
  refuse(p);
}

/* Take the lock, or queue: true if it was free. */
static bool take_or_queue(const place_t *p, int pe, uint64_t result) {
  uint64_t word = 0;
  if (change(p, &word, word_of(pe, 0))) return true;
  weft_node_lock(&p->shared->queue_lock);
  const uint64_t off = new_entry(p);
  entry_t *e = entry_at(p, off);
  *e = (entry_t){.last = off, .result = result, .pe = (uint32_t)pe};
  word = weft_observe(p->word);
  if (word) check_word(p, word);
  if (first_of(word)) { /* from here on only a holder of the queue lock changes it */
    append(p, first_of(word), off);
    word = 1;
  } else {
    do e->holder = (uint32_t)last_of(word);
    while (!change(p, &word, word_of(pe, word ? off : 0)));
    if (!word) free_entry(p, off);
  }
  weft_node_unlock(&p->shared->queue_lock);
  return word == 0;
}

/* Give it to the first that waits and runs, and tell it `value`. False: `pe` does not have
 * it. */
static bool pass_on(const place_t *p, int pe, const weft_call_t *by, uint64_t value) {
  uint64_t word = word_of(pe, 0);
  if (change(p, &word, 0)) return true;
  weft_node_lock(&p->shared->queue_lock);
  word = weft_observe(p->word);
  if (word) check_word(p, word);
  const uint64_t off = first_of(word);
  const bool has = off && entry_at(p, off)->holder == (uint32_t)pe;
  entry_t next = {0};
  if (has) {
    next = *entry_at(p, off);
    if (!weft_service_is_callers((int)next.pe, next.result, sizeof next.result)) refuse(p);
    /* Who died in append() may not have said that there is one more, here or in the word. */
    if (next.next) {
      entry_at(p, next.next)->last = next.last == off ? next.next : next.last;
      entry_at(p, next.next)->holder = next.pe;
    }
    weft_publish(p->word, word_of(next.next ? last_of(word) : (int)next.pe, next.next));
    free_entry(p, off);
  }
  weft_node_unlock(&p->shared->queue_lock);
  if (has && weft_unlikely(weft_job_has_failed((int)next.pe)))
    return pass_on(p, (int)next.pe, by, value);
  if (has) weft_service_answer(by, (int)next.pe, next.result, value);
  return has;
}

static int holder_now(const place_t *p) {
  weft_node_lock(&p->shared->queue_lock);
  const uint64_t word = weft_observe(p->word), first = first_of(word);
  if (word) check_word(p, word);
  const int holder = first ? (int)entry_at(p, first)->holder : last_of(word);
  weft_node_unlock(&p->shared->queue_lock);
  return holder;
}

/* Somebody died: if it had the lock, the next one has it. */
static bool review(const place_t *p, const weft_call_t *by) {
  const int holder = holder_now(p);
  return is_pe((uint32_t)holder) && weft_job_has_failed(holder) &&
         pass_on(p, holder, by, EOWNERDEAD);
}

/* Who gives a lock up may die between its word and what tells the next PE. So has this one the
 * lock, and waits no more? */
static bool was_given(const place_t *p, int pe, uint64_t result) {
  uint64_t left = weft_job.window.layout.private_limit / UNIT;
  weft_node_lock(&p->shared->queue_lock);
  const uint64_t word = weft_observe(p->word);
  if (word) check_word(p, word);
  uint64_t off = first_of(word);
  bool has = (off ? (int)entry_at(p, off)->holder : last_of(word)) == pe;
  for (; has && off; off = entry_at(p, off)->next) {
    check_place(p, off);
    if (weft_unlikely(left-- == 0)) refuse(p); /* it goes round */
    has = entry_at(p, off)->pe != (uint32_t)pe || entry_at(p, off)->result != result;
  }
  weft_node_unlock(&p->shared->queue_lock);
  return has;
}

/* ---- services: results are 0 or an errno ----------------------------------------------------- */

static bool serve_lock(char *object, const weft_call_t *call, uint64_t *result) {
  const place_t p = place_of(call->pe, object);
  if (call->at_port) weft_service_check_result(call);
  *result = 0;
  return take_or_queue(&p, call->from, call->result);
}

static bool serve_try(char *object, const weft_call_t *call, uint64_t *result) {
  const place_t p = place_of(call->pe, object);
  uint64_t word = 0;
  *result = change(&p, &word, word_of(call->from, 0)) ? 0 : EBUSY;
  return true;
}

static bool serve_unlock(char *object, const weft_call_t *call, uint64_t *result) {
  const place_t p = place_of(call->pe, object);
  *result = pass_on(&p, call->from, call, 0) ? 0 : EPERM;
  return true;
}

/* For a PE that waits, with the word that it looks at: has it been given the lock, or is it now?
 * For one that does not: was the lock taken from the dead? */
static bool serve_review(char *object, const weft_call_t *call, uint64_t *result) {
  const place_t p = place_of(call->pe, object);
  const bool taken = review(&p, call);
  const bool has = call->operand ? was_given(&p, call->from, call->operand) : taken;
  *result = has ? EOWNERDEAD : 0;
  return true;
}

static bool serve_reset(char *object, const weft_call_t *call, uint64_t *result) {
  (void)call;
  weft_publish((uint64_t *)(void *)object, 0);
  *result = 0;
  return true;
}

static bool serve_locks_left(char *object, const weft_call_t *call, uint64_t *result) {
  (void)object;
  *result = weft_observe(&weft_job_shared(call->pe)->locks_left);
  return true;
}

static bool serve_holder(char *object, const weft_call_t *call, uint64_t *result) {
  const place_t p = place_of(call->pe, object);
  *result = (uint64_t)(uint32_t)holder_now(&p);
  return true;
}

void weft_qlock_start(void) {
  weft_service_register(WEFT_SERVICE_LOCKS_LEFT, serve_locks_left);
  weft_service_register(WEFT_SERVICE_LOCK_HOLDER, serve_holder);
  weft_service_register(WEFT_SERVICE_LOCK_RESET, serve_reset);
  weft_service_register(WEFT_SERVICE_LOCK_REVIEW, serve_review);
  weft_service_register(WEFT_SERVICE_LOCK, serve_lock);
  weft_service_register(WEFT_SERVICE_TRY_LOCK, serve_try);
  weft_service_register(WEFT_SERVICE_UNLOCK, serve_unlock);
}

/* ---- this PE's side -------------------------------------------------------------------------- */

/* Words to wait on, in the own slot; those not in use are a chain. And the locks that this PE has.
 */
static struct {
  weft_lock_t lock;
  struct wait_word {
    _Alignas(WEFT_CACHELINE) uint64_t result;
    struct wait_word *next;
  } *words;
  struct held {
    int home;
    uintptr_t off;
  } *held;
  size_t nheld, room;
} mine;

static struct wait_word *take_word(void) {
  enum { AT_A_TIME = 8 };
  weft_lock(&mine.lock);
  if (!mine.words) {
    struct wait_word *some = weft_private_alloc(WEFT_CACHELINE, AT_A_TIME * sizeof *some);
    if (!some) weft_fatal("no memory to wait for a lock: %s", weft_private_shortage());
    for (int i = 0; i < AT_A_TIME; i++) some[i].next = i + 1 < AT_A_TIME ? &some[i + 1] : NULL;
    mine.words = some;
  }
  struct wait_word *w = mine.words;
  mine.words = w->next;
  weft_unlock(&mine.lock);
  return w;
}

static void give_word_back(struct wait_word *w) {
  weft_lock(&mine.lock);
  w->next = mine.words;
  mine.words = w;
  weft_unlock(&mine.lock);
}

void weft_qlock_leave(bool ends) {
  weft_publish(&weft_job_shared(weft_job.pe)->locks_left, ends);
}

void weft_qlock_end(void) {
  free(mine.held);
  mine.held = NULL;
  mine.nheld = mine.room = 0;
  mine.words = NULL; /* they were the job's memory */
}

static void note_held(int home, uintptr_t off) {
  weft_seen_got(&weft_job); /* what the port of this process did for those who had it before */
  weft_lock(&mine.lock);
  if (mine.nheld == mine.room) {
    mine.room = mine.room ? 2 * mine.room : 16;
    mine.held = realloc(mine.held, mine.room * sizeof *mine.held);
    if (!mine.held) weft_fatal("no memory to note the %zu locks that this PE has", mine.nheld);
  }
  mine.held[mine.nheld++] = (struct held){home, off};
  weft_unlock(&mine.lock);
}

/* Where it is among those that this PE has, from the latest; or nheld. Under the lock. */
static size_t find_held(int home, uintptr_t off) {
  for (size_t i = mine.nheld; i-- > 0;)
    if (mine.held[i].off == off && mine.held[i].home == home) return i;
  return mine.nheld;
}

static bool drop_held(int home, uintptr_t off) {
  weft_lock(&mine.lock);
  const size_t i = find_held(home, off);
  const bool found = i < mine.nheld;
  if (found) mine.held[i] = mine.held[--mine.nheld];
  weft_unlock(&mine.lock);
  return found;
}

bool weft_qlock_is_mine(int home, uintptr_t off) {
  weft_lock(&mine.lock);
  const bool found = find_held(home, off) < mine.nheld;
  weft_unlock(&mine.lock);
  return found;
}

/* Another PE may have given up a lock that this one had (reset), and a new one be there. */
static WEFT_COLD bool still_mine(int home, uintptr_t off) {
  if (weft_qlock_holder(home, off) == weft_job.pe) return true;
  drop_held(home, off);
  return false;
}

/* Whoever gives up a lock has the next PE told so, by its home's port: that is no packet of
 * anybody's, which would be answered. So where a PE has waited for WEFT_LINK_TIMEOUT the home is
 * asked whether it has the lock already. What its port told this PE comes before its answer; what
 * another PE of that node sent may come later, and is watched there (port/watch.c). */
typedef struct lock_wait {
  unsigned steps;
  unsigned owned; /* so often, one after the other, the home said that this PE has the lock */
  uint64_t since; /* ns: time of the last question, or 0 */
  uint64_t began, looked; /* ns: of the wait, or 0; when the holder was looked at last */
  uint32_t changes;       /* weft_job_changes when the home was asked to review; 0: anew */
  uint64_t given;         /* ns: since when it says that this PE has it, or 0 */
  bool said;
} lock_wait_t;

/* Whenever somebody has died, and each second from then on (the home hears of it later, perhaps),
 * the home is asked to look whether that PE had the lock. 0, or how the wait ends: the lock is gone
 * (it goes round as long as a PE of its node runs: its memory is there, and a port serves it); or
 * this PE has had it for two seconds, and nobody tells it. */
static int review_of(int home, uintptr_t off, const uint64_t *result, lock_wait_t *wait) {
  const uint64_t sure = 2000000000; /* ns: at least two answers */
  const uint32_t changes = weft_job_changes();
  if (weft_likely(changes == wait->changes)) return 0;
  wait->changes = changes;
  if (!weft_job_slot(home) && weft_job_state(home) == WEFT_FAILED &&
      !weft_lost_runs(weft_job_node_of(home)))
    return EHOSTDOWN;
  const bool given = weft_service_call(home, off, WEFT_SERVICE_LOCK_REVIEW,
                                       (uint64_t)(uintptr_t)result, 0) == EOWNERDEAD;
  const uint64_t now = weft_clock_ns();
  if (!given || wait->given == 0) wait->given = given ? now : 0;
  return given && now - wait->given >= sure ? EOWNERDEAD : 0;
}

static WEFT_COLD void ask_home(int home, uintptr_t off, const uint64_t *result, lock_wait_t *wait) {
  enum { SURE = 2 };
  const uint64_t now = weft_clock_ns(), timeout = (uint64_t)weft_options.link_timeout * 1000000000;
  if (weft_job_changes()) return; /* the giver may be dead: review_of asks */
  if (wait->since == 0) wait->since = now;
  if (timeout == 0 || now - wait->since < timeout) return;
  wait->since = now;
  const bool owned = weft_qlock_holder(home, off) == weft_job.pe &&
                     !weft_qlock_is_mine(home, off); /* it is not another thread's */
  wait->owned = owned ? wait->owned + 1 : 0;
  if (wait->owned == SURE && weft_observe(result) == WEFT_NO_RESULT)
    weft_watch_lose(&weft_channels[0], weft_job_node_of(home), wait->owned * timeout);
}

static bool is_at_its_end(int pe) {
  if (weft_job_state(pe) == WEFT_STOPPED) return true;
  return weft_service_call(pe, weft_job.layout.shared, WEFT_SERVICE_LOCKS_LEFT, 0, 0) == 1;
}

/* A PE that has come to its end gives up no lock; what it gave up before has arrived by then, so
 * who has it is asked once more. With WEFT_CHECK=1 a long wait is said. */
static WEFT_COLD void look_at_holder(int home, uintptr_t off, lock_wait_t *wait) {
  const uint64_t now = weft_clock_ns(), second = 1000000000;
  if (wait->began == 0) wait->began = wait->looked = now;
  if (now - wait->looked < second) return;
  wait->looked = now;
  wait->changes = 0;
  const int holder = weft_qlock_holder(home, off);
  const void *at = (void *)(weft_job.window.base + off);
  if (holder < 0 || holder == weft_job.pe) return;
  if (is_at_its_end(holder) && weft_qlock_holder(home, off) == holder) {
    weft_sleep_ms(weft_job.pe % 16 * 50); /* the first one that says it ends the others */
    weft_fatal("the lock at %p of pe %d is not given up any more: pe %d has it, and is at its end",
               at, home, holder);
  }
  const uint64_t patience = (uint64_t)weft_options.patience_s * second;
  if (!weft_options.check || wait->said || now - wait->began < patience) return;
  wait->said = true;
  weft_warn("this PE has waited for the lock at %p of pe %d for %d s: pe %d has it", at, home,
            weft_options.patience_s, holder);
}

static bool is_told(int home, uintptr_t off, const uint64_t *result, lock_wait_t *wait) {
  enum { STEPS = 1024 }; /* between looks at the clock */
  if (weft_observe(result) != WEFT_NO_RESULT) return true;
  if (weft_likely(++wait->steps % STEPS)) return false;
  if (!weft_job_slot(home)) ask_home(home, off, result, wait);
  look_at_holder(home, off, wait);
  return weft_observe(result) != WEFT_NO_RESULT;
}

/* Nothing comes for the word any more, if the wait has ended by it. */
static int wait_for(int home, uintptr_t off, struct wait_word *w) {
  int untold = 0;
  lock_wait_t wait = {0};
  WEFT_WAIT_ON(&weft_channels[0], is_told(home, off, &w->result, &wait) ||
                                      (untold = review_of(home, off, &w->result, &wait)));
  const uint64_t value = weft_observe(&w->result);
  if (value == WEFT_NO_RESULT) return untold;
  give_word_back(w);
  return (int)value;
}

int weft_qlock_acquire(int home, uintptr_t off) {
  if (weft_unlikely(weft_qlock_is_mine(home, off)) && still_mine(home, off)) return -EDEADLK;
  struct wait_word *w = take_word();
  weft_stage_release(); /* the holder may wait for what is staged here */
  weft_service_begin(home, off, WEFT_SERVICE_LOCK, 0, 0, &w->result);
  const int rc = -wait_for(home, off, w);
  if (rc == 0 || rc == -EOWNERDEAD) note_held(home, off);
  return rc;
}

static int try_once(int home, uintptr_t off) {
  const uint64_t result = weft_service_call(home, off, WEFT_SERVICE_TRY_LOCK, 0, 0);
  return weft_unlikely(result == WEFT_NO_RESULT) ? -EHOSTDOWN : -(int)result;
}

int weft_qlock_try(int home, uintptr_t off) {
  if (weft_unlikely(weft_qlock_is_mine(home, off)) && still_mine(home, off)) return -EDEADLK;
  int rc = try_once(home, off);
  if (rc == -EBUSY && weft_unlikely(weft_job_changes())) {
    const uint64_t freed = weft_service_call(home, off, WEFT_SERVICE_LOCK_REVIEW, 0, 0);
    rc = try_once(home, off);
    if (rc == 0) rc = -(int)freed;
  }
  if (rc == 0 || rc == -EOWNERDEAD) note_held(home, off);
  weft_wait_tried(rc != -EBUSY);
  return rc;
}

int weft_qlock_release(int home, uintptr_t off) {
  if (!drop_held(home, off)) return -EPERM;
  weft_seen_given(&weft_job);
  weft_service_begin(home, off, WEFT_SERVICE_UNLOCK, 0, 0, NULL);
  return 0;
}

int weft_qlock_holder(int home, uintptr_t off) {
  const int holder = (int32_t)weft_service_call(home, off, WEFT_SERVICE_LOCK_HOLDER, 0, 0);
  if (weft_unlikely(holder >= weft_job.npes))
    weft_fatal("pe %d says that pe %d has a lock, which there is not", home, holder);
  return holder;
}

void weft_qlock_reset(int home, uintptr_t off) {
  drop_held(home, off);
  weft_service_call(home, off, WEFT_SERVICE_LOCK_RESET, 0, 0);
}
