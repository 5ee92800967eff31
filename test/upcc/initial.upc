/* Initialisers of shared arrays with THREADS in an inner dimension (rows in braces, or elements one
 * after the other), and of constants that point to shared objects; const members of shared objects;
 * Berkeley's bupc_assert_type. */
#include "expect.h"
#pragma GCC diagnostic ignored "-Wmissing-braces"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

shared int rows[3][THREADS] = {{1}, {10}, {100}};
shared [2] short deep[2][2 * THREADS][2] = {{{1, 2}, {3}}, {{[1] = 4}, [1] = {5, 6}}};
shared [] long flat[2][3] = {1, 2, 3, 4};
shared int line[2][THREADS] = {7};
shared [3] int blocks[2][2][3 * THREADS] = {{{1, 2, 3}, {4, 5}}, {{6}, {7, 8, 9}}};

shared [3] int chosen[4][2][3 * THREADS] = {[2] = {[1] = {1, [2] = 2}}, {{3}}, [0] = {{4}}};

static void values(void) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 3 * THREADS; j++)
      CHECK(chosen[i / 2][i % 2][j] == (i == 5 && j == 0   ? 1
                                        : i == 5 && j == 2 ? 2
                                        : i == 6 && j == 0 ? 3
                                        : i == 0 && j == 0 ? 4
                                                           : 0));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < THREADS; j++)
      CHECK(rows[i][j] == (j == 0 ? (i == 0 ? 1 : i == 1 ? 10 : 100) : 0));
  for (int j = 0; j < 2 * THREADS; j++) {
    CHECK(deep[0][j][0] == (j == 0 ? 1 : j == 1 ? 3 : 0) && deep[0][j][1] == (j == 0 ? 2 : 0));
    CHECK(deep[1][j][0] == (j == 1 ? 5 : 0) && deep[1][j][1] == (j == 0 ? 4 : j == 1 ? 6 : 0));
  }
  CHECK(flat[0][2] == 3 && flat[1][0] == 4 && flat[1][2] == 0 && line[0][0] == 7 && line[1][0] == 0);
  int expected[2][2][3] = {{{1, 2, 3}, {4, 5, 0}}, {{6, 0, 0}, {7, 8, 9}}};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3 * THREADS; j++)
      CHECK(blocks[i / 2][i % 2][j] == (j < 3 ? expected[i / 2][i % 2][j] : 0));
}

typedef shared [10] int *tens;
typedef const tens fixed_tens;
shared [10] int x[10 * THREADS];

/* Their addresses are known before main only, and compilers put constants where nobody may write. */
struct fixed { tens const at; const int plus; volatile int low : 5; unsigned high : 9; };
extern tens const declared[];
tens const declared[] = {&x[1], 0, &x[2]}, scalar = &x[3];
extern fixed_tens also = &x[4];
static fixed_tens own[2] = {&x[5], &x[6]};
extern const struct fixed others[1];
const struct fixed others[] = {{&x[7], 1, 2, 3}};
static tens const again;
static tens const again = &x[3];
tens const twice;
tens const twice = &x[3];
tens const twice;
static tens other = twice + 1;
static struct fixed member = {&x[8], 1, 2, 3};
shared [] struct fixed wide[2] = {{0, 7, 1, 2}, {0, 8, 3, 4}};
shared strict const struct fixed_char { const char one; const short two; } narrow = {'c', 9};

/* Without braces, and on from inside of what a designator names. */
struct in { tens p, q; char text[4]; };
struct out { struct in a[2]; struct { tens r; int n; }; union { int i; tens p; } u; tens z; };
static struct out bare = {x, x + 1, "abc", x + 2, x + 3, "def", x + 4, 5, 6, x + 7};
static struct out on[2] = {[1].a[0].q = x + 1, "abc", {x + 2}, x + 6, 7, {8}, x + 9};
static tens square[2][2] = {x, x + 1, x + 2, x + 3}, late[3][2] = {[1][1] = x, x + 1};
static struct out both = {.a = {{x}}, .r = x + 1, 2, .u.p = x + 3, x + 4};

static void places(void) {
  CHECK(bare.a[1].p == x + 2 && bare.r == x + 4 && bare.n == 5 && bare.z == x + 7 && bare.a[1].text[2] == 'f');
  CHECK(on[1].a[0].q == x + 1 && on[1].a[1].p == x + 2 && on[0].z == 0 && on[1].r == x + 6 && on[1].n == 7);
  CHECK(on[1].u.i == 8 && on[1].z == x + 9 && on[1].a[0].text[0] == 'a');
  CHECK(square[1][0] == x + 2 && late[1][1] == x && late[2][0] == x + 1 && late[2][1] == 0);
  CHECK(both.a[0].p == x && both.r == x + 1 && both.n == 2 && both.u.p == x + 3 && both.z == x + 4);
}

static void constants(void) {
  static tens const inside[1][2] = {{&x[0], &x[9]}};
  tens const *all[] = {&declared[0], &declared[2], &scalar,   &also,         &own[0],
                       &own[1],      &others->at,  &member.at, &inside[0][0], &inside[0][1]};
  const int index[] = {1, 2, 3, 4, 5, 6, 7, 8, 0, 9};
  for (int i = 0; i < 10; i++) CHECK(*all[i] == &x[index[i]]);
  CHECK(again == scalar && twice == scalar && other == &x[4] && also == other);
  CHECK(!declared[1] && others[0].plus == 1 && member.high == 3);
  struct fixed one = wide[1];
  CHECK(one.plus == 8 && one.low == 3 && wide[0].plus == 7 && wide[0].high == 2);
  CHECK(narrow.two == 9 && ((struct fixed_char)narrow).one == 'c');
  upc_barrier;
  if (MYTHREAD == THREADS - 1) {
    wide[0].low += 3;
    wide[0].high = 511;
  }
  upc_barrier;
  CHECK(wide[0].low == 4 && wide[0].high == 511 && wide[0].plus == 7);
}
const volatile int plain = 3;
int first(const char *, shared float *);

static void types(void) {
  CHECK(bupc_assert_type(MYTHREAD, int) && bupc_assert_type(&x[0], shared [10] int *));
  CHECK(bupc_assert_type(x[0], shared [10] int) && !bupc_assert_type(x[0], shared int));
  CHECK(!bupc_assert_type(&x[0], shared [] int *) && bupc_assert_type(&x[0], tens));
  CHECK(bupc_assert_type(shared [10] int * shared [5], tens shared [5]));
  CHECK(!bupc_assert_type(strict shared int, relaxed shared int));
  CHECK(bupc_assert_type(plain, volatile const int) && !bupc_assert_type(plain, const int));
  CHECK(!bupc_assert_type(1L, 1) && bupc_assert_type(1u + 1, unsigned));
  CHECK(bupc_assert_type(first, int(const char *, shared float *)));
  CHECK(!bupc_assert_type(first, int(char *, shared float *)));
  _Static_assert(bupc_assert_type(int, signed), "a constant");
}

int main(void) {
  places();
  values();
  constants();
  types();
  return 0;
}
