/*
 * The heap keeps its promises one by one: alignment, exhaustion, in-place growth, bad frees, who
 * owns what. test: unit
 */
#include "window/heap.h"

#include "base/base.h"
#include "check.h"

#define LIMIT (1 << 20)

static _Alignas(65536) char memory[LIMIT];
static weft_heap_t heap;
static size_t usable, refuse_above = SIZE_MAX;

static int reserve(void *arg, size_t from, size_t to) {
  CHECK(arg == memory);
  CHECK_EQ(from, usable); /* each byte once, in order */
  CHECK(to > from && to <= LIMIT);
  if (to > refuse_above) return -ENOMEM;
  usable = to;
  return 0;
}

static void start(void) {
  usable = 0;
  refuse_above = SIZE_MAX;
  memset(memory, 0xa5, sizeof(memory));
  CHECK_EQ(weft_heap_init(&heap, memory, LIMIT, (uintptr_t)memory, reserve, memory), 0);
  CHECK_EQ(weft_heap_check(&heap), 0);
}

static void alignment(void) {
  start();
  CHECK((uintptr_t)weft_heap_alloc(&heap, 1, 1) % 64 == 0); /* the first begins a cache line */
  for (size_t align = 1; align <= 65536; align *= 2)
    for (size_t size = 0; size < 100; size += 33) {
      char *p = weft_heap_alloc(&heap, align, size);
      CHECK(p != NULL);
      CHECK_EQ((uintptr_t)p % (align < 16 ? 16 : align), 0);
      CHECK_EQ(weft_heap_size(&heap, p), size);
      memset(p, 1, size);
      CHECK_EQ(weft_heap_check(&heap), 0);
      if (size == 33 && align > 1024) CHECK_EQ(weft_heap_free(&heap, p), 0);
    }
  CHECK(!weft_heap_alloc(&heap, 48, 1)); /* no power of two */
  CHECK(!weft_heap_alloc(&heap, 48, 8192));
  for (int i = 0; i < 4; i++) { /* large blocks begin cache lines, whatever lies between them */
    CHECK_EQ((uintptr_t)weft_heap_alloc(&heap, 1, 4096) % 64, 0);
    weft_heap_alloc(&heap, 1, 1);
  }
  CHECK(!weft_heap_alloc(&heap, (size_t)1 << 63, 1));
  CHECK_EQ(weft_heap_prepare(&heap, NULL, 24, 1), -EINVAL);
}

/* A large block begins in the middle of a page, but where only another place has room for it. */
static void middles(void) {
  start();
  char *first = weft_heap_alloc(&heap, 1, WEFT_HEAP_LARGE);
  CHECK_EQ((uintptr_t)first % WEFT_HEAP_PAGE, WEFT_HEAP_PAGE / 2);
  char *second = weft_heap_alloc(&heap, 64, WEFT_HEAP_LARGE + 1);
  CHECK_EQ((uintptr_t)second % WEFT_HEAP_PAGE, WEFT_HEAP_PAGE / 2);
  CHECK_EQ(weft_heap_free(&heap, first), 0);
  CHECK(weft_heap_alloc(&heap, 1, WEFT_HEAP_LARGE) == first);
  char *third = weft_heap_alloc(&heap, WEFT_HEAP_PAGE, WEFT_HEAP_LARGE);
  CHECK_EQ((uintptr_t)third % WEFT_HEAP_PAGE, 0);
  CHECK_EQ(weft_heap_free(&heap, third), 0);
  const char *end = memory + LIMIT, *rest = second + WEFT_HEAP_LARGE + 1;
  const size_t most = (size_t)(end - rest) - 256;
  CHECK_EQ(weft_heap_prepare(&heap, NULL, 1, most), 0);
  CHECK(most >= WEFT_HEAP_LARGE);
  const char *fourth = weft_heap_alloc(&heap, 1, most);
  CHECK(fourth != NULL);
  CHECK_EQ((uintptr_t)fourth % WEFT_CACHELINE, 0);
  CHECK((uintptr_t)fourth % WEFT_HEAP_PAGE != WEFT_HEAP_PAGE / 2);
  CHECK_EQ(weft_heap_check(&heap), 0);
}

