/*
 * Berkeley's transfers of what does not lie together: lists of pieces and of places on several
 * threads, strided regions, both ways and between two other threads, blocking and begun.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lists.h"

#include "check.h"

enum { PIECES = 24, MOST = 700, PART = PIECES * MOST, PHASE = 5 };
static char out[PART], in[PART];
static pts area; /* 2 * N parts on each thread: each thread has two on all threads */

static unsigned any(unsigned n) {
  static unsigned x = 12345;
  x = x * 1664525u + 1013904223u;
  return (x >> 16) % n;
}

/* A place in this thread's k-th part on a thread, with a phase, which does not matter. */
static pts place(int thread, int k, size_t at) {
  const pts p = at_thread(area, thread) + (pts)(2 * ME + k) * PART + at;
  return p | (pts)(at % PHASE) << WEFT_UPC_ADDR_BITS;
}
#define FLAT(p) ((p) & ~WEFT_UPC_PHASE_MASK)

/* One list into pieces of other lengths. */
static size_t cut(piece *to, char *p, size_t bytes) {
  size_t n = 0;
  while (bytes) {
    const size_t some = n == PIECES - 1 || bytes < 2 ? bytes : 1 + any((unsigned)bytes);
    to[n++] = (piece){(uintptr_t)p, some};
    p += some, bytes -= some;
  }
  return n;
}

static void pieces(bool begun) {
  piece there[PIECES], other[PIECES], here[PIECES];
  size_t n = 1 + any(PIECES), bytes = 0;
  for (size_t i = 0; i < n; i++) {
    const size_t length = any(4) ? any(40) : any(MOST);
    there[i] = (piece){place((int)any((unsigned)N), 0, i * MOST), length};
    other[i] = (piece){place((int)any((unsigned)N), 1, i * MOST), length};
    bytes += length;
  }
  for (size_t i = 0; i < bytes; i++) out[i] = (char)any(256);
  size_t m = cut(here, out, bytes);
  if (begun)
    upc_sync(bupc_memput_vlist_async(n, there, m, here));
  else
    bupc_memput_vlist(n, there, m, here);
  handle h[3] = {NULL, begun ? bupc_memcpy_vlist_async(n, other, n, there) : NULL, NULL};
  if (begun)
    bupc_waitsync_some(h, 3), bupc_waitsync_all(h, 3), CHECK(bupc_trysync_all(h, 3));
  else
    bupc_memcpy_vlist(n, other, n, there);
  for (size_t i = 0, at = 0; i < n; at += there[i++].n) {
    char got[MOST];
    upc_memget(got, FLAT(there[i].at), there[i].n);
    CHECK(memcmp(got, out + at, there[i].n) == 0);
  }
  memset(in, 0, bytes);
  m = cut(here, in, bytes);
  if (begun)
    upc_sync(bupc_memget_vlist_async(m, here, n, other));
  else
    bupc_memget_vlist(m, here, n, other);
  CHECK(memcmp(in, out, bytes) == 0);
}

/* n places of `a` bytes there against places of `b` here. */
static void places(size_t n, size_t a, size_t b) {
  uintptr_t there[PIECES], other[PIECES], here[PIECES] = {0};
  const size_t m = n * a / b;
  for (size_t i = 0; i < n; i++) {
    there[i] = place((int)(i / 2 % (size_t)N), 0, i * MOST);
    other[i] = place((int)any((unsigned)N), 1, (n - i) * 200);
  }
  for (size_t i = 0; i < n * a; i++) out[i] = (char)any(256);
  for (size_t i = 0; i < m; i++) here[i] = (uintptr_t)(out + (m - 1 - i) * b);
  bupc_memput_ilist(n, there, a, m, here, b);
  bupc_memcpy_ilist(n, other, a, n, there, a);
  for (size_t i = 0; i < m; i++) here[i] = (uintptr_t)(in + (m - 1 - i) * b);
  upc_sync(bupc_memget_ilist_async(m, here, b, n, other, a));
  CHECK(memcmp(in, out, n * a) == 0);
}

