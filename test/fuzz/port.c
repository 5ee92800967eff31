/*
 * The port and the inbox: any packets of members of the job to a node of two PEs.
 */
#include "am/am_internal.h"
#include "flow/flow.h"
#include "wire.h"

#include <string.h>

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
  memset(answer, 1, weft_query_max());
  return weft_query_max();
}

static void make_job(void) {
  wire_job(true);
  weft_flow_attach();
  weft_am_attach();
  weft_query_register(WEFT_QUERY_CHAIN, answers);
  weft_service_register(0, service);
  enum { SOME = WEFT_AM_CLIENTS + 20 }; /* Weft's own, and some of a client's */
  for (int i = 1; i < SOME; i++) weft_inbox_register(i, (weft_am_handler_t)handler);
}

/* ---- an input -------------------------------------------------------------------------------- */

static void clear(void) {
  while (weft_copies_waiting()) weft_copies_again();
  weft_server_stop();
  weft_inbox_close();
  wire_clear();
}

bool fuzz_input(const uint8_t *data, size_t size) {
  if (!weft_job.npes) make_job();
  FUZZ_CHECK(weft_server_start() == 0 && weft_inbox_open() == 0);
  wire_begin(data, size);
  if (setjmp(fuzz_end)) {
    clear();
    return false;
  }
  while (weft_server_run() > 0) weft_inbox_drain();
  while (weft_inbox_drain() > 0) weft_server_run();
  weft_server_settle();
  clear();
  return true;
}
