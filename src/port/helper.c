/*
 * The helper. A waiting PE makes progress itself (progress.c). For PEs that compute there is one
 * helper thread per process of a job of several nodes: in the process that has the node's port it
 * serves the port and sends what aged in the node's staging areas (ARMCI-XT5's communication helper
 * thread); in every process it polls the endpoints on which the PE has posted. In a process without
 * the port it sleeps until the PE posts.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "port/port_internal.h"

static struct {
  pthread_t thread;
  bool running;
  bool stop;
  bool armed;            /* the PE has posted on some channel */
  pthread_mutex_t mutex; /* for sleeping only */
  pthread_cond_t wake;   /* by the clock of weft_clock_ns */
  bool has_clock;
} helper = {.mutex = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

enum { NAP_NS = 50000, NAP_MAX_NS = 400000, BEAT_NS = 20000, BUSY_MS = 1, IDLE_MS = 10 };

static void nap(long ns) {
  nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* Does the PE itself send what the channel stages on this connection? */
static bool is_own_way(int slot, int channel) {
  return slot == weft_job.slot && weft_job.port == &weft_job.endpoint && !weft_job.is_porter &&
         (channel == 0 || channel >= WEFT_LANE);
}

/* Send what a channel of a PE has had staged since before the last look; in a session, since
 * several looks. Where the provider has no room, for example because it still connects, the next
 * look tries again: others wait for what this thread serves. Where the stage is fenced and this
 * connection is not the PE's own, it is not sent before the packets under way are answered, which
 * it could pass. (On the PE's own connection it is sent: an answer may ride on it for which another
 * PE waits.) A flow's packet takes no other way than the PE's own, where the flow goes on. */
static bool age_channel(int slot, int channel, unsigned look) {
  enum { PATIENCE = 8 }; /* looks */
  const unsigned how = WEFT_SEND_FOR | WEFT_SEND_ASK | WEFT_SEND_TRY;
  weft_stages_t *head = weft_stage_head(slot, channel);
  const int words = (weft_job.nnodes + 63) / 64;
  const bool own_way = is_own_way(slot, channel);
  bool any = false;
  for (int w = 0; w < words; w++) {
    uint64_t open = weft_peek(&head->open[w]);
    for (; open; open &= open - 1) {
      int node = w * 64 + __builtin_ctzll(open);
      weft_stage_t *stage = weft_stage_of(slot, channel, node);
      any = true;
      if (weft_peek(&head->patient) && look % PATIENCE) continue;
      if (!weft_observe(&stage->greeted)) continue; /* the greeting may arrive later than ours */
      if (!weft_lock_try(&stage->lock)) continue;   /* its PE is at it right now */
      const bool stays =
          !own_way && (!stage->room || (stage->fenced && weft_observe(&stage->busy)));
      const bool late = own_way && !stage->sent; /* its connection was still to be made */
      if (stage->fill && (late || stage->aged == stage->sent + 1) && !stays) {
        weft_stage_learn(stage, WEFT_SEND_FOR);
        if (!weft_stage_send(head, stage, node, weft_job.port, how) && late)
          weft_stage_be_late(WEFT_LATE_RECORDS);
      } else {
        stage->aged = stage->sent + 1;
      }
      weft_unlock(&stage->lock);
    }
  }
  return any;
}

static bool age_stages(void) {
  static unsigned look;
  bool any = false;
  look++;
  for (int slot = 0; slot < weft_job.nslots; slot++) {
    if (weft_job_helper_of(weft_job.local[slot]) != weft_job.slot) continue;
    const int channels = (int)weft_observe(&weft_stage_head(slot, 0)->channels);
    for (int channel = 0; channel < channels; channel++) any |= age_channel(slot, channel, look);
    if (!weft_peek(&weft_stage_head(slot, 0)->lanes)) continue;
    for (int i = 0; i < WEFT_LANES_MAX; i++) any |= age_channel(slot, WEFT_LANE + i, look);
  }
  return any;
}

/* Poll the endpoints on which the PE has posted: it may never call again, and there is no way to
 * know whether the provider still holds an injected put. True: operations are under way there. */
static bool carry_on(void) {
  bool any = false;
  if (!weft_observe(&helper.armed)) return false;
  for (int i = 0; i < weft_channel_count(); i++) {
    weft_channel_t *c = &weft_channels[i];
    if (!weft_observe(&c->armed)) continue;
    if (c->endpoint == weft_job.port)
      weft_progress_help();
    else
      weft_progress_take_replies(c);
    any |= weft_peek(&c->endpoint->all.pending) || weft_peek(&c->endpoint->apart);
  }
  return any;
}

/* Sleep until the provider has something; false if it was only time that passed. */
static bool block(int ms) {
  if (weft_endpoint_wait(weft_job.port, ms)) return true;
  if (!weft_job.port->sleeps) nap(NAP_NS);
  return false;
}

/* How long to rest while the PE serves the port itself: the longer the longer it does. Each wake-up
 * takes the processor from a PE for 10 us and more, where none is free; so beside a PE that has not
 * paused meanwhile, and is alone on its node, rests go on growing, to a quarter of the time that
 * it has been at it. */
static long longer(long rest, bool steady) {
  const long most = IDLE_MS * 1000000L;
  if (rest < NAP_MAX_NS) return rest ? rest * 2 : NAP_NS;
  if (!steady) return NAP_MAX_NS;
  return rest + rest / 4 < most ? rest + rest / 4 : most;
}

/* When the thread at the port looks for what is to be sent on, and what it found. */
typedef struct {
  uint64_t next;       /* a look at all there is */
  uint64_t next_retry; /* the earliest that what found no room is tried again */
  bool staged;         /* records were, at the last look at all */
  int ms;              /* how long it may sleep until the next */
} looks_t;

static bool is_due(const looks_t *looks, uint64_t now) {
  return now >= looks->next || (now >= looks->next_retry && weft_peek(&weft_stage_late));
}

static void look(looks_t *looks, uint64_t now, bool away) {
  enum { SHARE = 4 };
  const uint8_t what = __atomic_exchange_n(&weft_stage_late, 0, __ATOMIC_ACQUIRE);
  /* A flow that finds no room is no reason to take others' records for older than they are. */
  const bool all = now >= looks->next || what & WEFT_LATE_RECORDS;
  if (all) looks->staged = age_stages();
  const bool late = weft_flows_again(), busy = away || carry_on();
  looks->ms = looks->staged || late || busy ? BUSY_MS : IDLE_MS;
  weft_watch_look(now);
  if (all) looks->next = now + (uint64_t)weft_options.stage_age_us * 1000 / 2 + 1;
  looks->next_retry = now + (SHARE + 1) * (weft_clock_ns() - now);
}

/* What the thread at the port knows of its rounds so far. Times are in ns. */
typedef struct {
  looks_t looks;
  uint64_t attended;     /* when it, or the PE, last was at the port */
  uint64_t idle_since;   /* nothing has come */
  uint64_t expects;      /* until then a message may follow a connection that was just made */
  unsigned taken;        /* weft_links_taken */
  uint32_t beat, pauses; /* of the PE, as last seen */
  uint32_t slept;        /* how often the PE had slept on the port's descriptor */
  long rest;             /* the last one, if it rested in the last round */
} rounds_t;

/* There is a processor for a thread beside all PEs. */
static bool has_room(void) {
  return weft_job.ncpus > weft_job.nkernel;
}

/* The PE waits or sends, and serves the port itself, without a change of threads: rest, but not
 * beside a PE that looks only now and then. False: nothing of that. */
static bool rest_beside_pe(rounds_t *r, uint64_t now) {
  const uint32_t beat = weft_progress_beat(), beats = beat - r->beat;
  const bool sleeps = weft_progress_sleeps(&r->slept);
  const bool attends = beats > (now < r->expects) && beats >= (uint32_t)(r->rest / BEAT_NS);
  r->beat = beat;
  if (!sleeps && !attends && !weft_progress_moves(now)) {
    r->rest = 0;
    return false;
  }
  const uint32_t pauses = weft_progress_pauses();
  const bool steady = sleeps || (!has_room() && weft_job.nslots == 1 && pauses == r->pauses);
  r->pauses = pauses;
  r->attended = now;
  r->rest = longer(r->rest, steady);
  nap(r->rest);
  return true;
}

/* Take what has come; or sleep, when nothing has for so long. */
static void serve_or_sleep(rounds_t *r, uint64_t now, uint64_t spin) {
  enum { AT_ONCE_NS = 500000 };
  r->attended = now;
  const int served = weft_progress_help();
  if (weft_peek(&weft_links_taken) != r->taken) { /* a message follows soon, and the PE may nap */
    r->taken = weft_peek(&weft_links_taken);
    r->expects = now + AT_ONCE_NS;
  }
  if (served > 0)
    r->idle_since = now;
  else if (served < 0)
    nap(NAP_MAX_NS); /* the PE is at it just now, for as long as a large message takes */
  else if (now - r->idle_since >= spin && block(weft_server_owes() ? BUSY_MS : r->looks.ms))
    r->idle_since = weft_clock_ns();
}

/* To look again before it sleeps saves the helper a wake-up, but takes the time from a PE where all
 * processors have one. It never yields: the kernel puts a thread that yields behind the others (by
 * a whole slice since Linux 6.18), and does not run it when the next packet wakes it. */
static void *run_port(void *arg) {
  enum { AWAY_NS = 2000000 };
  (void)arg;
  const uint64_t spin = has_room() ? (uint64_t)weft_options.helper_spin_us * 1000 : 0;
  rounds_t r = {.looks = {.ms = IDLE_MS}};
  weft_endpoint_wait_bare(weft_job.port);
  while (!weft_peek(&helper.stop)) {
    /* While the PE posts large transfers the helper keeps away from the provider: who waits for its
     * lock makes each post of the PE end with a call of the kernel. But somebody looks at the port
     * now and then. */
    const uint64_t now = weft_clock_ns(), posted = weft_progress_posted();
    const bool away = now < posted && now - r.attended < AWAY_NS;
    if (weft_helper_is_due()) weft_helper_move();
    if (is_due(&r.looks, now)) {
      if (weft_job.is_porter && !weft_lost_tell()) break;
      look(&r.looks, now, away);
    }
    if (rest_beside_pe(&r, now)) continue;
    if (away) {
      nap((long)(posted - now));
      continue;
    }
    if (now < posted) carry_on(); /* the last looks may all have been away */
    serve_or_sleep(&r, now, spin);
  }
  return NULL;
}

/* Sleep until the PE posts, but wake in time for each look of watch.c. */
static void sleep_unarmed(void) {
  const uint64_t period = weft_watch_period_ns();
  pthread_mutex_lock(&helper.mutex);
  while (!weft_peek(&helper.armed) && !weft_peek(&helper.stop)) {
    const uint64_t until = weft_clock_ns() + period;
    pthread_cond_timedwait(&helper.wake, &helper.mutex,
                           &(struct timespec){.tv_sec = (time_t)(until / 1000000000),
                                              .tv_nsec = (long)(until % 1000000000)});
    weft_watch_look(weft_clock_ns());
  }
  pthread_mutex_unlock(&helper.mutex);
}

/* A process without the port: sleep until the PE posts, and from then on poll between naps. */
static void *run_tail(void *arg) {
  (void)arg;
  sleep_unarmed();
  while (!weft_peek(&helper.stop)) {
    const bool late = weft_flows_again(), busy = carry_on();
    nap(late || busy ? BUSY_MS * 1000000 : IDLE_MS * 1000000);
    weft_watch_look(weft_clock_ns());
  }
  return NULL;
}

static WEFT_COLD void wake(void) {
  pthread_mutex_lock(&helper.mutex);
  pthread_cond_signal(&helper.wake);
  pthread_mutex_unlock(&helper.mutex);
}

void weft_helper_arm(weft_channel_t *c) {
  if (weft_likely(weft_peek(&c->armed))) return;
  weft_publish(&c->armed, true);
  if (!__atomic_exchange_n(&helper.armed, true, __ATOMIC_RELEASE) && !weft_job.port) wake();
}

/* A process that is only there for the port serves it until no PE of its node needs it. */
static __attribute__((noreturn)) void be_porter(void) {
  if (weft_server_start() < 0 || weft_helper_bind(pthread_self()) < 0) _exit(1);
  run_port(NULL);
  weft_lost_linger();
  weft_port_say_dropped();
  weft_server_stop();
  _exit(0);
}

static void set_clock(void) {
  pthread_condattr_t attr;
  if (helper.has_clock || pthread_condattr_init(&attr)) return;
  pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
  pthread_cond_init(&helper.wake, &attr);
  pthread_condattr_destroy(&attr);
  helper.has_clock = true;
}

int weft_port_start(void) {
  weft_progress_start();
  if (weft_job.nnodes == 1) return 0;
  int rc = weft_lost_start();
  if (rc < 0) return rc;
  if (weft_job.is_porter) be_porter();
  weft_channels_start();
  set_clock();
  /* Without staging, scalar puts of the first channel are on their own (rma/scalar.c). */
  helper.armed = weft_channels[0].armed = !weft_options.coalesce;
  if (weft_job.port) {
    rc = weft_server_start();
    if (rc < 0) return rc;
  }
  /* Signals are the program's: its handlers must not run on our thread. */
  sigset_t all, old;
  sigfillset(&all);
  sigdelset(&all, SIGSEGV); /* a blocked fault would kill without a word (window/constant.c) */
  pthread_sigmask(SIG_SETMASK, &all, &old);
  rc = -pthread_create(&helper.thread, NULL, weft_job.port ? run_port : run_tail, NULL);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (rc < 0) {
    weft_warn("cannot start the helper thread: %s; `ulimit -u` limits threads", strerror(-rc));
    return rc;
  }
  helper.running = true;
  pthread_setname_np(helper.thread, "weft-helper");
  if (weft_job.port && (rc = weft_helper_bind(helper.thread)) < 0) return rc;
  weft_watch_start();
  return 0;
}

void weft_port_stop(void) {
  if (!helper.running) return;
  weft_watch_stop();
  weft_poke(&helper.stop, true);
  wake();
  pthread_join(helper.thread, NULL);
  helper.running = helper.stop = helper.armed = false;
  weft_port_say_dropped();
  weft_alive_leave_port();
  weft_channels_stop();
  if (weft_job.port) weft_server_stop();
}
