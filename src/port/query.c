/*
 * Requests to a port whose answers are more than a word: they travel as records, and come back in
 * the packet's answer. Knows nothing of what is asked.
 */
#include <string.h>

#include "port/port_internal.h"

static weft_query_t handlers[WEFT_QUERIES];

void weft_query_register(enum weft_query what, weft_query_t run) {
  weft_publish(&handlers[what], run);
}

weft_result_t *weft_query_answer(const weft_packet_t *packet, const weft_record_t *r,
                                 weft_result_t *result) {
  weft_query_t run = r->op < WEFT_QUERIES ? weft_observe(&handlers[r->op]) : NULL;
  if (weft_unlikely(!run || r->slot >= weft_job.nslots))
    weft_fatal("pe %u asked for %d, which this node does not answer", packet->from, r->op);
  const size_t n = run(r->slot, (int)packet->from, r + 1, r->len, result + 1);
  *result = (weft_result_t){.address = r->off, .value = n, .width = WEFT_RESULT_ANSWER};
  return (weft_result_t *)((char *)(result + 1) + weft_round_up(n, 8));
}

/* A packet has one request, which leaves at once, and nothing else in it brings results (the port
 * refuses it): so the answer has room. */
size_t weft_query_max(void) {
  return weft_ports.piece_bytes / 2 - sizeof(weft_packet_t) - sizeof(weft_record_t);
}

size_t weft_query_call(weft_channel_t *c, int pe, enum weft_query what, const void *request,
                       size_t n, void *bytes) {
  const weft_where_t to = weft_job.where[pe];
  const size_t whole = weft_ports.buffer_bytes - sizeof(weft_packet_t);
  weft_answer_t answer = {.bytes = bytes};
  weft_op_t done = {0};
  weft_record_t *r;
  /* In a packet of its own: as if the record took all of one, so that what is staged leaves. */
  WEFT_WAIT_ON(c, (r = weft_stage_try_record(c, to.node, whole)));
  *r = (weft_record_t){.off = (uintptr_t)&answer,
                       .slot = to.slot,
                       .kind = WEFT_RECORD_QUERY,
                       .op = (uint8_t)what,
                       .len = (uint32_t)n};
  memcpy(r + 1, request, n);
  weft_stage_t *stage = &c->stages[to.node];
  weft_poke(&stage->fill, (uint32_t)(sizeof(weft_packet_t) + sizeof *r + weft_round_up(n, 8)));
  weft_stage_hold(c, to.node, &done);
  weft_stage_send(c->head, stage, to.node, c->endpoint, WEFT_SEND_ASK);
  weft_unlock(&stage->lock);
  weft_op_wait_on(c, &done);
  return answer.n;
}
