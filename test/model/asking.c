/*
 * Who asks for answers (port/stage.c): a thread waits for a record that another thread sends with a
 * packet that asks for none. It finds the record staged, or its node among those that owe answers.
 * And who sends what gathered while the answer to the packet before it came: the PE, which computes
 * next, or the thread that took the answer. test: unit
 */
#include <stdio.h>

#include "check.h"
#include "model.h"
#include "port/stage.h"

static void (*threads[2])(void);
static _Alignas(64) char window[2048], shared[512];
static const weft_stage_t *stage;

static void thread(int t) {
  threads[t]();
}

static void end(void) {
  MODEL_CHECK(stage->fill == 0 || stage->busy); /* or only the helper is left to send it */
}

static void explore(const char *first, const char *second, const char *with) {
  const model_scenario_t scenario = {first, 2, 4, model_symbol(0, with), thread, end};
  threads[0] = model_symbol(0, first);
  threads[1] = model_symbol(0, second);
  const long executions = model_explore(&scenario, MODEL_AS_IT_IS, 300000, true);
  CHECK(executions > 1);
  printf("%s: %ld executions\n", first, executions);
}

int main(int argc, char **argv) {
  enum { BUFFERS = 4 }; /* with fewer every packet asks */
  CHECK(argc == 2);
  model_load(argv[1]); /* both threads are of one process: the first copy */
  weft_stage_t *(*place)(char *, size_t, void *, int) = model_symbol(0, "model_staging");
  stage = place(window, sizeof window, shared, BUFFERS);
  model_share(NULL, 0);
  model_share(window, (size_t)((const char *)stage - window) + sizeof *stage);
  model_share(shared, sizeof shared);
  model_share(((void *(*)(void))model_symbol(0, "model_holder"))(), sizeof(weft_holder_t));
  model_share(((void *(*)(void))model_symbol(0, "model_held"))(), 4 * sizeof(weft_held_t));
  explore("model_ask", "model_send_on", "model_gather");
  explore("model_compute", "model_take", "model_eager");
  return 0;
}
