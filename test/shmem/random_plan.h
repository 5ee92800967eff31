/*
 * random_plan.h: what the files of shmem.random share: numbers by chance, the memory that is
 * written to with its model on every PE, and the items of a phase's plan. All PEs make the same
 * plan from the seed; an item is carried out by one actor (a thread of a PE) or, if it is a
 * collective, by all members of a team, and all go through the items in the same order. So an item
 * may wait for an earlier one of another actor.
 */
#ifndef RANDOM_PLAN_H
#define RANDOM_PLAN_H

#include <shmem.h>

#include <stdarg.h>
#include <stdbool.h>

#include "check.h"

enum { PES = 32, THREADS = 4, REGIONS = 6, ITEMS = 20000, GROUPS = 2000, ACTORS = PES * THREADS };

static uint64_t seed, drawn;
static int me, n, threads = 1, phase;
static bool loud;

/* ---- numbers by chance ----------------------------------------------------------------------- */

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static uint64_t draw64(void) {
  return mix(drawn += 0x9e3779b97f4a7c15u);
}

static size_t draw(size_t below) {
  return below ? (size_t)(draw64() % below) : 0;
}

static bool chance(unsigned percent) {
  return draw(100) < percent;
}

/* Bytes that belong to a number. */
static void fill(void *to, size_t bytes, uint64_t number) {
  char *at = to;
  for (uint64_t k = 0; bytes > 0; k++) {
    const uint64_t word = mix(mix(seed ^ (uint64_t)phase << 40 ^ number) + k * 0x9e3779b97f4a7c15u);
    const size_t step = bytes < 8 ? bytes : 8;
    memcpy(at, &word, step);
    at += step;
    bytes -= step;
  }
}

/* ---- symmetric memory ------------------------------------------------------------------------ */

/* Region 0 is for collectives, 1 is static, the others come from the heap. In a phase each PE's
 * part of a region is divided into a range that is only read, and one from which items that write
 * get chunks of their own. */
static struct region {
  char *base;
  size_t size;
  char *model; /* of PE after PE */
  size_t read_at[PES], read_end[PES], next[PES], end[PES];
} regions[REGIONS];

static char *model_of(int r, int pe) {
  return regions[r].model + (size_t)pe * regions[r].size;
}

static void region_divide(struct region *r) {
  for (int pe = 0; pe < n; pe++) {
    const size_t part = draw(r->size / 2 + 1);
    const bool front = chance(50);
    r->read_at[pe] = front ? 0 : r->size - part;
    r->read_end[pe] = front ? part : r->size;
    r->next[pe] = front ? part : 0;
    r->end[pe] = front ? r->size : r->size - part;
  }
}

/* A chunk to write to, or SIZE_MAX. */
static size_t region_carve(int region, int pe, size_t bytes, size_t align) {
  struct region *r = &regions[region];
  size_t at = r->next[pe] + (chance(50) ? 0 : draw(40));
  at = (at + align - 1) / align * align;
  if (at > r->end[pe] || bytes > r->end[pe] - at) return SIZE_MAX;
  r->next[pe] = at + bytes;
  return at;
}

/* Where to read so many bytes, or SIZE_MAX. */
static size_t region_readable(int region, int pe, size_t bytes, size_t align) {
  struct region *r = &regions[region];
  const size_t first = (r->read_at[pe] + align - 1) / align * align;
  if (first > r->read_end[pe] || bytes > r->read_end[pe] - first) return SIZE_MAX;
  return first + draw((r->read_end[pe] - first - bytes) / align + 1) * align;
}

/* ---- items ----------------------------------------------------------------------------------- */

enum verb {
  PUT,
  GET,
  P,
  G,
  IPUT,
  IGET,
  IBPUT,
  IBGET,
  PUT_SIGNAL,
  STORE,
  LOAD,
  AMO,
  SIGNAL,
  QUIET,
  FENCE,
  PE_QUIET,
  SESSION,
  WAIT,
  LOCK,
  COLLECTIVE
};
static const char *const verbs[] = {"put",      "get",     "p",      "g",          "iput",
                                    "iget",     "ibput",   "ibget",  "put_signal", "store",
                                    "load",     "amo",     "signal", "quiet",      "fence",
                                    "pe_quiet", "session", "wait",   "lock",       "collective"};

