/*
 * wait: the one wait (progress.c), of which all of the library are made, and what layers above add
 * to its steps. Include port/port.h.
 */
#ifndef WEFT_WAIT_H
#define WEFT_WAIT_H

#include "port/port.h"

/* Every wait of the library is a loop of these steps. A step makes progress: it serves this
 * process's port, takes the answers that have come, and does what layers above have added; when
 * there was nothing to do it pauses, or gives the processor to someone else. */
typedef struct weft_wait {
  const weft_channel_t *channel; /* every step looks at its endpoint; NULL: at those from which
                                    something is expected, and now and then at the first */
  unsigned idle;                 /* steps that found nothing to do since one did */
  unsigned taken;                /* weft_links_taken, at the last of them */
  uint64_t naps_since;           /* ns: when the first of these steps that napped did */
  bool sleeps;                   /* steps may sleep, and who leaves the wait ends a doze */
  bool dozes;                    /* the next step sleeps */
} weft_wait_t;
void weft_wait_step(weft_wait_t *wait);
/* The PE dozes, and what it waits for has come. */
void weft_wait_rouse(weft_wait_t *wait);

/* Wait until the condition holds, which each step evaluates again. Nothing is sent for it. The
 * channel may be NULL. */
#define WEFT_WAIT_ON(CHANNEL, condition)                                                           \
  do {                                                                                             \
    weft_wait_t weft_wait_ = {.channel = (CHANNEL), .sleeps = true};                               \
    while (!(condition)) weft_wait_step(&weft_wait_);                                              \
    if (weft_unlikely(weft_wait_.dozes)) weft_wait_rouse(&weft_wait_);                             \
  } while (0)
/* Wait for what others do. Unless it is there already what is staged for other nodes leaves: they
 * may be waiting for that. */
#define WEFT_WAIT_UNTIL(condition)                                                                 \
  do {                                                                                             \
    if (condition) break;                                                                          \
    weft_stage_release();                                                                          \
    WEFT_WAIT_ON(NULL, condition);                                                                 \
  } while (0)
/* A test that found nothing, in a loop of the program's: such a loop is a wait. *wait starts as 0,
 * and does so again when the program has found what it looked for. */
void weft_wait_poll(weft_wait_t *wait);
/* For a function that tells the program what a word holds: where that is nothing, or what it was
 * when this thread looked last, a loop around it waits for more, and this is such a step. */
void weft_wait_looked(const void *word, uint64_t value);
/* For a function that tries to get what another PE may have: where it did not get it, a loop around
 * it is a wait, and this is such a step. */
void weft_wait_tried(bool got);
/* True: from now on those that wait nap after a while in any case, as with WEFT_WAIT=nap. False:
 * only with more PEs than processors, or with that option. */
void weft_wait_naps(bool naps);
/* For a call that programs spin by and that is no step: with more PEs than processors it yields now
 * and then. */
void weft_wait_give_way(void);

/* Wait until all that this process posted under an op is complete, on whatever channel; or test it,
 * which takes one step where it is not. What is staged of it leaves. */
void weft_op_wait(weft_op_t *op);
bool weft_op_test(weft_op_t *op);
/* The same for an op that only this channel's endpoint counts down, or its packets that have left.
 */
void weft_op_wait_on(const weft_channel_t *channel, const weft_op_t *op);
/* What is staged of it leaves; the caller waits for more than this op. */
void weft_op_release(weft_op_t *op);

/* This machine has more PEs than processors: spinning PEs should yield at once. */
bool weft_progress_is_crowded(void);
/* The part of a step that concerns the network; the number of things done. */
int weft_progress_network(void);
/* The PE begins to send n bytes, and makes progress when it has: the helper, which would only take
 * the processor and the provider's lock from it, rests for about as long. */
void weft_progress_move(size_t n);
/* It posts so many bytes, for which it does not wait yet, and may post more: the helper keeps away
 * from the provider meanwhile. */
void weft_progress_post(size_t n);
/* From now on every step of every wait calls `step` too, which returns the number of things it did.
 * It may post, and must not wait. It is called inside of itself if it makes progress. Not to be
 * called by two threads at a time. */
void weft_progress_add(int (*step)(void));
/* Likewise, but only where a wait has found nothing to do for a while. There is one such. */
void weft_progress_look(void (*look)(void));

#endif
