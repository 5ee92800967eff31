/*
 * Queued locks of a node (sync/lock.c) under a weak memory model: they exclude, what was written
 * under one is seen by the next holder, nobody waits for ever, a try takes it or leaves it; and a
 * grant or a free word that publishes nothing is found. test: unit
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "check.h"
#include "model.h"

/* Of a slot: where its parts are. */
enum { LOCK = 64, SHARED = 128, PRIVATE = 8192, STRIDE = 16384 };

/* In the copy of each process (queues.c). */
static struct {
  void (*place)(int slot, int slots, void *memory, size_t stride);
  void (*open)(uintptr_t shared, uintptr_t private_heap);
  void (*add_one)(int home, uintptr_t off, long *sum);
  bool (*try_one)(int home, uintptr_t off, long *sum);
} processes[3];

static _Alignas(WEFT_CACHELINE) char window[3 * STRIDE];
static long sum, tried;
static int threads, times;

static void begin(void) {
  memset(window, 0, sizeof window);
  sum = tried = 0;
  for (int t = 0; t < threads; t++) {
    processes[t].place(t, threads, window, STRIDE);
    processes[t].open(SHARED, PRIVATE);
  }
}

static void add(int t) {
  for (int i = 0; i < times; i++) processes[t].add_one(0, LOCK, &sum);
}

/* The last one does not wait. */
static void add_or_leave(int t) {
  if (t < threads - 1)
    add(t);
  else
    tried += processes[t].try_one(0, LOCK, &sum);
}

static void end(void) {
  MODEL_CHECK(sum == times * threads);
}

static void end_tried(void) {
  MODEL_CHECK(sum == times * (threads - 1) + tried);
}

static long explore(const char *library, const model_scenario_t *scenario,
                    enum model_weakening weakening) {
  model_load(library);
  for (int t = 0; t < threads; t++) {
    processes[t].place = model_symbol(t, "model_process");
    processes[t].open = model_symbol(t, "model_queues");
    processes[t].add_one = model_symbol(t, "model_add_one");
    processes[t].try_one = model_symbol(t, "model_try_one");
  }
  return model_explore(scenario, weakening, 300000, weakening == MODEL_AS_IT_IS);
}

static model_scenario_t scenario_of(int n, int each, void (*thread)(int), void (*at_end)(void)) {
  threads = n;
  times = each;
  return (model_scenario_t){"a queued lock", n, 4, begin, thread, at_end};
}

static void try(const char *library, int n, int each, void (*thread)(int), void (*at_end)(void)) {
  const model_scenario_t scenario = scenario_of(n, each, thread, at_end);
  const long executions = explore(library, &scenario, MODEL_AS_IT_IS);
  CHECK(executions > 1);
  printf("%d threads, %d times%s: %ld executions\n", n, each, thread == add ? "" : " or a try",
         executions);
}

static void find(const char *library, const void *words, size_t n) {
  const model_scenario_t scenario = scenario_of(2, 1, add, end);
  model_weaken(words, n);
  CHECK(explore(library, &scenario, MODEL_NO_RELEASE) == -1);
  CHECK(explore(library, &scenario, MODEL_NO_ACQUIRE) == -1);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  model_share(window, sizeof window);
  model_share(&sum, sizeof sum);
  try(argv[1], 2, 1, add, end);
  try(argv[1], 2, 1, add_or_leave, end_tried);
  find(argv[1], NULL, 0);
  find(argv[1], window + LOCK, 8);                   /* given up and taken without a queue */
  find(argv[1], window + PRIVATE, STRIDE - PRIVATE); /* a grant to PE 0, */
  find(argv[1], window + STRIDE + PRIVATE, STRIDE - PRIVATE); /* and to PE 1 */
  return 0;
}
