/*
 * alltoall and alltoalls between nodes. Whole blocks are put to where they belong in dest. Blocks
 * with gaps are packed, land beside dest and are taken from there, segment by segment. Where a node
 * has several members and blocks are small, the leader packs those of its whole node for each other
 * node into one message, and only it need wake up.
 */
#include "coll/coll_internal.h"
#include "coll/posts.h"

enum {
  SEGMENT = WEFT_LOAD, /* bytes of a message of a packed block */
  LEAST = 256      /* of a landing place: with less, elements are put one by one */
};

/* A block between its place and a packed one. */
static void pack(char *to, const char *block, const weft_spread_t *b, size_t n) {
  if (weft_spread_whole(b))
    weft_direct_memcpy(to, block, n * b->width);
  else
    weft_copy_strided(to, block, (ptrdiff_t)b->width, b->from_step, b->width, n);
}
static void unpack(char *block, const char *from, const weft_spread_t *b, size_t n) {
  if (weft_spread_whole(b))
    weft_direct_memcpy(block, from, n * b->width);
  else
    weft_copy_strided(block, from, b->to_step, (ptrdiff_t)b->width, b->width, n);
}

/* Blocks to members of this node, mine too. */
static void copy_here(weft_team_t *team, char *dest, const char *source, const weft_spread_t *b) {
  const weft_members_t *m = &team->members;
  const uintptr_t off = weft_job_offset(dest) + (uintptr_t)(team->me * weft_spread_to(b));
  for (int k = 0; k < m->locals; k++) {
    const int i = weft_members_local(team, (m->local + k) % m->locals);
    const char *block = source + i * weft_spread_from(b);
    char *to = weft_coll_peer(team, i, off);
    if (weft_spread_whole(b))
      weft_direct_memcpy(to, block, b->nelems * b->width);
    else
      weft_copy_strided(to, block, b->to_step, b->from_step, b->width, b->nelems);
  }
}

/* Everybody of this node has written what it has for me. */
static void end(weft_team_t *team) {
  if (team->members.locals > 1) weft_coll_entered(team, weft_coll_enter(team));
}

/* ---- whole blocks, straight to dest ---------------------------------------------------------- */

static void put_whole(weft_team_t *team, char *dest, const char *source, const weft_spread_t *b) {
  const int size = team->set.size, word = weft_coll_stage(team, 0);
  const size_t n = b->nelems * b->width;
  const uintptr_t off = weft_job_offset(dest) + (uintptr_t)team->me * n;
  weft_op_t sent = {0};
  for (int k = 1; k < size; k++) {
    const int i = (team->me + k) % size;
    if (!weft_coll_is_here(team, i))
      weft_coll_send(team, i, off, source + (size_t)i * n, n, word, &sent);
  }
  copy_here(team, dest, source, b);
  weft_coll_heard(team, word, (uint64_t)(size - team->members.locals));
  weft_op_wait_on(&weft_channels[0], &sent);
  end(team);
}

/* ---- blocks with gaps ------------------------------------------------------------------------ */

typedef struct packing {
  weft_team_t *team;
  char *dest, *buffer; /* one piece for each other member */
  const char *source;
  const weft_spread_t *b;
  uintptr_t landing;
  size_t room, segment; /* bytes of a sender's landing place; elements of a message */
} packing_t;

/* Where what a member sends lands at another one, and the word that counts it: its own if there are
 * enough. */
static int place_of(const weft_team_t *team, int from, int to) {
  const int size = team->set.size;
  return (from - to - 1 + size) % size;
}
static int word_of(const weft_team_t *team, int place) {
  return weft_coll_stage(team, team->set.size - 1 <= WEFT_COLL_STAGES ? place : 0);
}

static void send_piece(packing_t *p, int i, size_t at, size_t n, weft_op_t *sent) {
  const size_t width = p->b->width;
  const int place = place_of(p->team, p->team->me, i);
  const char *block = p->source + i * weft_spread_from(p->b);
  char *buffer = p->buffer + (size_t)place * p->room;
  for (size_t k = 0, part; k < n; k += part) {
    part = n - k < p->segment ? n - k : p->segment;
    pack(buffer + k * width, block + (ptrdiff_t)(at + k) * p->b->from_step, p->b, part);
    weft_coll_send(p->team, i, p->landing + (size_t)place * p->room + k * width, buffer + k * width,
                   part * width, word_of(p->team, place), sent);
  }
}

