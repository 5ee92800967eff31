/*
 * coll_node.c: how members of a node show one another their data: beside the flag, in the own
 * slot's bulk, or where the program has it. Knows no operation.
 */
#include <stdlib.h>
#include <string.h>

#include "gasnet/ex/team.h"
#include "runtime/runtime.h"

bool weft_gex_all_up(weft_gex_team_t *team, weft_gex_turn_t *turn) {
  for (; turn->next < team->locals; turn->next++)
    if (turn->next != team->local && !weft_gex_posted(weft_gex_up_of(team, turn->next, turn), turn))
      return false;
  turn->next = 0;
  return true;
}

bool weft_gex_all_acked(weft_gex_team_t *team, weft_gex_turn_t *turn) {
  if (!turn->acks) return true;
  for (; turn->next < team->locals; turn->next++)
    if (turn->next != team->local && !weft_gex_acked(team, turn->next, turn)) return false;
  turn->next = 0;
  return true;
}

static WEFT_COLD void make_bulk(weft_gex_team_t *team) {
  const size_t n = (size_t)WEFT_GEX_WINDOW * WEFT_GEX_PART;
  char *p = team->scratch.gex_addr;
  const size_t skip = -(uintptr_t)p % WEFT_CACHELINE;
  if (team->scratch.gex_len >= n + skip && weft_window_contains(&weft_job.window, p, n + skip)) {
    team->bulk = p + skip;
    return;
  }
  team->bulk = weft_private_alloc(WEFT_CACHELINE, n);
  team->bulk_mine = true;
  if (!team->bulk) weft_fatal("GASNet: no memory for a team's collectives (%zu bytes)", n);
}

char *weft_gex_bulk(weft_gex_team_t *team, const weft_gex_turn_t *turn) {
  if (weft_unlikely(!team->bulk)) make_bulk(team);
  return team->bulk + turn->seq % WEFT_GEX_WINDOW * WEFT_GEX_PART;
}

char *weft_gex_sum(weft_gex_team_t *team, weft_gex_turn_t *turn, size_t n) {
  if (n > WEFT_GEX_PART) {
    turn->heap = malloc(n);
    if (!turn->heap) weft_fatal("GASNet: no memory to reduce elements of %zu bytes", n);
    return turn->heap;
  }
  if (!team->sums) team->sums = aligned_alloc(64, (size_t)WEFT_GEX_WINDOW * WEFT_GEX_PART);
  if (!team->sums) weft_fatal("GASNet: no memory for a team's reductions");
  return team->sums + turn->seq % WEFT_GEX_WINDOW * WEFT_GEX_PART;
}

/* Something larger than a turn's place in the bulk: a single element. */
static WEFT_COLD char *make_room(weft_gex_turn_t *turn, size_t n) {
  turn->shown = weft_private_alloc(WEFT_CACHELINE, n);
  if (!turn->shown) weft_fatal("GASNet: no memory to reduce elements of %zu bytes", n);
  return turn->shown;
}

void weft_gex_show(weft_gex_team_t *team, weft_gex_turn_t *turn, weft_gex_post_t *post,
                   const void *data, size_t n, bool stays) {
  post->note = 0;
  if (n <= WEFT_GEX_SMALL) {
    memcpy(post->data, data, n);
  } else if (stays && n > WEFT_GEX_DIRECT && weft_window_contains(&weft_job.window, data, n)) {
    turn->acks = true;
    post->note = weft_job_offset(data) * 2 + 1;
  } else {
    char *place = n <= WEFT_GEX_PART ? weft_gex_bulk(team, turn) : make_room(turn, n);
    if (place != data) memcpy(place, data, n);
    turn->acks = n > WEFT_GEX_PART;
    post->note = weft_job_offset(place) * 2 + turn->acks;
  }
  weft_publish(&post->seq, turn->seq + 1);
}

const void *weft_gex_seen(const weft_gex_team_t *team, int local, const weft_gex_post_t *post) {
  return post->note ? team->member[local].slot + (post->note >> 1) : post->data;
}

int weft_gex_local_of(const weft_gex_team_t *team, gex_Rank_t rank) {
  int low = 0, high = team->locals - 1;
  while (low <= high) {
    const int middle = (low + high) / 2;
    if (team->member[middle].rank == rank) return middle;
    if (team->member[middle].rank < rank)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -1;
}
