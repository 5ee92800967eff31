/*
 * What is due is watched, by the helper of each process: a connection that is lost, and a node that
 * nothing was heard of for WEFT_LINK_TIMEOUT seconds while something is to come from it or to go
 * there, ends the job with one line that names both ends. A process that is stopped is no such
 * node: its kernel answers. Then there is only a line.
 */
#include <stdio.h>
#include <string.h>

#include "port/port_internal.h"

static struct {
  bool on; /* and the next: what is behind them is the looking thread's while it is on */
  int nlinks;
  uint64_t next;
  uint64_t lost_at;                /* a loss waits for its explanation, or 0 */
  weft_link_report_t lost;         /* that */
  uint32_t due[WEFT_CHANNELS_MAX]; /* at the last look */
  int32_t packets[WEFT_CHANNELS_MAX];
  uint64_t since[WEFT_CHANNELS_MAX]; /* when they were first so; 0: nothing is due */
  bool said;
} watch;

static uint64_t patience_ns(void) {
  return (uint64_t)weft_options.link_timeout * 1000000000;
}

static int patience_s(void) {
  const int never = INT32_MAX / 1000;
  return weft_options.link_timeout ? weft_options.link_timeout : never;
}

/* Soon, because a provider makes a lost connection anew, and goes on without what was lost; but a
 * look takes a few system calls per connection. */
uint64_t weft_watch_period_ns(void) {
  enum { SOON = 50000000, MANY = 64, CROWD = 4 };
  const int share = weft_job.nmachine / (weft_job.ncpus ? weft_job.ncpus : 1);
  const uint64_t longest = 5000000000ull, ns = (uint64_t)SOON *
                                               (unsigned)(1 + weft_peek(&watch.nlinks) / MANY) *
                                               (unsigned)(1 + share / CROWD);
  return ns < longest ? ns : longest;
}

/* Two looks, because an idle connection counts from the second on. */
void weft_watch_start(void) {
  weft_link_report_t r;
  memset(&watch.next, 0, sizeof watch - offsetof(__typeof__(watch), next));
  for (int i = 0; i < 2; i++) weft_links_look(patience_s(), &r);
  weft_poke(&watch.nlinks, r.nlinks); /* a helper that sleeps asks for its period */
  weft_publish(&watch.on, true);      /* the helper runs already */
}

void weft_watch_stop(void) {
  weft_poke(&watch.on, false);
}

/* ---- whose an address is --------------------------------------------------------------------- */

/* The node of an address: a port's or a PE's own; else the only one on that host. -1: unknown. */
static int node_of(const void *address) {
  int found = -1;
  for (int node = 0; node < weft_job.nnodes; node++)
    if (weft_links_match(address, weft_job.ports[node], true)) return node;
  for (int pe = 0; weft_job.addresses && pe < weft_job.npes; pe++)
    if (weft_links_match(address, weft_job.addresses[pe], true)) return weft_job_node_of(pe);
  for (int node = 0; node < weft_job.nnodes; node++)
    if (weft_links_match(address, weft_job.ports[node], false)) {
      if (found >= 0) return -1;
      found = node;
    }
  return found;
}

static const char *whose(const weft_link_report_t *r, char text[32]) {
  const int node = node_of(r->peer);
  if (node >= 0)
    snprintf(text, 32, "node %d", node);
  else
    snprintf(text, 32, "another node");
  return text;
}

/* ---- connections ----------------------------------------------------------------------------- */

static WEFT_COLD void say_lost(const weft_link_report_t *r) {
  char text[32];
  weft_fabric_let_launcher_speak();
  if (!weft_peek(&watch.on)) return; /* the job came to its end meanwhile */
  weft_fabric_lose("the connection between node %d (%s) and %s (%s) was lost: ending the job",
                   weft_job.node, r->ours, whose(r, text), r->theirs);
}

static WEFT_COLD void say_silent(const weft_link_report_t *r) {
  char text[32];
  weft_fabric_lose(
      "nothing was heard of %s (%s) at node %d (%s) for %u s, as if the link between them "
      "were down: ending the job; WEFT_LINK_TIMEOUT sets this time",
      whose(r, text), r->theirs, weft_job.node, r->ours, r->silent_s);
}

/* Where the job goes on without its dead, a loss has to be nobody's death. */
static void look_at_links(uint64_t now) {
  enum { GRACE_NS = 2000000000 };
  weft_link_report_t r;
  weft_links_look(patience_s(), &r);
  weft_poke(&watch.nlinks, r.nlinks); /* a helper that sleeps asks for its period */
  if (r.state == WEFT_LINK_SILENT && (r.owing || weft_progress_expects())) say_silent(&r);
  if (!weft_job_goes_on()) {
    if (r.state == WEFT_LINK_LOST) say_lost(&r);
    return;
  }
  if (weft_job_changes() > 0) {
    watch.lost_at = 0;
  } else if (r.state == WEFT_LINK_LOST && !watch.lost_at) {
    watch.lost_at = now;
    watch.lost = r;
  } else if (watch.lost_at && now - watch.lost_at > GRACE_NS) {
    say_lost(&watch.lost);
  }
}

/* ---- answers --------------------------------------------------------------------------------- */

static int first_due(weft_channel_t *c) {
  for (int node = 0; node < weft_job.nnodes; node++)
    if (weft_observe(&c->stages[node].busy) && !weft_peek(&c->stages[node].owed)) return node;
  return -1;
}

static WEFT_COLD void say_unanswered(weft_channel_t *c, uint64_t ns) {
  char who[32] = "a node";
  const int node = first_due(c);
  if (node >= 0) snprintf(who, sizeof who, "node %d", node);
  watch.said = true;
  weft_warn("%s has not answered for %llu s, though it can be reached: is a process there stopped, "
            "or does it take no messages? (said once)",
            who, (unsigned long long)(ns / 1000000000));
}

/* The same answers or operations have been due for so long. */
static void look_at_answers(weft_channel_t *c, int i, uint64_t now) {
  const uint32_t due = weft_observe(&c->head->due) + weft_observe(&c->endpoint->all.pending) +
                       weft_observe(&c->endpoint->apart);
  const int32_t packets = (int32_t)weft_observe(&c->packets.pending);
  if (due == 0 || due != watch.due[i] || packets != watch.packets[i]) {
    watch.due[i] = due;
    watch.packets[i] = packets;
    watch.since[i] = due ? now : 0;
    return;
  }
  if (!watch.said && patience_ns() > 0 && now - watch.since[i] >= patience_ns())
    say_unanswered(c, now - watch.since[i]);
}

void weft_watch_look(uint64_t now) {
  if (!weft_observe(&watch.on) || now < watch.next) return;
  watch.next = now + weft_watch_period_ns();
  look_at_links(now);
  for (int i = 0; i < weft_channel_count(); i++) look_at_answers(&weft_channels[i], i, now);
  for (int i = WEFT_LANE; weft_channels_have_lanes() && i < WEFT_CHANNELS_MAX; i++)
    look_at_answers(&weft_channels[i], i, now);
}
