/* Reads, writes, compound assignment and stepping of shared objects of every size, through static
 * names, pointers and members; initialisers; bit-fields (traps 10, 11, 25 to 29, 45). */
#include <stdarg.h>
#include <string.h>
#include "expect.h"

typedef struct inner { char c; short h[3]; } inner_t;
struct all {
  char c; short h; int i; long l; float f; double d; long double ld; _Bool b;
  enum colour { RED, GREEN } e;
  inner_t in[2];
  shared int *ps;
  int *p;
  unsigned b3 : 3, b5 : 5;
  signed s7 : 7;
  struct { int deep; } anonymous;
  double _Complex z;
};
shared struct all everything, many[2 * THREADS];
shared int counter = 40, *shared_pointer = &counter;
shared int *shared pointers[THREADS];
shared [2] int given[2 * THREADS] = {1, [1] = 5};
shared [] const char text[] = "shared text";
int *local_view = (int *)&counter;
shared int *table[] = {&counter, 0, NULL};
static shared [3] double reals[3 * THREADS];

static int once_count;
static int once(int i) {
  once_count++;
  return i;
}

static void scalars(void) {
  shared struct all *p = &everything;
  p->c = 'x';
  p->h = -3;
  p->i = 1 << 20;
  p->l = -(1L << 40);
  p->f = 1.5f;
  p->d = 2.25;
  p->ld = 3.5L;
  p->b = 7; /* converted as in C: 1 */
  p->e = GREEN;
  p->in[1].h[2] = 77;
  p->in[once(0)].c = 'q';
  p->ps = &counter;
  p->anonymous.deep = 9;
  p->z = 1.0;
  CHECK(everything.c == 'x' && everything.h == -3 && everything.i == 1 << 20);
  CHECK(everything.l == -(1L << 40) && everything.f == 1.5f && everything.d == 2.25);
  CHECK(everything.ld == 3.5L && everything.b == 1 && everything.e == GREEN);
  CHECK(everything.in[1].h[2] == 77 && (*p).in[0].c == 'q' && *p->ps == counter);
  CHECK(everything.anonymous.deep == 9 && everything.z == 1.0 && once_count == 1);
  struct all copy = everything;
  CHECK(copy.in[1].h[2] == 77 && copy.d == 2.25);
  copy.d = 8;
  many[MYTHREAD] = copy;
  many[MYTHREAD + THREADS] = many[MYTHREAD];
  CHECK(many[MYTHREAD + THREADS].d == 8 && many[MYTHREAD].in[0].c == 'q');
}

static void compound(void) {
  shared double *r = (shared double *)&reals[0];
  int i = 0;
  many[i++].i = 5;
  CHECK(i == 1 && many[0].i == 5);
  many[once(0)].i += 2.6; /* computed as double, stored as int */
  CHECK(many[0].i == 7);
  many[0].i <<= 2;
  CHECK((many[0].i %= 10) == 8 && many[0].i++ == 8 && ++many[0].i == 10 && many[0].i-- == 10);
  many[0].c = 127;
  many[0].c++;
  CHECK(many[0].c == -128);
  *r = 1;
  *r /= 4;
  CHECK(reals[0] == 0.25 && -reals[0] == -0.25 && !(reals[0] == 0));
  shared [3] double *q = reals;
  *q++ = 3;
  *q++ = 4;
  CHECK(reals[0] == 3 && reals[1] == 4 && q == &reals[2] && (q -= 2) == reals && q[1] == 4);
  pointers[MYTHREAD] = &counter;
  CHECK(*pointers[MYTHREAD] == counter && (pointers[MYTHREAD] ? 1 : 0));
  shared int *shared *pp = &pointers[MYTHREAD];
  *pp += THREADS;
  CHECK(*pp - &counter == THREADS && (*pp)-- != 0 && *pp - &counter == THREADS - 1);
}

static void bitfields(void) {
  everything.b3 = 5;
  everything.b5 = 21;
  everything.s7 = -9;
  CHECK(everything.b3 == 5 && everything.b5 == 21 && everything.s7 == -9);
  CHECK((everything.b3 += 4) == 1 && everything.b3++ == 1 && everything.b3 == 2);
  shared struct all *p = &everything;
  p->b5--;
  (everything.b3)++;
  CHECK((p->b5) == 20 && ((everything.b3)) == 3 && p->s7 == -9 && p->anonymous.deep == 9);
}

