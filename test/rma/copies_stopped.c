/*
 * More copies from PE 1 to PE 2 than a provider has room for, and PE 2 is stopped: the port of PE 1
 * serves PE 3 and PE 1 itself meanwhile, and copies from there to PE 0 are not held up. When PE 2
 * goes on all arrive. (PE 0, who asks for them, has no buffer left for PE 1 until then.)
 */
#include <shmem.h>

#include <signal.h>

#include "check.h"
#include "port/port.h"
#include "rma/rma.h"

enum { COPIES = 4000, WORDS = 256, SMALL = 64, LARGE = 1 << 20, OTHERS = 50, ROUNDS = 100 };

static long pid, counts[4], ready, done, source[LARGE], dest[LARGE], beside[OTHERS];

static void copy(int to, long *target, const long *from, size_t words, weft_op_t *op) {
  weft_rma_copy_begin(to, weft_job_offset(target), 1, weft_job_offset(from), words * sizeof *from,
                      op);
}

static void ask(int other) {
  weft_op_t op = {0};
  for (int i = 0; i < COPIES; i++)
    copy(2, &dest[i % SMALL * WORDS], &source[i % SMALL * WORDS], WORDS, &op);
  copy(2, &dest[SMALL * WORDS], &source[SMALL * WORDS], LARGE - SMALL * WORDS, &op);
  weft_op_release(&op);
  shmem_long_p(&ready, 1, other);
  shmem_long_wait_until(&done, SHMEM_CMP_EQ, 2);
  CHECK(!weft_op_is_done(&op));
  CHECK_EQ(kill((pid_t)pid, SIGCONT), 0);
  weft_op_wait(&op);
  shmem_quiet();
}

static void use(int me, int other) {
  weft_op_t op = {0};
  shmem_long_wait_until(&ready, SHMEM_CMP_EQ, 1);
  if (me == 3) {
    shmem_long_p(&ready, 1, other);
    for (int i = 0; i < OTHERS; i++) copy(0, &beside[i], &source[i], 1, &op);
    weft_op_wait(&op);
  }
  for (int i = 0; i < ROUNDS; i++) shmem_long_atomic_fetch_add(&counts[me], 1, other);
  CHECK_EQ(shmem_long_atomic_fetch(&counts[me], other), ROUNDS);
  shmem_long_atomic_add(&done, 1, 0);
  shmem_quiet();
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  for (int i = 0; i < LARGE; i++) source[i] = me == 1 ? i : -1, dest[i] = -2;
  if (me == 2) shmem_long_p(&pid, getpid(), 0);
  shmem_barrier_all();
  if (me == 0) {
    weft_check_stop_process(pid);
    ask(3);
  } else if (me != 2) {
    use(me, 4 - me);
  }
  shmem_barrier_all();
  for (int i = 0; me == 2 && i < LARGE; i++) CHECK_EQ(dest[i], i);
  for (int i = 0; me == 0 && i < OTHERS; i++) CHECK_EQ(beside[i], i);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
