/*
 * bytes.c: gasnet_tools, sums and counts over bytes. Knows nothing else.
 */
#include "gasnet/tools/tools.h"

#include <string.h>

static uint64_t word_at(const unsigned char *p, size_t n) {
  uint64_t word = 0;
  memcpy(&word, p, n);
  return word;
}

/* FNV-1a's step over words of eight bytes; the last is filled with zeroes, the length is mixed in.
 */
uint64_t gasnett_checksum(const void *p, int numbytes) {
  const unsigned char *at = p;
  const size_t n = numbytes > 0 ? (size_t)numbytes : 0;
  uint64_t sum = UINT64_C(0xcbf29ce484222325) ^ n;
  for (size_t i = 0; i < n; i += 8) {
    sum ^= word_at(at + i, n - i < 8 ? n - i : 8);
    sum *= UINT64_C(0x100000001b3);
    sum ^= sum >> 29; /* else a word's high bits would stay high */
  }
  return sum;
}

size_t gasnett_count0s(const void *p, size_t numbytes) {
  const unsigned char *at = p;
  size_t zeroes = 0, i = 0;
  for (; i + 8 <= numbytes; i += 8) zeroes += (size_t)gasnett_count0s_uint64_t(word_at(at + i, 8));
  for (; i < numbytes; i++) zeroes += !at[i];
  return zeroes;
}

size_t gasnett_count0s_copy(void *GASNETT_RESTRICT dst, const void *GASNETT_RESTRICT src,
                            size_t numbytes) {
  unsigned char *to = dst;
  const unsigned char *from = src;
  size_t zeroes = 0, i = 0;
  for (; i + 8 <= numbytes; i += 8) {
    uint64_t word = word_at(from + i, 8);
    memcpy(to + i, &word, 8);
    zeroes += (size_t)gasnett_count0s_uint64_t(word);
  }
  for (; i < numbytes; i++) zeroes += !(to[i] = from[i]);
  return zeroes;
}
