/*
 * A program whose stdin and stdout are closed prints to nobody, not into the memory that the PEs
 * share or to another node. With WEFT_ON_DEATH=continue the process of a port has that memory, too.
 */
#include <shmem.h>
#include <sys/stat.h>

#include "check.h"

static long word;

int main(void) {
  struct stat kind;
  close(STDIN_FILENO);
  close(STDOUT_FILENO);
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  for (int fd = STDIN_FILENO; fd <= STDOUT_FILENO; fd++)
    CHECK(fstat(fd, &kind) == 0 && S_ISCHR(kind.st_mode));
  for (int i = 0; i < 1000; i++) puts("not for the others");
  fflush(stdout);
  shmem_barrier_all();
  shmem_long_atomic_add(&word, me + 1, (me + 1) % n);
  shmem_barrier_all();
  CHECK_EQ(word, (me + n - 1) % n + 1);
  shmem_finalize();
  return 0;
}
