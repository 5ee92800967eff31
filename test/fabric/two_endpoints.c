/*
 * Two endpoints in one process, no job, no window: messages, writes, reads, back-pressure from a
 * target that is slow, and what a wrong provider name says. Argument: the provider.
 */
#include "fabric/fabric.h"

#include <pthread.h>
#include <sched.h>

#include "check.h"

enum { RECEIVES = 8, SIZE = 4096, MANY = 5000, REGION = 1 << 20 };

static weft_fabric_t fabric;
static weft_endpoint_t a, b;
static char region[REGION], source[REGION], copy[REGION];

static void open_both(const char *provider) {
  char address[WEFT_ADDRESS_MAX];
  weft_endpoint_t *both[2] = {&a, &b};
  CHECK_EQ(weft_fabric_find(&fabric, provider, NULL, "auto"), 0);
  CHECK_EQ(weft_fabric_open(&fabric), 0);
  CHECK_STR(fabric.name, provider);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(weft_endpoint_open(both[i], &fabric, RECEIVES, SIZE, i == 0, 1), 0);
  for (int i = 0; i < 2; i++) { /* addresses are numbered in order: 0 is a, 1 is b, for both */
    for (int j = 0; j < 2; j++) {
      size_t len = sizeof address;
      fi_addr_t index;
      CHECK_EQ(weft_endpoint_address(both[j], address, &len), 0);
      CHECK_EQ(weft_endpoint_insert(both[i], address, &index), 0);
      CHECK_EQ(index, j);
    }
  }
}

/* Connections are made by both sides: somebody has to poll the target while the source posts. */
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
static weft_receive_t *next_message(weft_endpoint_t *e) {
  weft_receive_t *r;
  while (!(r = weft_endpoint_take(e))) sched_yield();
  return r;
}
static void wait_for(weft_op_t *op) {
  while (weft_observe(&op->pending)) sched_yield();
}

static void expect_message(weft_endpoint_t *e, const char *data, size_t len) {
  weft_receive_t *r = next_message(e);
  CHECK_EQ(r->len, len);
  CHECK(memcmp(r->data, data, len) == 0);
  weft_endpoint_repost(r);
}

static void *slow_target(void *arg) {
  (void)arg;
  for (int i = 0; i < MANY; i++) {
    weft_receive_t *r = next_message(&b);
    CHECK_EQ(r->len, sizeof i);
    CHECK(memcmp(r->data, &i, sizeof i) == 0);
    if (i % 500 == 0) usleep(20000);
    weft_endpoint_repost(r);
  }
  return NULL;
}

static void messages(void) {
  weft_op_t op = {0};
  weft_endpoint_inject(&a, 1, "hello", 5);
  expect_message(&b, "hello", 5);
  weft_endpoint_send(&b, 0, source, SIZE, &op);
  expect_message(&a, source, SIZE);
  wait_for(&op);
  pthread_t thread; /* many more than receive buffers, in order, to somebody who takes naps */
  CHECK_EQ(pthread_create(&thread, NULL, slow_target, NULL), 0);
  for (int i = 0; i < MANY; i++) weft_endpoint_inject(&a, 1, &i, sizeof i);
  pthread_join(thread, NULL);
}

static void remote_memory(void) {
  weft_op_t op = {0};
  uint64_t key = 5;
  CHECK_EQ(weft_endpoint_register(&b, region, REGION, &key), 0);
  if (!fabric.provider_keys) CHECK_EQ(key, 5);
  uint64_t base = fabric.virtual_addresses ? (uint64_t)(uintptr_t)region : 0;
  weft_endpoint_inject_write(&a, 1, "12345678", 8, base + 16, key);
  weft_endpoint_write(&a, 1, source + 1000, REGION - 1000, base + 1000, key, &op);
  wait_for(&op);
  weft_endpoint_read(&a, 1, copy, REGION, base, key, &op); /* behind the writes: it sees them */
  wait_for(&op);
  CHECK(memcmp(region + 16, "12345678", 8) == 0);
  CHECK(memcmp(region + 1000, source + 1000, REGION - 1000) == 0);
  CHECK(memcmp(copy, region, REGION) == 0);
}

/* Contexts of one endpoint: what is sent to one arrives there, and each counts its own. */
static void several_contexts(void) {
  weft_endpoint_t main_one, other;
  weft_endpoint_t *both[2] = {&main_one, &other};
  char address[WEFT_ADDRESS_MAX];
  size_t len = sizeof address;
  fi_addr_t target, here;
  weft_op_t op = {0};
  if (fabric.contexts < 2) return;
  CHECK_EQ(weft_endpoint_open(&main_one, &fabric, RECEIVES, SIZE, false, 2), 0);
  CHECK_EQ(weft_endpoint_open_context(&other, &main_one, 1), 0);
  CHECK_EQ(weft_endpoint_address(&b, address, &len), 0);
  CHECK_EQ(weft_endpoint_insert(&main_one, address, &target), 0);
  len = sizeof address;
  CHECK_EQ(weft_endpoint_address(&main_one, address, &len), 0);
  CHECK_EQ(weft_endpoint_insert(&b, address, &here), 0);
  for (int i = 0; i < 2; i++) {
    weft_endpoint_inject(&b, weft_endpoint_context_index(here, i), i ? "one" : "nil", 3);
    while (!weft_peek(&both[i]->arrived)) weft_endpoint_poll(both[i]);
    CHECK(!weft_endpoint_take(both[!i]));
    expect_message(both[i], i ? "one" : "nil", 3);
    weft_endpoint_inject(both[i], target, "back", 4);
    while (!weft_peek(&b.arrived)) weft_endpoint_poll(both[i]);
    expect_message(&b, "back", 4);
    memset(copy, 0, 100);
    weft_endpoint_read(both[i], target, copy, 100, 1000, 5, &op);
    while (weft_observe(&op.pending)) weft_endpoint_poll(both[i]);
    CHECK(memcmp(copy, region + 1000, 100) == 0);
  }
  weft_endpoint_close(&other);
  weft_endpoint_close(&main_one);
}

int main(int argc, char **argv) {
  weft_fabric_t none;
  CHECK(argc == 2 && weft_options_read() == 0);
  weft_slice_set(100000); /* what its threads give up when they yield */
  CHECK_EQ(weft_fabric_find(&none, "pigeon", NULL, "auto"), -ENODEV);
  for (int i = 0; i < REGION; i++) source[i] = (char)(i * 7 + i / 256);
  open_both(argv[1]);
  pthread_t poller;
  CHECK_EQ(pthread_create(&poller, NULL, poll_both, NULL), 0);
  messages();
  remote_memory();
  several_contexts();
  weft_poke(&stop, true);
  pthread_join(poller, NULL);
  weft_endpoint_close(&a);
  weft_endpoint_close(&b);
  weft_fabric_close(&fabric);
  return 0;
}
