/* Operands that the compiler would take pointers-to-shared for, numbers to it; as errors.upc (errors.sh). */
#include <upc.h>
shared int a[8 * THREADS];
shared struct s {
  int k;
  shared int *q;
} st;
int x;
float real;

void compound(shared int *p, int *local) {
  p *= 2; /* E */
  p |= 2; /* E */
  p <<= 1; /* E */
  p += 1.5; /* E */
  p += p; /* E */
  st.q -= 1.5; /* E */
  local += p; /* E */
  x += p; /* E */
  st.k -= p; /* E */
  p += x - 1L;
}
int subscripts(shared int *p, int *local) {
  int v[3];
  x = p[p]; /* E */
  x = p[real]; /* E */
  x = a[1.5]; /* E */
  x = a[local]; /* E */
  x = v[p]; /* E */
  x = local[p]; /* E */
  int wrong[p]; /* E */
  return a[x] + x[p] + 2 [a];
}
int unary(shared int *p) {
  x = ~p != 0; /* E */
  x = -p != 0; /* E */
  x = +p != 0; /* E */
  x = (int)(float)p; /* E */
  switch (p) { /* E */
  }
  switch (*p) {
  default: return !p;
  }
}
int chosen(shared int *p, shared [2] int *q) {
  p = x ? p : q; /* W */
  p = x ? p : 0;
  return *(x ? (shared void *)p : q) == 0; /* E */
}
