/*
 * test: none
 * PE 0 waits for the last PE, on another node, and something disappears without an operation that
 * fails, as with a connection that was there only for a moment. The argument: "packet", what PE 0
 * sent; "answer", what came back; "message", an active message that asks for no answer; "lock", the
 * news that PE 1 has a lock that PE 0 gave up; "answered", the same after its call was answered;
 * "lease", a packet of a transfer on one of the port's spare buffers; "leased", the data that such
 * a packet asked for; "dead", an answer after PE 1 has died; "gone", the answers of a node that is
 * lost already. A put that the provider had taken, with its connection: there is none then
 * ("write"), or PE 0 makes it again ("again"), and looks late, when there is a new one ("anew"); or
 * the last PE makes it again, twice, and nobody has looked at the first of the two ("brief").
 * Or nothing: "late", the last PE takes no active
 * messages for a while; "loop", its node answers slowly. missing.sh judges.
 */
#include <shmem.h>

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "am/am.h"
#include "flow/flow_wire.h"
#include "port/port_internal.h"
#include "rma/rma_internal.h"

weft_receive_t *__real_weft_endpoint_take(weft_endpoint_t *e);
weft_receive_t *__wrap_weft_endpoint_take(weft_endpoint_t *e);
void __real_weft_watch_look(uint64_t now);
void __wrap_weft_watch_look(uint64_t now);
bool __real_weft_links_used(const void *address);
bool __wrap_weft_links_used(const void *address);
int __real_weft_server_run(void);
int __wrap_weft_server_run(void);

enum { COUNT = WEFT_AM_CLIENTS, MESSAGES = 100000, SIZE = 4096, WRITE = 10240 /* by RMA */ };

static long word, locks[3], data[2 * WRITE];
static int last; /* PE */
enum what { NOTHING, ATOMIC, MESSAGE, ANSWER, LATE_ANSWER, LEASE, LEASED };
static enum what drop; /* the next one that arrives */
static int arrived;
static bool blind, slow, asking, anew;

/* LATE_ANSWER: a call's result that comes by itself; the call may have been answered before. */
static bool is_to_go(const weft_packet_t *packet) {
  const weft_record_t *r = (const weft_record_t *)(packet + 1);
  const weft_flow_head_t *flow = (const weft_flow_head_t *)(packet + 1);
  const weft_flow_note_t *note = (const weft_flow_note_t *)(packet + 1);
  switch (weft_peek(&drop)) {
  case ATOMIC: return packet->kind == WEFT_PACKET_RECORDS && r->kind == WEFT_RECORD_FETCH;
  case MESSAGE: return packet->kind == WEFT_PACKET_RECORDS && r->kind == WEFT_RECORD_MESSAGE;
  case ANSWER: return packet->kind == WEFT_PACKET_REPLY;
  case LATE_ANSWER:
    return packet->kind == WEFT_PACKET_REPLY && packet->bytes > sizeof *packet &&
           !(weft_peek(&asking) ? packet->buffer : packet->buffer >> WEFT_RESULTS_OF);
  case LEASE: return packet->kind == WEFT_PACKET_FLOW && flow->lease;
  case LEASED: return packet->kind == WEFT_PACKET_FLOW_REPLY && note->bytes && note->lease;
  default: return false;
  }
}

weft_receive_t *__wrap_weft_endpoint_take(weft_endpoint_t *e) {
  weft_receive_t *r = __real_weft_endpoint_take(e);
  if (!r || !is_to_go((const weft_packet_t *)r->data)) return r;
  weft_poke(&drop, NOTHING);
  weft_endpoint_repost(r);
  return __real_weft_endpoint_take(e);
}

void __wrap_weft_watch_look(uint64_t now) {
  if (weft_peek(&asking)) weft_stage_ask_all(&weft_channels[0]);
  if (!weft_peek(&blind)) __real_weft_watch_look(now);
}

static void await_connection(void);
bool __wrap_weft_links_used(const void *address) {
  if (anew) await_connection();
  return __real_weft_links_used(address);
}

int __wrap_weft_server_run(void) {
  if (weft_peek(&slow)) usleep(30000);
  return __real_weft_server_run();
}

/* All wait until the one that says it has made a file of that name in NOTES. */
static void await_news(const char *news, bool says) {
  char name[512];
  snprintf(name, sizeof name, "%s/%s", getenv("NOTES"), news);
  if (says) close(open(name, O_WRONLY | O_CREAT, 0600));
  while (access(name, F_OK) != 0) usleep(1000);
}

