/*
 * random_space.h: teams, contexts and the heap: made, used and given back by chance.
 */
#ifndef RANDOM_SPACE_H
#define RANDOM_SPACE_H

#include "shmem/random_plan.h"

/* ---- teams ----------------------------------------------------------------------------------- */

/* Known to all PEs; only members have the handle. 0 is the world; behind it are the nodes' own. */
enum { TEAMS = 60 };
static struct team {
  shmem_team_t handle;
  int size, pes[PES], thread; /* its collectives are called by this thread */
  bool is_live;
} teams[TEAMS];
static int nteams, first_split;

static int team_rank(const struct team *t, int pe) {
  for (int k = 0; t->is_live && k < t->size; k++)
    if (t->pes[k] == pe) return k;
  return -1;
}

/* Only such a team has contexts. */
static bool team_is_even(const struct team *t) {
  for (int k = 2; k < t->size; k++)
    if (t->pes[k] - t->pes[k - 1] != t->pes[1] - t->pes[0]) return false;
  return true;
}

static struct team *team_new(int size) {
  int k = first_split;
  while (k < nteams && teams[k].is_live) k++;
  if (k == TEAMS) return NULL;
  if (k == nteams) nteams++;
  teams[k] = (struct team){.size = size, .is_live = true, .thread = k % threads};
  return &teams[k];
}

static int team_room(void) {
  int room = TEAMS - nteams;
  for (int k = first_split; k < nteams; k++) room += !teams[k].is_live;
  return room;
}

static void team_check(const struct team *t) {
  const int rank = team_rank(t, me);
  if (rank < 0) {
    if (t->handle != SHMEM_TEAM_INVALID) fail(NULL, "a team that this PE is not in");
    return;
  }
  if (t->handle == SHMEM_TEAM_INVALID) fail(NULL, "no team");
  if (shmem_team_my_pe(t->handle) != rank || shmem_team_n_pes(t->handle) != t->size)
    fail(NULL, "PE %d of %d in a team, should be %d of %d", shmem_team_my_pe(t->handle),
         shmem_team_n_pes(t->handle), rank, t->size);
  for (int k = 0; k < t->size; k++)
    if (shmem_team_translate_pe(t->handle, k, SHMEM_TEAM_WORLD) != t->pes[k])
      fail(NULL, "PE %d of a team", k);
  for (int pe = 0; pe < n; pe++)
    if (shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, t->handle) != team_rank(t, pe))
      fail(NULL, "number of PE %d in a team", pe);
}

static void teams_begin(void) {
  static int lowest[PES];
  int own = n;
  nteams = 1;
  teams[0] = (struct team){.handle = SHMEM_TEAM_WORLD, .size = n, .is_live = true};
  for (int pe = 0; pe < n; pe++) teams[0].pes[pe] = pe;
  for (int pe = n - 1; pe >= 0; pe--)
    if (shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED) >= 0) own = pe;
  for (int pe = 0; pe < n; pe++) shmem_int_p(&lowest[me], own, pe);
  shmem_barrier_all();
  for (int node = 0; node < n; node++) {
    struct team *t = &teams[nteams];
    *t = (struct team){.is_live = true, .thread = 1 % threads};
    for (int pe = 0; pe < n; pe++)
      if (lowest[pe] == node) t->pes[t->size++] = pe;
    if (team_rank(t, me) >= 0) t->handle = SHMEM_TEAM_SHARED;
    if (t->size > 0) nteams++;
  }
  first_split = nteams;
}

static void team_split(struct team *parent) {
  const int size = 1 + (int)draw((size_t)parent->size), rank = team_rank(parent, me);
  int start = (int)draw((size_t)parent->size), stride = 1 + (int)draw(4),
      room = parent->size - 1 - start;
  if (chance(25)) stride = -stride, room = start;
  const int most = room / abs(stride) + 1;
  struct team *t = team_new(size < most ? size : most);
  shmem_team_config_t config = {.num_contexts = (int)draw(3)};
  for (int k = 0; k < t->size; k++) t->pes[k] = parent->pes[start + k * stride];
  if (rank < 0) return;
  const bool plain = chance(50); /* of members only, the last number of this drawing */
  const int status =
      shmem_team_split_strided(parent->handle, start, stride, t->size, plain ? NULL : &config,
                               plain ? 0 : SHMEM_TEAM_NUM_CONTEXTS, &t->handle);
  if ((status == 0) != (team_rank(t, me) >= 0) && status != 0)
    fail(NULL, "team_split_strided: %d", status);
}

