/*
 * handle.c: handles. A handle is a number: an entry of the table and its generation, or 0 for what
 * is complete. What a program's handle holds before its first use means nothing (ComEx's
 * ARMCI_INIT_HANDLE is empty), so every operation gives it a new number, unless the number is that
 * of an aggregate handle: one for many operations.
 */
#include "armci/internal.h"

#include <stdlib.h>

enum { INDEX_BITS = 12, ENTRIES = 1 << INDEX_BITS, CHUNK = 64, GENERATIONS = 1 << 18 };

typedef struct entry {
  weft_op_t op;
  uint32_t generation;
  bool used, aggregate;
  bool beginning;    /* its operation is about to begin, and not complete before */
  bool went_round;   /* generations have begun again at 0 */
  bool idle;         /* an aggregate: found complete, and not used since */
  uint64_t last_use; /* of an aggregate: a number of table.uses */
  int index;
  int next; /* the next free one, or -1 */
} entry_t;

static struct {
  weft_lock_t lock;
  entry_t *chunks[ENTRIES / CHUNK];
  int made, free, oldest;
  uint64_t uses; /* of aggregate handles, so far */
} table = {.free = -1};

int weft_armci_implicit;
static weft_op_t implicit;

static entry_t *at(int index) {
  return &table.chunks[index / CHUNK][index % CHUNK];
}

static bool is_done(const entry_t *e) {
  return !weft_observe(&e->beginning) && weft_op_is_done(&e->op);
}

/* ---- under the lock -------------------------------------------------------------------------- */

static void give_back(entry_t *e) {
  e->used = e->aggregate = e->idle = false;
  e->generation = (e->generation + 1) % GENERATIONS;
  e->went_round |= e->generation == 0;
  e->next = table.free;
  table.free = e->index;
}

/* The entry of a number, or NULL: it was complete, or is no number of ours. */
static entry_t *find(int number) {
  const int index = (number & (ENTRIES - 1)) - 1;
  if (number <= 0 || index < 0 || index >= table.made) return NULL;
  entry_t *e = at(index);
  return e->used && e->generation == (uint32_t)number >> INDEX_BITS ? e : NULL;
}

static bool grow(void) {
  if (table.made + CHUNK >= ENTRIES) return false; /* index + 1 must fit */
  entry_t *chunk = calloc(CHUNK, sizeof *chunk);
  if (!chunk) return false;
  table.chunks[table.made / CHUNK] = chunk;
  for (int i = 0; i < CHUNK; i++) {
    chunk[i].index = table.made + i;
    chunk[i].next = i < CHUNK - 1 ? table.made + i + 1 : table.free;
  }
  table.free = table.made;
  table.made += CHUNK;
  return true;
}

/* Programs make aggregate handles and forget them: those that are idle are given up here, but for
 * the ones whose last use lies in the later half of the uses since the oldest of them. */
static WEFT_COLD void forget_old(void) {
  static bool said;
  uint64_t first = table.uses;
  for (int i = 0; i < table.made; i++)
    if (at(i)->idle && at(i)->last_use < first) first = at(i)->last_use;
  const uint64_t middle = first + (table.uses - first) / 2;
  for (int i = 0; i < table.made; i++)
    if (at(i)->idle && at(i)->last_use <= middle) give_back(at(i));
  if (!said)
    weft_warn("ARMCI: %d aggregate handles are set: the oldest of those that were waited for, and "
              "not used since, are forgotten; ARMCI_UNSET_AGGREGATE_HANDLE gives them back",
              table.made);
  said = true;
}

/* Entries whose operation is complete although nobody asked: their handles were used again. */
static bool sweep(void) {
  for (int i = 0; i < table.made; i++)
    if (at(i)->used && !at(i)->aggregate && is_done(at(i))) give_back(at(i));
  if (table.free < 0) forget_old();
  return table.free >= 0;
}

/* ---------------------------------------------------------------------------------------------- */

/* What is to be used. */
static entry_t *look(int number) {
  weft_lock(&table.lock);
  entry_t *e = find(number);
  if (e) e->idle = false;
  if (e && e->aggregate) e->last_use = ++table.uses;
  weft_unlock(&table.lock);
  return e;
}

/* When thousands are open one of the older is waited for: its handle then finds it complete. */
static entry_t *take(bool aggregate) {
  int waits = 0;
  weft_lock(&table.lock);
  while (table.free < 0 && !grow() && !sweep()) {
    if (!table.made) weft_fatal("ARMCI: no memory for handles");
    if (waits++ == table.made)
      weft_fatal("ARMCI: %d aggregate handles are open, which is all: ARMCI_UNSET_AGGREGATE_HANDLE "
                 "for those that are done with", table.made);
    table.oldest = (table.oldest + 1) % table.made;
    weft_op_t *op = &at(table.oldest)->op;
    weft_unlock(&table.lock);
    weft_op_wait(op);
    weft_lock(&table.lock);
  }
  entry_t *e = at(table.free);
  table.free = e->next;
  e->used = true;
  e->aggregate = aggregate;
  if (aggregate) e->last_use = ++table.uses;
  e->beginning = !aggregate;
  weft_unlock(&table.lock);
  return e;
}

