/*
 * stage: records of one PE towards one node, packed into its staging area there until they leave as
 * a packet. The part "for the layers above" is for flow and am, which write packets and records of
 * their own. Include port/port.h.
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
  uint32_t fill; /* written under the lock; answers peek at it without */
  uint32_t next;
  uint32_t busy;
  uint32_t sent; /* packets so far, but for those of short.c, which leave nothing staged */
  bool greeted;  /* the node knows where to send this channel's replies: the helper may send */
  bool owed;     /* the last packets asked for no answer, so none comes: before this PE waits for
                    one it sends an ASK */
  bool fenced;   /* records staged from now on must not pass packets under way: while there are
                    any, the helper sends nothing, as it may use another connection; while there
                    are loose ones, no buffer is begun */
  bool stuck;    /* its PE holds the lock until the provider has room for what is staged */
  uint32_t aged; /* the helper's mark: `sent` when it last saw something staged, plus 1 */
  uint32_t room; /* in the buffer: its size, less what its gets want of the answer; 0: it holds a
                    flow's packet, not records */
  uint32_t run;  /* where in the buffer the record of words is that may go on; 0: none */
  uint32_t questions; /* of watch.c to the node's port, to which it has said nothing yet */
  uint16_t streak;    /* weft_stage_streams: quiets in a row before which many records gathered */
  uint16_t errors;    /* weft_stage_streams: wrong guesses */
  uint16_t loose; /* a bit for each buffer whose packet may be applied after later ones, as it is
                     large or the helper sent it; those of accumulates WEFT_LOOSE_ADDS higher. Such
                     a packet asks for its answer. Means nothing where its bit in `busy` is 0 */
  weft_ride_t ride; /* for the next packet, as the provider did not take the last one */
  uint64_t began; /* the time of the last record that was looked at since a quiet, ns; 0: none was;
                     1: no more are */
  _Alignas(WEFT_CACHELINE) ptrdiff_t data; /* bytes from here to the buffers; 0: never used */
  uint64_t token; /* of this PE and the node: in its packets, whoever sends them */
} weft_stage_t;

/* `fill` of a lane's stage that was never used: no message fits, so am/short.c leaves it alone. */
enum { WEFT_STAGE_UNUSED = 1 << 30 };
/* Accumulates may pass one another where nothing else may. */
enum { WEFT_LOOSE_ADD = 1, WEFT_LOOSE_OTHER = 2 };
enum { WEFT_LOOSE_ADDS = WEFT_BUFFERS_MAX }; /* in `loose`: the accumulates' bits begin here */

/* Head of a channel's staging area, before its stages. */
typedef struct weft_stages {
  uint32_t due;      /* replies that were asked for and are not there */
  uint32_t channels; /* channel 0: how many this PE has opened */
  uint32_t pe;       /* whose it is */
  uint8_t channel;
  bool patient; /* more is coming: do not send half a packet so soon */
  bool lanes;   /* channel 0: this PE's lanes are in use */
  /* A bit per node whose stage holds records; then as many words again, with a bit per node whose
   * stage has `owed` set. */
  uint64_t open[];
} weft_stages_t;

static inline char *weft_stage_buffer(weft_stage_t *stage, uint32_t i) {
  return (char *)stage + stage->data + i * weft_ports.buffer_bytes;
}
/* The buffer that is filled after this one. */
static inline uint32_t weft_stage_after(uint32_t i) {
  return i + 1 == (uint32_t)weft_ports.buffers ? 0 : i + 1;
}
/* No packet is under way to the node whose answer will come unasked. */
static inline bool weft_stage_is_quiet(const weft_stage_t *stage) {
  return weft_observe(&stage->busy) == 0 || stage->owed;
}
/* WEFT_LOOSE_ADD and OTHER: the kinds of loose packets under way. */
static inline unsigned weft_stage_loose(const weft_stage_t *stage) {
  const uint32_t busy = weft_observe(&stage->busy), loose = weft_peek(&stage->loose);
  return (loose >> WEFT_LOOSE_ADDS & busy ? WEFT_LOOSE_ADD : 0u) |
         (loose & busy ? WEFT_LOOSE_OTHER : 0u);
}
/* Packets under way to the node: 0, 1, or 2 for any larger number. */
static inline int weft_stage_under_way(const weft_stage_t *stage) {
  const uint32_t busy = weft_observe(&stage->busy);
  return busy == 0 ? 0 : (busy & (busy - 1)) == 0 ? 1 : 2;
}

/* Records that come in a stream. The first two after a quiet leave at once, as their PE may compute
 * next. But the first ones of a PE that has gathered many before each of the last quiets gather
 * with the rest: one packet instead of three. That is a guess. It was wrong if the second record
 * does not follow soon, or the helper has to send the first one, some milliseconds late. Then twice
 * as many such quiets are wanted before the next guess, and after 14 wrong ones there is none. */
