/*
 * What the files of this folder share. Prototypes stand under the file that defines them.
 */
#ifndef WEFT_AM_INTERNAL_H
#define WEFT_AM_INTERNAL_H

#include <pthread.h>

#include "am/am.h"
#include "am/inbox.h"
#include "am/plan.h"
#include "am/wire.h"

/* The lanes of active messages are channels on the endpoint of the first one. */
enum { WEFT_LANE = WEFT_CHANNELS_MAX - WEFT_LANES_MAX };

/* One PE's staging for one destination node; lives in the window.
 * Invariants: under `lock`, buffer `next` is the one being filled; it holds `fill` bytes, 0 when
 * nothing is staged, and then its busy bit may still be set (the packet before is unanswered). Bit
 * i of `busy`: buffer i was sent and not answered. */
typedef struct weft_stage {
  weft_lock_t lock;
  uint32_t fill;
  uint32_t next;
  uint32_t busy;
  uint32_t sent; /* packets so far, but for those of short.c, which leave nothing staged */
  bool greeted;  /* the node knows where to send this channel's replies */
  bool owed;     /* the last packets wanted no reply: somebody has to ask before their answers are
                    counted on */
  uint32_t aged; /* the helper's mark: `sent` when it last saw something staged, plus 1 */
  uint32_t answered[WEFT_BUFFERS_MAX];     /* packets of each buffer answered so far */
  _Alignas(WEFT_CACHELINE) ptrdiff_t data; /* bytes from here to the buffers */
} weft_stage_t;

/* Head of a channel's staging area, before its stages. */
typedef struct weft_stages {
  uint32_t outstanding; /* packets of this PE sent (by it or by the helper) and not answered */
  uint32_t due;         /* replies that were asked for and are not there */
  uint32_t channels;    /* channel 0: how many this PE has opened */
  bool patient;         /* more is coming: do not send half a packet so soon */
  bool lanes;           /* channel 0: this PE's lanes are in use */
  /* A bit per node whose stage holds something; then as many words with a bit per node that owes
   * answers which nobody has asked for. */
  uint64_t open[];
} weft_stages_t;

/* The plan of every port of the job; plan.h. */
extern weft_plan_t weft_ports __attribute__((visibility("hidden")));

static inline char *weft_stage_buffer(weft_stage_t *stage, uint32_t i) {
  return (char *)stage + stage->data + i * weft_ports.buffer_bytes;
}
/* The buffer that is filled after this one. */
static inline uint32_t weft_stage_after(uint32_t i) {
  return i + 1 == (uint32_t)weft_ports.buffers ? 0 : i + 1;
}
/* Packets on their way to the node: 0, 1, or more. */
static inline int weft_stage_under_way(const weft_stage_t *stage) {
  const uint32_t busy = weft_observe(&stage->busy);
  return busy == 0 ? 0 : (busy & (busy - 1)) == 0 ? 1 : 2;
}

/* ---- channel.c ---- */
void weft_channels_start(void);
void weft_channels_stop(void);
void weft_channels_open_lanes(void);
void weft_channels_close_lanes(void);
bool weft_channels_have_lanes(void);

/* ---- stage.c ---- */
weft_stages_t *weft_stage_head(int slot, int channel);
weft_stage_t *weft_stage_of(int slot, int channel, int node);
/* Once per stage: where its buffers are. */
void weft_stage_lay(weft_channel_t *c, int node);
/* Under the lock, something staged: send it from `from`, an endpoint of this process, on behalf of
 * `slot`'s PE. */
void weft_stage_send(weft_stage_t *stage, int slot, int channel, int node, weft_endpoint_t *from,
                     bool want);
/* Room for a record of `bytes` (header included, padded): returns with the stage locked, or NULL
 * (and unlocked) where that would wait. */
weft_record_t *weft_stage_try_record(weft_channel_t *c, int node, size_t bytes);
/* Under the lock: what is staged leaves on this PE's own connection. False, with `may_wait` off, if
 * the provider has no room for it; it is still staged then. */
