/*
 * The receiving side: packets that arrived at this node's port are applied to the window and
 * answered. Answers go straight to the endpoint of the PE that sent the packet (replies.c).
 */
#include <stdlib.h>
#include <string.h>

#include "port/port_internal.h"

/* A PE's channel, as the port sees it. */
typedef struct client {
  fi_addr_t address; /* of its endpoint in the port's table, FI_ADDR_NOTAVAIL until it is needed */
  uint8_t owed;      /* a bit for each buffer whose packet was applied and not answered */
  uint8_t put_off;   /* packets that asked for an answer, which was put off */
  uint8_t late;      /* a bit for each buffer whose packet is here and not applied */
} client_t;

enum { PUT_OFF = 16, PUT_OFF_FOR = 16, QUIET_NS = 1000 };

static struct {
  client_t *clients[WEFT_CHANNELS_MAX]; /* per channel, one per PE; NULL until a PE uses it */
  struct {
    uint32_t pe;
    uint8_t channel;
  } put_off[PUT_OFF]; /* the clients whose count of that name is not 0, perhaps others too */
  int busy_for;         /* rounds with packets since answers that were put off were last sent */
  uint64_t quiet_since; /* ns: the first round without a packet since the last one; 0: none yet */
} port_state;

int weft_server_put_off; /* entries of port_state.put_off */
static uint64_t answers; /* sent in packets of their own, so far; only the server counts */

uint64_t weft_server_answers(void) {
  return weft_peek(&answers);
}

weft_packet_handlers_t weft_packets;
weft_record_handlers_t weft_records;

void weft_port_handle_packets(const weft_packet_handlers_t *handlers) {
  weft_packets = *handlers;
}

void weft_port_handle_records(const weft_record_handlers_t *handlers) {
  weft_records = *handlers;
}

/* Row of a channel, made when it is first heard of. */
static client_t *clients_of(int channel) {
  client_t **row = &port_state.clients[channel];
  if (*row) return *row;
  *row = malloc((size_t)weft_job.npes * sizeof **row);
  for (int pe = 0; *row && pe < weft_job.npes; pe++)
    (*row)[pe] = (client_t){.address = FI_ADDR_NOTAVAIL};
  return *row;
}

int weft_server_start(void) {
  weft_fabric_hear(weft_carry_note);
  weft_packets.open();
  if (!clients_of(0)) return -ENOMEM;
  weft_replies_start();
  return weft_records.open();
}

void weft_server_stop(void) {
  weft_records.close();
  weft_replies_stop();
  for (int i = 0; i < WEFT_CHANNELS_MAX; i++) free(port_state.clients[i]);
  memset(port_state.clients, 0, sizeof port_state.clients);
  weft_server_put_off = 0;
}

int weft_server_client(fi_addr_t address) {
  for (int i = 0; i < WEFT_CHANNELS_MAX; i++)
    for (int pe = 0; port_state.clients[i] && pe < weft_job.npes; pe++)
      if (port_state.clients[i][pe].address == address) return pe;
  return -1;
}

static fi_addr_t insert(const void *address, uint32_t pe) {
  fi_addr_t index;
  if (weft_endpoint_insert(weft_job.port, address, &index) < 0)
    weft_fatal("cannot reply to pe %u: %s does not take its address; WEFT_IFACE chooses the "
               "network interface",
               pe, weft_job.fabric.name);
  return index;
}

/* The first channel's address was exchanged at start. A PE whose endpoint is its node's port has
 * the node's number already, in a port that is this PE's endpoint too. */
static client_t *first_channel(uint32_t pe) {
  client_t *client = &port_state.clients[0][pe];
  const uint32_t node = weft_job.where[pe].node;
  if (client->address != FI_ADDR_NOTAVAIL) return client;
  if (weft_job.port == &weft_job.endpoint &&
      memcmp(weft_job.addresses[pe], weft_job.ports[node], WEFT_ADDRESS_MAX) == 0)
    client->address = node;
  else
    client->address = insert(weft_job.addresses[pe], pe);
  return client;
}

/* A client that this port has not heard of. A channel but the first has sent a greeting with its
 * address. */
