/*
 * plan: how a port's memory is divided. Clients are the PEs of other nodes. Each has several lanes
 * (staging areas: one per channel, and those of active messages), and a lane has as many packets
 * under way to the port as it has buffers, and no more. All these buffers, the spare buffers, and
 * the buffers posted for receiving fit WEFT_PORT_MEMORY, whatever the number of clients. Every node
 * computes the same from the same numbers. Arithmetic only.
 */
#ifndef WEFT_PLAN_H
#define WEFT_PLAN_H

#include <stddef.h>

enum {
  WEFT_BUFFERS_MAX = 8, /* of a lane: a bit each in a byte of the port's */
  WEFT_BUFFER_MIN = 1024,
  WEFT_BUFFER_MAX = 1 << 20,
  WEFT_SPARES_MAX = 32
};

typedef struct weft_plan_input {
  size_t memory;  /* bytes of the node that has least */
  size_t clients; /* PEs of other nodes, for the node that has most of them */
  int channels;   /* lanes that a client would like */
  int lanes;      /* further ones that it needs */
  int helpers;    /* ports of a node, among which the clients are divided; 0 means 1 */
  /* Options: bytes, or 0 for 5 % of the memory; "2x3K", or empty for what fits. */
  size_t limit;
  const char *buffers, *spares;
  size_t most; /* bytes of a base buffer that are worth it, if `buffers` does not say; 0: any */
} weft_plan_input_t;

typedef struct weft_plan {
  size_t limit; /* bytes that a node's ports may need */
  size_t total; /* bytes that this plan needs: at most `limit` */
  int channels;
  int buffers;         /* base buffers per client and lane: its credits */
  size_t buffer_bytes; /* of each; a packet's largest size */
  size_t piece_bytes;  /* the most that flows and mediums use of one: the next part is then packed
                          while this one travels */
  int spares;          /* of each port */
  size_t spare_bytes;
  int receives; /* posted, at each port */
  size_t receive_bytes;
} weft_plan_t;

/* 0; -EINVAL: an option has no such form; -ENOMEM: not even the smallest buffers fit. Both are
 * logged with one line. */
int weft_plan_make(weft_plan_t *plan, const weft_plan_input_t *input);

#endif
