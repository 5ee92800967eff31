/*
 * Who asks for answers (port/stage.c): a thread waits for a record that another thread sends with a
 * packet that asks for none. It finds the record staged, or its node among those that owe answers.
 * test: unit
 */
#include <stdio.h>

#include "check.h"
#include "model.h"
#include "port/stage.h"

static void (*empty)(bool at_once);
static void (*threads[2])(void);
static _Alignas(64) char window[2048], shared[512];

static void begin(void) {
  empty(false);
}

static void thread(int t) {
  threads[t]();
}

int main(int argc, char **argv) {
  enum { BUFFERS = 4 }; /* with fewer every packet asks */
  const model_scenario_t scenario = {"asking", 2, 4, begin, thread, NULL};
  CHECK(argc == 2);
  model_load(argv[1]); /* both threads are of one process: the first copy */
  empty = model_symbol(0, "model_empty");
  threads[0] = model_symbol(0, "model_ask");
  threads[1] = model_symbol(0, "model_send_on");
  weft_stage_t *(*place)(char *, size_t, void *, int) = model_symbol(0, "model_staging");
  const weft_stage_t *stage = place(window, sizeof window, shared, BUFFERS);
  model_share(NULL, 0);
  model_share(window, (size_t)((const char *)stage - window) + sizeof *stage);
  model_share(shared, sizeof shared);
  model_share(((void *(*)(void))model_symbol(0, "model_holder"))(), sizeof(weft_holder_t));
  model_share(((void *(*)(void))model_symbol(0, "model_held"))(), 4 * sizeof(weft_held_t));
  const long executions = model_explore(&scenario, MODEL_AS_IT_IS, 300000, true);
  CHECK(executions > 1);
  printf("%ld executions\n", executions);
  return 0;
}
