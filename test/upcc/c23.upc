/* What C23 adds to C, with shared objects: what gcc takes from 15 on if no standard is asked for. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include "expect.h"

constexpr int n = 3;
constexpr int rows = n * 2;
shared [n] int blocks[n * THREADS];
shared bool flags[THREADS];
enum colour : unsigned char { RED, GREEN = 200 };
enum later : short;
shared enum colour paint[THREADS];
static_assert(rows == 6);
static_assert(sizeof(enum colour) == 1, "one byte");
[[nodiscard]] static bool opposite(bool x) { return !x; }
shared int *where = nullptr;
thread_local int own = 2;
alignas(32) static int aligned;
struct [[maybe_unused]] pair { [[maybe_unused]] shared [n] int *a; int b [[maybe_unused]]; };
shared unsigned _BitInt(37) wide[THREADS];
typedef typeof(nullptr) nothing;

static int unnamed(shared int *p, int) { return p == nullptr; }
static int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int s = 0;
  for (int i = 0; i < count; i++) s += va_arg(list, int);
  va_end(list);
  return s;
}

int main() {
  [[maybe_unused]] auto me = MYTHREAD;
  auto p = &blocks[n * MYTHREAD];
  auto const q = &flags[MYTHREAD];
  typeof_unqual(q) again = q;
  int none[] = {}, binary = 0b1010'1010, million = 1'000'000;
  *p = 0xff'ff;
  p[1] = binary + million;
  *again = true;
  upc_barrier;
  switch (blocks[0]) {
  case 0xffff:
    own++;
    [[fallthrough]];
  case 1: [[maybe_unused]] int inside = blocks[1]; CHECK(inside == 1000170); break;
  default: CHECK(false);
  }
  CHECK(flags[0] == true && opposite(flags[THREADS - 1]) == false && own == 3 && aligned == 0);
  CHECK(unnamed(where, 3) && unnamed(nullptr, 3) && sum(3, 1, 2, 3) == 6 && sizeof none == 0);
  paint[MYTHREAD] = GREEN;
  wide[MYTHREAD] = 1ull << 36;
  struct pair pair = {.a = nullptr, .b = 4};
  pair.a = me ? nullptr : &blocks[0];
  upc_barrier;
  CHECK(paint[0] == GREEN && wide[0] == (unsigned _BitInt(37))(1ull << 36) && pair.b == 4);
  CHECK(me || *pair.a == 0xffff);
  auto const text = strchr("abc", 'b');
  CHECK(*text == 'b' && (nothing)nullptr == nullptr);
  upc_forall (auto i = 0; i < n * THREADS; i++; &blocks[i]) blocks[i] += 1;
  upc_barrier;
  CHECK(blocks[0] == 65536 && blocks[2] == 1);
  goto end;
[[maybe_unused]] end:
}