static void origin(void) {
  char *p;
  /* Alignment counts from 32 below the base, whatever the base's own address is. */
  CHECK_EQ(weft_heap_init(&heap, memory, LIMIT, 32, NULL, NULL), 0);
  p = weft_heap_alloc(&heap, 4096, 10);
  CHECK_EQ((p - memory + 32) % 4096, 0);
  CHECK_EQ(weft_heap_init(&heap, memory, LIMIT, 8, NULL, NULL), -EINVAL);
  CHECK_EQ(weft_heap_init(&heap, memory, 100, 0, NULL, NULL), -EINVAL);
}

/* Bytes beyond the end: over the header behind it, and over what is watched. */
static void overruns(void) {
  start();
  char *p = weft_heap_alloc(&heap, 1, 80), *next = weft_heap_alloc(&heap, 1, 80);
  p[80] ^= 1;
  CHECK_EQ(weft_heap_free(&heap, p), -EUCLEAN);
  p[80] ^= 1;
  CHECK_EQ(weft_heap_free(&heap, p), 0);
  CHECK_EQ(weft_heap_free(&heap, next), 0);
  start();
  weft_heap_watch(&heap);
  for (size_t align = 1; align <= 8192; align *= 2)
    for (size_t size = 0; size < 300; size += 1 + size / 7) {
      CHECK_EQ(weft_heap_prepare(&heap, NULL, align, size), 0);
      p = weft_heap_alloc(&heap, align, size);
      CHECK_EQ(weft_heap_size(&heap, p), size);
      if (size % 3 == 0) CHECK((p = weft_heap_realloc(&heap, p, size += 40)) != NULL);
      memset(p, 1, size);
      CHECK_EQ(weft_heap_check(&heap), 0);
      for (int at = 0; at < 16; at++) {
        p[size + at] ^= 64;
        CHECK_EQ(weft_heap_live(&heap, p), -EUCLEAN);
        CHECK_EQ(weft_heap_free(&heap, p), -EUCLEAN);
        p[size + at] ^= 64;
      }
      if (size % 2) CHECK_EQ(weft_heap_free(&heap, p), 0);
    }
}

static void exhaustion(void) {
  char *p[40], *all;
  size_t most = LIMIT;
  int n = 0;
  start();
  CHECK(!weft_heap_alloc(&heap, 16, LIMIT));
  CHECK(!weft_heap_alloc(&heap, 16, SIZE_MAX));
  CHECK(!weft_heap_alloc(&heap, 16, SIZE_MAX - 40));
  while (weft_heap_prepare(&heap, NULL, 16, most)) most -= 16;
  while ((p[n] = weft_heap_alloc(&heap, 16, 32768))) n++;
  CHECK(n >= 30 && n < 32);
  CHECK_EQ(weft_heap_used(&heap), n * 32768);
  CHECK_EQ(weft_heap_check(&heap), 0);
  for (int i = 0; i < n; i += 2) CHECK_EQ(weft_heap_free(&heap, p[i]), 0);
  for (int i = 1; i < n; i += 2) CHECK_EQ(weft_heap_free(&heap, p[i]), 0);
  CHECK_EQ(weft_heap_used(&heap), 0);
  all = weft_heap_alloc(&heap, 16, most); /* one piece again */
  CHECK(all != NULL);
  CHECK(!weft_heap_alloc(&heap, 16, 1));
  CHECK_EQ(weft_heap_check(&heap), 0);
}

