/*
 * job: the one running job. Where each PE is, this node's window, the fabric and this process's
 * endpoints. It brings these up and takes them down; it moves no data itself. There is one
 * per process.
 */
#ifndef WEFT_JOB_H
#define WEFT_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "boot/boot.h"
#include "fabric/fabric.h"
/* These two are parts of this interface. */
#include "job/alive.h"
#include "job/private.h"
#include "window/window.h"

/* Where a PE lives. Both numbers count from 0; PEs of a node have slots in order of their PE
 * numbers. */
typedef struct weft_where {
  uint16_t node;
  uint16_t slot;
} weft_where_t;

enum {
  WEFT_MAX_NODES = 65536,
  WEFT_MAX_SLOTS = 65535, /* of a node: one more is no weft_where_t, nor a lock's holder */
  WEFT_MAX_PES = 1 << 20,
  WEFT_CLOSED_PES = 4096,              /* of whom there are tables while there is no job */
  WEFT_WHERE_BELOW = 4 * WEFT_MAX_PES, /* bytes from where to disp */
  WEFT_DIRTY_BELOW = 5 * WEFT_MAX_PES, /* bytes from the dirty bits to disp */
  WEFT_KEYS_BELOW = 13 * WEFT_MAX_PES, /* bytes from the memory keys to disp */
  WEFT_COLL_AREAS = 1024,              /* sets of PEs that a PE can be in at a time */
  WEFT_COLL_FLAG_BYTES = 4096,         /* of an area; its scratch follows */
  WEFT_COLL_BULK = (1 << 20) + 8192,   /* bytes of each in coll_bulk */
  WEFT_COLL_BULKS = 32,
  WEFT_HELPERS_MAX = 4, /* helpers of a node */
  WEFT_LANES_MAX = 2    /* staging areas of a PE besides those of its channels */
};

/* Slot offsets inside the runtime area. */
typedef struct weft_job_areas {
  uintptr_t coll_sync; /* WEFT_COLL_AREAS areas of coll_area bytes, the world's first; with
                          coll_bulk the last of the runtime area, and most of it holes */
  size_t coll_area;
  size_t coll_scratch_size;
  uintptr_t coll_bulk; /* where large parts of some sets' collectives land; holes until then */
  uintptr_t stages;    /* staging of port, stage_size bytes per node and channel (the lanes
                          of active messages are two more) */
  size_t stages_size;
  size_t stage_size;  /* what port wants, one node and lane */
  size_t message_max; /* bytes of one packet between nodes, and of a receive buffer */
  int receives;       /* posted by a port */
  int channels;       /* 1 + WEFT_CTX_ENDPOINTS, or what fits WEFT_PORT_MEMORY */
  uintptr_t inbox;    /* active messages; committed when a front end opens it */
  uintptr_t shared;   /* weft_shared_t */
  uintptr_t states;   /* alive.c; the first slot's counts */
} weft_job_areas_t;

typedef struct weft_job {
  weft_boot_t *boot;
  int pe, npes;     /* this PE, PEs of the job */
  int node, nnodes; /* this node, nodes of the job; nodes are numbered by their lowest PE */
  int slot, nslots; /* this PE's place on its node, PEs of this node */
  int nhelpers;     /* helpers of every node */
  int nmachine;     /* PEs on this machine: more than nslots if it pretends to be several nodes */
  int ncpus;        /* processors that any of these may run on: each may be bound to its own */
  int nkernel;      /* PEs that may run on one of these processors: more than nmachine where several
                     * machines are containers of one kernel */
  int crowd;        /* PEs for each processor that PE 0 may run on: the same number on all PEs */
  uint64_t cpus[WEFT_CPU_WORDS];  /* the processors, a bit each */
  uint64_t bound[WEFT_CPU_WORDS]; /* those of them to which others are bound more closely than this
                                     PE: a part of its own */
  weft_window_t window;
  weft_job_areas_t layout;
  weft_heap_t heap;
  weft_lock_t heap_lock; /* while the heap is changed, or asked by a thread beside one that does */
  size_t align_max; /* largest alignment by which all PEs' addresses are congruent */

  /* Per PE: disp[pe] as weft/direct.h says. At constant distances below it (one reservation of
   * address space) where[pe], the memory keys, and a bit per node that says whether something was
   * put to it since the last quiet. */
  uintptr_t *disp;
  weft_where_t *where;
  size_t table_bytes; /* of the reservation */
  /* Per PE: what is added to an address as that PE sees its own memory, be it symmetric or private.
   * Of this node: the sum is its address here. Of another: the sum carries, and is the slot offset.
   * It is disp itself where the windows of all PEs begin at the same address. */
  uintptr_t *owner;
  int *pids;   /* per PE: its process if it is on this machine, else 0 */
  int *leader; /* per node: its lowest PE */
  int *local;  /* per slot of this node: its PE */

  /* More than one node only. */
  weft_fabric_t fabric;
  weft_endpoint_t endpoint; /* this PE's: it posts everything and receives replies */
  weft_endpoint_t *port;    /* of this process's helper, if its slot is below nhelpers; else NULL.
                             * Mostly the PE's endpoint: fabric.c */
  bool is_porter; /* this process has the port of the PE that it is named for (porter.c) */
  uint8_t (*addresses)[WEFT_ADDRESS_MAX]; /* beside the port: every PE's endpoint, for replies */
  uint8_t (*ports)[WEFT_ADDRESS_MAX];     /* per node: the port that serves this PE */
  /* As that port has them: */
  uint64_t *region_base; /* per node: remote address of its slot 0 (virtual addresses), else NULL */
  uint64_t *keys;        /* per PE: the key of its memory */
  weft_secret_t secret;  /* of the job (docs/security.md) */
  /* What the packets of a pair, a PE and a node, begin with, in both directions; drawn from the
   * secret. Per node: this PE's with it. Beside a port: every PE's with this node. */
  uint64_t *tokens, *client_tokens;
  uint64_t note_mask; /* drawn from it: what a write's note is hidden by */
  uint64_t stride;
  bool started;
} weft_job_t;

