/*
 * Statics of functions whose initialisers run before main, of structures that are defined with
 * them: both stand at file scope in C, where other structures have the same tags.
 */
#include "expect.h"
#pragma clang diagnostic ignored "-Wgnu-designator"

struct entry {
  int other;
};
static shared int x[4 * THREADS];

static int anonymous(int i) {
  static const struct {
    shared int *at;
    int n;
  } table[] = {{&x[1], 3}, {&x[2], 4}}, last = {&x[3], 5};
  CHECK(last.at == &x[3] && sizeof table == 2 * sizeof last);
  return table[i].n + (table[i].at == &x[i + 1]);
}

static void named(void) {
  static struct entry {
    shared int *at;
    struct entry *next;
    int n;
  } first = {&x[3], 0, sizeof(struct entry)}, plain;
  struct entry copy = first, *to = &copy;
  plain = *to;
  first.next = &plain;
  CHECK(first.next->at == &x[3] && plain.n == sizeof plain && sizeof(struct entry) == sizeof plain);
  static struct __attribute__((packed)) tight {
    char c;
    shared int *at;
  } one = {'a', &x[1]};
  CHECK(one.at == &x[1] && sizeof(struct tight) == 1 + sizeof one.at);
}

static int again(void) {
  enum { LONG = 4 };
  static shared struct part {
    int v[LONG];
  } *own = (shared void *)&x[0], *both[2] = {(shared void *)&x[0]};
  static union entry {
    shared int *at;
    long word;
  } one = {&x[2]};
  static shared struct pair {
    int a, b;
  } dealt[THREADS] = {{1, 2}};
  struct pair mine = dealt[0];
  return mine.a + mine.b + (one.at == &x[2]) + (int)sizeof *own + (both[0] != own);
}

/* What those initialisers name of the function goes with them. */
static int counted(void) {
  static shared int n, *to = &n, row[THREADS] = {7};
  enum { LESS = -2, FIVE = 5, SIX };
  static int calls = 1, *count = &calls, numbers[FIVE];
  static struct { shared int *at, *shared *atat; int threads, *count, **counts; size_t size; } all =
      {&row[0], 0, THREADS-LESS, count ? &calls : 0, &count, sizeof numbers};
  static shared [] char text[10], *behind = text + SIX;
  static struct self { shared int *at; struct self *self; } self = {to, &self};
  typedef int word;
  static word threads = THREADS;
  static shared int sizes[THREADS] = {[0] = sizeof(numbers) + FIVE};
  int one(void);
  static struct { int threads, (*one)(void); } function = {THREADS, one};
  extern int number_one;
  static struct { int threads, *number; } outer = {THREADS, &number_one};
  { static shared int *inner[2] = {&n, row}; CHECK(inner[0] == to && *inner[1] == 7); }
  CHECK(to == &n && all.at == row && **all.counts == calls && all.count == &calls && behind == &text[6]);
  CHECK(all.threads == THREADS + 2 && all.size == sizeof numbers && self.self == &self && threads == THREADS);
  CHECK(sizes[0] == sizeof numbers + 5 && function.one() == 1 && *outer.number == 1 && calls-LESS == calls + 2);
  return calls++;
}

/* Words of their initialisers that are called like objects of the function, and attributes. */
static shared char bytes[100 * THREADS];
static int words(void) {
  enum { N = 4 };
  int next = 1, a = 2, DI = 0;
  struct node { int v, next; };
  static shared char *p = bytes + __builtin_offsetof(struct { int v, next; }, next);
  static struct { int next; shared char *q; } old = {next: 3, q: bytes};
  static struct { int (*call)(int a); shared char *q; size_t size; } cast =
      {(int (*)(int a))0, bytes, sizeof(struct { char next, a; })};
  static int aligned __attribute__((aligned(N * 16), unused, mode(DI))) = MYTHREAD, other = 1;
  static _Alignas(N * 8) int at = THREADS;
  CHECK(p - bytes == sizeof(int) && old.next == 3 && !cast.call && cast.size == 2 && cast.q == old.q);
  CHECK((size_t)&aligned % 64 == 0 && (size_t)&at % 32 == 0 && sizeof aligned == 8 && at == THREADS);
  return next + a + DI + other + aligned + sizeof(struct node) - MYTHREAD;
}
int number_one = 1;
int one(void) { return number_one; }

/* So large that the runtime allocates them, and is told so at file scope. */
shared struct large { double x[3]; } large[3000000 * THREADS], *behind = &large[1];
static shared enum { NO, YES } flags[20000000 * THREADS];
static void allocated(void) {
  static shared [3] struct part {
    double x[3];
    shared struct part *next;
  } parts[3000000 * THREADS] = {{{1, 2, 3}, 0}}, *first = &parts[0];
  typedef int word;
  static shared word words[20000000 * THREADS];
  shared [3] struct part *p = &parts[3 * MYTHREAD + 1];
  p->x[2] = MYTHREAD;
  large[MYTHREAD].x[1] = 2;
  flags[MYTHREAD] = YES;
  words[MYTHREAD] = 3;
  struct part mine = *p;
  CHECK(mine.x[2] == MYTHREAD && first->x[1] == 2 && behind == &large[1] && large[MYTHREAD].x[1] == 2);
  CHECK(flags[MYTHREAD] == YES && words[MYTHREAD] == 3 && sizeof(struct part) == 4 * sizeof(double));
}

int main(void) {
  allocated();
  CHECK(counted() == 1 && counted() == 2);
  CHECK(words() == 12);
  struct entry other = {5};
  CHECK(anonymous(0) == 4 && anonymous(1) == 5 && other.other == 5);
  named();
  CHECK(again() == 4 + 4 * sizeof(int) && sizeof(struct entry) == sizeof(int));
  return 0;
}
