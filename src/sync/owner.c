/*
 * The owner's service: a thread that does in this process what others ask of it while the program
 * computes. Requests lie in the owner's slot, put there by a process of its node or by the port for
 * other nodes, and a futex in the slot wakes the thread. It runs nothing else: no handler of a
 * client's, no progress of its own.
 *
 * What a service asks back of its caller must not wait for the caller's thread, which may be asking
 * back itself: it has a queue of its own, which a thread that waits for an answer serves.
 */
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "port/port.h"
#include "rma/rma.h"
#include "sync/sync.h"

/* Data and reply of a call stand in the caller's slot unless the data came with the call. */
typedef struct request {
  uint64_t next; /* slot offset; 0: the last one */
  uint64_t result;
  uint64_t data, reply; /* addresses in the caller's process; data 0: here, behind this */
  uint32_t n, reply_max;
  uint32_t from, number;
  _Alignas(16) char inline_data[];
} request_t;

/* What a call carries: the head of a request. */
typedef struct ask {
  uint64_t data, reply;
  uint32_t n, reply_max, number, queue;
} ask_t;

enum { ASKED, ASKED_BACK };

static struct {
  weft_owner_t run[WEFT_OWNERS_MAX];
  pthread_t thread;
  bool running, stop;
  weft_lock_t busy; /* one request at a time */
} owner;

static _Thread_local bool serving; /* what this thread asks now, it asks back */

static long futex(uint32_t *word, int op, uint32_t value) {
  return syscall(SYS_futex, word, op, value, NULL, NULL, 0);
}

static void ring(weft_shared_t *shared) {
  __atomic_fetch_add(&shared->owner_bell, 1, __ATOMIC_RELEASE);
  futex(&shared->owner_bell, FUTEX_WAKE, INT_MAX);
}

/* ---- at the owner's node: queue it ----------------------------------------------------------- */

static bool serve_owner(char *object, const weft_call_t *call, uint64_t *result) {
  ask_t ask;
  if (call->n < sizeof ask) weft_service_refuse(call, "a request without a head");
  memcpy(&ask, call->data, sizeof ask);
  const size_t n = call->n - sizeof ask;
  if (!ask.data && ask.n != n) weft_service_refuse(call, "a request without its data");
  weft_service_check_result(call);
  if ((ask.data && !weft_service_is_callers(call->from, ask.data, ask.n)) ||
      !weft_service_is_callers(call->from, ask.reply, ask.reply_max))
    weft_service_refuse(call, "a request with memory that is not its caller's");
  weft_shared_t *shared = weft_job_shared(call->pe);
  const uint64_t off = weft_private_alloc_of(call->pe, 16, sizeof(request_t) + n);
  (void)object;
  (void)result;
  if (!off)
    weft_fatal("no memory for what pe %d is asked to do: %s", call->pe, weft_private_shortage());
  char *slot = weft_job_slot(call->pe);
  request_t *r = (request_t *)(void *)(slot + off);
  *r = (request_t){.result = call->result,
                   .data = ask.data,
                   .reply = ask.reply,
                   .n = ask.n,
                   .reply_max = ask.reply_max,
                   .from = (uint32_t)call->from,
                   .number = ask.number};
  memcpy(r->inline_data, (const char *)call->data + sizeof ask, n);
  __typeof__(shared->owner_queue[0]) *queue = &shared->owner_queue[ask.queue & 1];
  weft_node_lock(&shared->owner_lock);
  if (queue->first)
    ((request_t *)(void *)(slot + queue->last))->next = off;
  else
    weft_publish(&queue->first, off);
  queue->last = off;
  weft_seen_given(&weft_job); /* after it is freed another call may use it again */
  weft_node_unlock(&shared->owner_lock);
  ring(shared);
  return false;
}

/* ---- in the owner's process ------------------------------------------------------------------ */

static uint64_t take(weft_shared_t *shared, int queue) {
  uint64_t *first = &shared->owner_queue[queue].first;
  if (!weft_observe(first)) return 0;
  weft_node_lock(&shared->owner_lock);
  const uint64_t off = *first;
  if (off) weft_publish(first, ((request_t *)(void *)(weft_job.window.base + off))->next);
  weft_seen_got(&weft_job); /* the caller's words lie where a thread here had a heap's links */
  weft_node_unlock(&shared->owner_lock);
  return off;
}

static uint64_t run(uint32_t number, int from, const void *data, size_t n, void *reply,
                    size_t *reply_n, int queue) {
  if (number >= WEFT_OWNERS_MAX || !owner.run[number])
    weft_fatal("pe %d asks this PE for service %u, which nobody offers", from, number);
  if (queue == ASKED) weft_lock(&owner.busy);
  const bool outer = serving;
  serving = true;
  const uint64_t value = owner.run[number](from, data, n, reply, reply_n);
  serving = outer;
  if (queue == ASKED) weft_unlock(&owner.busy);
  return value;
}

/* The caller's memory, from or to. */
static void get_data(const request_t *r, void *to) {
  uintptr_t at;
  if (weft_job_reach((int)r->from, r->data, &at))
    memcpy(to, (const void *)at, r->n);
  else
    weft_rma_get((int)r->from, at, to, r->n);
}

