/*
 * test: none
 * PE 3 stops, or dies, with leases of the port's spare buffers out; PE 2 shares its node and has
 * much to send to the same port. lease.sh judges. With "stop" PE 2 gets everything through
 * meanwhile, and when PE 3 goes on, so does it.
 */
#include <shmem.h>

#include <signal.h>

#include "check.h"
#include "rma/rma.h"

enum { WORDS = 1 << 20, ROWS = 512, COLUMNS = 64, ROUNDS = 20 };

static long pid;

static void note(int me) {
  char name[512];
  snprintf(name, sizeof name, "%s/pid.%d", getenv("NOTES"), me);
  FILE *f = fopen(name, "w");
  CHECK(f != NULL);
  fprintf(f, "%d\n", (int)getpid());
  fclose(f);
}

/* Every second double of the PE's words. */
static weft_shape_t gaps(uintptr_t base, const size_t *count) {
  static const ptrdiff_t stride = 16;
  return weft_shape_strided(base, 8, 1, count, &stride);
}

static void wait_for(weft_op_t *op) {
  WEFT_WAIT_ON(&weft_channels[0], weft_op_is_done(op));
}

static void lease_and(const char *how, double *target, double *source, const size_t *count) {
  weft_op_t lc = {0}, rc = {0};
  const weft_shape_t remote = gaps(weft_job_offset(target), count),
                     local = gaps((uintptr_t)source, count);
  weft_rma_acc_shape(&remote, &local, WEFT_ACC_DOUBLE, NULL, 0, &lc, &rc, "accumulate");
  WEFT_WAIT_ON(&weft_channels[0], weft_flow_counts().leases >= 6);
  CHECK(weft_observe(&rc.pending) > 0); /* in the middle of it */
  raise(strcmp(how, "stop") ? SIGKILL : SIGSTOP);
  wait_for(&rc);
}

static void send_much(const char *how, double *target, double *source) {
  const size_t count = COLUMNS * ROWS / 2;
  const weft_shape_t remote = gaps(weft_job_offset(target), &count),
                     local = gaps((uintptr_t)source, &count);
  const long process = shmem_long_g(&pid, 3);
  while (!strcmp(how, "stop") && !weft_check_stopped(process)) usleep(1000);
  for (int i = 0; i < ROUNDS; i++) {
    weft_rma_acc_shape(&remote, &local, WEFT_ACC_DOUBLE, NULL, 0, NULL, NULL, "accumulate");
    shmem_quiet();
  }
  if (strcmp(how, "stop") != 0) return;
  CHECK(weft_check_stopped(process));
  CHECK_EQ(kill((pid_t)process, SIGCONT), 0);
}

int main(int argc, char **argv) {
  shmem_init();
  const int me = shmem_my_pe();
  const size_t count = WORDS / 2;
  const char *how = argc > 1 ? argv[1] : "stop";
  double *target[2] = {shmem_calloc(WORDS, 8), shmem_calloc(WORDS, 8)}, *source = malloc(8 * WORDS);
  CHECK(source && target[1] && shmem_n_pes() == 4);
  note(me);
  pid = getpid();
  for (size_t i = 0; i < WORDS; i++) source[i] = (double)i;
  shmem_barrier_all();
  if (me == 2) send_much(how, target[0], source);
  if (me == 3) lease_and(how, target[1], source, &count);
  shmem_barrier_all();
  for (size_t i = 0; me == 0 && i < WORDS; i++) {
    CHECK_EQ(target[0][i], i % 2 == 0 && i < COLUMNS * ROWS ? ROUNDS * (double)i : 0);
    CHECK_EQ(target[1][i], i % 2 == 0 ? (double)i : 0);
  }
  shmem_finalize();
  return 0;
}
