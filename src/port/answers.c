/*
 * Answers that reached this PE are checked before anything in them is used: whether the answered
 * packets are under way, whether results and notes lie within the answer, and whether each result
 * goes where its packet asked for it. The packet stays in its buffer until it is answered, so it
 * can be asked.
 */
#include <string.h>

#include "port/port_internal.h"

static WEFT_COLD __attribute__((noreturn)) void refuse(const weft_packet_t *reply,
                                                       const char *what) {
  weft_fatal("node %u sent a damaged answer: %s", reply->from, what);
}

/* The results end where the answer ends, and each has a width and an address that are possible. */
static void check_results(const weft_packet_t *reply) {
  const char *at = (const char *)(reply + 1), *end = (const char *)reply + reply->bytes;
  while (at < end) {
    const weft_result_t *r = (const weft_result_t *)at;
    if (weft_unlikely((size_t)(end - at) < sizeof *r)) refuse(reply, "a result beyond its end");
    at += sizeof *r;
    if (r->width == WEFT_RESULT_ANSWER || r->width == WEFT_RESULT_BYTES) {
      const size_t most =
          r->width == WEFT_RESULT_BYTES ? weft_stage_get_max() : weft_query_max();
      if (r->value > (size_t)(end - at) || r->value > most)
        refuse(reply, "a result beyond its end");
      at += weft_round_up(r->value, 8);
    } else if (weft_unlikely((r->width != 4 && r->width != 8) || r->address % r->width)) {
      refuse(reply, "a result of no known width or place");
    }
  }
}

/* ---- where results go ------------------------------------------------------------------------ */

static const weft_result_t *after(const weft_result_t *r) {
  const bool bytes = r->width == WEFT_RESULT_ANSWER || r->width == WEFT_RESULT_BYTES;
  return (const weft_result_t *)((const char *)(r + 1) + (bytes ? weft_round_up(r->value, 8) : 0));
}

/* Does the record ask for this result? */
static bool asks_for(const weft_record_t *record, const weft_result_t *r) {
  uint64_t rest[3];
  switch (record->kind) {
  case WEFT_RECORD_FETCH:
    memcpy(rest, record + 1, sizeof rest);
    return r->address == rest[2] && r->width == record->len;
  case WEFT_RECORD_CALL:
    memcpy(rest, record + 1, sizeof rest);
    return r->address == rest[2] && r->width == 8;
  case WEFT_RECORD_GET:
    memcpy(rest, record + 1, sizeof *rest);
    return r->address == rest[0] && r->width == WEFT_RESULT_BYTES && r->value == record->len;
  case WEFT_RECORD_QUERY: return r->address == record->off && r->width == WEFT_RESULT_ANSWER;
  default: return false;
  }
}

/* Do the packet's records ask for all these results, in this order? A record may be without its
 * result here: a call's may come later. */
static bool asks_for_all(const weft_packet_t *packet, const weft_result_t *r, const void *end) {
  if (packet->kind != WEFT_PACKET_RECORDS) return false;
  for (size_t at = sizeof *packet; at < packet->bytes; at += weft_carry_size(packet, at)) {
    if (!asks_for((const weft_record_t *)((const char *)packet + at), r)) continue;
    r = after(r);
    if ((const void *)r == end) return true;
  }
  return false;
}

/* A call's result that comes later than the call's answer is the only one in its reply, and goes to
 * a word of this PE's slot (service.h). */
static bool is_late_call(const weft_result_t *r, const void *end) {
  const size_t begin = weft_job.window.layout.runtime;
  const size_t room = weft_layout_end(&weft_job.window.layout) - begin - sizeof(uint64_t);
  const uint64_t off = r->address - weft_job.window.base;
  return (const void *)(r + 1) == end && r->width == 8 && off - begin <= room;
}

/* The packet that asked for the results is under way. It stays in its buffer meanwhile: only this
 * thread can free it, as one thread at a time takes answers. */
static bool is_asked_for(weft_stage_t *stage, const weft_packet_t *reply) {
  const weft_result_t *r = (const weft_result_t *)(reply + 1);
  const char *end = (const char *)reply + reply->bytes;
  const uint32_t of = reply->buffer >> WEFT_RESULTS_OF;
  if (of == 0) return is_late_call(r, end);
  if (of > (uint32_t)weft_ports.buffers || !(weft_observe(&stage->busy) >> (of - 1) & 1))
    return false;
  weft_seen_got(&stage->lock); /* the packet was written under it, maybe sent by another process */
  return asks_for_all((const weft_packet_t *)weft_stage_buffer(stage, of - 1), r, end);
}

/* Nobody waits for it: it is damaged, or the port of a lost node was slow, which was given up. */
static WEFT_COLD bool pass_over(const weft_packet_t *reply, const char *what) {
  if (weft_job_changes() == 0 || weft_lost_runs((int)reply->from)) refuse(reply, what);
  return false;
}

bool weft_answer_check(const weft_packet_t *reply, size_t len) {
  if (weft_unlikely(reply->bytes != len || reply->channel >= WEFT_CHANNELS_MAX ||
                    !weft_answer_is_kind(reply->kind)))
    refuse(reply, "it is no answer");
  const weft_channel_t *c = &weft_channels[reply->channel];
  if (weft_unlikely(!c->stages)) refuse(reply, "it is for a channel that there is not");
  if (weft_unlikely(reply->kind == WEFT_PACKET_ARRIVED)) {
    if (reply->bytes != sizeof *reply + sizeof(uint64_t)) refuse(reply, "it is no answer");
    if (!weft_observe(&c->stages[reply->from].questions)) refuse(reply, "nobody had a question");
    return true;
  }
  if (reply->buffer == UINT16_MAX) {
    if (weft_observe(&c->unmet) == 0) refuse(reply, "nobody was greeted");
    return true;
  }
  if (weft_unlikely(reply->buffer & WEFT_ANSWERED & ~weft_observe(&c->stages[reply->from].busy)) ||
      weft_unlikely(reply->want > weft_observe(&c->head->due)))
    return pass_over(reply, "it answers what was not sent");
  if (reply->kind != WEFT_PACKET_REPLY || reply->bytes == sizeof *reply) return true;
  check_results(reply);
  if (weft_unlikely(!is_asked_for(&c->stages[reply->from], reply)))
    return pass_over(reply, "a result that nobody asked for");
  return true;
}

void weft_answer_refuse(const weft_packet_t *reply, const char *what) {
  refuse(reply, what);
}