static void take_piece(const packing_t *p, int i, size_t at, size_t n) {
  const size_t width = p->b->width;
  const int place = place_of(p->team, i, p->team->me);
  const char *landed = weft_job_own() + p->landing + (size_t)place * p->room;
  char *block = p->dest + i * weft_spread_to(p->b);
  for (size_t k = 0, part; k < n; k += part) {
    part = n - k < p->segment ? n - k : p->segment;
    if (p->team->set.size - 1 <= WEFT_COLL_STAGES)
      weft_coll_heard(p->team, word_of(p->team, place), 1);
    unpack(block + (ptrdiff_t)(at + k) * p->b->to_step, landed + k * width, p->b, part);
  }
}

/* Elements [at, at + n) of all blocks: one step. */
static void exchange_piece(packing_t *p, size_t at, size_t n) {
  weft_team_t *team = p->team;
  const int size = team->set.size;
  const size_t messages = (n + p->segment - 1) / p->segment;
  weft_op_t sent = {0};
  weft_coll_next_step(team);
  p->landing = weft_coll_landing(team, team->step);
  for (int k = 1; k < size; k++) {
    const int i = (team->me + k) % size;
    if (!weft_coll_is_here(team, i)) send_piece(p, i, at, n, &sent);
  }
  if (at == 0) copy_here(team, p->dest, p->source, p->b);
  if (size - 1 > WEFT_COLL_STAGES)
    weft_coll_heard(team, word_of(team, 0), messages * (size_t)(size - team->members.locals));
  for (int k = 1; k < size; k++) {
    const int i = (team->me + size - k) % size;
    if (!weft_coll_is_here(team, i)) take_piece(p, i, at, n);
  }
  weft_op_wait_on(&weft_channels[0], &sent);
}

static size_t room_bytes(const weft_team_t *team) {
  return weft_coll_landing_bytes(team) / (size_t)(team->set.size - 1) / WEFT_CACHELINE *
         WEFT_CACHELINE;
}

static void put_packed(weft_team_t *team, char *dest, const char *source, const weft_spread_t *b) {
  const size_t most = room_bytes(team) / b->width;
  const size_t piece = b->nelems < most ? b->nelems : most, width = b->width;
  packing_t p = {.team = team, .dest = dest, .source = source, .b = b};
  char small[8192];
  p.room = room_bytes(team);
  p.segment = weft_job.fabric.notes && SEGMENT >= width ? SEGMENT / width : piece;
  /* A block of one piece needs no more of its landing place than it has. */
  if (piece == b->nelems) p.room = weft_round_up(piece * width, WEFT_CACHELINE);
  const size_t bytes = p.room * (size_t)(team->set.size - 1);
  p.buffer = bytes <= sizeof small ? small : malloc(bytes);
  if (!p.buffer) weft_fatal("alltoalls: no memory for %zu bytes", bytes);
  for (size_t at = 0, n; at < b->nelems; at += n) {
    n = b->nelems - at < piece ? b->nelems - at : piece;
    exchange_piece(&p, at, n);
  }
  if (p.buffer != small) free(p.buffer);
  end(team);
}

/* ---- small blocks, by the leaders ------------------------------------------------------------ */

/* Bytes of what one node may send another. */
static size_t part_bytes(const weft_team_t *team) {
  return weft_coll_box_bytes() / (size_t)(team->members.nodes - 1) / WEFT_CACHELINE *
         WEFT_CACHELINE;
}

/* The set's structure is arithmetic, everybody's blocks fit a post, and two nodes' fit a part of
 * the box. */
static bool blocks_fit(const weft_team_t *team, size_t bytes) {
  const weft_members_t *m = &team->members;
  const size_t most = (size_t)m->most;
  return most > 1 && m->kind != WEFT_MEMBERS_LIST &&
         bytes * (size_t)team->set.size <= weft_coll_room() &&
         most * most * bytes <= part_bytes(team);
}

