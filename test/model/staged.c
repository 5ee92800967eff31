/*
 * What the threads of staging.c run: the first channel of a PE with one small buffer towards one
 * other node. Records are put, and sent by the PE or for it by the helper (port/stage.c,
 * records.c); the network takes a packet at once, and reads it when the helper polls.
 */
#include <string.h>

#include "model.h"
#include "port/port_internal.h"

enum { RECORDS = 4, NODE = 1 };

weft_job_t weft_job;
weft_options_t weft_options;
weft_channel_t weft_channels[WEFT_CHANNELS_MAX];
weft_packet_handlers_t weft_packets;
int weft_server_put_off;
static weft_channel_t *const channel = &weft_channels[0];
static weft_where_t where[2] = {{0, 0}, {NODE, 0}};
static uint64_t tokens[2], dirty, touched;

/* The network knows all at once: only what is in `shared` goes by the weak memory. */
static struct {
  const weft_packet_t *packet; /* taken and not answered, or NULL */
  int asked;                   /* for its answer, so often */
  int applied[RECORDS];
} network;
static struct {
  uint32_t bell; /* changes with the network: what looks at it depends on what changes it */
  weft_op_t ops[RECORDS];
} *shared;
static weft_holder_t holders[2 * WEFT_BUFFERS_MAX]; /* per node and buffer */
static weft_held_t held[2][RECORDS];

/* Returns the stage: what is behind it in the window is shared. */
WEFT_API weft_stage_t *model_staging(char *window, size_t bytes, void *memory, int buffers);
weft_stage_t *model_staging(char *window, size_t bytes, void *memory, int buffers) {
  weft_job_areas_t areas = {.channels = 1};
  shared = memory;
  weft_job = (weft_job_t){.npes = 2, .nnodes = 2, .nslots = 1, .where = where, .tokens = tokens};
  weft_job.window.layout.stride = bytes;
  weft_job.window.base = (uintptr_t)window - bytes;
  weft_job.layout.channels = 1;
  weft_ports = (weft_plan_t){.channels = 1, .buffers = buffers, .buffer_bytes = 128};
  weft_port_plan(0, 0, &areas);
  return weft_stage_of(0, 0, NODE);
}

/* The helper's too: who counts on a buffer's answer. */
WEFT_API void *model_holder(void);
void *model_holder(void) {
  return &holders[NODE * weft_ports.buffers];
}
WEFT_API void *model_held(void);
void *model_held(void) {
  return held[NODE];
}

/* The beginning of an execution: nothing is staged. at_once: a record leaves when it is put. */
WEFT_API void model_empty(bool at_once);
void model_empty(bool at_once) {
  memset(&network, 0, sizeof network);
  memset(shared, 0, sizeof *shared);
  weft_stages_t *head = weft_stage_head(0, 0);
  memset(head, 0, weft_job.window.layout.stride);
  *channel = (weft_channel_t){.endpoint = &weft_job.endpoint,
                              .stages = weft_stage_of(0, 0, 0),
                              .dirty = &dirty,
                              .open = head->open,
                              .head = head,
                              .holders = holders,
                              .touched = &touched,
                              .staging = !at_once,
                              .armed = true,
                              .words = 1};
  for (int i = 0; i < 2; i++)
    holders[i * weft_ports.buffers] = (weft_holder_t){.held = held[i], .room = RECORDS};
  weft_stage_lay(channel, NODE);
  channel->stages[NODE].greeted = true;
}

/* The same: a record waits for room, or behind a packet under way for its answer. */
WEFT_API void model_gather(void);
void model_gather(void) {
  model_empty(false);
}
static void put_one(uint64_t value);
WEFT_API void model_eager(void);
void model_eager(void) {
  model_empty(false);
  channel->eager = 1;
  put_one(0);
}

/* ---- the network ----------------------------------------------------------------------------- */

static void ring(void) {
  __atomic_fetch_add(&shared->bell, 1, __ATOMIC_ACQ_REL); /* the network takes along */
}

bool weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t len,
                            weft_op_t *op) {
  const weft_packet_t *packet = data;
  (void)e, (void)to, (void)len, (void)op;
  ring();
  if (packet->kind == WEFT_PACKET_ASK) {
    MODEL_CHECK(network.packet); /* or nobody owes an answer */
    network.asked++;
    return true;
  }
  MODEL_CHECK(!network.packet); /* it was there, and is whole */
  network.packet = packet;
  network.asked = packet->want != 0;
  return true;
}

