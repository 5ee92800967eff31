/*
 * rma: put, get, atomics and their ordering. It fills the table of weft/direct.h with the functions
 * that suit the job: none needed on one node; plain, coalesced or checked ones otherwise; and,
 * while no job is up, functions that say so.
 *
 * The weft_rma_* functions are for the layers above: they take slot offsets and PEs of the world
 * and reach any of them, on this node or another.
 */
#ifndef WEFT_RMA_H
#define WEFT_RMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rma/noncontig.h"

/* Open and close the inline path: between start and stop weft_direct works. */
int weft_rma_start(void);
void weft_rma_stop(void);
/* From now on until stop every operation is recorded (trace). 0 or a negative errno. */
int weft_rma_record(void);

void weft_rma_put(int pe, uintptr_t off, const void *source, size_t n);
void weft_rma_get(int pe, uintptr_t off, void *dest, size_t n);
/* A flag (8 bytes) of the runtime's own, whose word only ever grows: no quiet flushes it, and it is
 * ordered after nothing. Who waits for it knows that it came. */
void weft_rma_tell(int pe, uintptr_t off, uint64_t value);
/* A put, and an atomic add to a flag (8 bytes) of the same PE that nobody sees before the data.
 * Both leave at once; n is not 0. */
void weft_rma_put_add(int pe, uintptr_t off, const void *source, size_t n, uintptr_t flag,
                      uint64_t value);
/* Atomic add without a result. */
void weft_rma_add(int pe, uintptr_t off, uint64_t value);
/* Everything this PE posted on the default context is complete and visible. */
void weft_rma_quiet(void);

/* The tag (weft/direct.h) of a new context with this number, from 1 to 2^23 - 1: an endpoint of its
 * own, or one that fewest share. Close it when it is quiet. */
long weft_rma_context_open(uint32_t number);
void weft_rma_context_close(long on);
/* As weft_rma_quiet, for what was posted on the context with this tag. */
void weft_rma_quiet_on(long on);
/* Many operations with this tag are coming, or no more: gather them into larger messages. */
void weft_rma_session(long on, bool begins);

/* Who may use a context: anyone; one thread at a time; the thread that made this promise. With
 * WEFT_CHECK=1 who breaks it ends the job with one line. */
enum weft_promise { WEFT_PROMISE_NONE, WEFT_PROMISE_SERIALIZED, WEFT_PROMISE_PRIVATE };
void weft_rma_promise(long on, enum weft_promise promise);

/* With WEFT_CHECK=1: ends the job unless the range is static data or inside one live allocation.
 * For objects of the program that are then given to the functions above, which do not look. */
void weft_rma_check(const void *p, size_t n, const char *who, const char *role);

#endif
