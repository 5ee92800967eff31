/*
 * flow: transfers between shapes and other nodes, packed into packets. A packet takes one of the
 * sender's base buffers at the port (its credits; port/plan.h), and is acknowledged with the
 * others. The first one says how much more is coming and why (flow intimation); the port may then
 * grant leases of its larger spare buffers, and the rest travels in them (flow/lease.h). A get is a
 * packet that describes the wanted bytes; its acknowledgement brings them. It takes the same
 * credits.
 *
 * Every packet says itself where its bytes belong, so a port keeps nothing of a flow but its
 * leases.
 */
#ifndef WEFT_FLOW_H
#define WEFT_FLOW_H

#include "data/data.h"
#include "port/port.h"

/* RETURN and ANNOUNCE are packets, not transfers: leases given back, and intimation before a fence.
 */
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
 * it returns. It does not wait for the other node. lc (NULL for a get) is counted up now, and down
 * when all was packed; rc is counted per packet, and down as each is done; either may be NULL. On a
 * channel that is `ordered`, transfers of one PE with one node take effect in the order in which
 * they were started. */
void weft_flow_start(weft_channel_t *c, int pe, enum weft_flow_action action,
                     const weft_shape_t *remote, const weft_shape_t *local, weft_acc_type_t type,
                     const void *scale, weft_op_t *lc, weft_op_t *rc);

/* A transfer of so many bytes and blocks will be started after a fence, when all earlier operations
 * are known to be complete: the port is told now, so that it grants leases meanwhile. The next
 * weft_flow_start with that node uses or returns them; there must be one. */
void weft_flow_announce(weft_channel_t *c, int node, size_t bytes, size_t blocks);

/* A transfer must take effect after all earlier operations: if it were started now, would it have
 * to wait in the queue? `add`: it accumulates, and need not stay behind other accumulates. */
bool weft_flow_waits(const weft_channel_t *c, int node, bool add);
/* Are there transfers with a node that later records may pass, as they are not all sent, or were
 * sent on leases? */
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
