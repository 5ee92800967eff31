/*
 * sync: work that goes on in every wait, locks that serve in the order in which they were asked
 * for, events that are counted, messages, calls in a process's own thread, and who is alive. The
 * wait itself is WEFT_WAIT_UNTIL (port/wait.h). Knows PEs and slot offsets; no front end.
 */
#ifndef WEFT_SYNC_H
#define WEFT_SYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "team/team.h"

/* ---- pending.c: begun work that goes on by being looked at ----------------------------------- */

/* advance() is called by every wait of this process until it says WEFT_PENDING_END; then the object
 * is forgotten and may be freed (by advance itself, too). Otherwise it says how much it did. It may
 * post, and may add others, but must not wait for what another PE's program does. At most one
 * thread at a time is in any of them. */
typedef struct weft_pending {
  int (*advance)(struct weft_pending *pending);
  struct weft_pending *next;
} weft_pending_t;
enum { WEFT_PENDING_END = -1 };

/* From any thread. */
void weft_pending_add(weft_pending_t *pending);
/* One round, without a wait; how much was done. */
int weft_pending_advance(void);
/* The job ends: what is left is forgotten. */
void weft_pending_end(void);

/* ---- mail.c: messages that wait at their receiver ----------------------------------------------
 * Any memory, any PEs, nothing collective. A sender does not wait for the receiver; what nobody
 * asks for is kept there. Any thread may call, no handler. */

/* Every PE calls it and synchronises the world before it sends; the second call does nothing. */
void weft_mail_start(void);
/* What was not asked for is forgotten. */
void weft_mail_stop(void);
/* The data may be changed on return. */
void weft_mail_send(int pe, uint64_t key, const void *data, size_t n);
/* Wait for the first message with this key of a PE (-1: of any). Its bytes, of which at most max
 * are stored; *sender, which may be NULL, becomes its sender. */
size_t weft_mail_receive(int from, uint64_t key, void *to, size_t max, int *sender);
/* The same without waiting: false, there is none. *n: its bytes. */
bool weft_mail_try(int from, uint64_t key, void *to, size_t max, size_t *n);

/* ---- alive.c: where PEs may fail and the job goes on (WEFT_ON_DEATH=continue) ------------------
 * job/alive.h says which PEs run. A wait that may be for a dead PE looks at weft_job_changes. */

/* This PE takes part in nothing any more, but the job's end (Fortran's STOP). */
void weft_alive_announce_stop(void);
/* This PE counts as failed from now on (FAIL IMAGE). Its process stays and serves its node until
 * the job ends. Without WEFT_ON_DEATH=continue the job ends. */
void weft_alive_fail(void) __attribute__((noreturn));

/* A place where the PEs of a set meet, again and again. All give the same key, no two sets the same
 * one; number 0 at first. The set is the caller's. */
typedef struct weft_meeting {
  const weft_set_t *set;
  uint64_t key;
  uint64_t number;
  uint64_t value; /* what this PE says the next time */
} weft_meeting_t;
/* The same for all that met, even if others die meanwhile: the number of members that do not take
 * part, of which weft_job_state says so by then; whether those that met gave the same value; and of
 * its low 8 bits those that all, and that any of them have set. */
typedef struct weft_outcome {
  int stopped, failed;
  bool same;
  uint8_t all, any;
} weft_outcome_t;
/* A barrier of the members that run, even if others die meanwhile. Completes no RMA. */
weft_outcome_t weft_alive_meet(weft_meeting_t *meeting);
/* Before the port is served. */
void weft_alive_serve(void);

/* ---- lock.c: locks ----------------------------------------------------------------------------
 * A lock is 8 bytes, aligned, at a slot offset of one PE: its home. 0 is free; nothing but these
 * functions touches it otherwise. It is granted in the order in which PEs asked for it. To
 * another node an acquisition takes three messages (request, grant, release) however many wait, and
 * neither the home nor a holder need poll. The holder is a PE, not a thread; it may hold many, none
 * twice. Locks complete no RMA: what is to be seen by the next holder is made visible before the
 * release (weft_rma_quiet). Any thread may call. */

enum { WEFT_QLOCK_BYTES = 8 };

/* Before the port is served; when the job is over. */
void weft_qlock_start(void);
void weft_qlock_end(void);
/* This PE releases no lock any more, and those that it released have arrived: a PE that waits for
 * one that it holds ends the job with a line. False: it begins again. */
void weft_qlock_leave(bool ends);