/* One process is to lose something (NOTHING: not this one), before another sends it. */
static void arm(enum what what) {
  usleep(200000); /* nothing of a barrier is under way */
  weft_poke(&drop, what);
  await_news("armed", what != NOTHING);
}

static void count(weft_token_t *t, void *p, size_t n) {
  (void)t, (void)p, (void)n;
  arrived++;
}

static void be_late(int me) {
  if (weft_am_open() < 0) exit(51);
  weft_am_register(COUNT, (weft_am_handler_t)count);
  shmem_barrier_all();
  if (me == 0)
    for (int i = 0; i < MESSAGES; i++)
      weft_am_request(last, WEFT_AM_SHORT, COUNT, NULL, 0, 0, 0, NULL, 0, NULL);
  else
    sleep(5);
  while (me == last && arrived < MESSAGES) weft_am_poll();
}

static void lose_message(int me) {
  weft_wait_t wait = {0};
  if (weft_am_open() < 0) exit(51);
  weft_am_register(COUNT, (weft_am_handler_t)count);
  shmem_barrier_all();
  arm(me == last ? MESSAGE : NOTHING);
  if (me == 0) weft_am_request(last, WEFT_AM_SHORT, COUNT, NULL, 0, 0, 0, NULL, 0, NULL);
  while (!arrived) weft_am_poll(), weft_wait_poll(&wait);
}

/* Whenever somebody looks, one atomic is under way; and then, one read behind a put. (PE 0's helper
 * has the port: it looks when something has come.) */
static void loop(int me) {
  const uint64_t half = (uint64_t)(2.5e9 * weft_options.link_timeout);
  const bool busy = me == 1;
  weft_poke(&slow, me == last);
  shmem_barrier_all();
  for (uint64_t begin = weft_clock_ns(); busy && weft_clock_ns() - begin < half;)
    shmem_long_atomic_fetch_add(&word, 1, last);
  for (uint64_t begin = weft_clock_ns(); busy && weft_clock_ns() - begin < half;)
    shmem_putmem(data, &data[WRITE], WRITE * sizeof *data, last), shmem_quiet();
  shmem_barrier_all();
}

/* The port of its home, the last PE's, gives it from PE to PE. */
static void lose_lock(int me, bool answered) {
  long *lock = locks;
  while (weft_job_offset(lock) / sizeof *lock % 3 != 2) lock++;
  if (me == 0) shmem_set_lock(lock);
  shmem_barrier_all();
  weft_poke(&asking, answered);
  arm(me == 1 ? LATE_ANSWER : NOTHING);
  if (me == 1) shmem_set_lock(lock);
  if (me == 0) {
    while ((uint32_t)shmem_long_g(lock, last) != 2) usleep(1000); /* PE 1 queues (lock.c) */
    usleep(500000);
  }
  if (me < last) shmem_clear_lock(lock);
}

static ssize_t take_and_lose(struct fid_ep *ep, const void *buf, size_t len, fi_addr_t to,
                             uint64_t addr, uint64_t key) {
  (void)ep, (void)buf, (void)len, (void)to, (void)addr, (void)key;
  return 0;
}

/* Is the descriptor a connection of the internet's, also one that was reset? */
static bool is_connection(int fd) {
  struct sockaddr_storage ours;
  int type, listens;
  socklen_t n = sizeof ours, t = sizeof type, l = sizeof listens;
  return getsockname(fd, (struct sockaddr *)&ours, &n) == 0 && ours.ss_family == AF_INET &&
         getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &t) == 0 && type == SOCK_STREAM &&
         getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &l) == 0 && !listens;
}

/* How many connections the provider has: one that was reset, too, until it has seen that. (On such
 * a one it takes an operation and loses it.) And `cut`: they are reset, as `ss -K` does it. */
static int connections(bool cut) {
  const struct sockaddr none = {.sa_family = AF_UNSPEC};
  int found = 0;
  for (int fd = 3; fd < 1000; fd++) {
    if (!is_connection(fd)) continue;
    found++;
    if (cut) connect(fd, &none, sizeof none);
  }
  return found;
}

/* It is made again meanwhile, and the other end answers. */
static void await_connection(void) {
  for (int i = 0; i < 200; i++) weft_endpoint_poll(&weft_job.endpoint), usleep(1000);
  anew = false;
}

