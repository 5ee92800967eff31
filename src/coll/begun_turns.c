/*
 * begun_turns.c: the sequence of turns of a team (begun_internal.h): operations are cut, turns are
 * carried on by every wait, barriers are put in, ends are counted. Knows nothing of how a turn is
 * done.
 */
#include "coll/begun_internal.h"

/* ---- cutting --------------------------------------------------------------------------------- */

enum weft_cut weft_cut_barrier(weft_begun_t *begun, weft_turn_t *turn) {
  turn->kind = WEFT_TURN_BARRIER;
  turn->name = begun->name;
  return WEFT_CUT_LAST;
}

bool weft_cut_block(weft_begun_t *begun, weft_turn_t *turn, char *dst, const char *src, size_t n) {
  turn->n = n - begun->at < begun->most ? n - begun->at : begun->most;
  turn->dst = dst ? dst + begun->at : NULL;
  turn->src = src ? src + begun->at : NULL;
  begun->at += turn->n;
  if (begun->at < n) return false;
  begun->at = 0;
  return true;
}

enum weft_cut weft_cut_parts(weft_begun_t *begun, weft_turn_t *turn) {
  if (begun->at == begun->bytes || begun->which) return WEFT_CUT_END;
  turn->kind = begun->kind;
  turn->root = begun->root;
  begun->which = weft_cut_block(begun, turn, begun->dst, begun->src, begun->bytes);
  return begun->which ? WEFT_CUT_LAST : WEFT_CUT_TURN;
}

size_t weft_turn_bytes(size_t bytes, size_t width) {
  const size_t most = bytes >= 4 * WEFT_TURN_PART ? WEFT_TURN_PART : WEFT_TURN_PIECE;
  return width < most ? most / width * width : width;
}

static bool is_sync(const weft_turn_t *turn) {
  return turn->kind == WEFT_TURN_BARRIER || turn->kind == WEFT_TURN_REDUCE_ALL ||
         turn->kind == WEFT_TURN_REDUCE_LARGE;
}

/* The next turn of the window, to be filled. */
static weft_turn_t *blank(weft_team_t *team) {
  weft_turn_t *turn = &team->turn[team->next % WEFT_TURN_WINDOW];
  memset(turn, 0, sizeof *turn);
  turn->seq = team->next;
  return turn;
}

static void begin(weft_team_t *team, weft_turn_t *turn) {
  turn->live = true;
  team->next++;
  if (is_sync(turn)) team->synced = team->next;
}

static void complete(weft_begun_t *begun) {
  weft_team_t *team = begun->team;
  weft_op_t *op = begun->op;
  if (begun->end) begun->end(begun);
  if (begun->tell) *begun->tell = begun->name;
  begun->next = team->free;
  team->free = begun;
  if (op) weft_op_down(op);
}

/* Before anything of an operation, and alone: a barrier that carries the digest. */
static enum weft_cut cut_comparison(weft_begun_t *begun, weft_turn_t *turn) {
  if (begun->compared) return WEFT_CUT_WAIT;
  begun->compared = turn->compares = true;
  turn->kind = WEFT_TURN_BARRIER;
  turn->name = weft_name(begun->digest);
  return WEFT_CUT_TURN;
}

static void compare(weft_begun_t *begun, uint64_t name) {
  if (name == WEFT_NAME_MISMATCH)
    weft_fatal(
        "%s: members of the team call another collective, or with another root, size, type or "
        "operation",
        begun->who);
  begun->digest = 0;
}

void weft_begun_promise(weft_begun_t *begun, unsigned kind, uint64_t a, uint64_t b) {
  if (weft_likely(!weft_options.check)) return;
  const uint64_t values[] = {kind, (uint64_t)begun->root, begun->bytes, a, b};
  uint64_t hash = 0xcbf29ce484222325u;
  for (int i = 0; i < 5; i++) hash = (hash ^ values[i] ^ values[i] >> 32) * 0x100000001b3u;
  begun->digest = (uint32_t)(hash ^ hash >> 32) | 1; /* not 0 */
}

/* Cut as long as the window has room. */
static void fill(weft_team_t *team) {
  weft_turn_t *turn = NULL; /* blank if its seq is team->next */
  while (team->next < team->horizon + WEFT_TURN_WINDOW) {
    weft_begun_t *begun = team->head;
    const bool put_in = team->next - team->synced == WEFT_TURN_EVERY - 1;
    if (!begun && !put_in) return;
    if (!turn || turn->seq != team->next) turn = blank(team);
    if (put_in) {
      turn->kind = WEFT_TURN_BARRIER;
      begin(team, turn);
      continue;
    }
    const enum weft_cut cut = begun->digest ? cut_comparison(begun, turn) : begun->cut(begun, turn);
    if (cut == WEFT_CUT_WAIT) return;
    if (cut != WEFT_CUT_END) {
      turn->begun = begun;
      begun->turns++;
      begin(team, turn);
    }
    if (cut == WEFT_CUT_TURN) continue;
    team->head = begun->next;
    if (!team->head) team->tail = &team->head;
    begun->cut_all = true;
    if (begun->turns == 0) complete(begun);
  }
}

/* ---- carrying on ----------------------------------------------------------------------------- */

