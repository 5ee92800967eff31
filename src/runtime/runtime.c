/*
 * The layers brought up in order and taken down, once per process, for however many front ends; and
 * symmetric memory, which every front end hands out under its own name.
 */
#define _GNU_SOURCE
#include "runtime/runtime.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "am/am.h"
#include "boot/boot.h"
#include "coll/coll.h"
#include "flow/flow.h"
#include "job/job.h"
#include "rma/rma.h"
#include "runtime/runtime_internal.h"
#include "sync/sync.h"

/* What the PEs say when they leave, so that none leaves while others go on: a barrier of the
 * program has neither bit. (Bits 0 and 1 are the front ends'.) */
enum { LEAVE = 4, ASKED = 8 }; /* it leaves; the program asked for it */

static struct {
  int depth;
  bool implied;   /* exit without stop is as good as stop */
  bool forgotten; /* the program is at its end and has not called stop */
  pid_t pid;
  const char *end;    /* the public function that stops; for messages */
  void (*stop)(void); /* what that function does besides, or NULL */
} runtime = {.end = "its finalize"};

/* The last flags may still be on their way from this process. The launcher's barrier does not use
 * the network, so after it nobody needs anybody's helper. A program that has finalised the MPI
 * which it was started through has no such barrier: one more sync then shows that everybody's quiet
 * is done, and the helper gets a moment to see that sync's own flags out, which nobody will answer.
 */
static void part(void) {
  weft_rma_quiet();
  weft_watch_stop();
  if (weft_job_boot_barrier() != -ESHUTDOWN) return;
  weft_coll_sync(weft_team_world());
  usleep(50000);
}

/* Where PEs may have failed: this one says that it has come to its end, and waits until everybody
 * has, or has failed. */
static void end_with_the_living(void) {
  weft_alive_announce_stop();
  weft_rma_quiet();
  for (int pe = 0; pe < weft_job.npes; pe++) WEFT_WAIT_UNTIL(weft_job_state(pe) != WEFT_RUNNING);
}

/* A PE at its end waits for the others, who may wait for it in a collective, for ever. */
static void begin_patience(void) {
  enum { SECONDS = 5 };
  static char who[128];
  snprintf(who, sizeof who, "%s%s", runtime.forgotten ? "exit(0) without " : "", runtime.end);
  if (runtime.forgotten) weft_patience_start();
  if (runtime.forgotten || weft_options.check)
    weft_patience_begin(who, runtime.forgotten ? SECONDS : weft_options.patience_s);
}

void weft_runtime_leave(void) {
  weft_rma_quiet();
  if (weft_job_goes_on()) return; /* stop waits for the PEs that are still there */
  if (runtime.depth > 1 && !runtime.forgotten) {
    weft_coll_sync(weft_team_world());
    return;
  }
  weft_qlock_leave(true);
  weft_ticket_leave();
  const unsigned bits = LEAVE | (runtime.forgotten && !runtime.implied ? 0 : ASKED);
  begin_patience();
  const unsigned all = weft_coll_part(weft_team_world(), bits);
  weft_patience_end();
  if (!(all & LEAVE) && runtime.forgotten)
    weft_fatal("exit(0) without %s while other PEs go on: ending the job", runtime.end);
  if (!(all & LEAVE)) weft_fatal("%s while other PEs go on: ending the job", runtime.end);
  weft_ticket_leave(); /* nobody waits; this process may begin again */
  if (!(all & ASKED) && weft_job.pe == 0)
    weft_warn("the program ended without %s, which was done for it", runtime.end);
}

/* At exit, after the program's own handlers. Not in a forked child. A program that returns from
 * main has done its part, as every library of the kind has it; one that fails takes the others
 * down. */
static void at_exit(int status, void *arg) {
  (void)arg;
  if (getpid() != runtime.pid) return;
  if (runtime.depth > 0) {
    if (status != 0) {
      weft_last_words("exit(%d) without %s: ending the job", status, runtime.end);
      weft_end_job(status);
    }
    runtime.forgotten = true;
    weft_runtime_leave();
    if (runtime.stop) runtime.stop();
    runtime.depth = 1;
    weft_runtime_stop();
  }
  weft_port_stop();
  weft_job_leave();
}