static void lose_write(int me, bool again, bool late) {
  weft_poke(&blind, true);
  shmem_barrier_all();
  usleep(200000); /* nothing of it is under way, for which the connection would be made again */
  if (me == last) {
    WEFT_WAIT_ON(NULL, weft_observe(&word) == 1);
    connections(true);
    pause();
  }
  shmem_long_p(&word, 1, last);
  weft_wire.inject_write = take_and_lose;
  shmem_long_p(&word, 2, last);
  while (connections(false) > 0) usleep(1000);
  anew = late;
  if (again) shmem_long_atomic_fetch_add(locks, 1, last);
  shmem_quiet();
  fprintf(stderr, "what was put is there: %ld\n", shmem_long_g(&word, last));
  _exit(0);
}

/* As connections(true), but this process's provider sees it, too. The other end then makes a new
 * connection, which has to stay: so all are found before one is ended. */
static void end_connections(void) {
  int found[16], n = 0;
  for (int fd = 3; fd < 1000 && n < 16; fd++)
    if (is_connection(fd)) found[n++] = fd;
  while (n > 0) shutdown(found[--n], SHUT_RDWR);
}

static void make_connection(void) {
  while (connections(false) > 0) usleep(1000);
  shmem_long_atomic_fetch_add(locks, 1, 0);
}

static void lose_brief(int me) {
  weft_link_report_t forgotten;
  weft_poke(&blind, true);
  shmem_barrier_all();
  usleep(200000);
  if (me == last) {
    end_connections();
    while (connections(false) > 0) usleep(1000);
    weft_links_look(1, &forgotten);
    make_connection();
    await_news("answered", true);
    make_connection();
    weft_poke(&blind, false);
    pause();
  }
  await_news("answered", false); /* the answer is not to be lost, too */
  weft_wire.inject_write = take_and_lose;
  shmem_long_p(&word, 1, last);
  end_connections();
  WEFT_WAIT_ON(NULL, weft_observe(locks) == 2);
  shmem_quiet();
  sleep(6); /* the launcher speaks first */
  fprintf(stderr, "what was put is there\n");
  _exit(0);
}

/* The job goes on, and PE 0 computes. */
static void be_gone(int me) {
  if (me == last) raise(SIGKILL);
  WEFT_WAIT_ON(NULL, weft_lost_is(last));
  for (int tries = 0; tries < 8; tries++) { /* until its port has ended */
    usleep(500000);
    for (int i = 0; i < 100; i++) shmem_long_atomic_add(&word, 1, last);
    shmem_quiet();
    sleep(2 * (unsigned)weft_options.link_timeout);
    if (weft_observe(&weft_channels[0].head->due) > 0) _exit(0);
  }
  _exit(1);
}

static void lose_lease(int me, bool data_too) {
  if (data_too)
    arm(me == 0 ? LEASED : NOTHING);
  else
    arm(me == last ? LEASE : NOTHING);
  if (me == 0 && data_too) shmem_long_iget(data, data, 2, 2, SIZE, last);
  if (me == 0 && !data_too) shmem_long_iput(data, data, 2, 2, SIZE, last);
}

static void lose(const char *what, int me) {
  const bool dead = strcmp(what, "dead") == 0; /* then the port has a process of its own */
  const bool answer = dead || strcmp(what, "answer") == 0;
  if (dead && me == 1) raise(SIGKILL);
  if (answer)
    arm(me == 0 ? ANSWER : NOTHING);
  else
    arm(me == last ? ATOMIC : NOTHING);
  if (me == 0) shmem_long_atomic_fetch_add(&word, 1, last);
}

int main(int argc, char **argv) {
  shmem_init();
  const int me = shmem_my_pe();
  const char *what = argc > 1 ? argv[1] : "";
  last = shmem_n_pes() - 1;
  shmem_barrier_all();
  if (strcmp(what, "late") == 0)
    be_late(me);
  else if (strcmp(what, "loop") == 0)
    loop(me);
  else if (strcmp(what, "lock") == 0 || strcmp(what, "answered") == 0)
    lose_lock(me, *what == 'a');
  else if (strcmp(what, "message") == 0)
    lose_message(me);
  else if (strncmp(what, "lease", 5) == 0)
    lose_lease(me, what[5] == 'd');
  else if (strcmp(what, "write") == 0 || strcmp(what, "again") == 0 || strcmp(what, "anew") == 0)
    lose_write(me, *what == 'a', what[1] == 'n');
  else if (strcmp(what, "brief") == 0)
    lose_brief(me);
  else if (strcmp(what, "gone") == 0)
    be_gone(me);
  else
    lose(what, me);
  shmem_finalize();
  return 0;
}
