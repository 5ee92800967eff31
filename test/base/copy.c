/*
 * A copy of any length brings every byte and touches no other, wherever source and destination
 * stand in a page. test: unit
 */
#include "base/base.h"
#include "check.h"
#include "weft/direct.h"

enum { ROOM = 3 * 4096, LONGEST = 2 * 4096 + 64, SENTINEL = 0xa5 };
enum { LEAST = 2113, MOST = 1 << 20 }; /* where glibc takes REP MOVSB, and we memcpy */

static unsigned char from[ROOM], to[ROOM], want[ROOM];

static void copy(size_t dest, size_t source, size_t n) {
  memset(want, SENTINEL, sizeof want);
  memcpy(want + dest, from + source, n);
  for (int to_reader = 0; to_reader < 2; to_reader++) {
    memset(to, SENTINEL, sizeof to);
    if (to_reader)
      weft_copy_to_reader(to + dest, from + source, n);
    else
      weft_direct_memcpy(to + dest, from + source, n);
    if (memcmp(to, want, sizeof to) != 0)
      weft_fatal("a copy of %zu bytes from %zu to %zu is wrong", n, source, dest);
  }
}

static void copy_all(void) {
  for (unsigned i = 0; i < ROOM; i++) from[i] = (unsigned char)(i * 7 + i / 251);
  for (size_t n = 0; n < 300; n++)
    for (size_t dest = 0; dest < 40; dest++) copy(dest, 40, n);
  for (size_t n = LEAST - 2; n < LEAST + 130; n++)
    for (size_t dest = 0; dest < 3; dest++) copy(32 + dest, 40, n);
  for (size_t dest = 0; dest < 64; dest++)
    for (size_t source = 0; source < 64; source += 3) copy(dest, source, 4096 + dest);
  for (size_t n = LONGEST - 130; n <= LONGEST; n++) copy(1, 0, n);
  for (size_t dest = 0; dest < 64; dest++) copy(dest, 63 - dest, LONGEST - dest);
  for (size_t n = 300; n < 1100; n++) copy(n % 64, n % 29, n); /* steps of 64 bytes */

  static char large[2][MOST + 2]; /* either side of the upper bound */
  for (int more = -1; more < 2; more++) {
    const size_t n = (size_t)(MOST + more);
    memset(large[0], more + 2, sizeof large[0]);
    memset(large[1], 0, sizeof large[1]);
    weft_direct_memcpy(large[1], large[0], n);
    CHECK(memcmp(large[0], large[1], n) == 0);
    CHECK_EQ(large[1][n], 0);
  }
}

int main(void) {
  copy_all();
#if defined(__x86_64__) && !WEFT_ASAN && !WEFT_TSAN
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx")) {
    weft_direct_move = weft_copy_by_vectors;
    copy_all();
  }
  if (__builtin_cpu_supports("avx512f")) {
    weft_direct_move = weft_copy_by_wide_vectors;
    copy_all();
  }
#endif
  return 0;
}
