/*
 * sync: everyone has arrived. Inside a node by flags; between nodes the leaders disseminate
 * (Hensgen, Finkel and Manber, 1988).
 */
#include "coll/coll_internal.h"

/* Each parity of the turn has words of its own: a leader may be one turn ahead, and its bits are
 * not to be taken for those of the turn before. */
unsigned weft_coll_leaders_meet(weft_coll_t *coll, unsigned bits) {
  const weft_members_t *m = &coll->members;
  const uint64_t step = ++coll->step;
  int word = WEFT_WORD_ROUND + (int)(step & 1) * WEFT_COLL_ROUNDS;
  for (int distance = 1; distance < m->nodes; distance *= 2, word++) {
    const uint64_t *own = weft_coll_word(coll, word);
    const int to = weft_members_leader(coll, (int)(((int64_t)m->node + distance) % m->nodes));
    weft_rma_tell(weft_set_world(&coll->set, to), coll->sync + (uintptr_t)word * 8,
                  step << WEFT_COLL_MEET_BITS | bits);
    weft_coll_until(own, step << WEFT_COLL_MEET_BITS);
    bits &= (unsigned)weft_observe(own) & ((1u << WEFT_COLL_MEET_BITS) - 1);
  }
  return bits;
}

/* Everyone posts, everyone reads. */
static unsigned read_all(weft_coll_t *coll, unsigned bits) {
  const weft_members_t *m = &coll->members;
  const uint64_t gen = weft_coll_enter(coll);
  weft_post_t *post = weft_coll_blank(coll, gen);
  post->note = bits;
  weft_coll_show(post, gen);
  for (int k = m->local + 1; k < m->local + m->locals; k++)
    bits &= (unsigned)weft_coll_await(
                coll, weft_members_local(coll, k < m->locals ? k : k - m->locals), gen)
                ->note;
  coll->known = gen;
  return bits;
}

/* Everyone posts, the leader reads, meets the other nodes' and posts the result. */
static unsigned through_leader(weft_coll_t *coll, unsigned bits) {
  const weft_members_t *m = &coll->members;
  uint64_t gen = weft_coll_enter(coll);
  weft_post_t *post;
  if (m->local != 0) {
    post = weft_coll_blank(coll, gen);
    post->note = bits;
    weft_coll_show(post, gen);
    gen = weft_coll_enter(coll);
    bits = (unsigned)weft_coll_await(coll, weft_members_local(coll, 0), gen)->note;
    coll->known = gen - 1;
    coll->step += m->nodes > 1;
    return bits;
  }
  for (int k = 1; k < m->locals; k++)
    bits &= (unsigned)weft_coll_await(coll, weft_members_local(coll, k), gen)->note;
  coll->known = gen;
  if (m->nodes > 1) bits = weft_coll_leaders_meet(coll, bits);
  gen = weft_coll_enter(coll);
  post = weft_coll_blank(coll, gen);
  post->note = bits;
  weft_coll_show(post, gen);
  return bits;
}

unsigned weft_coll_meet(weft_coll_t *coll, unsigned bits) {
  const weft_members_t *m = &coll->members;
  coll->oneway = 0;
  if (weft_unlikely(coll->team != NULL)) return weft_careful_meet(coll, bits);
  if (m->nodes == 1 && weft_choose(WEFT_OP_SYNC, m->locals, 0) == WEFT_ALG_READ)
    return read_all(coll, bits);
  return through_leader(coll, bits);
}

void weft_coll_sync(weft_coll_t *coll) {
  const weft_members_t *m = &coll->members;
  if (coll->area < 0)
    coll->team ? (void)weft_careful_meet(coll, 0) : weft_plain_sync(coll);
  else if (m->nodes == 1 && weft_choose(WEFT_OP_SYNC, m->locals, 0) == WEFT_ALG_READ)
    weft_coll_entered(coll, weft_coll_enter(coll));
  else
    weft_coll_meet(coll, 0);
}

unsigned weft_coll_part(weft_coll_t *coll, unsigned bits) {
  const weft_members_t *m = &coll->members;
  if (coll->team || m->nodes > 1 || weft_choose(WEFT_OP_SYNC, m->locals, 0) != WEFT_ALG_READ)
    return weft_coll_meet(coll, bits);
  const uint64_t turn = (coll->gen + 1) << WEFT_COLL_MEET_BITS;
  weft_publish(weft_coll_word(coll, WEFT_WORD_PARTING), turn | bits);
  weft_coll_sync(coll);
  for (int k = 0; k < m->locals; k++) {
    const char *area = weft_coll_at(coll, weft_members_local(coll, k));
    const uint64_t word = weft_observe((const uint64_t *)(const void *)area + WEFT_WORD_PARTING);
    bits &= word >> WEFT_COLL_MEET_BITS == turn >> WEFT_COLL_MEET_BITS ? (unsigned)word : 0;
  }
  return bits;
}

int weft_coll_agree(int flag) {
  return (int)weft_coll_meet(weft_coll_world(), !!flag);
}

/* A bit that not all have in common meets as neither 1 nor 2. */
bool weft_coll_same(weft_coll_t *coll, uint64_t digest) {
  digest ^= digest >> 32;
  digest ^= digest >> 16;
  for (int i = 0; i < 16; i++)
    if (weft_coll_meet(coll, digest >> i & 1 ? 1 : 2) == 0) return false;
  return true;
}
