/*
 * The explorer, and what code compiled with -fsanitize=thread calls. Threads are contexts of this
 * one; a thread stops before each atomic step on shared memory, and the explorer says who goes on.
 */
#undef _FORTIFY_SOURCE /* its longjmp goes up a stack only */
#include "model.h"

#include <dlfcn.h>
#include <sched.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "memory.h"

enum { CHOICES = 4096, STACK = 256 * 1024, FENCE = LOCATIONS, NOTHING = -1 };

/* The step that a thread does next. */
typedef struct step {
  int location; /* or FENCE, or NOTHING: it only begins */
  bool writes;
} step_t;

typedef struct thread {
  ucontext_t beginning;
  jmp_buf place; /* once it has begun: a switch without a call of the kernel */
  bool begun;
  char *stack;
  step_t next;
  bool done, waits, any;
  unsigned long seen; /* stores of all when it last began to look */
} thread_t;

static struct {
  const model_scenario_t *scenario;
  thread_t threads[MODEL_THREADS];
  jmp_buf explorer;
  int current;          /* the thread that runs, or MODEL_THREADS */
  unsigned long stores; /* by anybody, in this execution */
  struct {
    short ways, taken;
  } trail[CHOICES];
  int length, at;
  unsigned asleep; /* a bit per thread: going on with it now has been explored already */
  bool failed, loud, redundant;
  void *library[MODEL_THREADS];
} model;

static bool running(void) {
  return model.current < MODEL_THREADS;
}

/* ---- choices --------------------------------------------------------------------------------- */

int choose(int n) {
  if (n <= 1 || model.redundant) return 0;
  if (model.at == CHOICES) {
    fprintf(stderr, "model: an execution with too many choices\n");
    exit(1);
  }
  if (model.at == model.length) {
    model.trail[model.length].ways = (short)n;
    model.trail[model.length++].taken = 0;
  }
  return model.trail[model.at++].taken;
}

/* The next way not yet tried; false: there is none. */
static bool next_way(void) {
  while (model.length &&
         model.trail[model.length - 1].taken + 1 == model.trail[model.length - 1].ways)
    model.length--;
  if (!model.length) return false;
  model.trail[model.length - 1].taken++;
  return true;
}

/* ---- the threads' side ----------------------------------------------------------------------- */

static void to_explorer(void) {
  if (!_setjmp(model.threads[model.current].place)) _longjmp(model.explorer, 1);
}

static void to_thread(int t) {
  thread_t *thread = &model.threads[t];
  model.current = t;
  if (!_setjmp(model.explorer)) {
    if (thread->begun) _longjmp(thread->place, 1);
    thread->begun = true;
    setcontext(&thread->beginning);
  }
  model.current = MODEL_THREADS;
}

void model_failed(const char *file, int line, const char *what) {
  if (model.loud && !model.failed) {
    if (line) fprintf(stderr, "%s:%d: ", file, line);
    fprintf(stderr, "%s: %s\n", model.scenario->name, what);
  }
  model.failed = true;
  if (running()) {
    model.threads[model.current].done = true;
    to_explorer();
  }
}

static void stop_before(int location, bool writes) {
  thread_t *thread = &model.threads[model.current];
  thread->next = (step_t){location, writes};
  to_explorer();
  if (writes) model.stores++;
}

/* Has nothing happened that a waiting thread could find when it looks again? */
static bool nothing_new(int t) {
  const thread_t *thread = &model.threads[t];
  return !memory_news(t) && (!thread->any || thread->seen == model.stores);
}

void model_wait(bool any) {
  thread_t *thread = &model.threads[model.current];
  thread->any = any;
  thread->waits = nothing_new(model.current);
  thread->next = (step_t){NOTHING, false};
  if (thread->waits) to_explorer();
  thread->waits = false;
  thread->seen = model.stores;
  memory_catch_up(model.current);
}

static void body(int t) {
  model.scenario->thread(t);
  model.threads[t].done = true;
  to_explorer();
}

/* ---- the explorer's -------------------------------------------------------------------------- */

static bool dependent(const step_t *a, const step_t *b) {
  if (a->location == NOTHING || b->location == NOTHING) return false;
  return a->location == b->location && (a->writes || b->writes);
}

static unsigned ready_threads(void) {
  unsigned ready = 0;
  for (int t = 0; t < model.scenario->threads; t++) {
    const thread_t *thread = &model.threads[t];
    if (!thread->done && !(thread->waits && nothing_new(t))) ready |= 1U << t;
  }
  return ready;
}

static bool all_done(void) {
  for (int t = 0; t < model.scenario->threads; t++)
    if (!model.threads[t].done) return false;
  return true;
}

