/*
 * setup.c: OpenSHMEM 1.6 sections 9.1 and 9.2: beginning and end, the PE's number, what can be
 * reached, threads. Initialisations nest; the last finalize destroys the program's teams and
 * contexts and leaves the runtime.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "job/job.h"
#include "rma/rma.h"
#include "runtime/runtime.h"
#include "shmem/internal.h"
#include "trace/trace.h"

const weft_rma_names_t weft_rma_names = {.put = "shmem_p",
                                         .quiet = "shmem_quiet",
                                         .fence = "shmem_fence",
                                         .quiet_on = "shmem_ctx_quiet",
                                         .fence_on = "shmem_ctx_fence",
                                         .end = "shmem_finalize"};

int weft_shmem_depth;
static int inits; /* since it was 0 */
int weft_shmem_threads = SHMEM_THREAD_SINGLE;

void weft_shmem_require(const char *who) {
  weft_fatal("%s called %s", who,
             weft_job.started ? "after shmem_finalize"
                              : "before the library was initialised: call shmem_init first");
}

static void say_what_was_chosen(void) {
  const weft_job_t *j = &weft_job;
  weft_info("PE %d of %d, process %d, started by way of %s; node %d of %d, PE %d of %d on it; "
            "symmetric heap of up to %zu MB at %p, %zu KB of static data at %p",
            j->pe, j->npes, (int)getpid(), j->boot->name, j->node, j->nnodes, j->slot, j->nslots,
            j->window.layout.heap_limit >> 20, (void *)(j->window.base + j->window.layout.heap),
            j->window.layout.static_size >> 10,
            (void *)(j->window.base + j->window.layout.statics));
}

/* At the end of a program that has not called shmem_finalize. */
static void finish(void) {
  if (weft_shmem_depth > 0) weft_shmem_teams_stop();
  weft_shmem_depth = 0;
}

/* Initialisations nest, and a finalize may be missing. */
static void count_missing(void) {
  static char last[96];
  if (weft_shmem_depth == 0 || weft_shmem_depth == inits) return;
  snprintf(last, sizeof last, "the last shmem_finalize (calls of shmem_init: %d, of it: %d)", inits,
           inits - weft_shmem_depth);
  weft_runtime_ends_with(last, finish);
}

void weft_shmem_start(const char *who) {
  weft_runtime_start(who);
  inits = weft_shmem_depth ? inits + 1 : 1;
  if (weft_shmem_depth++ > 0) {
    count_missing();
    return;
  }
  weft_runtime_ends_with("shmem_finalize", finish);
  say_what_was_chosen();
  if (weft_job_pe() == 0) {
    if (weft_options.version)
      printf("%s, OpenSHMEM %d.%d\n", SHMEM_VENDOR_STRING, SHMEM_MAJOR_VERSION,
             SHMEM_MINOR_VERSION);
    if (weft_options.info) weft_options_print();
    if (weft_options.version || weft_options.info) fflush(stdout);
  }
  weft_shmem_teams_start();
}

WEFT_FUNCTION(void, init, (void)) {
  weft_shmem_start("shmem_init");
}

/* Every level is served: the runtime is always safe for threads. Who has been told so may rely on
 * it, whatever was asked for. */
static int provide_threads(void) {
  weft_poke(&weft_shmem_threads, SHMEM_THREAD_MULTIPLE);
  return SHMEM_THREAD_MULTIPLE;
}

/* A failure to start is fatal with one line. */
WEFT_FUNCTION(int, init_thread, (int requested, int *provided)) {
  if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE) {
    weft_warn("shmem_init_thread: %d is no thread level; use SHMEM_THREAD_SINGLE, FUNNELED, "
              "SERIALIZED or MULTIPLE",
              requested);
    return 1;
  }
  weft_shmem_start("shmem_init_thread");
  const int level = provide_threads();
  if (provided) *provided = level;
  return 0;
}

WEFT_FUNCTION(void, query_thread, (int *provided)) {
  *provided = provide_threads();
}

static void leave(void) {
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, "shmem_finalize", 0);
  if (weft_options.check) weft_job_heap_blame("shmem_finalize"); /* what nobody has freed */
  weft_runtime_leave();
}

WEFT_FUNCTION(void, finalize, (void)) {
  if (weft_shmem_depth == 0 && weft_runtime_is_over()) {
    if (weft_job_pe() == 0) weft_warn("shmem_finalize called again: nothing is left to finalize");
    return;
  }
  weft_shmem_up("shmem_finalize");
  if (weft_shmem_depth > 1)
    weft_shmem_barrier_all("shmem_finalize");
  else
    leave();
  if (--weft_shmem_depth == 0) weft_shmem_teams_stop();
  count_missing();
  weft_runtime_stop();
}

WEFT_FUNCTION(void, query_initialized, (int *initialized)) {
  *initialized = weft_shmem_depth > 0;
}

WEFT_FUNCTION(__attribute__((noreturn)) void, global_exit, (int status)) {
  weft_runtime_end_all(status);
}

WEFT_FUNCTION(int, my_pe, (void)) {
  weft_shmem_up("shmem_my_pe");
  return weft_job_pe();
}

WEFT_FUNCTION(int, n_pes, (void)) {
  weft_shmem_up("shmem_n_pes");
  return weft_job_npes();
}

WEFT_FUNCTION(int, pe_accessible, (int pe)) {
  weft_shmem_up("shmem_pe_accessible");
  return pe >= 0 && pe < weft_job_npes();
}

WEFT_FUNCTION(int, addr_accessible, (const void *addr, int pe)) {
  weft_shmem_up("shmem_addr_accessible");
  return pe >= 0 && pe < weft_job_npes() &&
         (weft_job_is_symmetric(addr, 1) || weft_window_is_constant(&weft_job.window, addr, 1));
}

WEFT_FUNCTION(void *, ptr, (const void *dest, int pe)) {
  weft_shmem_up("shmem_ptr");
  if (pe < 0 || pe >= weft_job_npes()) return NULL;
  return weft_job_ptr(dest, pe);
}

WEFT_FUNCTION(void *, team_ptr, (shmem_team_t team, const void *dest, int pe)) {
  weft_shmem_up("shmem_team_ptr");
  if (team == SHMEM_TEAM_INVALID || pe < 0 || pe >= team->coll->set.size) return NULL;
  return weft_job_ptr(dest, weft_set_world(&team->coll->set, pe));
}

WEFT_FUNCTION(void, info_get_version, (int *major, int *minor)) {
  *major = SHMEM_MAJOR_VERSION;
  *minor = SHMEM_MINOR_VERSION;
}

_Static_assert(sizeof SHMEM_VENDOR_STRING <= SHMEM_MAX_NAME_LEN, "vendor string too long");

WEFT_FUNCTION(void, info_get_name, (char *name)) {
  memcpy(name, SHMEM_VENDOR_STRING, sizeof SHMEM_VENDOR_STRING);
}

/* For profiling tools, which replace it. */
WEFT_FUNCTION(void, pcontrol, (int level, ...)) {
  (void)level;
}