/* A reserve that refuses leaves no trace, and a success after prepare is certain. */
static void refusal(void) {
  static char before[LIMIT];
  char *p, *q;
  size_t size;
  start();
  p = weft_heap_alloc(&heap, 16, 1000);
  refuse_above = usable;
  size = usable;
  memcpy(before, memory, sizeof(before));
  CHECK(!weft_heap_alloc(&heap, 16, size));
  CHECK(!weft_heap_alloc(&heap, 4096, size));
  CHECK(!weft_heap_realloc(&heap, p, size));
  CHECK_EQ(weft_heap_prepare(&heap, NULL, 16, size), -ENOMEM);
  CHECK_EQ(weft_heap_prepare(&heap, p, 16, size), -ENOMEM);
  CHECK(!memcmp(before, memory, sizeof(before)));
  refuse_above = SIZE_MAX;
  CHECK_EQ(weft_heap_prepare(&heap, p, 0, size), 0);
  refuse_above = 0;
  CHECK(weft_heap_realloc(&heap, p, size) == p);
  refuse_above = SIZE_MAX;
  CHECK_EQ(weft_heap_prepare(&heap, NULL, 16384, 100000), 0);
  refuse_above = 0;
  q = weft_heap_alloc(&heap, 16384, 100000);
  CHECK(q != NULL && (uintptr_t)q % 16384 == 0);
  CHECK_EQ(weft_heap_check(&heap), 0);
}

static void growth(void) {
  char *a, *b, *c, *d;
  start();
  a = weft_heap_alloc(&heap, 16, 100);
  b = weft_heap_alloc(&heap, 16, 100);
  c = weft_heap_alloc(&heap, 16, 100);
  memset(a, 7, 100);
  CHECK_EQ(weft_heap_free(&heap, b), 0);
  CHECK(weft_heap_realloc(&heap, a, 200) == a); /* into the hole */
  CHECK_EQ(weft_heap_size(&heap, a), 200);
  CHECK_EQ(weft_heap_check(&heap), 0);
  CHECK(weft_heap_realloc(&heap, c, 5000) == c); /* up from the end */
  CHECK(weft_heap_realloc(&heap, c, 20) == c);
  CHECK_EQ(weft_heap_size(&heap, c), 20);
  d = weft_heap_realloc(&heap, a, 300); /* c is in the way */
  CHECK(d && d != a && d > c);
  for (int i = 0; i < 100; i++) CHECK_EQ(d[i], 7);
  CHECK_EQ(weft_heap_size(&heap, a), SIZE_MAX);
  CHECK(!weft_heap_realloc(&heap, a, 400));
  CHECK(weft_heap_alloc(&heap, 16, 200) == a); /* best fit: where a was */
  CHECK_EQ(weft_heap_check(&heap), 0);
  CHECK_EQ(weft_heap_used(&heap), 20 + 300 + 200);
}

static void bad_frees(void) {
  char *a, *b, *c, here;
  start();
  a = weft_heap_alloc(&heap, 16, 100);
  b = weft_heap_alloc(&heap, 16, 100);
  c = weft_heap_alloc(&heap, 16, 100);
  memcpy(b + 16, b - 16, 16); /* a copied header is no header */
  CHECK_EQ(weft_heap_free(&heap, b + 32), -EINVAL);
  CHECK_EQ(weft_heap_free(&heap, &here), -EINVAL);
  CHECK_EQ(weft_heap_free(&heap, NULL), -EINVAL);
  CHECK_EQ(weft_heap_free(&heap, memory), -EINVAL);
  CHECK_EQ(weft_heap_free(&heap, a + 1), -EINVAL);
  CHECK_EQ(weft_heap_free(&heap, memory + LIMIT - 16), -EINVAL);
  CHECK_EQ(weft_heap_free(&heap, memory + LIMIT), -EINVAL);
  CHECK_EQ(weft_heap_free(&heap, b), 0);
  CHECK_EQ(weft_heap_free(&heap, b), -EALREADY);
  CHECK_EQ(weft_heap_free(&heap, a), 0);
  CHECK_EQ(weft_heap_free(&heap, b), -EALREADY); /* merged into a */
  CHECK_EQ(weft_heap_free(&heap, a), -EALREADY);
  CHECK_EQ(weft_heap_free(&heap, c), 0);
  CHECK_EQ(weft_heap_free(&heap, c), -EALREADY); /* above the end now */
  CHECK_EQ(weft_heap_check(&heap), 0);
  a = weft_heap_alloc(&heap, 16, 1000); /* over all three */
  CHECK_EQ(weft_heap_free(&heap, b), -EALREADY);
  memset(a, 0, 1000);
  CHECK_EQ(weft_heap_free(&heap, b), -EINVAL);
  CHECK_EQ(weft_heap_used(&heap), 1000);
}

