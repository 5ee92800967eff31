/*
 * Channels: an endpoint (or a context of one, where the provider has several) with its staging
 * areas and marks, so that what is posted on one completes without the others. Channel 0 is the
 * job's own endpoint. The others are opened when a context asks for one and kept for the next; when
 * all WEFT_CTX_ENDPOINTS are in use, contexts share.
 */
#include <stdlib.h>
#include <string.h>

#include "port/port_internal.h"

weft_channel_t weft_channels[WEFT_CHANNELS_MAX];

static struct {
  weft_lock_t lock; /* of the pool: users and sessions of every channel, and opening */
  int count;        /* open; they are the first */
  bool full;        /* another could not be opened: do not try again */
  bool lanes;       /* they are open; head->lanes says so to the helper */
} pool;

int weft_channel_count(void) {
  return weft_observe(&pool.count);
}

/* The largest put that is staged, in bytes, outside of sessions: fewer than three in a packet would
 * be as many system calls as writes of their own. */
static size_t small_max(void) {
  const size_t most = weft_ports.buffer_bytes / 3, wanted = weft_options.coalesce_max;
  return !weft_options.coalesce ? 0 : wanted < most ? wanted : most;
}

/* The second of two packets leaves at once too, if there is a buffer left for what gathers behind
 * them: of two, records that come in a row would all travel alone. */
static uint8_t eager(void) {
  return !weft_options.coalesce ? 0 : weft_ports.buffers < 3 ? 1 : 2;
}

/* Where a channel's staging lies. */
static void lay(weft_channel_t *c) {
  weft_stages_t *head = weft_stage_head(weft_job.slot, c->number);
  c->stages = weft_stage_of(weft_job.slot, c->number, 0);
  c->open = head->open;
  c->head = head;
  head->pe = (uint32_t)weft_job.pe;
  head->channel = c->number;
  c->words = (weft_job.nnodes + 63) / 64;
  c->staging = weft_options.coalesce;
  c->eager = eager();
  c->packets = (weft_op_t){0};
  c->small_max = small_max();
  if (c->number < WEFT_LANE) { /* a lane has the first one's endpoint, and puts nothing */
    c->endpoint->written = c->dirty;
    c->endpoint->nwritten = (uint64_t)weft_job.nnodes;
  }
  if (c->holders) return; /* open again */
  c->holders = calloc((size_t)weft_job.nnodes * (size_t)weft_ports.buffers, sizeof *c->holders);
  c->touched = calloc((size_t)c->words, sizeof *c->touched);
  if (!c->holders || !c->touched)
    weft_fatal("no memory for packets to %d nodes: this machine is out of memory", weft_job.nnodes);
}

static void forget(weft_channel_t *c) {
  for (int i = 0; c->holders && i < weft_job.nnodes * weft_ports.buffers; i++)
    free(c->holders[i].held);
  free(c->holders);
  free(c->touched);
  c->holders = NULL;
  c->touched = NULL;
}

/* The node's helper looks at as many channels of this PE as `channels` of the first one says. */
static void publish(int count) {
  weft_publish(&weft_stage_head(weft_job.slot, 0)->channels, (uint32_t)count);
  weft_publish(&pool.count, count);
}

void weft_channels_start(void) {
  static weft_endpoint_t none; /* takes no packet: who uses a lane too early is told (am/short.c) */
  weft_channel_t *first = &weft_channels[0];
  for (int i = 0; i < WEFT_LANES_MAX; i++) weft_channels[WEFT_LANE + i].endpoint = &none;
  first->endpoint = &weft_job.endpoint;
  first->dirty = weft_job_dirty();
  lay(first);
  if (first->staging) weft_stage_touch(first);
  publish(1);
}

/* Active messages: two more staging areas, whose packets and answers go by the first channel's
 * endpoint. */
