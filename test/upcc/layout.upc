/* Layouts against the formulas of 6.5.2: arrays of several shapes and block sizes, every element by
 * subscript, by pointer from each direction, and by its address's fields; casts; block sizes that only
 * the compiler knows; sizes in casts; data that no executable holds (traps 2 to 5, 7 to 9, 44, 46, 48). */
#include "expect.h"

#define C 12
typedef int triple[3];
shared int cyclic[C * THREADS];
shared [5] int five[C * THREADS];
shared [*] int whole[C * THREADS];
shared [1] long one[THREADS][C];
shared [6] short rows[C][THREADS];
shared [4] triple typed[C * THREADS]; /* blocks of 4 ints, not of 4 triples */
shared [] double all[C];
shared [7] struct pair { int a; char b; } pairs[C * THREADS];

#define SIZE (unsigned long)C
shared [SIZE] int cast[(unsigned long)(SIZE * THREADS)];
shared [5] int cast_twice[(long)((int)THREADS * 2) * 5];

static shared [3] double huge[(9 << 20) * THREADS] = {1, 2, 3, 4}; /* allocated at start: 72 MB a thread */

static void large(void) {
  long last = (9L << 20) * THREADS - 1;
  CHECK(huge[0] == 1 && huge[2] == 3 && huge[3] == 4 && huge[last] == 0);
  upc_barrier;
  if (MYTHREAD == 0) huge[last] = 5;
  upc_barrier;
  CHECK(huge[last] == 5 && upc_threadof(&huge[last]) == (size_t)(last / 3 % THREADS));
}

static void fields(shared void *p, size_t i, size_t block) {
  CHECK(upc_threadof(p) == (block ? i / block % THREADS : 0));
  CHECK(upc_phaseof(p) == (block > 1 ? i % block : 0));
}

#define ALL(array, type, B, n)                                                              \
  do {                                                                                      \
    shared [B] type *first = (shared [B] type *)array, *p = first;                          \
    for (int i = 0; i < (int)(n); i++, p++) {                                               \
      CHECK(p == first + i && p - first == i && first - p == -i && p - i == first);         \
      CHECK(i == 0 || (p > first && first < p && p >= first + (i - 1)));                    \
      fields(p, (size_t)i, B);                                                              \
      CHECK(upc_addrfield(p) - upc_addrfield(first) ==                                      \
            (B == 0 ? i : i / (B ? B : 1) / THREADS * B + i % (B ? B : 1)) * sizeof(type)); \
    }                                                                                       \
    for (int i = (int)(n); i-- > 0;) CHECK(--p == first + i);                               \
  } while (0)

static void subscripts(void) {
  for (int i = MYTHREAD; i < C * THREADS; i += THREADS) {
    cyclic[i] = i;
    five[i] = -i;
    whole[i] = 2 * i;
    one[i / C][i % C] = 3 * i;
    rows[i / THREADS][i % THREADS] = (short)i;
    for (int j = 0; j < 3; j++) typed[i][j] = 10 * i + j;
    pairs[i].a = i;
    pairs[i].b = (char)(i + 1);
    if (i < C) all[i] = i + 0.5;
  }
  if (MYTHREAD == 0)
    for (int i = 0; i < C; i++) all[i] = i + 0.5;
  upc_barrier;
  for (int i = 0; i < C * THREADS; i++) {
    CHECK(cyclic[i] == i && *(cyclic + i) == i && *(&cyclic[0] + i) == i && i[cyclic] == i);
    CHECK(five[i] == -i && *(five + i) == -i && *(&five[C * THREADS - 1] - (C * THREADS - 1 - i)) == -i);
    CHECK(whole[i] == 2 * i && ((shared [5] int *)five)[i] == -i);
    CHECK(one[i / C][i % C] == 3 * i && rows[i / THREADS][i % THREADS] == i);
    CHECK(*(*(one + i / C) + i % C) == 3 * i);
    for (int j = 0; j < 3; j++) {
      CHECK(typed[i][j] == 10 * i + j && *(typed[i] + j) == 10 * i + j);
      fields(&typed[i][j], (size_t)(3 * i + j), 4);
    }
    CHECK(pairs[i].a == i && pairs[i].b == (char)(i + 1));
    fields(&pairs[i], (size_t)i, 7);
    CHECK(upc_phaseof(&pairs[i].b) == 0 && upc_threadof(&pairs[i].b) == upc_threadof(&pairs[i]));
    fields(&whole[i], (size_t)i, C);
    fields(&rows[i / THREADS][i % THREADS], (size_t)i, 6);
  }
  for (int i = 0; i < C; i++) CHECK(all[i] == i + 0.5 && upc_threadof(&all[i]) == 0);
}

static void steps_of_arrays(void) {
  shared [4] triple *p = typed; /* e elements may end inside a block */
  for (int i = 0; i < C * THREADS; i++, p++) {
    CHECK((*p)[1] == 10 * i + 1 && p - typed == i);
    CHECK(upc_phaseof(p) == (size_t)(3 * i) % 4);
  }
  size_t n = sizeof cast_twice;
  CHECK(n == sizeof(int) * 10 * THREADS);
  CHECK(upc_threadof(&cast[C * THREADS - 1]) == (size_t)THREADS - 1);
  CHECK(upc_phaseof(&cast_twice[10 * THREADS - 1]) == 4);
  shared [6] short (*q)[THREADS * 2] = 0;
  CHECK(q == NULL);
}

