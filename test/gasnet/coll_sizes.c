/* Broadcast and reductions of every size, from and to memory of every kind, also in place, and also
 * where it is not aligned; teams of every size and every root. */
#define GASNET_SEQ
#include <gasnetex.h>
#include <gasnet_coll.h>

#include "team.h"

enum { MOST = 150000 };
static char still[2][MOST + 64];
static char *heap[2];

/* Memory of the i-th kind: static, of malloc, on the stack. */
#define KINDS 3
static char *memory(unsigned kind, int which, char *stack) {
  return kind == 0 ? still[which] : kind == 1 ? heap[which] : stack;
}

static void broadcast(gex_TM_t tm, size_t n, gex_Rank_t root, unsigned kind, int in_place) {
  char stack[2][MOST + 64];
  char *src = memory(kind, 0, stack[0]) + kind, *dst = memory((kind + 1) % KINDS, 1, stack[1]) + 3;
  const bool here = gex_TM_QueryRank(tm) == root;
  if (in_place) dst = src;
  memset(dst, 0, n + 1);
  for (size_t i = 0; here && i < n; i++) src[i] = (char)byte_of(root, i, kind);
  gex_Event_Wait(gex_Coll_BroadcastNB(tm, root, dst, here ? src : NULL, n, 0));
  for (size_t i = 0; i < n; i++) CHECK_EQ((unsigned char)dst[i], byte_of(root, i, kind));
  if (!here) CHECK_EQ(dst[n], 0);
}

static void reduce(gex_TM_t tm, size_t count, gex_Rank_t root, unsigned kind, int in_place,
                   bool to_all) {
  char stack[2][MOST + 64];
  uint32_t *src = (void *)(memory(kind, 0, stack[0]) + 4);
  uint32_t *dst = in_place ? src : (void *)(memory((kind + 2) % KINDS, 1, stack[1]) + 8);
  const uint32_t n = gex_TM_QuerySize(tm), rank = gex_TM_QueryRank(tm);
  if (!in_place) memset(dst, 0xee, count * 4);
  for (uint32_t i = 0; i < count; i++) src[i] = rank * 3 + i * 5 + kind;
  gex_Event_Wait(
      to_all ? gex_Coll_ReduceToAllNB(tm, dst, src, GEX_DT_U32, 4, count, GEX_OP_ADD, NULL, NULL, 0)
             : gex_Coll_ReduceToOneNB(tm, root, rank == root ? dst : NULL, src, GEX_DT_U32, 4,
                                      count, GEX_OP_ADD, NULL, NULL, 0));
  for (uint32_t i = 0; (to_all || rank == root) && i < count; i++)
    CHECK_EQ(dst[i], n * (n - 1) / 2 * 3 + n * (i * 5 + kind));
  for (uint32_t i = 0; !in_place && i < count; i++) CHECK_EQ(src[i], rank * 3 + i * 5 + kind);
}

static void sizes(gex_TM_t tm) {
  static const size_t bytes[] = {1,    4,    48,    200,   240,   244,   1000,
                                 4096, 4100, 16380, 16384, 16388, 70000, 148000};
  const gex_Rank_t n = gex_TM_QuerySize(tm);
  for (unsigned i = 0; i < sizeof bytes / sizeof *bytes; i++)
    for (unsigned kind = 0; kind < KINDS; kind++) {
      const gex_Rank_t root = (i + kind) % n;
      broadcast(tm, bytes[i], root, kind, i % 2);
      broadcast(tm, bytes[i], (root + 1) % n, kind, !(i % 2));
      if (bytes[i] < 4) continue;
      reduce(tm, bytes[i] / 4, root, kind, i % 2, false);
      reduce(tm, bytes[i] / 4, root, kind, !(i % 2), true);
      reduce(tm, bytes[i] / 4, (root + 1) % n, kind, !(i % 2), false);
      reduce(tm, bytes[i] / 4, root, kind, i % 2, true);
    }
  gex_Event_Wait(gex_Coll_BroadcastNB(tm, 0, NULL, NULL, 0, 0)); /* nothing */
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  for (int i = 0; i < 2; i++) heap[i] = malloc(MOST + 64);
  sizes(all);
  for (gex_Rank_t n = 1; n < size; n++) { /* the first n, and the others */
    gex_TM_t tm = split(all, me < n, -(int)me);
    sizes(tm);
    gex_TM_Destroy(tm, NULL, 0);
  }
  free(heap[0]);
  free(heap[1]);
  gasnet_exit(0);
}
