/*
 * plain: operations among all members alike, wherever they are, on words of the caller that are 0
 * before and after (the pSync arrays of OpenSHMEM 1.4): for active sets that have not become sets
 * with an area (active.c), and for turning them into such.
 *
 * Two kinds of words.
 *   - Rounds of the closing sync are counts: the one sender adds 1, the receiver takes 1 away. A
 *     sender that is a whole sync ahead is not lost (barriers may follow one another on one pSync).
 *   - All others are set once in a call by one sender and put back to 0 by the receiver. The
 *     closing sync is behind them, so the next sender finds them 0.
 */
#include "coll/coll_internal.h"

enum {
  ROUND = 0,                         /* [ROUNDS] of the closing sync */
  SCAN = ROUND + WEFT_COLL_ROUNDS,   /* [ROUNDS] sum of sizes + 1 */
  OFFER = SCAN + WEFT_COLL_ROUNDS,   /* [ROUNDS] areas that could be had, and PRESENT */
  BASE = OFFER + WEFT_COLL_ROUNDS,   /* [ROUNDS] where such an area would begin, + 1 */
  CHILD = BASE + WEFT_COLL_ROUNDS,   /* [ROUNDS] the child's dest holds its subtree's sum */
  ARRIVED = CHILD + WEFT_COLL_ROUNDS /* the data are in dest */
};
_Static_assert((int)ARRIVED < (int)WEFT_COLL_SYNC_WORDS, "the words fit");
#define PRESENT (UINT64_C(1) << 63)

void weft_coll_plain(weft_team_t *team, const weft_set_t *set, int me, uintptr_t words) {
  *team = (weft_team_t){.set = *set, .me = me, .area = -1, .sync = words};
}

/*
 * Set a word of a member to a value that is not 0. To another node this is an atomic addition to
 * the 0 that is there, never a put: a provider may store a put twice (glibc's memcpy of 8 bytes is
 * two stores of all 8), and if the receiver hears the first and puts the word back to 0, the second
 * brings it up again. It is ordered after no put: weft_rma_put_count is.
 */
static void tell(const weft_team_t *team, int member, int word, uint64_t value) {
  const int pe = weft_set_world(&team->set, member);
  const uintptr_t off = team->sync + (uintptr_t)word * 8;
  char *slot = weft_job_slot(pe);
  if (slot)
    weft_publish((uint64_t *)(void *)(slot + off), value);
  else
    weft_rma_add(pe, off, value);
}

static uint64_t hear(const weft_team_t *team, int word) {
  uint64_t *own = weft_coll_word(team, word), value;
  WEFT_WAIT_UNTIL((value = weft_observe(own)));
  weft_poke(own, 0);
  return value;
}

/* What all members have to offer for this set; if there is something, the lowest becomes its own.
 */
static void agree(const weft_team_t *team) {
  const uint64_t mine = weft_coll_active_offer();
  uint64_t offer = mine | PRESENT, base = weft_coll_highest() + 1, theirs;
  int round = 0;
  for (int64_t distance = 1; distance < team->set.size; distance *= 2, round++) {
    const int to = (int)((team->me + distance) % team->set.size);
    tell(team, to, OFFER + round, offer);
    tell(team, to, BASE + round, base);
    offer &= hear(team, OFFER + round);
    theirs = hear(team, BASE + round);
    if (theirs > base) base = theirs;
  }
  weft_coll_active_settle(team, mine, offer & ~PRESENT, base);
}

/* Dissemination among all members. */
void weft_plain_sync(weft_team_t *team) {
  int round = ROUND;
  if (team->set.size > 1) agree(team);
  for (int64_t distance = 1; distance < team->set.size; distance *= 2, round++) {
    uint64_t *own = weft_coll_word(team, round);
    const int to = (int)((team->me + distance) % team->set.size);
    weft_fence_stores();
    weft_rma_add(weft_set_world(&team->set, to), team->sync + (uintptr_t)round * 8, 1);
    weft_coll_until(own, 1);
    __atomic_fetch_sub(own, 1, __ATOMIC_RELAXED);
  }
}

