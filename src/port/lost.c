/*
 * Lost nodes, of which all PEs have failed, where the job goes on (WEFT_ON_DEATH=continue): packets
 * under way to them will not be answered, so they count as answered, and a PE that waits for them
 * goes on. Their results were not stored: the caller looks at weft_job_state. And how the ports
 * tell one another which PEs have failed.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "port/port_internal.h"

static struct {
  uint32_t seen; /* weft_job_changes */
  int n;
  bool *node; /* per node: it is lost */
  /* In the port's process: a bit per PE of this node and node, which was sent the PE's death. */
  uint64_t *told;
  uint64_t told_at; /* ns: when one last was, or 0 */
  bool late;        /* there was no room for some */
  uint64_t needed;  /* ns: when the port last was */
  uint64_t since;   /* ns: when a look last found another lost node */
} lost;

static size_t words(void) {
  return ((size_t)weft_job.nnodes + 63) / 64;
}

static void look(uint32_t changes) {
  int n = 0;
  for (int node = 0; node < weft_job.nnodes; node++) {
    bool gone = node != weft_job.node;
    for (int pe = weft_job_leader(node); gone && pe < weft_job.npes; pe++)
      gone = weft_job_node_of(pe) != node || weft_job_state(pe) == WEFT_FAILED;
    weft_poke(&lost.node[node], gone);
    n += gone;
  }
  if (n != weft_observe(&lost.n)) weft_poke(&lost.since, weft_clock_ns());
  weft_publish(&lost.n, n);
  weft_publish(&lost.seen, changes);
}

static void catch_up(void) {
  const uint32_t changes = weft_job_changes();
  if (changes != weft_observe(&lost.seen)) look(changes);
}

bool weft_lost_is(int pe) {
  catch_up();
  return weft_peek(&lost.node[weft_job_node_of(pe)]);
}

bool weft_lost_runs(int node) {
  for (int pe = weft_job_leader(node); pe < weft_job.npes; pe++) {
    const enum weft_pe_state state = weft_job_state(pe);
    if (weft_job_node_of(pe) == node && (state == WEFT_RUNNING || state == WEFT_ASLEEP))
      return true;
  }
  return false;
}

static bool is_any_gone(void) {
  for (int node = 0; node < weft_job.nnodes; node++)
    if (node != weft_job.node && !weft_lost_runs(node)) return true;
  return false;
}

/* An endpoint's addresses are the nodes' first; behind these come those of a port's clients. */
static bool is_gone(const weft_endpoint_t *e, uint64_t to, bool failed) {
  /* A port's process is the one that hears who has died, so it waits for no such news. */
  if (failed && (e == weft_job.port || weft_job.is_porter)) return true;
  if (to == FI_ADDR_UNSPEC) return is_any_gone();
  if (weft_job_changes() == 0) return false;
  catch_up();
  if (to < (uint64_t)weft_job.nnodes) return weft_peek(&lost.node[to]);
  const int pe = e == weft_job.port ? weft_server_client(to) : -1;
  return pe >= 0 && weft_job_state(pe) == WEFT_FAILED;
}

bool weft_lost_for_good(void) {
  catch_up();
  return weft_peek(&lost.n) > 0 && weft_clock_ns() - weft_peek(&lost.since) > WEFT_DEATH_TOLD_NS;
}

/* Those that have left: a packet counts as under way while it is offered to the provider, too. */
static uint32_t sent_to(weft_stage_t *stage) {
  weft_lock(&stage->lock);
  const uint32_t busy = weft_observe(&stage->busy);
  weft_unlock(&stage->lock);
  return busy;
}

