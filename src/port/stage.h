/*
 * stage: records of one PE towards one node, packed into its staging area there until they leave as
 * a packet. What is below "for the layers above" is used by those whose packets and records these
 * are (flow, am). Include port/port.h.
 */
#ifndef WEFT_STAGE_H
#define WEFT_STAGE_H

#include "port/port.h"

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

/* ---- stage.c: the sending side. All may wait for a free buffer, making progress meanwhile. --- */

/* Store n bytes (at most weft_stage_put_max) at a PE's slot offset. */
void weft_stage_put(weft_channel_t *c, int pe, uintptr_t off, const void *source, size_t n);
size_t weft_stage_put_max(void);
/* The same for the low n bytes (1, 2, 4 or 8) of a word. */
void weft_stage_put_word(weft_channel_t *c, int pe, uintptr_t off, uint64_t value, size_t n);
/* Atomic without a result. */
void weft_stage_post(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                     uint64_t operand);
/* The same, and it leaves at once on this PE's own connection: where the provider keeps messages
 * behind writes (ordered_writes), it is applied after what was written before. */
void weft_stage_post_now(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                         uint64_t operand);
/* A put of n bytes (at most weft_stage_put_max) and an 8-byte atomic after it, in one packet.
 * `now`: it leaves at once. */
void weft_stage_put_signal(weft_channel_t *c, int pe, uintptr_t off, const void *source, size_t n,
                           uintptr_t sig, enum weft_amo op, uint64_t signal, bool now);
/* Atomic whose old value is stored at `result` (width bytes) by the time weft_stage_quiet returns.
 */
void weft_stage_fetch_nbi(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                          uint64_t operand, uint64_t cond, void *result);
/* Atomic; returns the old value. */
uint64_t weft_stage_fetch(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                          uint64_t operand, uint64_t cond);

/* Ask a PE's port (weft_port_answers) with a request of n bytes, and wait for its answer; how many
 * bytes of it there are. Neither is longer than weft_stage_ask_max. */
size_t weft_stage_ask(weft_channel_t *c, int pe, enum weft_asked what, const void *request, size_t n,
                      void *answer);
size_t weft_stage_ask_max(void);

/* An atomic that can be asked for on its own whether it is complete. */
typedef struct weft_stage_ticket {
  const uint32_t *answered; /* grows when the packet that has it is answered */
  uint32_t before;
  int node;
} weft_stage_ticket_t;

/* Post an atomic; its old value is stored at `result` (width bytes; NULL: nobody wants it, and
 * there is no cond) by the time the ticket is answered. It leaves with the packet that it was put
 * into, at the latest when pushed. False, and nothing was done, if `immediate` and there is no room
 * for it just now. */
bool weft_stage_begin(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                      uint64_t operand, uint64_t cond, void *result, bool immediate,
                      weft_stage_ticket_t *ticket);
/* See that it leaves and is answered. Does not wait for that. */
void weft_stage_push(weft_channel_t *c, const weft_stage_ticket_t *ticket);
static inline bool weft_stage_ticket_answered(const weft_stage_ticket_t *ticket) {
  return weft_observe(ticket->answered) != ticket->before;
}

/* What is staged for a node leaves, to have it answered. How many packets have left for it so far:
 * once weft_stage_all_answered says so of this number, all of them have been applied, whatever has
 * been staged since. */
uint32_t weft_stage_send_to(weft_channel_t *c, int node);
bool weft_stage_all_answered(const weft_channel_t *c, int node, uint32_t sent);

/* Is anything staged? */
static inline bool weft_stage_staged(const weft_channel_t *c) {
  for (int w = 0; w < c->words; w++)
    if (weft_observe(&c->open[w])) return true;
  return false;
}
/* Send what is staged, to have it answered. */
void weft_stage_flush(weft_channel_t *c);
/* Send what is staged on any channel; the answers may come with later ones. For who waits for
 * something else. */
void weft_stage_release(void);
/* Send what is staged and wait until everything sent has been applied. */
void weft_stage_quiet(weft_channel_t *c);
/* Is anything staged or unanswered? */
static inline bool weft_stage_busy(const weft_channel_t *c) {
  return weft_stage_staged(c) || (c->words && weft_observe(c->outstanding));
}

/* A call (service.c) of a PE on another node; leaves at once. */
void weft_stage_call(weft_channel_t *c, uintptr_t off, enum weft_service number,
                     const weft_call_t *call);

/* ---- for the layers above ---- */

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

#endif