bool weft_stage_streams_now(weft_stage_t *stage);
static inline bool weft_stage_streams(weft_stage_t *stage) {
  return weft_unlikely(stage->streak) && weft_stage_streams_now(stage);
}
/* What gathered is about to leave, as WEFT_SEND_* says. */
void weft_stage_learn(weft_stage_t *stage, unsigned how);

/* The ops that a buffer's records count, each with their number; in the PE's own memory. */
typedef struct weft_held {
  weft_op_t *op;
  uint32_t n;
} weft_held_t;
typedef struct weft_holder {
  weft_held_t *held;
  uint32_t n, room;
} weft_holder_t;

/* ---- records.c: all may wait for a free buffer, making progress meanwhile -------------------- */

/* Store n bytes (at most weft_stage_put_max) at a PE's slot offset. */
void weft_stage_put(weft_channel_t *c, int pe, uintptr_t off, const void *source, size_t n);
/* The same for the low n bytes (1, 2, 4 or 8) of a word. Words one behind the other become one
 * record, and are stored one by one. */
void weft_stage_put_word(weft_channel_t *c, int pe, uintptr_t off, uint64_t value, size_t n);
/* Atomic without a result. */
void weft_stage_post(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                     uint64_t operand);
/* The same, and it leaves at once on this PE's own connection: where the provider keeps messages
 * behind writes (ordered_writes), it is applied after what was written before. */
void weft_stage_post_now(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                         uint64_t operand);
/* A put of n bytes (at most weft_stage_put_max) and an 8-byte atomic after it, in one packet. how:
 * 0; WEFT_SEND_LAZY: it leaves at once; WEFT_SEND_FIRST. */
void weft_stage_put_signal(weft_channel_t *c, int pe, uintptr_t off, const void *source, size_t n,
                           uintptr_t sig, enum weft_amo op, uint64_t signal, unsigned how);
/* Atomic whose old value is stored at `result` (width bytes) by the time weft_stage_quiet returns.
 */
void weft_stage_fetch_nbi(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                          uint64_t operand, uint64_t cond, void *result);
/* Get n bytes (at most weft_stage_get_max) by the time weft_stage_quiet returns; or counted in
 * `op`. `now`: the caller waits for them already. */
void weft_stage_get(weft_channel_t *c, int pe, uintptr_t off, void *dest, size_t n, weft_op_t *op,
                    bool now);
size_t weft_stage_get_max(void);
/* Atomic; returns the old value. */
uint64_t weft_stage_fetch(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                          uint64_t operand, uint64_t cond);

/* An atomic as a record: its old value is stored at `result` (width bytes; NULL: it is not
 * wanted). */
typedef struct weft_amo_record {
  uintptr_t off;
  enum weft_amo op;
  uint32_t width;
  uint64_t operand, cond;
  void *result;
} weft_amo_t;

/* The same, counted in `op`. False, and nothing was done, if `immediate` and there is no room for
 * it just now. */
bool weft_stage_amo_begin(weft_channel_t *c, int pe, const weft_amo_t *amo, weft_op_t *op,
                          bool immediate);
bool weft_stage_put_begin(weft_channel_t *c, int pe, uintptr_t off, const void *source, size_t n,
                          weft_op_t *op, bool immediate);
/* n bytes become `byte`; op may be NULL. */
void weft_stage_fill(weft_channel_t *c, int pe, uintptr_t off, int byte, size_t n, weft_op_t *op);
/* From a PE of another node to any PE of a third one, or of that one. */
void weft_stage_copy(weft_channel_t *c, int to_pe, uintptr_t to_off, int from_pe,
                     uintptr_t from_off, size_t n, weft_op_t *op);

/* A call (service.c) of a PE on another node; leaves at once. */
void weft_stage_call(weft_channel_t *c, uintptr_t off, enum weft_service number,
                     const weft_call_t *call);
/* Room for a record of `bytes` (header included, padded): returns with the stage locked, or NULL
 * (and unlocked) where that would wait. */
weft_record_t *weft_stage_try_record(weft_channel_t *c, int node, size_t bytes);
/* Write a put's record at `r`; returns where the next record goes. */
weft_record_t *weft_stage_write_put(weft_record_t *r, int slot, uintptr_t off, const void *source,
                                    size_t n);
size_t weft_stage_put_bytes(size_t n);

/* ---- stage.c: how records leave, and the wait for answers ------------------------------------ */

