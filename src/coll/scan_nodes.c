/*
 * scan between nodes, where the members of each node follow one another. The last member of a node
 * sends the node's sum to the first one of the next; of a long one each member sends the sums of a
 * slice. The nodes double up what lies in front of them (Hillis and Steele, 1986). Nobody answers.
 * Except in long scans, no member of the first and the last node waits for one behind it, so those
 * in front may be several scans ahead, as the root of broadcasts is: each scan takes words of the
 * broadcasts' ring, and a part of the landing place that no other one uses before all have met.
 */
#include "coll/coll_internal.h"
#include "coll/posts.h"
#include "coll/schedule.h"

enum {
  SEGMENT = 262144,      /* bytes of a piece */
  LONE_SEGMENT = 524288, /* the same where each member is alone on its node */
  POSTED = 8192,         /* bytes of one that goes through posts */
  SLICED = 131072,       /* from so many bytes on members of a node share the work by slices */
  SLICE = 4096,          /* bytes of a slice, about, or more */
  LONG = 65536           /* from so many bytes on an exclusive scan of two nodes goes into dest */
};

typedef struct scan {
  weft_team_t *team;
  size_t width;
  weft_combine_t combine;
  bool inclusive, posted;
  bool first, last, head, tail; /* the node among the nodes, and this member on it */
  int stages;
  int slice;       /* this member's: that of those to which it sends */
  uintptr_t place; /* of this piece: the sum up to this member, or by slices of the node; and for
                      each stage what comes; of all but the last also what goes in the next */
  size_t room;
  weft_op_t sent;
} scan_t;

/* A member that is alone on its node gives its source. */
static size_t sums_of(const weft_team_t *team) {
  return team->members.most > 1;
}
static size_t parts_of(const weft_team_t *team) {
  return sums_of(team) + 2 * (size_t)weft_gathering_stages(team->members.nodes) - 1;
}

/* Elements of a piece. */
static size_t most_of(const weft_team_t *team, size_t width) {
  const size_t most =
      weft_coll_landing_bytes(team) / parts_of(team) / WEFT_CACHELINE * WEFT_CACHELINE;
  const size_t segment = sums_of(team) ? SEGMENT : LONE_SEGMENT;
  return (most < segment ? most : segment) / width;
}

bool weft_coll_scans_nodes(const weft_team_t *team, size_t width) {
  return team->members.runs && most_of(team, width) > 0;
}

/* Words and a part of the landing place of the next step, which nobody uses any more. Where there
 * are no more all members meet: then the other half of it is free, and so are all words. */
static void begin_piece(scan_t *s, size_t bytes) {
  weft_team_t *team = s->team;
  s->room = weft_round_up(bytes, WEFT_CACHELINE);
  const size_t taken = parts_of(team) * s->room;
  const bool goes_on = team->scan_step == team->step + 1;
  if (team->oneway + (unsigned)s->stages >= WEFT_COLL_CASTS - 1 ||
      (goes_on && team->scan_taken + taken > weft_coll_landing_bytes(team)))
    weft_coll_sync(team);
  if (team->scan_step != team->step + 1) {
    team->scan_step = team->step + 1;
    team->scan_taken = 0;
  }
  team->cast_step = team->step - 1; /* a scan came between broadcasts */
  s->place = weft_coll_landing(team, team->scan_step) + team->scan_taken;
  team->scan_taken += taken;
}

static void end_piece(scan_t *s) {
  s->team->casts += (unsigned)s->stages;
  s->team->oneway += (unsigned)s->stages;
}

/* What comes in a stage; behind it what goes in the next. */
static uintptr_t come(const scan_t *s, int stage) {
  return s->place + (sums_of(s->team) + 2 * (size_t)stage) * s->room;
}

static int word_of(const scan_t *s, int stage) {
  return weft_coll_cast_word(s->team, (unsigned)stage);
}

