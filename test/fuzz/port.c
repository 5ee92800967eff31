/*
 * The port and the inbox: any packets of members of the job to a node of two PEs, which an endpoint
 * of this process seems to have received. An input is a list of messages, two bytes of length each;
 * the packet's token is made right, and its length too unless the highest bit of that says not to.
 *
 * What packets may write to is followed by memory that nobody may touch. What the runtime keeps in
 * a slot stands behind that: a member of the job that writes there by a put is trusted.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "am/am_internal.h"
#include "flow/flow.h"
#include "fuzz.h"
#include "port/port_internal.h"

enum {
  PES = 4,
  NODES = 2,
  PAGE = 4096,
  END = 16 * PAGE, /* of what packets may touch; the first page they may only read */
  OURS = 1 << 20,  /* where the runtime's part begins */
  STRIDE = 1 << 23,
  MESSAGE_MAX = 4096,
  WRONG_LENGTH = 0x8000,
  ADDRESSES = 1000
};

/* ---- the endpoint ---------------------------------------------------------------------------- */

static struct {
  const uint8_t *next, *end;
  _Alignas(16) char data[16][MESSAGE_MAX]; /* of as many as the server takes at a time */
  weft_receive_t receives[16];
  unsigned taken;
} wire;

weft_receive_t *__wrap_weft_endpoint_take(weft_endpoint_t *e);
void __wrap_weft_endpoint_repost(weft_receive_t *r);
int __wrap_weft_endpoint_poll(weft_endpoint_t *e);
void __wrap_weft_endpoint_inject(weft_endpoint_t *e, uint64_t to, const void *data, size_t n);
void __wrap_weft_endpoint_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t n,
                               weft_op_t *op);
void __wrap_weft_endpoint_deliver(weft_endpoint_t *e, uint64_t to, const void *data, size_t n,
                                  uint64_t at, uint64_t key, weft_op_t *op);
int __wrap_weft_endpoint_insert(weft_endpoint_t *e, const void *address, fi_addr_t *index);

weft_receive_t *__wrap_weft_endpoint_take(weft_endpoint_t *e) {
  (void)e;
  if (wire.end - wire.next < 2) return NULL;
  const unsigned head = wire.next[0] | (unsigned)wire.next[1] << 8;
  size_t n = head & (MESSAGE_MAX - 1);
  wire.next += 2;
  if (n > (size_t)(wire.end - wire.next)) n = (size_t)(wire.end - wire.next);
  const unsigned i = wire.taken++ % 16;
  char *at = wire.data[i] + MESSAGE_MAX - weft_round_up(n, 8); /* what is behind is not its own */
  memset(wire.data[i], 0, MESSAGE_MAX);
  memcpy(at, wire.next, n);
  wire.next += n;
  if (n >= sizeof(weft_packet_t)) {
    weft_packet_t *packet = (weft_packet_t *)at;
    packet->token = weft_job.token;
    if (!(head & WRONG_LENGTH)) packet->bytes = (uint32_t)n;
  }
  wire.receives[i] = (weft_receive_t){.len = n, .data = at};
  return &wire.receives[i];
}

void __wrap_weft_endpoint_repost(weft_receive_t *r) {
  (void)r;
}

int __wrap_weft_endpoint_poll(weft_endpoint_t *e) {
  (void)e;
  return 0;
}

/* Answers are whole packets of this job, to somebody whose address is known. */
static void sent(uint64_t to, const void *data, size_t n) {
  weft_packet_t packet;
  FUZZ_CHECK(n >= sizeof packet && n <= MESSAGE_MAX && to != FI_ADDR_NOTAVAIL);
  memcpy(&packet, data, sizeof packet);
  FUZZ_CHECK(packet.bytes == n && packet.token == weft_job.token);
}

void __wrap_weft_endpoint_inject(weft_endpoint_t *e, uint64_t to, const void *data, size_t n) {
  FUZZ_CHECK(e == weft_job.port);
  sent(to, data, n);
}

void __wrap_weft_endpoint_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t n,
                               weft_op_t *op) {
  FUZZ_CHECK(e == weft_job.port);
  sent(to, data, n);
  op->done(op, n);
}

void __wrap_weft_endpoint_deliver(weft_endpoint_t *e, uint64_t to, const void *data, size_t n,
                                  uint64_t at, uint64_t key, weft_op_t *op) {
  (void)e, (void)data, (void)key, (void)op;
  FUZZ_CHECK(to < NODES && n <= END && at % STRIDE <= END - n);
}

int __wrap_weft_endpoint_insert(weft_endpoint_t *e, const void *address, fi_addr_t *index) {
  static char sink[WEFT_ADDRESS_MAX];
  (void)e;
  memcpy(sink, address, sizeof sink); /* it is all there */
  *index = ADDRESSES;
  return 0;
}

/* ---- what layers above add ------------------------------------------------------------------- */

static uint64_t seen;

/* The payload of a MEDIUM lies in the inbox. Arguments of the others are numbers. */
static void handler(weft_token_t *token, const unsigned char *payload, size_t n) {
  FUZZ_CHECK(token->from < PES && token->nargs <= WEFT_AM_ARGS_MAX && token->handler != 0);
  if (token->category != WEFT_AM_MEDIUM) return;
  for (size_t i = 0; i < n; i++) seen += payload[i];
}

