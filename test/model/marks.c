/*
 * Marks of what was put (rma/scalar.c, rma/quiet.c) under a weak memory model: a quiet returns when
 * the own puts are there, also if a quiet of another thread has taken the marks; and a mark that
 * orders nothing is found. test: unit
 */
#include <stdint.h>
#include <stdio.h>

#include "check.h"
#include "model.h"

/* All threads are of one process: the first copy of the library (marking.c). */
static void (*forget)(void);
static void (*put_and_quiet)(unsigned nodes);

static _Alignas(64) uint64_t shared[8];
static unsigned nodes[2];

static void begin(void) {
  forget();
}

static void thread(int t) {
  put_and_quiet(nodes[t]);
}

static long explore(const char *library, enum model_weakening weakening) {
  const model_scenario_t scenario = {"marks", 2, 4, begin, thread, NULL};
  size_t n;
  model_load(library);
  forget = model_symbol(0, "model_forget");
  put_and_quiet = model_symbol(0, "model_put_and_quiet");
  void *pending = ((void *(*)(void *, size_t *))model_symbol(0, "model_network"))(shared, &n);
  model_share(NULL, 0);
  model_share(shared, sizeof shared);
  model_share(pending, n);
  return model_explore(&scenario, weakening, 300000, weakening == MODEL_AS_IT_IS);
}

static void try(const char *library, unsigned first, unsigned second) {
  nodes[0] = first;
  nodes[1] = second;
  const long executions = explore(library, MODEL_AS_IT_IS);
  CHECK(executions > 1);
  printf("puts to %u and %u: %ld executions\n", first, second, executions);
  model_weaken(&shared[0], sizeof shared[0]); /* the marks alone */
  CHECK(explore(library, MODEL_NO_RELEASE) == -1);
  CHECK(explore(library, MODEL_NO_ACQUIRE) == -1);
  model_weaken(NULL, 0);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  try(argv[1], 2, 0); /* one has put, both are quiet */
  return 0;
}
