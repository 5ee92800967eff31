/* Strict and relaxed: pragmas by file and block, spinning on flags, a thread's own order, barriers
 * with values, fences (traps 10, 12 to 18). */
#include <upc_relaxed.h>
#include "expect.h"

shared int data[THREADS], relaxed_flag[THREADS];
strict shared int flag[THREADS];
shared strict long x, y;
shared int seen_x[THREADS], seen_y[THREADS];
shared [] int block[4];

static void hand_over(int round) {
  int next = (MYTHREAD + 1) % THREADS, i;
  data[next] = round;
  flag[next] = round;
  while (flag[MYTHREAD] != round)
    ;
  CHECK(data[MYTHREAD] == round);
  for (i = 0; data[MYTHREAD] != round; i++) { /* a relaxed read in a condition */
  }
  upc_barrier round;
}

static void by_pragma(int round) {
  int next = (MYTHREAD + 1) % THREADS;
  data[next] = round;
  {
#pragma upc strict
    relaxed_flag[next] = round;
    do {
    } while (relaxed_flag[MYTHREAD] != round);
  }
  CHECK(data[MYTHREAD] == round);
  upc_notify round;
  upc_fence;
  upc_wait round;
}

/* x = 1; r = y against y = 1; r = x never reads 0 twice. */
static void litmus(void) {
  for (int i = 0; i < 50; i++) {
    if (MYTHREAD == 0) x = y = 0;
    upc_barrier;
    if (MYTHREAD == 0) {
      x = 1;
      seen_y[0] = (int)y;
    } else if (MYTHREAD == THREADS - 1) {
      y = 1;
      seen_x[0] = (int)x;
    }
    upc_barrier;
    CHECK(THREADS == 1 || seen_x[0] + seen_y[0] > 0);
    upc_barrier;
  }
}

/* Put then get, and puts of different sizes and ways, to one place of another thread. */
static void own_order(void) {
  int other = (MYTHREAD + THREADS - 1) % THREADS;
  struct { int a[4]; } in = {{1, 2, 3, 4}}, out;
  for (int i = 0; i < 100; i++) {
    data[other] = i;
    CHECK(data[other] == i);
    data[other] += 1;
    CHECK(data[other] == i + 1);
    int v = -i;
    upc_memput(&data[other], &v, sizeof v);
    CHECK(data[other] == -i);
  }
  if (MYTHREAD == THREADS - 1) {
    block[1] = 9;
    upc_memput(block, &in, sizeof in);
    block[2] = 8;
    upc_memget(&out, block, sizeof out);
    CHECK(out.a[0] == 1 && out.a[1] == 2 && out.a[2] == 8 && out.a[3] == 4);
  }
  upc_barrier;
}

int main(void) {
  for (int round = 1; round < 20; round++) hand_over(round);
  for (int round = 1; round < 20; round++) by_pragma(round);
  litmus();
  own_order();
  upc_barrier;
  upc_notify;
  upc_wait 7; /* nobody gave a value at notify: not compared */
  upc_barrier MYTHREAD % 2 ? 3.7 : (short)3; /* converted to int */
  return 0;
}
