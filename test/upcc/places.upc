/* Shared objects that are reached by way of an array that is a member, used as a pointer, and with
 * compound literals, whose commas are none between the arguments of a macro. */
#include "expect.h"

typedef struct { int x, y; } pair;
struct arrays { int a[3], m[2][3]; struct inner { char c; short h[3]; } in[2]; };
shared struct arrays grid;
static shared struct arrays *that(void) { return &grid; }
static int next(int i) { return i; }
static void dereferenced(void) {
  shared struct arrays *p = &grid;
  *p->a = 1;
  *(grid.a + 1) = 2;
  CHECK((*(p->a + next(2)) += 3) == 3 && (*grid.a)++ == 1 && *that()->a == 2 && &*grid.a == &p->a[0]);
  CHECK(*(grid.a + 1) + *(p->a + 2) * *(2 + grid.a) == 11 && sizeof *grid.m == sizeof(int[3]));
  **p->m = 4;
  (*(grid.m + 1))[1] = 5;
  *(*(p->m + 1) + 2) = 6;
  CHECK(**grid.m == 4 && (*grid.m)[0] == 4 && grid.m[1][1] == 5 && (p->m)[1][2] == 6);
  (*grid.in).c = 'c';
  (*(p->in + 1)).h[2] = 7;
  CHECK(grid.in[0].c == 'c' && (p->in + 1)->h[2] == 7 && *(*(p->in + 1)).h == 0 && *((grid.in)->h + 1) == 0);
}

#define ONE (int[]){0, 1}[1]
#define TO(p) (shared void *[]){p, NULL}[0]
static shared pair pairs[THREADS], *at = &pairs[0];
static shared int row[4 * THREADS];
static shared [3] int blocked[9 * THREADS];
static strict shared int strict_word;
static strict shared pair strict_pair;
static shared struct mixed { int a[3]; unsigned bits : 5; pair p; long double l; } mixed;

static void literals(void) {
  pair p = {8, 9};
  pairs[0] = (pair){1, 2};
  CHECK(pairs[0].x == 1 && at->y == 2 && (*at = (pair){3, 4}).x == 3 && pairs[0].y == 4);
  pairs[0] = p.x == 8 ? (pair){5, 6} : p;
  p = p.x == 9 ? (pair){7, 8} : pairs[0];
  CHECK(p.x == 5 && p.y == 6);
  strict_pair = (pair){7, 8};
  strict_word = ONE;
  row[ONE] = ONE + 1;
  row[ONE] += ONE;
  CHECK(strict_pair.y == 8 && strict_word == 1 && row[1] == 3 && row[ONE]++ + row[ONE + 1] == 3);
  mixed.bits = ONE;
  (&mixed)->bits += ONE;
  mixed.a[ONE] = 4;
  ((shared struct mixed *)TO(&mixed))->p = (pair){9, 10};
  (&mixed)->l = ((pair[]){{1, 2}})->x;
  CHECK(mixed.bits == 2 && mixed.a[ONE] + row[ONE] == 8 && mixed.p.y == 10 && mixed.l == 1);
  *(shared int *[]){&row[0], &row[2]}[1] = 6;
  CHECK((*(shared int *[]){&row[0], &row[2]}[1] + *(shared int *[]){&row[0], &row[1]}[1] == 10));
  blocked[ONE] = 5;
  shared [3] int *q = &blocked[ONE];
  q += ONE;
  CHECK(q[-ONE] == 5 && (q - (shared [3] int *[]){blocked, 0}[0] == 2) && upc_phaseof(q) == 2);
}

int main(void) {
  if (MYTHREAD == THREADS - 1) {
    dereferenced();
    literals();
  }
  upc_barrier;
  return 0;
}