static void bring_up(const char *who) {
  const unsigned warnings = weft_log_warnings();
  weft_qlock_start();
  weft_owner_start();
  weft_alive_serve();
  weft_memory_start();
  weft_ending_serve();
  int rc = weft_job_start(weft_port_plan, weft_inbox_size());
  const bool said = weft_log_warnings() != warnings;
  weft_flow_attach();
  weft_am_attach();
  const bool has_job = rc == 0;
  if (weft_options.check) weft_patience_start();
  if (has_job) rc = weft_port_start();
  if (rc == -ENOMEM && (has_job || !said))
    weft_fatal("%s: no memory to join the job; %s", who,
               weft_job.window.limited ? "the file system of the shared window is full: make it "
                                         "larger, or leave out WEFT_SHM=file"
                                       : "start fewer PEs on this machine");
  if (rc < 0) weft_end_job(1); /* why has been said where it was found */
  if (runtime.pid != getpid()) on_exit(at_exit, NULL);
  runtime.pid = getpid();
}

void weft_runtime_start(const char *who) {
  if (runtime.depth++ > 0) return;
  if (!weft_job.started) {
    bring_up(who);
  } else { /* again after the last stop: a new life with an empty heap */
    if (weft_job_goes_on()) /* everybody knows of everybody that it has stopped */
      weft_fatal("%s called after %s: with WEFT_ON_DEATH=continue a job does not begin again", who,
                 runtime.end);
    weft_heap_reset(&weft_job.heap);
    weft_qlock_leave(false);
    if (weft_job.nnodes > 1) weft_watch_start();
    weft_boot_tell_over(false);
  }
  int rc = weft_rma_start();
  if (rc < 0)
    weft_fatal("%s: no memory for a table of %d PEs (%s); start fewer", who, weft_job.npes,
               strerror(-rc));
  weft_ending_start();
  weft_coll_start();
  weft_report_start();
}

void weft_runtime_stop(void) {
  const bool goes_on = weft_job_goes_on();
  if (runtime.depth == 0) return;
  weft_rma_quiet();
  if (!goes_on) weft_coll_sync(weft_team_world());
  if (--runtime.depth > 0) return;
  if (goes_on) end_with_the_living();
  weft_owner_stop(); /* nobody asks any more */
  weft_report_stop();
  if (weft_job.nnodes > 1 || goes_on) part();
  weft_window_check_constants(&weft_job.window);
  weft_rma_stop();
  weft_boot_tell_over(true);
}

void weft_runtime_end(void) {
  if (!weft_job.started || runtime.depth > 0) return;
  weft_ending_stop();
  weft_mail_stop();
  weft_am_close();
  weft_port_stop();
  weft_rma_end();
  weft_coll_end();
  weft_qlock_end();
  weft_ticket_end();
  weft_job_end();
}

void weft_runtime_imply_stop(void) {
  runtime.implied = true;
}

void weft_runtime_ends_with(const char *function, void (*stop)(void)) {
  runtime.end = function;
  runtime.stop = stop;
}

bool weft_runtime_is_over(void) {
  return weft_job.started && runtime.depth == 0;
}

void weft_runtime_abandon(void) {
  runtime.depth = 0;
}

void weft_runtime_keep(void) {
  runtime.pid = 0;
}

/* ---- symmetric memory ------------------------------------------------------------------------ */

/* With WEFT_CHECK=1: everyone calls the same with the same arguments, which are put into words and
 * compared as such. A block is told by its offset, which is equal on all PEs. Who waits for the
 * others from here on says so, until the call's weft_patience_end. */
