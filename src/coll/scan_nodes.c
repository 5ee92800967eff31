/*
 * scan between nodes, where the members of each node follow one another. Each node's leader sums up
 * its node, and the leaders double up what lies in front of them (Hillis and Steele, 1986). Nobody
 * answers, so the first node may be several scans ahead, as the root of broadcasts is: each scan
 * takes words of the broadcasts' ring, and a part of the landing place that no other one uses
 * before all have met.
 */
#include "coll/coll_internal.h"
#include "coll/schedule.h"

enum { SEGMENT = 65536, ON_NODE = 8192 /* bytes of a piece: of one member, of several */ };

typedef struct scan {
  weft_team_t *team;
  size_t width;
  weft_combine_t combine;
  bool inclusive;
  int stages;
  uintptr_t place; /* of this piece: the node's sum, and for each stage what comes and what goes */
  size_t room;
  weft_op_t sent;
} scan_t;

static size_t parts_of(const weft_team_t *team) {
  return 1 + 2 * (size_t)weft_gathering_stages(team->members.nodes);
}

/* Elements of a piece. */
static size_t most_of(const weft_team_t *team, size_t width) {
  size_t most = weft_coll_landing_bytes(team) / parts_of(team) / WEFT_CACHELINE * WEFT_CACHELINE;
  const bool several = team->members.most > 1;
  const size_t enough = several ? ON_NODE : SEGMENT;
  if (most > enough) most = enough;
  if (several && most > weft_coll_room()) most = weft_coll_room();
  return most / width;
}

bool weft_coll_scans_nodes(const weft_team_t *team, size_t width) {
  return team->members.runs && most_of(team, width) > 0;
}

/* Words and a part of the landing place. Where there are no more all members meet: then the other
 * half of it is free, and so are all words. */
static void take_turn(scan_t *s, size_t bytes) {
  weft_team_t *team = s->team;
  s->room = weft_round_up(bytes, WEFT_CACHELINE);
  const size_t taken = parts_of(team) * s->room;
  const bool goes_on = team->scan_step == team->step;
  if (team->oneway + (unsigned)s->stages >= WEFT_COLL_TURNS - 1 ||
      (goes_on && team->scan_taken + taken > weft_coll_landing_bytes(team)))
    weft_coll_sync(team);
  if (team->scan_step != team->step) {
    team->scan_step = ++team->step;
    team->scan_taken = 0;
  }
  if (team->members.local == 0) s->place = weft_coll_landing(team) + team->scan_taken;
  team->scan_taken += taken;
}

/* What comes in a stage; behind it what goes in the next. */
static uintptr_t come(const scan_t *s, int stage) {
  return s->place + (1 + 2 * (size_t)stage) * s->room;
}

static void send(scan_t *s, int node, int stage, const char *sum, size_t bytes) {
  weft_team_t *team = s->team;
  const int leader = weft_members_leader(team, node);
  const int word = WEFT_WORD_TURN + (int)((team->casts + (unsigned)stage) % WEFT_COLL_TURNS);
  if (team->oneway == 0 ||
      !weft_rma_put_count_gather(weft_set_world(&team->set, leader), come(s, stage), sum, bytes,
                                 team->sync + (uintptr_t)word * 8))
    weft_coll_send(team, leader, come(s, stage), sum, bytes, word, &s->sent);
}

/* Among leaders: the sum of all nodes in front, NULL on the first. `sum`: of this node. */
static const char *sum_before(scan_t *s, const char *sum, size_t n) {
  weft_team_t *team = s->team;
  const int node = team->members.node, nodes = team->members.nodes;
  const char *before = NULL;
  for (int k = 0; k < s->stages; k++) {
    const weft_doubling_t d = weft_doubling(node, nodes, k);
    char *got = weft_job_own() + come(s, k), *next = got + s->room;
    if (d.to >= 0) send(s, d.to, k, sum, n * s->width);
    if (d.from < 0) continue;
    weft_coll_heard(team, WEFT_WORD_TURN + (int)((team->casts + (unsigned)k) % WEFT_COLL_TURNS), 1);
    if (k + 1 < s->stages && weft_doubling(node, nodes, k + 1).to >= 0) {
      memcpy(next, got, n * s->width);
      s->combine(next, sum, n);
      sum = next;
    }
    if (before) s->combine(got, before, n);
    before = got;
  }
  return before;
}