static WEFT_COLD client_t *new_client(const weft_packet_t *packet) {
  if (packet->channel == 0) return first_channel(packet->from);
  client_t *row = clients_of(packet->channel);
  if (!row) weft_fatal("no memory for channel %d of the PEs", packet->channel);
  client_t *client = &row[packet->from];
  if (packet->channel >= WEFT_LANE) {
    client->address = first_channel(packet->from)->address;
    return client;
  }
  if (packet->kind != WEFT_PACKET_HELLO)
    weft_fatal("pe %u sent a packet on channel %d before its greeting", packet->from,
               packet->channel);
  if (packet->buffer)
    client->address =
        weft_endpoint_context_index(first_channel(packet->from)->address, packet->buffer);
  else
    client->address = insert(packet + 1, packet->from);
  return client;
}

/* The client that sent the packet. */
static inline client_t *client_of(const weft_packet_t *packet) {
  client_t *row = port_state.clients[packet->channel];
  const bool known = row && row[packet->from].address != FI_ADDR_NOTAVAIL;
  return weft_likely(known) ? &row[packet->from] : new_client(packet);
}

/* Does the packet take one of the sender's base buffers? */
static bool is_staged(const weft_packet_t *packet) {
  return (packet->kind == WEFT_PACKET_RECORDS || packet->kind == WEFT_PACKET_FLOW) &&
         packet->buffer != WEFT_NO_BUFFER;
}

/* That buffer's bit in `owed` and `late`, or 0. */
static uint8_t bit_of(const weft_packet_t *packet) {
  return is_staged(packet) ? (uint8_t)(1u << packet->buffer) : 0;
}

/* The head of what goes to a PE's channel, with nothing in it. */
static weft_packet_t head_to(uint32_t pe, uint8_t channel, enum weft_packet_kind kind) {
  return (weft_packet_t){.kind = (uint8_t)kind,
                         .channel = channel,
                         .bytes = sizeof(weft_packet_t),
                         .from = (uint32_t)weft_job.node,
                         .token = weft_job.client_tokens[pe]};
}

/* Answer a packet, and all others that its sender has in `owed`; `bytes` of the reply are written.
 * `late`: the reply has the packet's results, but not all of the packet is applied. */
static void answer(client_t *client, const weft_packet_t *packet, bool late, weft_reply_t *reply,
                   size_t bytes) {
  weft_packet_t *head = (weft_packet_t *)reply->data;
  const bool note = packet->kind == WEFT_PACKET_FLOW && bytes > sizeof *head;
  *head = head_to(packet->from, packet->channel, note ? WEFT_PACKET_FLOW_REPLY : WEFT_PACKET_REPLY);
  head->bytes = (uint32_t)bytes;
  head->want = (uint8_t)((packet->want != 0 && !late) + client->put_off);
  client->put_off = 0;
  weft_fence_full(); /* a PE that learns that the packets were applied sees their stores */
  if (packet->kind == WEFT_PACKET_HELLO) {
    head->buffer = UINT16_MAX;
  } else {
    head->buffer = client->owed;
    if (bytes > sizeof *head && is_staged(packet))
      head->buffer |= (uint16_t)((packet->buffer + 1) << WEFT_RESULTS_OF);
    client->owed = 0;
  }
  weft_poke(&answers, answers + 1);
  weft_reply_send(reply, client->address);
}

/* Send what is no answer to a packet: its head, and `n` bytes. */
static void tell(const client_t *client, weft_packet_t head, const void *data, size_t n) {
  weft_reply_t *reply = weft_reply_take();
  head.bytes += (uint32_t)n;
  *(weft_packet_t *)reply->data = head;
  memcpy(reply->data + sizeof head, data, n);
  weft_reply_send(reply, client->address);
}

void weft_server_settle(void) {
  for (int i = 0; i < weft_server_put_off; i++) {
    const weft_packet_t packet = {.kind = WEFT_PACKET_RECORDS,
                                  .channel = port_state.put_off[i].channel,
                                  .from = port_state.put_off[i].pe};
    client_t *client = client_of(&packet);
    if (client->put_off) answer(client, &packet, false, weft_reply_take(), sizeof packet);
  }
  weft_poke(&weft_server_put_off, 0);
  port_state.busy_for = 0;
}

/* Has nothing come for a while? After a put another one may follow at once, and an answer in
 * between would wake the sender's helper, which takes the processor from the PE that sends it. (The
 * time of the last packet would cost each lone message a look at the clock.) */
