/*
 * A program whose operations are known, for the scripts of this folder. What every PE does of its
 * right neighbour:
 *  - 7 puts of 100 longs (5600 bytes), 3 of them nonblocking, 1 on a context; 5 shmem_p of 4 bytes
 *    and 1 of 8; 1 strided put (80 bytes);
 *  - 1 put with signal (80 and 8 bytes), and 1 with nothing to put: each signal is an atomic;
 *  - 2 gets of 1000 bytes; 4 shmem_g of 4;
 *  - 3 fetching adds and 2 adds of 4 bytes; and of PE 0 one swap of 8.
 * And 2 quiets, 1 of them on the context; 1 fence; 4 barriers, 2 sums of 10 ints, 1 broadcast of 64
 * bytes, shmem_finalize; 1 wait; 1 lock.
 *
 * With arguments the last PE ends badly before the last barrier: global_exit, abort or kill, and a
 * folder where the PEs note that they have come so far.
 */
#include <shmem.h>
#include <locale.h>
#include <signal.h>

#include "check.h"

static long block[100], other[100], flag, lock;
static uint64_t signal_word;
static int number, sum[10], part[10], counter;
static char bytes[1000];

static void rma(int right, shmem_ctx_t ctx) {
  for (int i = 0; i < 3; i++) shmem_long_put(block, other, 100, right);
  for (int i = 0; i < 3; i++) shmem_long_put_nbi(block, other, 100, right);
  shmem_ctx_long_put(ctx, block, other, 100, right);
  for (int i = 0; i < 5; i++) shmem_int_p(&number, i, right);
  shmem_long_iput(block, other, 2, 1, 10, right);
  shmem_long_put_signal(block, other, 10, &signal_word, 1, SHMEM_SIGNAL_ADD, right);
  shmem_long_put_signal(block, other, 0, &signal_word, 1, SHMEM_SIGNAL_ADD, right);
  for (int i = 0; i < 2; i++) {
    char here[1000];
    shmem_getmem(here, bytes, sizeof here, right);
  }
  int got = 0;
  for (int i = 0; i < 4; i++) got += shmem_int_g(&number, right);
  CHECK(got >= 0);
}

static void atomics(int right) {
  static long word;
  for (int i = 0; i < 3; i++) shmem_int_atomic_fetch_add(&counter, 1, right);
  for (int i = 0; i < 2; i++) shmem_int_atomic_add(&counter, 1, right);
  shmem_long_atomic_swap(&word, 1, 0);
}

/* All have recorded what was before: a barrier would be one more to record. */
static void meet_in(const char *folder, int me, int n) {
  char name[512];
  snprintf(name, sizeof name, "%s/here.%d", folder, me);
  fclose(fopen(name, "w"));
  for (int pe = 0; pe < n; pe++) {
    snprintf(name, sizeof name, "%s/here.%d", folder, pe);
    CHECK_WITHIN(60, access(name, F_OK) == 0);
  }
}

int main(int argc, char **argv) {
  if (getenv("LOCPATH")) setlocale(LC_ALL, ""); /* trace.sh */
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n;
  shmem_ctx_t ctx;
  CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0);
  shmem_barrier_all();
  rma(right, ctx);
  shmem_quiet();
  shmem_ctx_quiet(ctx);
  shmem_fence();
  atomics(right);
  shmem_barrier_all();
  CHECK_EQ(counter, 5);
  for (int i = 0; i < 2; i++) CHECK(shmem_int_sum_reduce(SHMEM_TEAM_WORLD, sum, part, 10) == 0);
  CHECK(shmem_broadcastmem(SHMEM_TEAM_WORLD, block, other, 64, 0) == 0);
  shmem_long_p(&flag, 1, right); /* a sixth shmem_p, of 8 bytes */
  shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
  shmem_set_lock(&lock);
  shmem_clear_lock(&lock);
  shmem_barrier_all();
  if (argc > 2) meet_in(argv[2], me, n);
  if (argc > 2 && me == n - 1) {
    if (!strcmp(argv[1], "global_exit")) shmem_global_exit(3);
    if (!strcmp(argv[1], "kill")) raise(SIGKILL);
    if (!strcmp(argv[1], "abort")) abort();
  }
  shmem_barrier_all();
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
