/*
 * What the files of this folder share. Prototypes stand under the file that defines them.
 */
#ifndef WEFT_AM_INTERNAL_H
#define WEFT_AM_INTERNAL_H

#include "am/am.h"
#include "am/wire.h"

/* One PE's staging for one destination node; lives in the window.
 * Invariants: under `lock`, buffer `next` is the one being filled; it holds `fill` bytes, 0 when
 * nothing is staged, and then its busy bit may still be set (the packet before is unanswered). Bit
 * i of `busy`: buffer i was sent and not answered. */
typedef struct weft_stage {
  weft_lock_t lock;
  uint32_t fill;
  uint32_t next;
  uint32_t busy;
  uint32_t sent; /* packets so far */
  bool greeted;  /* the node knows where to send this channel's replies */
  bool owed;     /* the last packets wanted no reply: somebody has to ask before their answers are
                    counted on */
  uint32_t aged; /* the helper's mark: `sent` when it last saw something staged, plus 1 */
  uint32_t answered[WEFT_STAGE_BUFFERS]; /* packets of each buffer answered so far */
  _Alignas(WEFT_CACHELINE) char data[WEFT_STAGE_BUFFERS][WEFT_PACKET_MAX];
} weft_stage_t;

/* Head of a channel's staging area, before its stages. */
typedef struct weft_stages {
  uint32_t outstanding; /* packets of this PE sent (by it or by the helper) and not answered */
  uint32_t due;         /* replies that were asked for and are not there */
  uint32_t channels;    /* channel 0: how many this PE has opened */
  bool patient;         /* more is coming: do not send half a packet so soon */
  /* A bit per node whose stage holds something; then as many words with a bit per node that owes
   * answers which nobody has asked for. */
  uint64_t open[];
} weft_stages_t;

/* ---- channel.c ---- */
void weft_channels_start(void);
void weft_channels_stop(void);

/* ---- stage.c ---- */
weft_stages_t *weft_stage_head(int slot, int channel);
weft_stage_t *weft_stage_of(int slot, int channel, int node);
/* Under the lock, something staged: send it from `from`, an endpoint of this process, on behalf of
 * `slot`'s PE. */
void weft_stage_send(weft_stage_t *stage, int slot, int channel, int node, weft_endpoint_t *from,
                     bool want);
/* Replies that reached this PE. */
void weft_stage_answered(weft_channel_t *c, const weft_packet_t *reply);
/* Greet every node, so that connections are made now and not by the first operation, which a
 * computing peer would stall. A very large job connects as it goes. 0 or -ETIMEDOUT (logged). */
int weft_stage_greet_all(weft_channel_t *c);

/* ---- port.c: the receiving side ---- */
/* Handle arrived packets; the number handled. Caller holds the service of the port. */
int weft_port_serve(void);
int weft_port_start(void);
void weft_port_stop(void);

#endif
