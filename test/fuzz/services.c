/*
 * What the runtime does itself for PEs of other nodes, in a node of two PEs: any calls of its
 * services and any messages to its own handlers, as the port and the inbox hand them on. An input
 * is a list of these, each an item_t and its data. What the calls have queued for an owner its
 * thread does in the end (owned.c); and there are items by which one of the PEs comes to a meeting.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "am/am.h"
#include "coll/begun_internal.h"
#include "owned.h"
#include "runtime/runtime_internal.h"
#include "sync/sync.h"
#include "window/heap.h"
#include "wire.h"

enum {
  POKE = 100,    /* `what` of puts, */
  COMES = 101,   /* and where PE `to` comes to a meeting of `from` + 1 PEs: key, number, value */
  MESSAGE = 128, /* `what` of a message: this + the number of its handler: */
  HANDLERS = 128,
  MAIL = MESSAGE + 9,  /* sync/mail.c */
  PART = MESSAGE + 8,  /* coll/begun_net.c */
  HEAP = 112 * PAGE,   /* bytes of a private heap, and of the global one */
  SIZE_MOST = 1 << 24,
  MINE = 64 /* allocations of an input */
};

typedef struct item {
  uint8_t what; /* a service, or a message */
  uint8_t from, to, nargs;
  uint16_t n, object; /* bytes of data; in words of what packets may write to */
  uint64_t words[4];  /* operand, cond, result; or the arguments of a message */
} item_t;

typedef void (*handler_t)(weft_token_t *, void *, size_t, int32_t, int32_t, int32_t, int32_t,
                          int32_t, int32_t, int32_t, int32_t);

static handler_t handlers[HANDLERS];
static uint8_t states[PES];
static uint32_t changes;
static weft_team_t team;
static struct {
  int pe;
  uint64_t off;
  size_t n;
} mine[MINE]; /* what the input has allocated */
static int nmine;
static bool poked;
static int teams_locked;

/* ---- what the services stand on -------------------------------------------------------------- */

int __wrap_weft_am_open(void);
void __wrap_weft_am_register(int index, weft_am_handler_t handler);
bool __wrap_weft_job_goes_on(void);
enum weft_pe_state __wrap_weft_job_state(int pe);
uint32_t __wrap_weft_job_changes(void);
void __wrap_weft_job_mark(int pe, enum weft_pe_state state);
int __wrap_weft_window_reserve_private(void *arg, size_t from, size_t to);
int __wrap_weft_window_reserve_global(void *arg, size_t from, size_t to);
void __wrap_weft_window_discard(weft_window_t *w, int slot, size_t off, size_t n);
void __wrap_weft_server_answer_call(uint32_t pe, uint64_t address, uint64_t value);
void __wrap_weft_teams_lock(void);
void __wrap_weft_teams_unlock(void);
weft_team_t *__wrap_weft_team_find(uint32_t id, int maker, int rank);

int __wrap_weft_am_open(void) {
  return 0;
}

void __wrap_weft_am_register(int index, weft_am_handler_t handler) {
  handlers[index] = (handler_t)handler;
}

bool __wrap_weft_job_goes_on(void) {
  return true;
}

enum weft_pe_state __wrap_weft_job_state(int pe) {
  FUZZ_CHECK(pe >= 0 && pe < PES);
  return (enum weft_pe_state)states[pe];
}

uint32_t __wrap_weft_job_changes(void) {
  return changes;
}

void __wrap_weft_job_mark(int pe, enum weft_pe_state state) {
  FUZZ_CHECK(pe >= 0 && pe < PES && state <= WEFT_FAILED);
  if (states[pe] < state) states[pe] = (uint8_t)state, changes++;
}

int __wrap_weft_window_reserve_private(void *arg, size_t from, size_t to) {
  (void)arg;
  FUZZ_CHECK(from <= to && to <= HEAP);
  return 0;
}

int __wrap_weft_window_reserve_global(void *arg, size_t from, size_t to) {
  return __wrap_weft_window_reserve_private(arg, from, to);
}

void __wrap_weft_window_discard(weft_window_t *w, int slot, size_t off, size_t n) {
  FUZZ_CHECK(slot >= 0 && slot < 2 && off >= END && n <= HEAP && off - END <= HEAP - n);
  memset(weft_window_slot(w, slot) + off, 0, n);
}

/* Where a PE has its slot. */
static uintptr_t base_of(int pe) {
  return (uintptr_t)(5 + pe) << 44;
}

