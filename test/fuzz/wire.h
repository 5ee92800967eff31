/*
 * A job of four PEs on two nodes as the targets of packets see it, and an endpoint that seems to
 * have received what an input says: a list of messages, two bytes of length each. The packet's
 * token is made right, and its length too unless the highest bit of that says not to.
 */
#ifndef WEFT_FUZZ_WIRE_H
#define WEFT_FUZZ_WIRE_H

#include "fuzz.h"
#include "port/port_internal.h"

enum {
  PES = 4,
  NODES = 2,
  PAGE = 4096,
  END = 16 * PAGE,  /* of what packets may touch; the first page they may only read */
  OURS = 1 << 20,   /* where the runtime's part begins */
  STAGES = 1 << 23, /* of a PE */
  STRIDE = 1 << 24,
  MESSAGE_MAX = 4096,
  BUFFER = 2048
};

/* n bytes of memory at an address, so that inputs can name what is in it. */
void *wire_pages(uintptr_t at, size_t n);
/* All n bytes are there to be read. */
void wire_look_at(const void *p, size_t n);
/* Once. PE 0 of node 0, whose slots are made; its endpoint is the port too, or there is no port. */
void wire_job(bool port);
/* What the endpoint has received is this input's. */
void wire_begin(const uint8_t *data, size_t size);
/* Everything in the slots is as it was before the first input. */
void wire_clear(void);

#endif
