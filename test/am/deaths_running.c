/*
 * WEFT_ON_DEATH=continue, and threads: a PE is killed while it writes a message, and the cells
 * behind its own are a message's that a thread of the receiver still runs. The ring is everybody's
 * again, but nobody writes over that message's payload before its handler has ended.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include "am/am.h"
#include "check.h"
#include "job/job.h"
#include "port/port.h"
#include "runtime/runtime.h"
#include "sync/sync.h"
#include "weft/am.h"

enum { FILL = 130, STAY, GO, NEXT, ROOM = 150, CELLS = 3, BEHIND = 1, MORE = 200 };
enum { DEAD = 11, SENDER = 3 }; /* PEs that share a ring of PE 0's */

static long filled, entered, over, goes, next;

static void fill(weft_token_t *t) {
  (void)t;
  __atomic_fetch_add(&filled, 1, __ATOMIC_RELAXED);
}
static void stay(weft_token_t *t, const unsigned char *payload, size_t n) {
  (void)t;
  __atomic_store_n(&entered, 1, __ATOMIC_RELEASE);
  while (!weft_observe(&over)) usleep(1000);
  for (size_t i = 0; i < n; i++) CHECK_EQ(payload[i], 7);
}
static void go(weft_token_t *t) {
  (void)t;
  goes = 1;
}
static void take(weft_token_t *t, const unsigned char *payload, size_t n) {
  CHECK(n == ROOM && payload[0] == 8 && (int)t->from == SENDER);
  __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);
}

static void end(int signal) {
  (void)signal;
  kill(getpid(), SIGKILL);
}
static void send(int pe, enum weft_am_category category, int handler, const void *data, size_t n) {
  CHECK_EQ(weft_am_request(pe, category, handler, data, n, 0, 0, NULL, 0, NULL), 0);
}
/* The payload is where nothing can be read: who copies it dies in the middle. */
static void send_half(void) {
  void *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(page != MAP_FAILED);
  signal(SIGSEGV, end);
  send(0, WEFT_AM_MEDIUM, NEXT, page, 8);
}
static void *run_one(void *arg) {
  send(SENDER, WEFT_AM_SHORT, GO, NULL, 0);
  while (!weft_observe(&entered)) weft_am_poll();
  return arg;
}

/* The ring is full but for the message that runs; then a PE dies in the cell in front of that. */
static void receive(void) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, run_one, NULL) == 0);
  while (!weft_observe(&entered)) usleep(1000);
  while (weft_observe(&filled) < WEFT_RING_CELLS - CELLS) weft_am_poll();
  send(DEAD, WEFT_AM_SHORT, GO, NULL, 0);
  WEFT_WAIT_ON(NULL, weft_job_has_failed(DEAD));
  for (int i = 0; i < 100; i++, usleep(1000)) weft_am_poll(); /* time to write over it */
  __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  while (weft_observe(&next) < MORE) weft_am_poll();
  CHECK(pthread_join(thread, NULL) == 0);
}

int main(void) {
  unsigned char payload[ROOM];
  weft_runtime_start("deaths_running");
  const int me = weft_job_pe();
  const weft_set_t all = {.start = 0, .stride = 1, .size = weft_job_npes()};
  weft_meeting_t meeting = {.set = &all, .key = 7};
  CHECK_EQ(weft_am_open(), 0);
  weft_am_register(FILL, (weft_am_handler_t)fill);
  weft_am_register(STAY, (weft_am_handler_t)stay);
  weft_am_register(GO, (weft_am_handler_t)go);
  weft_am_register(NEXT, (weft_am_handler_t)take);
  weft_alive_meet(&meeting);
  if (me == 0) receive();
  WEFT_WAIT_ON(NULL, weft_observe(&goes) || (me != SENDER && me != DEAD));
  if (me == DEAD) send_half();
  for (int i = 0; me == SENDER && i <= WEFT_RING_CELLS - CELLS; i++)
    i == BEHIND ? send(0, WEFT_AM_MEDIUM, STAY, memset(payload, 7, ROOM), ROOM)
                : send(0, WEFT_AM_SHORT, FILL, NULL, 0);
  WEFT_WAIT_ON(NULL, weft_job_has_failed(DEAD));
  memset(payload, 8, ROOM);
  for (int i = 0; me == SENDER && i < MORE; i++) send(0, WEFT_AM_MEDIUM, NEXT, payload, ROOM);
  CHECK_EQ(weft_alive_meet(&meeting).failed, 1);
  weft_runtime_stop();
  return 0;
}