static void send(scan_t *s, int node, int stage, const char *sum, size_t bytes) {
  weft_team_t *team = s->team;
  const int to = weft_members_leader(team, node) + s->slice, word = word_of(s, stage);
  if (team->oneway >= 2 && bytes <= WEFT_COLL_GATHERED)
    weft_coll_send_gathered(team, to, come(s, stage), sum, bytes, word, &s->sent);
  else
    weft_coll_send(team, to, come(s, stage), sum, bytes, word, &s->sent);
}

/* The sum of all nodes in front, NULL on the first node. `sum`: of this node; the stages below
 * `gone` have left with it. */
static const char *sum_before(scan_t *s, const char *sum, int gone, size_t n) {
  weft_team_t *team = s->team;
  const int node = team->members.node, nodes = team->members.nodes;
  const char *before = NULL;
  for (int k = 0; k < s->stages; k++) {
    const weft_doubling_t d = weft_doubling(node, nodes, k);
    char *got = weft_job_own() + come(s, k), *next = got + s->room;
    if (d.to >= 0 && k >= gone) send(s, d.to, k, sum, n * s->width);
    if (d.from < 0) continue;
    weft_coll_heard(team, word_of(s, k), 1);
    if (k + 1 < s->stages && weft_doubling(node, nodes, k + 1).to >= 0) {
      weft_direct_memcpy(next, got, n * s->width);
      s->combine(next, sum, n);
      sum = next;
    }
    if (before) s->combine(got, before, n);
    before = got;
  }
  return before;
}

/* dest = a op b op c. What there is none of is NULL; only the last that there is may be dest. */
static void store(const scan_t *s, char *dest, const char *a, const char *b, const char *c,
                  size_t n) {
  _Alignas(WEFT_CACHELINE) char piece[POSTED];
  const size_t most = sizeof piece / s->width; /* no element is that large */
  const char *parts[3];
  int count = 0;
  if (a) parts[count++] = a;
  if (b) parts[count++] = b;
  if (c) parts[count++] = c;
  if (count == 0) memset(dest, 0, n * s->width);
  if (count == 1 && parts[0] != dest) weft_direct_memcpy(dest, parts[0], n * s->width);
  for (size_t at = 0, part; count > 1 && at < n; at += part) {
    part = n - at < most ? n - at : most;
    const size_t from = at * s->width, bytes = part * s->width;
    char *into = parts[count - 1] == dest ? piece : dest + from;
    weft_direct_memcpy(into, parts[0] + from, bytes);
    for (int k = 1; k < count; k++) s->combine(into, parts[k] + from, part);
    if (into == piece) weft_direct_memcpy(dest + from, piece, bytes);
  }
}

/* into = the posts of this generation of members [0, end) of this node. */
static void combine_posts(const scan_t *s, char *into, int end, uint64_t gen, size_t n) {
  for (int k = 0; k < end; k++) {
    const weft_post_t *post =
        weft_coll_await_for(s->team, weft_members_local(s->team, k), gen, n * s->width);
    if (k == 0)
      weft_direct_memcpy(into, post->data, n * s->width);
    else
      s->combine(into, post->data, n);
  }
}

/* The post's note tells the others where the sum of all nodes in front is; 0: there is none. */
static void show(weft_post_t *post, const char *before, uint64_t gen) {
  post->note = before ? (uint64_t)(before - weft_job_own()) + 1 : 0;
  weft_coll_show(post, gen);
}

/* Few bytes: everyone posts its part, and reads those in front of it. The result is the sum of this
 * node's parts that this member wants, in dest (NULL: none); `sum`, if there is one, gets all. */
static const char *through_posts(scan_t *s, char *dest, const char *source, const char *before,
                                 char *sum, uint64_t gen, size_t n) {
  const int end = s->team->members.local + s->inclusive;
  weft_post_t *post = weft_coll_blank_for(s->team, gen, n * s->width);
  weft_direct_memcpy(post->data, source, n * s->width);
  show(post, before, gen);
  combine_posts(s, dest, end, gen, n);
  if (sum) combine_posts(s, sum, s->team->members.locals, gen, n);
  return end > 0 ? dest : NULL;
}

/* More bytes: everyone adds its part to the sum in front of it. The result is as above, but for the
 * last of all members: its sum is read by nobody, and its result is the sum in front of it. */
