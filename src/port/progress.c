/*
 * Progress: the one step that every wait takes. It serves this process's port, takes the replies
 * that have come, and calls the steps that layers above have added. When there was nothing to do it
 * pauses, or gives the processor to another thread.
 */
#include <sched.h>
#include <string.h>
#include <time.h>

#include "port/port_internal.h"

enum { STEPS_MAX = 8, CROWD_YIELDS = 2000, CROWD_YIELDS_LEAST = 20, CROWD_NAP_NS = 20000 };
enum { NAP_MOST_NS = 1000000 }; /* in a long wait; more only where a PE's share of a round is */
enum { ALONE_YIELD_EVERY = 32 }; /* in a job of one node; a power of two */
enum { SLEEP_SHARE = 4, SLEEP_PES_PER_MS = 10 };

static struct {
  weft_lock_t service; /* its holder serves the port */
  uint32_t beat;       /* grows whenever the PE looks at the port itself */
  uint32_t pauses;     /* how often it did not for a while */
  uint64_t looked;     /* ns: when it last did, or will again */
  uint64_t posted;     /* ns: as long a large transfer that it posted last may take the provider */
  uint64_t served;     /* ns: when it looked at the port in a row of such posts */
  bool crowded;        /* more PEs on this machine's processors than there are of these */
  bool naps;           /* WEFT_WAIT=nap, or weft_wait_naps: those that wait nap in any case */
  unsigned yields;     /* idle steps before the first nap */
  unsigned seldom;     /* an idle step yields if its number has none of these bits; 0: each does */
  long longest;        /* nap, ns */
  int sleep_ms;        /* the longest sleep on the port's descriptor; 0: none, as PEs nap */
  weft_lock_t asleep;  /* its holder sleeps so, or will in its next step */
  uint32_t sleeps;     /* grows with each sleep */
  int nsteps;
  int (*steps[STEPS_MAX])(void);
  void (*look)(void); /* weft_progress_look */
} progress;

/* A thread that yields gives up the rest of its slice, and the kernel then runs another thread of
 * the same processor for a whole slice. The kernel's own slices last some milliseconds, a round
 * trip some microseconds; so the PE asks for short slices (WEFT_DEBUG=slice_us). */
void weft_progress_start(void) {
  const int rc =
      weft_options.slice_us > 0 ? weft_slice_set((uint64_t)weft_options.slice_us * 1000) : 0;
  if (rc < 0) weft_info("the kernel does not let us choose the slice: %s", strerror(-rc));
  const int pes = weft_job.nkernel / (weft_job.ncpus ? weft_job.ncpus : 1), share = pes ? pes : 1;
  progress.crowded = weft_job.nkernel > weft_job.ncpus;
  progress.yields = share > CROWD_YIELDS / CROWD_YIELDS_LEAST ? CROWD_YIELDS_LEAST
                                                              : CROWD_YIELDS / share;
  progress.longest = share * CROWD_NAP_NS;
  weft_wait_naps(progress.naps);
  progress.seldom = weft_job.nnodes > 1 || progress.crowded ? 0 : ALONE_YIELD_EVERY - 1;
  /* Nothing but what arrives at the port changes the memory of a PE that is alone on its node. */
  const bool alone = weft_job.nslots == 1 && weft_job.port && weft_job.fabric.sleeps_itself;
  progress.sleep_ms = share >= SLEEP_SHARE && alone ? share / SLEEP_PES_PER_MS + 1 : 0;
}

bool weft_progress_is_crowded(void) {
  return progress.crowded;
}

void weft_wait_naps(bool naps) {
  const char *asked = weft_options.wait; /* NULL: the job has not started yet */
  weft_poke(&progress.naps, naps || (asked && strcmp(asked, "nap") == 0));
}

void weft_progress_touch(void) {
  weft_poke(&progress.beat, weft_peek(&progress.beat) + 1);
}

uint32_t weft_progress_beat(void) {
  return weft_peek(&progress.beat);
}

uint32_t weft_progress_pauses(void) {
  return weft_peek(&progress.pauses);
}

bool weft_progress_sleeps(uint32_t *seen) {
  const uint32_t before = *seen;
  *seen = weft_peek(&progress.sleeps);
  return *seen != before || weft_peek(&progress.asleep.held);
}

bool weft_progress_moves(uint64_t now) {
  return now < weft_peek(&progress.looked);
}

void weft_progress_add(int (*step)(void)) {
  for (int i = 0; i < progress.nsteps; i++)
    if (progress.steps[i] == step) return;
  if (progress.nsteps == STEPS_MAX) weft_fatal("more than %d kinds of work in a wait", STEPS_MAX);
  progress.steps[progress.nsteps] = step;
  weft_publish(&progress.nsteps, progress.nsteps + 1);
}

