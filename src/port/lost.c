/*
 * Nodes whose port is gone, where the job goes on without them (WEFT_ON_DEATH=continue): packets
 * under way to them will not be answered, so they are taken for answered, and who waits for them
 * goes on. What they were to bring is not there: the caller looks at weft_job_state.
 */
#include <stdlib.h>

#include "port/port_internal.h"

static struct {
  uint32_t seen; /* weft_job_changes */
  int n;
  int *nodes;
  uint64_t since;
} lost;

/* The PE whose process has the port of the node that serves this PE. */
static bool is_lost(int node) {
  const int helper = weft_job_helper_of(weft_job.pe);
  for (int pe = 0; pe < weft_job.npes; pe++)
    if (weft_job.where[pe].node == node && weft_job.where[pe].slot == helper)
      return weft_job_state(pe) == WEFT_FAILED;
  return false;
}

bool weft_lost_is(int pe) {
  const int node = weft_job_node_of(pe);
  return node != weft_job.node && is_lost(node);
}

/* Endpoints number nodes first; behind these a port has those whom it answers. */
static bool is_gone(const weft_endpoint_t *e, uint64_t to) {
  if (weft_job_changes() == 0) return false;
  if (to < (uint64_t)weft_job.nnodes) return is_lost((int)to);
  const int pe = e == weft_job.port ? weft_server_client(to) : -1;
  return pe >= 0 && weft_job_state(pe) == WEFT_FAILED;
}

static void look(uint32_t changes) {
  lost.seen = changes;
  lost.n = 0;
  for (int node = 0; node < weft_job.nnodes; node++)
    if (node != weft_job.node && is_lost(node)) lost.nodes[lost.n++] = node;
  lost.since = weft_clock_ns();
}

static int give_up_packets(weft_channel_t *c, int node) {
  const uint32_t busy = weft_observe(&c->stages[node].busy);
  const weft_packet_t reply = {.kind = WEFT_PACKET_REPLY,
                               .channel = c->number,
                               .buffer = (uint16_t)busy,
                               .bytes = sizeof reply,
                               .from = (uint32_t)node};
  if (busy) weft_stage_answered(&reply);
  return busy != 0;
}

/* An answer that arrived before the end is still taken: it has had this time. */
static int step(void) {
  const uint32_t changes = weft_job_changes();
  int done = 0;
  if (changes != lost.seen) look(changes);
  if (lost.n == 0 || weft_clock_ns() - lost.since < WEFT_LOST_GRACE_NS) return 0;
  for (int i = 0; i < lost.n; i++) {
    for (int k = 0; k < weft_channel_count(); k++)
      done += give_up_packets(&weft_channels[k], lost.nodes[i]);
    for (int k = 0; weft_channels_have_lanes() && k < WEFT_LANES_MAX; k++)
      done += give_up_packets(&weft_channels[WEFT_LANE + k], lost.nodes[i]);
  }
  return done;
}

int weft_lost_start(void) {
  if (!weft_job_goes_on() || weft_job.nnodes == 1) return 0;
  free(lost.nodes);
  lost.seen = 0;
  lost.n = 0;
  lost.nodes = calloc((size_t)weft_job.nnodes, sizeof *lost.nodes);
  if (!lost.nodes) return -ENOMEM;
  weft_fabric_forgive(is_gone);
  weft_progress_add(step);
  return 0;
}