static void conversions(void) {
  shared [5] int *p = &five[8];
  shared void *v = p;
  CHECK(upc_phaseof(v) == 3 && (shared [5] int *)v == p && *(shared [5] int *)v == five[8]);
  shared int *flat = (shared int *)v;
  CHECK(upc_phaseof(flat) == 0 && flat == v && upc_threadof(flat) == upc_threadof(p));
  shared [7] int *other = (shared [7] int *)p;
  CHECK(upc_phaseof(other) == 0);
  int *mine = (int *)&cyclic[MYTHREAD + THREADS];
  CHECK(*mine == MYTHREAD + THREADS && (int *)(shared int *)NULL == NULL);
  struct pair *own = (struct pair *)&pairs[7 * MYTHREAD];
  CHECK(own->a == 7 * MYTHREAD);
}

/* The phase stays where sizes of elements and blocks are the same, whatever the types (6.4.3). */
static void other_types(void) {
  struct two { int b[2]; } *own;
  typedef struct { char c[sizeof(int)]; } chars;
  enum number { ONE, TWO };
  shared [7] struct pair *p = &pairs[9];
  shared [5] int *q = &five[8];
  CHECK(upc_phaseof(p) == 2 && sizeof(struct pair) == sizeof *own);
  CHECK(upc_phaseof((shared [7] struct two *)p) == 2 && upc_phaseof((shared [7] double *)p) == 2);
  CHECK(upc_phaseof((shared [7] float _Complex *)p) == 2 && upc_phaseof((shared [5] chars *)q) == 3);
  CHECK(upc_phaseof((shared [5] enum number *)q) == 3 && upc_phaseof((shared [7] enum number *)p) == 0);
  CHECK(upc_phaseof((shared [5] char *)(shared [5] enum number *)q) == 0);
  CHECK(upc_phaseof((shared [7] double _Complex *)p) == 0 && upc_phaseof((shared [8] struct two *)p) == 0);
  CHECK(upc_phaseof((shared [sizeof(struct two)] int *)(shared [8] int *)(shared void *)p) == 2);
  CHECK(upc_phaseof((shared [sizeof(struct two) - 3] chars *)q) == 3);
  CHECK(upc_phaseof((shared [sizeof(struct two) - 3] struct two *)q) == 0);
}

/* Beyond the translator's arithmetic: compared by the compiler. */
static void by_the_compiler(void) {
  shared [sizeof(struct pair) - 1] int *seven;
  shared [sizeof(struct pair) - 3] int *same = five;
  shared [5] int *p = &five[8];
  seven = (shared [sizeof(struct pair) - 1] int *)p;
  same = p;
  CHECK(upc_phaseof(same) == 3 && upc_phaseof(seven) == 0 && same == p);
  CHECK(upc_phaseof((shared [sizeof(struct pair) - 3] int *)p) == 3 && same - five == 8);
}

/* More elements than an int counts, of which none is touched. */
enum { SOME = 80000 * sizeof(char) };
static void beyond_int(void) {
  typedef shared char row[800000000L * THREADS];
  typedef shared char other_row[(10000 * sizeof(char[SOME])) * THREADS];
  row *p = (row *)(shared char *)&cyclic[0];
  other_row *q = (other_row *)p;
  int one = 1;
  long n = 800000000L * THREADS;
  CHECK(&p[one][5] - &p[0][0] == n + 5 && &(*(p + 3))[1] - &p[one][0] == 2 * n + 1 && sizeof *p == (size_t)n);
  CHECK(p + 2 - p == 2 && &p[2][0] - &(*q)[0] == 2 * n && upc_threadof(&p[one][5]) == 5U % THREADS);
  CHECK(sizeof(shared char[3][800000000L * THREADS]) == 3 * (size_t)n);
  CHECK(sizeof(shared int[1000000000L * THREADS]) == 5 * (size_t)n);
  CHECK(&q[one][5] - &q[0][0] == n + 5 && sizeof *q == (size_t)n && upc_localsizeof(row) == (size_t)n / THREADS);
}

int main(void) {
  beyond_int();
  by_the_compiler();
  other_types();
  ALL(cyclic, int, 1, C * THREADS);
  ALL(five, int, 5, C * THREADS);
  ALL(whole, int, C, C * THREADS);
  ALL(one, long, 1, C * THREADS);
  ALL(rows, short, 6, C * THREADS);
  ALL(all, double, 0, C);
  ALL(pairs, struct pair, 7, C * THREADS);
  subscripts();
  steps_of_arrays();
  conversions();
  large();
  size_t n = (size_t)C * THREADS;
  CHECK(sizeof(cyclic) == n * sizeof(int) && sizeof(typed) == n * sizeof(triple));
  CHECK(upc_localsizeof(five) == 15 * sizeof(int) && upc_blocksizeof(five) == 5);
  CHECK(upc_blocksizeof(shared [*] int [10 * THREADS]) == 10 && upc_localsizeof(shared [*] long [3 * THREADS]) == 24);
  CHECK(upc_elemsizeof(typed) == sizeof(int) && upc_blocksizeof(all) == 0);
  return 0;
}
