/* Types and operations of the program: elements smaller and larger than a turn, counts, the
 * client's data, and the order where an operation does not commute. */
#define GASNET_SEQ
#include <gasnetex.h>
#include <gasnet_coll.h>

#include "team.h"

/* Composition of x -> a x + b modulo 2^32: associative, and not commutative. */
typedef struct map {
  uint32_t a, b;
} map_t;
static int calls, marker;

static void compose(const void *left, void *right, size_t count, const void *cdata) {
  const map_t *l = left;
  map_t *r = right;
  CHECK(cdata == &marker && count > 0);
  calls++;
  for (size_t i = 0; i < count; i++) r[i] = (map_t){l[i].a * r[i].a, l[i].a * r[i].b + l[i].b};
}

static map_t map_of(gex_Rank_t rank, size_t i) {
  return (map_t){(uint32_t)(rank * 2 + i * 4 + 3), (uint32_t)(rank * 17 + i)};
}

static void ordered(gex_TM_t tm, size_t count, gex_Rank_t root) {
  const gex_Rank_t n = gex_TM_QuerySize(tm), rank = gex_TM_QueryRank(tm);
  map_t *in = malloc(count * sizeof *in), *out = malloc(count * sizeof *out);
  for (int to_all = 0; to_all < 2; to_all++) {
    for (size_t i = 0; i < count; i++) in[i] = map_of(rank, i), out[i] = (map_t){0, 0};
    gex_Event_Wait(to_all ? gex_Coll_ReduceToAllNB(tm, out, in, GEX_DT_USER, sizeof *in, count,
                                                   GEX_OP_USER_NC, compose, &marker, 0)
                          : gex_Coll_ReduceToOneNB(tm, root, out, in, GEX_DT_USER, sizeof *in,
                                                   count, GEX_OP_USER_NC, compose, &marker, 0));
    for (size_t i = 0; i < count && (to_all || rank == root); i++) {
      map_t want = map_of(n - 1, i);
      for (gex_Rank_t r = n - 1; r-- > 0;) {
        const map_t l = map_of(r, i);
        want = (map_t){l.a * want.a, l.a * want.b + l.b};
      }
      CHECK(out[i].a == want.a && out[i].b == want.b);
    }
  }
  free(in);
  free(out);
}

/* Elements of any size: bytes are added; the size comes with cdata. */
static void add_bytes(const void *left, void *right, size_t count, const void *cdata) {
  const size_t n = count * *(const size_t *)cdata;
  for (size_t i = 0; i < n; i++)
    ((unsigned char *)right)[i] =
        (unsigned char)(((unsigned char *)right)[i] + ((const unsigned char *)left)[i]);
}

static void wide(gex_TM_t tm, size_t width, size_t count, bool in_place) {
  const gex_Rank_t n = gex_TM_QuerySize(tm), root = n / 2, rank = gex_TM_QueryRank(tm);
  unsigned char *in = malloc(width * count), *out = in_place ? in : malloc(width * count);
  for (int to_all = 0; to_all < 2; to_all++) {
    for (size_t i = 0; i < width * count; i++) in[i] = byte_of(rank, i, 1);
    gex_Event_Wait(to_all ? gex_Coll_ReduceToAllNB(tm, out, in, GEX_DT_USER, width, count,
                                                   GEX_OP_USER, add_bytes, &width, 0)
                          : gex_Coll_ReduceToOneNB(tm, root, out, in, GEX_DT_USER, width, count,
                                                   GEX_OP_USER, add_bytes, &width, 0));
    for (size_t i = 0; i < width * count && (to_all || rank == root); i++) {
      unsigned char want = 0;
      for (gex_Rank_t r = 0; r < n; r++) want = (unsigned char)(want + byte_of(r, i, 1));
      CHECK_EQ(out[i], want);
    }
  }
  if (!in_place) free(out);
  free(in);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  /* neighbours in the team are neighbours in the job, or not; one way, or the other */
  gex_TM_t teams[] = {all, split(all, 0, -(int)me), split(all, 0, (int)(me * 5 % (size + 1)))};
  for (int t = 0; t < 3; t++) {
    for (size_t count = 1; count < 20000; count = count * 7 + 1)
      ordered(teams[t], count, (gex_Rank_t)count % size);
    static const size_t widths[] = {1, 3, 100, 239, 241, 5000, 16384, 16385, 40000};
    for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++)
      wide(teams[t], widths[i], i % 3 + 1, i % 2);
  }
  int called = 0; /* a member that is alone on its node need not combine anything */
  gex_Event_Wait(gex_Coll_ReduceToAllNB(all, &called, &calls, GEX_DT_I32, sizeof calls, 1,
                                        GEX_OP_ADD, NULL, NULL, 0));
  CHECK(size == 1 || called > 0);
  gasnet_exit(0);
}
