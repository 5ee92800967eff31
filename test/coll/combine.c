/*
 * The table of type x operation against plain C, at odd addresses; the processor's against that of
 * any; types of C find their entries; strings.
 * test: unit
 */
#include "check.h"
#include "data/data.h"

enum { N = 103 }; /* more than the numbers of a turn of any loop, and some */

#define EXPECT(T, op, want)                                                                        \
  do {                                                                                             \
    weft_combine_t f = weft_data_combine(WEFT_TYPE_OF(T), WEFT_COMBINE_##op);                      \
    char bytes[N * sizeof(T) + 1], other[N * sizeof(T) + 1];                                       \
    CHECK(f != NULL && weft_data_width(WEFT_TYPE_OF(T)) == sizeof(T));                             \
    for (int i = 0; i < N; i++) {                                                                  \
      const T a = (T)(i - 40), b = (T)(70 - i * 2);                                                \
      memcpy(bytes + 1 + (size_t)i * sizeof a, &a, sizeof a);                                      \
      memcpy(other + 1 + (size_t)i * sizeof b, &b, sizeof b);                                      \
    }                                                                                              \
    f(bytes + 1, other + 1, N);                                                                    \
    for (int i = 0; i < N; i++) {                                                                  \
      const T a = (T)(i - 40), b = (T)(70 - i * 2), w = (T)(want);                                 \
      T got;                                                                                       \
      memcpy(&got, bytes + 1 + (size_t)i * sizeof got, sizeof got);                                \
      (void)a, (void)b;                                                                            \
      CHECK(got == w);                                                                             \
    }                                                                                              \
  } while (0)
#define MAGNITUDE(a) ((a) < 0 ? -(a) : (a))
#define ANY(T)                                                                                     \
  EXPECT(T, sum, a + b);                                                                           \
  EXPECT(T, prod, (a) * (b))
#define SOME(T)                                                                                    \
  ANY(T);                                                                                          \
  EXPECT(T, min, b < a ? b : a);                                                                   \
  EXPECT(T, max, a < b ? b : a);                                                                   \
  EXPECT(T, land, a &&b);                                                                          \
  EXPECT(T, lor, a || b);                                                                          \
  EXPECT(T, lxor, !a != !b)
#define ALL(T)                                                                                     \
  SOME(T);                                                                                         \
  EXPECT(T, and, (a) & (b));                                                                       \
  EXPECT(T, or, a | b);                                                                            \
  EXPECT(T, xor, a ^ b)

static void numbers(void) {
  ALL(char);
  ALL(signed char);
  ALL(short);
  ALL(int);
  ALL(long);
  ALL(long long);
  ALL(unsigned char);
  ALL(unsigned short);
  ALL(unsigned);
  ALL(unsigned long);
  ALL(unsigned long long);
  SOME(float);
  SOME(double);
  SOME(long double);
  ANY(float _Complex);
  ANY(double _Complex);
  ANY(long double _Complex);
  EXPECT(int, absmax, MAGNITUDE(a) < MAGNITUDE(b) ? MAGNITUDE(b) : MAGNITUDE(a));
  EXPECT(double, absmin, MAGNITUDE(a) > MAGNITUDE(b) ? MAGNITUDE(b) : MAGNITUDE(a));
  EXPECT(unsigned, absmax, a < b ? b : a);
}

static bool is_number(const char *at, size_t width) {
  float single = 0;
  double value;
  memcpy(width == 4 ? (void *)&single : &value, at, width);
  if (width == 4) value = (double)single;
  return value == value;
}

/* Of any bits both loops make the same bits, or neither makes a number of them. */
static void compare_loops(enum weft_type type, enum weft_combine op, size_t real) {
  enum { BYTES = 4096 };
  const weft_combine_t f = weft_data_combine(type, op), plain = weft_data_combine_plain(type, op);
  const size_t n = BYTES / weft_data_width(type);
  char got[BYTES], wanted[BYTES], others[BYTES];
  CHECK(!f == !plain);
  if (!f) return;
  for (int i = 0; i < BYTES; i++) got[i] = (char)rand(), others[i] = (char)rand();
  memcpy(wanted, got, BYTES);
  f(got, others, n);
  plain(wanted, others, n);
  for (size_t at = 0; at < BYTES; at += real)
    CHECK(memcmp(got + at, wanted + at, real) == 0 ||
          (type >= WEFT_TYPE_FLOAT && !is_number(got + at, real) && !is_number(wanted + at, real)));
}

static void both_loops(void) {
  for (int op = 0; op < WEFT_COMBINES; op++) {
    for (int type = 0; type <= WEFT_TYPE_DOUBLE; type++)
      compare_loops(type, op, type == WEFT_TYPE_FLOAT ? 4 : 8);
    compare_loops(WEFT_TYPE_COMPLEX_FLOAT, op, 4);
    compare_loops(WEFT_TYPE_COMPLEX_DOUBLE, op, 8);
  }
}

static void wide_integers(void) {
  const __int128 big = (__int128)1 << 100;
  __int128 a[2] = {-big, big + 5}, b[2] = {big, 1};
  weft_data_combine(weft_data_integer(16, 1), WEFT_COMBINE_sum)(a, b, 2);
  CHECK(a[0] == 0 && a[1] == big + 6);
  a[0] = -1;
  weft_data_combine(WEFT_TYPE_I128, WEFT_COMBINE_min)(a, b, 1);
  CHECK(a[0] == -1);
  weft_data_combine(WEFT_TYPE_U128, WEFT_COMBINE_min)(a, b, 1);
  CHECK(a[0] == big);
  CHECK(!weft_data_combine(WEFT_TYPE_DOUBLE, WEFT_COMBINE_xor));
  CHECK(!weft_data_combine(WEFT_TYPE_COMPLEX_FLOAT, WEFT_COMBINE_max));
}

static void strings(void) {
  const size_t three = 3, two = 2;
  const char left[] = "abcxyz\xff\x01 ";
  char least[] = "abbzaa a ", most[] = "abbzaa a ";
  weft_data_min_strings(left, least, 3, &three);
  CHECK(memcmp(least, "abbxyz a ", 9) == 0);
  weft_data_max_strings(left, most, 3, &three);
  CHECK(memcmp(most, "abczaa\xff\x01 ", 9) == 0);
  const uint32_t wide[] = {1, 0x10ffff, 5, 5};
  uint32_t low[] = {1, 7, 5, 6}, high[] = {1, 7, 5, 6};
  weft_data_min_wide_strings(wide, low, 2, &two);
  weft_data_max_wide_strings(wide, high, 2, &two);
  CHECK(low[1] == 7 && low[3] == 5 && high[1] == 0x10ffff && high[3] == 6);
}

int main(void) {
  numbers();
  both_loops();
  wide_integers();
  strings();
  return 0;
}