void weft_progress_look(void (*look)(void)) {
  weft_publish(&progress.look, look);
}

static inline int take_steps(void) {
  int done = 0;
  for (int i = 0, n = weft_observe(&progress.nsteps); i < n; i++) done += progress.steps[i]();
  return done;
}

/* Naps grow with the number of PEs that share a processor: hundreds of them that wake every 20 us
 * would leave no time for work. In a long wait they grow on: then each takes a 32nd of the time
 * since the first one. `steps`: idle ones since the PE may nap. */
static void nap(weft_wait_t *wait, unsigned steps) {
  enum { NAPS = 16, DOUBLED = 16, PART = 32 };
  const uint64_t now = weft_clock_ns();
  if (steps == 1) wait->naps_since = now;
  const uint64_t part = (now - wait->naps_since) / PART;
  const long most = part < NAP_MOST_NS ? (long)part : NAP_MOST_NS;
  long ns = CROWD_NAP_NS << (steps / NAPS < DOUBLED ? steps / NAPS : DOUBLED);
  if (ns > progress.longest) ns = most > progress.longest ? most : progress.longest;
  nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

/* ---- the network ----------------------------------------------------------------------------- */

void weft_progress_reply(weft_receive_t *r) {
  const weft_packet_t *reply = (const weft_packet_t *)r->data;
  if (weft_likely(weft_answer_check(reply, r->len))) weft_stage_answered(reply);
  weft_endpoint_repost(r);
}

/* Is the channel's endpoint the port? Then the thread that serves the port takes its answers. */
static inline bool is_port(const weft_channel_t *c) {
  return c->endpoint == weft_job.port;
}

/* In the order in which they came, results first. The lanes' come by the first channel's endpoint.
 */
static weft_lock_t *answers_lock(const weft_channel_t *c) {
  if (is_port(c)) return &progress.service;
  return &weft_channels[c->number < WEFT_LANE ? c->number : 0].taking;
}

bool weft_progress_try_answers(const weft_channel_t *c) {
  return weft_lock_try(answers_lock(c));
}

void weft_progress_leave_answers(const weft_channel_t *c) {
  weft_unlock(answers_lock(c));
}

int weft_progress_take_replies(weft_channel_t *c) {
  weft_endpoint_t *e = c->endpoint;
  if (is_port(c)) {
    const int served = weft_progress_serve();
    return served > 0 ? served : 0;
  }
  if (!weft_progress_try_answers(c)) return 0;
  int n = weft_endpoint_poll(e);
  for (weft_receive_t *r; (r = weft_port_take(e)); n++) weft_progress_reply(r);
  weft_progress_leave_answers(c);
  return n;
}

bool weft_progress_try_service(void) {
  return weft_lock_try(&progress.service);
}

void weft_progress_leave_service(void) {
  weft_unlock(&progress.service);
}

/* Its caller holds `service`. */
static int serve(void) {
  const int n = weft_endpoint_poll(weft_job.port);
  return n + weft_server_run();
}

int weft_progress_serve(void) {
  if (!weft_progress_try_service()) return -1;
  const int n = serve();
  weft_progress_leave_service();
  return n;
}

int weft_progress_help(void) {
  if (!weft_progress_try_service()) return -1;
  const int n = weft_peek(&progress.asleep.held) ? -1 : serve();
  if (n == 0) weft_server_settle(); /* the helper may sleep now */
  weft_progress_leave_service();
  return n == 0 && weft_endpoint_is_polled(weft_job.port) ? -1 : n;
}

enum { PAUSE_LOOK = 16, PAUSE_NS = 400000 };

/* PAUSE_LOOK beats that took long: the PE did something else meanwhile. (Two threads of a PE may
 * both write: then a pause is missed.) `busy`: ns, in which it will not look. */
static void look_for_pause(uint64_t busy) {
  const uint64_t now = weft_clock_ns(), last = weft_peek(&progress.looked);
  if (now > last && now - last > PAUSE_NS)
    weft_poke(&progress.pauses, weft_peek(&progress.pauses) + 1);
  if (now + busy > last) weft_poke(&progress.looked, now + busy);
}

void weft_progress_move(size_t n) {
  enum { LARGE = 16384, MOST = 1 << 20, NS_PER_BYTE = 2 };
  if (n >= LARGE && weft_job.port) look_for_pause((n < MOST ? n : MOST) * NS_PER_BYTE);
}

uint64_t weft_progress_posted(void) {
  return weft_peek(&progress.posted);
}

/* The PE, not the helper, serves the port of its process. Where the helper is at it just now the
 * PE's beat tells the helper to leave the next round to the PE. */
static int serve_own_port(void) {
  if (!weft_job.port) return 0;
  const int served = weft_progress_serve();
  const uint32_t beat = weft_peek(&progress.beat) + 1;
  weft_poke(&progress.beat, beat); /* (of two threads one beat may be lost) */
  if (beat % PAUSE_LOOK == 0) look_for_pause(0);
  return served > 0 ? served : 0;
}

/* In a row of them it looks at the port itself now and then: the helper would wait for the lock
 * that this PE takes again and again. */
void weft_progress_post(size_t n) {
  enum { LARGE = 16384, MOST = 1 << 19, NS_PER_BYTE = 1, LOOK_NS = 500000 };
  if (n < LARGE || !weft_job.port) return;
  const uint64_t now = weft_clock_ns();
  weft_poke(&progress.posted, now + (n < MOST ? n : MOST) * NS_PER_BYTE);
  if (now - weft_peek(&progress.served) < LOOK_NS) return;
  weft_poke(&progress.served, now);
  serve_own_port();
}

/* Is an arrival at the channel's endpoint due? The lanes' answers come by the first channel's. */
static bool is_expecting(const weft_channel_t *c) {
  const weft_endpoint_t *e = c->endpoint;
  if (c == &weft_channels[0] && weft_channels_have_lanes() &&
      (weft_observe(&weft_channels[WEFT_LANE].head->due) ||
       weft_observe(&weft_channels[WEFT_LANE + 1].head->due)))
    return true;
  return weft_observe(&c->head->due) || weft_peek(&e->all.pending) || weft_peek(&e->apart);
}

bool weft_progress_expects(void) {
  for (int i = 0; i < weft_channel_count(); i++)
    if (is_expecting(&weft_channels[i]) || weft_observe(&weft_channels[i].unmet)) return true;
  return false;
}

/* ---- a wait ---------------------------------------------------------------------------------- */

/* Nothing is to be done soon but what comes to the port. */
static bool may_sleep(void) {
  if (!weft_endpoint_waits_bare(weft_job.port) || weft_server_owes()) return false;
  for (int i = 0; i < weft_channel_count(); i++)
    if (!is_port(&weft_channels[i]) && is_expecting(&weft_channels[i])) return false;
  return true;
}

/* From now on the helper leaves the port to this PE, which tests its condition once more and sleeps
 * in its next step: what was served before the test is seen by it, and what comes later wakes. */
static bool doze(weft_wait_t *wait) {
  if (!may_sleep() || !weft_lock_try(&progress.asleep)) return false;
  wait->dozes = weft_progress_try_service(); /* (the helper may be at it just now) */
  if (wait->dozes) {
    weft_server_settle(); /* the helper's last round may have put some answers off */
    weft_progress_leave_service();
  } else {
    weft_unlock(&progress.asleep);
  }
  return wait->dozes;
}

WEFT_COLD void weft_wait_rouse(weft_wait_t *wait) {
  wait->dozes = false;
  weft_unlock(&progress.asleep);
}

static WEFT_COLD void sleep_on_port(weft_wait_t *wait) {
  weft_poke(&progress.sleeps, weft_peek(&progress.sleeps) + 1);
  weft_endpoint_wait(weft_job.port, progress.sleep_ms);
  weft_wait_rouse(wait);
}

static inline void look_seldom(void) {
  void (*look)(void) = weft_observe(&progress.look);
  if (look) look();
}

/* Nothing to do: a pause while the wait is young, then the processor is given to another thread,
 * perhaps the one that is waited for. In a job of one node that is in every 32nd step only: what
 * comes during a yield is seen late, and a step is much shorter. On a machine with more PEs than
 * processors the processor is given away after `spins` steps, in each, and after a while the PE
 * naps: if all that wait yielded in turns, those that work would seldom run. A PE that can be woken
 * sleeps as soon as it owes no answer. What is looked at seldom is so before each of these. */
static void idle(weft_wait_t *wait, unsigned spins) {
  enum { SPINS = 64 };
  unsigned *steps = &wait->idle;
  ++*steps;
  if (progress.sleep_ms && wait->sleeps) {
    look_seldom();
    if (doze(wait)) return;
  }
  if (*steps > progress.yields && (progress.crowded || weft_peek(&progress.naps))) {
    look_seldom();
    nap(wait, *steps - progress.yields);
  } else if (*steps > (progress.crowded ? spins : SPINS) && (*steps & progress.seldom) == 0) {
    look_seldom();
    sched_yield();
  } else {
    weft_cpu_relax();
  }
}

/* A PE that waits for its memory to change polls its own endpoints only where an answer is due, and
 * where `look` says so: the provider may still hold injected puts. `on`: a channel whose endpoint
 * is polled in any case, or NULL. */
static int look_around(const weft_channel_t *on, bool look) {
  int n = serve_own_port();
  for (int i = 0; i < weft_channel_count(); i++) {
    weft_channel_t *c = &weft_channels[i];
    if (is_port(c)) continue;
    if ((on && on->endpoint == c->endpoint) || (look && i == 0) || is_expecting(c))
      n += weft_progress_take_replies(c);
  }
  return n;
}

enum { LOOK_EVERY = 32 };

/* The network first: what came goes on in the same step. */
static void step(weft_wait_t *wait, unsigned spins) {
  int n = 0;
  if (weft_unlikely(wait->dozes)) sleep_on_port(wait);
  if (weft_job.nnodes > 1) {
    n = look_around(wait->channel, wait->idle % LOOK_EVERY == LOOK_EVERY - 1);
    if (weft_unlikely(weft_peek(&weft_stage_late))) weft_stage_send_late();
    /* On a connection that was just made to this process a message follows soon. */
    if (weft_unlikely(weft_peek(&weft_links_taken) != wait->taken)) wait->idle = 0;
    wait->taken = weft_peek(&weft_links_taken);
  }
  if (n + take_steps() > 0)
    wait->idle = 0;
  else
    idle(wait, spins);
}

void weft_wait_step(weft_wait_t *wait) {
  step(wait, 0);
}

/* A program that tests may have other work and not wait at all. So the first misses cost no call of
 * the kernel: all of them together take about as long as one yield. */
void weft_wait_poll(weft_wait_t *wait) {
  enum { RELEASE_EVERY = 16, SPINS = 32 };
  if (wait->idle % RELEASE_EVERY == 0) weft_stage_release();
  step(wait, SPINS);
}

/* One of so many words that what they held is not known any more: perhaps nothing has come. */
static WEFT_COLD void looked_at_many(void) {
  weft_wait_t once = {0};
  weft_wait_poll(&once);
  if (progress.crowded) sched_yield();
}

/* A loop may look at several words in turns, of which some hold already what it waits for. */
void weft_wait_looked(const void *word, uint64_t value) {
  enum { WORDS = 4, EVERY = 32 };
  static WEFT_THREAD struct {
    struct {
      const void *word;
      uint64_t value;
    } last[WORDS];
    unsigned others; /* that were not among the last ones */
    weft_wait_t misses;
  } seen;
  int i = 0;
  while (i < WORDS && seen.last[i].word != word) i++;
  const bool known = i < WORDS, same = known && seen.last[i].value == value;
  if (!known) i = (int)(seen.others++ % WORDS);
  seen.last[i].word = word;
  seen.last[i].value = value;
  if (value == 0 || same) {
    weft_wait_poll(&seen.misses);
    return;
  }
  seen.misses = (weft_wait_t){0};
  if (!known && seen.others % EVERY == 0) looked_at_many();
}

void weft_wait_tried(bool got) {
  static WEFT_THREAD weft_wait_t misses;
  if (got)
    misses = (weft_wait_t){0};
  else
    weft_wait_poll(&misses);
}

void weft_wait_give_way(void) {
  enum { EVERY = 32 };
  static WEFT_THREAD unsigned asked;
  if (weft_unlikely(progress.crowded) && ++asked % EVERY == 0) sched_yield();
}

int weft_progress_network(void) {
  static __thread unsigned polls;
  return look_around(NULL, ++polls % LOOK_EVERY == 0);
}

/* ---- ops ------------------------------------------------------------------------------------- */

void weft_op_release(weft_op_t *op) {
  if (!weft_peek(&op->staged) || weft_job.nnodes == 1) return;
  weft_poke(&op->staged, false);
  for (int i = 0; i < weft_channel_count(); i++) {
    weft_stage_waited(&weft_channels[i]);
    weft_stage_flush(&weft_channels[i]);
    weft_stage_ask_all(&weft_channels[i]);
  }
}

void weft_op_wait(weft_op_t *op) {
  if (weft_op_is_done(op)) return;
  weft_op_release(op);
  weft_op_wait_on(&weft_channels[0], op);
}

void weft_op_wait_on(const weft_channel_t *c, const weft_op_t *op) {
  WEFT_WAIT_ON(c, weft_op_is_done(op));
}

bool weft_op_test(weft_op_t *op) {
  weft_wait_t once = {.channel = &weft_channels[0]};
  if (weft_op_is_done(op)) return true;
  weft_op_release(op);
  weft_wait_step(&once);
  return weft_op_is_done(op);
}
