/* Recognisable bytes: what a member fills its memory with, and what others look for. */
#ifndef WEFT_TEST_BYTES_H
#define WEFT_TEST_BYTES_H

#include <string.h>

#include "check.h"

enum { PERIOD = 251 };

static inline unsigned char pattern(int member, int salt, size_t i) {
  return (unsigned char)(member * 31 + salt * 7 + (int)(i % PERIOD) + 1);
}

static inline void fill(void *at, size_t n, int member, int salt) {
  unsigned char block[PERIOD];
  for (size_t i = 0; i < PERIOD && i < n; i++) block[i] = pattern(member, salt, i);
  for (size_t i = 0; i < n; i += PERIOD)
    memcpy((char *)at + i, block, n - i < PERIOD ? n - i : PERIOD);
}

/* n bytes of a member's pattern, from its byte `from` on. */
static inline void expect(const void *at, size_t n, int member, int salt, size_t from) {
  const unsigned char *p = at;
  unsigned char block[PERIOD];
  for (size_t i = 0; i < PERIOD && i < n; i++) block[i] = pattern(member, salt, from + i);
  for (size_t i = 0; i < n; i += PERIOD) {
    const size_t part = n - i < PERIOD ? n - i : PERIOD;
    if (!memcmp(p + i, block, part)) continue;
    for (size_t k = 0; k < part; k++) CHECK_EQ(p[i + k], block[k]);
  }
}

#endif
