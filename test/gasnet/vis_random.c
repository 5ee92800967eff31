/*
 * Random non-contiguous puts and gets of all kinds and forms, a few under way at a time, to oneself
 * and every other PE, against a byte-by-byte reference: what should have been written was, and
 * nothing else. Sources are scribbled over as soon as they may be.
 */
#include "gasnet/vis.h"

enum { ROUNDS = 12, WINDOW = 3 };

static struct under_way {
  enum vis_kind kind;
  vis_size_t size;
  vis_side_t dst, src;
  gex_Event_t event;
  char model[VIS_REGION]; /* of the destination */
  char local[VIS_REGION];
} ops[WINDOW];

static void fill(char *region) {
  for (size_t i = 0; i < VIS_REGION; i++) region[i] = (char)world_random(&vis_seed);
}

/* My own part of a PE's memory, for the window's k-th operation. */
static char *region(gex_Rank_t of, size_t k) {
  return world_of(of) + ((size_t)world.me * WINDOW + k) * VIS_REGION;
}

static void get_all(char *to, gex_Rank_t from, char *at) {
  CHECK(!gex_VIS_StridedGetBlocking(world.tm, to, NULL, from, at, NULL, VIS_REGION, NULL, 0, 0));
}

static void scribble(struct under_way *op) {
  memset(op->local, 0x55, VIS_REGION);
}

static void put(struct under_way *op, gex_Rank_t to, size_t k) {
  const vis_size_t *s = &op->size;
  const gex_Flags_t leaf = vis_random(2) ? GEX_FLAG_ENABLE_LEAF_LC : 0;
  fill(op->local);
  get_all(op->model, to, region(to, k));
  vis_lay(op->kind, &op->dst, region(to, k), s);
  vis_lay(op->kind, &op->src, op->local, s);
  vis_model(op->model, &op->dst, op->local, &op->src, s->bytes);
  switch (vis_random(3)) {
  case 0:
    op->event = VIS_PUT(NB, op->kind, to, &op->dst, &op->src, s, leaf);
    if (!leaf) return;
    gex_Event_Wait(gex_Event_QueryLeaf(op->event, GEX_EC_LC));
    break;
  case 1:
    CHECK(!VIS_PUT(NBI, op->kind, to, &op->dst, &op->src, s, leaf));
    gex_NBI_Wait(leaf ? GEX_EC_LC : GEX_EC_PUT, 0);
    break;
  default: CHECK(!VIS_PUT(Blocking, op->kind, to, &op->dst, &op->src, s, 0));
  }
  scribble(op);
}

static void get(struct under_way *op, gex_Rank_t from, size_t k) {
  const vis_size_t *s = &op->size;
  static char there[VIS_REGION];
  fill(op->local);
  memcpy(op->model, op->local, VIS_REGION);
  get_all(there, from, region(from, k));
  vis_lay(op->kind, &op->dst, op->local, s);
  vis_lay(op->kind, &op->src, region(from, k), s);
  vis_model(op->model, &op->dst, there, &op->src, s->bytes);
  switch (vis_random(3)) {
  case 0: op->event = VIS_GET(NB, op->kind, from, &op->dst, &op->src, s, 0); break;
  case 1: CHECK(!VIS_GET(NBI, op->kind, from, &op->dst, &op->src, s, 0)); break;
  default: CHECK(!VIS_GET(Blocking, op->kind, from, &op->dst, &op->src, s, 0));
  }
}

static void run_round(gex_Rank_t with, int is_put) {
  static char there[VIS_REGION];
  for (size_t k = 0; k < WINDOW; k++) {
    struct under_way *op = &ops[k];
    op->kind = (enum vis_kind)vis_random(VIS_KINDS);
    op->size = vis_size();
    op->event = GEX_EVENT_INVALID;
    (is_put ? put : get)(op, with, k);
  }
  for (size_t k = 0; k < WINDOW; k++) gex_Event_Wait(ops[k].event);
  gex_NBI_Wait(GEX_EC_ALL, 0);
  for (size_t k = 0; k < WINDOW; k++) {
    if (is_put) get_all(there, with, region(with, k));
    CHECK(memcmp(is_put ? there : ops[k].local, ops[k].model, VIS_REGION) == 0);
  }
}

int main(void) {
  world_open();
  CHECK((size_t)world.n * WINDOW * VIS_REGION <= WORLD_BYTES);
  for (gex_Rank_t i = 0; i < world.n; i++) {
    vis_seed = world.me * 100 + i;
    for (int r = 0; r < 2 * ROUNDS; r++) run_round((world.me + i) % world.n, r % 2);
  }
  world_close();
  return 0;
}
