/*
 * What the files of this folder share. Prototypes stand under the file that defines them.
 */
#ifndef WEFT_PORT_INTERNAL_H
#define WEFT_PORT_INTERNAL_H

#include <pthread.h>

#include "port/port.h"

/* ---- channel.c ---- */
void weft_channels_start(void);
void weft_channels_stop(void);

/* ---- stage.c ---- */
/* A packet of a channel of this PE to a node with nothing in it. */
static inline weft_packet_t weft_stage_packet(int channel, int node, enum weft_packet_kind kind) {
  return (weft_packet_t){.kind = (uint8_t)kind,
                         .channel = (uint8_t)channel,
                         .bytes = sizeof(weft_packet_t),
                         .from = (uint32_t)weft_job.pe,
                         .token = weft_job.tokens[node]};
}
/* The node's stage, which is locked, holds records that stay: those who flush or take answers, and
 * the helper, are to find it. True: it held none before. */
static inline bool weft_stage_is_marked(const weft_stages_t *head, int node) {
  return weft_peek(&head->open[node / 64]) >> node % 64 & 1;
}
static inline bool weft_stage_mark(weft_stages_t *head, int node) {
  if (weft_stage_is_marked(head, node)) return false;
  __atomic_fetch_or(&head->open[node / 64], (uint64_t)1 << node % 64, __ATOMIC_SEQ_CST);
  return true;
}
/* The next buffer was sent and is not answered. */
static inline bool weft_stage_next_is_busy(const weft_stage_t *stage) {
  return weft_observe(&stage->busy) >> stage->next & 1;
}
/* A record that must stay behind is not the first of a new buffer while loose packets are under
 * way. Added to a begun buffer it passes no packet: the buffer's records leave together. */
static inline bool weft_stage_waits_for_loose(const weft_stage_t *stage) {
  return weft_unlikely(stage->fenced) && weft_stage_loose(stage);
}
/* The next buffer is free and begins to be used: counted until its packet is answered. */
static inline void weft_stage_use(weft_channel_t *c, int node) {
  weft_op_up(&c->packets);
  weft_channel_touch_staged(c, node);
  if (weft_unlikely(!weft_peek(&c->armed))) weft_helper_arm(c);
}
/* The stage is locked and holds nothing: it begins the next buffer, if it may. Who leaves records
 * in it marks the stage. */
static inline bool weft_stage_begin(weft_channel_t *c, int node) {
  weft_stage_t *stage = &c->stages[node];
  if (weft_unlikely(weft_stage_next_is_busy(stage))) return false;
  if (weft_stage_waits_for_loose(stage)) return false;
  weft_stage_use(c, node);
  weft_poke(&stage->fill, (uint32_t)sizeof(weft_packet_t));
  return true;
}
/* Ask for the answers of the node's packets that asked for none. The stage is locked. False: the
 * provider has no room; the other form waits for some. */
bool weft_stage_try_ask(weft_channel_t *c, int node);
void weft_stage_ask(weft_channel_t *c, int node);
/* Lock a stage. Who takes an answer may be the thread that serves the port, so it does not wait
 * with a PE that is stuck: others need it. False: the PE is. */
bool weft_stage_lock_for_answer(weft_stage_t *stage);
/* Room in the stage, which is locked; waits, or says no. */
void weft_stage_make_room(weft_channel_t *c, int node, size_t bytes);
bool weft_stage_has_room(weft_channel_t *c, int node, size_t bytes);

/* ---- greet.c ---- */
/* Before the first packet to a node: a stage without `data` gets its buffers. It is locked. */
void weft_stage_meet(weft_channel_t *c, int node);
/* A new channel greets the nodes that the first one has met: a later post on it does not wait for
 * a connection while the process at the other end is stopped. */
void weft_stage_meet_again(weft_channel_t *c);

/* ---- server.c ---- */
extern weft_packet_handlers_t weft_packets __attribute__((visibility("hidden")));
extern weft_record_handlers_t weft_records __attribute__((visibility("hidden")));
/* Flows for which the provider had no room go on, if it has some now; how many were tried. */
static inline int weft_flows_again(void) {
  int n = 0;
  for (int i = 0; i < weft_channel_count(); i++)
    if (weft_observe(&weft_channels[i].late)) n += weft_packets.again(&weft_channels[i]);
  return n;
}
/* The oldest arrived packet of this job, or NULL; packets of strangers are dropped. As
 * weft_endpoint_take. */
weft_receive_t *weft_port_take(weft_endpoint_t *endpoint);
/* Count `what`, which came from outside of the job, and say the first one. And at the end: say how
 * many there were, if more than one. */
void weft_port_drop(const char *what);
void weft_port_say_dropped(void);
/* Handle arrived packets; the number handled. Caller holds the service of the port. */
int weft_server_run(void);
/* Send the answers that were put off. The caller, who holds the service, may not look at the port
 * again soon. */
void weft_server_settle(void);
/* Are answers put off or held, or messages waiting, so that the server has work without an arrival?
 */
bool weft_server_owes(void);
int weft_server_start(void);
void weft_server_stop(void);

/* Send the result of a call that a PE made earlier. For the port's server only. */
void weft_server_answer_call(uint32_t pe, uint64_t result, uint64_t value);

/* The PE that the port answers at this address, or -1. */
int weft_server_client(fi_addr_t address);

