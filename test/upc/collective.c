/*
 * Relocalization with all nine synchronisation modes, from and to symmetric memory and memory of
 * one thread, several sizes; back to back without barriers where the mode allows it (trap 35).
 */
#include "runtime.h"

#include "check.h"

enum { MOST = 4000 };
static pts dst, src, one, perm; /* blocks on all threads, and one thread's */
static unsigned long root_memory;

static unsigned char byte(int round, int thread, size_t i) {
  return (unsigned char)(round * 31 + thread * 7 + (int)i);
}
static unsigned char *mine(pts p) {
  return weft_upc_local(at_thread(p, ME));
}
static void fill(pts p, int round, int thread, size_t n) {
  for (size_t i = 0; i < n; i++) mine(p)[i] = byte(round, thread, i);
}
static void expect(pts p, int round, int thread, size_t from, size_t n) {
  for (size_t i = 0; i < n; i++) CHECK_EQ(mine(p)[i], byte(round, thread, from + i));
}
/* NOSYNC means that the program does it. */
static void before(upc_flag_t flags) {
  if (flags & UPC_IN_NOSYNC) BARRIER();
}
static void after(upc_flag_t flags) {
  if (flags & UPC_OUT_NOSYNC) BARRIER();
}

static void one_mode(int round, upc_flag_t flags, size_t n) {
  const int root = round % N;
  const size_t all = n * (size_t)N;
  const pts from = round % 2 ? at_thread(src, root) : one;
  const pts to = round % 2 ? at_thread(dst, root) : one;
  const int home = (int)weft_upc_thread(from);
  if (ME == home) fill(from, round, 1, all);
  before(flags);
  upc_all_broadcast(dst, from, n, flags);
  after(flags);
  expect(dst, round, 1, 0, n);

  if (ME == home) fill(from, round, 2, all);
  before(flags);
  upc_all_scatter(dst, from, n, flags);
  after(flags);
  expect(dst, round, 2, n * (size_t)ME, n);

  fill(src, round, ME, n);
  before(flags);
  upc_all_gather(to, src, n, flags);
  after(flags);
  if (ME == (int)weft_upc_thread(to))
    for (int t = 0; t < N; t++)
      for (size_t i = 0; i < n; i++) CHECK_EQ(mine(to)[n * (size_t)t + i], byte(round, t, i));
  BARRIER();

  fill(src, round, ME, n);
  before(flags);
  upc_all_gather_all(dst, src, n, flags);
  after(flags);
  for (int t = 0; t < N; t++) CHECK_EQ(mine(dst)[n * (size_t)t + n - 1], byte(round, t, n - 1));

  BARRIER();
  fill(src, round, ME, all);
  before(flags);
  upc_all_exchange(dst, src, n, flags);
  after(flags);
  for (int t = 0; t < N; t++) CHECK_EQ(mine(dst)[n * (size_t)t], byte(round, t, n * (size_t)ME));

  BARRIER();
  fill(src, round, ME, n);
  *(int *)(void *)mine(perm) = (ME + round) % N;
  before(flags);
  upc_all_permute(dst, src, perm, n, flags);
  after(flags);
  expect(dst, round, (ME + N - round % N) % N, 0, n);
  BARRIER();
}

/* MYSYNC: nobody touches what the late thread has before it comes, nor afterwards. */
static void late(int round, size_t n) {
  const upc_flag_t flags = UPC_IN_MYSYNC | UPC_OUT_MYSYNC;
  const size_t all = n * (size_t)N;
  const int next = (ME + 1) % N, root = round % N;
  for (int op = 0; op < 6; op++) {
    memset(mine(dst), 1, all);
    memset(mine(src), 2, all);
    BARRIER();
    if (ME == round / N % N) usleep(2000);
    for (size_t i = 0; i < all; i++) CHECK_EQ(mine(dst)[i], 1);
    memset(mine(src), 3, all);
    *(int *)(void *)mine(perm) = next;
    if (op == 0) upc_all_broadcast(dst, at_thread(src, root), n, flags);
    if (op == 1) upc_all_scatter(dst, at_thread(src, root), n, flags);
    if (op == 2) upc_all_gather(at_thread(dst, root), src, n, flags);
    if (op == 3) upc_all_gather_all(dst, src, n, flags);
    if (op == 4) upc_all_exchange(dst, src, n, flags);
    if (op == 5) upc_all_permute(dst, src, perm, n, flags);
    memset(mine(src), 4, all);
    const size_t got = op == 2 && ME != root ? 0 : op < 2 || op == 5 ? n : all;
    for (size_t i = 0; i < all; i++) CHECK_EQ(mine(dst)[i], i < got ? 3 : 1);
    BARRIER();
  }
}

int main(int argc, char **argv) {
  const upc_flag_t in[] = {UPC_IN_NOSYNC, UPC_IN_MYSYNC, UPC_IN_ALLSYNC, 0};
  const upc_flag_t out[] = {UPC_OUT_NOSYNC, UPC_OUT_MYSYNC, UPC_OUT_ALLSYNC, 0};
  const size_t sizes[] = {1, 8, 100, MOST};
  int round = 0;
  weft_upc_start(&argc, &argv);
  dst = upc_all_alloc((size_t)N, (size_t)N * MOST);
  src = upc_all_alloc((size_t)N, (size_t)N * MOST);
  perm = upc_all_alloc((size_t)N, sizeof(int));
  if (ME == N - 1) WEFT_UPC_PUT_COPY(unsigned long, &root_memory, 0, upc_alloc((size_t)N * MOST));
  BARRIER();
  one = WEFT_UPC_GET_COPY(unsigned long, &root_memory, 0);
  for (int i = 0; i < 4; i++)
    for (int o = 0; o < 4; o++) one_mode(round++, in[i] | out[o], sizes[(i + o) % 4]);
  for (int i = 0; i < N * N; i++) late(i, sizes[i % 4]);
  weft_upc_end(0);
}
