/* The experiments of the Gemini paper in UPC: puts and gets to changing addresses with one wait at the end, STREAM from a
 * peer (a plain loop, one upc_memget, pieces read ahead by hand), random access by a plain statement, computing while a
 * put is under way, an exchange. Thread 0 and thread THREADS / 2 are a pair on two nodes. Prints "figure,bytes,value". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc.h>
#include <upc_collective.h>
#include <upc_nb.h>
#include "clock.h"

enum { MOST = 2 << 20, WORDS = 64 << 10, TABLE = 1 << 16, UPDATES = 4096, AREA = 2 * MOST };
shared [] char *shared areas[THREADS];
shared [WORDS] double far_away[THREADS][WORDS];
shared unsigned long table[TABLE * THREADS];
static char local[AREA];
static double here[WORDS];
static int peer;

static double rate(size_t size, int get, int n) { /* operations a second */
  shared [] char *area = areas[peer];
  double begin = seconds();
  for (int i = 0; i < n; i++) {
    size_t at = (size_t)i * size % MOST;
    if (get)
      upc_memget_nbi(local + at, area + at, size);
    else
      upc_memput_nbi(area + at, local + at, size);
  }
  upc_synci();
  return n / (seconds() - begin);
}

static double by_loop(int n) {
  double begin = seconds();
  for (int i = 0; i < WORDS; i++) here[i] = far_away[peer][i];
  return n / (seconds() - begin);
}
static double by_memget(int n) {
  double begin = seconds();
  upc_memget(here, &far_away[peer][0], sizeof here);
  return n / (seconds() - begin);
}
static double by_pieces(int n) { /* pieces of 8 KB, two under way */
  enum { PIECE = 1024 };
  upc_handle_t under_way[2];
  double begin = seconds();
  under_way[0] = upc_memget_nb(here, &far_away[peer][0], PIECE * 8);
  for (int p = 0; p < WORDS / PIECE; p++) {
    if (p + 1 < WORDS / PIECE)
      under_way[(p + 1) % 2] = upc_memget_nb(here + (p + 1) * PIECE, &far_away[peer][(p + 1) * PIECE], PIECE * 8);
    upc_sync(under_way[p % 2]);
  }
  return n / (seconds() - begin);
}
static double by_stores(int n) {
  double begin = seconds();
  for (int i = 0; i < WORDS; i++) far_away[peer][i] = here[i];
  upc_fence;
  return n / (seconds() - begin);
}

static double updates(void) {
  unsigned long x = 1234567u + (unsigned long)MYTHREAD;
  double begin = seconds();
  for (int i = 0; i < UPDATES; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    table[(x >> 33) % (TABLE * THREADS)] ^= x;
  }
  upc_fence;
  return UPDATES / (seconds() - begin);
}

/* How much of a put's time is hidden by a computation as long as it. */
static double overlap(size_t size) {
  double put = 1e9, both = 1e9;
  for (int i = 0; i < 20; i++) {
    double begin = seconds();
    upc_memput(areas[peer], local, size);
    upc_fence;
    put = seconds() - begin < put ? seconds() - begin : put;
  }
  for (int i = 0; i < 20; i++) {
    double begin = seconds();
    upc_handle_t handle = upc_memput_nb(areas[peer], local, size);
    compute(put);
    upc_sync(handle);
    both = seconds() - begin < both ? seconds() - begin : both;
  }
  return 100 * (2 * put - both) / put;
}

int main(void) {
  peer = THREADS / 2;
  areas[MYTHREAD] = upc_alloc(AREA);
  memset((char *)areas[MYTHREAD], 0, AREA);
  upc_barrier;
  for (size_t size = 8; size <= MOST; size *= size < 2048 ? 16 : 32) {
    int n = size < 4096 ? 2000 : size < 65536 ? 200 : 20;
    for (int get = 0; get < 2; get++)
      if (MYTHREAD == 0) printf("%s,%zu,%.6g\n", get ? "get_rate" : "put_rate", size, best(rate(size, get, n)));
  }
  if (MYTHREAD == 0) {
    printf("stream_loop,%d,%.6g\n", (int)sizeof here, best(by_loop(1)) * sizeof here);
    printf("stream_memget,%d,%.6g\n", (int)sizeof here, best(by_memget(1)) * sizeof here);
    printf("stream_pieces,%d,%.6g\n", (int)sizeof here, best(by_pieces(1)) * sizeof here);
    printf("stream_stores,%d,%.6g\n", (int)sizeof here, best(by_stores(1)) * sizeof here);
    for (size_t size = 8 << 10; size <= 512 << 10; size *= 8) printf("overlap,%zu,%.6g\n", size, overlap(size));
  }
  upc_barrier;
  double u = best(updates());
  if (MYTHREAD == 0) printf("updates,8,%.6g\n", u);
  for (size_t size = 1024; size <= MOST / 4; size *= 16) {
    shared void *from = upc_all_alloc(THREADS, size * THREADS), *to = upc_all_alloc(THREADS, size * THREADS);
    double begin, e = 0;
    for (int i = 0; i < 5; i++) {
      upc_barrier;
      begin = seconds();
      upc_all_exchange(to, from, size, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
      e = 1 / (seconds() - begin) > e ? 1 / (seconds() - begin) : e;
    }
    if (MYTHREAD == 0) printf("exchange,%zu,%.6g\n", size, e);
    upc_all_free(from);
    upc_all_free(to);
  }
  return 0;
}