/* A result goes to its caller's memory. */
void __wrap_weft_server_answer_call(uint32_t pe, uint64_t address, uint64_t value) {
  const uintptr_t begin = weft_job.window.layout.heap;
  const uintptr_t end = weft_layout_end(&weft_job.window.layout) - sizeof value;
  FUZZ_CHECK(pe < PES && address - base_of((int)pe) >= begin && address - base_of((int)pe) <= end);
}

/* Counted only: an end of the job inside would leave the real one locked for the next input. */
void __wrap_weft_teams_lock(void) {
  FUZZ_CHECK(teams_locked++ == 0);
}
void __wrap_weft_teams_unlock(void) {
  FUZZ_CHECK(--teams_locked == 0);
}

weft_team_t *__wrap_weft_team_find(uint32_t id, int maker, int rank) {
  FUZZ_CHECK(teams_locked == 1);
  return id == 1 && maker == 0 && rank == 0 ? &team : NULL;
}

/* ---- the job --------------------------------------------------------------------------------- */

static char *slot_at(int slot) {
  return weft_window_slot(&weft_job.window, slot);
}

/* Each PE has its slot at an address of its own. This is the process of the node's port. */
static void make_job(void) {
  static weft_box_t boxes[WEFT_TURN_WINDOW * 8];
  weft_layout_t *l = &weft_job.window.layout;
  wire_job(true);
  weft_job.pe = -1, weft_job.is_porter = true;
  l->private_heap = END, l->private_limit = HEAP;
  l->global = END + HEAP, l->global_limit = HEAP;
  FUZZ_CHECK(weft_layout_end(l) <= OURS);
  for (int slot = 0; slot < 2; slot++)
    FUZZ_CHECK(mprotect(slot_at(slot) + END, 2 * HEAP, PROT_READ | PROT_WRITE) == 0);
  for (int pe = 0; pe < PES; pe++)
    weft_job.owner[pe] = (pe < 2 ? (uintptr_t)slot_at(pe) : 0) - base_of(pe);
  weft_memory_start();
  weft_qlock_start();
  weft_owner_start();
  weft_alive_serve();
  weft_boxes_start();
  team.boxes = weft_boxes_for(PES);
  team.box = boxes;
  FUZZ_CHECK(team.boxes <= 8);
}

/* ---- an input -------------------------------------------------------------------------------- */

static weft_heap_t heap_at(char *base) {
  weft_heap_t heap;
  weft_heap_attach(&heap, base, NULL, NULL);
  return heap;
}

/* A peer may free what lies in a private heap: what the runtime has there is not for it, nor what a
 * poke has led the runtime to. */
static bool spares_runtime(const item_t *i, int pe) {
  const uint64_t off = i->words[0];
  if (i->what != WEFT_SERVICE_FREE || off - END > HEAP || !weft_job_shared(pe)->private_made)
    return true;
  const weft_heap_t heap = heap_at(slot_at(pe) + END);
  if (weft_heap_live(&heap, slot_at(pe) + off) != 0) return true;
  for (int k = 0; k < nmine && !poked; k++)
    if (mine[k].pe == pe && mine[k].off == off) {
      mine[k] = mine[--nmine];
      return true;
    }
  return false;
}

/* What a peer may put where a lock is; and an entry in memory that it has allocated. With words[2]
 * the word leads there, and the entry's first two words are offsets from that memory, + 1. */
static void poke(const item_t *i, char *object, const char *data) {
  enum { UNIT = 32 /* bytes of an entry (sync/lock.c) */ };
  uint64_t word = i->words[0], entry[UNIT / 8] = {0};
  memcpy(entry, data, i->n < UNIT ? i->n : UNIT);
  if (nmine) {
    const __typeof__(mine[0]) *m = &mine[i->words[1] % (unsigned)nmine];
    if (i->words[2]) word += (m->off - END) / UNIT << 32;
    for (int k = 0; i->words[2] && k < 2; k++)
      if (entry[k]) entry[k] += m->off - 1;
    if (m->n >= UNIT) memcpy(slot_at(m->pe) + m->off, entry, UNIT);
  }
  memcpy(object, &word, sizeof word);
  poked = true;
}

