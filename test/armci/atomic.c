/*
 * What is atomic: accumulate of every type from all at once (traps 20, 21), Rmw of both widths and
 * kinds (22) together with the owner's plain stores (7), mutexes (30, 31).
 */
#include "armci_test.h"

enum { N = 300, ROUNDS = 20, TICKETS = 200 };

static const struct {
  int op;
  size_t width;
} types[] = {{ARMCI_ACC_INT, 4}, {ARMCI_ACC_LNG, 8}, {ARMCI_ACC_FLT, 4},
             {ARMCI_ACC_DBL, 8}, {ARMCI_ACC_CPL, 8}, {ARMCI_ACC_DCP, 16}};

/* Element i at p, which need not be aligned. */
static void store(int t, void *p, int i, double re, double im) {
  const int whole = (int)re;
  const long wide = (long)re;
  const float real[2] = {(float)re, (float)im};
  const double pair[2] = {re, im};
  const void *value[] = {&whole, &wide, real, pair, real, pair};
  memcpy((char *)p + (size_t)i * types[t].width, value[t], types[t].width);
}

/* All add, each in another form, to the same elements of process `proc`. Source and scale are not
 * aligned to anything but 4. */
static void accumulate(int proc) {
  static _Alignas(16) char raw[N * 16 + 16], want[N * 16], raw_scale[32];
  char *source = raw + 4, *scale = raw_scale + 4;
  void *all[NP_MAX], *src[N], *dst[N];
  for (int t = 0; t < 6; t++) {
    const int w = (int)types[t].width, n = N * w, pair = t >= 4;
    CHECK_EQ(ARMCI_Malloc(all, n), 0);
    for (int i = 0; i < N; i++) store(t, all[me], i, 0, 0), store(t, source, i, i % 7 + 1, i % 3);
    store(t, scale, 0, 2, pair ? 1 : 0);
    ARMCI_Barrier();
    for (int r = 0; r < ROUNDS; r++) {
      armci_hdl_t h;
      int count[2] = {w, N}, stride[1] = {w};
      int rows[3] = {w * 10, N / 20, 2}, strides[2] = {w * 20, w * 10};
      armci_giov_t v = {.src_ptr_array = src, .dst_ptr_array = dst, .ptr_array_len = N, .bytes = w};
      armci_giov_t lists[3] = {v, {.bytes = w}, v}; /* that between them has nothing */
      lists[0].ptr_array_len = N / 4;
      lists[2].ptr_array_len = N - N / 4;
      lists[2].src_ptr_array += N / 4, lists[2].dst_ptr_array += N / 4;
      for (int i = 0; i < N; i++) src[i] = source + i * w, dst[i] = (char *)all[proc] + i * w;
      switch (r % 5) {
      case 0: ARMCI_Acc(types[t].op, scale, source, all[proc], n, proc); break;
      case 1:
        ARMCI_AccS(types[t].op, scale, source, stride, all[proc], stride, count, 1, proc);
        break;
      case 2: CHECK_EQ(ARMCI_AccV(types[t].op, scale, lists, 3, proc), 0); break;
      case 3:
        ARMCI_NbAccS(types[t].op, scale, source, strides, all[proc], strides, rows, 2, proc, &h);
        ARMCI_Wait(&h);
        break;
      default:
        CHECK_EQ(ARMCI_NbAccV(types[t].op, scale, &lists[1], 1, proc, &h), 0);
        CHECK_EQ(ARMCI_Wait(&h), 0);
        ARMCI_NbAccV(types[t].op, scale, &v, 1, proc, NULL);
        ARMCI_WaitAll();
      }
    }
    ARMCI_Barrier();
    for (int i = 0; i < N; i++) {
      const double x = i % 7 + 1, y = i % 3, k = (double)np * ROUNDS;
      store(t, want, i, pair ? k * (2 * x - y) : k * 2 * x, k * (2 * y + x));
    }
    if (me == proc) CHECK(!memcmp(all[me], want, (size_t)n));
    ARMCI_Barrier();
    ARMCI_Free(all[me]);
  }
}