static void __attribute__((format(printf, 2, 3)))
check_same(const char *who, const char *format, ...) {
  char mine[128] = "", roots[128];
  va_list arguments;
  if (!weft_options.check) return;
  weft_patience_begin(who, weft_options.patience_s);
  va_start(arguments, format);
  vsnprintf(mine, sizeof mine, format, arguments);
  va_end(arguments);
  memcpy(roots, mine, sizeof mine);
  weft_coll_share(roots, sizeof roots);
  roots[sizeof roots - 1] = 0;
  if (strcmp(mine, roots) != 0)
    weft_fatal("%s here, %s on PE 0: all PEs must give the same", mine, roots);
  /* Where somebody has died nobody's words are told to all, but those who live still meet. */
  weft_team_t *world = weft_team_world();
  if (weft_likely(!world->status)) return;
  if (!weft_coll_same(world, who, mine, strlen(mine)))
    weft_fatal("%s here, not everywhere: all PEs must give the same", mine);
  weft_patience_begin(who, weft_options.patience_s);
}

/* Every PE can, or none does: what each would need is reserved before anything that decides on
 * offsets changes. */
static enum weft_shortage shortage; /* why not, at the last time */
static bool all_can(void *old, size_t align, size_t size) {
  weft_job.window.lacks_memory = false;
  weft_lock(&weft_job.heap_lock);
  const bool can = weft_heap_prepare(&weft_job.heap, old, align, size) == 0;
  weft_unlock(&weft_job.heap_lock);
  shortage = can                            ? WEFT_SHORT_OTHER
             : weft_job.window.lacks_memory ? WEFT_SHORT_MEMORY
                                            : WEFT_SHORT_SYMMETRIC;
  return weft_coll_agree(can);
}

const char *weft_symmetric_shortage(void) {
  return weft_shortage_text(shortage);
}

static bool can_align(size_t align, const char *who) {
  if (align <= weft_job.align_max) return true;
  shortage = WEFT_SHORT_ALIGNMENT;
  if (weft_job.pe == 0)
    weft_warn("%s: alignment %zu is more than %zu, by which the PEs' random addresses agree; "
              "start with weftrun, or with `setarch -R`, for equal addresses",
              who, align, weft_job.align_max);
  return false;
}

void *weft_symmetric_alloc(size_t align, size_t size, const char *who) {
  check_same(who, "%s: %zu bytes aligned to %zu", who, size, align);
  void *p = NULL;
  if (can_align(align, who) && all_can(NULL, align, size)) {
    weft_lock(&weft_job.heap_lock);
    p = weft_heap_alloc(&weft_job.heap, align, size);
    weft_unlock(&weft_job.heap_lock);
    if (weft_options.prefault) memset(p, 0, size);
    weft_coll_sync(weft_team_world());
  }
  weft_patience_end();
  return p;
}

static WEFT_COLD void bad_block(const char *who, void *p, int rc) {
  weft_job_heap_blame(who);
  weft_fatal("%s: %p %s", who, p,
             rc == -EALREADY ? "was freed before" : "was never allocated from the symmetric heap");
}

void *weft_symmetric_realloc(void *old, size_t size, const char *who) {
  check_same(who, "%s: offset %#zx to %zu bytes", who, weft_job_offset(old), size);
  const int rc = weft_heap_live(&weft_job.heap, old);
  if (rc < 0) bad_block(who, old, rc);
  weft_rma_quiet();
  weft_coll_sync(weft_team_world());
  void *p = NULL;
  if (all_can(old, 16, size)) {
    weft_lock(&weft_job.heap_lock);
    p = weft_heap_realloc(&weft_job.heap, old, size);
    weft_unlock(&weft_job.heap_lock);
    weft_coll_sync(weft_team_world());
  }
  weft_patience_end();
  return p;
}

void weft_symmetric_free(void *p, const char *who) {
  check_same(who, "%s: offset %#zx", who, weft_job_offset(p));
  weft_rma_quiet();
  weft_coll_sync(weft_team_world());
  weft_patience_end();
  weft_lock(&weft_job.heap_lock);
  const int rc = weft_heap_free(&weft_job.heap, p);
  weft_unlock(&weft_job.heap_lock);
  if (rc < 0) bad_block(who, p, rc);
}
