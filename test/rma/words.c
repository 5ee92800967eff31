/*
 * Words put one behind the other are one record on the wire (port/records.c). Whatever is put in
 * between, of whatever width and to whatever place, memory is as if each had gone by itself.
 */
#include <shmem.h>

#include <stdbool.h>

#include "check.h"

enum { BYTES = 4096, STEPS = 800, ROUNDS = 3 };

static unsigned char want[BYTES]; /* what the next PE's target is to hold */
static int put_in[BYTES], fences; /* the fence after which each byte was put last */
static _Alignas(8) unsigned char target[BYTES];
static long sum;
static unsigned seed;

static unsigned draw(unsigned below) {
  seed = seed * 1664525 + 1013904223;
  return (seed >> 8) % below;
}

/* What is put twice is so in order. */
static void go_behind(size_t at, size_t n) {
  bool again = false;
  for (size_t i = at; i < at + n; i++) again |= put_in[i] == fences;
  if (again) shmem_fence(), fences++;
  for (size_t i = at; i < at + n; i++) put_in[i] = fences;
}

static void put_word(size_t at, size_t width, int pe) {
  unsigned char bytes[8];
  long value;
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)draw(256);
  memcpy(&value, bytes, sizeof value);
  memcpy(want + at, bytes, width);
  go_behind(at, width);
  switch (width) {
  case 1: shmem_char_p((char *)target + at, (char)value, pe); break;
  case 2: shmem_short_p((short *)(void *)(target + at), (short)value, pe); break;
  case 4: shmem_int_p((int *)(void *)(target + at), (int)value, pe); break;
  case 8: shmem_long_p((long *)(void *)(target + at), value, pe); break;
  }
}

/* Runs of words upwards, again over the same ones, or one step back; and what may end a run. */
static void put_all(int pe) {
  size_t at = 0, width = 8;
  for (int i = 0; i < STEPS; i++) {
    switch (draw(40)) {
    case 0: width = (size_t)1 << draw(4), at = draw(BYTES / 8) * 8; break;
    case 1: at = at >= width ? at - width : 0; break;
    case 2: width = (size_t)1 << draw(4), at = at / width * width; break;
    case 3: shmem_long_atomic_add(&sum, 1, pe); break;
    case 4: shmem_fence(), fences++; break;
    case 5:
      go_behind(at / 64 * 64, 24);
      memset(want + at / 64 * 64, i & 255, 24);
      shmem_putmem(target + at / 64 * 64, want + at / 64 * 64, 24, pe);
      break;
    }
    put_word(at, width, pe);
    at = at + width < BYTES ? at + width : 0;
  }
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes;
  for (int round = 0; round < ROUNDS; round++) {
    fences++;
    seed = (unsigned)(me * ROUNDS + round);
    put_all(next);
    shmem_barrier_all();
    unsigned char got[BYTES];
    shmem_getmem(got, target, BYTES, next);
    for (int i = 0; i < BYTES; i++) CHECK_EQ(got[i], want[i]);
    shmem_barrier_all();
  }
  shmem_finalize();
  return 0;
}
