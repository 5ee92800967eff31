/* Loops over consecutive elements: every form of operand, over ends of blocks, own and foreign data,
 * empty ranges, and the forms that must stay single accesses because operands overlap (bulk.c). */
#include <math.h>
#include <string.h>
#include "expect.h"

#define B 40
#define N (3 * B)
shared [B] int blocked[N * THREADS], other[N * THREADS];
shared [] double list[1300];
shared [*] long whole[N * THREADS];
shared [B] short rows[4 * THREADS][B];
shared int cyclic[N * THREADS];

static void fill(void) {
  int i;
  upc_forall (i = 0; i < N * THREADS; i++; &blocked[i]) blocked[i] = i;
  upc_forall (i = 0; i < N * THREADS; i++; &whole[i]) whole[i] = -i;
  upc_forall (i = 0; i < N * THREADS; i++; i) cyclic[i] = i;
  if (MYTHREAD == THREADS - 1)
    for (i = 0; i < 1300; i++) list[i] = 2 * i;
  upc_barrier;
}

static void reads(int lo, int hi) {
  static int in[N * 16];
  long sum = 0, expected = 0;
  int i;
  memset(in, 0xff, sizeof in);
  for (i = lo; i < hi; i++) in[i] = blocked[i];
  CHECK(i == (lo < hi ? hi : lo));
  for (i = 0; i < N * 16; i++) CHECK(in[i] == (i >= lo && i < hi ? i : -1));
  for (i = lo; i < hi; i++) sum += whole[i] * 2 + blocked[i];
  for (i = lo; i < hi; i++) expected -= i;
  CHECK(sum == expected);
  for (unsigned j = (unsigned)lo; (int)j < hi; j++) in[j] += cyclic[j];
  for (int j = lo; j <= hi - 1; ++j) { in[j] = in[j] - (int)cyclic[j] - blocked[j]; }
  for (i = lo; i < hi; i++) CHECK(in[i] == 0);
}

static void writes(int thread) {
  int next = (MYTHREAD + 1) % THREADS, from = next * B, i;
  shared [B] int *p = &other[from];
  shared [] double *l = list;
  double root = 0;
  for (i = 0; i < B; i++) other[from + i] = 7;
  for (i = 0; i < B; i++) p[i] = other[from + i] + 1;
  for (i = 0; i < B; i++) CHECK(other[from + i] == 8);
  for (i = 0; i < B; i++) other[i + from] = i * thread;
  for (i = from; i < from + B; i++) other[i] += 3;
  for (i = 0; i < B; i++) CHECK(other[from + i] == i * thread + 3);
  for (i = 0; i < B; i++) rows[next][i] = (short)(i + thread);
  for (i = 1; i < B; i++) rows[next][i] = rows[next][i - 1]; /* overlaps: element after element */
  for (i = 0; i < B; i++) CHECK(rows[next][i] == thread);
  int in[B]; /* two assignments in one */
  for (i = 0; i < B; i++) in[i] = rows[next][i] = (short)(i - thread);
  for (i = 0; i < B; i++) CHECK(in[i] == i - thread && rows[next][i] == i - thread);
  for (i = 0; i < B; i++) in[i] = cyclic[from + i] = cyclic[from + i] * 2 / 2;
  for (i = 0; i < B; i++) in[i] += p[i] = rows[next][i] - from - i;
  for (i = 0; i < B; i++) CHECK(in[i] == i - thread && other[from + i] == -thread - from);
  for (i = 100; i < 1250; i++) root += sqrt(l[i] * l[i + 1 - 1]);
  CHECK(root == 1150.0 * (100 + 1249));
  upc_barrier;
}

