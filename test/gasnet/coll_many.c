/* Many operations under way on teams that overlap; each PE looks at them in an order of its own.
 * Nobody waits in between, so that more are begun than any window holds. */
#define GASNET_SEQ
#include <gasnetex.h>
#include <gasnet_coll.h>

#include "team.h"

enum { OPS = 60, ROUNDS = 8, MOST = 40000, TEAMS = 5 };

typedef struct op {
  gex_Event_t event;
  gex_TM_t tm;
  int kind;
  gex_Rank_t root;
  uint32_t count, seed;
  uint32_t *src, *dst;
} op_t;

static gex_TM_t teams[TEAMS];
static uint32_t memory[2][OPS][MOST / 4];

static uint32_t value(uint32_t seed, gex_Rank_t rank, uint32_t i) {
  return seed * 7 + rank * 101 + i;
}

static void begin(op_t *op) {
  const gex_Rank_t rank = gex_TM_QueryRank(op->tm);
  for (uint32_t i = 0; i < op->count; i++) op->src[i] = value(op->seed, rank, i), op->dst[i] = 0;
  switch (op->kind) {
  case 0: op->event = gex_Coll_BarrierNB(op->tm, 0); break;
  case 1:
    op->event = gex_Coll_BroadcastNB(op->tm, op->root, op->dst, op->src, op->count * 4, 0);
    break;
  case 2:
    op->event = gex_Coll_ReduceToOneNB(op->tm, op->root, op->dst, op->src, GEX_DT_U32, 4, op->count,
                                       GEX_OP_ADD, NULL, NULL, 0);
    break;
  default:
    op->event = gex_Coll_ReduceToAllNB(op->tm, op->dst, op->src, GEX_DT_U32, 4, op->count,
                                       GEX_OP_MAX, NULL, NULL, 0);
  }
}

static void check(const op_t *op) {
  const uint32_t n = gex_TM_QuerySize(op->tm);
  for (uint32_t i = 0; i < op->count; i++) {
    if (op->kind == 1) CHECK_EQ(op->dst[i], value(op->seed, op->root, i));
    if (op->kind == 2 && gex_TM_QueryRank(op->tm) == op->root)
      CHECK_EQ(op->dst[i], n * value(op->seed, 0, i) + n * (n - 1) / 2 * 101);
    if (op->kind == 3) CHECK_EQ(op->dst[i], value(op->seed, n - 1, i));
  }
}

static void round_of(unsigned round) {
  static op_t op[OPS];
  unsigned state = round * 977 + 1, order = round * 31 + me;
  int left = 0;
  for (int k = 0; k < OPS; k++) { /* all PEs draw the same, whether they are members or not */
    const gex_TM_t tm = teams[draw(&state) % TEAMS];
    const uint32_t kind = draw(&state) % 4, root = draw(&state), size_class = draw(&state) % 12;
    op[k] = (op_t){.event = GEX_EVENT_INVALID, .tm = tm, .kind = (int)kind};
    op[k].seed = draw(&state) % 100000;
    op[k].count = size_class ? 1 + draw(&state) % (size_class < 8 ? 80 : 2000) : MOST / 4;
    op[k].src = memory[0][k];
    op[k].dst = memory[1][k];
    op[k].root = root % gex_TM_QuerySize(tm);
    begin(&op[k]);
    left++;
    if (draw(&order) % 5 == 0) gasnet_AMPoll();
  }
  static bool done[OPS];
  memset(done, 0, sizeof done);
  while (left > 0) {
    const int k = (int)(draw(&order) % OPS);
    if (done[k]) continue;
    if (gex_Event_Test(op[k].event) != GASNET_OK) {
      gasnet_AMPoll();
      continue;
    }
    check(&op[k]);
    done[k] = true;
    left--;
  }
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  teams[0] = all;
  teams[1] = split(all, 0, -(int)me);
  teams[2] = split(all, me * 2 < size, 0);
  teams[3] = split(all, (int)me % 2, (int)(me * 3 % 7));
  teams[4] = split(teams[3], 0, 0);
  for (unsigned round = 0; round < ROUNDS; round++) round_of(round);
  /* and of one kind each, far more than the window */
  static gex_Event_t events[400];
  static uint32_t got[400], given[400];
  for (uint32_t i = 0; i < 400; i++) {
    given[i] = i;
    events[i] = gex_Coll_BroadcastNB(all, 0, &got[i], &given[i], 4, 0);
  }
  gex_Event_WaitAll(events, 400, 0);
  for (uint32_t i = 0; i < 400; i++) CHECK_EQ(got[i], i);
  for (uint32_t i = 0; i < 400; i++) events[i] = gex_Coll_BarrierNB(teams[i % TEAMS], 0);
  for (uint32_t i = 400; i-- > 0;) gex_Event_Wait(events[i]);
  gex_Coll_BarrierBlocking(all, 0);
  for (int i = 1; i < TEAMS; i++)
    gex_TM_Destroy(teams[i], NULL, i % 2 ? GEX_FLAG_GLOBALLY_QUIESCED : 0);
  gasnet_exit(0);
}
