/*
 * start.c: UPC 1.3, 5.1.2 and 7.2.1: how a program begins and ends. The objects of a program tell
 * what they were compiled for (weft_upc_register, from constructors); here they are compared, the
 * tables that generated code reads are filled, static data of great size get their memory, pointers
 * to static data are set, and what static initialisers must do at run time is done. Knows nothing
 * of single accesses.
 */
#include <stdio.h>
#include <unistd.h>

#include "upc/internal.h"
#include "upc/launch.h"

WEFT_API struct weft_upc weft_upc;
WEFT_API int weft_upc_forall_depth;
struct weft_upc_widths weft_upc_widths = {54, 34, ((uint64_t)1 << 34) - 1};

static struct {
  struct weft_upc_unit *first, **end;
  enum { BEFORE, RUNNING, ENDED } state;
  pid_t pid;
} upc = {.end = &upc.first};

/* ---- the objects of the program ---- */

static const char *file_of(const struct weft_upc_unit *unit) {
  return unit->file ? unit->file : "an object";
}

/* In constructors: nothing runs yet, and nothing may be said that needs the job. */
WEFT_API void weft_upc_register(struct weft_upc_unit *unit) {
  unit->next = NULL;
  if (upc.state == RUNNING && (unit->initialise || unit->bigs))
    weft_fatal("%s: a library with static shared data was loaded after the program had started: "
               "link it to the program",
               file_of(unit));
  *upc.end = unit;
  upc.end = &unit->next;
  if (unit == upc.first) weft_job_cap_offsets((size_t)1 << unit->addr_bits);
}

/* The linker refuses objects of unequal settings already (an undefined symbol each); a library that
 * was opened late comes this way only. */
static void compare_units(void) {
  const struct weft_upc_unit *a = upc.first;
  for (const struct weft_upc_unit *b = a ? a->next : NULL; b; b = b->next) {
    if (a->thread_bits != b->thread_bits || a->phase_bits != b->phase_bits ||
        a->addr_bits != b->addr_bits)
      weft_fatal("%s was compiled with -fupc-packed-bits=%d,%d,%d, %s with %d,%d,%d: use the same "
                 "for all",
                 file_of(a), a->thread_bits, a->phase_bits, a->addr_bits, file_of(b),
                 b->thread_bits, b->phase_bits, b->addr_bits);
    if (a->threads != b->threads)
      weft_fatal("%s was compiled with -T %d, %s with -T %d (0: dynamic THREADS): use the same for "
                 "all",
                 file_of(a), a->threads, file_of(b), b->threads);
  }
}

static void take_widths(void) {
  const struct weft_upc_unit *a = upc.first;
  if (!a) return; /* a C program that only calls libraries: the default */
  weft_upc_widths.thread_shift = 64 - a->thread_bits;
  weft_upc_widths.phase_shift = a->addr_bits;
  weft_upc_widths.offset_mask = ((uint64_t)1 << a->addr_bits) - 1;
}

static void check_size(void) {
  const struct weft_upc_unit *a = upc.first;
  const int npes = weft_job_npes();
  if (a && a->threads && a->threads != npes)
    weft_fatal("this program was compiled for %d threads (upcc -T), and started with %d: start it "
               "with upcrun -n %d",
               a->threads, npes, a->threads);
  if (npes > 1L << (64 - weft_upc_widths.thread_shift))
    weft_fatal("%d threads do not fit the %u bits that pointers have for them: compile with "
               "upcc -fupc-packed-bits=16,12,36, for example",
               npes, 64 - weft_upc_widths.thread_shift);
  if (weft_layout_end(&weft_job.window.layout) > weft_upc_widths.offset_mask)
    weft_fatal("slots of %zu MB do not fit the %u bits that pointers have for offsets: set "
               "UPC_SHARED_HEAP_SIZE, SHMEM_SYMMETRIC_SIZE or WEFT_PRIVATE_SIZE lower",
               weft_layout_end(&weft_job.window.layout) >> 20, weft_upc_widths.phase_shift);
}