static void team_split_2d(const struct team *parent) {
  const int across = 1 + (int)draw((size_t)parent->size), rank = team_rank(parent, me);
  const int rows = (parent->size + across - 1) / across,
            columns = across < parent->size ? across : parent->size;
  shmem_team_t x = SHMEM_TEAM_INVALID, y = SHMEM_TEAM_INVALID;
  if (rank >= 0 && shmem_team_split_2d(parent->handle, across, NULL, 0, &x, NULL, 0, &y))
    fail(NULL, "team_split_2d");
  for (int row = 0; row < rows; row++) {
    struct team *t = team_new(0);
    for (int k = row * across; k < parent->size && k < (row + 1) * across; k++)
      t->pes[t->size++] = parent->pes[k];
    if (rank >= 0 && rank / across == row) t->handle = x;
    t->thread = 1 % threads; /* teams that a thread meets at once have one */
  }
  for (int column = 0; column < columns; column++) {
    struct team *t = team_new(0);
    for (int k = column; k < parent->size; k += across) t->pes[t->size++] = parent->pes[k];
    if (rank >= 0 && rank % across == column) t->handle = y;
    t->thread = 2 % threads;
  }
}

/* ---- contexts -------------------------------------------------------------------------------- */

/* 0 is the default one; then some for all threads, then each thread's own. */
enum { COMMON = 2, OWN = 2, CONTEXTS = 1 + COMMON + THREADS * OWN };
static struct context {
  shmem_ctx_t handle;
  int team; /* -1: there is none */
  bool in_session;
} contexts[PES][CONTEXTS]; /* handles of one's own only */

/* One of an actor's contexts from which this PE is reached. */
static int context_for(int actor, int pe) {
  const int own = actor / threads, k = (int)draw(1 + COMMON + OWN);
  const int slot = k <= COMMON ? k : k + actor % threads * OWN;
  if (k == 0 || chance(30) || contexts[own][slot].team < 0) return 0;
  return team_rank(&teams[contexts[own][slot].team], pe) >= 0 ? slot : 0;
}

static shmem_ctx_t context_handle(int slot) {
  return slot ? contexts[me][slot].handle : SHMEM_CTX_DEFAULT;
}

static int context_rank(int slot, int pe) {
  return slot ? team_rank(&teams[contexts[me][slot].team], pe) : pe;
}

static void contexts_change(int percent) {
  static const long any[] = {0, SHMEM_CTX_NOSTORE, SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE,
                             SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE};
  for (int pe = 0; pe < n; pe++)
    for (int k = 1; k < 1 + COMMON + threads * OWN; k++) {
      struct context *c = &contexts[pe][k];
      if (!chance((unsigned)percent) && c->team >= 0) continue;
      if (c->team >= 0 && pe == me) {
        shmem_team_t team;
        if (shmem_ctx_get_team(c->handle, &team) || team != teams[c->team].handle)
          fail(NULL, "ctx_get_team");
        shmem_ctx_destroy(c->handle);
      }
      /* PRIVATE: of the thread that makes it, which is the first. */
      const size_t kind = draw(k <= COMMON ? 2 : k <= COMMON + OWN ? 5 : 3);
      const long options = any[kind];
      const int team = chance(40) ? 0 : (int)draw((size_t)nteams);
      const bool plain = team == 0 && chance(50);
      *c = (struct context){.team = -1};
      if (!chance(60) || team_rank(&teams[team], pe) < 0 || !team_is_even(&teams[team])) continue;
      c->team = team;
      if (pe != me) continue;
      const int status = plain ? shmem_ctx_create(options, &c->handle)
                               : shmem_team_create_ctx(teams[team].handle, options, &c->handle);
      if (status) fail(NULL, "no context: %d", status);
    }
}

/* Before a team goes: all that use it. */
static void contexts_leave(int team) {
  for (int pe = 0; pe < n; pe++)
    for (int k = 1; k < CONTEXTS; k++)
      if (contexts[pe][k].team == team) {
        if (pe == me) shmem_ctx_destroy(contexts[pe][k].handle);
        contexts[pe][k].team = -1;
      }
}

static void teams_change(void) {
  for (int k = first_split; k < nteams; k++)
    if (teams[k].is_live && chance(40)) {
      contexts_leave(k);
      if (team_rank(&teams[k], me) >= 0) shmem_team_destroy(teams[k].handle);
      teams[k].is_live = false;
    }
  for (int count = (int)draw(4); count > 0; count--) {
    const int k = (int)draw((size_t)nteams);
    const bool flat = chance(60);
    uint64_t next;
    if (!teams[k].is_live || team_room() < 2 * PES / 2 + 2) continue;
    next = draw64();
    if (flat)
      team_split(&teams[k]);
    else
      team_split_2d(&teams[k]);
    drawn = next;
  }
  for (int k = 0; k < nteams; k++)
    if (teams[k].is_live) team_check(&teams[k]);
}

/* ---- the heap -------------------------------------------------------------------------------- */

static void *allocate(size_t size, size_t *align) {
  const size_t alignment = (size_t)8 << draw(12);
  char *at;
  *align = 8;
  switch (draw(4)) {
  case 0: return shmem_malloc(size);
  case 1: return shmem_malloc_with_hints(size, (long)draw(4));
  case 2: *align = alignment; return shmem_align(alignment, size);
  default:
    at = shmem_calloc(size, 1);
    for (size_t i = 0; at && i < size; i++)
      if (at[i]) fail(NULL, "calloc: byte %zu of %zu is %#x", i, size, at[i]);
    return at;
  }
}

