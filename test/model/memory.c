/*
 * The weak memory: see memory.h.
 */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NOBODY: before the threads began. */
enum { SHARED = 4, STORES = 1000, POOL = 20000, CELL = 4, NOBODY = MODEL_THREADS };

/* A store to an atomic location, and what its reader learns by acquiring it. */
typedef struct store {
  uint64_t value;
  view_t view;
} store_t;

/* 4 aligned bytes, or 8 if it was first used so. */
typedef struct location {
  uintptr_t at;
  size_t size;
  int stores;
  store_t *store[STORES];
} location_t;

/* Plain accesses to 4 aligned bytes: who wrote them last, and when each thread read them. */
typedef struct cell {
  uint32_t epoch; /* of the execution; another one: untouched */
  uint8_t writer;
  uint32_t written, read[MODEL_THREADS]; /* read: 0, never, or the clock + 1 */
} cell_t;

typedef struct thread {
  view_t now, acquired, released;
  uint64_t recent[2]; /* locations read since memory_catch_up, a bit each */
  int last, repeats;  /* the same store of this location was read so often */
} thread_t;

static struct {
  struct {
    uintptr_t at;
    size_t n;
    cell_t *cells;
  } shared[SHARED];
  int nshared, nlocations, nthreads;
  uint32_t epoch;
  enum model_weakening weakening;
  uintptr_t weak_at; /* what model_weaken has named */
  size_t weak_n;
  location_t locations[LOCATIONS];
  thread_t threads[MODEL_THREADS];
  view_t sequential; /* what fences with sequential consistency pass on */
  store_t *pool;     /* of all stores of an execution */
  size_t used;
} memory;

void model_share(void *p, size_t n) {
  if (n == 0) {
    for (int i = 0; i < memory.nshared; i++) free(memory.shared[i].cells);
    memory.nshared = 0;
    return;
  }
  if (memory.nshared == SHARED) abort();
  memory.shared[memory.nshared].at = (uintptr_t)p;
  memory.shared[memory.nshared].n = n;
  memory.shared[memory.nshared++].cells = calloc(n / CELL + 1, sizeof(cell_t));
}

void memory_reset(int threads, enum model_weakening weakening) {
  memory.nlocations = 0;
  memory.nthreads = threads;
  memory.weakening = weakening;
  memory.epoch++;
  memory.used = 0;
  memset(memory.threads, 0, sizeof memory.threads);
  memset(&memory.sequential, 0, sizeof memory.sequential);
  for (int t = 0; t < threads; t++) memory.threads[t].now.clock[t] = 1;
}

static int region_of(uintptr_t at) {
  for (int i = 0; i < memory.nshared; i++)
    if (at - memory.shared[i].at < memory.shared[i].n) return i;
  return -1;
}

bool memory_shared(const volatile void *p) {
  return region_of((uintptr_t)p) >= 0;
}

/* ---- views ----------------------------------------------------------------------------------- */

static void join(view_t *view, const view_t *other) {
  for (int i = 0; i < memory.nlocations; i++)
    if (view->store[i] < other->store[i]) view->store[i] = other->store[i];
  for (int i = 0; i < MODEL_THREADS; i++)
    if (view->clock[i] < other->clock[i]) view->clock[i] = other->clock[i];
}

void model_weaken(const void *words, size_t n) {
  memory.weak_at = (uintptr_t)words;
  memory.weak_n = n;
}

enum { FENCES = -1 };

/* Is the location's part weakened so? */
static bool is_weak(int at, enum model_weakening weakening) {
  if (memory.weakening != weakening || memory.weak_n == 0) return memory.weakening == weakening;
  if (at == FENCES) return false;
  const location_t *l = &memory.locations[at];
  return l->at < memory.weak_at + memory.weak_n && memory.weak_at < l->at + l->size;
}

static bool acquires(int at, int order) {
  return !is_weak(at, MODEL_NO_ACQUIRE) && order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}

static bool releases(int at, int order) {
  return !is_weak(at, MODEL_NO_RELEASE) && order >= __ATOMIC_RELEASE;
}

/* The thread's clock moves after everything that it may give away, so that others know what came
 * before from what comes after. */
static void tick(int t) {
  memory.threads[t].now.clock[t]++;
}

/* ---- plain accesses and races ---------------------------------------------------------------- */

/* Does thread t know what a thread did at `when`? */
static bool knows(int t, int writer, uint32_t when) {
  return writer == t || writer == NOBODY || memory.threads[t].now.clock[writer] >= when;
}

