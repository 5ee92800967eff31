/*
 * The job and the endpoint of wire.h. What packets may write to is followed by memory that nobody
 * may touch. What the runtime keeps in a slot stands behind that: a member of the job that writes
 * there by a put is trusted.
 */
#include "wire.h"

#include <string.h>
#include <sys/mman.h>

#include "am/am_internal.h"

/* RECEIVES: the server takes so many at a time, and answers between them. */
enum { WRONG_LENGTH = 0x8000, ADDRESSES = 1000, TOKEN = 42, RECEIVES = 17 };
static const uintptr_t WINDOW = (uintptr_t)3 << 44, TABLE = (uintptr_t)4 << 44;

/* ---- the endpoint ---------------------------------------------------------------------------- */

static struct {
  const uint8_t *next, *end;
  _Alignas(16) char data[RECEIVES][MESSAGE_MAX];
  weft_receive_t receives[RECEIVES]; /* data NULL: free */
} wire;

weft_receive_t *__wrap_weft_endpoint_take(weft_endpoint_t *e);
void __wrap_weft_endpoint_repost(weft_receive_t *r);
int __wrap_weft_endpoint_poll(weft_endpoint_t *e);
void __wrap_weft_endpoint_inject(weft_endpoint_t *e, uint64_t to, const void *data, size_t n);
bool __wrap_weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t n,
                                   weft_op_t *op);
void __wrap_weft_endpoint_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t n,
                               weft_op_t *op);
bool __wrap_weft_endpoint_try_deliver(weft_endpoint_t *e, uint64_t to, const void *data, size_t n,
                                      uint64_t at, uint64_t key, weft_op_t *op, bool copied);
int __wrap_weft_endpoint_insert(weft_endpoint_t *e, const void *address, fi_addr_t *index);

void wire_begin(const uint8_t *data, size_t size) {
  wire.next = data;
  wire.end = data + size;
  memset(wire.receives, 0, sizeof wire.receives);
}

weft_receive_t *__wrap_weft_endpoint_take(weft_endpoint_t *e) {
  (void)e;
  if (wire.end - wire.next < 2) return NULL;
  const unsigned head = wire.next[0] | (unsigned)wire.next[1] << 8;
  size_t n = head & (MESSAGE_MAX - 1);
  wire.next += 2;
  if (n > (size_t)(wire.end - wire.next)) n = (size_t)(wire.end - wire.next);
  int i = 0;
  while (i < RECEIVES && wire.receives[i].data) i++;
  FUZZ_CHECK(i < RECEIVES);
  char *at = wire.data[i] + MESSAGE_MAX - weft_round_up(n, 8); /* what is behind is not its own */
  memset(wire.data[i], 0, MESSAGE_MAX);
  memcpy(at, wire.next, n);
  wire.next += n;
  if (n >= sizeof(weft_packet_t)) {
    weft_packet_t *packet = (weft_packet_t *)at;
    packet->token = TOKEN;
    if (!(head & WRONG_LENGTH)) packet->bytes = (uint32_t)n;
  }
  wire.receives[i] = (weft_receive_t){.len = n, .data = at};
  return &wire.receives[i];
}

void __wrap_weft_endpoint_repost(weft_receive_t *r) {
  r->data = NULL;
}

int __wrap_weft_endpoint_poll(weft_endpoint_t *e) {
  (void)e;
  return 0;
}

/* What leaves are whole packets of this job, to somebody whose address is known. */
static void sent(const weft_endpoint_t *e, uint64_t to, const void *data, size_t n) {
  weft_packet_t packet;
  FUZZ_CHECK(e == &weft_job.endpoint);
  FUZZ_CHECK(n >= sizeof packet && n <= MESSAGE_MAX && to != FI_ADDR_NOTAVAIL);
  memcpy(&packet, data, sizeof packet);
  FUZZ_CHECK(packet.bytes == n && packet.token == TOKEN);
}

void __wrap_weft_endpoint_inject(weft_endpoint_t *e, uint64_t to, const void *data, size_t n) {
  sent(e, to, data, n);
}

bool __wrap_weft_endpoint_try_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t n,
                                   weft_op_t *op) {
  (void)op;
  sent(e, to, data, n);
  return true;
}

void __wrap_weft_endpoint_send(weft_endpoint_t *e, uint64_t to, const void *data, size_t n,
                               weft_op_t *op) {
  sent(e, to, data, n);
  op->done(op, n);
}