#pragma GCC diagnostic ignored "-Wsign-compare"
static void no_turns(void) { /* -1 is behind all bounds without a sign; those of enumerations may have one */
  enum { BELOW = -5, ABOVE = 5 } bound = ABOVE;
  if (MYTHREAD == 0) {
    for (int i = -1; i < sizeof(int); i++) other[i + 1] = 9;
    for (long long i = -1; i < sizeof(int); i++) other[i + 1] = 9;
    for (int i = BELOW; i < bound; i++) other[i + 10] = 8;
  }
  upc_barrier;
  CHECK(other[0] != 9 && other[5] == 8 && other[14] == 8);
}

static void aliases(void) { /* a private pointer into the same array, one element on */
  int *mine = (int *)&blocked[MYTHREAD * B];
  int i, first = MYTHREAD * B;
  for (i = 0; i < B - 1; i++) mine[i + 1] = blocked[first + i];
  for (i = 0; i < B; i++) CHECK(mine[i] == first);
  upc_barrier;
}

/* Pieces that are longer than a buffer, so that the next one is read while one is computed; the
 * lists of x[index[i]]; and what makes lists impossible. */
#define LONG 1300
shared [LONG] double far_away[LONG * THREADS];
shared [LONG] int where[LONG * THREADS];
shared [] short picked[LONG];

static double pick(shared [] double *x, const int *index, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[index[i]] * (x + 1)[i];
  return sum;
}

static void lists(void) {
  static int index[LONG];
  static double in[LONG];
  static short s[LONG];
  int next = (MYTHREAD + 1) % THREADS, first = next * LONG, i, total = LONG * THREADS;
  for (i = 0; i < LONG; i++) {
    far_away[MYTHREAD * LONG + i] = i + 0.5 * MYTHREAD;
    where[MYTHREAD * LONG + i] = (i * 7 + MYTHREAD) % total;
    if (MYTHREAD == 0) picked[i] = (short)i;
  }
  upc_barrier;
  for (i = 0; i < LONG; i++) in[i] = far_away[first + i] * 2;
  for (i = 0; i < LONG; i++) CHECK(in[i] == 2 * i + next);
  for (i = 0; i < LONG; i++) index[i] = where[i + first];
  for (i = 0; i < LONG; i++) in[i] = far_away[index[i]];
  for (i = 0; i < LONG; i++) CHECK(index[i] == (i * 7 + next) % total);
  for (i = 0; i < LONG; i++) CHECK(in[i] == index[i] % LONG + index[i] / LONG * 0.5);
  for (i = 0; i < LONG; i++) in[i] = 0;
  for (i = 3; i < LONG; i++) in[i] += far_away[where[i + first]] - far_away[index[LONG - 1 - i]];
  for (i = 3; i < LONG; i++) {
    int j = index[LONG - 1 - i];
    CHECK(in[i] == index[i] % LONG + index[i] / LONG * 0.5 - j % LONG - j / LONG * 0.5);
  }
  for (i = 0; i < 900; i++) index[i] = i * 5 % 900;
  double sum = 0;
  for (i = 0; i < 900; i++) sum += (i * 5 % 900) * (i + 1.0);
  CHECK(pick((shared [] double *)&far_away[0], index, 900) == sum);
  for (i = 0; i < 900; i++) s[i] = picked[index[899 - i]];
  for (i = 0; i < 900; i++) CHECK(s[i] == (899 - i) * 5 % 900);
  for (i = 0; i + 1 < LONG; i++) index[i] = i;
  for (i = 0; i + 1 < 900; i++) index[i + 1] = picked[index[i]]; /* an index that the loop makes */
  for (i = 0; i < 900; i++) CHECK(index[i] == 0);
  upc_barrier;
  for (i = 0; i < LONG; i++) far_away[first + i] += 1; /* read ahead, written behind */
  for (i = 0; i < LONG; i++) CHECK(far_away[first + i] == i + 0.5 * next + 1);
  upc_barrier;
}

int main(void) {
  fill();
  lists();
  reads(0, N * THREADS);
  reads(B / 2, N * THREADS - 7);
  reads(5, 5);
  reads(9, 3);
  upc_barrier;
  writes(MYTHREAD + 2);
  no_turns();
  aliases();
  return 0;
}
