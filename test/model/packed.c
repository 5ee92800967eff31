/*
 * What the threads of packets.c run: a port that finds two packets, each with a put, and a PE of
 * its node that waits for the word of the second one.
 */
#include <string.h>

#include "model.h"
#include "port/port_internal.h"

enum { WORDS = 3, DATA = 0, FLAG = 64, SLOT = 128, PACKET = 256 };

weft_job_t weft_job;
weft_options_t weft_options;
weft_plan_t weft_ports;
void *(*weft_direct_move)(void *, const void *, size_t) = memcpy;
static weft_where_t where[2] = {{0, 0}, {1, 0}};
static uint64_t tokens[2];
static uint8_t addresses[2][WEFT_ADDRESS_MAX];
static char *slot;

static struct {
  weft_packet_t head;
  weft_record_t record;
  uint64_t words[WORDS];
} packets[2];
static weft_receive_t receives[2];
static int taken;

/* Layers below and beside have nothing to do here; what they return is 0. */
WEFT_API int model_nothing(void);
int model_nothing(void) {
  return 0;
}
#define NO(name) __asm__(".globl " #name "\n\t.set " #name ", model_nothing")
NO(weft_answer_check); NO(weft_clock_ns); NO(weft_copies_again); NO(weft_copies_ask);
NO(weft_copies_waiting); NO(weft_endpoint_insert); NO(weft_endpoint_poll); NO(weft_fabric_hear);
NO(weft_endpoint_repost); NO(weft_fatal); NO(weft_helper_worked); NO(weft_job_contexts);
NO(weft_job_goes_on); NO(weft_job_mark); NO(weft_progress_leave_service); NO(weft_progress_reply);
NO(weft_progress_try_service); NO(weft_query_answer); NO(weft_replies_again); NO(weft_reply_keep);
NO(weft_replies_held); NO(weft_replies_start); NO(weft_replies_stop); NO(weft_reply_send);
NO(weft_fabric_refused); NO(weft_service_run); NO(weft_stage_answered); NO(weft_warn);

weft_receive_t *weft_endpoint_take(weft_endpoint_t *e) {
  (void)e;
  return taken < 2 ? &receives[taken++] : NULL;
}

weft_reply_t *weft_reply_take(void) {
  static _Alignas(weft_reply_t) char reply[sizeof(weft_reply_t) + PACKET];
  return (weft_reply_t *)(void *)reply;
}

WEFT_API void model_port(char *memory);
void model_port(char *memory) {
  slot = memory;
  weft_job = (weft_job_t){.npes = 2, .nnodes = 2, .nslots = 1, .where = where};
  weft_job.tokens = weft_job.client_tokens = tokens;
  weft_job.port = &weft_job.endpoint;
  weft_job.addresses = weft_job.ports = addresses;
  weft_job.window.layout = (weft_layout_t){.stride = SLOT, .global_limit = SLOT};
  weft_job.window.base = (uintptr_t)slot - SLOT;
  weft_job.layout.message_max = PACKET;
  weft_ports = (weft_plan_t){.channels = 1, .buffers = 2, .buffer_bytes = PACKET};
  weft_packets.open = weft_packets.tick = (void (*)(void))model_nothing;
  weft_records.open = weft_records.again = model_nothing;
  weft_server_start();
}

static void pack(int i, uintptr_t off, uint32_t words) {
  const uint32_t bytes = (uint32_t)(sizeof(weft_packet_t) + sizeof(weft_record_t)) + words * 8;
  packets[i].head = (weft_packet_t){.buffer = (uint16_t)i, .bytes = bytes, .from = 1};
  packets[i].record = (weft_record_t){.off = off, .kind = WEFT_RECORD_PUT, .len = words * 8};
  for (uint32_t k = 0; k < words; k++) packets[i].words[k] = k + 1;
  receives[i] = (weft_receive_t){.len = bytes, .data = (char *)&packets[i]};
}

/* The beginning of an execution. */
WEFT_API void model_empty(void);
void model_empty(void) {
  memset(slot, 0, SLOT);
  pack(0, DATA, WORDS);
  pack(1, FLAG, 1);
  taken = 0;
}

WEFT_API void model_look(void);
void model_look(void) {
  const uint64_t *data = (const uint64_t *)(const void *)(slot + DATA);
  while (!weft_observe((uint64_t *)(void *)(slot + FLAG))) model_wait(false);
  for (uint64_t k = 0; k < WORDS; k++) MODEL_CHECK(data[k] == k + 1);
}
