/*
 * memory: the weak memory of the model checker. Locations, the stores made to them, what each
 * thread must know, races. Knows no schedules: who chooses among several stores is choose().
 */
#ifndef WEFT_TEST_MODEL_MEMORY_H
#define WEFT_TEST_MODEL_MEMORY_H

#include <stdint.h>

#include "model.h"

enum { LOCATIONS = 96 };

/* What a thread must know: of each location the oldest store that it may still read, of each thread
 * how far it has come. Joined, the larger counts. */
typedef struct view {
  uint16_t store[LOCATIONS];
  uint32_t clock[MODEL_THREADS];
} view_t;

enum rmw { RMW_EXCHANGE, RMW_ADD, RMW_SUB, RMW_AND, RMW_OR, RMW_XOR };

/* Forget everything: a new execution of `threads` threads. */
void memory_reset(int threads, enum model_weakening weakening);
bool memory_shared(const volatile void *p);
/* A number for the location, and for what may be reordered; -1 for memory that is not shared. */
int memory_location(const volatile void *p, size_t n);

uint64_t memory_load(int t, const volatile void *p, size_t n, int order);
void memory_store(int t, volatile void *p, size_t n, uint64_t value, int order);
uint64_t memory_modify(int t, volatile void *p, size_t n, enum rmw op, uint64_t operand, int order);
bool memory_compare_exchange(int t, volatile void *p, size_t n, uint64_t *expected, uint64_t value,
                             int order, int failure);
void memory_fence(int t, int order);
void memory_plain(int t, const volatile void *p, size_t n, bool write);
/* Is there a newer store to what the thread has read since it last caught up? */
bool memory_news(int t);
/* It reads the newest of these next time: stores reach everybody in the end. */
void memory_catch_up(int t);
/* So often has the thread read the same store again, and done nothing else. */
int memory_repeats(int t);

/* Of n ways go one; the explorer sees to it that all are tried. */
int choose(int n);

#endif
