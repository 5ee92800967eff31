/*
 * sync: waiting for a word of one's own memory to change, or for a message. The waiter makes
 * progress for everybody it serves and yields.
 */
#ifndef WEFT_SYNC_H
#define WEFT_SYNC_H

#include <stddef.h>
#include <stdint.h>

/* One waiting step: progress, then pause or yield depending on how long this wait has lasted and
 * whether the node has more PEs than processors. Use:  for (weft_wait_t w = weft_wait_begin();
 * !condition;) weft_wait_step(&w); weft_wait_begin sends what is staged for other nodes: a waiter
 * may be waiting for the answer. */
typedef struct weft_wait {
  unsigned steps;
} weft_wait_t;

weft_wait_t weft_wait_begin(void);
void weft_wait_step(weft_wait_t *wait);

/* ---- mail.c: messages that wait at their receiver ----------------------------------------------
 * Any memory, any PEs, nothing collective. Who sends does not wait for the receiver; what nobody
 * asks for is kept there. Any thread may call, no handler. */

/* Every PE calls it and synchronises the world before it sends; the second call does nothing. */
void weft_mail_start(void);
/* What was not asked for is forgotten. */
void weft_mail_stop(void);
/* The data may be changed on return. */
void weft_mail_send(int pe, uint64_t key, const void *data, size_t n);
/* Wait for the first message with this key of a PE (-1: of any). Its bytes, of which at most max are
 * stored; *sender, which may be NULL: who sent it. */
size_t weft_mail_receive(int from, uint64_t key, void *to, size_t max, int *sender);

#endif
