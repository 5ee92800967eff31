/*
 * Greetings: a channel's first packet to a node makes the connection and says where replies go.
 */
#include <string.h>

#include "port/port_internal.h"

static void greet(weft_channel_t *c, int node) {
  struct {
    weft_packet_t head;
    uint8_t address[WEFT_ADDRESS_MAX];
  } hello = {.head = {.kind = WEFT_PACKET_HELLO,
                      .channel = c->number,
                      .buffer = (uint16_t)c->context,
                      .bytes = c->number ? sizeof hello : sizeof hello.head,
                      .from = (uint32_t)weft_job.pe,
                      .token = weft_job.tokens[node],
                      .want = true}};
  memcpy(hello.address, c->address, sizeof hello.address);
  __atomic_fetch_add(&c->unmet, 1, __ATOMIC_RELAXED);
  weft_endpoint_inject(c->endpoint, (uint64_t)node, &hello, hello.head.bytes);
}

static int await_greetings(weft_channel_t *c) {
  const int patience = weft_options.link_timeout;
  const uint64_t begin = weft_clock_ns();
  unsigned steps = 0;
  while (weft_observe(&c->unmet)) {
    weft_progress_wait(c, &steps);
    if (patience > 0 && weft_clock_ns() - begin > (uint64_t)patience * 1000000000) {
      weft_warn(
          "%u of %d nodes did not answer over %s within %d s: is the network between them open? "
          "WEFT_IFACE chooses the interface, WEFT_LINK_TIMEOUT this time",
          weft_peek(&c->unmet), weft_job.nnodes - 1, weft_job.fabric.name, patience);
      return -ETIMEDOUT;
    }
  }
  return 0;
}

int weft_stage_greet_all(weft_channel_t *c) {
  enum { GREET_UP_TO = 256 };
  if (weft_job.nnodes > GREET_UP_TO) return 0;
  for (int node = 0; node < weft_job.nnodes; node++)
    if (node != weft_job.node) greet(c, node);
  int rc = await_greetings(c);
  for (int node = 0; rc == 0 && node < weft_job.nnodes; node++) c->stages[node].greeted = true;
  return rc;
}

WEFT_COLD void weft_stage_introduce(weft_channel_t *c, int node) {
  greet(c, node);
  weft_unlock(&c->stages[node].lock);
  if (await_greetings(c) < 0) weft_end_job(1);
  weft_lock(&c->stages[node].lock);
  c->stages[node].greeted = true;
}

void weft_stage_meet(weft_channel_t *c, int node) {
  weft_lock(&c->stages[node].lock);
  if (!c->stages[node].greeted) weft_stage_introduce(c, node);
  weft_unlock(&c->stages[node].lock);
}