static void ownership(void) {
  char *a, *b;
  start();
  a = weft_heap_alloc(&heap, 16, 100);
  b = weft_heap_alloc(&heap, 16, 50);
  CHECK(weft_heap_owns(&heap, a, 100));
  CHECK(weft_heap_owns(&heap, a + 99, 1));
  CHECK(weft_heap_owns(&heap, b, 50));
  CHECK(!weft_heap_owns(&heap, a, 101));
  CHECK(!weft_heap_owns(&heap, a + 99, 2));
  CHECK(!weft_heap_owns(&heap, a - 1, 1));
  CHECK(!weft_heap_owns(&heap, b + 1, SIZE_MAX));
  CHECK(!weft_heap_owns(&heap, b + 50, 1));
  CHECK(!weft_heap_owns(&heap, memory, 1));
  CHECK(!weft_heap_owns(&heap, memory + LIMIT, 1));
  CHECK(!weft_heap_owns(&heap, NULL, 1));
  CHECK_EQ(weft_heap_free(&heap, a), 0);
  CHECK(!weft_heap_owns(&heap, a, 1));
  CHECK_EQ(weft_heap_free(&heap, b), 0);
  CHECK(!weft_heap_owns(&heap, b, 1));
}

static void reset(void) {
  char *a, *b, *c;
  start();
  a = weft_heap_alloc(&heap, 16, 100);
  b = weft_heap_alloc(&heap, 16, 100);
  CHECK_EQ(weft_heap_free(&heap, a), 0);
  weft_heap_reset(&heap);
  CHECK_EQ(weft_heap_used(&heap), 0);
  CHECK_EQ(weft_heap_check(&heap), 0);
  CHECK_EQ(weft_heap_free(&heap, b), -EINVAL);
  c = weft_heap_alloc(&heap, 16, 1000);
  CHECK(c == a);
  CHECK_EQ(weft_heap_free(&heap, b), -EINVAL); /* its old header is inside c */
  CHECK_EQ(weft_heap_check(&heap), 0);
}

/* weft_heap_check sees damage, and the heap does not loop over it. */
static void damage(void) {
  char *a, *b, save[16];
  start();
  a = weft_heap_alloc(&heap, 16, 96);
  b = weft_heap_alloc(&heap, 16, 96);
  CHECK(freopen("/dev/null", "w", stderr) != NULL); /* it says so */
  memcpy(save, a + 96, 16);
  memset(a + 96, 0, 16); /* a program that writes past its end */
  CHECK_EQ(weft_heap_check(&heap), -EUCLEAN);
  CHECK(!weft_heap_owns(&heap, b, 1));
  CHECK_EQ(weft_heap_free(&heap, b), -EINVAL);
  memcpy(a + 96, save, 16);
  CHECK_EQ(weft_heap_check(&heap), 0);
  CHECK_EQ(weft_heap_free(&heap, a), 0);
  a[88] ^= 1; /* a program that writes after free */
  CHECK_EQ(weft_heap_check(&heap), -EUCLEAN);
}

int main(void) {
  alignment();
  middles();
  origin();
  overruns();
  exhaustion();
  refusal();
  growth();
  bad_frees();
  ownership();
  reset();
  damage();
  return 0;
}
