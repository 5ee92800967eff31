/*
 * gex_coll.c: GASNet's collectives beside OpenSHMEM's in one job: both front ends are Weft's, so
 * what differs is the way each does them: operations that are cut, queued and polled for, against
 * calls that do nothing else until they are done. Batches alternate; shown is the median batch, in
 * microseconds per operation.
 *
 *   oshcc -O2 -o gex_coll bench/gex_coll.c && weftrun -n 2 [--nodes 2] ./gex_coll
 */
#define GASNET_SEQ
#include <gasnet.h>
#include <gasnet_coll.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BATCHES = 15, MOST = 1 << 20, BATCH_NS = 3000000 };

static gex_TM_t all;
static long *source, *dest;
static size_t bytes;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* ---- one operation each ---- */

static void osh_sync(void) {
  shmem_sync_all();
}
static void gex_barrier(void) {
  gex_Event_Wait(gex_Coll_BarrierNB(all, 0));
}
static void gasnet1_barrier(void) {
  gasnet_barrier(1, 0);
}
static void gex_barrier_8(void) { /* so many under way at a time */
  gex_Event_t events[8];
  for (int i = 0; i < 8; i++) events[i] = gex_Coll_BarrierNB(all, 0);
  gex_Event_WaitAll(events, 8, 0);
}
static void osh_bcast(void) {
  shmem_broadcastmem(SHMEM_TEAM_WORLD, dest, source, bytes, 0);
}
static void gex_bcast(void) {
  gex_Event_Wait(gex_Coll_BroadcastNB(all, 0, dest, source, bytes, 0));
}
static void osh_sum(void) {
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, bytes / 8);
}
static void gex_sum(void) {
  gex_Event_Wait(gex_Coll_ReduceToAllNB(all, dest, source, GEX_DT_I64, 8, bytes / 8, GEX_OP_ADD,
                                        NULL, NULL, 0));
}
static void gex_sum_to_one(void) {
  gex_Event_Wait(gex_Coll_ReduceToOneNB(all, 0, dest, source, GEX_DT_I64, 8, bytes / 8, GEX_OP_ADD,
                                        NULL, NULL, 0));
}

/* ---- measuring ---- */

typedef struct subject {
  const char *name;
  void (*run)(void);
  int weight; /* operations of one call */
  int calls;  /* of a batch, the same on all */
  double times[BATCHES];
} subject_t;

static double batch(const subject_t *s) {
  shmem_barrier_all();
  const double begin = now();
  for (int i = 0; i < s->calls; i++) s->run();
  shmem_sync_all();
  return (now() - begin) / s->calls / s->weight;
}

static int by_time(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure(subject_t *s, int n) {
  static long calls;
  for (int i = 0; i < n; i++) {
    s[i].calls = 20;
    const double each = batch(&s[i]) * s[i].weight;
    long agreed = (long)(BATCH_NS / 1e3 / each) + 1;
    shmem_broadcastmem(SHMEM_TEAM_WORLD, &calls, &agreed, sizeof agreed, 0);
    s[i].calls = (int)calls;
    shmem_barrier_all();
  }
  for (int b = 0; b < BATCHES; b++)
    for (int i = 0; i < n; i++) s[i].times[b] = batch(&s[i]);
  for (int i = 0; i < n; i++) {
    qsort(s[i].times, BATCHES, sizeof *s[i].times, by_time);
    if (shmem_my_pe() == 0) printf("%s,%zu,%.3f,us\n", s[i].name, bytes, s[i].times[BATCHES / 2]);
  }
}

int main(int argc, char **argv) {
  shmem_init();
  if (gex_Client_Init(NULL, NULL, &all, "BENCH", &argc, &argv, GEX_FLAG_USES_GASNET1)) return 1;
  source = shmem_calloc(MOST, 1);
  dest = shmem_calloc(MOST, 1);
  subject_t barriers[] = {{.name = "osh_sync", .run = osh_sync, .weight = 1},
                          {.name = "gex_barrier", .run = gex_barrier, .weight = 1},
                          {.name = "gasnet1_barrier", .run = gasnet1_barrier, .weight = 1},
                          {.name = "gex_barrier_8", .run = gex_barrier_8, .weight = 8}};
  measure(barriers, 4);
  for (bytes = 8; bytes <= MOST; bytes *= bytes < 1024 ? 128 : 32) {
    subject_t data[] = {{.name = "osh_bcast", .run = osh_bcast, .weight = 1},
                        {.name = "gex_bcast", .run = gex_bcast, .weight = 1},
                        {.name = "osh_sum", .run = osh_sum, .weight = 1},
                        {.name = "gex_sum", .run = gex_sum, .weight = 1},
                        {.name = "gex_sum_to_one", .run = gex_sum_to_one, .weight = 1}};
    measure(data, 5);
  }
  shmem_free(source);
  shmem_free(dest);
  shmem_finalize();
  return 0;
}
