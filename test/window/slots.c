/*
 * Slots are whole huge pages, and near ones do not lie a multiple of 256 MB apart, whatever the
 * heaps' sizes (window.c says why). test: unit
 */
#include "window/window.h"

#include "check.h"

int main(void) {
  const size_t mb = (size_t)1 << 20;
  for (size_t heap = 0; heap <= 512 * mb; heap += 2 * mb)
    for (size_t other = 64 * mb; other <= 256 * mb; other *= 2) {
      weft_layout_t l = {.statics = 65536, .static_size = 4096, .gap = mb, .runtime_size = mb};
      weft_layout_make(&l, heap, other, other);
      CHECK(weft_layout_end(&l) <= l.stride && l.stride % (2 * mb) == 0);
      for (size_t k = 1; k < 128; k++) CHECK(k * l.stride % (256 * mb) != 0);
    }
  return 0;
}
