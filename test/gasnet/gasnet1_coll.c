/* The collectives prototype of GASNet-1: every form with addresses of its own or of all, blocking
 * and not, with every mode of synchronisation; several threads are images (argument: how many). */
#define GASNET_PAR
#include <gasnet.h>
#include <gasnet_coll.h>
#include <pthread.h>

#include "team.h"

enum { MOST = 3, LONGEST = 20000, SETS = 6 };
static gasnet_image_t images, here[64], first; /* of all, of each PE, mine begin at */
static unsigned char *memory[MOST][SETS];      /* of each image of this process */
static pthread_barrier_t threads;

/* All wait for all: threads of a process, and processes. */
static void meet(gasnet_image_t local) {
  pthread_barrier_wait(&threads);
  if (local == 0) CHECK_EQ(gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS), GASNET_OK);
  pthread_barrier_wait(&threads);
}

/* Block b of what image `who` gives. */
static void fill(unsigned char *p, size_t n, unsigned who, unsigned b, unsigned round) {
  for (size_t i = 0; i < n; i++) p[i] = byte_of(who * 64 + b, i, round);
}
static void check(const unsigned char *p, size_t n, unsigned who, unsigned b, unsigned round) {
  size_t right = 0;
  while (right < n && p[right] == byte_of(who * 64 + b, right, round)) right++;
  CHECK_EQ(right, n);
}

typedef struct run {
  gasnet_image_t local, mine, root;
  size_t n;
  unsigned round;
  int flags;
} run_t;

