/*
 * Large messages that arrive while no receive buffer is posted: the provider keeps them, whole,
 * until one is. Argument: the provider.
 */
#include "fabric/fabric.h"

#include <pthread.h>
#include <sched.h>

#include "check.h"

enum { RECEIVES = 4, SIZE = 128 << 10, MANY = 60, PATIENCE = 200 };

static weft_fabric_t fabric;
static weft_endpoint_t a, b;
static char data[MANY][SIZE];
static bool stop;

static void *poll_both(void *arg) {
  (void)arg;
  while (!weft_peek(&stop)) {
    weft_endpoint_poll(&a);
    weft_endpoint_poll(&b);
    sched_yield();
  }
  return NULL;
}

static size_t length(int i) {
  return (size_t)(i % 4 == 3 ? 512 : SIZE >> i % 4);
}

int main(int argc, char **argv) {
  char address[WEFT_ADDRESS_MAX];
  size_t len = sizeof address;
  weft_receive_t *held[MANY];
  fi_addr_t index;
  pthread_t poller;
  int n = 0;
  CHECK_EQ(weft_options_read(), 0);
  weft_fabric_expect(SIZE);
  CHECK_EQ(weft_fabric_find(&fabric, argc > 1 ? argv[1] : "tcp;ofi_rxm", NULL, "auto"), 0);
  CHECK_EQ(weft_fabric_open(&fabric), 0);
  CHECK_EQ(weft_endpoint_open(&a, &fabric, RECEIVES, SIZE, false, 1), 0);
  CHECK_EQ(weft_endpoint_open(&b, &fabric, RECEIVES, SIZE, false, 1), 0);
  CHECK_EQ(weft_endpoint_address(&b, address, &len), 0);
  CHECK_EQ(weft_endpoint_insert(&a, address, &index), 0);
  pthread_create(&poller, NULL, poll_both, NULL);
  for (int i = 0; i < MANY; i++) {
    memset(data[i], i + 1, length(i));
    weft_endpoint_send(&a, index, data[i], length(i), &a.all);
  }
  /* Those that arrive are not given back, until nothing more comes. */
  for (int quiet = 0; quiet < PATIENCE; quiet++) {
    if (n < MANY && (held[n] = weft_endpoint_take(&b))) n++, quiet = 0;
    usleep(1000);
  }
  CHECK(n < MANY);
  for (int i = 0; i < MANY; i++) {
    while (i >= n && !(held[i] = weft_endpoint_take(&b))) sched_yield();
    const int kind = held[i]->data[0] - 1; /* large ones may come later than their successors */
    CHECK(kind >= 0 && kind < MANY);
    CHECK_EQ(held[i]->len, length(kind));
    CHECK(!memcmp(held[i]->data, data[kind], length(kind)));
    data[kind][0] = 0; /* each once */
    weft_endpoint_repost(held[i]);
  }
  while (weft_observe(&a.all.pending)) sched_yield();
  weft_poke(&stop, true);
  pthread_join(poller, NULL);
  weft_endpoint_close(&a);
  weft_endpoint_close(&b);
  weft_fabric_close(&fabric);
  return 0;
}
