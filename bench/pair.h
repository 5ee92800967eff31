/* pair.h: what bench.h wants of a program, for the two processes of tcp_pingpong.c or
 * fi_pingpong.c, made of the two functions that each of them brings: put_word and get_word. PE 1 is
 * the one that serves. */
#ifndef WEFT_BENCH_PAIR_H
#define WEFT_BENCH_PAIR_H

#include <stddef.h>
#include <stdint.h>

static void put_word(uint64_t word);
static uint64_t get_word(void);

static long bench_agree(long value) {
  if (me == 1) return (long)get_word();
  put_word((uint64_t)value);
  return value;
}

static void bench_barrier(void) {
  if (me == 1) {
    get_word();
    put_word(0);
  } else {
    put_word(0);
    get_word();
  }
}

static void pingpong(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n; i++) bench_barrier();
}

#endif