bool __wrap_weft_endpoint_try_deliver(weft_endpoint_t *e, uint64_t to, const void *data, size_t n,
                                      uint64_t at, uint64_t key, weft_op_t *op, bool copied) {
  (void)e, (void)data, (void)key, (void)op, (void)copied;
  FUZZ_CHECK(to < NODES && n <= END && at % STRIDE <= END - n);
  return true;
}

int __wrap_weft_endpoint_insert(weft_endpoint_t *e, const void *address, fi_addr_t *index) {
  static char sink[WEFT_ADDRESS_MAX];
  (void)e;
  memcpy(sink, address, sizeof sink); /* it is all there */
  *index = ADDRESSES;
  return 0;
}

/* ---- the job --------------------------------------------------------------------------------- */

static volatile uint8_t seen;

void wire_look_at(const void *p, size_t n) {
  for (size_t i = 0; i < n; i++) seen ^= ((const uint8_t *)p)[i];
}

void *wire_pages(uintptr_t at, size_t n) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  void *p = mmap((void *)at, n, PROT_READ | PROT_WRITE, flags, -1, 0);
  FUZZ_CHECK((uintptr_t)p == at);
  return p;
}

/* As others see the slots; where a PE sees its own there is nothing. */
static void make_window(void) {
  char *memory = wire_pages(WINDOW, (weft_job.nslots + 1) * (size_t)STRIDE);
  weft_job.window.base = (uintptr_t)memory;
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
  weft_job.layout.stages = STAGES;
  FUZZ_CHECK(sizeof(weft_shared_t) <= 1 << 16);
  FUZZ_CHECK(OURS + (1 << 16) + weft_inbox_size() < STAGES);
  FUZZ_CHECK(mprotect(memory, STRIDE, PROT_NONE) == 0);
  for (int slot = 0; slot < weft_job.nslots; slot++) {
    char *at = weft_window_slot(&weft_job.window, slot);
    FUZZ_CHECK(mprotect(at, PAGE, PROT_READ) == 0);
    FUZZ_CHECK(mprotect(at + END, OURS - END, PROT_NONE) == 0);
    FUZZ_CHECK(mprotect(at + STRIDE - PAGE, PAGE, PROT_NONE) == 0);
  }
}

void wire_job(bool port) {
  static struct fi_tx_attr tx = {.size = 64};
  static struct fi_info info = {.tx_attr = &tx};
  static int local[2] = {0, 1}, leader[NODES] = {0, 2};
  static uint8_t addresses[PES][WEFT_ADDRESS_MAX], ports[NODES][WEFT_ADDRESS_MAX];
  static uint64_t tokens[PES] = {TOKEN, TOKEN, TOKEN, TOKEN};
  char *table = wire_pages(TABLE, WEFT_KEYS_BELOW + PES * sizeof(uintptr_t));
  weft_job.npes = PES, weft_job.nnodes = NODES, weft_job.nslots = 2, weft_job.nhelpers = 1;
  weft_job.disp = weft_job.owner = (uintptr_t *)(table + WEFT_KEYS_BELOW);
  weft_job.where = (weft_where_t *)(table + WEFT_KEYS_BELOW - WEFT_WHERE_BELOW);
  for (int pe = 0; pe < PES; pe++)
    weft_job.where[pe] = (weft_where_t){.node = (uint16_t)(pe / 2), .slot = (uint16_t)(pe % 2)};
  weft_job.local = local, weft_job.leader = leader;
  weft_job.addresses = addresses, weft_job.ports = ports;
  weft_job.endpoint.inject_max = 64;
  weft_job.fabric.contexts = 1;
  weft_job.fabric.info = &info;
  weft_job.fabric.rma_max = END;
  weft_job.port = port ? &weft_job.endpoint : NULL;
  weft_job.tokens = tokens, weft_job.client_tokens = port ? tokens : NULL;
  weft_job.stride = STRIDE;
  weft_ports = (weft_plan_t){.channels = 4,
                             .buffers = 4,
                             .buffer_bytes = BUFFER,
                             .piece_bytes = BUFFER,
                             .spares = 4,
                             .spare_bytes = MESSAGE_MAX,
                             .receives = 4,
                             .receive_bytes = MESSAGE_MAX};
  make_window();
}

void wire_clear(void) {
  for (int slot = 0; slot < weft_job.nslots; slot++) {
    char *at = weft_window_slot(&weft_job.window, slot);
    FUZZ_CHECK(madvise(at + PAGE, END - PAGE, MADV_DONTNEED) == 0);
    FUZZ_CHECK(madvise(at + OURS, STRIDE - PAGE - OURS, MADV_DONTNEED) == 0);
  }
}
