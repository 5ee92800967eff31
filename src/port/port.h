/*
 * port: packets between nodes, for what is not plain RMA. A PE packs records (small puts, atomics)
 * into packets, one staging area per destination node; a packet goes to the node's port, whose
 * helper thread applies the records to the window with the same loads, stores and atomics that
 * local PEs use, and replies with the fetched values. Every packet is answered, so a PE knows when
 * all its records have been applied.
 *
 * The staging areas lie in the window: the helper of the PE's own node sends what has aged there,
 * so a program that never calls Weft again still has its puts delivered. Each destination node has
 * a few buffers; that many packets of a PE can be on their way to a node, and no more
 * (the port's credits; port/plan.h).
 *
 * All this exists once per channel: an endpoint, staging areas and the marks of what was put. What
 * is posted on one channel completes without the others, and threads on different channels
 * take no common lock to post. Channel 0 is there from the start; others are opened as contexts ask
 * for them.
 *
 * Knows PEs, nodes and slot offsets; no symmetric addresses, no front end.
 */
#ifndef WEFT_PORT_H
#define WEFT_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/data.h"
#include "job/job.h"
#include "port/plan.h"
#include "port/wire.h"
#include "weft/direct.h"

enum { WEFT_CHANNELS_MAX = 64 };

/* For weft_job_start. */
int weft_port_plan(size_t memory, size_t clients, weft_job_areas_t *areas);
/* The plan of every port of the job; plan.h. */
extern weft_plan_t weft_ports __attribute__((visibility("hidden")));

/* ---- channel.c ------------------------------------------------------------------------------- */

struct weft_stage;

/* Records that leave by themselves, as at most one packet is under way. Where the PE waits for the
 * answer to one of them and for no other, again and again, the next one asks for its answer at
 * once. (The very first one does, too, as all begins at 0.) */
typedef struct weft_lone {
  uint32_t sent;   /* so far */
  uint32_t asks;   /* the number of the one that asks, if it is the next one */
  uint32_t waited; /* how many had been sent when the PE last waited */
  uint32_t row;    /* waits in a row for one of them */
} weft_lone_t;

typedef struct weft_channel {
  _Alignas(WEFT_CACHELINE) weft_endpoint_t *endpoint;
  struct weft_stage *stages; /* one per node */
  uint64_t *dirty;           /* a bit per node: put to since this channel's last quiet */
  size_t small_max;          /* the largest put, in bytes, that is staged; 0: none is */
  bool staging;              /* small puts and atomics are gathered */
  /* This channel's staging at a glance, in the window. */
  uint64_t *open; /* a bit per node for which something is staged */
  struct weft_stages *head;
  /* Packets of this PE that hold records or are not answered, also those that the helper sent, and
   * transfers that are not all packed; in its own memory. */
  weft_op_t packets;
  struct weft_holder *holders; /* per node and buffer: the ops that its records count */
  uint64_t *touched; /* a bit per node: operations were begun since it was last known quiet */
  weft_lock_t touching; /* held while such a bit is set or taken away (weft_channel_touch) */
  uint8_t eager;     /* a record leaves at once while fewer packets are under way (Nagle): 0 to 2 */
  weft_lone_t lone;  /* such records */
  bool ordered;      /* a caller has asked for order between operations (rma/order.c) */
  uint32_t fenced; /* odd: a fence came after packets that may still be under way, and writes wait
                      for them; each fence makes it another number */
  bool copying; /* a copy between other PEs may be under way */
  bool reading; /* reads that were begun and not waited for may be under way */
  uint32_t ending; /* threads that have taken such a mark, or a dirty bit, away and still wait for
                      what it stood for (rma/order.c) */
  struct weft_flow_peer **flows; /* per node; NULL until there is a flow */
  bool late;                     /* the provider had no room for some of them: they go on later */
  int words;                     /* of open; 0 on a one-node job */
  uint8_t number;
  int context;        /* the endpoint is this context of the first channel's; 0: it is one itself */
  bool armed;         /* its PE has posted and may not wait: the helper polls its endpoint */
  weft_lock_t taking; /* held while answers are taken from an endpoint that is not the port */
  uint32_t unmet;     /* greetings not yet answered */
  uint32_t answered;  /* grows with every answer to packets (watch.c) */
  int users;          /* contexts */
  int sessions;       /* of theirs */
  uint8_t address[WEFT_ADDRESS_MAX]; /* the endpoint's, for replies; channel 0's was exchanged */
} weft_channel_t;

