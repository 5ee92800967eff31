/*
 * gather: collect and fcollect among the leaders of nodes in about log2(nodes) stages, each with
 * one message to one node (schedule.h): all that is there goes on. Blocks of equal size lie where
 * they belong at once. Where sizes differ a table of them travels, with the small parts in it;
 * large parts follow when everybody knows where they begin.
 */
#include "coll/coll_internal.h"
#include "coll/posts.h"
#include "coll/schedule.h"

/* ---- equal sizes; the members of a node follow one another ----------------------------------- */

/* The blocks of `count` nodes from one on, which may go on with the first node: in one piece or
 * two.
 */
typedef struct pieces {
  int n;
  size_t from[2], bytes[2];
} pieces_t;

static pieces_t pieces_of(const weft_team_t *team, int node, int count, size_t n) {
  const int nodes = team->members.nodes, end = node + count;
  const size_t all = (size_t)team->set.size * n;
  pieces_t p = {.n = 1, .from[0] = (size_t)weft_members_leader(team, node) * n};
  p.bytes[0] = (end < nodes ? (size_t)weft_members_leader(team, end) * n : all) - p.from[0];
  if (end > nodes) {
    p.n = 2;
    p.bytes[1] = (size_t)weft_members_leader(team, end - nodes) * n;
  }
  return p;
}

/* `own`: where this node's blocks are. */
static void pass_on(weft_team_t *team, char *dest, const char *own, size_t n, weft_op_t *sent) {
  const int node = team->members.node, nodes = team->members.nodes;
  for (int k = 0; k < weft_gathering_stages(nodes); k++) {
    const weft_gathering_t g = weft_gathering(node, nodes, k);
    const pieces_t mine = pieces_of(team, node, g.blocks, n);
    const int to = weft_members_leader(team, g.to), word = weft_coll_stage(team, k);
    for (int i = 0; i < mine.n; i++)
      weft_coll_send(team, to, weft_job_offset(dest) + mine.from[i],
                     k == 0 ? own : dest + mine.from[i], mine.bytes[i], word, sent);
    if (k == 0 && own != dest + mine.from[0])
      weft_direct_memcpy(dest + mine.from[0], own, mine.bytes[0]);
    weft_coll_heard(team, word, (uint64_t)pieces_of(team, g.from, g.blocks, n).n);
  }
}

void weft_coll_gather_all(weft_team_t *team, char *dest, const void *source, size_t n) {
  const weft_members_t *m = &team->members;
  const size_t before = (size_t)team->me * n;
  const char *own = source;
  weft_op_t sent = {0};
  weft_coll_next_step(team);
  if (m->locals > 1) {
    char *to = weft_coll_peer(team, weft_members_local(team, 0), weft_job_offset(dest) + before);
    if (m->local == 0) to = dest + before;
    if (to != source) weft_direct_memcpy(to, source, n);
    const uint64_t gen = weft_coll_enter(team);
    if (m->local == 0) weft_coll_entered(team, gen);
    own = dest + before;
  }
  if (m->local == 0) pass_on(team, dest, own, n, &sent);
  weft_coll_from_leader(team, dest, n * (size_t)team->set.size);
  weft_op_wait_on(&weft_channels[0], &sent);
}

/* ---- sizes differ ---------------------------------------------------------------------------- */

/* A node's block of the table: the block's words, members, each with its number and size; then the
 * small parts, each of whole words. */
enum { HEAD = 2, ENTRY = 2, LARGE_STAGE = WEFT_COLL_STAGES - 1 };

/* What a leader tells its node: a post of words. */
enum { TOTAL, LARGE, BEFORE };

