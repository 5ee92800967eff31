/* Accesses whose instructions counts.sh counts. */
#include <upc.h>
shared int cyclic[10 * THREADS], *p;
shared [5] double *blocked;
shared [5] int array[10 * THREADS];
shared [] long list[10];
strict shared int flag;
extern shared [64] char open[]; /* by a pointer */
int get_pointer(shared int *q) { return *q; }
void put_pointer(shared int *q, int v) { *q = v; }
double get_blocked(shared [5] double *q) { return *q; }
void put_blocked(shared [5] double *q, double v) { *q = v; }
int get_own(void) { return cyclic[MYTHREAD]; }
void put_own(int v) { cyclic[MYTHREAD] = v; }
int get_cyclic(unsigned i) { return cyclic[i]; }
long get_list(unsigned i) { return list[i]; }
int get_array(unsigned i) { return array[i]; }
shared int *step(shared int *q) { return q + 1; }
shared [5] double *step_blocked(shared [5] double *q) { return q + 1; }
void fill_open(int n) { upc_forall (int i = 0; i < n; i++; &open[i]) open[i] = (char)(open[i] + 1); }