static bool is_quiet(void) {
  if (weft_server_put_off == 0) return true;
  const uint64_t now = weft_clock_ns();
  if (port_state.quiet_since == 0) port_state.quiet_since = now;
  return now - port_state.quiet_since >= QUIET_NS;
}

/* Nobody waits for this packet's answer just now (may_wait): others go first, and several packets
 * are answered together. */
static void put_off(client_t *client, const weft_packet_t *packet) {
  if (client->put_off++) return;
  if (weft_server_put_off == PUT_OFF) weft_server_settle();
  port_state.put_off[weft_server_put_off].pe = packet->from;
  port_state.put_off[weft_server_put_off].channel = packet->channel;
  weft_poke(&weft_server_put_off, weft_server_put_off + 1);
}

weft_ride_t weft_server_ride(int node) {
  weft_ride_t ride = {0};
  if (!weft_progress_try_service()) return ride;
  for (int i = 0; i < weft_server_put_off; i++) {
    const uint8_t channel = port_state.put_off[i].channel;
    client_t *client = &port_state.clients[channel][port_state.put_off[i].pe];
    if (client->address != (fi_addr_t)node || !client->put_off) continue;
    ride = (weft_ride_t){channel, client->owed, client->put_off};
    client->owed = client->put_off = 0;
    weft_fence_full(); /* as in answer() */
    port_state.put_off[i] = port_state.put_off[weft_server_put_off - 1];
    weft_poke(&weft_server_put_off, weft_server_put_off - 1);
    break;
  }
  weft_progress_leave_service();
  return ride;
}

/* The receiver of a packet with such an answer. */
static void take_ride(const weft_packet_t *packet) {
  const weft_packet_t reply = {.kind = WEFT_PACKET_REPLY,
                               .channel = packet->ride.channel,
                               .buffer = packet->ride.buffers,
                               .bytes = sizeof reply,
                               .from = weft_job.where[packet->from].node,
                               .want = packet->ride.count};
  if (weft_unlikely(weft_job.port != &weft_job.endpoint ||
                    reply.channel >= WEFT_CHANNELS_MAX || reply.buffer >> weft_ports.buffers))
    weft_server_refuse(packet, "an answer to what was not sent");
  if (weft_answer_check(&reply, sizeof reply)) weft_stage_answered(&reply);
}

/* The sender does not wait for the answer just now, so other answers go first. */
static bool may_wait(const weft_packet_t *packet) {
  return packet->channel >= WEFT_LANE || packet->want == WEFT_WANT_LAZY;
}

/* Carry out the records; returns where the results end, which is before `end`. *late: some are not
 * done yet. */
static weft_result_t *carry_out(const weft_packet_t *packet, weft_result_t *result, const char *end,
                                bool *late) {
  bool asked = false;       /* an answer to a QUERY leaves no room for other results (query.c) */
  weft_seen_got(&weft_job); /* the sender may have waited, by another PE, for this one's program */
  for (size_t at = sizeof *packet; at < packet->bytes;) {
    const weft_record_t *r = (const weft_record_t *)((const char *)packet + at);
    if (weft_unlikely(asked || (r->kind == WEFT_RECORD_QUERY && at > sizeof *packet)))
      weft_server_refuse(packet, "a request that is not alone in it");
    at += weft_carry_size(packet, at);
    if (r->kind == WEFT_RECORD_PUT) {
      weft_carry_put(packet, r);
      continue;
    }
    if (weft_unlikely(weft_carry_result(r) > (size_t)(end - (const char *)result)))
      weft_server_refuse(packet, "it asks for more than an answer holds");
    if (r->kind == WEFT_RECORD_MESSAGE)
      *late |= !weft_records.arrive(packet, r);
    else if (r->kind == WEFT_RECORD_QUERY)
      result = weft_query_answer(packet, r, result), asked = true;
    else
      *late |= !weft_carry_out(packet, r, &result);
  }
  weft_seen_given(&weft_job);
  return result;
}

/* To a channel's question which of its packets are here. */
static void say_arrived(const client_t *client, const weft_packet_t *question) {
  const uint64_t here = (uint64_t)(client->owed | client->late) |
                        weft_packets.arrived(question) << WEFT_ARRIVED_ELSEWHERE;
  weft_packet_t head = head_to(question->from, question->channel, WEFT_PACKET_ARRIVED);
  head.buffer = question->buffer;
  tell(client, head, &here, sizeof here);
}