typedef struct table {
  weft_team_t *team;
  char *dest;
  const void *source;
  size_t n, small; /* the largest part that travels in the table */
  size_t block;    /* words of a block, at most */
  uintptr_t place; /* slot offset of the landing place */
  uint64_t *words; /* blocks, mine first */
  bool apart;      /* my part, the only one of my block, is not in it: it leaves from its source */
  size_t filled;
  const uint64_t *last; /* the blocks that came in the last stage, which nobody else gets from me */
  size_t last_words;
  uint64_t *sizes; /* of every member; then where its part begins */
} table_t;

static size_t words_of(size_t n) {
  return (n + 7) / 8;
}

/* The largest part that may travel in the table: on a node of several members it is in a post
 * first; and beyond some size copies take longer than the message that they spare. */
static size_t small_most(const weft_team_t *team) {
  enum { WORTHWHILE = 65536 };
  return team->members.most > 1 ? weft_coll_room() : WORTHWHILE;
}

/* Words of a node's block, at most. In the landing place are the blocks of all other nodes, as they
 * come; behind them the table that a leader makes of them; and behind that everybody's sizes. Large
 * ones have room of whole pages: so they begin with a page, which is a good place behind the 48
 * bytes of a write with a note (window/heap.h). */
static size_t block_of(const weft_team_t *team) {
  enum { PAGE = 4096 / sizeof(uint64_t) };
  const size_t words = weft_coll_landing_bytes(team) / 8, size = (size_t)team->set.size;
  const size_t parts = 2 * (size_t)team->members.nodes - 1, most = (size_t)team->members.most;
  const size_t enough = HEAD + most * (ENTRY + words_of(small_most(team)));
  const size_t share = words > size ? (words - size) / parts : 0;
  const size_t block = weft_smaller(share, weft_round_up(enough, PAGE));
  return block < PAGE ? block : block / PAGE * PAGE;
}

bool weft_coll_gathers(const weft_team_t *team) {
  const size_t most = (size_t)team->members.most;
  return block_of(team) >= HEAD + (ENTRY + 1) * most &&
         (BEFORE + most) * sizeof(uint64_t) <= weft_coll_room();
}

/* A block of one member: what stands in front of its part. */
enum { LONE_HEAD = (HEAD + ENTRY) * 8 /* bytes */ };

/* The parts of this node that are small, as posts of this generation show them. */
static void make_block(table_t *t, uint64_t gen) {
  const weft_members_t *m = &t->team->members;
  uint64_t *entry = t->words + HEAD, *data = entry + ENTRY * m->locals;
  t->words[1] = (uint64_t)m->locals;
  for (int k = 0; k < m->locals; k++, entry += ENTRY) {
    const int member = weft_members_local(t->team, k);
    const weft_post_t *post = m->locals > 1 ? weft_coll_await(t->team, member, gen) : NULL;
    entry[0] = (uint64_t)member;
    entry[1] = post ? post->note : t->n;
    if (entry[1] > t->small) continue;
    t->apart = !post && weft_rma_joins(LONE_HEAD, entry[1]);
    if (entry[1] > 0 && !t->apart)
      weft_direct_memcpy(data, post ? post->data : t->source, entry[1]);
    data += words_of(entry[1]);
  }
  t->words[0] = t->filled = (size_t)(data - t->words);
}

static WEFT_COLD void refuse(void) {
  weft_fatal("collect: a damaged table came from another node");
}

/* Is there a block in so many words, with all that it says it has? */
static bool is_block(const table_t *t, const uint64_t *block, size_t room) {
  if (room < HEAD || block[0] > room || block[0] < HEAD) return false;
  size_t left = block[0] - HEAD;
  if (block[1] > left / ENTRY) return false;
  left -= ENTRY * block[1];
  const uint64_t *entry = block + HEAD;
  for (uint64_t k = 0; k < block[1]; k++, entry += ENTRY) {
    if (entry[1] > t->small) continue;
    if (words_of(entry[1]) > left) return false;
    left -= words_of(entry[1]);
  }
  return true;
}

