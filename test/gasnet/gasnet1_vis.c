/*
 * The eighteen non-contiguous transfers of GASNet-1's prototype: a pattern goes out by each kind
 * and form and comes back by the same.
 */
#include "gasnet/world.h"

#include <gasnet.h>

enum { SIDE = 16, BYTES = SIDE * SIDE };

static char out[BYTES], back[BYTES];

/* Rows of four bytes in every other row of the target's square, and as vectors of other sizes. */
static gasnet_memvec_t far_vec[SIDE], near_out[SIDE * 2], near_back[SIDE * 2];
static void *far_list[SIDE], *list_out[SIDE / 2], *list_back[SIDE / 2];
static const size_t far_strides[] = {SIDE}, near_strides[] = {8}, counts[] = {4, SIDE};

static void lay(char *at) {
  for (int i = 0; i < SIDE; i++) {
    far_vec[i] = (gasnet_memvec_t){far_list[i] = at + i * SIDE, 4};
    for (int h = 0; h < 2; h++) {
      near_out[2 * i + h] = (gasnet_memvec_t){out + 8 * i + 2 * h, 2};
      near_back[2 * i + h] = (gasnet_memvec_t){back + 8 * i + 2 * h, 2};
    }
  }
  for (int i = 0; i < SIDE / 2; i++) {
    list_out[i] = out + 8 * i;
    list_back[i] = back + 8 * i;
  }
}

static void fresh(int salt) {
  memset(back, 0, sizeof back);
  for (int i = 0; i < BYTES; i++) out[i] = (char)(i * 7 + salt);
}

static void same(int width) {
  for (int i = 0; i < SIDE / (width / 4); i++) {
    CHECK(!memcmp(back + 8 * i, out + 8 * i, (size_t)width));
    CHECK(width == 8 || !memcmp(back + 8 * i + 4, "\0\0\0", 4));
  }
}

#define THREE(kind, width, PUT, GET)                                                               \
  fresh(1);                                                                                        \
  gasnet_put##kind##_bulk PUT;                                                                     \
  gasnet_get##kind##_bulk GET;                                                                     \
  same(width);                                                                                     \
  fresh(2);                                                                                        \
  gex_Event_Wait(gasnet_put##kind##_nb_bulk PUT);                                                  \
  gex_Event_Wait(gasnet_get##kind##_nb_bulk GET);                                                  \
  same(width);                                                                                     \
  fresh(3);                                                                                        \
  gasnet_put##kind##_nbi_bulk PUT;                                                                 \
  gex_NBI_Wait(GEX_EC_PUT, 0);                                                                     \
  gasnet_get##kind##_nbi_bulk GET;                                                                 \
  gex_NBI_Wait(GEX_EC_GET, 0);                                                                     \
  same(width);

int main(void) {
  world_open();
  for (gex_Rank_t i = 0; i < world.n; i++) {
    const gex_Rank_t to = (world.me + i) % world.n;
    char *at = world_of(to) + BYTES * world.me;
    lay(at);
    THREE(v, 4, (to, SIDE, far_vec, 2 * SIDE, near_out), (2 * SIDE, near_back, to, SIDE, far_vec))
    THREE(i, 8, (to, SIDE, far_list, 4, SIDE / 2, list_out, 8),
          (SIDE / 2, list_back, 8, to, SIDE, far_list, 4))
    THREE(s, 4, (to, at, far_strides, out, near_strides, counts, 1),
          (back, near_strides, to, at, far_strides, counts, 1))
  }
  world_close();
  return 0;
}
