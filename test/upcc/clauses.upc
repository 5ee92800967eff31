/* upc_forall: what its clauses call is not nested in it, what its body calls is (6.6.2, trap 22); bodies of
 * macros, which change the loop's variable or bound in parentheses, or have labels (trap 24); loops that step by THREADS. */
#include "expect.h"

shared int A[20 * THREADS];
static int turns;
static int inner(int result) {
  int i;
  upc_forall (i = 0; i < 2 * THREADS; i++; i) turns++;
  return result;
}
static int (*const table[1])(int) = {inner};

static int counted(void) {
  int n = turns;
  turns = 0;
  return n;
}

static void nested(void) {
  int i;
  upc_forall (i = inner(0); i < 2; i++; i) ;
  CHECK(counted() == 2 && i == 2);
  upc_forall (int k = inner(0); k < 2; k++; &A[k]) { A[k] = k; }
  CHECK(counted() == 2);
  upc_forall (i = 0; i < inner(2); i++; i) A[i] = i;
  CHECK(counted() == 6);
  upc_forall (i = 0; i < 2; inner(i++); i) A[i] = i;
  CHECK(counted() == 4);
  upc_forall (i = 0; i < 2; i++; (*table[0])(i)) ;
  upc_forall (i = 0; i < 2; i++; table[0](i)) ;
  CHECK(counted() == 8);
  upc_forall (i = inner(0); i < THREADS; i++; &A[i]) inner(0);
  CHECK(counted() == 2 + 2 * THREADS);
  upc_forall (i = 0; i < THREADS; i++; inner(i)) {
    upc_forall (int k = inner(0); k < 3; k += inner(1); inner(k)) turns++;
  }
  CHECK(counted() == 2 * THREADS + 2 * THREADS * (1 + 3 + 3) + 3);
  upc_forall (i = 0; i < 3; i++; inner(i)) {
    if (i) continue;
    break;
  }
  inner(0); /* the depth is right again */
  CHECK(counted() == (MYTHREAD == 0 ? 4 : 2 * 4));
}

#define NEXT(x) ((x)++)
#define LESS(x) ((x) -= 2)
static void macros(void) {
  int i, n, most = 9 * THREADS, own = 0, serial = 0;
  upc_forall (i = 0; i < 9 * THREADS; i++; i) {
    own += i;
    NEXT(i);
  }
  for (n = 0; n < 9 * THREADS; n++)
    if (n % THREADS == MYTHREAD) {
      serial += n;
      NEXT(n);
    }
  CHECK(own == serial && i == n);
  own = serial = 0;
  upc_forall (i = 0; i < most; i++; &A[i]) {
    own++;
    LESS(most);
  }
  for (n = 0, most = 9 * THREADS; n < most; n++)
    if (n % THREADS == MYTHREAD) {
      serial++;
      --((most));
      --most;
    }
  CHECK(own == serial && i == n);
  upc_forall (i = 0; i < 20 * THREADS; i++; &A[i]) {
    if (i & 1)
    odd: __attribute__((unused)) A[i] = 1;
    else
    even: __attribute__((unused)) A[i] = 0;
  last: __attribute__((unused)) A[i] += 2;
  }
  for (i = MYTHREAD; i < 20 * THREADS; i += THREADS) CHECK(A[i] == 2 + (i & 1));
}

/* for (i = MYTHREAD; ...; i += THREADS), whose condition moves on: not only own elements. */
static void strides(void) {
  int i, sum = 0;
  for (i = MYTHREAD; i < 20 * THREADS; i += THREADS) A[i] = i;
  upc_barrier;
  for (i = MYTHREAD; i++ < 19 * THREADS; i += THREADS) sum += A[i] - i;
  for (i = MYTHREAD; (i += 1) < 20 * THREADS; i += THREADS) sum += A[i] - i;
  for (i = MYTHREAD; ++(i) < 20 * THREADS; i += THREADS) sum += A[i] - i;
  CHECK(sum == 0);
}

int main(void) {
#pragma GCC diagnostic ignored "-Wempty-body"
  nested();
  macros();
  upc_barrier;
  strides();
  return 0;
}
