/*
 * Answers that reached this PE are checked before anything in them is used: whether such packets
 * are under way at all, and whether results and notes lie within the answer. (Where a result is
 * stored, the answer says as the request said it; who is not of this job has no token.)
 */
#include "port/port_internal.h"

static WEFT_COLD __attribute__((noreturn)) void refuse(const weft_packet_t *reply,
                                                       const char *what) {
  weft_fatal("node %u sent a damaged answer: %s", reply->from, what);
}

/* The results end where the answer does, and each is one that there can be. */
static void check_results(const weft_packet_t *reply) {
  const char *at = (const char *)(reply + 1), *end = (const char *)reply + reply->bytes;
  while (at < end) {
    const weft_result_t *r = (const weft_result_t *)at;
    if (weft_unlikely((size_t)(end - at) < sizeof *r)) refuse(reply, "a result beyond its end");
    at += sizeof *r;
    if (r->width == WEFT_RESULT_ANSWER || r->width == WEFT_RESULT_BYTES) {
      const size_t most =
          r->width == WEFT_RESULT_BYTES ? weft_stage_get_max() : weft_stage_ask_max();
      if (r->value > (size_t)(end - at) || r->value > most)
        refuse(reply, "a result beyond its end");
      at += weft_round_up(r->value, 8);
    } else if (weft_unlikely((r->width != 4 && r->width != 8) || r->address % r->width)) {
      refuse(reply, "a result of no known width or place");
    }
  }
}

void weft_answer_check(const weft_packet_t *reply, size_t len) {
  if (weft_unlikely(reply->bytes != len || reply->channel >= WEFT_CHANNELS_MAX ||
                    reply->from >= (uint32_t)weft_job.nnodes ||
                    (reply->kind != WEFT_PACKET_REPLY && reply->kind != WEFT_PACKET_FLOW_REPLY)))
    refuse(reply, "it is no answer");
  const weft_channel_t *c = &weft_channels[reply->channel];
  if (weft_unlikely(!c->stages)) refuse(reply, "it is for a channel that there is not");
  if (reply->buffer == UINT16_MAX) {
    if (weft_observe(&c->unmet) == 0) refuse(reply, "nobody was greeted");
    return;
  }
  if (weft_unlikely(reply->buffer & ~weft_observe(&c->stages[reply->from].busy)) ||
      weft_unlikely(reply->want > weft_observe(&c->head->due)))
    refuse(reply, "it answers what was not sent");
  if (reply->kind == WEFT_PACKET_REPLY) check_results(reply);
}

void weft_answer_refuse(const weft_packet_t *reply, const char *what) {
  refuse(reply, what);
}