/* What posts of this generation have for another node: of each member here, for each there. */
static size_t pack_for(const weft_team_t *team, int node, uint64_t gen, size_t n, char *to) {
  const weft_members_t *m = &team->members;
  const int there = weft_members_of(m, &team->set, node);
  char *at = to;
  for (int k = 0; k < m->locals; k++) {
    const weft_post_t *post = weft_coll_post_of(team, weft_members_local(team, k), gen);
    for (int i = 0; i < there; i++, at += n)
      memcpy(at, post->data + (size_t)weft_members_in(m, &team->set, node, i) * n, n);
  }
  return (size_t)(at - to);
}

/* A block from a member, at its place in dest of the k-th member here. */
static void place(const weft_team_t *team, int k, int from, char *dest, const char *block,
                  const weft_spread_t *b) {
  char *to = weft_coll_peer(team, weft_members_local(team, k), weft_job_offset(dest));
  unpack(to + from * weft_spread_to(b), block, b, b->nelems);
}

static void lead(weft_team_t *team, char *dest, const weft_spread_t *b, uint64_t gen) {
  const weft_members_t *m = &team->members;
  const size_t n = b->nelems * b->width, part = part_bytes(team);
  const int word = weft_coll_stage(team, 0);
  const uintptr_t box = weft_coll_box(team);
  char buffer[weft_coll_box_bytes()];
  weft_op_t sent = {0};
  for (int k = 1; k < m->locals; k++) weft_coll_await(team, weft_members_local(team, k), gen);
  team->known = gen;
  for (int d = 1; d < m->nodes; d++) {
    const int node = (m->node + d) % m->nodes;
    char *out = buffer + (size_t)(d - 1) * part;
    const size_t bytes = pack_for(team, node, gen, n, out);
    weft_coll_send(team, weft_members_leader(team, node), box + (size_t)(m->nodes - d - 1) * part,
                   out, bytes, word, &sent);
  }
  for (int a = 0; a < m->locals; a++) {
    const int from = weft_members_local(team, a);
    const weft_post_t *post = weft_coll_post_of(team, from, gen);
    for (int k = 0; k < m->locals; k++)
      place(team, k, from, dest, post->data + (size_t)weft_members_local(team, k) * n, b);
  }
  weft_coll_heard(team, word, (uint64_t)(m->nodes - 1));
  for (int d = 1; d < m->nodes; d++) {
    const int node = (m->node + d) % m->nodes, there = weft_members_of(m, &team->set, node);
    const char *block = weft_job_own() + box + (size_t)(d - 1) * part;
    for (int i = 0; i < there; i++)
      for (int k = 0; k < m->locals; k++, block += n)
        place(team, k, weft_members_in(m, &team->set, node, i), dest, block, b);
  }
  weft_op_wait_on(&weft_channels[0], &sent);
}

static void through_leaders(weft_team_t *team, char *dest, const char *source,
                            const weft_spread_t *b) {
  const size_t n = b->nelems * b->width;
  const bool leads = team->members.local == 0;
  const uint64_t gen = weft_coll_enter(team);
  weft_post_t *post = weft_coll_blank(team, gen);
  for (int i = 0; i < team->set.size; i++)
    pack(post->data + (size_t)i * n, source + i * weft_spread_from(b), b, b->nelems);
  weft_coll_show(post, gen);
  if (leads) lead(team, dest, b, gen);
  const uint64_t next = weft_coll_enter(team);
  if (!leads) weft_coll_await_leader(team, next);
}

void weft_coll_alltoall_nodes(weft_team_t *team, char *dest, const char *source,
                              const weft_spread_t *b) {
  const size_t bytes = b->nelems * b->width;
  if (blocks_fit(team, bytes) &&
      weft_choose(WEFT_OP_ALLTOALL_NODES, team->members.nodes, bytes) == WEFT_ALG_BY_LEADERS) {
    weft_coll_next_step(team);
    through_leaders(team, dest, source, b);
  } else if (weft_spread_whole(b)) {
    weft_coll_next_step(team);
    put_whole(team, dest, source, b);
  } else if (room_bytes(team) >= LEAST && room_bytes(team) >= b->width) {
    put_packed(team, dest, source, b);
  } else {
    weft_coll_put_blocks(team, dest, source, b);
  }
}
