/*
 * Copies to a third node, which packets ask the port for. The port posts them as writes, few at a
 * time for each target, and the others wait in a list: a provider may have one queue for all
 * targets, and a target that is stopped may take nothing for a long time, while others need the
 * port. A packet is answered when its copies are there; until then its sender has no other use for
 * its buffer, so there are no more copies than packets hold. Only the port's server is here.
 */
#include <stdlib.h>
#include <string.h>

#include "port/port_internal.h"

enum { UNDER_WAY = 256 /* writes to a target */, SHARE = 8 /* of the provider's queue, for all */ };

/* A packet with copies that are not done. */
typedef struct asked {
  struct asked *next;
  weft_packet_t packet;
  uint32_t left;
} asked_t;

typedef struct copy {
  weft_op_t op;
  struct copy *next;
  asked_t *by;
  const char *source;
  size_t left; /* bytes that are not posted */
  uint64_t addr, key;
} copy_t;

/* Copies of a node, in the order in which they were asked for. */
typedef struct target {
  struct target *next;
  uint64_t node;
  uint32_t under_way; /* writes posted and not complete, at the last count */
  copy_t *first, **last;
  copy_t **waiting; /* the link to the first that is not posted, or not all of it */
} target_t;

static asked_t *asked;
static target_t *targets; /* with copies */
static uint32_t ntargets;

static void *make(size_t n, const weft_packet_t *packet) {
  void *p = malloc(n);
  if (!p) weft_fatal("no memory to copy for pe %u: this machine is out of memory", packet->from);
  return p;
}

static asked_t *asked_by(const weft_packet_t *packet) {
  asked_t *a = asked;
  while (a && memcmp(&a->packet, packet, sizeof *packet) != 0) a = a->next;
  if (a) return a;
  a = make(sizeof *a, packet);
  *a = (asked_t){.packet = *packet, .next = asked};
  weft_poke(&asked, a);
  return a;
}

static target_t *target_of(uint64_t node, const weft_packet_t *packet) {
  target_t *t = targets;
  while (t && t->node != node) t = t->next;
  if (t) return t;
  t = make(sizeof *t, packet);
  *t = (target_t){.node = node, .next = targets};
  t->last = t->waiting = &t->first;
  targets = t;
  ntargets++;
  return t;
}

/* As many as may be under way, and the provider takes. */
static void post(target_t *t) {
  const size_t share = weft_job.fabric.info->tx_attr->size / SHARE / ntargets;
  const uint32_t most = share > UNDER_WAY ? UNDER_WAY : share ? (uint32_t)share : 1;
  for (copy_t *c; (c = *t->waiting) && t->under_way < most;) {
    const size_t n = c->left < weft_job.fabric.rma_max ? c->left : weft_job.fabric.rma_max;
    if (!weft_endpoint_try_deliver(&weft_job.endpoint, t->node, c->source, n, c->addr, c->key,
                                   &c->op, false))
      return;
    t->under_way++;
    c->source += n, c->addr += n, c->left -= n;
    if (c->left == 0) t->waiting = &c->next;
  }
}

void weft_copies_ask(const weft_packet_t *packet, int pe, uintptr_t off, const char *source,
                     size_t n) {
  target_t *t = target_of((uint64_t)weft_job_node_of(pe), packet);
  copy_t *c = make(sizeof *c, packet);
  *c = (copy_t){.by = asked_by(packet),
                .source = source,
                .left = n,
                .addr = weft_job_remote_addr(pe, off),
                .key = weft_job_remote_key(pe)};
  c->by->left++;
  *t->last = c;
  t->last = &c->next;
  post(t);
}

static void answer(asked_t *a) {
  asked_t **link = &asked;
  while (*link != a) link = &(*link)->next;
  weft_poke(link, a->next);
  weft_server_answer_late(&a->packet);
  free(a);
}

/* Take out what is complete, and count what is not. Returns how many packets were answered. */
static int reap(target_t *t) {
  int answered = 0;
  t->under_way = 0;
  for (copy_t **link = &t->first, *c; (c = *link);) {
    const uint32_t pending = weft_observe(&c->op.pending);
    t->under_way += pending;
    if (c->left) break;
    if (pending) {
      link = &c->next;
      continue;
    }
    *link = c->next;
    if (t->waiting == &c->next) t->waiting = link;
    if (t->last == &c->next) t->last = link;
    if (--c->by->left == 0) answer(c->by), answered++;
    free(c);
  }
  return answered;
}

int weft_copies_again(void) {
  int answered = 0;
  if (weft_likely(!targets)) return 0;
  weft_endpoint_poll(&weft_job.endpoint);
  for (target_t **link = &targets, *t; (t = *link);) {
    answered += reap(t);
    post(t);
    if (t->first) {
      link = &t->next;
      continue;
    }
    *link = t->next;
    ntargets--;
    free(t);
  }
  return answered;
}

bool weft_copies_waiting(void) {
  return weft_peek(&asked) != NULL;
}