/* Applied packets are answered when the sender wants it. A fetched value never waits. A packet with
 * a message whose receiver has no room, or a copy, is answered later. */
static void handle(const weft_packet_t *packet) {
  client_t *client = client_of(packet);
  if (weft_unlikely(packet->kind == WEFT_PACKET_QUESTION)) {
    say_arrived(client, packet);
    return;
  }
  weft_fence_stores(); /* a fence lay between them, perhaps: the packet before is seen first */
  weft_reply_t *reply = weft_reply_take();
  weft_result_t *const results = (weft_result_t *)(reply->data + sizeof *packet), *result = results;
  bool late = false;
  if (packet->kind == WEFT_PACKET_RECORDS)
    result = carry_out(packet, results, reply->data + weft_job.layout.message_max, &late);
  if (packet->kind == WEFT_PACKET_FLOW)
    result = (weft_result_t *)((char *)result + weft_packets.serve(packet, (char *)results));
  const bool results_too = result > results;
  weft_helper_worked(0, packet->bytes + (size_t)((char *)result - (char *)results));
  if (late)
    client->late |= bit_of(packet);
  else
    client->owed |= bit_of(packet);
  if (!late && packet->want && may_wait(packet) && !results_too) put_off(client, packet);
  if (results_too || (!late && packet->want && !may_wait(packet)))
    answer(client, packet, late, reply, (size_t)((char *)result - reply->data));
  else
    weft_reply_keep(reply);
  if (packet->ride.count) take_ride(packet);
}

void weft_server_tell(uint32_t client, const void *note, size_t n) {
  const uint32_t pe = client / WEFT_CHANNELS_MAX;
  const uint8_t channel = (uint8_t)(client % WEFT_CHANNELS_MAX);
  tell(channel ? &port_state.clients[channel][pe] : first_channel(pe),
       head_to(pe, channel, WEFT_PACKET_FLOW_REPLY), note, n);
}

void weft_server_answer_late(const weft_packet_t *packet) {
  client_t *client = client_of(packet);
  client->owed |= bit_of(packet);
  client->late &= (uint8_t)~bit_of(packet);
  answer(client, packet, false, weft_reply_take(), sizeof *packet);
}

void weft_server_answer_call(uint32_t pe, uint64_t address, uint64_t value) {
  const weft_packet_t packet = {.kind = WEFT_PACKET_RECORDS, .buffer = WEFT_NO_BUFFER, .from = pe};
  weft_reply_t *reply = weft_reply_take();
  weft_result_t *result = (weft_result_t *)(reply->data + sizeof packet);
  *result = (weft_result_t){.address = address, .value = value, .width = 8};
  answer(first_channel(pe), &packet, false, reply, sizeof packet + sizeof *result);
}

void weft_server_refuse(const weft_packet_t *packet, const char *what) {
  weft_fatal("pe %u sent a damaged packet: %s", packet->from, what);
}

static bool is_reply(const weft_receive_t *r) {
  return weft_answer_is_kind(((const weft_packet_t *)r->data)->kind);
}

/* A reply comes from a node's port to this process's PE, anything else from a PE to its port. */
static bool is_of_job(const weft_packet_t *packet, size_t len) {
  if (weft_unlikely(len < sizeof *packet)) return false;
  const bool reply = weft_answer_is_kind(packet->kind);
  const uint64_t *tokens = reply ? weft_job.tokens : weft_job.client_tokens;
  const uint32_t senders = (uint32_t)(reply ? weft_job.nnodes : weft_job.npes);
  return tokens && packet->from < senders && packet->token == tokens[packet->from];
}

static unsigned dropped;

WEFT_COLD void weft_port_drop(const char *what) {
  if (__atomic_fetch_add(&dropped, 1, __ATOMIC_RELAXED) == 0)
    weft_warn("%s is not of this job: dropped, as others will be", what);
}

void weft_port_say_dropped(void) {
  if (dropped > 1) weft_warn("%u messages that were not of this job were dropped", dropped);
  const unsigned refused = weft_fabric_refused();
  if (refused > 1) weft_warn("%u connections that were not of this job were refused", refused);
  dropped = 0;
}