/* What is new in it is this phase's by chance. */
static void region_renew(int k, size_t from) {
  struct region *r = &regions[k];
  char *model = malloc((size_t)n * r->size + 1);
  for (int pe = 0; pe < n; pe++) {
    const size_t old = from ? from : 0;
    char *to = model + (size_t)pe * r->size;
    if (old) memcpy(to, r->model + (size_t)pe * old, old < r->size ? old : r->size);
    if (old < r->size) fill(to + old, r->size - old, (uint64_t)(pe * 100 + k) << 20);
  }
  free(r->model);
  r->model = model;
}

static void region_verify(int k, size_t bytes, const char *when) {
  const struct region *r = &regions[k];
  const size_t at = differs(r->base, model_of(k, me), bytes);
  if (at == SIZE_MAX) return;
  for (int i = 0; i < nitems; i++)
    if (items[i].pe == me &&
        ((items[i].region == k && items[i].at + 16 > at && items[i].at <= at + 16) ||
         (items[i].cell_region == k && items[i].cell_at == at)))
      item_tell(stderr, &items[i]);
  const item_t *best = NULL;
  for (int i = 0; i < nitems; i++)
    if (items[i].pe == me && items[i].region == k && items[i].verb <= AMO && items[i].at <= at &&
        (!best || items[i].at > best->at))
      best = &items[i];
  fail(best, "%s: byte %zu of region %d of %zu is %#x, should be %#x", when, at, k, r->size,
       (unsigned char)r->base[at], (unsigned char)model_of(k, me)[at]);
}

static size_t region_size(size_t most) {
  return 2000 + draw(chance(80) ? most / 8 : most);
}

static void region_allocate(int k, size_t most) {
  size_t align;
  regions[k].size = region_size(most);
  if (k > 0)
    regions[k].base = allocate(regions[k].size, &align);
  else { /* elements of 16 bytes are aligned, in the models too */
    align = 64;
    regions[k].size = regions[k].size / align * align;
    regions[k].base = shmem_align(align, regions[k].size);
  }
  if (!regions[k].base || (uintptr_t)regions[k].base % align)
    fail(NULL, "%p for %zu bytes aligned by %zu", (void *)regions[k].base, regions[k].size, align);
  regions[k].model = NULL;
  region_renew(k, 0);
  memcpy(regions[k].base, regions[k].model + (size_t)me * regions[k].size, regions[k].size);
}

/* Blocks that come and go while operations are under way; each PE's are filled with a byte. */
enum { SPARES = 3 };
static struct spare {
  char *at;
  size_t size;
  char byte;
} spares[SPARES];

static void spare_verify(const item_t *i, const struct spare *s, size_t bytes, char byte) {
  for (size_t k = 0; k < bytes; k++)
    if (s->at[k] != byte) fail(i, "byte %zu of a block of %zu: %#x", k, s->size, (uint8_t)s->at[k]);
}

/* One is allocated, or what it has is looked at and it grows, shrinks or goes. */
static void spare_change(const item_t *i) {
  struct spare *s = &spares[i->value % SPARES];
  const size_t size = 1 + (i->value >> 8) % ((i->value >> 32) % 2 ? 300 : 100000), old = s->size,
               align = (size_t)8 << (i->value >> 36) % 12, how = (i->value >> 40) % 4;
  if (s->at) spare_verify(i, s, old, s->byte);
  if (s->at && how < 2) {
    shmem_free(s->at);
    s->at = NULL;
    return;
  }
  const bool is_new = !s->at;
  s->size = size;
  s->at = !is_new    ? shmem_realloc(s->at, size)
          : how == 0 ? shmem_align(align, size)
          : how == 1 ? shmem_calloc(1, size)
                     : shmem_malloc(size);
  if (!s->at || (is_new && how == 0 && (uintptr_t)s->at % align))
    fail(i, "%p for %zu bytes aligned by %zu", (void *)s->at, size, align);
  if (!is_new) spare_verify(i, s, old < size ? old : size, s->byte);
  if (is_new && how == 1) spare_verify(i, s, size, 0);
  s->byte = (char)(i->value >> 48) ^ (char)me;
  memset(s->at, s->byte, size);
}

static void spares_free(void) {
  for (int k = 0; k < SPARES; k++) {
    shmem_free(spares[k].at);
    spares[k].at = NULL;
  }
}

static void memory_change(size_t most) {
  for (int k = 2; k < REGIONS; k++) {
    struct region *r = &regions[k];
    switch (draw(6)) {
    case 0:
      shmem_free(r->base);
      free(r->model);
      region_allocate(k, most);
      break;
    case 1: {
      const size_t old = r->size;
      r->size = region_size(most);
      r->base = shmem_realloc(r->base, r->size);
      if (!r->base) fail(NULL, "no memory");
      region_renew(k, old);
      region_verify(k, old < r->size ? old : r->size, "realloc");
      memcpy(r->base, model_of(k, me), r->size);
      break;
    }
    case 2: shmem_free(shmem_malloc(draw(100000))); break;
    }
  }
}

#endif
