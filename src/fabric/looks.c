/*
 * A TCP provider takes a message by two system calls: epoll_wait says which connections have
 * something, and recv takes it. While all that comes is of one connection, as between two nodes,
 * the first says nothing new. So when some events in a row were of one connection, the provider's
 * own call of epoll_wait is told that it is readable, and recv finds out: of a lone message's half
 * round trip that spares a twelfth. The kernel is asked every 16th time all the same, and where it
 * was not for 20 us, as after a nap: so long what comes from elsewhere may wait. Nor is recv called
 * so while messages are of more than a segment: it holds the socket's lock, and a packet that finds
 * that taken is left to the receiver, with the acknowledgement that such a message has at once.
 *
 * A connection that has been looked at so for a while is taken out of the kernel's list, too: to
 * put it on the list of those that have something is work that the kernel does before it lets the
 * receiver have the message, another twentieth. It is back before anything else is done than such
 * looks: before anybody sleeps until something comes, after a nap, when another connection has
 * something, and when the provider changes what it waits for.
 *
 * A provider that has no receive buffer for a connection's message stops watching that connection
 * for input. libfabric before 1.18.1 goes on with one such connection for each buffer that is
 * posted, also where the buffer has room for all their messages: the others wait for ever. So each
 * look tells it of those, too.
 *
 * A provider looks at its connections under the lock under which it takes what came. What that lock
 * should guard, but does not, is done from inside a look (weft_looks_during). Knows no providers.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "fabric/fabric_internal.h"

enum {
  QUEUES = 256,    /* descriptors of queues that are looked at so: those below this number */
  ROW = 4,         /* events of one connection, until the next one is taken to be its own as well */
  GUESSES = 15,    /* in a row; then the kernel is asked */
  CALM = 256,      /* guesses since anything else came, until the connection is taken out */
  UNTOLD_MS = 1,   /* a sleep where the kernel would not tell of the one that is taken out */
  GUESS_NS = 20000 /* no guess where the kernel was asked longer ago: looks may be far apart */
};

typedef struct look {
  _Alignas(WEFT_CACHELINE) weft_lock_t lock;
  uint64_t last;  /* the connection of the last event, as the provider knows it */
  int fd;         /* its descriptor, where `row` is ROW */
  int row;        /* how many events in a row were its own; at most ROW */
  uint64_t asked; /* when the kernel was asked last, ns */
  int guesses;    /* since then */
  int calm;       /* guesses since a pause or another's event; the kernel was asked in between */
  uint64_t looked; /* when the last look was, ns */
} look_t;

/* What is waited for on a descriptor. */
typedef struct watch {
  int queue; /* 0: none */
  struct epoll_event event;
  bool stopped; /* it was watched for input, and is not any more */
  enum { UNKNOWN, CONNECTION, OTHER } kind;
} watch_t;

static look_t looks[QUEUES];
static bool may_guess, may_resume;
static bool happen; /* a provider has looked */

static WEFT_THREAD struct {
  void (*what)(void *arg); /* NULL: none */
  void *arg;
} during;

static struct {
  weft_lock_t lock;
  watch_t *of; /* per descriptor */
  int room;
  int nstopped; /* of all queues */
} watches;

/* The connection that is taken out of its queue: one in the process. Locks are taken in this order:
 * a queue's, this one, that of watches. */
static struct {
  weft_lock_t lock;
  int queue, fd; /* queue 0: none */
  int sleepers;  /* threads that wait for the kernel */
} out;

/* ---- what is looked at ----------------------------------------------------------------------- */

/* `event`: NULL, nothing is waited for any more. */
static void watch(int queue, int fd, const struct epoll_event *event) {
  weft_lock(&watches.lock);
  if (fd >= watches.room && event) {
    const int room = 2 * fd + 64;
    watch_t *of = realloc(watches.of, (size_t)room * sizeof *of);
    for (int i = watches.room; of && i < room; i++) of[i] = (watch_t){0};
    watches.of = of ? of : watches.of;
    watches.room = of ? room : watches.room;
  }
  if (fd >= 0 && fd < watches.room) {
    const watch_t old = watches.of[fd];
    watch_t now = event ? (watch_t){.queue = queue, .event = *event} : (watch_t){0};
    if (event && old.queue == queue) {
      now.stopped = !(event->events & EPOLLIN) && (old.stopped || old.event.events & EPOLLIN);
      now.kind = old.kind;
    }
    weft_poke(&watches.nstopped, watches.nstopped + now.stopped - old.stopped);
    watches.of[fd] = now;
  }
  weft_unlock(&watches.lock);
}