/* ---- what generated code reads ---- */

/* One entry per thread number that a pointer can hold, as far as that is little memory: a stray
 * pointer then comes to the functions out of line, which say so. */
static size_t table_size(void) {
  const unsigned bits = 64 - weft_upc_widths.thread_shift;
  return bits <= 12 ? (size_t)1 << bits : (size_t)weft_job_npes();
}

/* weft_direct's table where single accesses are inline; else one whose sums all are offsets. */
static const uintptr_t *make_disp(bool see_all) {
  const size_t n = (size_t)weft_job_npes();
  if (!see_all) return weft_direct.disp;
  uintptr_t *disp = malloc(n * sizeof *disp);
  if (!disp) weft_fatal("no memory for a table of %zu threads", n);
  for (size_t t = 0; t < n; t++) disp[t] = -weft_job.window.base;
  return disp;
}

static void fill_tables(void) {
  const bool see_all = weft_options.check || weft_peek(&weft_trace_on);
  const size_t n = table_size();
  uint64_t *entry = malloc(n * sizeof *entry);
  if (!entry) weft_fatal("no memory for a table of %zu threads", n);
  for (size_t t = 0; t < n; t++) {
    const bool here = t < (size_t)weft_job_npes() && !see_all;
    const char *at = here ? weft_upc_address((weft_upc_place_t){(int)t, 0}) : NULL;
    entry[t] = (at ? (uint64_t)(uintptr_t)at : (uint64_t)1 << 63) -
               ((uint64_t)t << weft_upc_widths.thread_shift);
  }
  weft_upc = (struct weft_upc){.entry = entry,
                               .disp = make_disp(see_all),
                               .base = weft_job.window.base,
                               .reciprocal = UINT64_MAX / (uint64_t)weft_job_npes(),
                               .threads = weft_job_npes(),
                               .mythread = weft_job_pe(),
                               .far = see_all || weft_job.nnodes > 1};
}

/* ---- pointers to static data, and what no executable can hold ---- */

static const struct weft_upc_big *find_big(const struct weft_upc_big *like, bool largest) {
  const struct weft_upc_big *found = NULL;
  for (const struct weft_upc_unit *u = upc.first; u; u = u->next)
    for (size_t i = 0; i < u->bigs; i++)
      if (strcmp(u->big[i].name, like->name) == 0 &&
          (!strchr(like->name, '@') || u->big[i].own == like->own) &&
          (!found || (largest && u->big[i].bytes > found->bytes)))
        found = &u->big[i];
  return found;
}

/* Equal names are one object. The heap has just been made, unless another front end was first. */
static void allocate_bigs(bool fresh) {
  for (const struct weft_upc_unit *u = upc.first; u; u = u->next)
    for (size_t i = 0; i < u->bigs; i++) {
      const struct weft_upc_big *big = &u->big[i], *first;
      if (big->object || (first = find_big(big, false)) != big) {
        *big->own = big->object ? big->object : *first->own;
        continue; /* the executable's, in the symmetric image, or one that was met before */
      }
      const size_t bytes = find_big(big, true)->bytes;
      if (bytes == 0)
        weft_fatal("%s: no file defines the shared array %s", file_of(u), big->name);
      *big->own = weft_symmetric_alloc(4096, bytes, "start of a UPC program");
      if (!*big->own)
        weft_fatal("no room for the shared array %s (%zu MB on each thread): %s", big->name,
                   bytes >> 20, weft_symmetric_shortage());
      if (!fresh) memset(*big->own, 0, bytes);
    }
}

/* ---- begin and end ---- */

bool weft_upc_env(const char *name, bool preset) {
  const char *text = getenv(name);
  if (!text || !*text) return preset;
  return !strchr("0nNfF", *text);
}

/* Berkeley's UPC_SHARED_HEAP_SIZE, in MB unless a suffix says otherwise: how much of a thread's
 * memory may be shared. */
