/*
 * hash: SipHash-2-4, a keyed hash of short messages (Aumasson, Bernstein: SipHash: a fast
 * short-input PRF, 2012). Without the key nobody can tell its value for a message.
 */
#include <sys/random.h>

#include "base/base.h"

int weft_random_draw(void *bytes, size_t n) {
  return getrandom(bytes, n, 0) == (ssize_t)n ? 0 : -EIO;
}

static uint64_t rotate(uint64_t x, int bits) {
  return x << bits | x >> (64 - bits);
}

static void rounds(uint64_t v[4], int n) {
  while (n-- > 0) {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] = rotate(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] = rotate(v[2], 32);
  }
}

/* The next n bytes, at most 8, lowest first: the same on every machine. */
static uint64_t word_of(const unsigned char *p, size_t n) {
  uint64_t word = 0;
  for (size_t i = 0; i < n; i++) word |= (uint64_t)p[i] << 8 * i;
  return word;
}

uint64_t weft_hash_keyed(const weft_secret_t *key, const void *data, size_t n) {
  const unsigned char *p = data;
  const uint64_t k0 = word_of(key->bytes, 8), k1 = word_of(key->bytes + 8, 8);
  uint64_t v[4] = {k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261,
                   k1 ^ 0x7465646279746573};
  for (size_t at = 0; at <= n; at += 8) {
    const size_t left = n - at;
    const uint64_t word =
        left >= 8 ? word_of(p + at, 8) : word_of(p + at, left) | (uint64_t)n << 56;
    v[3] ^= word;
    rounds(v, 2);
    v[0] ^= word;
    if (left < 8) break;
  }
  v[2] ^= 0xff;
  rounds(v, 4);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}
