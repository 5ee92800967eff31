/* Constants and strings that the translator works out itself have the values and sizes of C. */
#include "expect.h"

#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wmultichar"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wtautological-constant-compare"
#pragma GCC diagnostic ignored "-Wtautological-unsigned-zero-compare"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Woverflow"
#pragma GCC diagnostic ignored "-Wimplicitly-unsigned-literal"

/* A block size is worked out here, the same expression outside of a layout by the compiler. */
#define SAME(e) CHECK(upc_blocksizeof(shared [(e) + 1] int) == (size_t)(e) + 1)
enum { HALF = 0x80000000u };
enum { SMALL = -3, BIG = 1L << 40 };
enum { WIDE = 0x123456789a, NARROW = 5 };
enum { UNDER = -1, OVER = 0x80000000u, INSIDE = sizeof(OVER) };

static void conversions(void) {
  SAME(-1 == 4294967295u);
  SAME((-1 / 2u) == 0x7fffffff);
  SAME((-3 % 2u) == 1);
  SAME((unsigned short)1 > (short)-1);
  SAME(-1 < (unsigned char)1);
  SAME((1 ? -1 : 0u) / 2 == 0x7fffffff);
  SAME(-1 < 037777777777);
  SAME(-1 < 0b11111111111111111111111111111111);
  SAME(-1 < 4294967295);
  SAME(-1 > 0u);
  SAME((long)(-1 * 1u) == 4294967295);
  SAME(1u - 2 > 0);
  SAME(-8 >> 1u == -4);
  SAME(1u << 31 > 0);
  SAME((SMALL & 0xffffffffu) == 0xfffffffd);
  SAME(BIG / 1024 == 1 << 30);
  SAME((HALF >> 16) + 1);
  SAME(HALF / -1 == 0);
  SAME(WIDE > -1);
  SAME(OVER > -1);
  SAME(sizeof HALF + sizeof WIDE * 16 + sizeof OVER * 4096);
#if __GNUC__ < 13 || defined __clang__ /* from 13 on small ones, too, have the enumeration's type */
  SAME(NARROW > -1);
  SAME(sizeof NARROW);
#endif
  SAME(INSIDE);
}

static void characters(void) {
  SAME('ab' == 24930);
  SAME('\x80' < 0);
  SAME('\377' == -1);
  SAME((char)200 < 0);
  SAME('\0' + '\12' + '\e' + '\?' + '\'' + '\\');
  SAME('\1012' == 0x4132);
  SAME(sizeof 'a' == sizeof(int));
  SAME(L'a' == 97);
  SAME(sizeof L'a' + 16 * sizeof u'a' + 256 * sizeof U'a');
  SAME(-1 < U'a');
  SAME(-1 < u'a');
}

#define LENGTH(text) SAME(sizeof text)
static void strings(void) {
  LENGTH("\x41");
  LENGTH("\033[0m\0" "1");
  LENGTH("a\"\\b");
  LENGTH("\u00e9\u20ac\U0001F600");
  LENGTH("é€");
  LENGTH(L"abc");
  LENGTH(u"a\u00e9\U0001F600");
  LENGTH(u8"abc");
  LENGTH(U"é\U0001F600b");
  LENGTH("a" L"b");
  LENGTH("");
}

shared [] char banner[] = "\x41\033[1m";
static const char plain[] = "\102\u00e9";
shared [sizeof plain] int blocks[sizeof plain * THREADS];

int main(void) {
  conversions();
  characters();
  strings();
  CHECK(sizeof banner == 6 && upc_localsizeof(banner) == 6 && sizeof plain == 4);
  CHECK(banner[0] == 'A' && banner[1] == '\033' && banner[5] == 0);
  CHECK(upc_blocksizeof(blocks) == sizeof plain);
  return 0;
}
