/*
 * What the runtime does itself for PEs of other nodes, in a node of two PEs: any calls of its
 * services and any messages to its own handlers, as the port and the inbox hand them on. An input
 * is a list of these, each an item_t and its data.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "am/am.h"
#include "coll/begun_internal.h"
#include "runtime/runtime_internal.h"
#include "sync/sync.h"
#include "window/heap.h"
#include "wire.h"

enum {
  MESSAGE = 128, /* `what` of a message: this + the number of its handler: */
  HANDLERS = 128,
  MAIL = MESSAGE + 64, /* sync/mail.c */
  PART = MESSAGE + 8,  /* coll/begun_net.c */
  HEAP = 64 * PAGE, /* bytes of a private heap, and of the global one */
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
} mine[MINE]; /* what the input has allocated */
static int nmine;

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
  (void)w;
  FUZZ_CHECK(slot >= 0 && slot < 2 && off >= END && n <= HEAP && off - END <= HEAP - n);
}

/* A result goes to its caller's memory. */
void __wrap_weft_server_answer_call(uint32_t pe, uint64_t address, uint64_t value) {
  (void)value;
  FUZZ_CHECK(pe < PES && weft_service_is_callers((int)pe, address, sizeof value));
}

/* An end of the job leaves them, and the next input wants them. */
void __wrap_weft_teams_lock(void) {
}
void __wrap_weft_teams_unlock(void) {
}

weft_team_t *__wrap_weft_team_find(uint32_t id, int maker, int rank) {
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
  for (int pe = 0; pe < PES; pe++) {
    const uintptr_t base = (uintptr_t)(5 + pe) << 44;
    weft_job.owner[pe] = (pe < 2 ? (uintptr_t)slot_at(pe) : 0) - base;
  }
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

/* A peer may free what lies in a private heap: what the runtime has there is not for it. */
static bool spares_runtime(const item_t *i, int pe) {
  if (i->what != WEFT_SERVICE_FREE || !weft_private_owns_of(pe, i->words[0], 0)) return true;
  for (int k = 0; k < nmine; k++)
    if (mine[k].pe == pe && mine[k].off == i->words[0]) {
      mine[k] = mine[--nmine];
      return true;
    }
  return false;
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
  if (!spares_runtime(i, pe) || !weft_service_run(i->what, object, &call, &result)) return;
  if (i->what != WEFT_SERVICE_ALLOC || result < WEFT_SHORTAGES) return;
  FUZZ_CHECK(result >= END && i->words[0] <= HEAP && result - END <= HEAP - i->words[0]);
  if (nmine < MINE) {
    mine[nmine].pe = pe;
    mine[nmine++].off = result;
  }
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
  for (int box = 0; box < WEFT_TURN_WINDOW * team.boxes; box++)
    FUZZ_CHECK(team.box[box].got <= team.box[box].room);
}

/* Sizes that only cost memory are left out: a letter's, and an element's. */
static bool is_large(const item_t *i) {
  return (i->what == MAIL && i->words[1] > SIZE_MOST) ||
         (i->what == PART && (uint32_t)i->words[3] > SIZE_MOST);
}

static void carry_out(const uint8_t *next, size_t left) {
  while (left >= sizeof(item_t)) {
    item_t i;
    _Alignas(16) char data[MESSAGE_MAX];
    memcpy(&i, next, sizeof i);
    if (i.n > left - sizeof i) i.n = (uint16_t)(left - sizeof i);
    if (i.n > sizeof data) i.n = sizeof data;
    char *at = data + sizeof data - weft_round_up(i.n, 8);
    memcpy(at, next + sizeof i, i.n);
    next += sizeof i + i.n, left -= sizeof i + i.n;
    if (is_large(&i)) continue;
    if (i.what < MESSAGE)
      call(&i, at);
    else
      message(&i, at);
  }
}

static void check_heap(bool made, char *base) {
  weft_heap_t heap;
  weft_heap_attach(&heap, base, NULL, NULL);
  FUZZ_CHECK(!made || weft_heap_check(&heap) == 0);
}

static void end(void) {
  char to[64];
  size_t n;
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
  changes = 0, nmine = 0;
}

bool fuzz_input(const uint8_t *data, size_t size) {
  if (!weft_job.npes) make_job();
  weft_mail_start();
  if (setjmp(fuzz_end)) {
    end();
    return false;
  }
  carry_out(data, size);
  end();
  return true;
}
