/*
 * Completion and order: location consistency over all ways (trap 9), fences (8, 15), handles (10 to
 * 13), another thread waits (14), a target that computes (7).
 */
#include "armci_test.h"

#include <pthread.h>
#include <time.h>

enum { WORDS = 4096, ROUNDS = 50, HANDLES = 700 };
static long *at[NP_MAX], out[WORDS], in[WORDS];

/* Sizes and forms so that one goes as a word, one packed, one by RMA, one as a flow. */
static void put(int way, long *from, long *to, int proc) {
  int count[2] = {8, WORDS}, stride[1] = {8}, wide[1] = {16};
  switch (way) {
  case 0: ARMCI_Put(from, to, 8, proc); break;
  case 1: ARMCI_Put(from, to, 200, proc); break;
  case 2: ARMCI_Put(from, to, WORDS * 8, proc); break;
  case 3: ARMCI_PutS(from, stride, to, stride, count, 1, proc); break;
  default:
    count[1] = WORDS / 2;
    ARMCI_PutS(from, wide, to, wide, count, 1, proc);
    break;
  }
}

static void each_way_after_each(int proc) {
  const long one = 1;
  long extra;
  for (int r = 0; r < ROUNDS; r++)
    for (int first = 0; first < 5; first++) {
      const int second = (first + r) % 5;
      for (int i = 0; i < WORDS; i++) out[i] = 1000 * r + first;
      put(first, out, at[proc], proc);
      for (int i = 0; i < WORDS; i++) out[i] = 1000 * r + 100 + second;
      put(second, out, at[proc], proc); /* put then put */
      ARMCI_Get(at[proc], in, 8, proc); /* put then get */
      CHECK_EQ(in[0], 1000 * r + 100 + second);
      long scale = 1, add[2] = {5, 5};
      ARMCI_Acc(ARMCI_ACC_LNG, &scale, add, at[proc], 8, proc);       /* put then acc */
      ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &extra, at[proc], 2, proc); /* acc then rmw */
      CHECK_EQ(extra, 1000 * r + 105 + second);
      ARMCI_Acc(ARMCI_ACC_LNG, &scale, add, at[proc], 8, proc); /* rmw then acc then get */
      CHECK_EQ(ARMCI_GetValueLong(at[proc], proc), 1000 * r + 112 + second);
      put(first, out, at[proc], proc); /* acc then put */
      CHECK_EQ(ARMCI_GetValueLong(at[proc], proc), 1000 * r + 100 + second);
      (void)one;
    }
}

/* What is fenced is seen by who is told of it through another process's memory. */
static void fences(void) {
  const int next = (me + 1) % np, before = (me + np - 1) % np;
  for (int r = 1; r <= ROUNDS; r++) {
    for (int i = 0; i < 300; i++) out[i] = r + i;
    put(r % 2 ? 1 : 2, out, at[next] + 0, next);
    if (r % 3)
      ARMCI_Fence(next);
    else
      ARMCI_AllFence();
    armci_msg_snd(r, &r, sizeof r, next);
    armci_msg_rcv(r, &(int){0}, sizeof r, NULL, before);
    for (int i = 0; i < 25; i++) CHECK_EQ(at[me][i], r + i); /* plain loads of one's own */
    ARMCI_Barrier();
  }
  for (int i = 0; i < 20000; i++) ARMCI_AllFence(); /* trap 15: of nothing, costs nothing */
}

