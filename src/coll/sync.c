/*
 * sync: everyone has arrived. Inside a node by flags; between nodes the leaders disseminate
 * (Hensgen, Finkel and Manber, 1988), or, where many share a processor and each message costs all
 * of them time, go by a tree.
 */
#include "coll/coll_internal.h"
#include "coll/posts.h"
#include "coll/schedule.h"

enum { BITS = (1 << WEFT_COLL_MEET_BITS) - 1 };

/* Each parity of the turn has words of its own: a leader may be one turn ahead, and its bits are
 * not to be taken for those of the turn before. */
static int first_word(uint64_t step) {
  return WEFT_WORD_ROUND + (int)(step & 1) * WEFT_COLL_ROUNDS;
}

static void tell(weft_team_t *team, int node, int word, uint64_t value) {
  const int to = weft_members_leader(team, node);
  weft_rma_tell(weft_set_world(&team->set, to), team->sync + (uintptr_t)word * 8, value);
}

static unsigned hear(weft_team_t *team, int word, uint64_t step) {
  const uint64_t *own = weft_coll_word(team, word);
  weft_coll_until(own, step << WEFT_COLL_MEET_BITS);
  return (unsigned)weft_observe(own) & BITS;
}

static unsigned disseminate(weft_team_t *team, uint64_t step, unsigned bits) {
  const weft_members_t *m = &team->members;
  int word = first_word(step);
  for (int distance = 1; distance < m->nodes; distance *= 2, word++) {
    tell(team, (int)(((int64_t)m->node + distance) % m->nodes), word,
         step << WEFT_COLL_MEET_BITS | bits);
    bits &= hear(team, word, step);
  }
  return bits;
}

/* Up a binomial tree and down again: twice as many steps one behind the other, but two messages for
 * each leader. The word between a child and its parent is the same at both. */
static unsigned climb(weft_team_t *team, uint64_t step, unsigned bits) {
  const int v = team->members.node, n = team->members.nodes, word = first_word(step);
  const int64_t first = weft_child_first(WEFT_ALG_TREE, v, n);
  for (int64_t d = first; d; d = weft_child_next(WEFT_ALG_TREE, d))
    if (v + d < n) bits &= hear(team, word + __builtin_ctzll((uint64_t)d), step);
  if (v) {
    const int own = word + __builtin_ctz((unsigned)v);
    tell(team, v & (v - 1), own, step << WEFT_COLL_MEET_BITS | bits);
    bits = hear(team, own, step);
  }
  for (int64_t d = first; d; d = weft_child_next(WEFT_ALG_TREE, d))
    if (v + d < n)
      tell(team, v + (int)d, word + __builtin_ctzll((uint64_t)d),
           step << WEFT_COLL_MEET_BITS | bits);
  return bits;
}

static unsigned leaders_meet(weft_team_t *team, unsigned bits) {
  const uint64_t step = ++team->step;
  return weft_choose(WEFT_OP_SYNC_NODES, team->members.nodes, (size_t)weft_job.crowd) ==
                 WEFT_ALG_CLIMB
             ? climb(team, step, bits)
             : disseminate(team, step, bits);
}

/* Everyone posts, everyone reads. */
static unsigned read_all(weft_team_t *team, unsigned bits) {
  const weft_members_t *m = &team->members;
  const uint64_t gen = weft_coll_enter(team);
  weft_post_t *post = weft_coll_blank(team, gen);
  post->note = bits;
  weft_coll_show(post, gen);
  for (int k = m->local + 1; k < m->local + m->locals; k++)
    bits &= (unsigned)weft_coll_await(
                team, weft_members_local(team, k < m->locals ? k : k - m->locals), gen)
                ->note;
  team->known = gen;
  return bits;
}

/* Everyone posts, the leader reads, meets the other nodes' and posts the result. */
static unsigned through_leader(weft_team_t *team, unsigned bits) {
  const weft_members_t *m = &team->members;
  uint64_t gen = weft_coll_enter(team);
  weft_post_t *post;
  if (m->local != 0) {
    post = weft_coll_blank(team, gen);
    post->note = bits;
    weft_coll_show(post, gen);
    gen = weft_coll_enter(team);
    bits = (unsigned)weft_coll_await(team, weft_members_local(team, 0), gen)->note;
    team->known = gen - 1;
    team->step += m->nodes > 1;
    return bits;
  }
  for (int k = 1; k < m->locals; k++)
    bits &= (unsigned)weft_coll_await(team, weft_members_local(team, k), gen)->note;
  team->known = gen;
  if (m->nodes > 1) bits = leaders_meet(team, bits);
  gen = weft_coll_enter(team);
  post = weft_coll_blank(team, gen);
  post->note = bits;
  weft_coll_show(post, gen);
  return bits;
}

unsigned weft_coll_meet(weft_team_t *team, unsigned bits) {
  const weft_members_t *m = &team->members;
  team->oneway = 0;
  if (weft_unlikely(team->area < 0)) return weft_waited_meet(team, bits);
  if (m->nodes == 1 && weft_choose(WEFT_OP_SYNC, m->locals, 0) == WEFT_ALG_READ)
    return read_all(team, bits);
  return through_leader(team, bits);
}

void weft_coll_sync(weft_team_t *team) {
  const weft_members_t *m = &team->members;
  if (team->area < 0)
    (team->turns ? weft_waited_sync : weft_plain_sync)(team);
  else if (m->nodes == 1 && weft_choose(WEFT_OP_SYNC, m->locals, 0) == WEFT_ALG_READ)
    weft_coll_entered(team, weft_coll_enter(team));
  else
    weft_coll_meet(team, 0);
}

unsigned weft_coll_part(weft_team_t *team, unsigned bits) {
  const weft_members_t *m = &team->members;
  if (team->area < 0 || m->nodes > 1 || weft_choose(WEFT_OP_SYNC, m->locals, 0) != WEFT_ALG_READ)
    return weft_coll_meet(team, bits);
  const uint64_t turn = (team->gen + 1) << WEFT_COLL_MEET_BITS;
  weft_publish(weft_coll_word(team, WEFT_WORD_PARTING), turn | bits);
  weft_coll_sync(team);
  for (int k = 0; k < m->locals; k++) {
    const char *area = weft_coll_at(team, weft_members_local(team, k));
    const uint64_t word = weft_observe((const uint64_t *)(const void *)area + WEFT_WORD_PARTING);
    bits &= word >> WEFT_COLL_MEET_BITS == turn >> WEFT_COLL_MEET_BITS ? (unsigned)word : 0;
  }
  return bits;
}

int weft_coll_agree(int flag) {
  return (int)weft_coll_meet(weft_team_world(), !!flag);
}

/* A bit that not all have in common meets as neither 1 nor 2. */
bool weft_coll_same(weft_team_t *team, const char *who, const void *arguments, size_t n) {
  const weft_secret_t none = {{0}};
  const uint64_t name = weft_hash_keyed(&none, who, strlen(who));
  const uint64_t hash = name ^ weft_hash_keyed(&none, arguments, n);
  bool same = true;
  weft_patience_begin(who, weft_options.patience_s);
  for (int i = 0; same && i < 16; i++) same = weft_coll_meet(team, hash >> i & 1 ? 1 : 2) != 0;
  weft_patience_end();
  return same;
}