/* Words of `blocks` blocks, which are checked to be within `most` words. */
static size_t measure(const table_t *t, const uint64_t *words, int blocks, size_t most) {
  size_t at = 0;
  for (; blocks > 0 && is_block(t, words + at, most - at); blocks--) at += words[at];
  if (blocks > 0) refuse();
  return at;
}

/* The first stage: my own block alone. In later stages it leaves with others, from the table. */
static void send_own(table_t *t, int to, uintptr_t place, int word, bool last, weft_op_t *sent) {
  if (!t->apart) {
    weft_coll_send(t->team, to, place, t->words, t->filled * 8, word, sent);
    return;
  }
  weft_rma_put_count_joined(weft_set_world(&t->team->set, to), place, t->words, LONE_HEAD,
                            t->source, t->n, t->team->sync + (uintptr_t)word * 8, sent);
  if (last) return;
  weft_direct_memcpy((char *)t->words + LONE_HEAD, t->source, t->n);
  t->apart = false;
}

static void pass_table(table_t *t, weft_op_t *sent) {
  weft_team_t *team = t->team;
  const int node = team->members.node, nodes = team->members.nodes;
  const int stages = weft_gathering_stages(nodes);
  for (int k = 0; k < stages; k++) {
    const weft_gathering_t g = weft_gathering(node, nodes, k);
    const uintptr_t place = t->place + ((size_t)(1 << k) - 1) * t->block * 8;
    const int word = weft_coll_stage(team, k);
    const size_t most = (size_t)g.blocks * t->block;
    const int to = weft_members_leader(team, g.to);
    if (k == 0)
      send_own(t, to, place, word, stages == 1, sent);
    else
      weft_coll_send(team, to, place, t->words, measure(t, t->words, g.blocks, t->filled) * 8, word,
                     sent);
    weft_coll_heard(team, word, 1);
    t->last = (const uint64_t *)(const void *)(weft_job_own() + place);
    t->last_words = measure(t, t->last, g.blocks, most);
    if (k + 1 == stages) break;
    weft_direct_memcpy(t->words + t->filled, t->last, t->last_words * 8);
    t->filled += t->last_words;
  }
}

#define UNKNOWN UINT64_MAX /* a size that no block has named yet */

/* The sizes in some blocks; how many of the parts are large. */
static int read_sizes(const table_t *t, const uint64_t *words, size_t filled) {
  int large = 0;
  for (size_t at = 0; at < filled; at += words[at]) {
    const uint64_t *entry = words + at + HEAD;
    for (uint64_t k = 0; k < words[at + 1]; k++, entry += ENTRY) {
      if (entry[0] >= (uint64_t)t->team->set.size || t->sizes[entry[0]] != UNKNOWN) refuse();
      t->sizes[entry[0]] = entry[1];
      large += entry[1] > t->small;
    }
  }
  return large;
}

/* Sizes become the places where parts begin; the total. */
static size_t add_up(table_t *t) {
  size_t total = 0;
  for (int i = 0; i < t->team->set.size; i++) {
    const size_t n = t->sizes[i];
    if (n == UNKNOWN) refuse();
    t->sizes[i] = total;
    if (__builtin_add_overflow(total, n, &total)) total = SIZE_MAX;
  }
  weft_coll_check_sum(t->dest, t->sizes[t->team->me], t->n, total);
  return total;
}

static void store_small(const table_t *t, const uint64_t *words, size_t filled) {
  for (size_t at = 0; at < filled; at += words[at]) {
    const uint64_t *entry = words + at + HEAD, *data = entry + ENTRY * words[at + 1];
    for (uint64_t k = 0; k < words[at + 1]; k++, entry += ENTRY) {
      if (entry[1] > t->small) continue;
      weft_direct_memcpy(t->dest + t->sizes[entry[0]], data, entry[1]);
      data += words_of(entry[1]);
    }
  }
}

