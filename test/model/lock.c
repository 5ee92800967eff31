/*
 * weft_lock under a weak memory model: it excludes, what was written under it is seen by the next
 * holder, and nobody waits for ever. test: unit
 */
#include <stdint.h>
#include <stdio.h>

#include "base/base.h"
#include "check.h"
#include "model.h"

/* In the copy of each process (locked.c). */
static void (*add_one[3])(weft_lock_t *lock, long *sum);

static struct {
  weft_lock_t lock;
  long sum;
} shared;

static int threads, times;

static void begin(void) {
  shared.lock.held = 0;
  shared.sum = 0;
}

static void add(int t) {
  for (int i = 0; i < times; i++) add_one[t](&shared.lock, &shared.sum);
}

static void end(void) {
  MODEL_CHECK(shared.sum == times * threads);
}

static long explore(const char *library, int n, enum model_weakening weakening) {
  const model_scenario_t scenario = {"a lock", n, 1, begin, add, end};
  threads = n;
  times = n == 2 ? 2 : 1;
  model_load(library);
  for (int t = 0; t < 3; t++) add_one[t] = model_symbol(t, "model_add_one");
  return model_explore(&scenario, weakening, 1000000, weakening == MODEL_AS_IT_IS);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  model_share(&shared, sizeof shared);
  for (int n = 2; n <= 3; n++) {
    const long executions = explore(argv[1], n, MODEL_AS_IT_IS);
    CHECK(executions > 1);
    printf("%d threads: %ld executions\n", n, executions);
  }
  CHECK(explore(argv[1], 2, MODEL_NO_RELEASE) == -1);
  CHECK(explore(argv[1], 2, MODEL_NO_ACQUIRE) == -1);
  return 0;
}