static bool step(weft_team_t *team, weft_turn_t *turn) {
  if (is_sync(turn) && turn->stage == 0 && team->done + WEFT_TURN_REACH <= turn->seq) return false;
  switch (turn->kind) {
  case WEFT_TURN_BARRIER: return weft_step_barrier(team, turn);
  case WEFT_TURN_BROADCAST: return weft_step_broadcast(team, turn);
  case WEFT_TURN_REDUCE: return weft_step_reduce(team, turn);
  case WEFT_TURN_REDUCE_ALL: return weft_step_reduce_all(team, turn);
  case WEFT_TURN_OFFER: return weft_step_offer(team, turn);
  case WEFT_TURN_REDUCE_LARGE: return weft_step_reduce_large(team, turn);
  case WEFT_TURN_SEND: return weft_step_send(team, turn);
  case WEFT_TURN_SHIFT: return weft_step_shift(team, turn);
  }
  return true;
}

static void end(weft_team_t *team, weft_turn_t *turn) {
  weft_begun_t *begun = turn->begun;
  turn->live = false;
  if (team->boxes) weft_boxes_clear(team, turn);
  weft_private_free(turn->shown);
  free(turn->heap);
  if (is_sync(turn) && turn->seq + 1 > team->horizon + WEFT_TURN_REACH)
    team->horizon = turn->seq + 1 - WEFT_TURN_REACH;
  if (!begun) return;
  if (turn->compares)
    compare(begun, turn->name);
  else if (turn->kind == WEFT_TURN_BARRIER)
    begun->name = turn->name;
  if (--begun->turns == 0 && begun->cut_all) complete(begun);
}

/* The team is broken. What members of this node were shown stays where it is. */
static WEFT_COLD int give_up(weft_team_t *team) {
  int ended = 0;
  for (uint64_t seq = team->done; seq < team->next; seq++) {
    weft_turn_t *turn = &team->turn[seq % WEFT_TURN_WINDOW];
    weft_begun_t *begun = turn->begun;
    if (!turn->live) continue;
    turn->live = false;
    free(turn->heap);
    ended++;
    if (begun && --begun->turns == 0 && begun->cut_all) complete(begun);
  }
  team->done = team->next;
  for (weft_begun_t *begun; (begun = team->head); ended++) {
    team->head = begun->next;
    complete(begun);
  }
  team->tail = &team->head;
  return ended;
}

/* How many turns came to their end. */
static int carry_on(weft_team_t *team) {
  int ended = 0;
  if (weft_unlikely(weft_team_look(team))) return give_up(team);
  for (bool again = true; again;) {
    again = false;
    fill(team);
    for (uint64_t seq = team->done; seq < team->next; seq++) {
      weft_turn_t *turn = &team->turn[seq % WEFT_TURN_WINDOW];
      if (!turn->live || !step(team, turn)) continue;
      end(team, turn);
      again = true;
      ended++;
    }
    while (team->done < team->next && !team->turn[team->done % WEFT_TURN_WINDOW].live) team->done++;
  }
  return ended;
}

static bool is_idle(const weft_team_t *team) {
  return !team->head && team->done == team->next;
}

/* With WEFT_CHECK=1: the oldest operation says that it waits for the others. The time in which this
 * PE did something else does not count; `moved`: nor does what was before. */
static WEFT_COLD void look_at_oldest(weft_team_t *team, bool moved) {
  enum { AWAY_NS = 1000000000 };
  weft_begun_t *begun = NULL;
  for (uint64_t seq = team->done; seq < team->next && !begun; seq++) {
    const weft_turn_t *turn = &team->turn[seq % WEFT_TURN_WINDOW];
    if (turn->live) begun = turn->begun;
  }
  if (!begun) begun = team->head;
  if (!begun || begun->since == UINT64_MAX) return;
  const uint64_t now = weft_clock_ns();
  if (moved || now - begun->looked > AWAY_NS) begun->since = now;
  begun->looked = now;
  if (weft_patience_over(begun->who, begun->since, weft_options.patience_s))
    begun->since = UINT64_MAX;
}

/* From every wait. */
static int advance(weft_pending_t *pending) {
  weft_team_t *team = (weft_team_t *)(void *)((char *)pending - offsetof(weft_team_t, pending));
  if (!weft_lock_try(&team->lock)) return 0;
  if (weft_unlikely(team->dead)) {
    weft_team_release(team);
    return WEFT_PENDING_END;
  }
  int done = carry_on(team);
  if (is_idle(team)) {
    team->polled = false;
    done = WEFT_PENDING_END;
  } else if (weft_unlikely(weft_options.check)) {
    look_at_oldest(team, done > 0);
  }
  weft_unlock(&team->lock);
  return done;
}

/* ---- operations ------------------------------------------------------------------------------ */

weft_begun_t *weft_begun_new(weft_team_t *team, weft_op_t *op) {
  weft_lock(&team->lock);
  weft_begun_t *begun = team->free;
  if (begun) team->free = begun->next;
  weft_unlock(&team->lock);
  if (!begun) begun = malloc(sizeof *begun);
  if (!begun) weft_fatal("no memory for a collective operation");
  memset(begun, 0, sizeof *begun);
  begun->team = team;
  begun->op = op;
  begun->who = weft_peek(&team->who);
  return begun;
}

void weft_begun_start(weft_begun_t *begun) {
  weft_team_t *team = begun->team;
  if (begun->op) weft_op_up(begun->op);
  weft_lock(&team->lock);
  *team->tail = begun;
  team->tail = &begun->next;
  carry_on(team);
  if (!team->polled && !is_idle(team)) {
    team->polled = true;
    team->pending.advance = advance;
    weft_pending_add(&team->pending);
  }
  weft_unlock(&team->lock);
}

bool weft_team_idle(weft_team_t *team) {
  weft_lock(&team->lock);
  const bool idle = is_idle(team);
  weft_unlock(&team->lock);
  return idle;
}
