/* C that is not UPC's business, and K&R: GNU extensions, words of UPC as identifiers, pragmas, asm,
 * main with no parameters and no prototype, upc.h alone for the C library (traps 1, 30, 42, 43, 47). */
#include "expect.h"
#pragma upc c_code
static int shared = 3;
static int relax(int strict, int relaxed) { return strict + relaxed + shared; }
static int none_of_upc(int MYTHREAD) {
  int upc_fence = MYTHREAD, upc_forall = 2;
  return upc_fence * upc_forall;
}
#pragma upc upc_code

typedef int vector __attribute__((vector_size(16)));
struct __attribute__((packed)) odd { char c; shared int *p; short s; } __attribute__((aligned(2)));
shared struct odd odds[THREADS];
shared vector lanes[THREADS];
#ifndef __clang__
shared _Float128 quad;
#else
shared long double quad;
#endif
shared unsigned __int128 wide;
static shared int places[10 * THREADS];

static int sum(a, p, n)
  int n;
  shared [] int *p;
  short a;
{
  int s = a;
  for (; n-- > 0; p++) s += *p;
  return s;
}

/* Functions whose result or parameters are of structures that are defined there. */
static shared [] int *third(p, n)
  register shared [] int *p;
  int n;
{
  return n == 3 ? p + n : 0;
}
static struct point { int x; } point(shared [] int *p) { return (struct point){p[1]}; }
static enum choice { LEFT, RIGHT } choose(int right, shared [] int *p) { return p && right ? RIGHT : LEFT; }
static shared struct cell { int v; } *cell(shared [] int *p) { return (shared struct cell *)p; }

static int take(shared [] int a[], int n) {
  int local[THREADS + n];
  local[n] = a[1];
  return ({ int v = a[0]; v + local[n]; });
}

/* expect.h includes stdio.h and upc.h only. */
static void unasked(void) {
  uint64_t n = strtoull("7", NULL, 10), *p = malloc(sizeof *p);
  CHECK(p && EXIT_FAILURE && sscanf("8", "%" SCNu64, p) == 1 && *p == n + 1);
  free(p);
}

/* Letters beyond ASCII, parameters declared twice, scopes of conditions, asm behind a label. */
shared int été[THREADS];
typedef int width;
#ifdef __clang__ /* knows no parameters declared ahead */
static int total(int weight[2][2], shared int *p[2], int n) {
#else
static int total(int n; int weight[n][n], shared int *p[n], int n) {
#endif
  int σ = 0;
  while (n-- > 0) σ += weight[n][n] * *p[n];
  return σ;
}
static void rare(void) {
  shared int *both[2] = {&été[0], &été[THREADS - 1]};
  été[MYTHREAD] = 3;
  upc_barrier;
  if (sizeof(enum { width }) == 0) upc_global_exit(1);
  width x = ++(int){4};
  goto end;
end:
  __attribute__((unused)) __asm__ volatile("" : : "r"(été[0]));
  int weight[2][2] = {{1, 0}, {0, 1}};
  CHECK(total(weight, both, 2) == 6 && x == 5);
}

int main() {
  __label__ out;
  unasked();
  shared [] int *list = (shared [] int *)&places[0];
  __auto_type q = list;
  CHECK(relax(1, 2) == 6 && none_of_upc(4) == 8);
  if (MYTHREAD == 0) {
    for (int i = 0; i < 10; i++) q[i] = i;
    CHECK(sum(5, list, 10) == 50 && take(list + 3, 4) == 7);
    CHECK(places[9 * THREADS] == 9 && *third(list, 3) == 3 && point(list).x == 1);
    CHECK(choose(1, list) == RIGHT && cell(list + 2)->v == 2);
    quad = 1.5;
    wide = (unsigned __int128)1 << 100;
    CHECK(quad == 1.5 && wide >> 100 == 1);
  }
  odds[MYTHREAD].p = &places[MYTHREAD];
  odds[MYTHREAD].s = 4;
  CHECK(sizeof(struct odd) == 12 && odds[MYTHREAD].p == places + MYTHREAD && odds[MYTHREAD].s == 4);
  lanes[MYTHREAD] = (vector){1, 2, 3, 4};
  vector v = lanes[MYTHREAD];
  CHECK(v[2] == 3);
  int x = 1;
  __asm__ volatile("addl %1, %0" : "+r"(x) : "r"(odds[MYTHREAD].s + 0));
  CHECK(x == 5);
  CHECK(__builtin_types_compatible_p(__typeof__(x), int) && _Generic(x, int: 1, default: 0));
  switch (x) {
  case 1 ... 4: CHECK(0);
  default: goto out;
  }
out:
  CHECK(__builtin_offsetof(struct odd, p) == 1);
#pragma GCC unroll 2
  for (x = 0; x < 2; x++) upc_barrier;
  rare();
}
