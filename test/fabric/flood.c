/*
 * Two endpoints flood a third with messages of every size up to the largest; it keeps some and
 * gives them back in another order. Every message arrives once, whole, and in order of its sender
 * (not over sockets: where messages wait for a buffer, sock_pe_progress_buffered_rx of libfabric
 * 1.17 may go on in the middle of them). In the end every receive buffer is posted again. (A
 * buffer's release may be told before its last message: src/fabric/receive.c.) Arguments: the
 * provider, and "single" for one message per buffer.
 */
#include "fabric/fabric.h"

#include <pthread.h>
#include <sched.h>

#include "check.h"

enum { RECEIVES = 16, SIZE = 8192, MESSAGES = 6000, SENDERS = 2, WINDOW = 32, KEEP = 8 };

typedef struct message {
  uint32_t sender, number, bytes, unused;
  unsigned char fill[SIZE - 16];
} message_t;

static weft_fabric_t fabric;
static weft_endpoint_t target, source[SENDERS];
static bool ordered, seen[SENDERS][MESSAGES];

static void open_all(void) {
  char address[WEFT_ADDRESS_MAX];
  size_t len = sizeof address;
  fi_addr_t index;
  CHECK_EQ(weft_endpoint_open(&target, &fabric, RECEIVES, SIZE, false, 1), 0);
  CHECK_EQ(weft_endpoint_address(&target, address, &len), 0);
  for (int i = 0; i < SENDERS; i++) {
    CHECK_EQ(weft_endpoint_open(&source[i], &fabric, RECEIVES, SIZE, false, 1), 0);
    CHECK_EQ(weft_endpoint_insert(&source[i], address, &index), 0);
  }
}

/* Mostly tiny, some of any size, some the largest. */
static size_t size_of(unsigned *seed) {
  const unsigned dice = (unsigned)rand_r(seed) % 8;
  const size_t any = 16 + (size_t)rand_r(seed) % ((SIZE - 16) / 8 + 1) * 8;
  return dice < 5 ? 16 + 8 * dice : dice == 5 ? SIZE : any;
}

static void *send_all(void *arg) {
  const uint32_t me = (uint32_t)(size_t)arg;
  weft_endpoint_t *e = &source[me];
  weft_op_t op[WINDOW] = {{0}};
  message_t *buffer = calloc(WINDOW, sizeof *buffer);
  unsigned seed = me + 1;
  CHECK(buffer != NULL);
  for (uint32_t i = 0; i < MESSAGES; i++) {
    message_t *m = &buffer[i % WINDOW];
    while (weft_observe(&op[i % WINDOW].pending))
      if (!weft_endpoint_poll(e)) sched_yield();
    *m = (message_t){.sender = me, .number = i, .bytes = (uint32_t)size_of(&seed)};
    memset(m->fill, (int)(i + me), m->bytes - 16);
    if (m->bytes <= e->inject_max)
      weft_endpoint_inject(e, 0, m, m->bytes);
    else
      weft_endpoint_send(e, 0, m, m->bytes, &op[i % WINDOW]);
  }
  for (int i = 0; i < WINDOW; i++)
    while (weft_observe(&op[i].pending))
      if (!weft_endpoint_poll(e)) sched_yield();
  free(buffer);
  return NULL;
}

static void expect(const weft_receive_t *r, uint32_t next[SENDERS]) {
  const message_t *m = (const message_t *)r->data;
  CHECK_EQ((uintptr_t)m % 8, 0);
  CHECK(r->len >= 16 && m->sender < SENDERS);
  if (ordered) CHECK_EQ(m->number, next[m->sender]++);
  CHECK(m->number < MESSAGES && !seen[m->sender][m->number]);
  seen[m->sender][m->number] = true;
  CHECK_EQ(m->bytes, r->len);
  for (size_t i = 0; i < r->len - 16; i++)
    if (m->fill[i] != (unsigned char)(m->number + m->sender)) CHECK_EQ(m->fill[i], m->number);
}

static void give_back(weft_receive_t **kept) {
  if (*kept) weft_endpoint_repost(*kept);
  *kept = NULL;
}

static void receive_all(void) {
  uint32_t next[SENDERS] = {0};
  weft_receive_t *kept[KEEP] = {NULL}, *r;
  unsigned seed = 99, idle = 0;
  for (int left = SENDERS * MESSAGES; left > 0;) {
    if (!weft_endpoint_poll(&target)) sched_yield();
    /* What is kept may hold up all buffers. */
    for (int i = 0; ++idle > 100 && i < KEEP; i++) give_back(&kept[i]);
    for (; (r = weft_endpoint_take(&target)); left--, idle = 0) {
      const int place = rand_r(&seed) % KEEP;
      expect(r, next);
      give_back(&kept[place]);
      kept[place] = r;
    }
    if (rand_r(&seed) % 50 == 0) usleep(500);
  }
  for (int i = 0; i < KEEP; i++) give_back(&kept[i]);
}

int main(int argc, char **argv) {
  pthread_t thread[SENDERS];
  CHECK(argc >= 2);
  if (argc > 2) setenv("WEFT_DEBUG", "multi_recv=0", 1);
  CHECK_EQ(weft_options_read(), 0);
  weft_slice_set(100000); /* what its threads give up when they yield */
  CHECK_EQ(weft_fabric_find(&fabric, argv[1], NULL, "auto"), 0);
  CHECK_EQ(weft_fabric_open(&fabric), 0);
  CHECK_EQ(fabric.multi_receive, argc == 2);
  ordered = strcmp(fabric.name, "sockets") != 0;
  open_all();
  const int slabs = weft_fabric_is_stream(fabric.name) ? 16 : 4;
  CHECK_EQ(target.nslabs, argc == 2 ? slabs : RECEIVES);
  for (size_t i = 0; i < SENDERS; i++) pthread_create(&thread[i], NULL, send_all, (void *)i);
  receive_all();
  for (int i = 0; i < SENDERS; i++) pthread_join(thread[i], NULL);
  for (int i = 0; target.deferred && i < 1000; i++) weft_endpoint_poll(&target);
  CHECK(!target.deferred);
  for (size_t i = 0; i < target.nslabs; i++) CHECK_EQ(target.slabs[i].holders, 1);
  weft_endpoint_close(&target);
  for (int i = 0; i < SENDERS; i++) weft_endpoint_close(&source[i]);
  weft_fabric_close(&fabric);
  return 0;
}
