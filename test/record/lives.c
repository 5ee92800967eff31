/*
 * Two lives of the library in one process, a change of directory, and a child that calls in
 * between: each PE puts 8 bytes to its neighbour once in each life. The child's put is nobody's.
 */
#include <shmem.h>
#include <sys/wait.h>

#include "check.h"

static long word;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), right = (me + 1) % shmem_n_pes();
  int status;
  pid_t child = fork();
  if (child == 0) {
    shmem_long_p(&word, 1, me);
    _exit(word == 1 ? 0 : 1);
  }
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  shmem_long_p(&word, 5, right);
  shmem_barrier_all();
  CHECK_EQ(word, 5);
  CHECK_EQ(chdir("/"), 0);
  shmem_finalize();

  shmem_init();
  shmem_long_p(&word, 6, right);
  shmem_barrier_all();
  CHECK_EQ(word, 6);
  shmem_finalize();
  return 0;
}