static shared int *sum(int n, ...) {
  va_list list;
  va_start(list, n);
  shared int *last = NULL;
  for (int i = 0; i < n; i++) last = va_arg(list, shared int *);
  va_end(list);
  return last;
}

static int next_number(void) {
  static shared int hidden;
  static shared int start[THREADS] = {100};
  return start[0] + ++hidden;
}

static void shadows(int shared_like) {
  typedef long number;
  { int number = shared_like; CHECK(number == 3 && sizeof number == sizeof(int)); }
  number n = counter;
  CHECK(sizeof n == sizeof(long) && n == 40);
}

/* A cast to local of what names an object is its address, and the same as one of the pointer (trap 5). */
shared [4] struct all blocks[8 * THREADS];
shared [3] int rows[THREADS][3];
shared [] int all_there[10];
#define LOCAL(T, e) ((T *)(e) == (T *)(shared void *)(e))
static void casts(void) {
  int i = 4 * MYTHREAD, calls = once_count;
  struct all *own = (struct all *)&blocks[i];
  shared void *second = &blocks[i + 1];
  CHECK(LOCAL(struct all, &blocks[i]) && (struct all *)second == own + 1 && LOCAL(int, &counter) && LOCAL(int, all_there));
  CHECK((int *)&blocks[once(i) + 1].anonymous.deep == &own[1].anonymous.deep && once_count == calls + 1);
  CHECK((short *)blocks[i + 4 * THREADS + 3].in[1].h == own[7].in[1].h && LOCAL(char, &everything.in[1].c));
  CHECK((int *)&rows[MYTHREAD][1] == (int *)rows[MYTHREAD] + 1 && LOCAL(int, rows[MYTHREAD]) && LOCAL(int, &given[2 * MYTHREAD + 1]));
  CHECK((char *)&*&all_there[2] == (char *)all_there + 8 && LOCAL(int, &*(all_there + 3)) && LOCAL(struct all, &many[MYTHREAD + THREADS]));
}

/* No blank between a keyword and what is read. */
static int difference(shared int *p) { return(p[THREADS] - p[0]); }
static int pointed(shared int *p) { return*p; }
static int enclosed(shared int *p) { return(*p); }
static int product(shared int *p) { return(p[0] + p[1])*2; }
static int chosen(shared int *p, int n) { do n--; while(p[0] - *p); if(n)return*p; else return-p[0]-p[1]; }
static void touching(void) {
  static shared int row[3 * THREADS];
  shared int *p = row;
  for (int i = 0; i < 3 * THREADS; i++) p[i] = i + 21;
  CHECK(difference(p) == THREADS && pointed(p) == 21 && enclosed(p) == 21 && product(p) == 86);
  CHECK(chosen(p, 2) == 21 && chosen(p, 1) == -43);
}

int main(int argc, char **argv) {
  CHECK(argc == 1 && argv[0] && counter == 40 && *shared_pointer == 40);
  CHECK(given[0] == 1 && given[1] == 5 && (THREADS == 1 || given[2] == 0));
  CHECK(text[0] == 's' && text[11] == 0 && sizeof(text) == 12);
  CHECK(MYTHREAD || *local_view == 40);
  CHECK(table[0] == &counter && !table[1] && table[2] == NULL && sizeof table == 24);
  upc_barrier;
  if (MYTHREAD == THREADS - 1) {
    scalars();
    compound();
    bitfields();
    touching();
    CHECK(next_number() == 101 && next_number() == 102);
    CHECK(sum(2, &counter, &counter) == &counter && sum(0) == NULL);
  }
  shadows(3);
  casts();
  upc_barrier;
  CHECK(everything.i == 1 << 20 && everything.b5 == 20 && pointers[THREADS - 1] != NULL);
  return 0;
}

/* More temporaries than fingers: none of their names is one of ours for something else. */
#define EIGHT(x) x; x; x; x; x; x; x; x
void many_temporaries(int i) {
  EIGHT(EIGHT(reals[i] = reals[i + 1]));
  EIGHT(EIGHT(reals[i] += given[i]++));
}
