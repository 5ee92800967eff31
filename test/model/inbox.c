/*
 * The inbox's rings under a weak memory model: what is published is whole, nothing is lost or comes
 * twice, a slot is written again only when it was read; and a barrier that is missing is found.
 * test: unit
 */
#include "am/inbox.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "model.h"

/* PAYLOAD takes two cells; RUN: messages per drain. */
enum { PAYLOAD = 96, LONG_PAYLOAD = 300, FULL = 32, RUN = 16 };

/* One process's copies of the functions. */
typedef struct process {
  int (*open)(void);
  void (*close)(void);
  void (*enroll)(int index, weft_am_handler_t handler);
  int (*drain)(void);
  bool (*small)(uintptr_t rings, int pe, enum weft_am_category category, int handler, int nargs,
                const int32_t *args, const void *payload, size_t n, uint64_t dest);
  bool (*post)(int slot, enum weft_lane lane, bool helper, weft_message_t *m);
  const struct weft_am_direct *direct;
} process_t;

static process_t processes[3];
static int arrived, senders, before;
static int32_t expected[3];
static int64_t places[2]; /* where Longs belong */

static void on_message(weft_token_t *token, void *payload, size_t n, int32_t a) {
  const char *bytes = payload;
  MODEL_CHECK(a == expected[token->from]++);
  MODEL_CHECK(bytes[0] == (char)a && bytes[n - 1] == (char)a);
  arrived++;
}

static void on_long(weft_token_t *token, void *payload, size_t n, int32_t a) {
  MODEL_CHECK(a == expected[token->from]++);
  MODEL_CHECK(payload == &places[a] && n == sizeof places[a] && places[a] == a + 1);
  arrived++;
}

static bool send(int t, int32_t a) {
  char payload[PAYLOAD];
  memset(payload, a, sizeof payload);
  return processes[t].small(processes[t].direct->requests, 0, WEFT_AM_MEDIUM, 200, 1, &a, payload,
                            sizeof payload, 0);
}

static void begin(void) {
  memset(expected, 0, sizeof expected);
  memset(places, 0, sizeof places);
  for (int t = 0; t <= senders; t++) {
    processes[t].close();
    CHECK(processes[t].open() == 0);
    processes[t].enroll(200, (weft_am_handler_t)on_message);
    processes[t].enroll(201, (weft_am_handler_t)on_long);
  }
  for (int i = 0; i < before; i++) CHECK(send(1, i));
  arrived = 0;
}

/* Thread 0 receives, the others send. */
static void receive_all(int messages) {
  while (arrived < messages)
    if (!processes[0].drain()) model_wait(true);
}

static void two_messages(int t) {
  if (t == 0) {
    receive_all(2);
    return;
  }
  for (int32_t a = 0; a < 2; a++)
    while (!send(t, a)) model_wait(false);
}

static void one_each(int t) {
  if (t == 0)
    receive_all(2);
  else
    while (!send(t, 0)) model_wait(false);
}

/* The ring is full: the sender's message waits for slots that the receiver frees. */
static void full_ring(int t) {
  if (t == 0)
    receive_all(RUN);
  else
    while (!send(1, before)) model_wait(false);
}

/* A payload in a buffer of the sender's pool, and the buffer back. */
static void buffered(int t) {
  char payload[LONG_PAYLOAD];
  if (t == 0) {
    receive_all(2);
    return;
  }
  for (int32_t a = 0; a < 2; a++) {
    memset(payload, a, sizeof payload);
    weft_message_t m = {.from = 1,
                        .category = WEFT_AM_MEDIUM,
                        .handler = 200,
                        .nargs = 1,
                        .args = &a,
                        .payload = payload,
                        .n = sizeof payload};
    while (!processes[1].post(0, WEFT_REQUESTS, false, &m)) model_wait(false);
  }
}

/* Longs that travel in a cell: the receiver stores them. The second goes the longer way round. */
static void longs(int t) {
  if (t == 0) {
    receive_all(2);
    return;
  }
  for (int32_t a = 0; a < 2; a++) {
    const int64_t payload = a + 1;
    const uint64_t dest = (uintptr_t)&places[a];
    weft_message_t m = {.from = 1,
                        .category = WEFT_AM_LONG,
                        .handler = 201,
                        .nargs = 1,
                        .args = &a,
                        .payload = &payload,
                        .n = sizeof payload,
                        .dest = dest,
                        .at = &places[a]};
    while (a ? !processes[1].post(0, WEFT_REQUESTS, false, &m)
             : !processes[1].small(processes[1].direct->requests, 0, WEFT_AM_LONG, 201, 1, &a,
                                   &payload, sizeof payload, dest))
      model_wait(false);
  }
}

/* New copies of the library, so that nothing is left of an exploration that found something. */
static void open_processes(const char *library) {
  static char *window;
  model_load(library);
  const size_t stride = ((size_t (*)(void))model_symbol(0, "weft_inbox_size"))();
  if (!window) {
    window = calloc(3, stride);
    model_share(window, 3 * stride);
  }
  memset(window, 0, 3 * stride);
  for (int t = 0; t < 3; t++) {
    process_t *p = &processes[t];
    ((void (*)(int, int, void *, size_t))model_symbol(t, "model_process"))(t, 3, window, stride);
    p->open = model_symbol(t, "weft_inbox_open");
    p->close = model_symbol(t, "weft_inbox_close");
    p->enroll = model_symbol(t, "weft_inbox_register");
    p->drain = model_symbol(t, "weft_inbox_drain");
    p->small = model_symbol(t, "weft_inbox_post_small");
    p->post = model_symbol(t, "weft_inbox_post");
    p->direct = model_symbol(t, "weft_am_direct");
  }
}

static void explore(const char *library, const char *name, int threads, int fill,
                    void (*thread)(int)) {
  const model_scenario_t scenario = {name, threads, 4, begin, thread, NULL};
  senders = threads - 1;
  before = fill;
  open_processes(library);
  const long n = model_explore(&scenario, MODEL_AS_IT_IS, 100000, true);
  CHECK(n > 1);
  printf("%s: %ld executions\n", name, n);
  open_processes(library);
  CHECK(model_explore(&scenario, MODEL_NO_RELEASE, 100000, false) == -1);
  open_processes(library);
  CHECK(model_explore(&scenario, MODEL_NO_ACQUIRE, 100000, false) == -1);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  explore(argv[1], "two messages of two slots", 2, 0, two_messages);
  explore(argv[1], "a message from each of two", 3, 0, one_each);
  explore(argv[1], "a full ring", 2, FULL, full_ring);
  explore(argv[1], "payloads in buffers", 2, 0, buffered);
  explore(argv[1], "longs in a cell", 2, 0, longs);
  return 0;
}
