/*
 * The helper of each process watches connections and answers. A lost connection ends the job with
 * one line that names both ends; so does a node of which nothing was heard for WEFT_LINK_TIMEOUT
 * seconds while an answer or data is due between the two, or the PE polls for what needs no answer.
 * The kernel of a stopped process still answers, so that is only said in a line.
 */
#include <stdio.h>
#include <string.h>

#include "port/port_internal.h"

/* Something is due: a count that grows whenever any of it comes, and when it last did. */
typedef struct due {
  uint32_t came;
  uint64_t since; /* 0: nothing is due */
} due_t;

/* What a channel waits for, and the question to a port where answers do not come. */
typedef struct waiting {
  due_t answers, operations;
  due_t quiet;        /* nothing is due, and nothing has come */
  uint64_t asked_at;  /* 0: no port was asked since an answer came */
  int node;           /* of that port */
  uint16_t number;    /* of the question */
  uint64_t under_way; /* a bit for each packet that was under way then (WEFT_ARRIVED_*) */
  int missed;         /* how often, one after the other, one of these had not arrived */
  uint64_t told; /* what a port said: number of the question, and bits. Another thread sets it */
} waiting_t;

enum { LOST = 4 }; /* connections that are kept until a death explains them, or none has */

static struct {
  weft_lock_t looking; /* its holder has what was `seen` */
  bool on;
  int nlinks; /* connections at the last look */
} watch;

/* By the looks so far. Only `told` belongs to others, too. */
static struct {
  uint64_t next; /* ns: time of the next look */
  struct {
    uint64_t at; /* ns; 0: none */
    weft_link_report_t link;
  } lost[LOST];
  uint32_t beat; /* of the PE at the last look: it polls if that has changed */
  bool said;     /* the line about answers */
  waiting_t waiting[WEFT_CHANNELS_MAX];
} seen;

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