void weft_channels_open_lanes(void) {
  for (int i = 0; i < WEFT_LANES_MAX; i++) {
    weft_channel_t *c = &weft_channels[WEFT_LANE + i];
    c->endpoint = weft_channels[0].endpoint;
    c->number = (uint8_t)(WEFT_LANE + i);
    c->armed = true;
    lay(c);
    for (int node = 0; node < weft_job.nnodes; node++)
      if (!c->stages[node].data) c->stages[node].fill = WEFT_STAGE_UNUSED;
  }
  weft_helper_arm(&weft_channels[0]);
  weft_publish(&pool.lanes, true);
  weft_publish(&weft_stage_head(weft_job.slot, 0)->lanes, true);
}

void weft_channels_close_lanes(void) {
  weft_publish(&pool.lanes, false);
  weft_publish(&weft_stage_head(weft_job.slot, 0)->lanes, false);
}

bool weft_channels_have_lanes(void) {
  return weft_observe(&pool.lanes);
}

void weft_channels_stop(void) {
  if (pool.count > 0) weft_channels[0].endpoint->nwritten = 0;
  for (int i = 0; i < pool.count; i++) weft_packets.close(&weft_channels[i]);
  for (int i = 0; i < WEFT_CHANNELS_MAX; i++) forget(&weft_channels[i]);
  for (int i = 1; i < pool.count; i++) {
    weft_endpoint_close(weft_channels[i].endpoint);
    free(weft_channels[i].endpoint);
    free(weft_channels[i].dirty);
  }
  memset(weft_channels, 0, sizeof weft_channels);
  pool.count = 0;
  pool.full = false;
}

/* Open one more. Its address travels in the greetings. */
static int open_channel(void) {
  weft_channel_t *c = &weft_channels[pool.count];
  weft_endpoint_t *e = calloc(1, sizeof *e);
  uint64_t *dirty = calloc((size_t)(weft_job.nnodes + 63) / 64, sizeof *dirty);
  int rc = e && dirty ? 0 : -ENOMEM;
  /* A context of the first channel's endpoint, if the provider has them, else one of its own. */
  if (rc == 0 && pool.count < weft_job_contexts())
    rc = weft_endpoint_open_context(e, &weft_job.endpoint, c->context = pool.count);
  else if (rc == 0)
    rc = weft_job_open_endpoint(e, c->address);
  if (rc < 0) {
    free(dirty);
    free(e);
    return rc;
  }
  c->endpoint = e;
  c->dirty = dirty;
  c->number = (uint8_t)pool.count;
  lay(c);
  publish(pool.count + 1);
  weft_stage_meet_again(c);
  return 0;
}

weft_channel_t *weft_channel_acquire(void) {
  weft_channel_t *best = NULL;
  if (weft_job.nnodes == 1) return &weft_channels[0];
  weft_lock(&pool.lock);
  for (int i = 1; i < pool.count; i++)
    if (!best || weft_channels[i].users < best->users) best = &weft_channels[i];
  if ((!best || best->users > 0) && pool.count < weft_job.layout.channels && !pool.full) {
    int number = pool.count;
    if (open_channel() < 0) {
      pool.full = true;
      weft_warn("contexts share %d endpoints: another one cannot be opened", number);
    }
    if (pool.count > number) best = &weft_channels[number];
  }
  if (!best) best = &weft_channels[0]; /* WEFT_CTX_ENDPOINTS=0 */
  best->users++;
  weft_unlock(&pool.lock);
  return best;
}

void weft_channel_release(weft_channel_t *c) {
  weft_lock(&pool.lock);
  c->users--;
  weft_unlock(&pool.lock);
}

/* While any context of the channel has a session, puts up to the largest are gathered, whatever
 * WEFT_COALESCE says, and the helper waits longer before it sends a packet that is not full. */
void weft_channel_session(weft_channel_t *c, bool begins) {
  if (weft_job.nnodes == 1) return;
  weft_lock(&pool.lock);
  c->sessions += begins ? 1 : -1;
  const bool any = c->sessions > 0;
  weft_poke(&weft_stage_head(weft_job.slot, c->number)->patient, any);
  weft_poke(&c->staging, any || weft_options.coalesce);
  weft_poke(&c->eager, any ? 0 : eager());
  weft_poke(&c->small_max, any ? weft_stage_put_max() : small_max());
  weft_unlock(&pool.lock);
  if (!begins) weft_stage_flush(c);
}
