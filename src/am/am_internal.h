/*
 * What the files of this folder share. Prototypes stand under the file that defines them.
 */
#ifndef WEFT_AM_INTERNAL_H
#define WEFT_AM_INTERNAL_H

#include "am/am.h"
#include "am/wire.h"

/* One PE's staging for one destination node; lives in the window.
 * Invariants: under `lock`, buffer `next` is the one being filled; it holds `fill` bytes, 0 when
 * nothing is staged, and then its busy bit may still be set (the packet before is unanswered). Bit
 * i of `busy`: buffer i was sent and not answered. */
typedef struct weft_stage {
  weft_lock_t lock;
  uint32_t fill;
  uint32_t next;
  uint32_t busy;
  uint32_t sent; /* packets so far */
  bool owed;     /* the last packets wanted no reply: somebody has to ask before their answers are
                    counted on */
  uint32_t aged; /* the helper's mark: `sent` when it last saw something staged, plus 1 */
  uint32_t answered[WEFT_STAGE_BUFFERS]; /* packets of each buffer answered so far */
  _Alignas(WEFT_CACHELINE) char data[WEFT_STAGE_BUFFERS][WEFT_PACKET_MAX];
} weft_stage_t;

/* ---- stage.c ---- */
weft_stage_t *weft_stage_of(int slot, int node);
uint64_t *weft_stage_open_words(int slot);
/* Under the lock, something staged: send it from `from`, an endpoint of this process, on behalf of
 * `pe`. */
void weft_stage_send(weft_stage_t *stage, int slot, int node, weft_endpoint_t *from, bool want);
/* Replies that reached this PE. */
void weft_stage_answered(const weft_packet_t *reply);
void weft_stage_start(void);
int weft_stage_hello(void);

/* ---- port.c: the receiving side ---- */
/* Handle arrived packets; the number handled. Caller holds the service of the port. */
int weft_port_serve(void);
int weft_port_start(void);
void weft_port_stop(void);

#endif
