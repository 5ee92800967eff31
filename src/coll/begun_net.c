/*
 * begun_net.c: what members on different nodes send one another: puts into boxes, each with a count
 * beside it; of large operations also puts into memory that a member has lent, counted in a box.
 * They are sent only where the team's horizon (begun_internal.h) says that the box is free, so
 * nothing arrives unexpected. Only an element that is larger than a box goes in active messages.
 */
#include "coll/begun_internal.h"

#include "am/am.h"

enum { HANDLER = 8 }; /* of active messages */

/* ---- where boxes are ------------------------------------------------------------------------- */

/* A round of a tree over all members each, one for others' folding, and one for what goes on to the
 * root. */
int weft_boxes_for(int size) {
  int boxes = 2;
  while ((int)1 << (boxes - 2) < size) boxes++;
  return boxes;
}

static size_t words_bytes(int boxes) {
  return weft_round_up((size_t)(WEFT_TURN_WINDOW * boxes) * 8, WEFT_CACHELINE);
}

size_t weft_boxes_words_bytes(int size) {
  return weft_job.nnodes > 1 ? words_bytes(weft_boxes_for(size)) : 0;
}

size_t weft_boxes_area_bytes(int size) {
  const int boxes = weft_job.nnodes > 1 ? weft_boxes_for(size) : 0;
  return sizeof(weft_turn_area_t) + words_bytes(boxes) +
         (size_t)(WEFT_TURN_WINDOW * boxes) * WEFT_TURN_PART;
}

void weft_boxes_make(weft_team_t *team) {
  team->boxes = weft_boxes_for(team->set.size);
  team->box = calloc((size_t)(WEFT_TURN_WINDOW * team->boxes), sizeof *team->box);
  if (!team->box) weft_fatal("no memory for a team of %d PEs", team->set.size);
  team->counted = (uint64_t *)(void *)(team->turns + 1);
  team->landing = (char *)(team->turns + 1) + words_bytes(team->boxes);
}

char *weft_box_take(const weft_team_t *team, const weft_turn_t *turn, int box, size_t n) {
  const size_t i = weft_box_of(team, turn->seq, box);
  const weft_box_t *b = &team->box[i];
  if (weft_unlikely(n > WEFT_TURN_PART)) return weft_observe(&b->got) == n ? b->data : NULL;
  if (weft_observe(&team->counted[i]) == b->heard) return NULL;
  weft_seen_got(&weft_job); /* the port counts there by another address of this slot */
  return team->landing + i * WEFT_TURN_PART;
}

/* All that was to come in this turn has come. */
void weft_boxes_clear(weft_team_t *team, const weft_turn_t *turn) {
  const size_t from = weft_box_of(team, turn->seq, 0);
  for (size_t i = from; i < from + (size_t)team->boxes; i++) {
    team->box[i].heard = weft_observe(&team->counted[i]);
    weft_poke(&team->box[i].got, 0);
  }
}

/* ---- something large ------------------------------------------------------------------------- */

enum { ARGS = 7 };

static WEFT_COLD void refuse(const weft_token_t *token) {
  weft_fatal("pe %u sent a damaged part of a collective's data", token->from);
}

/* The lock keeps the team where it is, and serialises the parts of a message. */
static void on_data(weft_token_t *token, void *data, size_t n, int32_t id, int32_t maker,
                    int32_t rank, int32_t seq, int32_t box, int32_t at, int32_t total) {
  const uint32_t from = (uint32_t)at, all = (uint32_t)total;
  if (token->nargs != ARGS || n == 0 || from > all || n > all - from) refuse(token);
  weft_teams_lock();
  weft_team_t *team = weft_team_find((uint32_t)id, (int)maker, (int)rank);
  if (!team && weft_job_changes()) { /* it was broken */
    weft_teams_unlock();
    return;
  }
  if (!team) weft_fatal("a collective's data came for a team that is gone");
  if (box < 0 || box >= team->boxes) refuse(token);
  weft_box_t *b = &team->box[weft_box_of(team, (uint32_t)seq, box)];
  /* Nothing comes for an element that is whole: who receives it may read it already. */
  const uint64_t got = weft_peek(&b->got);
  if (got && (b->total != all || got > all - n)) refuse(token);
  b->total = all;
  if (b->room < all) {
    free(b->data);
    b->room = all;
    b->data = aligned_alloc(64, weft_round_up(b->room, 64));
    if (!b->data) weft_fatal("no memory for an element of %zu bytes", b->room);
  }
  memcpy(b->data + from, data, n);
  __atomic_fetch_add(&b->got, n, __ATOMIC_RELEASE);
  weft_teams_unlock();
}

void weft_boxes_start(void) {
  weft_am_register(HANDLER, (weft_am_handler_t)on_data);
}

/* In messages, as far as there is room for them now. */
static WEFT_COLD bool pass_large(weft_team_t *team, weft_turn_t *turn, int to, int box,
                                 const char *data, size_t n) {
  const int pe = weft_team_pe(team, to);
  const size_t most = weft_am_max_medium(pe);
  while (turn->sent < n) {
    const size_t part = n - turn->sent < most ? n - turn->sent : most;
    const int32_t args[ARGS] = {(int32_t)team->id,
                                (int32_t)team->maker,
                                (int32_t)to,
                                (int32_t)turn->seq,
                                box,
                                (int32_t)turn->sent,
                                (int32_t)n};
    if (weft_am_request(pe, WEFT_AM_MEDIUM, HANDLER, data + turn->sent, part, 0, WEFT_AM_IMMEDIATE,
                        NULL, ARGS, args))
      return false;
    turn->sent += part;
  }
  turn->sent = 0;
  return true;
}

/* ---- sending --------------------------------------------------------------------------------- */

/* Those who get these send nothing back, so a member may send many in a row: they gather, but what
 * is large and alone. */
static bool gathers(const weft_turn_t *turn, int box, size_t n) {
  enum { SMALL = 8192 };
  return ((turn->kind == WEFT_TURN_BROADCAST && box == 0) || turn->kind == WEFT_TURN_REDUCE ||
          turn->kind == WEFT_TURN_SEND) &&
         (n <= SMALL || turn->begun->bytes > n);
}

/* Slot offset of the words of a member's boxes; behind them the boxes. */
static uintptr_t words_at(const weft_team_t *team, int member) {
  return (team->place ? team->place[member] : team->turns_at) + sizeof *team->turns;
}

bool weft_box_send(weft_team_t *team, weft_turn_t *turn, int to, int box, const void *data,
                   size_t n) {
  if (weft_unlikely(n > WEFT_TURN_PART)) return pass_large(team, turn, to, box, data, n);
  if (weft_unlikely(n == 0)) return true;
  const size_t i = weft_box_of(team, turn->seq, box);
  const uintptr_t words = words_at(team, to);
  const uintptr_t place = words + words_bytes(team->boxes) + i * WEFT_TURN_PART;
  const uintptr_t word = words + i * 8;
  const int pe = weft_team_pe(team, to);
  if (!gathers(turn, box, n) || !weft_rma_put_count_gather(pe, place, data, n, word))
    weft_rma_put_count(pe, place, data, n, word);
  return true;
}

void weft_box_tell(weft_team_t *team, weft_turn_t *turn, int to, int box, const weft_lent_t *lent,
                   const void *data, size_t n, weft_op_t *sent) {
  const uintptr_t word = words_at(team, to) + weft_box_of(team, turn->seq, box) * 8;
  weft_rma_put_lent_begin(weft_team_pe(team, to), lent, data, n, word, sent);
}