/* dest = before op mine. Where there is nothing of mine (NULL) it is before, which may be NULL too.
 */
static void store(const scan_t *s, char *dest, const char *before, const char *mine, size_t n) {
  _Alignas(WEFT_CACHELINE) char piece[ON_NODE];
  const size_t most = sizeof piece / s->width; /* no element is that large */
  if (!before && !mine) memset(dest, 0, n * s->width);
  if (!before && mine && mine != dest) memcpy(dest, mine, n * s->width);
  if (before && !mine) memcpy(dest, before, n * s->width);
  for (size_t at = 0, part; before && mine && at < n; at += part) {
    part = n - at < most ? n - at : most;
    const size_t from = at * s->width, bytes = part * s->width;
    memcpy(piece, before + from, bytes);
    s->combine(piece, mine + from, part);
    memcpy(dest + from, piece, bytes);
  }
}

/* into = the posts of this generation of members [0, end) of this node. */
static void combine_posts(const scan_t *s, char *into, int end, uint64_t gen, size_t n) {
  for (int k = 0; k < end; k++) {
    const weft_post_t *post = weft_coll_await(s->team, weft_members_local(s->team, k), gen);
    if (k == 0)
      memcpy(into, post->data, n * s->width);
    else
      s->combine(into, post->data, n);
  }
}

/* What lies in front of the node is read at the leader's. */
static void scan_of_several(scan_t *s, char *dest, const char *source, size_t n) {
  weft_team_t *team = s->team;
  const weft_members_t *m = &team->members;
  const int end = m->local + s->inclusive, leader = weft_members_local(team, 0);
  uint64_t gen = weft_coll_enter(team);
  weft_post_t *post = weft_coll_blank(team, gen);
  memcpy(post->data, source, n * s->width);
  weft_coll_show(post, gen);
  combine_posts(s, dest, end, gen, n);
  const char *before = NULL;
  if (m->local == 0) {
    char *sum = weft_job_own() + s->place;
    combine_posts(s, sum, m->locals, gen, n);
    team->known = gen;
    before = sum_before(s, sum, n);
    gen = weft_coll_enter(team);
    post = weft_coll_blank(team, gen);
    post->note = before ? (uint64_t)(before - weft_job_own()) + 1 : 0;
    weft_coll_show(post, gen);
  } else {
    gen = weft_coll_enter(team);
    const uint64_t note = weft_coll_await(team, leader, gen)->note;
    before = note ? weft_coll_peer(team, leader, (uintptr_t)note - 1) : NULL;
  }
  store(s, dest, before, end > 0 ? dest : NULL, n);
}

void weft_coll_scan_nodes(weft_team_t *team, char *dest, const char *source, size_t nelems,
                          size_t width, weft_combine_t combine, bool inclusive) {
  scan_t s = {.team = team, .width = width, .combine = combine, .inclusive = inclusive};
  s.stages = weft_gathering_stages(team->members.nodes);
  const size_t most = most_of(team, width);
  for (size_t at = 0, n; at < nelems; at += n) {
    const size_t from = at * width;
    n = nelems - at < most ? nelems - at : most;
    take_turn(&s, n * width);
    if (team->members.locals > 1)
      scan_of_several(&s, dest + from, source + from, n);
    else
      store(&s, dest + from, sum_before(&s, source + from, n), inclusive ? source + from : NULL, n);
    team->casts += (unsigned)s.stages;
    team->oneway += (unsigned)s.stages;
  }
  weft_op_wait_on(&weft_channels[0], &s.sent);
}