static void race(int t, int other, uintptr_t at, const char *what) {
  char text[160];
  snprintf(text, sizeof text,
           "race: thread %d %s the shared bytes from %zu on, not ordered after thread %d's access",
           t, what, (size_t)(at - memory.shared[region_of(at)].at), other);
  model_failed("memory", 0, text);
}

void memory_plain(int t, const volatile void *p, size_t n, bool write) {
  const int region = region_of((uintptr_t)p);
  if (region < 0) return;
  const uintptr_t base = memory.shared[region].at, from = (uintptr_t)p - base;
  const uint32_t now = memory.threads[t].now.clock[t];
  for (size_t c = from / CELL; c * CELL < from + n; c++) {
    cell_t *cell = &memory.shared[region].cells[c];
    if (cell->epoch != memory.epoch) *cell = (cell_t){.epoch = memory.epoch, .writer = NOBODY};
    if (!knows(t, cell->writer, cell->written))
      race(t, cell->writer, base + c * CELL, write ? "writes" : "reads");
    if (!write) {
      cell->read[t] = now + 1;
      continue;
    }
    for (int r = 0; r < memory.nthreads; r++)
      if (cell->read[r] && !knows(t, r, cell->read[r] - 1)) race(t, r, base + c * CELL, "writes");
    memset(cell->read, 0, sizeof cell->read);
    cell->writer = (uint8_t)t;
    cell->written = now;
  }
}

/* ---- locations ------------------------------------------------------------------------------- */

static uint64_t in_memory(const location_t *l) {
  uint64_t value = 0;
  memcpy(&value, (const void *)l->at, l->size);
  return value;
}

static store_t *new_store(location_t *l, uint64_t value) {
  if (!memory.pool) memory.pool = malloc(POOL * sizeof(store_t));
  if (l->stores == STORES || memory.used == POOL) {
    fprintf(stderr, "model: an execution with too many stores\n");
    exit(1);
  }
  store_t *s = l->store[l->stores++] = &memory.pool[memory.used++];
  s->value = value;
  return s;
}

int memory_location(const volatile void *p, size_t n) {
  if (!memory_shared(p)) return -1;
  for (int i = 0; i < memory.nlocations; i++) {
    const location_t *l = &memory.locations[i];
    if ((uintptr_t)p - l->at < l->size) {
      if ((uintptr_t)p + n > l->at + l->size) abort(); /* used as 4 bytes, and now as 8 */
      return i;
    }
  }
  if (memory.nlocations == LOCATIONS) abort();
  location_t *l = &memory.locations[memory.nlocations];
  l->size = n == 8 ? 8 : 4;
  l->at = (uintptr_t)p & ~(uintptr_t)(l->size - 1);
  l->stores = 0;
  /* What it held before: everybody may read that. */
  memset(&new_store(l, in_memory(l))->view, 0, sizeof(view_t));
  return memory.nlocations++;
}

static uint64_t extract(const location_t *l, const volatile void *p, size_t n, uint64_t value) {
  const unsigned shift = (unsigned)((uintptr_t)p - l->at) * 8;
  return n == 8 ? value : value >> shift & (((uint64_t)1 << n * 8) - 1);
}

static uint64_t insert(const location_t *l, const volatile void *p, size_t n, uint64_t old,
                       uint64_t value) {
  const unsigned shift = (unsigned)((uintptr_t)p - l->at) * 8;
  if (n == 8) return value;
  const uint64_t mask = (((uint64_t)1 << n * 8) - 1) << shift;
  return (old & ~mask) | (value << shift & mask);
}

/* Somebody wrote the location plainly since: that is a store too, and a race if it was not known.
 */
static void catch_plain_write(int t, location_t *l) {
  const uint64_t value = in_memory(l);
  memory_plain(t, (const void *)l->at, l->size, false);
  if (value == l->store[l->stores - 1]->value) return;
  new_store(l, value)->view = memory.threads[t].now;
  memory.threads[t].now.store[l - memory.locations] = (uint16_t)(l->stores - 1);
}

/* Operations with sequential consistency know of all earlier ones. */
static void sequential_before(int t, int order) {
  if (order == __ATOMIC_SEQ_CST) join(&memory.threads[t].now, &memory.sequential);
}

static void sequential_after(int t, int order) {
  if (order == __ATOMIC_SEQ_CST) join(&memory.sequential, &memory.threads[t].now);
}

static void read_from(int t, int at, int which, int order) {
  thread_t *thread = &memory.threads[t];
  const location_t *l = &memory.locations[at];
  const view_t *learns = &l->store[which]->view;
  const bool again = thread->last == at + 1 && thread->now.store[at] == which;
  thread->repeats = again ? thread->repeats + 1 : 0;
  thread->last = at + 1;
  thread->recent[at / 64] |= (uint64_t)1 << at % 64;
  thread->now.store[at] = (uint16_t)which;
  join(&thread->acquired, learns);
  if (acquires(at, order)) join(&thread->now, learns);
}