static bool service(char *object, const weft_call_t *call, uint64_t *result) {
  const unsigned char *data = call->data;
  for (size_t i = 0; i < call->n; i++) seen += data[i];
  *result = seen + (uint64_t)(uintptr_t)object;
  return true;
}

static size_t answers(int slot, int from, const void *request, size_t n, void *answer) {
  FUZZ_CHECK(slot < weft_job.nslots && from < PES);
  for (size_t i = 0; i < n; i++) seen += ((const unsigned char *)request)[i];
  memset(answer, 1, weft_stage_ask_max());
  return weft_stage_ask_max();
}

/* ---- the job --------------------------------------------------------------------------------- */

static void *pages(size_t n) {
  void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                 0);
  FUZZ_CHECK(p != MAP_FAILED);
  return p;
}

static void make_window(void) {
  char *memory = pages((weft_job.nslots + 1) * (size_t)STRIDE);
  weft_job.window.base = (uintptr_t)memory - STRIDE;
  weft_job.window.nslots = weft_job.nslots;
  weft_job.window.layout = (weft_layout_t){.statics = PAGE,
                                           .static_size = PAGE,
                                           .runtime = 2 * PAGE,
                                           .runtime_size = PAGE,
                                           .heap = 3 * PAGE,
                                           .heap_limit = END - 3 * PAGE,
                                           .private_heap = END,
                                           .global = END,
                                           .stride = STRIDE};
  weft_job.layout.message_max = MESSAGE_MAX;
  weft_job.layout.channels = 4;
  weft_job.layout.shared = OURS;
  weft_job.layout.inbox = OURS + (1 << 16);
  FUZZ_CHECK(sizeof(weft_shared_t) <= 1 << 16);
  FUZZ_CHECK(OURS + (1 << 16) + weft_inbox_size() < STRIDE - PAGE);
  for (int slot = 0; slot < weft_job.nslots; slot++) {
    char *at = weft_window_slot(&weft_job.window, slot);
    FUZZ_CHECK(mprotect(at, PAGE, PROT_READ) == 0);
    FUZZ_CHECK(mprotect(at + END, OURS - END, PROT_NONE) == 0);
    FUZZ_CHECK(mprotect(at + STRIDE - PAGE, PAGE, PROT_NONE) == 0);
  }
}

static void make_job(void) {
  static weft_endpoint_t port = {.inject_max = 64};
  static int local[2] = {0, 1}, leader[NODES] = {0, 2};
  static uint8_t addresses[PES][WEFT_ADDRESS_MAX], ports[NODES][WEFT_ADDRESS_MAX];
  char *table = pages(WEFT_KEYS_BELOW + PES * sizeof(uintptr_t));
  weft_job.npes = PES, weft_job.nnodes = NODES, weft_job.nslots = 2, weft_job.nhelpers = 1;
  weft_job.disp = weft_job.owner = (uintptr_t *)(table + WEFT_KEYS_BELOW);
  weft_job.where = (weft_where_t *)(table + WEFT_KEYS_BELOW - WEFT_WHERE_BELOW);
  for (int pe = 0; pe < PES; pe++)
    weft_job.where[pe] = (weft_where_t){.node = (uint16_t)(pe / 2), .slot = (uint16_t)(pe % 2)};
  weft_job.local = local, weft_job.leader = leader;
  weft_job.addresses = addresses, weft_job.ports = ports;
  weft_job.port = &port;
  weft_job.token = 42, weft_job.stride = STRIDE;
  weft_ports = (weft_plan_t){.channels = 4,
                             .buffers = 4,
                             .buffer_bytes = 2048,
                             .spares = 4,
                             .spare_bytes = MESSAGE_MAX,
                             .receives = 4,
                             .receive_bytes = MESSAGE_MAX};
  make_window();
  weft_flow_attach();
  weft_am_attach();
  weft_port_answers(WEFT_ASKED_CHAIN, answers);
  weft_service_register(0, service);
  for (int i = 1; i < WEFT_AM_HANDLERS / 2; i++)
    weft_inbox_register(i, (weft_am_handler_t)handler);
}

/* ---- an input -------------------------------------------------------------------------------- */

/* As it was before the first input. */
static void clear(void) {
  while (weft_carry_waiting()) weft_carry_again();
  weft_server_stop();
  weft_inbox_close();
  for (int slot = 0; slot < weft_job.nslots; slot++) {
    char *at = weft_window_slot(&weft_job.window, slot);
    FUZZ_CHECK(madvise(at + PAGE, END - PAGE, MADV_DONTNEED) == 0);
    FUZZ_CHECK(madvise(at + OURS, STRIDE - PAGE - OURS, MADV_DONTNEED) == 0);
  }
}

bool fuzz_input(const uint8_t *data, size_t size) {
  if (!weft_job.npes) make_job();
  FUZZ_CHECK(weft_server_start() == 0 && weft_inbox_open() == 0);
  wire.next = data;
  wire.end = data + size;
  wire.taken = 0;
  if (setjmp(fuzz_end)) {
    clear();
    return false;
  }
  while (weft_server_run() > 0) weft_inbox_drain();
  while (weft_inbox_drain() > 0) weft_server_run();
  clear();
  return true;
}
