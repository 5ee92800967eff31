/* upc_forall: bodies of macros, which change the loop's variable or bound in parentheses, or have labels (trap 24). */
#include "expect.h"

shared int A[20 * THREADS];
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

int main(void) {
  macros();
  return 0;
}
