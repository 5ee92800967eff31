/* The experiments of the Gemini paper in UPC: puts and gets to changing addresses with one wait at the end, STREAM from a
 * peer (a plain loop, one upc_memget, pieces read ahead by hand; stores and one upc_memput), computing while a put is
 * under way, an exchange, and FT, whose slabs leave in parts or by upc_all_exchange. Thread 0 and thread THREADS / 2 are
 * a pair on two nodes. Prints what bench/run reads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc.h>
#include <upc_collective.h>
#include <upc_nb.h>
#include "ft.h"

enum { MOST = 2 << 20, WORDS = 64 << 10, AREA = 2 * MOST };
shared [] char *shared areas[THREADS];
shared [WORDS] double far_away[THREADS][WORDS];
shared [SIDE * SIDE] complex_t slabs[THREADS][SIDE * SIDE], packed[THREADS][SIDE * SIDE];
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
static double by_memput(int n) {
  double begin = seconds();
  upc_memput(&far_away[peer][0], here, sizeof here);
  upc_fence;
  return n / (seconds() - begin);
}
static double by_stores(int n) {
  double begin = seconds();
  for (int i = 0; i < WORDS; i++) far_away[peer][i] = here[i];
  upc_fence;
  return n / (seconds() - begin);
}

#define SAY(figure, size, value, unit) \
  if (MYTHREAD == 0) printf("%s,%d,%.6g,%s\n", figure, (int)(size), value, unit)

/* How much of a put's time is hidden by a computation as long as it; and how much could be, with any number of
 * processors: what is left of it when upc_memput_nb has returned. */
static void overlap(size_t size) {
  double put = 1e9, both = 1e9, begun = 1e9;
  for (int i = 0; i < 20; i++) {
    double begin = seconds();
    upc_memput(areas[peer], local, size);
    upc_fence;
    put = seconds() - begin < put ? seconds() - begin : put;
  }
  for (int i = 0; i < 20; i++) {
    double begin = seconds();
    upc_handle_t handle = upc_memput_nb(areas[peer], local, size);
    begun = seconds() - begin < begun ? seconds() - begin : begun;
    compute(put);
    upc_sync(handle);
    both = seconds() - begin < both ? seconds() - begin : both;
  }
  SAY("overlap", size, 100 * (2 * put - both) / put, "% hidden");
  SAY("overlap_bound", size, 100 * (1 - begun / put), "%");
}

/* The last ROWS of i rows, to all; its own part last: the others are under way meanwhile. */
enum { ROWS = 64 };
static void send_rows(complex_t *out, int i, int w, int first) {
  for (int k = 1; k <= THREADS; k++) {
    int to = (MYTHREAD + k) % THREADS;
    complex_t *part = out + (to * w + i - ROWS) * w;
    for (int row = i - ROWS; row < i; row++) memcpy(out + (to * w + row) * w, &ft_rows[row][to * w], w * sizeof *out);
    upc_memput_nbi(&slabs[to][(first + i - ROWS) * w], part, ROWS * w * sizeof *out);
  }
}

static double ft(int exchange) { /* transforms a second */
  int w = SIDE / THREADS, first = MYTHREAD * w;
  complex_t *own = (complex_t *)&slabs[MYTHREAD][0], *out = (complex_t *)&packed[MYTHREAD][0];
  upc_barrier;
  double begin = seconds();
  for (int i = 0; i < w; i++) {
    ft_row(i, first + i);
    if (!exchange && (i + 1) % ROWS == 0) send_rows(out, i + 1, w, first);
  }
  if (exchange) {
    ft_pack(out, w, THREADS);
    upc_all_exchange(&slabs[0][0], &packed[0][0], w * w * sizeof *out, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
  } else {
    upc_synci();
    upc_barrier;
  }
  ft_end(own, w);
  upc_barrier;
  return 1 / (seconds() - begin);
}

/* Exchanges a second, each behind a barrier, whose time does not count. The mean of many: the first 16 touch memory of the
 * library for the first time, and the shortest only tells who was late at the barrier. */
static double exchange(shared void *to, shared void *from, size_t size, int n) {
  double time = 0;
  for (int i = 0; i < n; i++) {
    upc_barrier;
    double begin = seconds();
    upc_all_exchange(to, from, size, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    time += seconds() - begin;
  }
  return n / time;
}

int main(void) {
  peer = THREADS / 2;
  areas[MYTHREAD] = upc_alloc(AREA);
  memset((char *)areas[MYTHREAD], 0, AREA);
  upc_barrier;
  for (size_t size = 8; size <= MOST && MYTHREAD == 0; size *= size < 2048 ? 16 : 32) {
    int n = size < 4096 ? 2000 : size < 65536 ? 200 : 20;
    SAY("put_rate", size, best(rate(size, 0, n)), "op/s");
    SAY("get_rate", size, best(rate(size, 1, n)), "op/s");
  }
  if (MYTHREAD == 0) {
    SAY("stream_loop", sizeof here, best(by_loop(1)) * sizeof here, "B/s");
    SAY("stream_memget", sizeof here, best(by_memget(1)) * sizeof here, "B/s");
    SAY("stream_pieces", sizeof here, best(by_pieces(1)) * sizeof here, "B/s");
    SAY("stream_stores", sizeof here, best(by_stores(1)) * sizeof here, "B/s");
    SAY("stream_memput", sizeof here, best(by_memput(1)) * sizeof here, "B/s");
    for (size_t size = 8 << 10; size <= 512 << 10; size *= 8) overlap(size);
  }
  upc_barrier;
  for (size_t size = 1024; size <= MOST / 4; size *= 16) {
    shared void *from = upc_all_alloc(THREADS, size * THREADS), *to = upc_all_alloc(THREADS, size * THREADS);
    double found = best(exchange(to, from, size, 100));
    SAY("exchange", size, found, "1/s");
    upc_all_free(from);
    upc_all_free(to);
  }
  fft_roots(ft_roots, SIDE);
  double by_rows = best(ft(0)), row_result = ft_result(), by_exchange = best(ft(1));
  SAY("ft", 0, by_rows, "1/s");
  SAY("ft_exchange", 0, by_exchange, "1/s");
  SAY("ft_result", 0, row_result, "");
  SAY("ft_exchange_result", 0, ft_result(), "");
  SAY("done", 0, 0.0, "");
  return 0;
}
