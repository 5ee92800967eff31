/*
 * sync: waiting for a word of one's own memory to change. The waiter makes progress for everybody
 * it serves and yields.
 */
#ifndef WEFT_SYNC_H
#define WEFT_SYNC_H

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

#endif
