/*
 * Active messages that came from other nodes: the port's server puts them into the inboxes of its
 * node. Where there is no room they wait here, in the order in which they came, and their packet is
 * not answered before; so a PE that never polls stops its senders after a few packets each, and
 * what waits for it is bounded by their buffers.
 */
#include <stdlib.h>
#include <string.h>

#include "am/am_internal.h"

/* A packet with messages that wait. */
typedef struct late {
  weft_packet_t head;
  int waiting;
} late_t;

typedef struct parked {
  struct parked *next;
  late_t *packet;
  _Alignas(8) weft_record_t record[];
} parked_t;

typedef struct queue {
  parked_t *first, **last;
} queue_t;

static struct {
  queue_t *queues; /* per lane and slot */
  int parked;
  late_t *current; /* of the packet at hand */
} arrivals;

int weft_arrive_start(void) {
  const int n = WEFT_LANES * weft_job.nslots;
  arrivals.queues = calloc((size_t)n, sizeof *arrivals.queues);
  if (!arrivals.queues) return -ENOMEM;
  for (int i = 0; i < n; i++) arrivals.queues[i].last = &arrivals.queues[i].first;
  return 0;
}

/* The job is over: what nobody polled for goes with it. */
void weft_arrive_stop(void) {
  for (int i = 0; arrivals.queues && i < WEFT_LANES * weft_job.nslots; i++) {
    for (parked_t *p; (p = arrivals.queues[i].first);) {
      arrivals.queues[i].first = p->next;
      if (--p->packet->waiting == 0) free(p->packet);
      free(p);
    }
  }
  free(arrivals.queues);
  arrivals.queues = NULL;
  arrivals.parked = 0;
}

bool weft_arrive_waiting(void) {
  return weft_peek(&arrivals.parked) > 0;
}

static bool deposit(uint32_t from, enum weft_lane lane, const weft_record_t *r) {
  const weft_wire_message_t *wire = (const weft_wire_message_t *)(r + 1);
  const int32_t *args = (const int32_t *)(wire + 1);
  weft_message_t message = {.from = from,
                            .category = (enum weft_am_category)wire->category,
                            .handler = r->op,
                            .nargs = wire->nargs,
                            .args = args,
                            .payload = args + (wire->nargs + 1u) / 2 * 2,
                            .n = wire->n,
                            .dest = r->off};
  if (weft_inbox_post(r->slot, lane, true, &message)) return true;
  if (message.buffer) weft_pool_give_back(message.buffer);
  return false;
}

static void park(const weft_packet_t *packet, queue_t *queue, const weft_record_t *r) {
  const size_t bytes = sizeof *r + r->len;
  parked_t *p = malloc(sizeof *p + bytes);
  late_t *late = arrivals.current;
  if (!late || memcmp(&late->head, packet, sizeof *packet) != 0) {
    late = malloc(sizeof *late);
    if (late) *late = (late_t){.head = *packet};
  }
  if (!p || !late)
    weft_fatal("no memory for active messages to pe %d, which does not poll: this machine is out "
               "of memory",
               weft_job.local[r->slot]);
  arrivals.current = late;
  late->waiting++;
  p->packet = late;
  p->next = NULL;
  memcpy(p->record, r, bytes);
  *queue->last = p;
  queue->last = &p->next;
  weft_poke(&arrivals.parked, arrivals.parked + 1);
}

/* Its head, arguments and payload are in the record, there is a buffer for it, and its handler is
 * not the 0 of a free slot: nothing behind that would ever be seen. Weft's own take mediums;
 * those with arguments look at their number. */
static bool makes_sense(const weft_record_t *r, const weft_wire_message_t *wire) {
  if (r->op == 0 || r->len < sizeof *wire || wire->nargs > WEFT_AM_ARGS_MAX ||
      wire->category > WEFT_AM_LONG ||
      (r->op < WEFT_AM_CLIENTS && wire->category != WEFT_AM_MEDIUM))
    return false;
  const size_t payload = sizeof *wire + (wire->nargs + 1u) / 2 * 8;
  const size_t n = wire->category == WEFT_AM_MEDIUM ? wire->n : 0;
  return n <= WEFT_INBOX_LARGE && r->len >= payload + n;
}

bool weft_arrive(const weft_packet_t *packet, const weft_record_t *r) {
  const enum weft_lane lane = (enum weft_lane)(packet->channel - WEFT_LANE);
  const weft_wire_message_t *wire = (const weft_wire_message_t *)(r + 1);
  if (weft_unlikely(packet->channel < WEFT_LANE || r->slot >= weft_job.nslots ||
                    !makes_sense(r, wire)))
    weft_server_refuse(packet, "an active message that is not what it says");
  queue_t *queue = &arrivals.queues[(int)lane * weft_job.nslots + r->slot];
  if (!queue->first && deposit(packet->from, lane, r)) return true;
  park(packet, queue, r);
  return false;
}

int weft_arrive_again(void) {
  int n = 0;
  arrivals.current = NULL; /* every packet begins after this */
  for (int i = 0; arrivals.parked && i < WEFT_LANES * weft_job.nslots; i++) {
    queue_t *queue = &arrivals.queues[i];
    const enum weft_lane lane = (enum weft_lane)(i / weft_job.nslots);
    for (parked_t *p; (p = queue->first) && deposit(p->packet->head.from, lane, p->record); n++) {
      queue->first = p->next;
      if (!queue->first) queue->last = &queue->first;
      weft_poke(&arrivals.parked, arrivals.parked - 1);
      if (--p->packet->waiting == 0) {
        weft_server_answer_late(&p->packet->head);
        free(p->packet);
      }
      free(p);
    }
  }
  return n;
}