extern weft_job_t weft_job __attribute__((visibility("hidden"))); /* reached without the GOT */

/* While there is no job weft_job.where points here, and has all PEs on the node of this one. */
extern weft_where_t weft_nowhere[WEFT_CLOSED_PES];

/* What port wants of a job of several nodes, given the memory of the smallest of them and
 * the most clients (PEs of other nodes) that one has: fills in stage_size, message_max, receives,
 * and lowers channels. The same on all PEs. 0 or a negative errno (logged). */
typedef int (*weft_job_plan_t)(size_t memory, size_t clients, weft_job_areas_t *areas);

/* Bring the job up, once per process. inbox_size: bytes of the runtime area that active messages
 * want. Collective. 0 or a negative errno (logged). */
int weft_job_start(weft_job_plan_t plan, size_t inbox_size);

/* Options that take a part of what their type has. 0 or -EINVAL (logged). */
int weft_job_check_options(void);

/* Before weft_job_start, by a front end whose pointers have few bits for slot offsets (UPC): all of
 * them are to be below `end`. The least of all callers' holds; the same on all PEs. */
void weft_job_cap_offsets(size_t end);

/* ---- fabric.c, end.c, identity.c: parts of weft_job_start --- */
/* Before the window is laid out, which it may limit; but not before a process is forked for the
 * port (WEFT_ON_DEATH=continue), as that needs a libfabric of its own. */
int weft_job_find_fabric(void);
int weft_job_open_fabric(void);
/* Of open descriptors, to the hard one. */
void weft_job_raise_file_limit(void);
/* A hash of this process's network namespace and of the boot of its kernel: processes with another
 * one have other IP addresses. 0: /proc does not say. */
uint32_t weft_job_network(void);
/* The number of contexts of this PE's endpoint (fabric.h); 1 means none besides itself. */
int weft_job_contexts(void);
/* One more endpoint of this PE, which reaches every node's port. `address` is what others insert.
 */
int weft_job_open_endpoint(weft_endpoint_t *e, uint8_t address[WEFT_ADDRESS_MAX]);
void weft_job_catch_end(void);
size_t weft_alive_bytes(void);
/* Is the job to go on when a PE dies? As weft_job_goes_on, which says no before weft_alive_open. */
bool weft_alive_is_wanted(void);
/* The states are in the window from now on, where deaths do not end the job; and which process has
 * the port of a slot. */
void weft_alive_open(void);
void weft_alive_note_porter(int slot, int pid);

/* ---- porter.c: the port in a process of its own, where PEs may fail --- */
/* Returns in both: the child is_porter. 0 or a negative errno (logged). */
int weft_porter_fork(void);
/* What the child gives in an exchange, and what all gave. Nothing without a child. */
int weft_porter_hear(void *mine, size_t n);
int weft_porter_tell(const void *all, size_t n);
/* The exchanges are over. */
void weft_porter_part(void);

/* Give a part of the own runtime area pages, where touching a hole could fail. 0 or -ENOMEM. */
static inline int weft_job_commit(uintptr_t off, size_t n) {
  return weft_window_commit(&weft_job.window, off, n);
}

/* All PEs, through the launcher: works when the network is quiet. */
int weft_job_boot_barrier(void);

/* Helpers of a node, in the processes of its first slots: each has a port. The PEs of the job are
 * dealt to them: this one serves a PE, and carries all that it does, on every node. */
