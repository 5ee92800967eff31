/*
 * model: runs a few threads of real code in every order, under a weak memory model, and looks for
 * data races, lost waits and failed claims.
 *
 * The code under test is compiled with -fsanitize=thread, but linked with model.c instead of
 * ThreadSanitizer's library: so every access to memory, every atomic operation and every fence
 * comes by here, and the sources are the very ones of the runtime. Each thread of a scenario has a
 * copy of the library of its own (dlopen of a copied file), with its own statics: it plays a
 * process. What they share is the memory that model_share names.
 *
 * The memory model is C11's without speculation: the stores to an atomic location are kept, in the
 * order in which they were made, and a load may return any of them that is not older than what its
 * thread must know already. What a thread must know grows by acquiring what another released. A
 * plain access that is not ordered against another's of the same bytes is a race. Not modelled:
 * loads that see stores which come later in their own thread's order (a load cannot be delayed past
 * a store behind it), and another order of the stores to one location than the one explored.
 *
 * Every schedule is tried but those that differ only in the order of independent steps (sleep
 * sets), and in each every store that a load may return.
 */
#ifndef WEFT_TEST_MODEL_H
#define WEFT_TEST_MODEL_H

#include <stdbool.h>
#include <stddef.h>

enum { MODEL_THREADS = 4 };

typedef struct model_scenario {
  const char *name;
  int threads;
  /* A thread that reads one store so often in a row spins, and waits for news. */
  int spins;
  /* Before the threads, once per execution: put the shared memory in its first state. */
  void (*begin)(void);
  /* Thread t's program. */
  void (*thread)(int t);
  /* After them: claims about the end. NULL: none. */
  void (*end)(void);
} model_scenario_t;

/* Deliberate mistakes: the checker shows with them that it would find one. */
enum model_weakening {
  MODEL_AS_IT_IS,
  MODEL_NO_RELEASE, /* stores, read-modify-writes and fences release nothing */
  MODEL_NO_ACQUIRE, /* loads, read-modify-writes and fences acquire nothing */
  MODEL_NO_FENCE    /* fences do nothing */
};

/* The weakening is of what is done to words of these bytes only, and of no fence. n = 0: of all. */
void model_weaken(const void *words, size_t n);

/* Memory that the threads share; forgets earlier ones with n = 0. */
void model_share(void *memory, size_t n);
/* Explore; the number of executions, or -1 when something was found, which is then printed if
 * `loud`. Gives up as soon as something is found. More executions than `most` end the program. */
long model_explore(const model_scenario_t *scenario, enum model_weakening weakening, long most,
                   bool loud);
/* A claim of the scenario's. */
#define MODEL_CHECK(expr) ((expr) ? (void)0 : model_failed(__FILE__, __LINE__, #expr))
void model_failed(const char *file, int line, const char *what);
/* This thread waits for what another does: called in a loop around looking for it. It looks again
 * after a store to what it has read, or with `any` (it looks by means that are not instrumented)
 * after any store. */
void model_wait(bool any);
/* The same function of thread t's copy of the library: model_symbol(t, "weft_inbox_drain"). */
void *model_symbol(int t, const char *name);
/* Open the library under test once per thread, anew if it was open; its path. Ends the program if
 * that fails. */
void model_load(const char *library);

#endif
