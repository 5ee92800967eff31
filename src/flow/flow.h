/*
 * flow: transfers between shapes and other nodes, packed into packets. A packet takes one of the
 * sender's base buffers at the port (its credits; port/plan.h), and is acknowledged with the
 * others. The first one says how much more is coming and why (flow intimation); the port may then
 * grant leases of its larger spare buffers, and the rest travels in them (flow/lease.h). A get is a
 * packet that says what is wanted, whose acknowledgement has the data; it takes the same credits.
 *
 * Every packet says itself where its bytes belong, so a port keeps nothing of a flow but its
 * leases.
 */
#ifndef WEFT_FLOW_H
#define WEFT_FLOW_H

#include "data/data.h"
#include "port/port.h"

/* The last two are packets only: leases given back, and intimation ahead of a fence. */
enum weft_flow_action {
  WEFT_FLOW_PUT,
  WEFT_FLOW_ADD,
  WEFT_FLOW_GET,
  WEFT_FLOW_RETURN,
  WEFT_FLOW_ANNOUNCE
};

/* Give the port the functions for packets of flows; before weft_port_start. */
void weft_flow_attach(void);

/* Carry out a transfer with a PE of another node. Shapes, lists and scale (NULL: 1) are read before
 * it returns. It does not wait for the other node. lc (NULL for a get) is counted up, and down when
 * all was packed; rc when all is done, packet by packet; either may be NULL. Transfers of one PE
 * with one node take effect in the order in which they were started, on a channel that is
 * `ordered`. */
void weft_flow_start(weft_channel_t *c, int pe, enum weft_flow_action action,
                     const weft_shape_t *remote, const weft_shape_t *local, weft_acc_type_t type,
                     const void *scale, weft_op_t *lc, weft_op_t *rc);

/* A transfer of so many bytes and blocks will be started as soon as what was done before is known
 * to be complete ("a fence first"): the port is told now, so that it grants leases meanwhile. The
 * next weft_flow_start with that node uses or returns them; there must be one. */
void weft_flow_announce(weft_channel_t *c, int node, size_t bytes, size_t blocks);

/* Would a transfer that is to take effect after all before it wait in its queue if it were started
 * now? An accumulate stays behind no other. */
bool weft_flow_waits(const weft_channel_t *c, int node, bool add);
/* Are there transfers with a node that later records may pass: not all sent, or sent on leases? */
bool weft_flow_is_loose(const weft_channel_t *c, int node);

/* What this PE has done so far; for tests and benchmarks. */
typedef struct weft_flow_counts {
  uint64_t packets;   /* sent in base buffers */
  uint64_t leases;    /* packets sent on leases */
  uint64_t returns;   /* leases given back unused */
  uint64_t announced; /* transfers, ahead of a fence */
} weft_flow_counts_t;
weft_flow_counts_t weft_flow_counts(void);

#endif