static const char *through_sums(scan_t *s, const char *source, const char *before, uint64_t gen,
                                size_t n) {
  weft_team_t *team = s->team;
  char *own = weft_job_own() + s->place;
  const char *front = NULL;
  if (!s->head) {
    const int member = weft_members_local(team, team->members.local - 1);
    weft_coll_await_for(team, member, gen, 0);
    front = weft_coll_peer(team, member, s->place);
  }
  if (!s->tail || !s->last) {
    weft_direct_memcpy(own, front ? front : source, n * s->width);
    if (front) s->combine(own, source, n);
  }
  show(weft_coll_blank_for(team, gen, 0), before, gen);
  return s->inclusive && (!s->tail || !s->last) ? own : front;
}

/* `before`: the sum of the nodes in front; `front`: of this node's members in front. On the last
 * node the leader waits for `before` first. On a node in the middle it must not: the node's sum,
 * which the next one waits for, needs the leader's part. */
static void scan_of_several(scan_t *s, char *dest, const char *source, size_t n) {
  weft_team_t *team = s->team;
  const weft_members_t *m = &team->members;
  const int leader = weft_members_local(team, 0), tail = weft_members_local(team, m->locals - 1);
  const bool sends = s->tail && !s->last, middle = !s->first && !s->last;
  char *own = weft_job_own() + s->place;
  const char *before = s->head && s->last ? sum_before(s, NULL, s->stages, n) : NULL;
  uint64_t gen = weft_coll_enter(team);
  char *sum = sends || (s->head && middle) ? own : NULL;
  const char *front = s->posted ? through_posts(s, dest, source, before, sum, gen, n)
                                : through_sums(s, source, before, gen, n);
  if (sends && s->first) sum_before(s, own, 0, n);
  if (sends && !s->first) send(s, team->members.node + 1, 0, own, n * s->width);
  if (s->head && middle) {
    weft_coll_await_for(team, tail, gen, s->posted ? n * s->width : 0);
    before = sum_before(s, s->posted ? own : weft_coll_peer(team, tail, s->place), 1, n);
  }
  if (middle) gen = weft_coll_enter(team);
  if (s->head && middle) show(weft_coll_blank_for(team, gen, 0), before, gen);
  if (!s->head && !s->first) {
    const size_t shown = s->posted && s->last ? n * s->width : 0;
    const uint64_t note = weft_coll_await_for(team, leader, gen, shown)->note;
    before = weft_coll_peer(team, leader, (uintptr_t)note - 1);
  }
  const bool adds = s->inclusive && !s->posted && s->tail && s->last;
  store(s, dest, before, front, adds ? source : NULL, n);
}

/* As many slices as the smallest node has members, but none of a few bytes. 0, the same on all
 * members, if slices would keep too few of them busy. */
static int slices_of(const weft_team_t *team, size_t bytes) {
  const weft_members_t *m = &team->members;
  const size_t enough = (bytes + SLICE - 1) / SLICE;
  int least = m->locals, most = m->locals;
  if (bytes < SLICED || m->most == 1) return 0;
  for (int node = 0, begin = 0, end; node < m->nodes; node++, begin = end) {
    end = node + 1 < m->nodes ? weft_members_leader(team, node + 1) : team->set.size;
    if (end - begin < least) least = end - begin;
    if (end - begin > most) most = end - begin;
  }
  if (least < most - most / 2) return 0;
  return (size_t)least < enough ? least : (int)enough;
}

/* Elements [from, from + n), which no other member of this node touches. What the nodes behind wait
 * for leaves first. */
static void scan_piece(scan_t *s, const weft_slices_t *slices, size_t from, size_t n) {
  char *own = s->last ? NULL : weft_job_own() + s->place;
  if (s->first) {
    weft_coll_scan_slice(slices, from, n, NULL, own);
    sum_before(s, own, 0, n);
    return;
  }
  if (own) {
    weft_slices_t sums = *slices;
    sums.dests = NULL;
    weft_coll_scan_slice(&sums, from, n, NULL, own);
  }
  weft_coll_scan_slice(slices, from, n, sum_before(s, own, own ? 0 : s->stages, n), NULL);
}