/* Let one thread do its step. False: the execution is over. */
static bool go_on(void) {
  const unsigned ready = ready_threads();
  unsigned awake = ready & ~model.asleep;
  if (!ready && !all_done())
    model_failed("", 0, "all that have not ended wait, and nobody is left to wake them");
  if (!ready) return false;
  if (!awake) { /* all that follows is known: only bring the threads to their end */
    model.redundant = true;
    awake = ready;
  }
  int way = choose(__builtin_popcount(awake)), t = -1;
  unsigned before = 0;
  for (unsigned rest = awake; way >= 0; way--, rest &= rest - 1) {
    if (t >= 0) before |= 1U << t;
    t = __builtin_ctz(rest);
  }
  const step_t step = model.threads[t].next;
  unsigned asleep = 0;
  for (int o = 0; o < model.scenario->threads; o++)
    if (((model.asleep | before) >> o & 1) && !dependent(&step, &model.threads[o].next))
      asleep |= 1U << o;
  model.asleep = asleep;
  to_thread(t);
  return !model.failed;
}

static void start_thread(int t) {
  thread_t *thread = &model.threads[t];
  if (!thread->stack) thread->stack = malloc(STACK);
  getcontext(&thread->beginning);
  thread->beginning.uc_stack.ss_sp = thread->stack;
  thread->beginning.uc_stack.ss_size = STACK;
  makecontext(&thread->beginning, (void (*)(void))body, 1, t);
  thread->begun = false;
  thread->next = (step_t){NOTHING, false};
  thread->done = thread->waits = false;
  thread->seen = 0;
}

static void execute(enum model_weakening weakening) {
  model.at = 0;
  model.stores = 1;
  model.asleep = 0;
  model.redundant = false;
  memory_reset(model.scenario->threads, weakening);
  model.scenario->begin();
  for (int t = 0; t < model.scenario->threads; t++) start_thread(t);
  while (go_on()) {
  }
  if (!model.failed && model.scenario->end) model.scenario->end();
}

long model_explore(const model_scenario_t *scenario, enum model_weakening weakening, long most,
                   bool loud) {
  long executions = 0;
  model.scenario = scenario;
  model.current = MODEL_THREADS;
  model.length = 0;
  model.failed = false;
  model.loud = loud;
  do {
    execute(weakening);
    if (model.failed) return -1;
    if (++executions > most) {
      fprintf(stderr, "%s: more than %ld executions\n", scenario->name, most);
      exit(1);
    }
  } while (next_way());
  return executions;
}

/* ---- one copy of the library per thread ------------------------------------------------------ */

void model_load(const char *library) {
  for (int t = 0; t < MODEL_THREADS; t++) {
    if (model.library[t]) dlclose(model.library[t]);
    char copy[] = "/tmp/weft-model-XXXXXX", command[4096];
    const int fd = mkstemp(copy);
    snprintf(command, sizeof command, "cp '%s' %s", library, copy);
    if (fd < 0 || system(command) != 0) exit(1);
    close(fd);
    model.library[t] = dlopen(copy, RTLD_NOW | RTLD_LOCAL);
    unlink(copy);
    if (!model.library[t]) {
      fprintf(stderr, "model: %s\n", dlerror());
      exit(1);
    }
  }
}

void *model_symbol(int t, const char *name) {
  void *found = dlsym(model.library[t], name);
  if (!found) {
    fprintf(stderr, "model: no symbol %s\n", name);
    exit(1);
  }
  return found;
}

/* ---- what instrumented code calls ------------------------------------------------------------ */

/* The current thread is about to access shared memory: its turn comes. False: not shared, or no
 * thread runs. */
static bool at_step(const volatile void *p, size_t n, bool writes) {
  if (!running() || !memory_shared(p)) return false;
  if (!writes && memory_repeats(model.current) >= model.scenario->spins) model_wait(false);
  stop_before(memory_location(p, n), writes);
  return true;
}

int sched_yield(void) {
  if (running()) model_wait(false);
  return 0;
}

static void plain(const void *p, size_t n, bool write) {
  if (running()) memory_plain(model.current, p, n, write);
}

#define PLAIN(n)                                                                                   \
  void __tsan_read##n(void *p);                                                                    \
  void __tsan_read##n(void *p) {                                                                   \
    plain(p, n, false);                                                                            \
  }                                                                                                \
  void __tsan_write##n(void *p);                                                                   \
  void __tsan_write##n(void *p) {                                                                  \
    plain(p, n, true);                                                                             \
  }                                                                                                \
  void __tsan_unaligned_read##n(void *p);                                                          \
  void __tsan_unaligned_read##n(void *p) {                                                         \
    plain(p, n, false);                                                                            \
  }                                                                                                \
  void __tsan_unaligned_write##n(void *p);                                                         \
  void __tsan_unaligned_write##n(void *p) {                                                        \
    plain(p, n, true);                                                                             \
  }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

