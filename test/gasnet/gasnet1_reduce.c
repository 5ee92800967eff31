/* GASNet-1's reduce and scan: vectors of each process, arrays dealt out in blocks, functions that
 * commute and that do not, lists of all addresses (SINGLE), and processes instead of images. */
#define GASNET_SEQ
#include <gasnet.h>
#include <gasnet_coll.h>

#include "team.h"

enum { MOST = 5000, ADD = 0, COMPOSE = 1 };
typedef struct map {
  uint32_t a, b;
} map_t;

static void add(void *results, size_t result_count, const void *left, size_t left_count,
                const void *right, size_t elem_size, int flags, int arg) {
  uint64_t sum = 0;
  CHECK(elem_size == 8 && !(flags & GASNET_COLL_NONCOMM) && arg == 77);
  for (size_t i = 0; i < left_count; i++) sum += ((const uint64_t *)left)[i];
  for (size_t i = 0; i < result_count; i++)
    ((uint64_t *)results)[i] = sum += ((const uint64_t *)right)[i];
}

static map_t times(map_t l, map_t r) {
  return (map_t){l.a * r.a, l.a * r.b + l.b};
}

static void compose(void *results, size_t result_count, const void *left, size_t left_count,
                    const void *right, size_t elem_size, int flags, int arg) {
  map_t product = {1, 0};
  CHECK(elem_size == sizeof(map_t) && flags & GASNET_COLL_NONCOMM && arg == 5);
  for (size_t i = 0; i < left_count; i++) product = times(product, ((const map_t *)left)[i]);
  for (size_t i = 0; i < result_count; i++)
    ((map_t *)results)[i] = product = times(product, ((const map_t *)right)[i]);
}

static uint64_t value(size_t element) {
  return element * element + 3;
}
static map_t map_of(size_t element) {
  return (map_t){(uint32_t)element * 2 + 3, (uint32_t)element * 7 + 1};
}
static uint64_t memory[2][MOST + 64];
static const int flags = GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_MYSYNC | GASNET_COLL_LOCAL;

/* Vectors, one of each. */
static void vectors(gex_Rank_t root, size_t count) {
  for (size_t i = 0; i < count; i++) memory[0][i] = value(me * MOST + i);
  gasnet_coll_reduce(GASNET_TEAM_ALL, root, memory[1], memory[0], 0, 0, 8, count, ADD, 77, flags);
  for (size_t i = 0; me == root && i < count; i++) {
    uint64_t want = 0;
    for (gex_Rank_t r = 0; r < size; r++) want += value(r * MOST + i);
    CHECK_EQ(memory[1][i], want);
  }
  for (size_t i = 0; i < count; i++) ((map_t *)memory[0])[i] = map_of(me * MOST + i);
  void *const list[] = {memory[0]};
  gasnet_coll_wait_sync(gasnet_coll_reduceM_nb(GASNET_TEAM_ALL, root, memory[1], list, 0, 0, 8,
                                               count, COMPOSE, 5, flags));
  for (size_t i = 0; me == root && i < count; i++) {
    map_t want = {1, 0};
    for (gex_Rank_t r = 0; r < size; r++) want = times(want, map_of(r * MOST + i));
    CHECK(((map_t *)memory[1])[i].a == want.a && ((map_t *)memory[1])[i].b == want.b);
  }
}

/* Where element e of a dealt array is: on whom, and where in its memory. */
static gex_Rank_t owner(size_t e, size_t block, size_t offset, size_t *at) {
  if (block == 0) {
    *at = e;
    return (gex_Rank_t)offset;
  }
  const size_t position = e + offset;
  *at = position / block / size * block + position % block;
  return position / block % size;
}

static void deal(size_t count, size_t block, size_t offset) {
  size_t at;
  for (size_t e = 0; e < count; e++)
    if (owner(e, block, offset, &at) == me) memory[0][at] = value(e);
}

static void arrays(size_t count, size_t block, size_t offset, size_t to_block, size_t to_offset) {
  uint64_t sum = 0, result = 0;
  size_t at;
  for (size_t e = 0; e < count; e++) sum += value(e);
  if (block) { /* 0 is for vectors */
    deal(count, block, offset);
    gasnet_coll_reduce(GASNET_TEAM_ALL, size - 1, &result, memory[0], block, offset, 8, count, ADD,
                       77, flags);
    if (me == size - 1) CHECK_EQ(result, sum);
  }
  for (int inclusive = 0; inclusive < 2; inclusive++) {
    deal(count, block, offset);
    memset(memory[1], 0, sizeof memory[1]);
    void *const to[] = {memory[1]}, *const from[] = {memory[0]};
    const int all_flags =
        flags | (inclusive ? GASNET_COLL_INCLUSIVE_SCAN : GASNET_COLL_EXCLUSIVE_SCAN);
    if (inclusive)
      gasnet_coll_scan(GASNET_TEAM_ALL, memory[1], to_block, to_offset, memory[0], block, offset, 8,
                       count, ADD, 77, all_flags);
    else
      gasnet_coll_wait_sync(gasnet_coll_scanM_nb(GASNET_TEAM_ALL, to, to_block, to_offset, from,
                                                 block, offset, 8, count, ADD, 77, all_flags));
    sum = 0;
    for (size_t e = 0; e < count; e++) {
      if (inclusive) sum += value(e);
      if (owner(e, to_block, to_offset, &at) == me && (inclusive || e > 0))
        CHECK_EQ(memory[1][at], sum);
      if (!inclusive) sum += value(e);
    }
  }
}

/* Everybody gives everybody's addresses; those of others are not looked at. */
static void single(void) {
  static uint32_t given, got[64];
  void *given_list[64], *got_list[64];
  for (gex_Rank_t r = 0; r < size; r++) given_list[r] = &given, got_list[r] = got;
  given = me * 3 + 1;
  gasnet_coll_gather_allM(GASNET_TEAM_ALL, got_list, given_list, 4,
                          GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_ALLSYNC | GASNET_COLL_SINGLE |
                              GASNET_COLL_NO_IMAGES);
  for (gex_Rank_t r = 0; r < size; r++) CHECK_EQ(got[r], r * 3 + 1);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  gasnet_coll_fn_entry_t functions[] = {{add, 0}, {compose, GASNET_COLL_NONCOMM}};
  gasnet_coll_init(NULL, 0, functions, 2, 0);
  vectors(0, 1);
  vectors(size - 1, MOST);
  arrays(1, 1, 0, 1, 0);
  arrays(100, 1, 0, 7, 3);
  arrays(100, 6, 11, 0, size - 1);
  arrays(MOST, 0, size / 2, 300, 5);
  arrays(MOST, MOST, 1, 1, 0);
  single();
  gasnet_exit(0);
}