static inline int weft_job_helpers(void) {
  return weft_job.nhelpers;
}
static inline int weft_job_helper_of(int pe) {
  return pe % weft_job.nhelpers;
}
static inline int weft_job_pe(void) {
  return weft_job.pe;
}
static inline int weft_job_npes(void) {
  return weft_job.npes;
}
static inline int weft_job_node_of(int pe) {
  return weft_job.where[pe].node;
}
static inline int weft_job_leader(int node) {
  return weft_job.leader[node];
}
/* Address in this process of slot offset 0 of a PE that shares the node (oneself included), or
 * NULL. */
static inline char *weft_job_slot(int pe) {
  if (weft_job.where[pe].node != weft_job.node) return NULL;
  return weft_window_slot(&weft_job.window, weft_job.where[pe].slot);
}
/* Where this process has the byte at a slot offset of a PE of this node, its own at its own
 * address; NULL: that PE is on another node. */
static inline char *weft_job_here(int pe, uintptr_t off) {
  char *slot = pe == weft_job.pe ? (char *)weft_job.window.base : weft_job_slot(pe);
  return slot ? slot + off : NULL;
}
static inline char *weft_job_own(void) {
  return weft_window_slot(&weft_job.window, weft_job.slot);
}
static inline uintptr_t weft_job_offset(const void *symmetric) {
  return (uintptr_t)symmetric - weft_job.window.base;
}
/* The address at which a PE sees its own slot offset 0. */
static inline uintptr_t weft_job_base_of(int pe) {
  if (pe == weft_job.pe) return weft_job.window.base;
  return (uintptr_t)weft_job_slot(pe) - weft_job.owner[pe];
}
/* Where `address`, as `pe` sees its own memory, is: true and *at is its address in this process
 * (the PE shares this node), or false and *at is its slot offset. */
static inline bool weft_job_reach(int pe, uintptr_t address, uintptr_t *at) {
  return !__builtin_add_overflow(address, weft_job.owner[pe], at) ||
         weft_unlikely(weft_job.where[pe].node == weft_job.node);
}
/* The slot offset of an address as a PE sees it. */
static inline uintptr_t weft_job_offset_of(int pe, uintptr_t address) {
  return address - weft_job_base_of(pe);
}
static inline uint64_t *weft_job_dirty(void) {
  return weft_job.disp - WEFT_DIRTY_BELOW / sizeof *weft_job.disp;
}
/* Remote address and key of a slot offset, as RMA wants them. */
static inline uint64_t weft_job_remote_addr(int pe, uintptr_t off) {
  weft_where_t w = weft_job.where[pe];
  return weft_job.region_base ? weft_job.region_base[w.node] + w.slot * weft_job.stride + off : off;
}
static inline uint64_t weft_job_remote_key(int pe) { /* keys[pe], where[pe] being looked at too */
  const char *keys = (const char *)weft_job.where - (WEFT_KEYS_BELOW - WEFT_WHERE_BELOW);
  return ((const uint64_t *)keys)[pe];
}
/* A key, another one each time, for memory that is lent for a while (rma/lend.c). */
uint64_t weft_job_lent_key(void);
/* Word n of the job's random ones: the same on all PEs, without a message. */
uint64_t weft_job_word(uint64_t n);

/* Is [p, p + n) static data or inside the symmetric heap's range? */
bool weft_job_is_symmetric(const void *p, size_t n);
/* Is it inside one live allocation of the symmetric heap? Any thread may ask at any time. */
bool weft_job_heap_owns(const void *p, size_t n);
/* weft_heap_blame of the symmetric heap. */
void weft_job_heap_blame(const char *who);
/* Address in this process of a PE's copy of a symmetric object, or NULL: another node, or not
 * symmetric. */
void *weft_job_ptr(const void *symmetric, int pe);
/* Flush stdio. Where another thread holds a stream for ever this process leaves after 5 s: in good
 * order, as one that meets the others in weft_job_boot_barrier next (_LEAVE), or with the whole job
 * and this status (_END, _FAIL). Who reads what is written may take his time, but for _FAIL. */
enum weft_flush { WEFT_FLUSH_LEAVE, WEFT_FLUSH_END, WEFT_FLUSH_FAIL };
void weft_job_flush(enum weft_flush how, int status);
/* What one that leaves so does with the others behind that barrier. The thread that flushes runs it
 * in a signal handler, in the middle of its wait for the stream, and prints nothing to that. */
void weft_job_flush_ends_with(void (*end)(void));
/* Of a status a process shows 8 bits; what is not 0 must not become 0 by that. */
int weft_job_shown(int status);
/* End the whole job with this status, also in a signal handler; stdio is left as it is. */
void weft_job_abort(int status) __attribute__((noreturn));
/* Flush stdio, of this process alone, and end the whole job with this status. */
void weft_job_exit(int status) __attribute__((noreturn));
/* This process leaves: close endpoints, tell the launcher. At exit only. */
void weft_job_leave(void);
/* The job is over, the process goes on and may start another one: everything that start made is
 * undone. The threads of the layers above have ended. */
void weft_job_end(void);

#endif
