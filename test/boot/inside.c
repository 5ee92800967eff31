/*
 * test: none
 * Jobs inside a PE of another one. The argument: "outer", the last PE starts this program as
 * "inner", which is alone, and whose files have the numbers of descriptors that the PE has; "tell",
 * the launcher is told what weftrun understands. inside.sh judges.
 */
#include <shmem.h>

#include <fcntl.h>
#include <sys/stat.h>

#include "boot/boot.h"
#include "check.h"

enum { FILES = 20 };

static void start_inner(const char *program) {
  char command[1024];
  snprintf(command, sizeof command, "exec '%s' inner", program);
  CHECK_EQ(system(command), 0);
}

static void be_inner(void) {
  int fds[FILES];
  char name[512];
  for (int i = 0; i < FILES; i++) {
    snprintf(name, sizeof name, "%s/file.%d", getenv("DIR"), i);
    fds[i] = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  }
  shmem_init();
  CHECK_EQ(shmem_n_pes(), 1);
  shmem_finalize();
  for (int i = 0; i < FILES; i++) CHECK_EQ(lseek(fds[i], 0, SEEK_END), 0);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "inner")) {
    be_inner();
    return 0;
  }
  shmem_init();
  shmem_barrier_all();
  if (!strcmp(what, "outer") && shmem_my_pe() == shmem_n_pes() - 1) start_inner(argv[0]);
  if (!strcmp(what, "tell")) weft_boot_tell_term();
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