/* My part, to the leaders of all nodes. */
static void put_large(const table_t *t, size_t before, weft_op_t *sent) {
  weft_team_t *team = t->team;
  const weft_members_t *m = &team->members;
  const uintptr_t off = weft_job_offset(t->dest) + before;
  for (int i = 1; i < m->nodes; i++)
    weft_coll_send(team, weft_members_leader(team, (m->node + i) % m->nodes), off, t->source, t->n,
                   weft_coll_stage(team, LARGE_STAGE), sent);
  char *here =
      m->local == 0 ? t->dest + before : weft_coll_peer(team, weft_members_local(team, 0), off);
  if (here != t->source) weft_direct_memcpy(here, t->source, t->n);
}

/* The leader: what its node must know is in `told`. */
static int gather_table(table_t *t, uint64_t gen, uint64_t *told, weft_op_t *sent) {
  const weft_members_t *m = &t->team->members;
  const size_t nodes = (size_t)m->nodes;
  t->place = weft_coll_landing(t->team, t->team->step);
  t->words = (uint64_t *)(void *)(weft_job_own() + t->place) + (nodes - 1) * t->block;
  t->sizes = t->words + nodes * t->block;
  make_block(t, gen);
  pass_table(t, sent);
  for (int i = 0; i < t->team->set.size; i++) t->sizes[i] = UNKNOWN;
  const int mine = read_sizes(t, t->words, t->words[0]);
  const int large = read_sizes(t, t->words + t->words[0], t->filled - t->words[0]) +
                    read_sizes(t, t->last, t->last_words);
  told[TOTAL] = add_up(t);
  told[LARGE] = mine + large > 0;
  for (int k = 0; k < m->locals; k++) told[BEFORE + k] = t->sizes[weft_members_local(t->team, k)];
  if (!t->apart)
    store_small(t, t->words, t->filled);
  else if (t->dest + told[BEFORE] != t->source)
    weft_direct_memcpy(t->dest + told[BEFORE], t->source, t->n);
  store_small(t, t->last, t->last_words);
  return large;
}

void weft_coll_collect_table(weft_team_t *team, char *dest, const void *source, size_t n) {
  const weft_members_t *m = &team->members;
  const size_t block = block_of(team), most = (size_t)m->most;
  table_t t = {.team = team, .dest = dest, .source = source, .n = n, .block = block};
  uint64_t mine[BEFORE + 1], *told = mine, gen = 0;
  weft_op_t sent = {0};
  int large = 0;
  t.small = (block - HEAD - ENTRY * most) / most * 8;
  if (t.small > small_most(team)) t.small = small_most(team);
  weft_coll_next_step(team);
  if (m->locals > 1) {
    gen = weft_coll_enter(team);
    weft_post_t *post = weft_coll_blank(team, gen);
    post->note = n;
    if (n > 0 && n <= t.small) memcpy(post->data, source, n);
    weft_coll_show(post, gen);
  }
  if (m->locals > 1 && m->local == 0) {
    weft_post_t *post = weft_coll_blank(team, gen + 1);
    told = (uint64_t *)(void *)post->data;
    large = gather_table(&t, gen, told, &sent);
    team->known = gen;
    weft_coll_show(post, weft_coll_enter(team));
  } else if (m->local == 0) {
    large = gather_table(&t, gen, told, &sent);
  } else {
    gen = weft_coll_enter(team);
    told = (uint64_t *)(void *)weft_coll_await(team, weft_members_local(team, 0), gen)->data;
  }
  const size_t total = told[TOTAL];
  if (told[LARGE]) {
    if (n > t.small) put_large(&t, told[BEFORE + m->local], &sent);
    if (m->local == 0) weft_coll_heard(team, weft_coll_stage(team, LARGE_STAGE), (uint64_t)large);
    gen = weft_coll_enter(team);
    if (m->local == 0) weft_coll_entered(team, gen);
  }
  weft_coll_from_leader(team, dest, total);
  weft_op_wait_on(&weft_channels[0], &sent);
}