bool weft_stage_leave(weft_channel_t *c, int node, bool want, bool may_wait);
void weft_stage_unlock(weft_channel_t *c, int node);
/* A put's record; returns where the next one goes. */
weft_record_t *weft_stage_write_put(weft_record_t *r, int slot, uintptr_t off, const void *source,
                                    size_t n);
size_t weft_stage_put_bytes(size_t n);
/* The next buffer towards a node, empty, for a packet of a flow: returns with the stage locked, or
 * NULL (and unlocked) where that would wait. */
char *weft_stage_claim(weft_channel_t *c, int node, uint32_t *buffer);
/* Send it, `bytes` long, and unlock. */
void weft_stage_commit(weft_channel_t *c, int node, size_t bytes, bool want);
/* The node knows where to send this channel's replies from now on; may wait. */
void weft_stage_meet(weft_channel_t *c, int node);
/* Quiet for a lane: its short messages leave no mark of the answers that they did not ask for. */
void weft_stage_settle(weft_channel_t *c);
/* Replies that reached this PE. */
void weft_stage_answered(const weft_packet_t *reply);
/* Greet every node, so that connections are made now and not by the first operation, which a
 * computing peer would stall. A very large job connects as it goes. 0 or -ETIMEDOUT (logged). */
int weft_stage_greet_all(weft_channel_t *c);

/* ---- port.c: the receiving side ---- */
/* Handle arrived packets; the number handled. Caller holds the service of the port. */
int weft_port_serve(void);
/* All of a packet's records that had to wait are in inboxes now. */
void weft_port_answer_late(const weft_packet_t *packet);
/* Are there answers to send, or messages to deliver, that nothing on the network tells of? */
bool weft_port_owes(void);
int weft_port_start(void);
void weft_port_stop(void);
/* Send a note to a client of flows: PE * WEFT_CHANNELS_MAX + channel. */
struct weft_flow_note;
void weft_port_tell(uint32_t client, const struct weft_flow_note *note);

/* ---- flow.c: the sending side of flows ---- */
/* A reply's note; answers to packets in base buffers (a bit each), before these are free; and then
 * what can be sent is. */
void weft_flow_note(weft_channel_t *c, const weft_packet_t *reply);
void weft_flow_answered(weft_channel_t *c, int node, uint32_t buffers);
void weft_flow_pump(weft_channel_t *c, int node);
void weft_flow_close(weft_channel_t *c);

/* ---- flow_port.c: their receiving side; the port's server calls these ---- */
void weft_flow_port_start(void);
/* A packet has arrived, which will be served in its turn: its intimation is answered. */
void weft_flow_hear(const weft_packet_t *packet);
/* Carry out a packet. What there is to say, with the data of a get, is written to `out`
 * (message_max bytes less a packet's head); its size, 0 for nothing. */
size_t weft_flow_serve(const weft_packet_t *packet, char *out);
/* Now and then: leases that nothing was heard of end. */
void weft_flow_tick(void);

/* ---- arrive.c: active messages that came to the port; its server calls these ---- */
int weft_arrive_start(void);
void weft_arrive_stop(void);
/* Put a record's message into the inbox of its PE. False: it has to wait, and with it the packet's
 * answer. */
bool weft_arrive(const weft_packet_t *packet, const weft_record_t *record);
/* Try those again that wait; how many went. */
int weft_arrive_again(void);
/* Does any wait? */
bool weft_arrive_waiting(void);

/* ---- message.c ---- */
/* Send what gathered in the lanes while packets were under way, if their answers came; how many
 * packets. */
int weft_lanes_flush(void);

/* ---- affinity.c ---- */
/* Bind a helper that serves a port as WEFT_HELPER_AFFINITY says. 0 or a negative errno (logged). */
int weft_helper_bind(pthread_t thread);

/* ---- short.c ---- */
/* A reply without payload, to another node whose lane is empty. False, and nothing was done, if it
 * is not, or anything else is unusual. */
bool weft_short_reply(int pe, int handler, int nargs, const int32_t *args);

/* ---- helper.c ---- */
/* What a poll does besides the inbox; how much. */
int weft_am_network(void);

#endif