static void apply(const weft_packet_t *packet) {
  for (size_t at = sizeof *packet; at < packet->bytes;) {
    const weft_record_t *r = (const weft_record_t *)((const char *)packet + at);
    const uint64_t value = *(const uint64_t *)(const void *)(r + 1);
    MODEL_CHECK(r->kind == WEFT_RECORD_PUT && r->len == 8 && value == r->off && value < RECORDS);
    network.applied[value]++;
    at += weft_stage_put_bytes(r->len);
  }
}

/* A packet that has asked for its answer arrives and is answered. Was there one? */
static bool carry(void) {
  (void)weft_observe(&shared->bell);
  const weft_packet_t *packet = network.packet;
  if (!packet || !network.asked) return false;
  ring();
  apply(packet);
  const weft_packet_t reply = {.kind = WEFT_PACKET_REPLY,
                               .buffer = 1,
                               .bytes = sizeof reply,
                               .from = NODE,
                               .want = (uint8_t)network.asked};
  network.packet = NULL;
  weft_stage_answered(&reply);
  return true;
}

/* ---- the threads ----------------------------------------------------------------------------- */

/* Put the values [0, n), each counted in its op, and wait for them. */
WEFT_API void model_put(int n);
void model_put(int n) {
  for (int i = 0; i < n; i++) {
    const uint64_t value = (uint64_t)i;
    weft_stage_put_begin(channel, 1, (uintptr_t)i, &value, sizeof value, &shared->ops[i], false);
  }
  for (int i = 0; i < n; i++) {
    weft_op_wait_on(channel, &shared->ops[i]);
    MODEL_CHECK(network.applied[i] == 1);
  }
}

/* Put a value, ask for the answer (as weft_op_wait does) and wait. */
WEFT_API void model_ask(void);
void model_ask(void) {
  put_one(0);
  weft_stage_flush(channel);
  weft_stage_ask_all(channel);
  weft_op_wait_on(channel, &shared->ops[0]);
}

/* Put one that gathers behind a packet, and wait for nothing. */
static void put_one(uint64_t value) {
  weft_stage_put_begin(channel, 1, value, &value, sizeof value, &shared->ops[value], false);
}
WEFT_API void model_compute(void);
void model_compute(void) {
  put_one(1);
}

/* Another thread of the PE: what is staged leaves with a packet that asks for no answer. */
WEFT_API void model_send_on(void);
void model_send_on(void) {
  weft_stage_t *stage = &channel->stages[NODE];
  weft_lock(&stage->lock);
  if (stage->fill) weft_stage_send(channel->head, stage, NODE, channel->endpoint, WEFT_SEND_NOW);
  weft_unlock(&stage->lock);
  while (!carry()) model_wait(false);
}

/* The helper, until it has taken n answers: sends what is staged (helper.c, age_channel), and
 * polls. */
WEFT_API void model_help(int n, bool sends);
void model_help(int n, bool sends) {
  weft_stage_t *stage = &channel->stages[NODE];
  while (n > 0) {
    if (sends && weft_lock_try(&stage->lock)) {
      if (stage->fill)
        weft_stage_send(channel->head, stage, NODE, channel->endpoint,
                        WEFT_SEND_FOR | WEFT_SEND_ASK);
      weft_unlock(&stage->lock);
    }
    if (carry())
      n--;
    else
      model_wait(false);
  }
}

/* The thread that takes the first answer. */
WEFT_API void model_take(void);
void model_take(void) {
  model_help(1, false);
}

/* ---- layers below and beside ----------------------------------------------------------------- */

void weft_op_wait_on(const weft_channel_t *c, const weft_op_t *op) {
  (void)c;
  while (weft_observe(&op->pending)) model_wait(false);
}
void weft_wait_step(weft_wait_t *wait) {
  (void)wait;
  model_wait(false);
}
void weft_stage_meet(weft_channel_t *c, int node) {
  (void)c, (void)node;
}
void weft_watch_told(const weft_packet_t *reply) {
  (void)reply;
}
void weft_helper_arm(weft_channel_t *c) {
  (void)c;
}
weft_ride_t weft_server_ride(int node) {
  (void)node;
  return (weft_ride_t){0};
}
void weft_progress_touch(void) {
}
uint64_t weft_clock_ns(void) {
  return 0;
}
int weft_channel_count(void) {
  return 1;
}
int weft_plan_make(weft_plan_t *plan, const weft_plan_input_t *input) {
  (void)plan, (void)input;
  return 0;
}
bool weft_fabric_is_stream(const char *provider) {
  (void)provider;
  return true;
}
void weft_fatal(const char *format, ...) {
  model_failed("weft_fatal", 0, format);
  __builtin_unreachable();
}