weft_receive_t *weft_port_take(weft_endpoint_t *e) {
  for (weft_receive_t *r; (r = weft_endpoint_take(e)); weft_endpoint_repost(r)) {
    /* Behind a stranger's message of odd length the others of the same slab are misaligned. Each is
     * moved down, over the end of the message before it: the stranger's, or one moved already. */
    const size_t odd = (uintptr_t)r->data % _Alignof(weft_packet_t);
    if (weft_unlikely(odd)) r->data = memmove(r->data - odd, r->data, r->len);
    if (weft_likely(is_of_job((const weft_packet_t *)r->data, r->len))) return r;
    weft_port_drop("a packet");
  }
  return NULL;
}

static bool is_news(const weft_packet_t *packet) {
  return packet->kind == WEFT_PACKET_DEATH && weft_job_goes_on() &&
         packet->word < (uint32_t)weft_job.npes;
}

/* The packet in a message, whose head is checked. */
static const weft_packet_t *packet_of(const weft_receive_t *r) {
  const weft_packet_t *packet = (const weft_packet_t *)r->data;
  if (packet->bytes != r->len || r->len % _Alignof(weft_packet_t) ||
      packet->channel >= WEFT_CHANNELS_MAX)
    weft_server_refuse(packet, "a length or a channel that there is not");
  if ((packet->kind == WEFT_PACKET_RECORDS || is_staged(packet)) &&
      packet->buffer >= (unsigned)weft_ports.buffers)
    weft_server_refuse(packet, "it is in a buffer that there is not");
  if (packet->kind == WEFT_PACKET_HELLO && !packet->buffer && packet->channel &&
      packet->bytes < sizeof *packet + WEFT_ADDRESS_MAX)
    weft_server_refuse(packet, "a greeting without an address");
  if (packet->kind == WEFT_PACKET_HELLO && packet->channel < WEFT_LANE &&
      packet->buffer >= weft_job_contexts())
    weft_server_refuse(packet, "a greeting from a context that there is not");
  if (is_news(packet)) return packet;
  if ((packet->kind > WEFT_PACKET_FLOW && packet->kind != WEFT_PACKET_QUESTION) ||
      packet->kind == WEFT_PACKET_REPLY)
    weft_server_refuse(packet, "it is of no kind that a port takes");
  return packet;
}

/* Flows' packets and news of deaths are heard as soon as they have arrived. After a large packet
 * with others of its batch behind it the provider is polled, which goes on reading: so senders need
 * not pause. Answers that were put off leave when nothing has come for QUIET_NS, or after
 * PUT_OFF_FOR busy rounds. */
int weft_server_run(void) {
  enum { BATCH = 16, LARGE = 4096 };
  weft_receive_t *batch[BATCH], *r;
  int n = 0, done = 0, handled = weft_records.again() + weft_copies_again();
  handled += weft_replies_again();
  weft_packets.tick();
  for (;;) {
    while (n < BATCH && (r = weft_port_take(weft_job.port))) {
      /* Where the PE's endpoint is the port, answers to its packets arrive here too. */
      if (weft_job.port == &weft_job.endpoint && is_reply(r)) {
        weft_progress_reply(r);
        handled++;
        continue;
      }
      const weft_packet_t *packet = packet_of(r);
      if (weft_unlikely(packet->kind == WEFT_PACKET_DEATH)) {
        weft_job_mark((int)packet->word, WEFT_FAILED);
        weft_endpoint_repost(r);
        handled++;
        continue;
      }
      batch[n++] = r;
      /* What is heard may be answered at once: so the client's greeting is taken note of before. */
      if (packet->kind == WEFT_PACKET_FLOW || packet->kind == WEFT_PACKET_HELLO) client_of(packet);
      if (packet->kind == WEFT_PACKET_FLOW) weft_packets.hear(packet);
    }
    if (done == n) break;
    const weft_packet_t *packet = (const weft_packet_t *)batch[done]->data;
    const bool large = packet->bytes > LARGE;
    handle(packet);
    weft_endpoint_repost(batch[done++]);
    if (large && done < n) weft_endpoint_poll(weft_job.port);
  }
  if (n > 0) port_state.quiet_since = 0;
  if (n == 0 ? is_quiet() : ++port_state.busy_for == PUT_OFF_FOR) weft_server_settle();
  return handled + n;
}

bool weft_server_owes(void) {
  return weft_peek(&weft_server_put_off) > 0 || weft_records.waiting() || weft_copies_waiting() ||
         weft_replies_held();
}
