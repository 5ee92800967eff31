/*
 * random.c: seeds for random_init (Fortran 2018, 16.9.155). Knows no generator: it fills words.
 */
#include <sys/random.h>

#include "base/base.h"
#include "caf/internal.h"

/* splitmix64 (Steele, Lea and Flood, 2014). */
static uint64_t mix(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

void weft_caf_seed(uint32_t *seed, size_t n, bool repeatable, bool image_distinct) {
  enum { SAME_EACH_RUN = 0x57656674 };
  static uint64_t common; /* calls with both .false., which are not collective */
  uint64_t state = SAME_EACH_RUN;
  if (!repeatable && !image_distinct)
    state = weft_job_word(++common);
  else if (!repeatable && getrandom(&state, sizeof state, 0) != sizeof state)
    state = weft_clock_ns();
  if (image_distinct) {
    state += (uint64_t)weft_job_pe() << 32;
    (void)mix(&state);
  }
  for (size_t i = 0; i < n; i++) seed[i] = (uint32_t)mix(&state);
}