#define TEAM GASNET_TEAM_ALL
#define SET(k) memory[r->local][k]
#define LIST(k) ((void *const[]){memory[0][k], memory[1][k], memory[2][k]})
/* Blocking, or nonblocking and in the meantime another one. */
#define CALL(NAME, ...)                                                                            \
  (r->round % 2                                                                                    \
       ? gasnet_coll_##NAME(TEAM, __VA_ARGS__, r->n, r->flags)                                     \
       : gasnet_coll_wait_sync(gasnet_coll_##NAME##_nb(TEAM, __VA_ARGS__, r->n, r->flags)))

static void check_all(const run_t *r) {
  check(SET(1), r->n, r->root, 0, r->round);
  for (gasnet_image_t i = 0; i < images; i++) {
    if (r->mine == r->root) check(SET(2) + i * r->n, r->n, i, 0, r->round);
    check(SET(4) + i * r->n, r->n, i, 0, r->round);
    check(SET(5) + i * r->n, r->n, i, r->mine, r->round);
  }
  check(SET(3), r->n, r->root, r->mine, r->round);
}

/* 0 is given (a block for each image); 1 broadcast, 2 gather, 3 scatter, 4 gather_all, 5 exchange
 * are got. */
static void move(const run_t *r, bool lists) {
  const gasnet_image_t root = r->root;
  const bool I = r->mine == root;
  void *root_src = I ? SET(0) : NULL, *root_dst = I ? SET(2) : NULL;
  if (root >= first && root < first + here[me] && lists)
    root_src = memory[root - first][0], root_dst = memory[root - first][2];
  for (unsigned b = 0; b < images; b++) fill(SET(0) + b * r->n, r->n, r->mine, b, r->round);
  for (int k = 1; k < SETS; k++) memset(SET(k), 0, images * r->n);
  meet(r->local);
  if (lists) {
    CALL(broadcastM, LIST(1), root, root_src);
    CALL(gatherM, root, root_dst, LIST(0));
    CALL(scatterM, LIST(3), root, root_src);
    CALL(gather_allM, LIST(4), LIST(0));
    CALL(exchangeM, LIST(5), LIST(0));
  } else {
    CALL(broadcast, SET(1), root, root_src);
    CALL(gather, root, root_dst, SET(0));
    CALL(scatter, SET(3), root, root_src);
    CALL(gather_all, SET(4), SET(0));
    CALL(exchange, SET(5), SET(0));
  }
  if (r->flags & GASNET_COLL_OUT_NOSYNC) meet(r->local);
  check_all(r);
  meet(r->local);
}

/* All at once, and synced in one of the ways that there are. */
static void together(const run_t *r) {
  for (unsigned b = 0; b < images; b++) fill(SET(0) + b * r->n, r->n, r->mine, b, r->round);
  const int flags = r->flags | (r->round % 5 == 0 ? GASNET_COLL_AGGREGATE : 0);
  const bool I = r->mine == r->root;
  gasnet_coll_handle_t h[5] = {
      gasnet_coll_broadcast_nb(TEAM, SET(1), r->root, I ? SET(0) : NULL, r->n, flags),
      gasnet_coll_gather_nb(TEAM, r->root, I ? SET(2) : NULL, SET(0), r->n, flags),
      gasnet_coll_scatter_nb(TEAM, SET(3), r->root, I ? SET(0) : NULL, r->n, flags),
      gasnet_coll_gather_all_nb(TEAM, SET(4), SET(0), r->n, flags),
      gasnet_coll_exchange_nb(TEAM, SET(5), SET(0), r->n, r->flags)};
  if (flags != r->flags) {
    for (int i = 0; i < 4; i++) CHECK(h[i] == GASNET_COLL_INVALID_HANDLE);
    gasnet_coll_wait_sync_all(h, 5); /* the last one stands for all */
  } else if (r->round % 5 == 1) {
    while (gasnet_coll_try_sync_all(h, 5) != GASNET_OK) continue;
  } else if (r->round % 5 == 2) {
    gasnet_coll_wait_sync_all(h, 5);
  } else if (r->round % 5 == 3) {
    while (h[0] || h[1] || h[2] || h[3] || h[4]) gasnet_coll_wait_sync_some(h, 5);
  } else {
    for (int i = 4; i >= 0; i--)
      while (gasnet_coll_try_sync(h[i]) != GASNET_OK) gasnet_AMPoll();
  }
  meet(r->local);
  check_all(r);
  meet(r->local);
}

static void *image(void *arg) {
  static const int in[] = {GASNET_COLL_IN_NOSYNC, GASNET_COLL_IN_MYSYNC, GASNET_COLL_IN_ALLSYNC};
  static const int out[] = {GASNET_COLL_OUT_NOSYNC, GASNET_COLL_OUT_MYSYNC,
                            GASNET_COLL_OUT_ALLSYNC};
  run_t r = {.local = (gasnet_image_t)(uintptr_t)arg};
  r.mine = first + r.local;
  gasnet_coll_init(here, r.mine, NULL, 0, 0);
  for (r.round = 0; r.round < 18; r.round++) {
    r.n = (size_t[]){1, 8, 300, LONGEST, 0}[r.round % 5];
    r.root = (r.round * 5 + 1) % images;
    r.flags = in[r.round % 3] | out[r.round / 3 % 3] | GASNET_COLL_LOCAL;
    move(&r, false);
    move(&r, true);
    together(&r);
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t thread[MOST];
  start(&argc, &argv);
  for (gex_Rank_t pe = 0; pe < size; pe++) /* not alike everywhere */
    here[pe] = argc > 1 ? 1 + (pe + 1) % (gasnet_image_t)atoi(argv[1]) : 1;
  for (gex_Rank_t pe = 0; pe < size; pe++) images += here[pe];
  for (gex_Rank_t pe = 0; pe < me; pe++) first += here[pe];
  pthread_barrier_init(&threads, NULL, here[me]);
  for (unsigned i = 0; i < here[me] * SETS; i++)
    memory[i / SETS][i % SETS] = malloc(images * LONGEST);
  for (uintptr_t i = 0; i < here[me]; i++) pthread_create(&thread[i], NULL, image, (void *)i);
  for (gasnet_image_t i = 0; i < here[me]; i++) pthread_join(thread[i], NULL);
  gasnet_coll_dumpTuningState(NULL, TEAM);
  gasnet_exit(0);
}