static void handles(int proc) {
  static armci_hdl_t h[HANDLES];
  static long got[HANDLES];
  armci_hdl_t many;
  for (int i = 0; i < WORDS; i++) out[i] = 7 * i;
  put(2, out, at[proc], proc);
  memset(h, 0x5a, sizeof h); /* trap 10: contents mean nothing before the first use */
  for (int i = 0; i < HANDLES; i++) ARMCI_NbGet(at[proc] + i, &got[i], 8, proc, &h[i]); /* 12 */
  for (int i = HANDLES - 1; i >= 0; i--) {
    if (i % 2)
      while (ARMCI_Test(&h[i]) != 0) {
      }
    CHECK_EQ(ARMCI_Wait(&h[i]), 0);
    CHECK_EQ(got[i], 7 * i);
    CHECK_EQ(ARMCI_Wait(&h[i]), 0); /* again: at once */
    CHECK_EQ(ARMCI_Test(&h[i]), 0);
  }
  memset(got, 0, sizeof got); /* 11: no handle */
  for (int i = 0; i < HANDLES; i++)
    ARMCI_NbGet(at[proc] + i, &got[i], 8, proc, i % 2 ? NULL : &h[0]);
  ARMCI_WaitAll();
  for (int i = 0; i < HANDLES; i++) CHECK_EQ(got[i], 7 * i);
  memset(got, 0, sizeof got); /* 13: many under one */
  ARMCI_INIT_HANDLE(&many);
  ARMCI_SET_AGGREGATE_HANDLE(&many);
  for (int i = 0; i < HANDLES; i++) ARMCI_NbGet(at[proc] + i, &got[i], 8, proc, &many);
  ARMCI_Wait(&many);
  for (int i = 0; i < HANDLES; i++) CHECK_EQ(got[i], 7 * i);
  ARMCI_UNSET_AGGREGATE_HANDLE(&many);
  memset(got, 0,
         sizeof got); /* the same handle for one after another, only the last is waited for */
  for (int i = 0; i < 5000; i++)
    ARMCI_NbGet(at[proc] + i % HANDLES, &got[i % HANDLES], 8, proc, &many);
  ARMCI_WaitAll();
  for (int i = 0; i < HANDLES; i++) CHECK_EQ(got[i], 7 * i);
}

static void *wait_all(void *arg) {
  ARMCI_WaitAll();
  ARMCI_AllFence();
  return arg;
}

/* Trap 14: implicit operations belong to the process. */
static void other_thread(int proc) {
  pthread_t thread;
  memset(in, 0, sizeof in);
  ARMCI_NbGet(at[proc], in, sizeof in, proc, NULL);
  CHECK_EQ(pthread_create(&thread, NULL, wait_all, NULL), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  for (int i = 0; i < WORDS; i++) CHECK_EQ(in[i], 7 * i);
}

/* Trap 7: process 0 computes, and looks for the end in its own memory only. */
static void silent_target(void) {
  ARMCI_Barrier();
  long *done = at[0] + WORDS - 1, scale = 1, one[2] = {1, 1}, old;
  memset(out, 0, sizeof out);
  if (me == 0) *done = 0, memset(at[0], 0, 64);
  armci_msg_barrier();
  for (int r = 0; me > 0 && r < ROUNDS; r++) {
    ARMCI_Acc(ARMCI_ACC_LNG, &scale, one, at[0], 16, 0);
    ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old, at[0] + 4, 1, 0);
  }
  if (me > 0) {
    ARMCI_Fence(0);
    ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old, done, 1, 0);
  }
  const struct timespec moment = {0, 1000};
  while (me == 0 && __atomic_load_n(done, __ATOMIC_ACQUIRE) < np - 1) nanosleep(&moment, NULL);
  if (me == 0) CHECK(at[0][0] == ROUNDS * (np - 1) && at[0][1] == at[0][0] && at[0][4] == at[0][0]);
  ARMCI_Barrier();
}

int main(int argc, char **argv) {
  armci_begin(&argc, &argv);
  CHECK_EQ(ARMCI_Malloc((void **)at, WORDS * sizeof(long)), 0);
  ARMCI_Barrier();
  for (int k = 0; k < np; k++) {
    const int proc = (me + k) % np;
    each_way_after_each(proc);
    ARMCI_Barrier();
    handles(proc);
    other_thread(proc);
    ARMCI_Barrier();
  }
  fences();
  silent_target();
  ARMCI_Free(at[me]);
  return armci_end();
}
