/* The UPC part of c_calls_upc.c. */
#include <upc.h>
#include "models.h"

static shared long slots[2][THREADS];

long ring_upc(long value) {
  static int turn;
  turn = !turn;
  slots[turn][(MYTHREAD + 1) % THREADS] = value;
  upc_barrier;
  return slots[turn][MYTHREAD];
}
