/*
 * What the files of this folder share.
 */
#ifndef WEFT_FLOW_INTERNAL_H
#define WEFT_FLOW_INTERNAL_H

#include "flow/flow.h"
#include "flow/flow_wire.h"

/* ---- large.c: packets in no staging buffer ---- */
typedef struct weft_flow_large {
  weft_op_t op;
  struct weft_flow_large *next;
  _Alignas(16) char data[]; /* a packet, of spare_bytes at most */
} weft_flow_large_t;
weft_flow_large_t *weft_flow_large_take(void);
/* True: the provider has it, and its memory is not the caller's any more. */
bool weft_flow_large_offer(const weft_channel_t *c, int node, weft_flow_large_t *large);
/* A list of those that will not be sent; and all that are free. */
void weft_flow_large_free(weft_flow_large_t *first);
void weft_flow_large_close(void);

/* ---- flow_port.c: the receiving side, as weft_packet_handlers_t says ---- */
void weft_flow_port_start(void);
void weft_flow_hear(const weft_packet_t *packet);
size_t weft_flow_serve(const weft_packet_t *packet, char *out);
uint64_t weft_flow_arrived(const weft_packet_t *question);
/* End the leases of clients that have not used them in time. */
void weft_flow_tick(void);

#endif
