/*
 * A sender that is killed in the middle of a message takes no receive buffer with it, however often
 * that happens (src/fabric/receive.c). Where the provider releases a buffer before its messages are
 * complete, nothing is posted again into which one may still arrive. Argument: the provider.
 */
#include <sched.h>
#include <sys/wait.h>

#include "check.h"
#include "fabric/fabric_internal.h"

enum { RECEIVES = 2, LARGE = 48 << 20, SMALL = 1000, DEATHS = 5, BLOCKS = 16, BEGIN = 2048 };

static weft_fabric_t fabric;
static weft_endpoint_t target;
static char address[WEFT_ADDRESS_MAX], *blocks[BLOCKS];
static int nblocks;
static const char *provider;

void *__real_aligned_alloc(size_t align, size_t n);
void *__wrap_aligned_alloc(size_t align, size_t n);
void *__wrap_aligned_alloc(size_t align, size_t n) {
  CHECK(nblocks < BLOCKS);
  return blocks[nblocks++] = __real_aligned_alloc(align, n);
}

static void open_sender(weft_fabric_t *f, weft_endpoint_t *e) {
  fi_addr_t index;
  CHECK_EQ(weft_fabric_find(f, provider, NULL, "auto"), 0);
  CHECK_EQ(weft_fabric_open(f), 0);
  CHECK_EQ(weft_endpoint_open(e, f, RECEIVES, SMALL, false, 1), 0);
  CHECK_EQ(weft_endpoint_insert(e, address, &index), 0);
}

static void send_and_wait(char byte) {
  weft_fabric_t own;
  weft_endpoint_t source;
  weft_op_t op = {0};
  char *data = malloc(LARGE);
  memset(data, byte, LARGE);
  open_sender(&own, &source);
  weft_endpoint_send(&source, 0, data, LARGE, &op);
  for (;;) weft_endpoint_poll(&source);
}

/* Has some of the message come? It is too long to be on its way as a whole. */
static bool has_begun(char byte) {
  weft_endpoint_poll(&target);
  for (int i = 1; i < nblocks; i++)
    if (weft_peek(&blocks[i][BEGIN]) == byte) return true;
  for (size_t i = 0; i < target.nslabs; i++)
    if (weft_peek(&target.slabs[i].data[0]) == byte) return true;
  return false;
}

static void die_in_between(char byte) {
  const pid_t child = fork();
  if (child == 0) send_and_wait(byte);
  CHECK(child > 0);
  CHECK_WITHIN(30, has_begun(byte));
  CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
}

static bool forgive(const weft_endpoint_t *e, uint64_t to, bool failed) {
  (void)e, (void)to;
  return failed;
}

static void check_real(void) {
  static char small[SMALL] = {1};
  weft_fabric_t own;
  weft_endpoint_t source;
  weft_receive_t *r;
  size_t len = sizeof address;
  nblocks = 0;
  CHECK_EQ(weft_fabric_find(&fabric, provider, NULL, "auto"), 0);
  CHECK_EQ(weft_fabric_open(&fabric), 0);
  CHECK_EQ(weft_endpoint_open(&target, &fabric, RECEIVES, LARGE, false, 1), 0);
  CHECK_EQ(weft_endpoint_address(&target, address, &len), 0);
  weft_fabric_forgive(forgive);
  for (int i = 0; i < DEATHS; i++) die_in_between((char)(0x50 + i));
  nblocks = 0;
  open_sender(&own, &source);
  while (!weft_endpoint_try_send(&source, 0, small, 8, NULL)) weft_endpoint_poll(&target);
  CHECK_WITHIN(30, (weft_endpoint_poll(&source), weft_endpoint_poll(&target), target.arrived));
  CHECK((r = weft_endpoint_take(&target)) != NULL);
  CHECK(r->len == 8 && r->data[0] == 1);
  weft_endpoint_repost(r);
  weft_endpoint_close(&source), weft_endpoint_close(&target);
}

/* ---- what a provider tells, made up ---------------------------------------------------------- */

static int posted;
static struct fi_msg posts[BLOCKS];

static ssize_t post(struct fid_ep *ep, const struct fi_msg *message, uint64_t flags) {
  (void)ep, (void)flags;
  CHECK(posted < BLOCKS);
  posts[posted++] = *message;
  return 0;
}

static void arrive(weft_endpoint_t *e, weft_slab_t *slab, size_t at, bool last) {
  weft_slab_event(slab, &(struct fi_cq_data_entry){.flags = FI_RECV | (last ? FI_MULTI_RECV : 0),
                                                   .len = 64,
                                                   .buf = slab->data + at});
  weft_receive_t *r = e->arrived;
  e->arrived = NULL, e->arrived_tail = &e->arrived;
  weft_endpoint_repost(r);
}

/* In a slab with three messages the `broken`-th (0 to 2) is, and the others come in `order`. */
static void check_told(bool early, int broken, const int order[3]) {
  struct fi_ops_msg ops = {.recvmsg = post};
  struct fid_ep receiver = {.msg = &ops};
  const weft_fabric_t f = {.multi_receive = true, .early_release = early, .name = "none"};
  weft_endpoint_t e = {.fabric = &f, .receiver = &receiver};
  e.arrived_tail = &e.arrived;
  posted = nblocks = 0;
  CHECK_EQ(weft_slabs_open(&e, RECEIVES, SMALL), 0);
  CHECK_EQ(posted, 2);
  weft_slab_t *slab = &e.slabs[0];
  bool released = false;
  for (int i = 0; i < 3; i++) {
    /* Who says so: early, the last one in memory; else, the last one in time. */
    const bool last = early ? order[i] == 2 : i == 2;
    released |= last;
    if (order[i] == broken)
      weft_slab_break(slab, FI_RECV | (last ? FI_MULTI_RECV : 0));
    else
      arrive(&e, slab, (size_t)order[i] * 64, last);
    if (!released || (early && !slab->broken)) CHECK_EQ(posted, 2);
  }
  CHECK_EQ(posted, 3); /* once, and where nothing may still arrive */
  CHECK_EQ(posts[2].context != &slab->op, early);
  weft_slabs_close(&e);
}

int main(int argc, char **argv) {
  static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  CHECK_EQ(argc, 2);
  provider = argv[1];
  CHECK_EQ(weft_options_read(), 0);
  for (int i = 0; i < 6 * 3; i++) {
    check_told(false, i % 3, orders[i / 3]);
    check_told(true, i % 3, orders[i / 3]);
  }
  check_real();
  return 0;
}