/* 0, or -EDEADLK: this PE has it already. With WEFT_ON_DEATH=continue also -EOWNERDEAD: this PE has
 * it now, from one that failed with it; -EHOSTDOWN: the home has failed, on another node of which
 * no PE runs. */
int weft_qlock_acquire(int home, uintptr_t off);
/* 0, -EBUSY: another PE has it; -EDEADLK; -EOWNERDEAD; -EHOSTDOWN. Waits for nobody, but where the
 * lock is taken it is a step of a wait: a program may go round until it has it. */
int weft_qlock_try(int home, uintptr_t off);
/* 0, or -EPERM: this PE does not have it; weft_qlock_holder names the holder. */
int weft_qlock_release(int home, uintptr_t off);
/* The PE that has it, or -1. Asks the home. */
int weft_qlock_holder(int home, uintptr_t off);
/* Does this PE have it? Asks nobody. */
bool weft_qlock_is_mine(int home, uintptr_t off);
/* Free again, also if a PE has it (UPC's upc_lock_free of a lock that is held): the memory may be
 * given up. Nobody waits for it. */
void weft_qlock_reset(int home, uintptr_t off);

/* ---- ticket.c: locks of 4 bytes ----------------------------------------------------------------
 * The same in 4 bytes, aligned, which are 0 before the first use. A PE of another node asks the
 * home again and again while it waits; a lock of a PE that has failed stays taken. */

/* This PE releases no lock any more: a PE that waits for one that it holds ends the job with a
 * line. Called once more: it may again. */
void weft_ticket_leave(void);
void weft_ticket_end(void);
/* 0, -EDEADLK: this PE has it already; or -EHOSTDOWN, as weft_qlock_acquire. */
int weft_ticket_acquire(int home, uintptr_t off);
/* 0, -EBUSY: a PE has it, maybe this one, and that was a step of a wait; or -EHOSTDOWN. */
int weft_ticket_try(int home, uintptr_t off);
/* 0, or -EPERM: this PE does not have it. */
int weft_ticket_release(int home, uintptr_t off);

/* ---- event.c: counted events -------------------------------------------------------------------
 * An event is 8 bytes, aligned, at a slot offset: a count of posts that its own PE waits for. 0 at
 * first. */

/* Count one up at a PE. Leaves at once and completes no RMA: weft_rma_quiet or a fence before it
 * makes what was put visible to the PE that waits. */
void weft_event_post(int pe, uintptr_t off);
/* Wait until the own event counts `until` or more (less than 1 means 1), and take that off. */
void weft_event_wait(uintptr_t off, int64_t until);
/* The same, but it looks up when a PE has stopped or failed: -EINTR, and nothing is taken. *changes
 * is weft_job_changes as the caller last saw it, and is brought up to date. */
int weft_event_wait_unless(uintptr_t off, int64_t until, uint32_t *changes);
/* The same without waiting: false, and nothing is taken, if it counts less. */
bool weft_event_try(uintptr_t off, int64_t until);
/* What a PE's event counts; where that is nothing, or what it was, it is a step of a wait. */
int64_t weft_event_count(int pe, uintptr_t off);

/* ---- owner.c: what only the owner's process can do ---------------------------------------------
 * Memory that is in no window, allocation by malloc, functions with pointers into the owner's
 * memory: these run in the owner's process, by a thread that sleeps until it is asked, while the
 * owner computes; on one node as well as between nodes. A process has no such thread unless it asks
 * for one. */

/* Does what a PE asks for: `data`, n bytes; up to *reply_n bytes of reply, whose number it may
 * lower. The value must not be WEFT_NO_RESULT. One at a time in a process; it may take its time,
 * communicate and wait, but not for a PE that waits for this one; only of `from` it may ask
 * something back by weft_owner_call. */
typedef uint64_t (*weft_owner_t)(int from, const void *data, size_t n, void *reply,
                                 size_t *reply_n);

enum { WEFT_OWNERS_MAX = 16 };

/* Once, before the port is served. */
void weft_owner_start(void);
/* Numbers from 0 to WEFT_OWNERS_MAX - 1, equal on all PEs. */
void weft_owner_register(int number, weft_owner_t function);
/* From now on this PE is at others' service. What was asked before has waited. */
void weft_owner_serve(void);
void weft_owner_stop(void);
/* Have it done at a PE, and wait: its value, and reply_max bytes of reply. WEFT_NO_RESULT: the PE
 * has failed (WEFT_ON_DEATH=continue). */
uint64_t weft_owner_call(int pe, int number, const void *data, size_t n, void *reply,
                         size_t reply_max);

#endif