static void rmw(int proc) {
  long *all[NP_MAX], sum[1] = {0}, old;
  CHECK_EQ(ARMCI_Malloc((void **)all, 64), 0);
  memset(all[me], 0, 64);
  ARMCI_Barrier();
  for (int i = 0; i < TICKETS; i++) {
    ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old, all[proc], 3, proc);
    *sum += old;
  }
  armci_msg_lgop(sum, 1, "+");
  const long total = (long)np * TICKETS;
  CHECK_EQ(*sum, 3 * (total * (total - 1) / 2));
  int small = -1, *p = (int *)(all[proc] + 1);
  for (int i = 0; i < TICKETS; i++) ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &small, p, -1, proc);
  ARMCI_Barrier();
  ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &small, p, 0, proc);
  CHECK_EQ(small, -np * TICKETS);
  CHECK_EQ(ARMCI_GetValueInt(p + 1, proc), 0); /* 4 bytes and no more */
  ARMCI_Barrier();
  ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old, all[proc] + 2, -5, proc); /* sign-extended */
  /* A swap hands one token round: what is put in comes out once. */
  long token = me + 100, seen[1] = {0};
  ARMCI_Rmw(ARMCI_SWAP_LONG, &token, all[proc] + 3, 0, proc);
  int t4 = me + 100, s4[1];
  ARMCI_Rmw(ARMCI_SWAP, &t4, (int *)(all[proc] + 4), 0, proc);
  *seen = token, *s4 = t4;
  armci_msg_lgop(seen, 1, "+");
  armci_msg_igop(s4, 1, "+");
  CHECK_EQ(*seen + ARMCI_GetValueLong(all[proc] + 3, proc), 100L * np + (long)np * (np - 1) / 2);
  CHECK_EQ(*s4 + ARMCI_GetValueInt(all[proc] + 4, proc), 100 * np + np * (np - 1) / 2);
  CHECK_EQ(ARMCI_GetValueLong(all[proc] + 2, proc), -5L * np);
  ARMCI_Barrier();
  if (me == proc) *(volatile long *)all[me] = 1000; /* trap 7: the owner's store, then a barrier */
  armci_msg_barrier();
  ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old, all[proc], 1, proc);
  CHECK(old >= 1000 && old < 1000 + np);
  ARMCI_Barrier();
  ARMCI_Free(all[me]);
}

/* Counts differ from process to process and may be 0; nested locks of different mutexes. */
static void mutexes(void) {
  long *all[NP_MAX];
  CHECK_EQ(ARMCI_Malloc((void **)all, 16), 0);
  memset(all[me], 0, 16);
  for (int life = 0; life < 2; life++) {
    CHECK_EQ(ARMCI_Create_mutexes(me == 0 ? 3 : me % 2), 0);
    for (int i = 0; i < ROUNDS; i++) {
      const int home = np > 1 && i % 2 ? 1 : 0, mutex = home ? 0 : 2;
      ARMCI_Lock(mutex, home);
      ARMCI_Lock(1, 0);
      for (int w = 0; w < 2; w++)
        ARMCI_PutValueLong(ARMCI_GetValueLong(all[home] + w, home) + 1, all[home] + w, home);
      ARMCI_Fence(home); /* trap 31 */
      ARMCI_Unlock(1, 0);
      ARMCI_Unlock(mutex, home);
    }
    ARMCI_Barrier();
    CHECK_EQ(ARMCI_Destroy_mutexes(), 0);
  }
  long sum[1] = {all[me][0]};
  CHECK_EQ(all[me][0], all[me][1]);
  armci_msg_lgop(sum, 1, "+");
  CHECK_EQ(*sum, 2L * np * ROUNDS);
  ARMCI_Free(all[me]);
}

int main(int argc, char **argv) {
  armci_begin(&argc, &argv);
  for (int proc = 0; proc < np; proc += np > 1 ? np - 1 : 1) {
    accumulate(proc);
    rmw(proc);
  }
  mutexes();
  return armci_end();
}
