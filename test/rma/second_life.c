/*
 * Where a counter of the provider tells quiet what has arrived, it counts on when OpenSHMEM begins
 * again. PE 1 looks at its memory as soon as PE 0's quiet is over: a word that both share says so.
 */
#include <shmem.h>

#include "check.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>

enum { WORDS = 16, ROUNDS = 50, FIRST = 2000 };
static long words[WORDS], pid, fd; /* symmetric */

/* Memory of PE 0's that does not go through the network. */
static long *share(int me) {
  if (me == 0) {
    const int mine = memfd_create("second_life", 0);
    CHECK(mine >= 0 && ftruncate(mine, 4096) == 0);
    shmem_long_p(&fd, mine, 1);
    shmem_long_p(&pid, getpid(), 1);
    fd = mine, pid = getpid();
  }
  shmem_barrier_all();
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/fd/%ld", pid, fd);
  const int it = open(path, O_RDWR);
  CHECK(it >= 0);
  long *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, it, 0);
  CHECK(p != MAP_FAILED);
  return p;
}

static void wait_for(const long *word, long value) {
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) < value) sched_yield();
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  for (int i = 0; me == 0 && i < FIRST; i++) shmem_long_p(&words[0], i, 1);
  shmem_barrier_all();
  shmem_finalize();
  shmem_init();
  long *told = share(me);
  for (long r = 1; r <= ROUNDS; r++) {
    if (me == 0) {
      for (int i = 0; i < WORDS; i++) shmem_long_p(&words[i], FIRST + r, 1);
      shmem_quiet();
      __atomic_store_n(&told[0], r, __ATOMIC_RELEASE);
      wait_for(&told[1], r);
    } else {
      wait_for(&told[0], r);
      for (int i = 0; i < WORDS; i++)
        CHECK_EQ(__atomic_load_n(&words[i], __ATOMIC_ACQUIRE), FIRST + r);
      __atomic_store_n(&told[1], r, __ATOMIC_RELEASE);
    }
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
