/*
 * The table of type x operation against plain C, at odd addresses; the processor's against that of
 * any; types of C find their entries; strings.
 * test: unit
 */
#include "check.h"
#include "data/data.h"

enum { N = 103 }; /* more elements than one turn of any loop takes, and a rest */

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
  EXPECT(T, prod, 1u * (a) * (b))
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

/* Any bits; every other time a number at which operations have an edge, or the other's number. */
static void fill(enum weft_type type, size_t width, char *at, const char *other) {
  static const double reals[] = {0, -0.0, 1, -1, 1e308 * 10, -1e308 * 10, 1e-310};
  static const int64_t integers[] = {0,         1,         -1,        INT64_MAX,
                                     INT64_MIN, INT32_MIN, INT16_MIN, INT8_MIN};
  const double real = reals[rand() % 7];
  const float single = (float)real;
  for (size_t i = 0; i < width; i++) at[i] = (char)(rand() >> 8);
  const int way = rand() % 4;
  if (way == 0) memcpy(at, other, width);
  if (way != 1) return;
  if (type < WEFT_TYPE_FLOAT)
    memcpy(at, &integers[rand() % 8], width < 8 ? width : 8);
  else
    memcpy(at, width == 4 ? (const void *)&single : &real, width);
}

/* Both loops, if there are two, give the same bits, or both a NaN, and write nothing behind the
 * last element. `real`: bytes of a number, of which a complex element has two. */
static void compare_loops(enum weft_type type, enum weft_combine op, size_t real) {
  enum { BYTES = 4096, ALL = 70 };
  const weft_combine_t f = weft_data_combine(type, op), plain = weft_data_combine_plain(type, op);
  const size_t width = weft_data_width(type);
  char got[BYTES] = {0}, wanted[BYTES], others[BYTES] = {0}, zero[16] = {0};
  CHECK(!f == !plain);
  for (size_t n = 0; f != plain && n <= ALL; n++) {
    const size_t filled = 1 + (n + 4) * width;
    for (size_t at = 1; at < filled; at += real) {
      fill(type, real, others + at, zero);
      fill(type, real, got + at, others + at);
    }
    memcpy(wanted, got, BYTES);
    f(got + 1, others + 1, n);
    plain(wanted + 1, others + 1, n);
    CHECK(memcmp(got + 1 + n * width, wanted + 1 + n * width, BYTES - 1 - n * width) == 0);
    for (size_t at = 1; at < 1 + n * width; at += real)
      CHECK(memcmp(got + at, wanted + at, real) == 0 ||
            (type >= WEFT_TYPE_FLOAT && !is_number(got + at, real) &&
             !is_number(wanted + at, real)));
  }
}

static void both_loops(void) {
  for (int op = 0; op < WEFT_COMBINES; op++) {
    for (int type = 0; type < WEFT_TYPE_LONG_DOUBLE; type++)
      compare_loops(type, op, weft_data_width(type));
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