/* Many bytes: members of each node scan a slice each for all on it, in pieces, and tell the
 * members of the other nodes that have the same slice its sums. */
static void scan_by_slices(scan_t *s, int count, char *dest, const char *source, size_t nelems) {
  weft_team_t *team = s->team;
  const weft_members_t *m = &team->members;
  const size_t most = most_of(team, s->width);
  const size_t longest = weft_slice_begins(nelems, s->width, count, 1);
  const size_t begins = weft_slice_begins(nelems, s->width, count, m->local);
  const size_t ends = weft_slice_begins(nelems, s->width, count, m->local + 1);
  const char *sources[m->locals];
  char *dests[m->locals];
  const weft_slices_t slices = {m->locals, dests, sources, s->width, s->combine, s->inclusive};
  weft_coll_share_arrays(team, dest, source, nelems * s->width, dests, sources);
  s->slice = m->local;
  for (size_t at = 0, n; at < longest; at += n) { /* as many pieces for each member */
    n = longest - at < most ? longest - at : most;
    const size_t from = begins + at, left = from < ends ? ends - from : 0;
    begin_piece(s, n * s->width);
    if (left > 0) scan_piece(s, &slices, from, left < n ? left : n);
    end_piece(s);
  }
  weft_coll_entered(team, weft_coll_enter(team));
}

static void scan_of_one(scan_t *s, char *dest, const char *source, size_t n) {
  const char *before = sum_before(s, source, 0, n);
  if (dest == source) weft_op_wait_on(&weft_channels[0], &s->sent); /* it has left */
  store(s, dest, before, NULL, s->inclusive ? source : NULL, n);
}

/* What the second of two nodes gets of an exclusive scan is its result. It goes into its dest, when
 * its member has said that it is in the scan. Nobody else counts the first node's word of a piece.
 */
static void scan_of_two(scan_t *s, char *dest, const char *source, size_t bytes) {
  weft_team_t *team = s->team;
  const int other = weft_members_leader(team, s->first), word = word_of(s, 0);
  static const uint64_t here = 1;
  if (s->first) {
    weft_coll_heard(team, word, 1);
    weft_coll_send(team, other, weft_job_offset(dest), source, bytes, word, &s->sent);
    if (dest == source) weft_op_wait_on(&weft_channels[0], &s->sent); /* it has left */
    memset(dest, 0, bytes);
  } else {
    weft_coll_send(team, other, come(s, 0), &here, sizeof here, word, &s->sent);
    weft_coll_heard(team, word, 1);
  }
}

void weft_coll_scan_nodes(weft_team_t *team, char *dest, const char *source, size_t nelems,
                          size_t width, weft_combine_t combine, bool inclusive) {
  const weft_members_t *m = &team->members;
  const size_t most = most_of(team, width), bytes = nelems * width;
  const int slices = slices_of(team, bytes);
  scan_t s = {.team = team, .width = width, .combine = combine, .inclusive = inclusive};
  s.posted = bytes <= POSTED && bytes <= weft_coll_room();
  s.first = m->node == 0;
  s.last = m->node == m->nodes - 1;
  s.head = m->local == 0;
  s.tail = m->local == m->locals - 1;
  s.stages = weft_gathering_stages(m->nodes);
  if (!inclusive && m->nodes == 2 && m->most == 1 && bytes >= LONG) {
    begin_piece(&s, sizeof(uint64_t));
    scan_of_two(&s, dest, source, bytes);
    end_piece(&s);
  } else if (slices > 0) {
    scan_by_slices(&s, slices, dest, source, nelems);
  } else {
    for (size_t at = 0, n; at < nelems; at += n) {
      n = nelems - at < most ? nelems - at : most;
      begin_piece(&s, n * width);
      (m->locals > 1 ? scan_of_several : scan_of_one)(&s, dest + at * width, source + at * width,
                                                      n);
      end_piece(&s);
    }
  }
  weft_op_wait_on(&weft_channels[0], &s.sent);
}
