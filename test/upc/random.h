/*
 * The random test of the UPC library: numbers by chance. What all threads draw alike (all_draw)
 * decides what they do together; how a thread does its own part (any) is its own affair.
 */
#ifndef TEST_UPC_RANDOM_H
#define TEST_UPC_RANDOM_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime.h"

#include "check.h"

enum { THREADS_MOST = 16 };
static uint64_t seed, common, own;
static char text[200]; /* what is being done, for a failure */

static inline uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = (a + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9 ^ (b + 1) * 0x94d049bb133111eb;
  x = (x ^ x >> 31) * 0xd6e8feb86659fd93;
  return x ^ x >> 29;
}
static inline size_t draw(uint64_t *state, size_t below) {
  *state += 0x9e3779b97f4a7c15;
  return mix(*state, 7) % below;
}
static inline size_t all_draw(size_t below) {
  return draw(&common, below);
}
static inline size_t any(size_t below) {
  return draw(&own, below);
}
/* Mostly small; by all or by one. */
static inline size_t some_size(uint64_t *state, size_t most) {
  static const size_t tops[] = {2, 9, 9, 65, 65, 300, 300, 3000, 9000, 50000, 500000};
  const size_t n = draw(state, tops[draw(state, sizeof tops / sizeof *tops)]);
  return n < most ? n : most;
}

static inline void fill(void *to, size_t n, uint64_t from) {
  unsigned char *p = to;
  uint64_t x = 0;
  for (size_t i = 0; i < n; i++, x >>= 8) {
    if (i % 8 == 0) x = mix(from, i);
    p[i] = (unsigned char)x;
  }
}

static inline void must_equal(const void *got, const void *want, size_t n, const char *what) {
  const unsigned char *g = got, *w = want;
  if (memcmp(got, want, n) == 0) return;
  size_t i = 0;
  while (g[i] == w[i]) i++;
  fprintf(stderr, "[pe %d] seed %llu: %s: %s: byte %zu of %zu is %#x, not %#x\n", ME,
          (unsigned long long)seed, text, what, i, n, g[i], w[i]);
  weft_check_end(1);
}

/* This thread's memory at p. */
static inline unsigned char *mine(pts p) {
  return weft_upc_local(at_thread(p, ME));
}
/* Element i of an array with blocks, 0: in one block. */
static inline pts step(pts p, size_t i, size_t block, size_t size) {
  return block ? weft_upc_add(p, (weft_upc_i64)i, (weft_upc_i64)block, size) : p + (pts)(i * size);
}

/* The modes of synchronisation; NOSYNC means that the program does it. */
static inline upc_flag_t some_mode(void) {
  const upc_flag_t in[] = {UPC_IN_NOSYNC, UPC_IN_MYSYNC, UPC_IN_ALLSYNC, 0};
  const upc_flag_t out[] = {UPC_OUT_NOSYNC, UPC_OUT_MYSYNC, UPC_OUT_ALLSYNC, 0};
  const size_t i = all_draw(4);
  return in[i] | out[all_draw(4)];
}
static inline void before(upc_flag_t flags) {
  if (flags & UPC_IN_NOSYNC) BARRIER();
}
static inline void after(upc_flag_t flags) {
  if (flags & UPC_OUT_NOSYNC) BARRIER();
}

#endif