/* The most bytes of a put that is one record. */
size_t weft_stage_put_max(void);
/* Are there staged records? */
static inline bool weft_stage_staged(const weft_channel_t *c) {
  for (int w = 0; w < c->words; w++)
    if (weft_observe(&c->open[w])) return true;
  return false;
}
/* Send what is staged, to have it answered. */
void weft_stage_flush(weft_channel_t *c);
/* The same on all channels; the answers may come with later ones. */
void weft_stage_release(void);
/* The PE begins to wait for answers (weft_lone_t). */
void weft_stage_waited(weft_channel_t *c);
/* Send what is staged and wait until everything sent has been applied. */
void weft_stage_quiet(weft_channel_t *c);
/* Are there staged or unanswered records? */
static inline bool weft_stage_busy(const weft_channel_t *c) {
  return !weft_op_is_done(&c->packets);
}
/* What is staged for a node leaves, and all its answers are asked for. */
void weft_stage_flush_node(weft_channel_t *c, int node);
/* What is staged for a node leaves, and nothing that is staged later passes it. */
void weft_stage_fence_node(weft_channel_t *c, int node);
/* The next record takes effect after those that were staged before, whoever sends them. */
void weft_stage_stay_behind(weft_channel_t *c, int node);
/* Ask every node for the answers to packets that asked for none. */
void weft_stage_ask_all(weft_channel_t *c);
/* Which of the channel's packets have arrived at a node and are not answered? Its port says so
 * (weft_watch_told). False: no room for the question just now. */
bool weft_stage_question(weft_channel_t *c, int node, uint16_t number);

weft_stages_t *weft_stage_head(int slot, int channel);
weft_stage_t *weft_stage_of(int slot, int channel, int node);
/* Once per stage: where its buffers are. */
void weft_stage_lay(weft_channel_t *c, int node);
/* In small jobs: have the pages of the first packets to each node. One that is new costs a third of
 * a round trip and more. */
void weft_stage_touch(weft_channel_t *c);
/* How a packet leaves. With neither ASK nor LAZY a later packet may ask for its answer. */
enum {
  WEFT_SEND_ASK = 1,    /* its answer is wanted at once */
  WEFT_SEND_LAZY = 2,   /* its answer is wanted when the port has nothing better to do */
  WEFT_SEND_NOW = 4,    /* it leaves at once */
  WEFT_SEND_TRY = 8,    /* do not wait for the provider */
  WEFT_SEND_MEET = 16,  /* TRY, where the connection is still to be made and that takes long */
  WEFT_SEND_FOR = 32,   /* the helper sends it for the PE */
  WEFT_SEND_ADD = 64,   /* it accumulates */
  WEFT_SEND_FIRST = 128 /* of a record: it leaves at once only if nothing at all is under way */
};
/* Answers that this process's port has put off. One to the PE whose endpoint is that node's port
 * may ride on a packet there (the result has count 0 if there is none), which must then be sent. */
extern int weft_server_put_off __attribute__((visibility("hidden")));
weft_ride_t weft_server_ride(int node);
/* The one sender. Under the lock, something staged: it leaves from `from`, an endpoint of this
 * process. False, with TRY or MEET, if the provider has no room for it; it is still staged then. */
bool weft_stage_send(weft_stages_t *head, weft_stage_t *stage, int node, weft_endpoint_t *from,
                     unsigned how);
/* Some record could not leave, as its connection was still to be made, or a flow found no room: it
 * is tried in every step of a wait (records of lanes by am/message.c), and by the helper. */
enum { WEFT_LATE_RECORDS = 1, WEFT_LATE_FLOWS = 2 };
extern uint8_t weft_stage_late __attribute__((visibility("hidden")));
static inline void weft_stage_be_late(uint8_t what) {
  __atomic_fetch_or(&weft_stage_late, what, __ATOMIC_RELEASE);
}
void weft_stage_send_late(void);
/* Under the lock: the record staged last counts `op` up now, and down when it was applied. */
void weft_stage_hold(weft_channel_t *c, int node, weft_op_t *op);
/* claim.c: the next buffer towards a node, empty, for a packet of a flow. What is staged leaves
 * before. Returns with the stage locked, or NULL (and unlocked) where that buffer is not answered
 * yet; or (*late) the provider has no room just now, or a PE waits for it. */
char *weft_stage_claim(weft_channel_t *c, int node, uint32_t *buffer, bool *late);
/* Send it, `bytes` long and counted in `op` (may be NULL), and unlock. how: ASK, ADD. False: there
 * is no room for it: it is staged, and leaves as records do. */
bool weft_stage_commit(weft_channel_t *c, int node, size_t bytes, unsigned how, weft_op_t *op);
/* What is staged leaves now; false: there is no room for it. */
bool weft_stage_push(weft_channel_t *c, int node);
/* Quiet for a lane, whose short messages (am/short.c) ask for no answer and do not set `owed`. */
void weft_stage_settle(weft_channel_t *c);
/* Replies that reached this PE. */
void weft_stage_answered(const weft_packet_t *reply);

#endif