/* A binomial tree of puts. Members are renumbered from the root: v's parent is v without its lowest
 * bit, its children v + every lower power of two, the largest subtree first. */
static void spread(const weft_team_t *team, void *dest, const void *source, size_t n, int root) {
  const int64_t size = team->set.size, v = (team->me - root + size) % size;
  int64_t bit = 1;
  while (bit < size && !(v & bit)) bit *= 2;
  if (v) hear(team, ARRIVED);
  for (bit /= 2; bit > 0; bit /= 2) {
    if (v + bit >= size) continue;
    const int child = (int)((v + bit + root) % size);
    weft_rma_put_count(weft_set_world(&team->set, child), weft_job_offset(dest), v ? dest : source,
                       n, team->sync + ARRIVED * sizeof(uint64_t));
  }
}

void weft_plain_broadcast(weft_team_t *team, void *dest, const void *source, size_t n, int root,
                          bool to_root) {
  spread(team, dest, source, n, root);
  if (team->me == root && to_root && dest != source) weft_direct_memcpy(dest, source, n);
  weft_plain_sync(team);
}

/* inout[i] = inout[i] op a member's dest[i], piece by piece. */
static void combine_theirs(const weft_team_t *team, int member, char *dest, size_t nelems,
                           size_t width, weft_combine_t combine) {
  enum { PIECE = 8192 };
  _Alignas(WEFT_CACHELINE) char piece[PIECE];
  const int pe = weft_set_world(&team->set, member);
  for (size_t at = 0, n; at < nelems; at += n) {
    n = nelems - at < PIECE / width ? nelems - at : PIECE / width;
    weft_rma_get(pe, weft_job_offset(dest) + at * width, piece, n * width);
    combine(dest + at * width, piece, n);
  }
}

/* Up a binomial tree to member 0, which has each child's sum from the child's dest, then down
 * again. One order of combining for everyone: all members get the same bits. */
void weft_plain_reduce(weft_team_t *team, void *dest, const void *source, size_t nelems,
                       size_t width, weft_combine_t combine) {
  const int64_t size = team->set.size, me = team->me;
  int k = 0;
  if (dest != source) weft_direct_memcpy(dest, source, nelems * width);
  for (int64_t bit = 1; bit < size && !(me & bit); bit *= 2, k++) {
    if (me + bit >= size) continue;
    hear(team, CHILD + k);
    combine_theirs(team, (int)(me + bit), dest, nelems, width, combine);
  }
  weft_fence_stores();
  if (me > 0) tell(team, (int)(me & (me - 1)), CHILD + k, 1);
  spread(team, dest, dest, nelems * width, 0);
  weft_plain_sync(team);
}

/* The sum of the members' n before me (Hillis and Steele's scan, 1986). */
static size_t bytes_before(const weft_team_t *team, size_t n) {
  const int64_t size = team->set.size, me = team->me;
  size_t sum = n;
  int word = SCAN;
  for (int64_t distance = 1; distance < size; distance *= 2, word++) {
    if (me + distance < size) tell(team, (int)(me + distance), word, sum + 1);
    if (me >= distance) sum += hear(team, word) - 1;
  }
  return sum - n;
}

void weft_plain_collect(weft_team_t *team, void *dest, const void *source, size_t n) {
  const int64_t size = team->set.size;
  const size_t before = bytes_before(team, n);
  weft_coll_check_sum(dest, before, n, before + n);
  const uintptr_t off = weft_job_offset(dest) + before;
  if (n > 0) {
    if ((char *)dest + before != (const char *)source)
      weft_direct_memcpy((char *)dest + before, source, n);
    /* Beginning behind oneself, so that not all members put to the same one at a time. */
    for (int64_t i = 1; i < size; i++)
      weft_rma_put(weft_set_world(&team->set, (int)((team->me + i) % size)), off, source, n);
    weft_rma_quiet();
  }
  weft_plain_sync(team);
}