static int number_of(const entry_t *e) {
  return (int)(e->generation << INDEX_BITS) | (e->index + 1);
}

weft_op_t *weft_armci_handle_open(int *handle) {
  if (!handle) return NULL;
  if (handle == &weft_armci_implicit) return &implicit;
  entry_t *e = look(*handle);
  if (!e || !e->aggregate) {
    e = take(false);
    *handle = number_of(e);
  }
  return &e->op;
}

void weft_armci_handle_begun(weft_op_t *op) {
  if (op && op != &implicit) weft_publish(&((entry_t *)op)->beginning, false);
}

void weft_armci_handle_done(int *handle) {
  if (handle == &weft_armci_implicit) return;
  weft_lock(&table.lock);
  const entry_t *e = find(*handle);
  if (!e || !e->aggregate) *handle = 0;
  weft_unlock(&table.lock);
}

bool weft_armci_handle_make_aggregate(int *handle) {
  if (!handle || handle == &weft_armci_implicit) return false;
  entry_t *e = look(*handle);
  if (e && e->aggregate) return false;
  e = take(true);
  *handle = number_of(e);
  return true;
}

void weft_armci_aggregate(int *handle, bool on) {
  weft_armci_up("ARMCI_SET_AGGREGATE_HANDLE");
  if (!handle) weft_fatal("ARMCI_SET_AGGREGATE_HANDLE: no handle");
  if (on) {
    weft_armci_handle_make_aggregate(handle);
    return;
  }
  weft_lock(&table.lock);
  entry_t *e = find(*handle);
  if (e) e->aggregate = false;
  weft_unlock(&table.lock);
}

/* WEFT_CHECK=1: a number that no operation gave is what an unused handle holds. Under the lock. */
static WEFT_COLD void check_given(int number, const char *who) {
  const int index = (number & (ENTRIES - 1)) - 1;
  const uint32_t generation = (uint32_t)number >> INDEX_BITS;
  if (number == 0) return;
  if (number > 0 && index >= 0 && index < table.made && generation < GENERATIONS &&
      (at(index)->went_round || generation < at(index)->generation))
    return;
  weft_fatal("%s: no operation was begun with this handle (it holds %d)", who, number);
}

int weft_armci_wait(const int *handle, const char *who) {
  weft_armci_up(who);
  if (!handle) weft_fatal("%s: no handle", who);
  weft_lock(&table.lock);
  entry_t *e = find(*handle);
  if (weft_unlikely(weft_options.check) && !e) check_given(*handle, who);
  weft_unlock(&table.lock);
  if (!e) return 0;
  WEFT_SPAN(WEFT_TRACE_WAIT, who, 0);
  weft_op_wait(&e->op);
  weft_lock(&table.lock);
  if (find(*handle) == e && !e->aggregate) give_back(e);
  if (find(*handle) == e) e->idle = is_done(e);
  weft_unlock(&table.lock);
  return 0;
}

int weft_armci_test(const int *handle, const char *who) {
  weft_armci_up(who);
  if (!handle) weft_fatal("%s: no handle", who);
  weft_lock(&table.lock);
  entry_t *e = find(*handle);
  const bool done = !e || is_done(e);
  if (weft_unlikely(weft_options.check) && !e) check_given(*handle, who);
  if (e && done) e->idle = e->aggregate;
  if (e && done && !e->aggregate) give_back(e);
  weft_unlock(&table.lock);
  if (done)
    weft_armci_found();
  else
    weft_armci_progress();
  return !done;
}

void weft_armci_wait_all(void) {
  weft_armci_up("ARMCI_WaitAll");
  WEFT_SPAN(WEFT_TRACE_WAIT, "ARMCI_WaitAll", 0);
  weft_op_wait(&implicit);
  weft_lock(&table.lock);
  const int made = table.made;
  weft_unlock(&table.lock);
  for (int i = 0; i < made; i++) weft_op_wait(&at(i)->op);
}

/* Explicit ones of other processes too: nobody can tell, but for the time it takes. */
void weft_armci_wait_proc(int proc, const char *who) {
  weft_armci_check(proc, who);
  weft_armci_wait_all();
}

void weft_armci_handles_stop(void) {
  for (int i = 0; i < table.made; i += CHUNK) free(table.chunks[i / CHUNK]);
  table.made = table.oldest = 0;
  table.free = -1;
}