/* ---- replies.c: what the port sends; called by its server ---- */
/* Memory for it. One too large to inject is free again when the provider is done. */
typedef struct weft_reply {
  weft_op_t op;
  struct weft_reply *next;
  fi_addr_t to;             /* of one that is held */
  _Alignas(16) char data[]; /* a packet, of message_max bytes at most */
} weft_reply_t;
/* A free one, until _keep or _send. */
weft_reply_t *weft_reply_take(void);
void weft_reply_keep(weft_reply_t *reply);
/* Send its packet. The order of what goes to one address is kept. */
void weft_reply_send(weft_reply_t *reply, fi_addr_t to);
/* Go on with what is held; how many were sent. And (any thread): is any? */
int weft_replies_again(void);
bool weft_replies_held(void);
void weft_replies_start(void);
void weft_replies_stop(void);

/* ---- service.c ---- */
bool weft_service_run(unsigned number, char *object, const weft_call_t *call, uint64_t *result);

/* ---- query.c ---- */
/* Answer a QUERY. The answer is appended at `result`, as a fetched value would be; returns where
 * the next result goes. */
weft_result_t *weft_query_answer(const weft_packet_t *packet, const weft_record_t *r,
                                 weft_result_t *result);

/* ---- carry.c: what the port does with records ---- */
/* The size of the record that begins at byte `at`. One that ends beyond its packet ends the job. */
size_t weft_carry_size(const weft_packet_t *packet, size_t at);
/* The bytes of its result in the answer, at most. */
size_t weft_carry_result(const weft_record_t *record);
/* Carry out a PUT. */
void weft_carry_put(const weft_packet_t *packet, const weft_record_t *record);
/* And any other one; a fetched value is appended at *result. False: it is done later (a copy), and
 * then the packet is answered. */
bool weft_carry_out(const weft_packet_t *packet, const weft_record_t *record,
                    weft_result_t **result);
/* A write to this node brought its note (weft_port_note). */
void weft_carry_note(uint64_t note);

/* ---- copies.c: copies to other nodes, for packets; called by the port's server ---- */
/* Begin one (n is not 0) to a PE's slot offset. `source` lies in the window. The packet is answered
 * when all its copies are there. */
void weft_copies_ask(const weft_packet_t *packet, int pe, uintptr_t off, const char *source,
                     size_t n);
/* Go on; returns how many packets were answered. And (any thread): are copies under way? */
int weft_copies_again(void);
bool weft_copies_waiting(void);

/* ---- lost.c ---- */
int weft_lost_start(void);
/* Is the port that serves this PE gone? What it has sent arrives within the grace. */
enum { WEFT_LOST_GRACE_NS = 50000000 };
bool weft_lost_is(int pe);
/* In a port's own process: tell other machines which PEs of this node have failed. False: no PE of
 * the node needs the port any more, and it ends. */
bool weft_lost_tell(void);
/* Before it ends, for a second after such news: some providers send only while they are polled, and
 * what the others have not read may be lost with the connection. Nobody is answered: the node
 * counts as gone. */
void weft_lost_linger(void);

/* ---- answers.c ---- */
/* Is a packet of this kind an answer, which a port sends to a PE? */
static inline bool weft_answer_is_kind(uint8_t kind) {
  return kind == WEFT_PACKET_REPLY || kind == WEFT_PACKET_FLOW_REPLY || kind == WEFT_PACKET_ARRIVED;
}
/* An answer of `len` bytes makes sense, or the job ends with a line that names its sender. False:
 * it comes from a lost node, and what it answers counts as answered (lost.c). */
bool weft_answer_check(const weft_packet_t *reply, size_t len);

/* ---- watch.c ---- */
/* Look at connections and answers, if the time for it has come. */
void weft_watch_look(uint64_t now);
uint64_t weft_watch_period_ns(void);
/* The answer to weft_stage_question. */
void weft_watch_told(const weft_packet_t *reply);

/* ---- progress.c ---- */
/* Is anything known to be on its way to this PE's endpoints, or from them? */
bool weft_progress_expects(void);
void weft_progress_start(void);
/* Take the replies that came to a channel's endpoint; their number, with other completions. */
int weft_progress_take_replies(weft_channel_t *c);
/* Take one reply. */
void weft_progress_reply(weft_receive_t *r);
/* Between these the caller alone takes answers to the packets of a channel. */
bool weft_progress_try_answers(const weft_channel_t *c);
void weft_progress_leave_answers(const weft_channel_t *c);
/* Become the thread that may touch the state of the port's server, if no other is. */
bool weft_progress_try_service(void);
void weft_progress_leave_service(void);
/* Serve the port of this process; the number of things done, or -1: another thread is serving. */
int weft_progress_serve(void);
/* The same by the helper, which leaves what comes to a PE that sleeps on the port's descriptor: it
 * would not wake. -1 also where another thread polls the port just now: the descriptor stays
 * readable until that thread has run, perhaps on this very processor. */
int weft_progress_help(void);
/* Grows whenever the PE itself, not the helper, looks at the port. */
uint32_t weft_progress_beat(void);
/* Grows whenever the PE had not looked for a while. */
uint32_t weft_progress_pauses(void);
/* The PE makes a connection, and takes what comes to its port meanwhile. */
void weft_progress_touch(void);
/* Does the PE sleep on the port's descriptor, or did it since the last call (*seen, at first 0)? */
bool weft_progress_sleeps(uint32_t *seen);
/* Is the PE at a transfer that weft_progress_move told of, and will look soon? */
bool weft_progress_moves(uint64_t now);
/* Until when (ns) its last large post (weft_progress_post) may take the provider. */
uint64_t weft_progress_posted(void);

/* ---- affinity.c ---- */
/* Bind a helper that serves a port as WEFT_HELPER_AFFINITY says. 0 or a negative errno (logged). */
int weft_helper_bind(pthread_t thread);
/* Is it time for the helper to move (WEFT_HELPER_AFFINITY=rotate)? Then it moves itself to the next
 * processor, so that it is not always the same PE that shares its processor with it. */
bool weft_helper_is_due(void);
void weft_helper_move(void);

#endif
