/* Reads of one expression that begin together, and what must not: operands that are evaluated on
 * condition, after a call, with effects, or through what an earlier operand read (together.c). */
#include <math.h>
#include "expect.h"

#define N 40
shared int a[N * THREADS], b[N * THREADS], c[N * THREADS];
shared [4] double blocked[N * THREADS];
struct node {
  shared struct node *left, *right;
  short value;
  char tag;
};
shared struct node tree[7 * THREADS];
int calls;

static int next(int i) { return calls++, i; }
static int bump(void) { return ++a[MYTHREAD]; }

static void build(void) {
  int i;
  upc_forall (i = 0; i < N * THREADS; i++; i) a[i] = i, b[i] = 2 * i, c[i] = (i + 5) % (N * THREADS);
  upc_forall (i = 0; i < N * THREADS; i++; &blocked[i]) blocked[i] = i / 2.0;
  for (i = 0; MYTHREAD == 0 && i < 7; i++) {
    tree[i].left = i < 3 ? &tree[2 * i + 1] : NULL;
    tree[i].right = i < 3 ? &tree[2 * i + 2] : NULL;
    tree[i].value = (short)(10 * i);
    tree[i].tag = (char)('a' + i);
  }
  upc_barrier;
}

static void operands(void) {
  int n = N * THREADS;
  for (int i = 0; i < n; i++) {
    int far = (i + N / 2) % n, sum = a[i] + b[far] * c[i];
    CHECK(sum == i + 2 * far * ((i + 5) % n));
    CHECK(a[i] * a[i] + a[far] == i * i + far);                    /* one read twice */
    CHECK(b[c[i]] - a[c[far]] == 2 * ((i + 5) % n) - (far + 5) % n); /* two rounds */
    CHECK((a[i]) - (b[far]) + 0L == (long)i - 2L * far);
    CHECK((i < 0 ? a[-1] + b[n + 9] : a[i] + b[i]) == 3 * i);
    CHECK((i < n && a[i] == i && b[i] == 2 * i) || a[n + i] + b[n + i]);
    CHECK(sqrt(blocked[i] * blocked[i]) + fabs(blocked[far] - blocked[far]) == i / 2.0);
    double x = blocked[i] + a[far], y[2] = {blocked[far] + b[i], a[i] - b[far]};
    CHECK(x == i / 2.0 + far && y[0] == far / 2.0 + 2 * i && y[1] == i - 2 * far);
  }
}

static void trees(void) {
  shared struct node *p = &tree[0];
  CHECK(p->left->value + p->right->value == 30);
  CHECK(p->left->right->value * p->right->left->tag == 40 * 'f');
  CHECK((p->left != NULL ? p->left : p->right)->value == 10 && p->left->left != p->right->left);
  CHECK(p->right - p->left == 1 && (p->right ? p->right->tag : p->left->tag) == 'c');
}

static void effects(void) {
  shared int *p = &a[0], *q = &b[0];
  int i = 2;
  calls = 0;
  CHECK(*p++ + *q++ == 0 && p == &a[1] && q == &b[1]);
  CHECK(a[next(3)] + b[next(4)] == 11 && calls == 2);
  i = a[i] + b[i];
  CHECK(i == 6);
  i += a[i] * b[i] + c[0];
  CHECK(i == 6 + 72 + 5 % (N * THREADS));
  upc_barrier;
  if (MYTHREAD == THREADS - 1) a[0] = a[0] + b[0] + (b[1] = 8), a[0] += b[1] + a[1];
  upc_barrier;
  CHECK(a[0] == 8 + 8 + 1);
  upc_barrier;
  CHECK((bump(), a[MYTHREAD] - b[2]) == MYTHREAD + (MYTHREAD == 0) * 17 + 1 - 4);
}

/* Own puts are seen by the reads that begin together behind them (trap 12). */
static void order(void) {
  int other = (MYTHREAD + 1) % THREADS;
  upc_barrier;
  for (int i = 0; i < N; i++) {
    shared int *p = &c[other + (N - 1) * THREADS], *q = &b[other + i * THREADS];
    *p = i;
    *q = i + 1;
    CHECK(*p + *q * 100 == i + 100 * (i + 1));
  }
  upc_barrier;
}

int main(void) {
  build();
  operands();
  trees();
  upc_barrier;
  effects();
  order();
  return 0;
}