static void size_heap(void) {
  const char *text = getenv("UPC_SHARED_HEAP_SIZE");
  size_t bytes;
  char with_suffix[40];
  if (!text || !*text) return;
  snprintf(with_suffix, sizeof with_suffix, "%s%s", text,
           strspn(text, "0123456789.") == strlen(text) ? "M" : "");
  if (weft_parse_size(with_suffix, &bytes) < 0 || bytes == 0)
    weft_fatal("UPC_SHARED_HEAP_SIZE=%s: a number of megabytes, or one with a suffix such as 2G",
               text);
  snprintf(with_suffix, sizeof with_suffix, "%zu", bytes);
  setenv("SHMEM_SYMMETRIC_SIZE", with_suffix, 0);
  setenv("WEFT_PRIVATE_SIZE", with_suffix, 0);
}

WEFT_COLD static void say_not_up(const char *who) {
  weft_fatal("%s: called %s", who,
             upc.state == ENDED ? "after this thread has ended"
                                : "before the UPC program has started (weft_upc_start, bupc_init)");
}

void weft_upc_up(const char *who) {
  if (weft_unlikely(upc.state != RUNNING)) say_not_up(who);
}

/* The end of a thread: return of main, or exit (5.1.2.3). The program's own handlers have run. What
 * this thread printed is out before another's status can end the job. */
static void end_thread(int status, void *arg) {
  (void)arg;
  if (upc.state != RUNNING || getpid() != upc.pid) return;
  weft_upc_io_stop(weft_job_pe() == 0);
  fflush(NULL);
  weft_upc_barrier_end(status);
  upc.state = ENDED;
  weft_runtime_stop();
}

/* Thread 0 tells of the environment: what this front end and upcrun read. */
static void check_names(void) {
  static const char *const names[] = {"UPC_SHARED_HEAP_SIZE", "UPC_FREEZE",
                                      "UPC_BARRIER_MISMATCH_WARNS", "UPCRUN_FLAGS", NULL};
  if (weft_job.pe == 0) weft_options_check_near(names, NULL);
}

/* UPC_FREEZE=T: thread T waits for a debugger, which sets the variable. */
static volatile int frozen;

static void freeze(void) {
  const char *text = getenv("UPC_FREEZE");
  char *end;
  if (!text || !*text) return;
  const long thread = strtol(text, &end, 10);
  if (*end || thread < 0 || thread >= weft_job.npes)
    weft_fatal("UPC_FREEZE=%s: the number of a thread, from 0 to %d", text, weft_job.npes - 1);
  if (thread != weft_job.pe) return;
  fprintf(stderr, "thread %d waits for a debugger: gdb -p %d, then: set var frozen = 0, continue\n",
          weft_job_pe(), (int)getpid());
  for (frozen = 1; frozen;) usleep(100000);
}

WEFT_API void weft_upc_start(int *argc, char ***argv) {
  if (upc.state != BEFORE) return;
  take_widths();
  weft_upc_launch(argc, argv, upc.first ? upc.first->threads : 0);
  size_heap();
  weft_job_cap_offsets(weft_upc_widths.offset_mask + 1);
  const bool fresh = !weft_job.started;
  weft_runtime_start("start of a UPC program");
  check_names();
  compare_units();
  check_size();
  fill_tables();
  freeze();
  upc.pid = getpid();
  upc.state = RUNNING;
  on_exit(end_thread, NULL);
  weft_teams_start();
  allocate_bigs(fresh);
  for (const struct weft_upc_unit *u = upc.first; u; u = u->next)
    if (u->initialise) u->initialise();
  weft_upc_null_strict();
  weft_coll_sync(weft_team_world());
}

WEFT_API void weft_upc_end(int status) {
  exit(status);
}

WEFT_API void upc_global_exit(int status) {
  weft_upc_io_stop(true); /* nobody else comes to it */
  weft_runtime_end_all(status);
}
