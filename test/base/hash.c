/*
 * The keyed hash gives the values that its authors published (SipHash, appendix A, and the vectors
 * of their reference code), for every length of the last word. test: unit
 */
#include "base/base.h"
#include "check.h"

int main(void) {
  static const struct {
    size_t n;
    uint64_t hash;
  } known[] = {{0, 0x726fdb47dd0e0e31}, {1, 0x74f839c593dc67fd},  {7, 0xab0200f58b01d137},
               {8, 0x93f5f5799a932462}, {15, 0xa129ca6149be45e5}, {16, 0x3f2acc7f57c29bdb},
               {63, 0x958a324ceb064572}};
  weft_secret_t key;
  unsigned char data[64];
  for (unsigned i = 0; i < sizeof key.bytes; i++) key.bytes[i] = (unsigned char)i;
  for (unsigned i = 0; i < sizeof data; i++) data[i] = (unsigned char)i;
  for (size_t i = 0; i < WEFT_ARRAY_LEN(known); i++)
    CHECK_EQ(weft_hash_keyed(&key, data, known[i].n), known[i].hash);
  key.bytes[15] ^= 1;
  CHECK(weft_hash_keyed(&key, data, 15) != known[4].hash);

  weft_secret_t a, b;
  CHECK(weft_random_draw(&a, sizeof a) == 0 && weft_random_draw(&b, sizeof b) == 0);
  CHECK(memcmp(&a, &b, sizeof a) != 0);
  return 0;
}
