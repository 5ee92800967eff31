/*
 * Packets of flows that are in no staging buffer: those on leases, which are larger, and words. The
 * memory of one is free again when the provider is done with it.
 */
#include <stdlib.h>

#include "flow/flow_internal.h"

static struct {
  weft_lock_t lock;
  weft_flow_large_t *first;
} pool;

static void done(weft_op_t *op, size_t len) {
  weft_flow_large_t *large = (weft_flow_large_t *)op;
  (void)len;
  weft_lock(&pool.lock);
  large->next = pool.first;
  pool.first = large;
  weft_unlock(&pool.lock);
}

weft_flow_large_t *weft_flow_large_take(void) {
  weft_lock(&pool.lock);
  weft_flow_large_t *large = pool.first;
  if (large) pool.first = large->next;
  weft_unlock(&pool.lock);
  if (large) return large;
  large = malloc(sizeof *large + weft_ports.spare_bytes);
  if (!large) weft_fatal("no memory for a non-contiguous transfer: this machine is out of memory");
  large->op = (weft_op_t){.done = done};
  return large;
}

/* An injected packet completes at once. */
bool weft_flow_large_offer(const weft_channel_t *c, int node, weft_flow_large_t *large) {
  const size_t size = ((const weft_packet_t *)large->data)->bytes;
  if (!weft_endpoint_try_send(c->endpoint, (uint64_t)node, large->data, size, &large->op))
    return false;
  if (size <= c->endpoint->inject_max) done(&large->op, size);
  return true;
}

void weft_flow_large_free(weft_flow_large_t *first) {
  for (weft_flow_large_t *next; first; first = next) {
    next = first->next;
    free(first);
  }
}

void weft_flow_large_close(void) {
  weft_flow_large_free(pool.first);
  pool.first = NULL;
}
