/*
 * begun_node.c: how members of a node show one another their data: beside the flag, in the own
 * slot's bulk, or where the program has it. Knows no operation.
 */
#include "coll/begun_internal.h"

bool weft_turn_all_up(weft_team_t *team, weft_turn_t *turn) {
  for (; turn->next < team->members.locals; turn->next++)
    if (turn->next != team->members.local &&
        !weft_is_shown(weft_up_of(team, turn->next, turn), turn))
      return false;
  turn->next = 0;
  return true;
}

bool weft_turn_all_acked(weft_team_t *team, weft_turn_t *turn) {
  if (!turn->acks) return true;
  for (; turn->next < team->members.locals; turn->next++)
    if (turn->next != team->members.local && !weft_turn_acked(team, turn->next, turn)) return false;
  turn->next = 0;
  return true;
}

static WEFT_COLD void make_bulk(weft_team_t *team) {
  const size_t n = (size_t)WEFT_TURN_WINDOW * WEFT_TURN_PART;
  if (team->scratch) {
    team->bulk = team->scratch + -(uintptr_t)team->scratch % WEFT_CACHELINE;
    return;
  }
  team->bulk = weft_private_alloc(WEFT_CACHELINE, n);
  team->bulk_mine = true;
  if (!team->bulk) weft_fatal("no memory for a team's collectives (%zu bytes)", n);
}

char *weft_turn_bulk(weft_team_t *team, const weft_turn_t *turn) {
  if (weft_unlikely(!team->bulk)) make_bulk(team);
  return team->bulk + turn->seq % WEFT_TURN_WINDOW * WEFT_TURN_PART;
}

char *weft_turn_sum(weft_team_t *team, weft_turn_t *turn, size_t n) {
  if (n > WEFT_TURN_PART) {
    turn->heap = malloc(n);
    if (!turn->heap) weft_fatal("no memory to reduce elements of %zu bytes", n);
    return turn->heap;
  }
  if (!team->sums)
    team->sums = aligned_alloc(64, (WEFT_TURN_WINDOW + WEFT_TURN_REACH) * (size_t)WEFT_TURN_PART);
  if (!team->sums) weft_fatal("no memory for a team's reductions");
  /* Of reductions to all fewer than WEFT_TURN_REACH are under way; so few places stay in the cache.
   */
  const uint64_t at = turn->kind == WEFT_TURN_REDUCE_ALL
                          ? WEFT_TURN_WINDOW + turn->seq % WEFT_TURN_REACH
                          : turn->seq % WEFT_TURN_WINDOW;
  return team->sums + at * WEFT_TURN_PART;
}

/* Something larger than a turn's place in the bulk: a single element. */
static WEFT_COLD char *make_room(weft_turn_t *turn, size_t n) {
  turn->shown = weft_private_alloc(WEFT_CACHELINE, n);
  if (!turn->shown) weft_fatal("no memory to reduce elements of %zu bytes", n);
  return turn->shown;
}

void weft_turn_show(weft_team_t *team, weft_turn_t *turn, weft_shown_t *post, const void *data,
                    size_t n, bool stays) {
  post->note = 0;
  if (n <= WEFT_TURN_SMALL) {
    if (n > 0) memcpy(post->data, data, n); /* of nothing `data` may be NULL */
  } else if (stays && n > WEFT_TURN_DIRECT && weft_window_contains(&weft_job.window, data, n)) {
    turn->acks = true;
    post->note = weft_job_offset(data) * 2 + 1;
  } else {
    char *place = n <= WEFT_TURN_PART ? weft_turn_bulk(team, turn) : make_room(turn, n);
    if (place != data) weft_direct_memcpy(place, data, n);
    turn->acks = n > WEFT_TURN_PART;
    post->note = weft_job_offset(place) * 2 + turn->acks;
  }
  weft_publish(&post->seq, turn->seq + 1);
}

const void *weft_turn_seen(const weft_team_t *team, int local, const weft_shown_t *post) {
  return post->note ? team->local[local].slot + (post->note >> 1) : post->data;
}
