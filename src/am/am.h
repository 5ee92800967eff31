/*
 * am: active messages of the front ends (GASNet's requests and replies). A message names a
 * handler of the receiving PE, which runs when that PE polls. Requests and replies never wait for
 * each other: a handler may reply once, and a PE that waits for room to reply runs only reply
 * handlers, which send nothing.
 *
 * On a node messages go through the receiver's inbox (inbox.c); to other nodes they are records in
 * packets of two lanes, requests and replies, each with its own buffers (message.c), and the
 * receiving port puts them into the inbox (arrive.c). A packet is answered when all its messages
 * are in inboxes, so a PE that never polls holds up those that send to it, and nobody else.
 *
 * Handlers 1 to 127 are Weft's own, 128 to 255 the front end's clients'. Of Weft's own those below
 * 16 never run a function of the program's (weft_am_poll_own). A front end has 16 to 23.
 */
#ifndef WEFT_AM_H
#define WEFT_AM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "port/port.h"

enum weft_am_category { WEFT_AM_SHORT, WEFT_AM_MEDIUM, WEFT_AM_LONG };

enum {
  WEFT_AM_ARGS_MAX = 16,
  WEFT_AM_HANDLERS = 256,
  WEFT_AM_FRONT = 16,    /* handlers from here on may run a client's function */
  WEFT_AM_CLIENTS = 128, /* handlers from here on are the front end's clients' */
  WEFT_AM_IMMEDIATE = 1, /* do not wait for room: return 1 instead */
  WEFT_AM_BUFFER = 2 /* source is from weft_am_buffer, and the message's from now on (unless 1 is
                        returned) */
};

/* What a handler is given; valid until it returns. */
typedef struct weft_token {
  uint32_t from; /* PE */
  uint8_t handler, category, nargs;
  bool is_request, replied;
} weft_token_t;

/* handler(token, arg0 ...) for SHORT, handler(token, payload, bytes, arg0 ...) otherwise; the
 * arguments are int32_t. The payload of MEDIUM is aligned for any type (16 bytes) and gone when
 * the handler returns. */
typedef void (*weft_am_handler_t)(void);

/* Give the port the functions for messages; before weft_port_start. */
void weft_am_attach(void);

/* Bytes of the runtime area that the inbox takes (inbox.c). */
size_t weft_inbox_size(void);

/* Open the inbox, before any other function here. Every PE calls it, and synchronises the world
 * before it sends. Several clients of this layer may: the first opens it. 0 or -ENOMEM. */
int weft_am_open(void);
/* Of the handlers [first, first + n): where LONGs to them belong. `disp` is per PE what
 * weft_direct.disp is to symmetric addresses, for addresses as their owner sees them; it is kept.
 * The handler is given the number that the sender said. This PE's own entry counts, too: some
 * payloads travel in cells of the inbox and are copied when the handler runs.
 * Until a client says so of its handlers, they take addresses as their owner sees them. */
void weft_am_owners(int first, int n, const uintptr_t *disp);
void weft_am_close(void);
/* Everything that this PE sent is in inboxes. Runs no handlers. */
void weft_am_settle(void);

/* From true to false, which may nest, messages to the clients' handlers (128 to 255) are kept: a
 * fast peer's may arrive before the client here has what they need. They run in the first poll
 * after that. Any thread may call. */
void weft_am_hold(bool hold);

/* index 1 to 255. Below 128 are Weft's own: from other nodes these get mediums only. */
void weft_am_register(int index, weft_am_handler_t handler);

/* Send a message. The payload (n bytes, MEDIUM and LONG) may be changed on return, or when `lc`, if
 * it is not NULL, was counted down. LONG: it is at dest, an address of the receiving PE's, when the
 * handler runs. Returns 0, or 1 with WEFT_AM_IMMEDIATE. */
int weft_am_request(int pe, enum weft_am_category category, int handler, const void *source,
                    size_t n, uint64_t dest, unsigned flags, weft_op_t *lc, int nargs,
                    const int32_t *args);
int weft_am_reply(weft_token_t *token, enum weft_am_category category, int handler,
                  const void *source, size_t n, uint64_t dest, unsigned flags, weft_op_t *lc,
                  int nargs, const int32_t *args);

/* Largest payload of a MEDIUM to this PE; of one that goes to any PE: -1. */
size_t weft_am_max_medium(int pe);
/* Of a LONG. */
size_t weft_am_max_long(void);
/* Of a LONG to another node that is copied at once, and travels in the message's packet. */
size_t weft_am_packed(void);

/* Room for a MEDIUM's payload of n bytes (at most weft_am_max_medium), which need not be copied
 * again on a node. NULL only with WEFT_AM_IMMEDIATE. It goes with WEFT_AM_BUFFER, or back. */
void *weft_am_buffer(bool reply, size_t n, unsigned flags);
void weft_am_buffer_free(void *buffer);

/* Run handlers of messages that arrived (a few of each sender) and make progress. In a handler: of
 * replies only. Returns how much was done. */
int weft_am_poll(void);
/* Progress in which no function of a client's runs. Messages to handlers below WEFT_AM_FRONT do
 * run, but not those that stand behind a message to another handler. */
int weft_am_poll_own(void);
/* Run the handlers of all messages that came before the call, but for those that another thread of
 * this process is running, and those that are held. */
void weft_am_run_what_came(void);

/* A message before weft_am_open, or where there is no job. The front end that has messages defines
 * it, to name its function. */
void weft_am_closed(void) __attribute__((noreturn));

/* Is this thread in a handler? */
bool weft_am_in_handler(void);

#endif
