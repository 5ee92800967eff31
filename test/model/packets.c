/*
 * What the port stores from one packet is seen before what it stores from the next (port/server.c),
 * under a weak memory model: between them there may be a fence of the sender. test: unit
 */
#include <stdio.h>

#include "check.h"
#include "model.h"

static int (*serve)(void);
static void (*look)(void);
static void (*empty)(void);
static _Alignas(64) char slot[128];

static void begin(void) {
  empty();
}

static void thread(int t) {
  if (t == 0)
    serve();
  else
    look();
}

int main(int argc, char **argv) {
  const model_scenario_t scenario = {"packets", 2, 4, begin, thread, NULL};
  CHECK(argc == 2);
  model_load(argv[1]);
  serve = model_symbol(0, "weft_server_run");
  empty = model_symbol(0, "model_empty");
  look = model_symbol(1, "model_look");
  for (int t = 0; t < 2; t++)
    ((void (*)(char *))model_symbol(t, "model_port"))(slot);
  model_share(NULL, 0);
  model_share(slot, sizeof slot);
  const long executions = model_explore(&scenario, MODEL_AS_IT_IS, 100000, true);
  CHECK(executions > 1);
  CHECK(model_explore(&scenario, MODEL_NO_FENCE, 100000, false) == -1);
  printf("%ld executions\n", executions);
  return 0;
}