static void call(const item_t *i, const char *data) {
  const int pe = i->to % 2;
  char *object = slot_at(pe) + PAGE + i->object * 8 % (END - PAGE);
  const weft_call_t call = {.from = 2 + i->from % 2,
                            .pe = pe,
                            .at_port = true,
                            .operand = i->words[0],
                            .cond = i->words[1],
                            .result = i->words[2],
                            .data = data,
                            .n = i->n};
  uint64_t result;
  if (i->what == POKE) {
    poke(i, object, data);
    return;
  }
  if (i->what == COMES) {
    weft_meeting_t meeting = {.key = i->words[0], .number = i->words[1], .value = i->words[2]};
    if (!poked) owned_meet(pe, &meeting, i->from % PES + 1, data, i->n);
    return;
  }
  if (!spares_runtime(i, pe) || !weft_service_run(i->what, object, &call, &result)) return;
  const bool global = i->what == WEFT_SERVICE_GLOBAL_ALLOC;
  if ((i->what != WEFT_SERVICE_ALLOC && !global) || result < WEFT_SHORTAGES) return;
  const size_t n = i->words[0], begin = global ? END + HEAP : END;
  FUZZ_CHECK(poked || (result >= begin && n <= HEAP && result - begin <= HEAP - n));
  if (global || poked || nmine == MINE) return;
  mine[nmine].pe = pe, mine[nmine].n = n;
  mine[nmine++].off = result;
}

static void message(const item_t *i, void *data) {
  int32_t a[8];
  weft_token_t token = {.from = i->from % PES,
                        .handler = i->what - MESSAGE,
                        .category = WEFT_AM_MEDIUM,
                        .nargs = i->nargs % (WEFT_AM_ARGS_MAX + 1)};
  memcpy(a, i->words, sizeof a);
  if (!handlers[token.handler]) return;
  handlers[token.handler](&token, data, i->n, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
  FUZZ_CHECK(teams_locked == 0);
  for (int box = 0; box < WEFT_TURN_WINDOW * team.boxes; box++)
    FUZZ_CHECK(team.box[box].got <= team.box[box].room);
}

/* Sizes that only cost memory are left out: a letter's, and an element's. */
static bool is_large(const item_t *i) {
  return (i->what == MAIL && i->words[1] > SIZE_MOST && i->words[1] < PTRDIFF_MAX - PAGE) ||
         (i->what == PART && (uint32_t)i->words[3] > SIZE_MOST);
}

static void carry_out(const uint8_t *next, size_t left) {
  while (left >= sizeof(item_t)) {
    item_t i;
    memcpy(&i, next, sizeof i);
    if (i.n > left - sizeof i) i.n = (uint16_t)(left - sizeof i);
    if (i.n > MESSAGE_MAX) i.n = MESSAGE_MAX;
    char *data = malloc(i.n ? i.n : 1); /* a sanitizer sees its end */
    FUZZ_CHECK(data != NULL);
    memcpy(data, next + sizeof i, i.n);
    next += sizeof i + i.n, left -= sizeof i + i.n;
    if (i.what < MESSAGE)
      call(&i, data);
    else if (!is_large(&i))
      message(&i, data);
    free(data);
  }
}

/* Of memory that a poke has led the runtime to nothing is promised. */
static void check_heap(bool made, char *base) {
  const weft_heap_t heap = heap_at(base);
  FUZZ_CHECK(!made || poked || weft_heap_check(&heap) == 0);
}

static void end(void) {
  char to[64];
  size_t n;
  owned_end();
  for (int pe = 0; pe < 2; pe++) check_heap(weft_job_shared(pe)->private_made, slot_at(pe) + END);
  check_heap(weft_job_shared(0)->global_made, slot_at(0) + END + HEAP);
  for (uint64_t key = 0; key < 4; key++) weft_mail_try(-1, key, to, sizeof to, &n);
  weft_mail_stop();
  for (int box = 0; box < WEFT_TURN_WINDOW * team.boxes; box++) {
    free(team.box[box].data);
    team.box[box] = (weft_box_t){0};
  }
  wire_clear();
  for (int slot = 0; slot < 2; slot++)
    FUZZ_CHECK(madvise(slot_at(slot) + END, 2 * HEAP, MADV_DONTNEED) == 0);
  memset(states, 0, sizeof states);
  changes = 0, nmine = 0, poked = false, teams_locked = 0;
}

bool fuzz_input(const uint8_t *data, size_t size) {
  if (!weft_job.npes) make_job();
  if (setjmp(fuzz_end)) {
    end();
    return false;
  }
  weft_mail_start();
  carry_out(data, size);
  for (int pe = 0; pe < 2 && !poked; pe++) owned_serve(pe);
  end();
  return true;
}
