/*
 * Many endpoints send one small message each to one whose receive buffers are all full. It has
 * more such connections than buffers, and when the buffers are posted again, every message
 * arrives: nobody has to send another one first. (libfabric before 1.18.1 goes on with one
 * connection per buffer that is posted: src/fabric/looks.c.) Argument: the provider.
 */
#include "fabric/fabric.h"

#include <pthread.h>
#include <sched.h>

#include "check.h"

enum { RECEIVES = 16, SIZE = 8192, SMALLS = 24 };
#define SHORT_NS 500000000ull
#define LONG_NS 30000000000ull

static weft_fabric_t fabric;
static weft_endpoint_t target, filler, source[SMALLS];
static bool over;

static void *serve(void *arg) {
  (void)arg;
  while (!weft_observe(&over))
    if (!weft_endpoint_poll(&target)) sched_yield();
  return NULL;
}

static void open_sender(weft_endpoint_t *e, const char *address) {
  fi_addr_t index;
  CHECK_EQ(weft_endpoint_open(e, &fabric, RECEIVES, SIZE, false, 1), 0);
  CHECK_EQ(weft_endpoint_insert(e, address, &index), 0);
}

/* The messages that have come, in front of `list`, until there are `most` or time is over. */
static int receive(weft_receive_t **list, int most, uint64_t ns) {
  const uint64_t end = weft_clock_ns() + ns;
  int n = 0;
  while (n < most && weft_clock_ns() < end) {
    if (!weft_endpoint_poll(&filler)) sched_yield();
    for (int i = 0; i < SMALLS; i++) weft_endpoint_poll(&source[i]);
    for (weft_receive_t *r; (r = weft_endpoint_take(&target)); n++) {
      r->next = *list;
      *list = r;
    }
  }
  return n;
}

static void give_back(weft_receive_t *list) {
  for (weft_receive_t *r; (r = list);) {
    list = r->next;
    weft_endpoint_repost(r);
  }
}

int main(int argc, char **argv) {
  static char small[16], large[SIZE];
  char address[WEFT_ADDRESS_MAX];
  size_t len = sizeof address;
  weft_op_t op = {0};
  weft_receive_t *first = NULL, *held = NULL;
  pthread_t server;
  CHECK_EQ(argc, 2);
  CHECK_EQ(weft_options_read(), 0);
  CHECK_EQ(weft_fabric_find(&fabric, argv[1], NULL, "auto"), 0);
  CHECK_EQ(weft_fabric_open(&fabric), 0);
  CHECK_EQ(weft_endpoint_open(&target, &fabric, RECEIVES, SIZE, false, 1), 0);
  CHECK_EQ(weft_endpoint_address(&target, address, &len), 0);
  CHECK_EQ(pthread_create(&server, NULL, serve, NULL), 0);
  open_sender(&filler, address);
  for (int i = 0; i < SMALLS; i++) {
    open_sender(&source[i], address);
    weft_endpoint_inject(&source[i], 0, small, sizeof small);
  }
  CHECK_EQ(receive(&first, SMALLS, LONG_NS), SMALLS); /* all are connected */
  give_back(first);
  int sent = 0, came = 0;
  for (int now = 1; now; sent++, came += now) { /* until one finds no buffer */
    weft_endpoint_send(&filler, 0, large, sizeof large, &op);
    now = receive(&held, 1, SHORT_NS);
    CHECK(sent < 4 * RECEIVES);
  }
  CHECK(came > 0);
  for (int i = 0; i < SMALLS; i++) weft_endpoint_inject(&source[i], 0, small, sizeof small);
  first = NULL;
  came += receive(&first, 1, SHORT_NS); /* and each of these has none, either */
  give_back(held);
  came += receive(&first, sent + SMALLS - came, LONG_NS);
  CHECK_EQ(came, sent + SMALLS);
  give_back(first);
  CHECK_EQ(weft_observe(&op.pending), 0);
  weft_publish(&over, true);
  pthread_join(server, NULL);
  for (int i = 0; i < SMALLS; i++) weft_endpoint_close(&source[i]);
  weft_endpoint_close(&filler);
  weft_endpoint_close(&target);
  weft_fabric_close(&fabric);
  return 0;
}