extern weft_channel_t weft_channels[WEFT_CHANNELS_MAX] __attribute__((visibility("hidden")));

/* Operations towards the node are open; what they are seen by is there before. Whoever takes the
 * bit away holds the lock, and that of the stage, and has seen that nothing is open; so the first
 * form, under the stage's lock and for what is staged, needs no other. */
static inline void weft_channel_touch_staged(weft_channel_t *c, int node) {
  __atomic_fetch_or(&c->touched[node / 64], (uint64_t)1 << node % 64, __ATOMIC_RELEASE);
}
static inline void weft_channel_touch(weft_channel_t *c, int node) {
  weft_lock(&c->touching);
  weft_channel_touch_staged(c, node);
  weft_unlock(&c->touching);
}
/* The number of open channels; they are the first ones. */
int weft_channel_count(void);
/* The channel in a PE or tag as weft/direct.h defines them. */
static inline weft_channel_t *weft_channel_of(long to) {
  return &weft_channels[(unsigned long)to >> 32 & (WEFT_CHANNELS_MAX - 1)];
}
/* A channel for a new context: an unused one, else the one with the fewest users. Never NULL. */
weft_channel_t *weft_channel_acquire(void);
void weft_channel_release(weft_channel_t *channel);
/* A context begins or ends a session: while one lasts, puts gather more and longer. */
void weft_channel_session(weft_channel_t *channel, bool begins);
/* The lanes of active messages: channels on the endpoint of the first one. */
void weft_channels_open_lanes(void);
void weft_channels_close_lanes(void);
bool weft_channels_have_lanes(void);

/* ---- helper.c -------------------------------------------------------------------------------- */

/* Start the helper thread and connect to every node. Collective; returns at once on a one-node job.
 */
int weft_port_start(void);
void weft_port_stop(void);
/* The PE has posted on the channel and may not wait for it: from now on the helper polls there. */
void weft_helper_arm(weft_channel_t *channel);
/* This process's port has accumulated `computed` bytes and received or sent `communicated`: their
 * sum decides when a moving helper moves. */
void weft_helper_worked(size_t computed, size_t communicated);
/* How often this process's helper was moved. */
int weft_helper_moves(void);

/* ---- server.c: the receiving side, and what layers above add to it --------------------------- */

/* Packets of the kinds FLOW and FLOW_REPLY belong to the layer above that gives these functions
 * before weft_port_start. The first three are called by the port's server, the others at the
 * sender. */
typedef struct weft_packet_handlers {
  void (*open)(void);
  /* A packet has arrived, which will be served in its turn. */
  void (*hear)(const weft_packet_t *packet);
  /* Carry it out. A note to its sender may be written to `out` (message_max bytes less a packet's
   * head); returns the note's size, 0 for none. */
  size_t (*serve)(const weft_packet_t *packet, char *out);
  /* Called in every round of the port's server. */
  void (*tick)(void);
  /* A FLOW_REPLY; and after any reply: there may be room. They do not wait: the thread may be the
   * one that serves the port. */
  void (*note)(weft_channel_t *c, const weft_packet_t *reply);
  void (*pump)(weft_channel_t *c, int node);
  /* In waits, and by the helper, while the channel is `late`: go on where the provider had no room;
   * how many nodes that were. */
  int (*again)(weft_channel_t *c);
  /* watch.c: a bit for each packet to the node that is under way and in no staging buffer. And at
   * the port: those of the question's sender that are here and not answered. WEFT_SPARES_MAX bits.
   */
  uint64_t (*under_way)(const weft_channel_t *c, int node);
  uint64_t (*arrived)(const weft_packet_t *question);
  /* The node is lost: its packets that are in no staging buffer count as answered. */
  void (*lose)(weft_channel_t *c, int node);
  /* The channel is closed. */
  void (*close)(weft_channel_t *c);
} weft_packet_handlers_t;
void weft_port_handle_packets(const weft_packet_handlers_t *handlers);

