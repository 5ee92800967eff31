/* Bit-fields of shared structures: a value whose effects change other bit-fields of the same bytes (trap 28); wide
 * ones, those of unions and of anonymous members. */
#include "expect.h"
#include <stdbool.h>

struct bits {
  int x : 4, y : 4; unsigned z : 9; bool b : 1; unsigned long w : 40;
  struct { unsigned lo : 5, hi : 27; };
};
union either { struct bits s[2]; unsigned u : 3; unsigned char c; };
shared struct bits one, some[THREADS];
shared [2] union either both[2 * THREADS];
strict shared struct bits strict_one;
#define last both[2 * THREADS - 1]

static int set_y(int y) {
  one.y = y;
  return 2;
}

int main(void) {
  if (MYTHREAD == THREADS - 1) {
    one.x = one.y = 3;
    CHECK(one.x == 3 && one.y == 3);
    CHECK((one.x = set_y(5)) == 2 && one.x == 2 && one.y == 5);
    CHECK((one.x += set_y(6)) == 4 && one.y == 6);
    one.y = 1;
    one.x = one.y++;
    CHECK(one.x == 1 && one.y == 2);
    one.x += one.z = one.y *= 3;
    CHECK(one.x == 7 && one.y == 6 && one.z == 6 && one.x-- == 7 && --one.x == 5);
    one.b = one.w = 1UL << 39;
    CHECK(one.b && one.w == 1UL << 39 && (one.w += one.b) == (1UL << 39) + 1 && one.y == 6);
    shared struct bits *p = &some[MYTHREAD];
    p->x = p->y = p->z = some[MYTHREAD].w = p->lo = p->hi = 5;
    CHECK(p->x == 5 && p->y == 5 && p->z == 5 && p->w == 5 && p->lo == 5 && p->hi == 5 && !p->b);
    p->x = p->y = -3;
    CHECK(p->x == -3 && p->y == -3 && p->z == 5);
    strict_one.x = strict_one.y = strict_one.z = 7;
    strict_one.lo += strict_one.hi = strict_one.x--;
    CHECK(strict_one.x == 6 && strict_one.y == 7 && strict_one.z == 7 && strict_one.lo == 7 && strict_one.hi == 7);
    last.s[1].x = last.s[1].y = last.s[0].x = 4;
    last.u = last.c = 9;
    CHECK(last.c == 9 && last.u == 1 && last.s[1].y == 4 && last.s[1].x == 4 && last.s[0].x == -7);
  }
  return 0;
}
