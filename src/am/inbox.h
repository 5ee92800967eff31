/*
 * inbox: where the active messages to a PE arrive, in its slot of the window. For each lane
 * (requests, replies) it has rings of cells for the senders of its node and for the helpers, who
 * deposit what came from other nodes; and pools of buffers (pool.h).
 *
 * Knows slots and PEs; no packets.
 */
#ifndef WEFT_INBOX_H
#define WEFT_INBOX_H

#include "am/am.h"
#include "weft/am.h"

enum weft_lane { WEFT_REQUESTS, WEFT_REPLIES, WEFT_LANES };

/* A message on its way into a ring. */
typedef struct weft_message {
  uint32_t from;
  enum weft_am_category category;
  int handler, nargs;
  const int32_t *args;
  const void *payload; /* MEDIUM: copied, unless it stands at `buffer` */
  size_t n;
  uint64_t dest;   /* LONG */
  uint64_t buffer; /* where in a pool the payload is (weft_pool_take); 0: not yet in one */
  void *at;        /* where it belongs in this process; NULL: it is there, or goes into cells */
  bool once;       /* nobody tries again: without room nothing may be written to `at` */
} weft_message_t;

/* The own inbox, empty. 0 or -ENOMEM. */
int weft_inbox_open(void);
void weft_inbox_close(void);
bool weft_inbox_is_open(void);
void weft_inbox_register(int index, weft_am_handler_t handler);

/* Where a LONG to this handler of a PE belongs (weft_am_owners): its address in this process, or on
 * another node its slot offset. */
uintptr_t weft_inbox_dest(int handler, int pe, uint64_t dest);

/* Put a message into the inbox of a slot of this node, from this PE, or from the helper of this
 * process (with `helper`). False: there is no room just now. */
bool weft_inbox_post(int slot, enum weft_lane lane, bool helper, weft_message_t *message);
/* The same from this PE for a SHORT, a MEDIUM whose payload fits into cells, or a LONG that fits
 * into one cell with its `dest`, by one of the rings of weft_am_direct; to any PE. False: it is on
 * another node, too long, or there is no room. */
bool weft_inbox_post_small(uintptr_t rings, int pe, enum weft_am_category category, int handler,
                           int nargs, const int32_t *args, const void *payload, size_t n,
                           uint64_t dest);

/* Rings of this PE's inbox that processes of its node held when they died are everybody's again;
 * how many. Nothing in a handler. */
int weft_inbox_mend(bool (*is_gone)(int slot));

/* Run the handlers of some of what has arrived; how many. In a handler: of replies only. */
int weft_inbox_drain(void);
/* The same up to the first message, in each ring, to a handler from WEFT_AM_FRONT on. */
int weft_inbox_drain_own(void);

enum {
  WEFT_INBOX_INLINE = 256,     /* bytes of cells that a message may take */
  WEFT_INBOX_SHORT = 4096,     /* bytes of payload that are copied while the ring is taken */
  WEFT_INBOX_LARGE = 64 * 1024 /* the larger buffers of a pool */
};

#endif
