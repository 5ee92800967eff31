/*
 * What the files of this folder share.
 */
#ifndef WEFT_FLOW_INTERNAL_H
#define WEFT_FLOW_INTERNAL_H

#include "flow/flow.h"
#include "flow/flow_wire.h"

/* ---- flow_port.c: the receiving side, as weft_packet_handlers_t says ---- */
void weft_flow_port_start(void);
void weft_flow_hear(const weft_packet_t *packet);
size_t weft_flow_serve(const weft_packet_t *packet, char *out);
uint64_t weft_flow_arrived(const weft_packet_t *question);
/* End the leases of clients that have not used them in time. */
void weft_flow_tick(void);

#endif