/* Likewise for records of the kind MESSAGE. */
typedef struct weft_record_handlers {
  int (*open)(void);
  void (*close)(void);
  /* Deliver it. False: it has to wait, and with it the packet's answer. */
  bool (*arrive)(const weft_packet_t *packet, const weft_record_t *record);
  /* Try again those that wait; returns how many were delivered. And: does any wait? */
  int (*again)(void);
  bool (*waiting)(void);
} weft_record_handlers_t;
void weft_port_handle_records(const weft_record_handlers_t *handlers);

/* Packets that the port of this process has sent as answers, so far. */
uint64_t weft_server_answers(void);
/* A packet that makes no sense ends the job with one line, which names its sender. */
void weft_server_refuse(const weft_packet_t *packet, const char *what) __attribute__((noreturn));
/* All of a packet's records that had to wait were delivered. */
void weft_server_answer_late(const weft_packet_t *packet);
/* Send n bytes (at most 64) in a FLOW_REPLY to a client: PE * WEFT_CHANNELS_MAX + channel. */
void weft_server_tell(uint32_t client, const void *note, size_t n);

/* ---- answers.c ------------------------------------------------------------------------------- */

/* As weft_server_refuse, of an answer. */
void weft_answer_refuse(const weft_packet_t *reply, const char *what) __attribute__((noreturn));

/* ---- query.c: requests that the port answers with more than a word --------------------------- */

/* Runs in whichever process serves the port, about the PE in `slot` of this node, and may not wait.
 * Returns the answer's size. A layer above gives the function, on every PE, before the runtime
 * starts. */
enum weft_query { WEFT_QUERY_CHAIN /* src/caf */, WEFT_QUERIES };
typedef size_t (*weft_query_t)(int slot, int from, const void *request, size_t n, void *answer);
void weft_query_register(enum weft_query what, weft_query_t run);
/* Ask a PE's port with a request of n bytes, and wait for its answer; how many bytes of it there
 * are. Neither is longer than weft_query_max. */
size_t weft_query_call(weft_channel_t *c, int pe, enum weft_query what, const void *request,
                       size_t n, void *answer);
size_t weft_query_max(void);

/* ---- carry.c: what the port does with records ------------------------------------------------ */

/* The note of a write that adds 1 to a word of 8 bytes at a slot offset of its target PE. Without
 * the job's mask a stranger cannot make one that names a word. */
static inline uint64_t weft_port_note(int pe, uintptr_t off) {
  return ((uint64_t)weft_job.where[pe].slot << 48 | off >> 3) ^ weft_job.note_mask;
}
/* The locks that an accumulate holds, to memory of a PE of this node whose slot offset 0 is at
 * `origin` here. */
static inline weft_acc_locks_t weft_port_acc_locks(int pe, uintptr_t origin) {
  return (weft_acc_locks_t){weft_job_shared(pe)->block, origin, weft_job_lock_holder(),
                            weft_node_lock};
}

/* ---- watch.c: connections that are lost ------------------------------------------------------ */

void weft_watch_start(void);
/* From now on processes leave, and a connection that goes is no fault. */
void weft_watch_stop(void);
/* End the job, because something sent to the node so many ns ago, or its answer, was lost with a
 * connection that no look has seen: it was there for too short a time, and nothing failed on it. */
void weft_watch_lose(const weft_channel_t *c, int node, uint64_t ns)
    __attribute__((noreturn, cold));

/* ---- lost.c: nodes whose PEs have failed ----------------------------------------------------- */

/* Is any PE of the node left that has neither failed nor stopped? */
bool weft_lost_runs(int node);
/* Have all PEs of a node failed, so long ago that its port, which stays for a while, is gone, too?
 */
bool weft_lost_for_good(void);

#include "port/service.h"
#include "port/stage.h"
#include "port/wait.h"

#endif
