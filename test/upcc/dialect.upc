/* C11 and GNU C beside shared data: halves of complex numbers and elements of vectors are places. */
#include <complex.h>
#include "expect.h"

typedef float quad __attribute__((vector_size(16)));
typedef _Complex float small;
struct mixed {
  int n;
  int v __attribute__((vector_size(16)));
  small c[2];
  _Complex int whole;
};
shared __attribute__((vector_size(16))) int vectors[2 * THREADS];
shared [2] quad quads[4 * THREADS] = {{0}, {1, 2, 3, 4}};
strict shared small strict_ones[2 * THREADS];
shared struct mixed mixed[THREADS];
__complex__ long double shared longs[THREADS];
shared int indices[3 * THREADS];
shared double real;
shared [] int pair[2];
shared [] quad (*rows)[2];

static void parts(void) {
  const int last = THREADS - 1;
  indices[0] = 1;
  indices[1] = 2;
  indices[2] = last;
  vectors[1][1] = 3;
  __real__ strict_ones[last] = 2;
  __imag__ strict_ones[indices[2]] -= 3;
  CHECK(__real__ strict_ones[last] == 2 && cimagf(strict_ones[last]) == -3);
  quads[3][indices[1]] = 2.5f;
  quads[3][indices[indices[0]]] *= 2;
  shared [] float *element = &quads[3][2];
  CHECK(quads[1][3] == 4 && vectors[1][1] == 3 && *element == 5 && element[-1] == 0);
  mixed[last].v[indices[0]] = 9;
  __imag__ mixed[last].c[indices[0]] = 8;
  __real__ mixed[indices[2]].whole = 5;
  __imag__ mixed[last].whole = 6;
  shared [] float *half = &__imag__ mixed[last].c[1];
  CHECK(*half == 8 && __real__ mixed[last].whole == 5 && sizeof mixed[0].whole == 2 * sizeof(int));
  CHECK(quads[3][indices[1]] + mixed[last].v[indices[0]] + __imag__ mixed[last].c[indices[0]] == 5 + 9 + 8);
  __imag__ longs[last] = 3;
  CHECK((__real__ longs[last])-- == 0 && --__imag__ longs[last] == 2 && __real__ longs[last] == -1);
  __real__ real = pair[1] = 7;
  CHECK(real == 7 && __imag__ real == 0 && __imag__ pair[0] == 0 && sizeof __real__ longs[0] == sizeof(long double));
  shared [2] quad *p = &quads[2];
  quad sum = p[0] + quads[3];
  quads[2] += quads[3] + sum;
  CHECK((*p)[2] == 10 && sizeof quads[0][1] == sizeof(float));
  rows = (shared [] quad(*)[2])&quads[2 * last];
  rows[0][1][3] = 11;
  CHECK(quads[2 * last + 1][3] == 11);
}

/* _Generic tells pointers-to-shared apart, which are numbers of one type in C. */
#define KIND(e)                                                                                     \
  _Generic((e), shared int *: 1, shared [2] quad *: 2, shared [] int *: 3, int *: 4, int: 5, unsigned long: 6, default: 7)
static void choices(void) {
  int here = 0;
  CHECK(KIND(&indices[0]) == 1 && KIND(quads) == 2 && KIND((shared [] int *)indices) == 3 && KIND(&here) == 4);
  CHECK(KIND(indices[0]) == 5 && KIND(sizeof(int)) == 6 && KIND(&real) == 7 && KIND((strict shared int *)indices) == 7);
  CHECK(_Generic(&real, unsigned long: 0, shared double *: &real) == &real);
}

/* Structures and enumerations without tags inside of one: their sizes and values are asked for later. */
shared struct {
  struct { int z[2][3]; enum { NO, YES } e; } in[2];
  union { int i; struct { short low, high; } half; };
} nested[THREADS];
static void untagged(void) {
  nested[THREADS - 1].in[1].e = YES;
  nested[THREADS - 1].half.high = 1;
  nested[0].in[0] = nested[THREADS - 1].in[1];
  CHECK(sizeof nested[0].in == 2 * 7 * sizeof(int) && nested[0].in[0].e == YES);
  CHECK(nested[THREADS - 1].i == 65536);
}

int main(void) {
  choices();
  if (MYTHREAD == THREADS - 1) {
    parts();
    untagged();
  }
  return 0;
}
