/*
 * The helper of each process watches connections and answers. A lost connection ends the job with
 * one line that names both ends; so does a node of which nothing was heard for WEFT_LINK_TIMEOUT
 * seconds while an answer or data is due between the two. The kernel of a stopped process still
 * answers, so that is only said in a line.
 */
#include <stdio.h>
#include <string.h>

#include "port/port_internal.h"

/* What a channel waits for, and the question to a port where that does not come. */
typedef struct waiting {
  uint32_t due; /* at the last look */
  int32_t packets;
  uint64_t since;    /* when the two were first so; 0: nothing is due */
  uint64_t asked_at; /* 0: no port was asked */
  int node;          /* of that port */
  int missed;        /* answers by which a packet is missing, one after the other */
  uint32_t told;     /* the answer, + 1; 0: not yet there. Another thread may set it */
} waiting_t;

static struct {
  bool on;          /* this and the next are shared; all others belong to the thread that looks */
  int nlinks;       /* connections at the last look */
  uint64_t next;    /* ns: time of the next look */
  uint64_t lost_at; /* ns: a connection was lost then, maybe by a death; 0: none */
  weft_link_report_t lost; /* that connection */
  bool said;               /* the line about answers */
  waiting_t waiting[WEFT_CHANNELS_MAX];
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
  const int share = weft_job.nkernel / (weft_job.ncpus ? weft_job.ncpus : 1);
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

/* ---- the node of an address ------------------------------------------------------------------ */

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

/* Where the job goes on without its dead, a lost connection is a fault only if no PE has died. */
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

/* The next node behind `node` that owes answers which were asked for. */
static int next_due(weft_channel_t *c, int node) {
  for (int i = 1; i <= weft_job.nnodes; i++) {
    const int next = (node + i) % weft_job.nnodes;
    if (weft_observe(&c->stages[next].busy) && !weft_peek(&c->stages[next].owed)) return next;
  }
  return -1;
}

static WEFT_COLD void say_unanswered(weft_channel_t *c, uint64_t ns) {
  char who[32] = "a node";
  const int node = next_due(c, 0);
  if (node >= 0) snprintf(who, sizeof who, "node %d", node);
  watch.said = true;
  weft_warn("%s has not answered for %llu s, though it can be reached: is a process there stopped, "
            "or does it take no messages? (said once)",
            who, (unsigned long long)(ns / 1000000000));
}

/* A packet that did not arrive was lost with a connection that no look has seen: it was there for
 * too short a time, and nothing failed on it. */
static WEFT_COLD void say_missing(const weft_channel_t *c, int node, uint64_t ns) {
  uint8_t own[WEFT_ADDRESS_MAX] = {0};
  size_t len = sizeof own;
  char ours[WEFT_LINK_NAME], theirs[WEFT_LINK_NAME];
  weft_endpoint_address(c->endpoint, own, &len);
  weft_links_name(own, ours);
  weft_links_name(weft_job.ports[node], theirs);
  weft_fabric_lose(
      "the connection between node %d (%s) and node %d (%s) was lost, and with it what "
      "was sent or answered %llu s ago: ending the job",
      weft_job.node, ours, node, theirs, (unsigned long long)(ns / 1000000000));
}

void weft_watch_told(const weft_packet_t *reply, uint32_t late) {
  waiting_t *w = &watch.waiting[reply->channel];
  if (weft_peek(&w->node) == (int)reply->from) weft_publish(&w->told, late + 1);
}

static void ask(weft_channel_t *c, waiting_t *w, int node, uint64_t now) {
  weft_poke(&w->told, 0);
  weft_poke(&w->node, node);
  if (weft_stage_question(c, node)) w->asked_at = now;
}

/* Nothing has changed for so long: is the port there, and has it got the packets? If it says
 * several times that it has fewer than are under way, one is lost. Without an answer, or if all are
 * there, somebody does not take them. */
static void look_into(weft_channel_t *c, waiting_t *w, uint64_t now) {
  enum { SURE = 3, SOON_NS = 1000000000 };
  const uint32_t told = weft_observe(&w->told);
  if (told && (uint32_t)__builtin_popcount(weft_observe(&c->stages[w->node].busy)) > told - 1) {
    if (++w->missed == SURE && weft_job_changes() == 0) say_missing(c, w->node, now - w->since);
    ask(c, w, w->node, now);
    return;
  }
  const int node = next_due(c, w->node);
  const bool soon = w->asked_at && now - w->asked_at < SOON_NS;
  if (!watch.said && !soon && (w->asked_at || node < 0)) say_unanswered(c, now - w->since);
  if (node < 0 || (w->asked_at && (soon || !told))) return;
  w->missed = 0;
  ask(c, w, node, now);
}

/* Have the same answers and operations been due for WEFT_LINK_TIMEOUT? */
static void look_at_answers(weft_channel_t *c, waiting_t *w, uint64_t now) {
  const uint32_t due = weft_observe(&c->head->due) + weft_observe(&c->endpoint->all.pending) +
                       weft_observe(&c->endpoint->apart);
  const int32_t packets = (int32_t)weft_observe(&c->packets.pending);
  if (due == 0 || due != w->due || packets != w->packets) {
    w->due = due;
    w->packets = packets;
    w->since = due ? now : 0;
    w->asked_at = 0;
    w->missed = 0;
    weft_poke(&w->told, 0);
  } else if (patience_ns() > 0 && now - w->since >= patience_ns()) {
    look_into(c, w, now);
  }
}

void weft_watch_look(uint64_t now) {
  if (!weft_observe(&watch.on) || now < watch.next) return;
  watch.next = now + weft_watch_period_ns();
  look_at_links(now);
  for (int i = 0; i < weft_channel_count(); i++)
    look_at_answers(&weft_channels[i], &watch.waiting[i], now);
  for (int i = WEFT_LANE; weft_channels_have_lanes() && i < WEFT_CHANNELS_MAX; i++)
    look_at_answers(&weft_channels[i], &watch.waiting[i], now);
}