/* An answer that is still there may be taken just now. */
static int give_up_packets(weft_channel_t *c, int node) {
  if (!weft_progress_try_answers(c)) return 0;
  const uint32_t busy = sent_to(&c->stages[node]);
  const weft_packet_t reply = {.kind = WEFT_PACKET_REPLY,
                               .channel = c->number,
                               .buffer = (uint16_t)busy,
                               .bytes = sizeof reply,
                               .from = (uint32_t)node};
  if (weft_observe(&c->flows)) weft_packets.lose(c, node);
  if (busy) weft_stage_answered(&reply);
  weft_progress_leave_answers(c);
  return busy != 0;
}

/* Packets are given up only after the grace, in which answers that were sent before arrive. */
static int step(void) {
  int done = 0;
  if (weft_likely(weft_job_changes() == 0) || weft_job.is_porter) return 0;
  catch_up();
  if (weft_peek(&lost.n) == 0 || weft_clock_ns() - weft_peek(&lost.since) < WEFT_LOST_GRACE_NS)
    return 0;
  for (int node = 0; node < weft_job.nnodes; node++) {
    if (!weft_peek(&lost.node[node])) continue;
    for (int k = 0; k < weft_channel_count(); k++) done += give_up_packets(&weft_channels[k], node);
    for (int k = 0; weft_channels_have_lanes() && k < WEFT_LANES_MAX; k++)
      done += give_up_packets(&weft_channels[WEFT_LANE + k], node);
  }
  return done;
}

/* Tell other machines, as far as there is room: somebody there may be dead, too. */
static void tell_machines(int slot) {
  uint64_t *told = &lost.told[(size_t)slot * words()];
  for (int node = 0; node < weft_job.nnodes; node++) {
    const uint64_t bit = (uint64_t)1 << node % 64;
    if (weft_job.pids[weft_job_leader(node)] || told[node / 64] & bit) continue;
    weft_packet_t packet = weft_stage_packet(0, node, WEFT_PACKET_DEATH);
    packet.word = (uint32_t)weft_job.local[slot];
    if (!weft_endpoint_try_send(weft_job.port, (uint64_t)node, &packet, sizeof packet, NULL)) {
      lost.late = true;
      continue;
    }
    told[node / 64] |= bit;
    lost.told_at = weft_clock_ns();
  }
}

/* Where a node has several ports the first one tells. A port that nobody needs does not wait long
 * for room: who is to be told may have ended well. */
bool weft_lost_tell(void) {
  static uint32_t seen;
  const bool needed = weft_alive_port_is_needed();
  const uint32_t changes = weft_job_changes();
  /* (A process may die between the change of a state and its count.) */
  const bool news = changes != seen || !needed || lost.late;
  const uint64_t now = weft_clock_ns();
  seen = changes;
  if (needed) lost.needed = now;
  if (!news || weft_job.slot != 0) return needed;
  lost.late = false;
  for (int slot = 0; slot < weft_job.nslots; slot++)
    if (weft_job_state(weft_job.local[slot]) == WEFT_FAILED) tell_machines(slot);
  return needed || (lost.late && now - lost.needed < WEFT_DEATH_TOLD_NS);
}

void weft_lost_linger(void) {
  enum { NAP_US = 1000, TIME_NS = WEFT_DEATH_TOLD_NS / 2 };
  while (lost.told_at && weft_clock_ns() - lost.told_at < TIME_NS) {
    weft_endpoint_poll(weft_job.port);
    for (weft_receive_t *r; (r = weft_endpoint_take(weft_job.port));) weft_endpoint_repost(r);
    usleep(NAP_US);
  }
}

int weft_lost_start(void) {
  if (!weft_job_goes_on() || weft_job.nnodes == 1) return 0;
  free(lost.node);
  free(lost.told);
  memset(&lost, 0, sizeof lost);
  lost.node = calloc((size_t)weft_job.nnodes, sizeof *lost.node);
  lost.told = calloc((size_t)weft_job.nslots * words(), sizeof *lost.told);
  if (!lost.node || !lost.told) return -ENOMEM;
  weft_fabric_forgive(is_gone);
  weft_progress_add(step);
  return 0;
}
