/*
 * The first packet to a node, which makes the connection. All ports know the endpoint of a PE's
 * first channel, which is also that of its lanes; any other channel says in a greeting, right
 * before its first packet, where replies go.
 */
#include <string.h>

#include "port/port_internal.h"

static void greet(weft_channel_t *c, int node) {
  struct {
    weft_packet_t head;
    uint8_t address[WEFT_ADDRESS_MAX];
  } hello = {.head = weft_stage_packet(c->number, node, WEFT_PACKET_HELLO)};
  hello.head.buffer = (uint16_t)c->context;
  hello.head.bytes = sizeof hello;
  hello.head.want = true;
  memcpy(hello.address, c->address, sizeof hello.address);
  __atomic_fetch_add(&c->unmet, 1, __ATOMIC_RELAXED);
  weft_endpoint_inject(c->endpoint, (uint64_t)node, &hello, sizeof hello);
}

WEFT_COLD void weft_stage_meet(weft_channel_t *c, int node) {
  weft_stage_t *stage = &c->stages[node];
  weft_stage_lay(c, node);
  weft_poke(&stage->fill, 0);
  if (c->number == 0 || c->number >= WEFT_LANE)
    weft_publish(&stage->greeted, true);
  else
    greet(c, node);
}

void weft_stage_meet_again(weft_channel_t *c) {
  for (int node = 0; node < weft_job.nnodes; node++) {
    if (!weft_peek(&weft_channels[0].stages[node].data)) continue;
    weft_lock(&c->stages[node].lock);
    if (!c->stages[node].data) weft_stage_meet(c, node);
    weft_unlock(&c->stages[node].lock);
  }
}