/* Add those that the provider has stopped reading from. */
static WEFT_COLD int add_stopped(int queue, struct epoll_event *events, int n, int most) {
  weft_lock(&watches.lock);
  for (int fd = 0; fd < watches.room && n < most; fd++) {
    const watch_t *w = &watches.of[fd];
    if (w->queue == queue && w->stopped)
      events[n++] = (struct epoll_event){.events = EPOLLIN, .data = w->event.data};
  }
  weft_unlock(&watches.lock);
  return n;
}

/* What is watched for input alone, and has this event; or NULL. Under the lock. */
static watch_t *watch_of(int queue, const struct epoll_event *event, int *fd) {
  for (*fd = 0; *fd < watches.room; ++*fd) {
    watch_t *w = &watches.of[*fd];
    if (w->queue == queue && w->event.events == EPOLLIN && w->event.data.u64 == event->data.u64)
      return w;
  }
  return NULL;
}

/* Is the event that of a connection, which is watched for input alone, and of which? A descriptor's
 * answer is kept until that is added anew or closed, as asking takes two system calls. */
static bool is_connection(int queue, const struct epoll_event *event, int *descriptor) {
  int fd;
  weft_lock(&watches.lock);
  watch_t *w = watch_of(queue, event, &fd);
  const int kind = w ? (int)w->kind : OTHER;
  *descriptor = fd;
  weft_unlock(&watches.lock);
  if (kind != UNKNOWN) return kind == CONNECTION;
  const bool yes = weft_links_has(fd);
  weft_lock(&watches.lock);
  if ((w = watch_of(queue, event, &fd))) w->kind = yes ? CONNECTION : OTHER;
  weft_unlock(&watches.lock);
  return yes;
}

/* ---- the one that is taken out --------------------------------------------------------------- */

static bool is_out(int queue) {
  return weft_peek(&out.queue) == queue && queue > 0;
}

static bool take_out(int queue, int fd) {
  weft_lock(&out.lock);
  const bool done =
      !out.queue && !out.sleepers && epoll_ctl(queue, EPOLL_CTL_DEL, fd, NULL) == 0;
  if (done) {
    out.fd = fd;
    weft_poke(&out.queue, queue);
  }
  weft_unlock(&out.lock);
  return done;
}

/* What is waited for on it; events 0: nothing any more. */
static struct epoll_event event_of_out(void) {
  weft_lock(&watches.lock);
  const watch_t *w = out.fd < watches.room ? &watches.of[out.fd] : NULL;
  const struct epoll_event event =
      w && w->queue == out.queue ? w->event : (struct epoll_event){.events = 0};
  weft_unlock(&watches.lock);
  return event;
}

/* Where the kernel has no memory for it, it stays out: looks go on to tell of it, and nobody sleeps
 * for long. */
static WEFT_COLD void put_back_locked(void) {
  struct epoll_event event = event_of_out();
  const bool failed = event.events && epoll_ctl(out.queue, EPOLL_CTL_ADD, out.fd, &event) < 0 &&
                      (errno == ENOMEM || errno == ENOSPC);
  if (!failed) weft_poke(&out.queue, 0);
}

static void put_back(int queue) {
  if (!is_out(queue)) return;
  weft_lock(&out.lock);
  if (out.queue == queue) put_back_locked();
  weft_unlock(&out.lock);
}

/* The kernel does not tell of it: of n events that it told, one more. */
static int with_out(int queue, struct epoll_event *events, int n, int most) {
  if (!is_out(queue) || n < 0 || n == most) return n;
  weft_lock(&out.lock);
  const struct epoll_event event = out.queue == queue ? event_of_out() : (struct epoll_event){0};
  weft_unlock(&out.lock);
  if (event.events) events[n++] = event;
  return n;
}

int weft_looks_sleep(int ms) {
  weft_lock(&out.lock);
  out.sleepers++;
  if (out.queue) put_back_locked();
  const bool all = out.queue == 0;
  weft_unlock(&out.lock);
  return all || (ms >= 0 && ms < UNTOLD_MS) ? ms : UNTOLD_MS;
}

void weft_looks_wake(void) {
  weft_lock(&out.lock);
  out.sleepers--;
  weft_unlock(&out.lock);
}

/* ---- what the provider changes --------------------------------------------------------------- */

/* What is known of a queue is no longer true. Returned locked; NULL: it is none that is looked at
 * so. */