/* A new newest store; `after`: the one that a read-modify-write has read, whose releases it
 * carries on. */
static void append(int t, int at, uint64_t value, int order, const store_t *after) {
  thread_t *thread = &memory.threads[t];
  location_t *l = &memory.locations[at];
  store_t *s = new_store(l, value);
  thread->now.store[at] = (uint16_t)(l->stores - 1);
  thread->last = 0;
  s->view = releases(at, order) ? thread->now : thread->released;
  s->view.store[at] = (uint16_t)(l->stores - 1);
  if (after) join(&s->view, &after->view);
  memcpy((void *)l->at, &value, l->size);
  tick(t);
}

uint64_t memory_load(int t, const volatile void *p, size_t n, int order) {
  const int at = memory_location(p, n);
  location_t *l = &memory.locations[at];
  catch_plain_write(t, l);
  sequential_before(t, order);
  const int oldest = memory.threads[t].now.store[at];
  const int which = l->stores - 1 - choose(l->stores - oldest);
  read_from(t, at, which, order);
  sequential_after(t, order);
  return extract(l, p, n, l->store[which]->value);
}

void memory_store(int t, volatile void *p, size_t n, uint64_t value, int order) {
  const int at = memory_location(p, n);
  location_t *l = &memory.locations[at];
  catch_plain_write(t, l);
  sequential_before(t, order);
  append(t, at, insert(l, p, n, l->store[l->stores - 1]->value, value), order, NULL);
  sequential_after(t, order);
}

static uint64_t apply(enum rmw op, uint64_t old, uint64_t operand) {
  switch (op) {
  case RMW_EXCHANGE: return operand;
  case RMW_ADD: return old + operand;
  case RMW_SUB: return old - operand;
  case RMW_AND: return old & operand;
  case RMW_OR: return old | operand;
  default: return old ^ operand;
  }
}

uint64_t memory_modify(int t, volatile void *p, size_t n, enum rmw op, uint64_t operand,
                       int order) {
  const int at = memory_location(p, n);
  location_t *l = &memory.locations[at];
  catch_plain_write(t, l);
  sequential_before(t, order);
  const store_t *last = l->store[l->stores - 1];
  const uint64_t old = extract(l, p, n, last->value);
  read_from(t, at, l->stores - 1, order);
  append(t, at, insert(l, p, n, last->value, apply(op, old, operand)), order, last);
  sequential_after(t, order);
  return old;
}

bool memory_compare_exchange(int t, volatile void *p, size_t n, uint64_t *expected, uint64_t value,
                             int order, int failure) {
  const int at = memory_location(p, n);
  location_t *l = &memory.locations[at];
  catch_plain_write(t, l);
  sequential_before(t, order);
  const store_t *last = l->store[l->stores - 1];
  const uint64_t old = extract(l, p, n, last->value);
  const bool equal = old == *expected;
  read_from(t, at, l->stores - 1, equal ? order : failure);
  if (equal) append(t, at, insert(l, p, n, last->value, value), order, last);
  sequential_after(t, order);
  *expected = old;
  return equal;
}

void memory_fence(int t, int order) {
  thread_t *thread = &memory.threads[t];
  if (memory.weakening == MODEL_NO_FENCE) return;
  if (acquires(FENCES, order)) join(&thread->now, &thread->acquired);
  if (order == __ATOMIC_SEQ_CST) {
    join(&thread->now, &memory.sequential);
    memory.sequential = thread->now;
  }
  if (releases(FENCES, order)) thread->released = thread->now;
  tick(t);
}

bool memory_news(int t) {
  const thread_t *thread = &memory.threads[t];
  for (int i = 0; i < memory.nlocations; i++)
    if (thread->recent[i / 64] >> i % 64 & 1 &&
        thread->now.store[i] < memory.locations[i].stores - 1)
      return true;
  return false;
}

void memory_catch_up(int t) {
  thread_t *thread = &memory.threads[t];
  for (int i = 0; i < memory.nlocations; i++)
    if (thread->recent[i / 64] >> i % 64 & 1)
      thread->now.store[i] = (uint16_t)(memory.locations[i].stores - 1);
  thread->recent[0] = thread->recent[1] = 0;
  thread->last = thread->repeats = 0;
}

int memory_repeats(int t) {
  return memory.threads[t].repeats;
}
