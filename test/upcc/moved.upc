/*
 * Types of a function that go to file scope in C with a static that runs before main, or that their
 * names are dimensions of: tags, enumerations, typedefs, vectors, in whatever order they come.
 */
#include <stddef.h>
#include "expect.h"

static shared int x[THREADS];
struct node {
  int other;
} file_node;
enum { ONE = 10 };

static void records(void) {
  typedef struct { char c; double d; } inner;
  struct node;
  struct node *head = 0;
  struct node {
    struct node *next;
    enum color { RED = ONE, GREEN } color;
    union { int i; inner in; } u;
  };
  static struct node first = {&first, GREEN, {.in = {'a', 2.5}}}, *at = &first;
  static struct { struct node n[2]; int t; } pair = {{{0, RED, {7}}, {&pair.n[0], GREEN, {0}}}, THREADS};
  static enum color colors[2] = {RED, THREADS > 0 ? GREEN : RED};
  static size_t offset = offsetof(struct node, color) * (THREADS > 0);
  static struct never *none = THREADS > 0 ? 0 : (struct never *)&first;
  struct node local = first;
  enum color last = GREEN;
  head = &local;
  {
    struct node { char shadow[3]; } shadow;
    CHECK(sizeof shadow == 3 && sizeof(struct node) == 3);
  }
  CHECK(sizeof(struct node) == sizeof *head && (size_t)((char *)&head->color - (char *)head) == offset);
  CHECK(first.next == at && local.color == 11 && local.u.in.d == 2.5 && !none && last == colors[1]);
  CHECK(pair.n[0].u.i == 7 && pair.n[1].next == pair.n && pair.t == THREADS && !file_node.other);
  switch (local.color) {
  case GREEN: break;
  case RED: CHECK(0);
  }
}

static void dimensions(void) {
  struct plain { enum { P1 = 3, P2 } kind; struct deep { int z[P2]; } deep; };
  enum { N = sizeof(struct plain), M = N / 4 };
  typedef struct plain row[2];
  typedef int quad __attribute__((vector_size(16)));
  typedef quad four;
  static shared int some[M * THREADS] = {1, 2};
  static shared [N] char text[N * THREADS] = "abc";
  static shared row rows[THREADS] = {{{P1, {{1, 2, 3, 4}}}, {P2, {{0}}}}};
  static four vectors[2] = {{1, 2, 3, 4}, {THREADS}};
  static shared four dealt[THREADS] = {{9, 8}};
  static int (*call)(struct plain *, row) = THREADS > 0 ? 0 : (int (*)(struct plain *, row))dimensions;
  struct plain plain = {P1, {{4, 3, 2, 1}}};
  struct deep deep = plain.deep;
  CHECK(some[0] == 1 && some[1 % (M * THREADS)] == 2 && sizeof some / sizeof(int) == (size_t)M * THREADS && N == 20);
  CHECK(text[1] == 'b' && upc_blocksizeof(text) == N && rows[0][0].deep.z[3] == 4 && rows[0][1].kind == P2);
  CHECK(vectors[1][0] == THREADS && dealt[0][1] == 8 && !call && deep.z[0] == 4 && sizeof(row) == 40);
}

/* Anonymous members stay where they are. */
static void anonymous(void) {
  struct outer {
    union {
      struct { shared int *p; enum { LOW = 5, HIGH } e; struct in { int z; } in; };
      long l;
    } __attribute__((aligned(16)));
    struct { int q; } m;
    struct { struct { int deep; }; };
  };
  static struct outer first = {.p = &x[0], .e = HIGH, .in = {THREADS}, .m = {3}, .deep = 9};
  struct outer copy = first;
  struct in in = copy.in;
  CHECK(copy.p == x && copy.e == LOW + 1 && in.z == THREADS && copy.m.q == 3 && copy.deep == 9);
}

/* The tags of a function's parameters are its body's, too. */
static int inside(struct pair { int n; shared int *p; } *q) {
  static struct pair mine = {5, &x[0]};
  struct pair copy = *q;
  return *copy.p + sizeof(struct pair) + mine.n;
}

int main(void) {
  struct { int n; shared int *p; } pair = {3, &x[MYTHREAD]};
  x[MYTHREAD] = 3;
  upc_barrier;
  records();
  dimensions();
  anonymous();
  CHECK(inside((void *)&pair) == 3 + 16 + 5);
  return 0;
}
