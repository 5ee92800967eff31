/* Constraint violations, one a line; errors.sh says what the comments at the ends mean. */
#include <upc.h>
#include <stdarg.h>
#include <stdio.h>
struct incomplete;
struct whole { int a; unsigned bits : 3; };
/* layouts (6.5.1.1) */
shared [-1] int negative[THREADS]; /* E */
int variable;
shared [variable] int not_constant[THREADS]; /* E */
shared [1048576] int over[THREADS * 10]; /* E */
shared [2] shared [3] int two_sizes[THREADS]; /* E */
typedef shared [2] int by_two;
shared [3] by_two two_by_typedef[THREADS]; /* E */
strict relaxed shared int both; /* E */
typedef strict shared int strict_int;
relaxed strict_int both_by_typedef; /* E */
strict int strict_alone; /* E */
int *relaxed relaxed_alone; /* E */
shared [*] int *star_pointer; /* E */
typedef shared [*] int star_typedef[10]; /* E */
extern shared [*] int star_open[]; /* E */
shared [2] void *void_block; /* E */
shared [*] void *void_star; /* E */
shared [*] int star_over[THREADS][2000000]; /* E */
/* arrays (6.5.2.1) */
shared int no_threads[10]; /* D */
shared int threads_twice[THREADS][THREADS]; /* D */
shared int threads_squared[THREADS * THREADS]; /* D */
shared int threads_plus[THREADS + 1]; /* D */
shared int threads_narrow[(short)THREADS]; /* D */
shared int threads_cut[(unsigned)(5000000000 * THREADS)]; /* D */
shared [] int indefinite_threads[THREADS]; /* D */
shared [THREADS] int block_threads[THREADS]; /* D */
shared int row_unbraced[2][THREADS] = {[1] = 5}; /* D */
shared int rows_several[3][THREADS] = {[0 ... 1] = {5}}; /* D */
/* places */
struct has_shared { shared int member; }; /* E */
shared int result_shared(void); /* E */
void parameter_shared(shared int x); /* E */
shared int s, *ps;
shared [5] int *p5;
shared [] int *p0;
shared void *pv;
int *local;
shared struct incomplete *pi;
shared struct whole w;
shared double *pd;
const shared int fixed = 1;
typedef int function(void);
shared function *shared_function; /* E */
void conflicting_parameter(shared [] int *p);
void conflicting_parameter(shared int *p); /* E */
int *conflicting_result(void), **conflicting_deep;
shared int *conflicting_result(void); /* E */
extern int *shared *conflicting_deep; /* E */
void old_style(int i, shared int *p);
void old_style(i, p) int i; shared int *p; {}
typedef shared int (*twice_behind)[THREADS][3][THREADS]; /* D */
shared int conflicting[2 * THREADS];
extern shared [2] int conflicting[2 * THREADS]; /* E */

shared int **deep0;
shared [5] int **deep5, *shared *shared5;
shared int *shared *shared0;
void (*called5)(int, shared [5] int *), (*called)(int, shared int *);

void takes(shared [5] int *p, int *q);

shared int *returns_local(void) {
  return local; /* E */
}
int *returns_shared(void) {
  return ps; /* E */
}

void objects(int n) {
  shared int automatic; /* E */
  static shared int variable_length[n]; /* E */
  ps = local; /* E */
  ps = 5; /* E */
  ps = (shared int *)local; /* E */
  ps = (shared int *)5; /* E */
  local = ps; /* E */
  local = (int *)ps;
  n = (int)(shared int)s; /* E */
  ps = p5; /* E */
  p0 = ps; /* E */
  p5 = (shared [5] int *)ps;
  pv = p5;
  p5 = pv;
  ps = pd; /* W */
  deep0 = &p0; /* W */
  deep0 = deep5; /* W */
  shared5 = shared0; /* W */
  called = called5; /* W */
  deep0 = 0, called = NULL, shared0 = NULL;
  deep5 = &p5, (*deep5)++, *deep5 = *shared5;
  ps = 0;
  ps = NULL;
  takes(ps, local); /* E */
  takes(p5, ps); /* E */
  takes(p5, &s); /* E */
  shared int *initial = local; /* E */
  struct { shared [5] int *p; } in = {ps}; /* E */
  n = va_arg(*(va_list *)0, shared int); /* E */
}