void weft_watch_start(void) {
  weft_link_report_t r;
  weft_lock(&watch.looking); /* in a second life the helper's last look may not be over */
  memset(&seen, 0, sizeof seen);
  weft_links_look(patience_s(), &r);
  weft_poke(&watch.nlinks, r.nlinks); /* a helper that sleeps asks for its period */
  weft_publish(&watch.on, true);      /* the helper runs already */
  weft_unlock(&watch.looking);
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

/* Where the job goes on without its dead: does a lost connection come from a death? */
static bool is_by_death(const weft_link_report_t *r) {
  for (int node = 0; node < weft_job.nnodes; node++)
    if (weft_links_match(r->peer, weft_job.ports[node], true)) return !weft_lost_runs(node);
  for (int pe = 0; weft_job.addresses && pe < weft_job.npes; pe++)
    if (weft_links_match(r->peer, weft_job.addresses[pe], true))
      return weft_job_state(pe) != WEFT_RUNNING;
  return weft_job_changes() > 0;
}

static void look_at_links(uint64_t now) {
  weft_link_report_t r;
  const bool polls = seen.beat != weft_progress_beat(); /* for something that needs no answer */
  weft_links_look(patience_s(), &r);
  weft_poke(&watch.nlinks, r.nlinks); /* a helper that sleeps asks for its period */
  seen.beat = weft_progress_beat();
  if (r.state == WEFT_LINK_SILENT && (r.owing || polls || weft_progress_expects())) say_silent(&r);
  if (!weft_job_goes_on()) {
    if (r.state == WEFT_LINK_LOST) say_lost(&r);
    return;
  }
  bool kept = r.state != WEFT_LINK_LOST;
  for (int i = 0; i < LOST; i++) {
    if (seen.lost[i].at && is_by_death(&seen.lost[i].link)) seen.lost[i].at = 0;
    if (!seen.lost[i].at && !kept) {
      seen.lost[i].at = now;
      seen.lost[i].link = r;
      kept = true;
    }
    if (seen.lost[i].at && now - seen.lost[i].at > WEFT_DEATH_TOLD_NS)
      say_lost(&seen.lost[i].link);
  }
}

/* ---- answers --------------------------------------------------------------------------------- */

_Static_assert((int)WEFT_ARRIVED_ELSEWHERE == (int)WEFT_BUFFERS_MAX &&
                   (int)WEFT_ARRIVED_BITS == (int)WEFT_BUFFERS_MAX + (int)WEFT_SPARES_MAX,
               "a bit for each buffer and each lease");
static uint64_t under_way(const weft_channel_t *c, int node) {
  return weft_observe(&c->stages[node].busy) | weft_packets.under_way(c, node)
                                                   << WEFT_ARRIVED_ELSEWHERE;
}

/* Of these, what the node's port was to send for this PE, whose process may be stopped: nothing can
 * be said about them. (Where large messages may come late `loose` does not tell.) */
static uint64_t sent_by_port(const weft_channel_t *c, int node) {
  const uint16_t loose = weft_peek(&c->stages[node].loose);
  if (c->endpoint == weft_job.port || !weft_job.fabric.large_in_order) return 0;
  return (loose | loose >> WEFT_LOOSE_ADDS) & ((1u << WEFT_LOOSE_ADDS) - 1);
}

/* The next node behind `node` to which packets are under way; -1: there is none. */
static int next_busy(const weft_channel_t *c, int node) {
  for (int i = 1; i <= weft_job.nnodes; i++) {
    const int next = (node + i) % weft_job.nnodes;
    if (under_way(c, next)) return next;
  }
  return -1;
}

/* How many nodes a node is behind another one, at least 1. */
static int ahead_of(int node, int other) {
  return (other - node - 1 + weft_job.nnodes) % weft_job.nnodes + 1;
}

typedef struct next {
  int node, ahead; /* the next one behind `node` is so many places on */
} next_t;

static void see_link(const void *theirs, void *arg) {
  next_t *next = arg;
  const int node = node_of(theirs);
  if (node >= 0 && node != weft_job.node && ahead_of(next->node, node) < next->ahead)
    next->ahead = ahead_of(next->node, node);
}

/* The next node behind `node` to which there is a connection, or whose port was sent something; -1:
 * there is none. All ports know the first channel. */
static int next_met(const weft_channel_t *c, int node) {
  next_t next = {.node = node, .ahead = INT32_MAX};
  weft_links_each(see_link, &next);
  for (int other = 0; other < weft_job.nnodes; other++)
    if (weft_observe(&c->stages[other].greeted) && ahead_of(node, other) < next.ahead)
      next.ahead = ahead_of(node, other);
  return next.ahead == INT32_MAX ? -1 : (node + next.ahead) % weft_job.nnodes;
}

/* Somebody waits for the node (-1: one that is not known). If its host does not answer either, that
 * is what will be said. */
static WEFT_COLD void say_unanswered(int node, uint64_t ns) {
  char who[32] = "a node";
  if (seen.said || weft_links_are_mute(node < 0 ? NULL : weft_job.ports[node], patience_s()))
    return;
  if (node >= 0) snprintf(who, sizeof who, "node %d", node);
  seen.said = true;
  weft_warn("%s has not answered for %llu s, though it can be reached: is a process there stopped, "
            "or does it take no messages? (said once)",
            who, (unsigned long long)(ns / 1000000000));
}

/* " (host:port)" of an endpoint that a channel's endpoint knows, or nothing. */
static const char *end_of(const weft_channel_t *c, fi_addr_t whose, char text[WEFT_LINK_NAME + 4]) {
  char name[WEFT_LINK_NAME];
  text[0] = 0;
  if (weft_endpoint_name(c->endpoint, whose, name))
    snprintf(text, WEFT_LINK_NAME + 4, " (%s)", name);
  return text;
}

void weft_watch_lose(const weft_channel_t *c, int node, uint64_t ns) {
  char ours[WEFT_LINK_NAME + 4], theirs[WEFT_LINK_NAME + 4];
  weft_fabric_lose("the connection between node %d%s and node %d%s was lost, and with it what was "
                   "sent or answered %llu s ago: ending the job",
                   weft_job.node, end_of(c, FI_ADDR_UNSPEC, ours), node,
                   end_of(c, (fi_addr_t)node, theirs), (unsigned long long)(ns / 1000000000));
}

void weft_watch_told(const weft_packet_t *reply) {
  const uint64_t mask = ((uint64_t)1 << WEFT_ARRIVED_BITS) - 1;
  waiting_t *w = &seen.waiting[reply->channel];
  uint64_t bits;
  memcpy(&bits, reply + 1, sizeof bits);
  __atomic_fetch_sub(&weft_channels[reply->channel].stages[reply->from].questions, 1,
                     __ATOMIC_RELAXED);
  if (weft_peek(&w->node) == (int)reply->from)
    weft_publish(&w->told, (uint64_t)reply->buffer << WEFT_ARRIVED_BITS | (bits & mask));
}

/* From a question to the next. */
static uint64_t soon_ns(void) {
  enum { SOON_NS = 1000000000 };
  return patience_ns() / 4 < SOON_NS ? patience_ns() / 4 : SOON_NS;
}

/* False: there is no room for the question just now. */
static bool question(weft_channel_t *c, waiting_t *w, int node, uint64_t now) {
  weft_poke(&w->node, node);
  w->number++;
  w->under_way = under_way(c, node);
  const bool sent = weft_stage_question(c, node, w->number);
  w->asked_at = sent ? now : 0;
  return sent;
}

/* No answer has come for so long (perhaps none was wanted): is a port there, and has it got the
 * packets? It says which have arrived; an answer to any of the others would have come before that,
 * and been counted. So what it has not got was lost, or is slow on another connection than the
 * question's: it is asked several times. If all are there and answers are due, somebody does not
 * take the packets. If the port does not say, it is stopped: those who wait for what it would pass
 * on (a call that is answered later) may have no answer due. */
static void look_into(weft_channel_t *c, waiting_t *w, uint64_t told, uint64_t now) {
  enum { SURE = 3 };
  const uint64_t soon = soon_ns();
  const bool answered = w->asked_at && told >> WEFT_ARRIVED_BITS == w->number;
  const bool missing = answered && (w->under_way & ~told & ~sent_by_port(c, w->node));
  if (w->asked_at && now - w->asked_at < soon) return;
  if (missing && ++w->missed < SURE) {
    question(c, w, w->node, now);
    return;
  }
  if (missing && weft_job_changes() == 0) weft_watch_lose(c, w->node, now - w->answers.since);
  const bool due = weft_observe(&c->head->due) > 0;
  const bool silent = w->asked_at && !answered && now - w->asked_at >= patience_ns();
  if ((w->asked_at && due) || silent) say_unanswered(w->node, now - w->answers.since);
  if (w->asked_at && !answered && now - w->asked_at < patience_ns()) return;
  const int node = next_busy(c, w->node);
  w->missed = 0;
  if (node < 0 && weft_job_changes() > 0) return; /* answers of a lost node stay due (lost.c) */
  if ((node < 0 || !question(c, w, node, now)) && due) say_unanswered(node, now - w->answers.since);
}

/* Nothing is due, but perhaps the PE waits for what a port is to pass on to it or to others: a word
 * of a collective needs no answer. So the ports are asked in turn whether they are there. */
static void ask_around(weft_channel_t *c, waiting_t *w, uint64_t told, uint64_t now) {
  if (w->asked_at && told >> WEFT_ARRIVED_BITS != w->number) {
    if (now - w->asked_at >= patience_ns()) say_unanswered(w->node, now - w->quiet.since);
    return;
  }
  if (w->asked_at && now - w->asked_at < soon_ns()) return;
  const int node = next_met(c, w->node);
  if (node >= 0) question(c, w, node, now);
}

/* Is something due, and has nothing of it come for WEFT_LINK_TIMEOUT? */
static bool is_overdue(due_t *d, bool any, uint32_t came, uint64_t now) {
  if (!any || d->since == 0 || came != d->came) {
    d->came = came;
    d->since = any ? now : 0;
  }
  return any && patience_ns() > 0 && now - d->since >= patience_ns();
}

static void look_at_channel(weft_channel_t *c, waiting_t *w, uint64_t now) {
  const weft_endpoint_t *e = c->endpoint;
  const uint64_t told = weft_observe(&w->told); /* first: answers that came before it are counted */
  const bool packets = weft_observe(&c->head->due) || weft_stage_busy(c);
  const bool quiet = !packets && c == &weft_channels[0] && weft_job_changes() == 0;
  const uint32_t came = weft_observe(&c->answered);
  const bool overdue = is_overdue(&w->answers, packets, came, now);
  if (is_overdue(&w->quiet, quiet, came, now))
    ask_around(c, w, told, now);
  else if (overdue)
    look_into(c, w, told, now);
  else
    w->asked_at = 0, w->missed = 0;
  const bool operations = weft_observe(&e->all.pending) || weft_observe(&e->apart);
  if (is_overdue(&w->operations, operations, weft_observe(&e->completed), now))
    say_unanswered(-1, now - w->operations.since);
}

/* This process was stopped, or its whole machine, perhaps several times: for it no time has
 * passed. */
static WEFT_COLD void begin_anew(uint64_t now) {
  weft_links_begin_anew();
  for (int i = 0; i < WEFT_CHANNELS_MAX; i++) {
    waiting_t *w = &seen.waiting[i];
    due_t *const due[] = {&w->answers, &w->operations, &w->quiet};
    for (size_t k = 0; k < WEFT_ARRAY_LEN(due); k++)
      if (due[k]->since) due[k]->since = now;
    w->asked_at = 0, w->missed = 0;
  }
}

static void look(uint64_t now) {
  /* A look that is so late says so; on a crowded machine, where looks are seldom, they may be late
   * without that. */
  enum { LATE_NS = 2000000000, PERIODS = 4 };
  if (now < seen.next) return;
  const uint64_t period = weft_watch_period_ns();
  if (seen.next && now - seen.next > LATE_NS + PERIODS * period) begin_anew(now);
  seen.next = now + period;
  look_at_links(now);
  for (int i = 0; i < weft_channel_count(); i++)
    look_at_channel(&weft_channels[i], &seen.waiting[i], now);
  for (int i = WEFT_LANE; weft_channels_have_lanes() && i < WEFT_CHANNELS_MAX; i++)
    look_at_channel(&weft_channels[i], &seen.waiting[i], now);
}

void weft_watch_look(uint64_t now) {
  if (!weft_observe(&watch.on) || !weft_lock_try(&watch.looking)) return;
  look(now);
  weft_unlock(&watch.looking);
}
