/*
 * What flows put into packets (port/wire.h): after the packet's head comes the flow's, the
 * description of the target's bytes, and the data.
 */
#ifndef WEFT_FLOW_WIRE_H
#define WEFT_FLOW_WIRE_H

#include <stdint.h>

#include "port/port.h"

/* Why more is coming. FENCE: it comes when the sender's earlier operations are complete. */
enum weft_flow_reason {
  WEFT_REASON_STRIDED,
  WEFT_REASON_VECTOR,
  WEFT_REASON_ACCUMULATE,
  WEFT_REASON_FENCE
};

enum { WEFT_FLOW_DIMS = 8 /* at most in a strided description; with more, pieces are sent */ };

/* Description: STRIDED count[dims], stride[dims]; PIECES weft_piece_t[entries]; PLACES
 * uint64_t[entries]: slot offsets. */
typedef struct weft_flow_head {
  uint32_t flow;
  uint8_t action, reason, form, type;
  uint8_t lease;   /* 1 + the sender's number of a packet on a lease; 0: it is in a base buffer */
  uint8_t returns; /* leases that the sender gives back unused */
  uint8_t scaled;
  uint8_t dims;
  uint16_t slot;
  uint16_t unused;
  uint32_t entries;
  uint32_t bytes; /* of this packet's data; of a get: the number wanted */
  uint64_t left;  /* intimation: bytes and blocks that follow this packet; 0: none */
  uint64_t blocks;
  uint64_t base, run, skip; /* STRIDED: of the whole shape; skip: its bytes in earlier packets */
  uint8_t scale[16];
} weft_flow_head_t;

/* In an acknowledgement. Data of a get follow. */
typedef struct weft_flow_note {
  uint64_t ids;     /* packets on leases that were applied, a bit each */
  uint32_t flow;    /* for which leases are granted */
  uint32_t bytes;   /* of a get's data */
  uint16_t granted; /* new leases */
  uint8_t lease;    /* as in the packet that asked for the data */
  uint8_t buffer;
  uint32_t unused;
} weft_flow_note_t;

#endif