static look_t *forget_locked(int queue) {
  if (queue < 0 || queue >= QUEUES) return NULL;
  look_t *l = &looks[queue];
  weft_lock(&l->lock);
  l->row = 0;
  put_back(queue);
  return l;
}

/* The queue stays locked: another thread's look could take the connection out again before the
 * kernel is told of the change. */
int weft_looks_control(int queue, int what, int fd, struct epoll_event *event) {
  look_t *l = forget_locked(queue);
  if (what != EPOLL_CTL_MOD) watch(queue, fd, NULL);
  if (what != EPOLL_CTL_DEL) watch(queue, fd, event);
  const int rc = epoll_ctl(queue, what, fd, event), error = errno;
  if (l) weft_unlock(&l->lock);
  errno = error;
  return rc;
}

void weft_looks_forget(int fd) {
  watch(0, fd, NULL);
  for (int queue = 0; queue < QUEUES; queue++) weft_unlock(&forget_locked(queue)->lock);
}

/* ---- a look ---------------------------------------------------------------------------------- */

static void note(look_t *l, int queue, const struct epoll_event *event, bool alone) {
  weft_lock(&l->lock);
  const bool again = alone && event->data.u64 == l->last;
  if (!again) {
    put_back(queue);
    l->calm = 0;
    l->last = event->data.u64;
    l->row = alone;
  } else if (l->row < ROW && ++l->row == ROW && !is_connection(queue, event, &l->fd)) {
    l->row = 0;
  }
  weft_unlock(&l->lock);
}

/* One event that was not asked for, if the next one is taken to be of the same connection. */
static bool guess(look_t *l, int queue, struct epoll_event *event) {
  weft_lock(&l->lock);
  const bool may = l->row == ROW && !weft_receive_window_is_long(l->fd);
  const uint64_t now = may ? weft_clock_ns() : 0;
  const bool yes = may && l->guesses < GUESSES && now - l->asked < GUESS_NS;
  const bool calm = may && now - l->looked < GUESS_NS;
  if (!calm) put_back(queue);
  l->calm = calm ? l->calm + yes : 0;
  if (yes && l->calm >= CALM && !take_out(queue, l->fd)) l->calm = 0; /* or it is out */
  l->guesses = yes ? l->guesses + 1 : 0;
  if (!yes) l->asked = now;
  l->looked = now;
  if (yes) *event = (struct epoll_event){.events = EPOLLIN, .data.u64 = l->last};
  weft_unlock(&l->lock);
  return yes;
}

static WEFT_COLD void do_now(void) {
  void (*const what)(void *arg) = during.what;
  during.what = NULL;
  what(during.arg);
}

bool weft_looks_during(weft_endpoint_t *e, void (*what)(void *arg), void *arg) {
  if (!weft_peek(&happen)) weft_endpoint_poll_or_yield(e);
  if (!weft_peek(&happen)) return false;
  during.what = what;
  during.arg = arg;
  while (during.what) weft_endpoint_poll_or_yield(e);
  return true;
}

static int sleep_for(int queue, struct epoll_event *events, int most, int ms) {
  const int n = epoll_wait(queue, events, most, weft_looks_sleep(ms)), error = errno;
  weft_looks_wake();
  errno = error;
  return with_out(queue, events, n, most);
}

int weft_looks_wait(int queue, struct epoll_event *events, int most, int ms) {
  int n = 1;
  if (ms != 0) return sleep_for(queue, events, most, ms);
  if (weft_unlikely(!weft_peek(&happen))) weft_poke(&happen, true);
  if (weft_unlikely(during.what != NULL)) do_now();
  const bool guesses = weft_peek(&may_guess) && queue >= 0 && queue < QUEUES;
  if (!guesses || !guess(&looks[queue], queue, events)) {
    n = epoll_wait(queue, events, most, 0);
    if (guesses && n > 0) note(&looks[queue], queue, events, n == 1 && events->events == EPOLLIN);
    n = with_out(queue, events, n, most);
  }
  if (weft_unlikely(weft_peek(&watches.nstopped)) && weft_peek(&may_resume) && n >= 0)
    n = add_stopped(queue, events, n, most);
  return n;
}

void weft_looks_allow(bool guesses, bool resume) {
  weft_poke(&may_guess, guesses);
  weft_poke(&may_resume, resume);
}

void weft_looks_begin(const void *function) {
  weft_calls_set(function, "epoll_ctl", (void *)weft_looks_control);
  weft_calls_set(function, "epoll_wait", (void *)weft_looks_wait);
}
