/*
 * What the threads of marks.c run: the first channel of a job of two nodes, whose network keeps
 * writes and reads to a node in order and answers a read whenever somebody polls.
 */
#include <stdlib.h>

#include "model.h"
#include "rma/rma_internal.h"

enum { NODES = 2, READS = 16 };

weft_job_t weft_job;
weft_options_t weft_options;
weft_wire_t weft_wire;
weft_channel_t weft_channels[WEFT_CHANNELS_MAX];

/* The network knows all at once: only what is in `shared` goes by the weak memory. */
static struct {
  int written[NODES], landed[NODES]; /* writes to a node, posted and known to be there */
  struct {
    int node, covers;
  } reads[READS]; /* posted, and not answered */
  int nreads;
} network;
static struct {
  uint64_t dirty;
  uint32_t bell; /* changes with the network: what looks at it depends on what changes it */
} *shared;
static int leaders[NODES] = {0, 1};
static uint64_t nothing_open;

static void ring(void) {
  __atomic_fetch_add(&shared->bell, 1, __ATOMIC_RELAXED);
}

/* What is written is the address where the writer wants to know which write of the node's it was.
 */
static ssize_t write_to(struct fid_ep *ep, const void *buf, size_t len, fi_addr_t node,
                        uint64_t addr, uint64_t key) {
  (void)ep, (void)len, (void)addr, (void)key;
  ring();
  **(int *const *)buf = ++network.written[node];
  return 0;
}

static ssize_t read_from(struct fid_ep *ep, const struct fi_msg_rma *message, uint64_t flags) {
  (void)ep, (void)flags;
  const int node = (int)message->addr;
  ring();
  if (network.nreads == READS) weft_fatal("too many reads");
  network.reads[network.nreads].node = node;
  network.reads[network.nreads++].covers = network.written[node];
  return 0;
}

/* One read is answered, if there is one. */
static bool answer(void) {
  (void)weft_peek(&shared->bell);
  if (!network.nreads) return false;
  const int node = network.reads[0].node, covers = network.reads[0].covers;
  for (int i = 1; i < network.nreads; i++) network.reads[i - 1] = network.reads[i];
  network.nreads--;
  if (network.landed[node] < covers) network.landed[node] = covers;
  __atomic_fetch_sub(&weft_job.endpoint.all.pending, 1, __ATOMIC_RELEASE);
  return true;
}

/* `memory`: room for `shared`. Returns what else the threads share, *n bytes. */
WEFT_API void *model_network(void *memory, size_t *n);
void *model_network(void *memory, size_t *n) {
  static char *tables;
  if (!tables) tables = calloc(1, WEFT_KEYS_BELOW + 64);
  shared = memory;
  weft_job.disp = (uintptr_t *)(void *)(tables + WEFT_KEYS_BELOW);
  weft_job.where = (weft_where_t *)(void *)(tables + WEFT_KEYS_BELOW - WEFT_WHERE_BELOW);
  weft_job.where[1].node = 1;
  weft_job.keys = (uint64_t *)(void *)tables;
  weft_job.leader = leaders;
  weft_job.npes = weft_job.nnodes = NODES;
  weft_wire = (weft_wire_t){.inject_write = write_to,
                            .readmsg = read_from,
                            .where = weft_job.where,
                            .dirty = &shared->dirty};
  weft_channels[0] = (weft_channel_t){
      .endpoint = &weft_job.endpoint, .dirty = &shared->dirty, .open = &nothing_open, .words = 1};
  weft_quiet_start();
  *n = sizeof weft_job.endpoint.all.pending;
  return &weft_job.endpoint.all.pending;
}

WEFT_API void model_forget(void);
void model_forget(void) {
  __builtin_memset(&network, 0, sizeof network);
  shared->dirty = shared->bell = 0;
  weft_job.endpoint.all.pending = 0;
}

/* Put to the nodes of `nodes` (a bit each) and quiet: then all of it must be there. */
WEFT_API void model_put_and_quiet(unsigned nodes);
void model_put_and_quiet(unsigned nodes) {
  int mine[NODES] = {0};
  for (int node = 0; node < NODES; node++)
    if (nodes >> node & 1) weft_p8_flush(NULL, (uintptr_t)&mine[node], node, weft_job.disp, 0);
  weft_quiet_flush();
  for (int node = 0; node < NODES; node++) MODEL_CHECK(network.landed[node] >= mine[node]);
}

/* ---- layers below ---------------------------------------------------------------------------- */

void weft_op_wait_on(const weft_channel_t *c, const weft_op_t *op) {
  (void)c;
  while (weft_observe(&op->pending))
    if (!answer()) model_wait(false);
}
bool weft_endpoint_try_probe(weft_endpoint_t *e, const struct fi_msg_rma *message) {
  __atomic_fetch_add(&e->all.pending, 1, __ATOMIC_RELAXED);
  return read_from(NULL, message, 0) == 0;
}
bool weft_endpoint_again(weft_endpoint_t *e, ssize_t rc, const char *what, uint64_t to) {
  (void)e, (void)rc, (void)what, (void)to;
  weft_fatal("this network always has room");
}
void weft_endpoint_check_written(weft_endpoint_t *e, ssize_t rc, uint64_t to) {
  (void)e, (void)rc, (void)to;
  weft_fatal("this network always has room");
}
int weft_endpoint_poll(weft_endpoint_t *e) {
  (void)e;
  return answer();
}
void weft_wait_step(weft_wait_t *wait) {
  (void)wait;
  if (!answer()) model_wait(false);
}
void weft_stage_quiet(weft_channel_t *c) { /* nothing is staged */
  (void)c;
}
void weft_stage_flush(weft_channel_t *c) {
  (void)c;
}
void weft_order_fence(weft_channel_t *c) {
  (void)c;
}
void weft_rma_quiet_on(long on) {
  weft_quiet_flush_on(on);
}
void weft_fatal(const char *format, ...) {
  model_failed("weft_fatal", 0, format);
  __builtin_unreachable();
}
/* For providers that count writes, and dead nodes. */
uint32_t weft_job_changes(void) {
  return 0;
}
uint64_t weft_clock_ns(void) {
  return 0;
}
bool weft_lost_for_good(void) {
  return false;
}
bool weft_lost_runs(int node) {
  return node >= 0;
}
void weft_endpoint_give_up(weft_endpoint_t *e, uint64_t posted) {
  (void)e, (void)posted;
  weft_fatal("this network loses nothing");
}
