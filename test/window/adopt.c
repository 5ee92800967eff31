/*
 * The program's own memory that becomes part of the window keeps address and contents, peers see
 * each store to it and it sees theirs; a forked child has a copy of its own; released, it is
 * private again, contents kept.
 */
#include <shmem.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "check.h"
#include "job/job.h"
#include "rma/rma.h"
#include "runtime/runtime.h"

enum { N = 3 << 20, WORDS = N / sizeof(long) };

static uintptr_t published;

static void fork_is_apart(long *mine) {
  mine[7] = 70;
  pid_t child = fork();
  if (child == 0) {
    if (mine[7] != 70 || mine[WORDS - 1] != WORDS - 1) _exit(2);
    mine[7] = 99;
    _exit(mine[7] == 99 ? 0 : 3);
  }
  int status = -1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
  CHECK_EQ(mine[7], 70);
}

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes;
  static char in_window[8192] __attribute__((aligned(4096)));
  void *inside = NULL;
  CHECK_EQ(weft_private_adopt(in_window, sizeof in_window, &inside), 0);
  CHECK(inside == in_window);
  CHECK_EQ(weft_private_release(in_window), -ENOENT);

  for (int round = 0; round < 3; round++) { /* memory of the slot that was used before */
    long *mine = mmap(NULL, N, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(mine != MAP_FAILED);
    for (size_t i = round ? WORDS / 2 : 0; i < WORDS; i++) mine[i] = (long)i;
    CHECK_EQ(weft_private_adopt((char *)mine + 8, 4096, &inside), -EINVAL);
    CHECK_EQ(weft_private_adopt(mine, N, &inside), 0);
    CHECK(inside != mine);
    void *part;
    CHECK_EQ(weft_private_adopt(mine + WORDS / 2, N, &part), -EINVAL);
    CHECK_EQ(weft_private_adopt(mine + WORDS / 2, N / 2, &part), 0);
    CHECK(part == (char *)inside + N / 2);
    CHECK_EQ(weft_private_release(mine + WORDS / 2), 0); /* one of two users */
    for (size_t i = 0; i < WORDS; i++) CHECK_EQ(mine[i], round && i < WORDS / 2 ? 0 : (long)i);
    published = weft_job_offset(inside);
    shmem_barrier_all();
    long value = 4711 + me;
    uintptr_t there = shmem_ulong_g(&published, next);
    if (weft_job_slot(next))
      memcpy(weft_job_slot(next) + there + 24, &value, sizeof value);
    else
      weft_rma_put(next, there + 24, &value, sizeof value);
    weft_rma_quiet();
    shmem_barrier_all();
    CHECK_EQ(mine[3], 4711 + (me + npes - 1) % npes);
    fork_is_apart(mine);
    shmem_barrier_all();
    CHECK_EQ(weft_private_release(mine), 0);
    CHECK_EQ(weft_private_release(mine), -ENOENT);
    CHECK_EQ(mine[3], 4711 + (me + npes - 1) % npes);
    CHECK_EQ(mine[7], 70);
    CHECK_EQ(mine[WORDS - 1], WORDS - 1);
    /* The slot's own memory is others' now: what they write is not seen here. */
    long *again = weft_private_alloc(65536, N);
    CHECK(again == inside);
    memset(again, 0xff, N);
    CHECK_EQ(mine[7], 70);
    weft_private_free(again);
    CHECK_EQ(munmap(mine, N), 0);
  }
  shmem_finalize();
  return 0;
}
