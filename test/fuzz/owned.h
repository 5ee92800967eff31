/*
 * A part of the target services: what a PE of the node does itself with what others have sent it
 * (owned.c).
 */
#ifndef WEFT_FUZZ_OWNED_H
#define WEFT_FUZZ_OWNED_H

#include <stddef.h>
#include <stdint.h>

#include "sync/sync.h"

/* Its owner's thread does what is queued for it. */
void owned_serve(int pe);
/* It comes to a meeting of the first `size` PEs. What others say to it is the n bytes. */
void owned_meet(int pe, weft_meeting_t *meeting, int size, const void *said, size_t n);
/* An input is over, also in the middle of the above. */
void owned_end(void);

#endif