/* Where the local side lies. */
enum place { PRIVATE, STACK, STATIC, SYMMETRIC, PEERS };

typedef struct item {
  uint32_t key;
  int id, actor, pe, type, region, ctx, group, op, cell_type;
  enum verb verb;
  enum place place;
  bool nbi, plain, is_done;
  size_t at, block, count;  /* bytes; elements; blocks */
  ptrdiff_t far, near;      /* strides in elements */
  int near_region, near_pe; /* SYMMETRIC, PEERS */
  size_t near_at;
  int cell_region; /* flags, signals */
  size_t cell_at;
  uint64_t value, cond, want, mask;
  size_t near_bytes;
  char *buffer, *room; /* the actor's */
} item_t;

static item_t items[ITEMS];
static int nitems, ngroups;

static void item_tell(FILE *f, const item_t *i) {
  fprintf(
      f,
      "item %d: %s type %d op %d by actor %d (PE %d) to PE %d region %d at %zu, %zu blocks of %zu, "
      "strides %td there %td here, place %d (region %d PE %d at %zu), ctx %d%s%s, cell %d type %d "
      "at %zu value %#llx cond %#llx want %#llx, group %d\n",
      i->id, verbs[i->verb], i->type, i->op, i->actor, i->actor / threads, i->pe, i->region, i->at,
      i->count, i->block, i->far, i->near, (int)i->place, i->near_region, i->near_pe, i->near_at,
      i->ctx, i->nbi ? " nbi" : "", i->plain ? " plain" : "", i->cell_region, i->cell_type,
      i->cell_at, (unsigned long long)i->value, (unsigned long long)i->cond,
      (unsigned long long)i->want, i->group);
}

__attribute__((format(printf, 2, 3), noreturn)) static void fail(const item_t *item,
                                                                 const char *what, ...) {
  va_list args;
  fprintf(stderr, "[pe %d/%d] seed %llu, phase %d, %d threads: ", me, n, (unsigned long long)seed,
          phase, threads);
  va_start(args, what);
  vfprintf(stderr, what, args);
  va_end(args);
  fprintf(stderr, "\n");
  if (item) item_tell(stderr, item);
  weft_check_end(1);
  abort();
}

static item_t *item_new(enum verb verb, int actor, int pe) {
  item_t *i = &items[nitems];
  if (nitems >= ITEMS) fail(NULL, "too many items");
  *i = (item_t){.key = (uint32_t)draw64(),
                .id = nitems,
                .actor = actor,
                .pe = pe,
                .verb = verb,
                .group = -1,
                .plain = chance(50)};
  nitems++;
  return i;
}

/* The last `count` items go in the order in which they were made. */
static void items_in_order(int count) {
  item_t *first = &items[nitems - count];
  for (int i = 1; i < count; i++)
    for (int k = i; k > 0 && first[k - 1].key > first[k].key; k--) {
      const uint32_t key = first[k].key;
      first[k].key = first[k - 1].key;
      first[k - 1].key = key;
    }
}

static int item_order(const void *a, const void *b) {
  const item_t *x = a, *y = b;
  return x->key != y->key ? (x->key < y->key ? -1 : 1) : x->id - y->id;
}

/* A cell of 4 or 8 bytes in a model, or in memory that nobody else changes. */
static uint64_t cell_read(const char *at, size_t size) {
  uint64_t value = 0;
  memcpy(&value, at, size);
  return value;
}

static uint64_t cut(uint64_t value, size_t size) {
  return size == 8 ? value : value & 0xffffffffu;
}

/* How the bytes here differ from those that should be here; SIZE_MAX: not at all. */
static size_t differs(const char *got, const char *want, size_t bytes) {
  if (!memcmp(got, want, bytes)) return SIZE_MAX;
  size_t at = 0;
  while (got[at] == want[at]) at++;
  return at;
}

/* An operation c of the plan, on its context or by the call that names none. */
#define CTX_CALL(f, ...)                                                                           \
  do {                                                                                             \
    if (c->plain)                                                                                  \
      shmem_##f(__VA_ARGS__);                                                                      \
    else                                                                                           \
      shmem_ctx_##f(c->ctx, __VA_ARGS__);                                                          \
  } while (0)

#endif