/* Rows of a matrix on `thread`; the same bytes in chunks of another length; planes. */
static void regions(int thread) {
  enum { ROWS = 12, COLUMNS = 9 };
  double matrix[ROWS][COLUMNS], part[ROWS][3], back[ROWS * 3];
  const pts whole = place(thread, 0, 0), copy = place((thread + 1) % N, 1, 0);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) matrix[i][j] = 100 * thread + 10 * i + j;
  upc_memput(FLAT(whole), matrix, sizeof matrix);
  bupc_memget_fstrided((uintptr_t)part, 24, 24, ROWS, whole + 16, 24, sizeof matrix[0], ROWS);
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < 3; j++) CHECK(part[i][j] == matrix[i][j + 2]), part[i][j] += 5;
  upc_sync(bupc_memput_fstrided_async(whole + 16, 8, sizeof matrix[0], ROWS, (uintptr_t)part,
                                      8 * ROWS, 1, 1));
  bupc_memcpy_fstrided(copy, 8, 8, ROWS, whole + 16, 8, sizeof matrix[0], ROWS);
  upc_memget(back, FLAT(copy), ROWS * sizeof *back);
  for (int i = 0; i < ROWS; i++) CHECK(back[i] == part[i / 3][i % 3]);
  const size_t count[] = {16, 2, 3}, strides[] = {sizeof matrix[0], 4 * sizeof matrix[0]};
  const size_t dense[] = {16, 32};
  upc_memput(FLAT(whole), matrix, sizeof matrix);
  bupc_memget_strided((uintptr_t)back, dense, whole + 8, strides, count, 2);
  for (int k = 0; k < 12; k++) CHECK(back[k] == matrix[k / 4 * 4 + k / 2 % 2][1 + k % 2]);
  bupc_memput_strided(whole, strides, (uintptr_t)back, dense, count, 2);
  upc_sync(bupc_memcpy_strided_async(copy, dense, whole, strides, count, 2));
  upc_memget(part, FLAT(copy), 12 * sizeof *back);
  CHECK(memcmp(part, back, 12 * sizeof *back) == 0);
}

static long pids[64];

static void stop_others(bool stopped) {
  for (int t = N - 1; t >= 0; t--) {
    if (upc_cast(at_thread(area, t))) continue;
    if (stopped)
      weft_check_stop_process(pids[t]);
    else
      CHECK_EQ(kill((pid_t)pids[t], SIGCONT), 0);
  }
}

/* A begun list that goes to and fro between two threads of another node returns while that node is
 * stopped: none of its transfers waits for another. */
static void unanswered(int a, int b) {
  enum { TURNS = 8 };
  piece there[TURNS], other[TURNS];
  size_t n = 0;
  for (int i = 0; i < TURNS; i++) {
    const size_t at = (size_t)i * MOST, length = i % 3 ? 40 : MOST;
    there[i] = (piece){place(i % 2 ? a : b, 0, at), length};
    other[i] = (piece){place(i % 2 ? b : a, 1, at), length};
    n += length;
  }
  const piece here = {(uintptr_t)out, n}, got = {(uintptr_t)in, n};
  for (size_t i = 0; i < n; i++) out[i] = (char)any(256);
  for (int kind = 0; kind < 3; kind++) {
    weft_upc_fence();
    stop_others(true);
    handle h = kind == 0   ? bupc_memput_vlist_async(TURNS, there, 1, &here)
               : kind == 1 ? bupc_memcpy_vlist_async(TURNS, other, TURNS, there)
                           : bupc_memget_vlist_async(1, &got, TURNS, other);
    CHECK(h);
    stop_others(false);
    upc_sync(h);
  }
  CHECK(memcmp(in, out, n) == 0);
}

/* Nor does the thread's next access wait for a list of long pieces that is under way. */
static void unordered(int thread) {
  enum { LONG = 4000 };
  const piece there[2] = {{place(thread, 0, 0), LONG}, {place(thread, 0, 2 * LONG), LONG}};
  const piece back = {(uintptr_t)in, 2 * LONG}, here = {(uintptr_t)out, 2 * LONG};
  for (int puts = 0; puts < 2; puts++) {
    weft_upc_fence();
    stop_others(true);
    handle h = puts ? bupc_memput_vlist_async(2, there, 1, &here)
                    : bupc_memget_vlist_async(1, &back, 2, there);
    CHECK(h);
    WEFT_UPC_PUT(long, FLAT(place(thread, 1, 0)), 5);
    stop_others(false);
    upc_sync(h);
  }
}

int main(int argc, char **argv) {
  weft_upc_start(&argc, &argv);
  area = upc_all_alloc((size_t)N, (size_t)(2 * N) * PART);
  for (int i = 0; i < 20; i++) pieces(i % 2);
  places(4, 12, 6), places(6, 8, 24), places(20, 64, 64);
  for (int t = 0; t < N; t++) regions(t);
  bupc_memget_vlist(0, NULL, 0, NULL);
  WEFT_UPC_PUT(long, at_thread(weft_upc_at(&pids[ME], 0, 0), 0), getpid());
  BARRIER();
  if (ME == 0 && !upc_cast(at_thread(area, N - 1))) {
    unanswered(N - 1, N > 2 && !upc_cast(at_thread(area, N - 2)) ? N - 2 : N - 1);
    unordered(N - 1);
  }
  weft_upc_end(0);
}