/* No quiet: that would take the marks of what the program's threads have written. */
static void put_reply(const request_t *r, const void *reply, size_t n) {
  weft_op_t op = {.attended = true, .unordered = true};
  uintptr_t at;
  if (weft_job_reach((int)r->from, r->reply, &at)) {
    memcpy((void *)at, reply, n);
  } else {
    weft_rma_put_begin((int)r->from, at, reply, n, &op, false);
    weft_op_wait(&op);
  }
}

static void serve(const request_t *r, int queue) {
  char *data = r->data ? malloc(r->n) : NULL, *reply = r->reply_max ? malloc(r->reply_max) : NULL;
  size_t reply_n = r->reply_max;
  if ((r->data && !data) || (r->reply_max && !reply))
    weft_fatal("no memory for what pe %u asks this PE to do", r->from);
  if (data) get_data(r, data);
  const uint64_t value =
      run(r->number, (int)r->from, data ? data : r->inline_data, r->n, reply, &reply_n, queue);
  if (reply && reply_n) put_reply(r, reply, reply_n < r->reply_max ? reply_n : r->reply_max);
  free(data);
  free(reply);
  weft_service_answer(&(weft_call_t){0}, (int)r->from, r->result, value);
}

static void serve_all(weft_shared_t *shared, int queue) {
  for (uint64_t off; (off = take(shared, queue));) {
    void *r = (void *)(weft_job.window.base + off);
    serve(r, queue);
    weft_private_free(r);
  }
}

static void *main_of_thread(void *arg) {
  weft_shared_t *shared = weft_job_shared(weft_job.pe);
  (void)arg;
  while (!weft_observe(&owner.stop)) {
    const uint32_t bell = weft_observe(&shared->owner_bell);
    serve_all(shared, ASKED);
    if (!weft_observe(&owner.stop)) futex(&shared->owner_bell, FUTEX_WAIT, bell);
  }
  return NULL;
}

void weft_owner_start(void) {
  weft_service_register(WEFT_SERVICE_OWNER, serve_owner);
}

void weft_owner_register(int number, weft_owner_t function) {
  owner.run[number] = function;
}

void weft_owner_serve(void) {
  if (owner.running) return;
  sigset_t all, old; /* signals are the program's */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  owner.stop = false;
  const int rc = pthread_create(&owner.thread, NULL, main_of_thread, NULL);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (rc)
    weft_fatal("cannot start the thread that serves other PEs: %s; `ulimit -u` limits threads",
               strerror(rc));
  owner.running = true;
  pthread_setname_np(owner.thread, "weft-owner");
}

void weft_owner_stop(void) {
  if (!owner.running) return;
  weft_publish(&owner.stop, true);
  ring(weft_job_shared(weft_job.pe));
  pthread_join(owner.thread, NULL);
  owner.running = false;
}

/* ---- the caller ------------------------------------------------------------------------------ */

/* Only the owner's process answers. */
static bool is_answered(int pe, const uint64_t *result) {
  if (weft_observe(result) != WEFT_NO_RESULT || weft_unlikely(weft_job_has_failed(pe))) return true;
  if (!serving) serve_all(weft_job_shared(weft_job.pe), ASKED_BACK);
  return false;
}

static uint64_t wait_for(int pe, const uint64_t *result) {
  weft_stage_release();
  WEFT_WAIT_ON(&weft_channels[0], is_answered(pe, result));
  return weft_observe(result);
}

/* Small data travel with the call, others wait in private memory of this PE until they are fetched.
 */
static uint64_t call(int pe, ask_t *ask, const void *data, char *shown, uint64_t *result) {
  char message[1024];
  const bool fits = sizeof *ask + ask->n <= weft_service_data_max();
  size_t n = sizeof *ask;
  if (!fits) {
    memcpy(shown, data, ask->n);
    ask->data = (uint64_t)(uintptr_t)shown;
  } else if (ask->n) {
    memcpy(message + n, data, ask->n);
    n += ask->n;
  }
  memcpy(message, ask, sizeof *ask);
  weft_service_send(pe, weft_job.layout.shared, WEFT_SERVICE_OWNER, 0, 0, message, n, result);
  return wait_for(pe, result);
}

uint64_t weft_owner_call(int pe, int number, const void *data, size_t n, void *reply,
                         size_t reply_max) {
  if (pe == weft_job.pe) {
    size_t reply_n = reply_max;
    return run((uint32_t)number, pe, data, n, reply, &reply_n, serving ? ASKED_BACK : ASKED);
  }
  if (n > UINT32_MAX || reply_max > UINT32_MAX)
    weft_fatal("pe %d is asked for something of more than 4 GB, which Weft does not do", pe);
  /* Result, reply, data. */
  const size_t reply_at = 64, data_at = reply_at + weft_round_up(reply_max, 64);
  char *shown = weft_private_alloc(64, data_at + n);
  if (!shown) weft_fatal("no memory to ask pe %d for something: %s", pe, weft_private_shortage());
  ask_t ask = {.reply = (uint64_t)(uintptr_t)shown + reply_at,
               .n = (uint32_t)n,
               .reply_max = (uint32_t)reply_max,
               .number = (uint32_t)number,
               .queue = serving ? ASKED_BACK : ASKED};
  const uint64_t value = call(pe, &ask, data, shown + data_at, (uint64_t *)(void *)shown);
  if (value == WEFT_NO_RESULT) return value; /* something may still come for it */
  if (reply_max) memcpy(reply, shown + reply_at, reply_max);
  weft_private_free(shown);
  return value;
}