#define MODIFY(bits, T, name, op)                                                                  \
  T __tsan_atomic##bits##_##name(volatile T *p, T v, int order);                                   \
  T __tsan_atomic##bits##_##name(volatile T *p, T v, int order) {                                  \
    if (!at_step(p, sizeof(T), true)) return __atomic_##name(p, v, __ATOMIC_SEQ_CST);              \
    return (T)memory_modify(model.current, p, sizeof(T), op, v, order);                            \
  }

#define __atomic_exchange(p, v, o) __atomic_exchange_n(p, v, o)
#define ATOMIC(bits, T)                                                                            \
  T __tsan_atomic##bits##_load(const volatile T *p, int order);                                    \
  T __tsan_atomic##bits##_load(const volatile T *p, int order) {                                   \
    if (!at_step(p, sizeof(T), false)) return *p;                                                  \
    return (T)memory_load(model.current, p, sizeof(T), order);                                     \
  }                                                                                                \
  void __tsan_atomic##bits##_store(volatile T *p, T v, int order);                                 \
  void __tsan_atomic##bits##_store(volatile T *p, T v, int order) {                                \
    if (at_step(p, sizeof(T), true))                                                               \
      memory_store(model.current, p, sizeof(T), v, order);                                         \
    else                                                                                           \
      *p = v;                                                                                      \
  }                                                                                                \
  MODIFY(bits, T, exchange, RMW_EXCHANGE)                                                          \
  MODIFY(bits, T, fetch_add, RMW_ADD)                                                              \
  MODIFY(bits, T, fetch_sub, RMW_SUB)                                                              \
  MODIFY(bits, T, fetch_and, RMW_AND)                                                              \
  MODIFY(bits, T, fetch_or, RMW_OR)                                                                \
  MODIFY(bits, T, fetch_xor, RMW_XOR)                                                              \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T *p, T *expected, T v, int order,    \
                                                    int failure);                                  \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T *p, T *expected, T v, int order,    \
                                                    int failure) {                                 \
    if (!at_step(p, sizeof(T), true))                                                              \
      return __atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_SEQ_CST,                  \
                                         __ATOMIC_SEQ_CST);                                        \
    uint64_t old = *expected;                                                                      \
    const bool done =                                                                              \
        memory_compare_exchange(model.current, p, sizeof(T), &old, v, order, failure);             \
    *expected = (T)old;                                                                            \
    return done;                                                                                   \
  }                                                                                                \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T *p, T *expected, T v, int order,      \
                                                  int failure);                                    \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T *p, T *expected, T v, int order,      \
                                                  int failure) {                                   \
    return __tsan_atomic##bits##_compare_exchange_strong(p, expected, v, order, failure);          \
  }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

#define CALLED(declaration)                                                                        \
  declaration;                                                                                     \
  declaration
CALLED(void __tsan_atomic_thread_fence(int order)) {
  if (!running()) return;
  stop_before(FENCE, order == __ATOMIC_SEQ_CST);
  memory_fence(model.current, order);
}
CALLED(void __tsan_read_range(void *p, unsigned long n)) {
  plain(p, n, false);
}
CALLED(void __tsan_write_range(void *p, unsigned long n)) {
  plain(p, n, true);
}
CALLED(void __tsan_atomic_signal_fence(int order)) {
  (void)order;
}
CALLED(void __tsan_init(void)) {}
CALLED(void __tsan_func_entry(void *caller)) {
  (void)caller;
}
CALLED(void __tsan_func_exit(void)) {}
/* weft_seen_given tells ThreadSanitizer of processes that it does not see; here none is unseen. */
CALLED(void __tsan_acquire(void *address)) {
  (void)address;
}
CALLED(void __tsan_release(void *address)) {
  (void)address;
}
/* The library's calls of memcpy and memset come here (-Wl,--wrap). */
void *__wrap_memcpy(void *to, const void *from, size_t n);
void *__wrap_memcpy(void *to, const void *from, size_t n) {
  plain(from, n, false);
  plain(to, n, true);
  return memcpy(to, from, n);
}
/* No wait of these libraries sleeps (port/port.h). */
void weft_wait_rouse(void *wait);
void weft_wait_rouse(void *wait) {
  (void)wait;
}
/* Copies of any length (weft/direct.h). */
extern void *(*weft_direct_move)(void *to, const void *from, size_t n);
void *(*weft_direct_move)(void *to, const void *from, size_t n) = __wrap_memcpy;
/* To memory that another processor read last (base/base.h). */
void weft_copy_to_reader(void *to, const void *from, size_t n);
void weft_copy_to_reader(void *to, const void *from, size_t n) {
  __wrap_memcpy(to, from, n);
}
void *__wrap_memset(void *to, int c, size_t n);
void *__wrap_memset(void *to, int c, size_t n) {
  plain(to, n, true);
  return memset(to, c, n);
}
