/*
 * The hand-over of staging buffers (port/stage.c, records.c) under a weak memory model: what a PE
 * writes into a buffer leaves whole and once when the helper sends it, and a buffer is filled again
 * only when its packet was answered, though the helper takes the answer; a lock, and an answer,
 * that publish nothing are found. test: unit
 */
#include <stdint.h>
#include <stdio.h>

#include "check.h"
#include "model.h"
#include "port/stage.h"

/* Both threads are of one process: the first copy of the library (staged.c). */
static void (*empty)(bool at_once);
static void (*put)(int n);
static void (*help)(int n, bool sends);

static _Alignas(64) char window[2048], shared[512];
static weft_stage_t *stage;
static int records;
static bool helper_sends;

static void begin(void) {
  empty(!helper_sends);
}

static void thread(int t) {
  if (t == 0)
    put(records);
  else
    help(records, helper_sends);
}

static long explore(const char *library, enum model_weakening weakening) {
  const model_scenario_t scenario = {"staging", 2, 4, begin, thread, NULL};
  model_load(library);
  empty = model_symbol(0, "model_empty");
  put = model_symbol(0, "model_put");
  help = model_symbol(0, "model_help");
  weft_stage_t *(*place)(char *, size_t, void *, int) = model_symbol(0, "model_staging");
  stage = place(window, sizeof window, shared, 1);
  model_share(NULL, 0);
  model_share(stage, (size_t)(window + sizeof window - (char *)stage));
  model_share(shared, sizeof shared);
  model_share(((void *(*)(void))model_symbol(0, "model_holder"))(), sizeof(weft_holder_t));
  model_share(((void *(*)(void))model_symbol(0, "model_held"))(), 4 * sizeof(weft_held_t));
  return model_explore(&scenario, weakening, 300000, weakening == MODEL_AS_IT_IS);
}

/* And what must be found: the stage's words from `words` on publish, or learn, nothing. */
static void try(const char *library, const char *what, const void *words, size_t n) {
  const long executions = explore(library, MODEL_AS_IT_IS);
  CHECK(executions > 1);
  printf("%s: %ld executions\n", what, executions);
  model_weaken(words, n);
  CHECK(explore(library, MODEL_NO_RELEASE) == -1);
  CHECK(explore(library, MODEL_NO_ACQUIRE) == -1);
  model_weaken(NULL, 0);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  records = 1;
  helper_sends = true;
  explore(argv[1], MODEL_AS_IT_IS); /* says where the stage is */
  try(argv[1], "sent by the helper", &stage->lock, sizeof stage->lock);
  records = 2;
  helper_sends = false;
  try(argv[1], "filled again", &stage->busy, sizeof stage->busy);
  return 0;
}