void operators(int n) {
  n = ps - local; /* E */
  n = ps < local; /* E */
  n = ps == local; /* E */
  n = ps < p5; /* E */
  n = ps - p5; /* E */
  n = ps == p5; /* W */
  n = pi < pi; /* E */
  n = ps < (shared struct incomplete *)ps; /* E */
  n = pi - pi; /* E */
  pi = pi + 1; /* E */
  pv = pv + 1; /* E */
  pv++; /* E */
  n = pv < pv; /* E */
  ps = ps + ps; /* E */
  ps = ps * 2; /* E */
  n = sizeof(shared void); /* E */
  n = sizeof(shared struct incomplete); /* E */
  n = n ? ps : local; /* E */
  n = *pv; /* E */
  n = pi->a; /* E */
  n = w.nothing; /* E */
  fixed = 2; /* E */
  n = upc_blocksizeof(n); /* E */
  n = upc_localsizeof(int); /* E */
  n = upc_elemsizeof(shared void); /* E */
  n = upc_localsizeof(operators); /* E */
  n = upc_blocksizeof(shared struct incomplete); /* E */
  n = sizeof(w.bits); /* E */
  ps = &w.bits; /* E */
}

shared [] int ten[10];
shared int each[THREADS], rows[3][THREADS];
void subscripts(void) {
  ten[-1] = 1; /* W */
  ten[9] = p0[-1];
  ten[11] = 1; /* W */
  each[-1] = 1; /* W */
  rows[-2][0] = 1; /* W */
  rows[3 - 1][0 - 1] = 1; /* W */
  p0 = &ten[10];
}

void statements(double d) {
  int i;
  upc_barrier d;
  upc_barrier *(struct whole *)local; /* E */
  upc_notify ps; /* W */
  upc_wait local; /* W */
  upc_fence 3; /* E */
  pv += 1; /* E */
  printf("%p", ps); /* W */
  upc_forall (i = 0; i < 3; i++; d) {} /* E */
  upc_forall (i = 0; i < 3; i++; local) {} /* E */
  upc_forall (i = 0; i < 3; i++; i) {
    for (;;) break;
    if (i == 1) break; /* W */
    if (i == 2) return; /* W */
    if (i == 3) goto out; /* W */
  }
out:
  i = 2;
#pragma upc strict /* W */
#pragma upc sloppy /* W */
#pragma upc relaxed or so /* W */
  {
#pragma upc relaxed
    i = 3;
  }
}
/* statics that go to file scope, as their initialisers run before main */
static shared int behind[THREADS];
static void statics(void) {
  enum { FOUR = 4 };
  struct pair {
    shared int *at;
  };
  static struct {
    shared int *at;
    int n[FOUR];
  } own = {&behind[0], {FOUR}}, *to = &own, **to_that = &to;
  int automatic;
  typedef long number;
  static int by_size = THREADS + sizeof(automatic); /* D */
  static long by_type[2] = {THREADS, (number)1};
  static struct pair other = {&behind[0]};
  static struct pair none, *constant = &none;
  static shared struct pair many[100000000L * THREADS];
  static struct { const char *by; shared int *at; } name = {__func__, &behind[0]}; /* E */
  static int aligned_by_type __attribute__((aligned(sizeof(number)))) = THREADS;
  typedef struct { int n; } unnamed;
  static unnamed by_thread = {THREADS};
  static struct entry {
    struct entry *next;
    shared int *at;
  } right = {&right, &behind[0]};
}

/* constants that point to shared objects, which are none to the compiler */
shared int element[THREADS], *const kept = &element[0];
static const struct { shared int *at; int n; } kept_place[1] = {{&element[0], 1}};
static void assign(void) {
  kept = 0; /* E */
  kept_place[0].n = 2; /* E */
  kept++; /* E */
  --kept_place[0].n; /* E */
  for (shared int *p = element, *const end = element + 1; p < end;)
    end++; /* E */
}
