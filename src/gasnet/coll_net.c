/*
 * coll_net.c: what members on different nodes send one another: active messages into boxes. They
 * are sent only where the team's horizon (team.h) says that the box is empty, so nothing arrives
 * unexpected. Sending never waits.
 */
#include <stdlib.h>
#include <string.h>

#include "am/am.h"
#include "gasnet/team.h"

/* Of a message that is late for a team that is gone, nothing is wanted any more. */
static weft_gex_box_t *find(int32_t id, int32_t maker, int32_t rank, int32_t seq, int32_t box) {
  weft_gex_team_t *team = weft_gex_team_find((uint32_t)id, (gex_Rank_t)maker, (gex_Rank_t)rank);
  return team && box < team->boxes ? weft_gex_box(team, (uint32_t)seq, box) : NULL;
}

/* The lock keeps the team where it is, and serialises the parts of a message. */
static void on_data(weft_token_t *token, void *data, size_t n, int32_t id, int32_t maker,
                    int32_t rank, int32_t seq, int32_t box, int32_t at, int32_t total) {
  (void)token;
  weft_gex_teams_lock();
  weft_gex_box_t *b = find(id, maker, rank, seq, box);
  if (b) {
    if (b->room < (uint32_t)total) {
      free(b->data);
      b->room = (uint32_t)total < WEFT_GEX_PART ? WEFT_GEX_PART : (uint32_t)total;
      b->data = aligned_alloc(64, weft_round_up(b->room, 64));
      if (!b->data) weft_fatal("GASNet: no memory for a message of %zu bytes", b->room);
    }
    memcpy(b->data + (uint32_t)at, data, n);
    __atomic_fetch_add(&b->got, n, __ATOMIC_RELEASE);
  }
  weft_gex_teams_unlock();
}

static void on_value(weft_token_t *token, int32_t id, int32_t maker, int32_t rank, int32_t seq,
                     int32_t box, int32_t low, int32_t high) {
  (void)token;
  weft_gex_teams_lock();
  weft_gex_box_t *b = find(id, maker, rank, seq, box);
  if (b) {
    b->value = (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
    weft_publish(&b->got, 1);
  }
  weft_gex_teams_unlock();
}

void weft_gex_net_start(void) {
  weft_am_register(WEFT_GEX_AM_COLL_DATA, (weft_am_handler_t)on_data);
  weft_am_register(WEFT_GEX_AM_COLL_VALUE, (weft_am_handler_t)on_value);
}

bool weft_gex_pass(weft_gex_team_t *team, weft_gex_turn_t *turn, gex_Rank_t to, int box,
                   const void *data, size_t n) {
  const int pe = (int)weft_gex_to(team->tm, to);
  const size_t most = weft_am_max_medium(pe);
  while (turn->sent < n) {
    const size_t part = n - turn->sent < most ? n - turn->sent : most;
    const int32_t args[] = {(int32_t)team->id,
                            (int32_t)team->maker,
                            (int32_t)to,
                            (int32_t)turn->seq,
                            box,
                            (int32_t)turn->sent,
                            (int32_t)n};
    if (weft_am_request(pe, WEFT_AM_MEDIUM, WEFT_GEX_AM_COLL_DATA, (const char *)data + turn->sent,
                        part, 0, WEFT_AM_IMMEDIATE, NULL, 7, args))
      return false;
    turn->sent += part;
  }
  turn->sent = 0;
  return true;
}

bool weft_gex_tell(weft_gex_team_t *team, weft_gex_turn_t *turn, gex_Rank_t to, int box,
                   uint64_t value) {
  const int32_t args[] = {
      (int32_t)team->id, (int32_t)team->maker,  (int32_t)to, (int32_t)turn->seq, box,
      (int32_t)value,    (int32_t)(value >> 32)};
  return !weft_am_request((int)weft_gex_to(team->tm, to), WEFT_AM_SHORT, WEFT_GEX_AM_COLL_VALUE,
                          NULL, 0, 0, WEFT_AM_IMMEDIATE, NULL, 7, args);
}

int weft_gex_node_of(const weft_gex_team_t *team, gex_Rank_t rank) {
  const int home = weft_job_node_of((int)weft_gex_to(team->tm, rank));
  int node = 0;
  while (weft_job_node_of((int)weft_gex_to(team->tm, team->leader[node])) != home) node++;
  return node;
}

void weft_gex_boxes_clear(weft_gex_team_t *team, const weft_gex_turn_t *turn) {
  for (int i = 0; i < team->boxes; i++) weft_poke(&weft_gex_box(team, turn->seq, i)->got, 0);
}
