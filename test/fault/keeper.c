/*
 * test: none
 * PE 0 has a lock that the others wait for: it goes to its finalize with it (the argument
 * "finalize"), returns from main ("return"), or gives it up when there is a file of that name.
 * ending.sh and check.sh judge.
 */
#include <shmem.h>

#include <string.h>
#include <unistd.h>

static long lock;

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  shmem_init();
  const int me = shmem_my_pe();
  if (me == 0) shmem_set_lock(&lock);
  shmem_barrier_all();
  if (me == 0 && !strcmp(how, "return")) return 0;
  if (me == 0 && strcmp(how, "finalize") != 0) {
    while (access(how, F_OK)) usleep(10000);
    shmem_clear_lock(&lock);
  }
  if (me != 0) {
    shmem_set_lock(&lock);
    shmem_clear_lock(&lock);
  }
  shmem_finalize();
  return 0;
}
