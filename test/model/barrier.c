/*
 * The split barrier on a node (coll/begun_turns.c, begun_barrier.c) under a weak memory model:
 * nobody leaves before all have come, what each wrote before is seen by all behind it, the names
 * agree; and a post that publishes nothing is found. test: unit
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "coll/begun_internal.h"
#include "model.h"

/* In the copy of each process (barriers.c). */
static struct {
  void (*team)(int me, int members, int nodes, weft_turn_area_t *areas);
  void (*notify)(uint32_t value);
  uint64_t (*wait)(void);
  void (*write)(long *word, long value); /* instrumented */
  long (*read)(const long *word);
} processes[3];

static weft_turn_area_t areas[3];
static struct {
  _Alignas(WEFT_CACHELINE) long word;
} data[3];
static int threads, nodes, times;

static void begin(void) {
  memset(areas, 0, sizeof areas);
  memset(data, 0, sizeof data);
  for (int t = 0; t < threads; t++) processes[t].team(t, threads, nodes, areas);
}

/* Everybody reads what the others wrote before the barrier; a second one lets them write again. */
static void thread(int t) {
  for (uint32_t i = 1; i <= (uint32_t)times; i++) {
    if (i % 2) processes[t].write(&data[t].word, i);
    processes[t].notify(i);
    MODEL_CHECK(processes[t].wait() == weft_name(i));
    for (int o = 0; i % 2 && o < threads; o++) MODEL_CHECK(processes[t].read(&data[o].word) == i);
  }
  if (times == 2) processes[t].write(&data[t].word, 0);
}

static long explore(const char *library, enum model_weakening weakening) {
  const model_scenario_t scenario = {"a split barrier", threads, 1, begin, thread, NULL};
  model_load(library);
  for (int t = 0; t < threads; t++) {
    processes[t].team = model_symbol(t, "model_team");
    processes[t].notify = model_symbol(t, "model_notify");
    processes[t].wait = model_symbol(t, "model_wait_name");
    processes[t].write = model_symbol(t, "model_write");
    processes[t].read = model_symbol(t, "model_read");
  }
  return model_explore(&scenario, weakening, 200000, weakening == MODEL_AS_IT_IS);
}

static void try(const char *library, int n, int of_nodes, int barriers) {
  threads = n;
  nodes = of_nodes;
  times = barriers;
  const long executions = explore(library, MODEL_AS_IT_IS);
  CHECK(executions > 1);
  printf("%d threads, %s: %ld executions\n", n, nodes == 1 ? "all read all" : "a leader",
         executions);
  CHECK(explore(library, MODEL_NO_RELEASE) == -1);
  CHECK(explore(library, MODEL_NO_ACQUIRE) == -1);
  for (int t = 0; t < n; t++) { /* one process's posts alone */
    model_weaken(&areas[t], sizeof areas[t]);
    CHECK(explore(library, MODEL_NO_RELEASE) == -1);
  }
  model_weaken(NULL, 0);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  model_share(areas, sizeof areas);
  model_share(data, sizeof data);
  try(argv[1], 2, 1, 2);
  try(argv[1], 3, 1, 1);
  try(argv[1], 2, 2, 2);
  try(argv[1], 3, 2, 1);
  return 0;
}
