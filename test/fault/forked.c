/*
 * test: none
 * WEFT_ON_DEATH=continue: how the process of a node's port begins (job/porter.c). It needs a
 * libfabric of its own, so a PE has none before it has forked that process. With "fails" the second
 * of the two forks fails, as where there may be no more processes; with "full" there is no memory
 * for the static data of the first. porter.sh judges.
 */
#include <shmem.h>
#include <sys/resource.h>

#include "check.h"
#include "fabric/fabric.h"

static int forks;
static bool fails, full;

pid_t __real_weft_window_fork_sharing(void);
pid_t __wrap_weft_window_fork_sharing(void);
int __real_weft_fabric_find(weft_fabric_t *f, const char *provider, const char *iface,
                            const char *completion);
int __wrap_weft_fabric_find(weft_fabric_t *f, const char *provider, const char *iface,
                            const char *completion);

pid_t __wrap_weft_window_fork_sharing(void) {
  if (full) CHECK_EQ(setrlimit(RLIMIT_AS, &(struct rlimit){0, RLIM_INFINITY}), 0);
  if (++forks < 2 || !fails) return __real_weft_window_fork_sharing();
  errno = EAGAIN;
  return -1;
}

int __wrap_weft_fabric_find(weft_fabric_t *f, const char *provider, const char *iface,
                            const char *completion) {
  CHECK(forks > 0);
  return __real_weft_fabric_find(f, provider, iface, completion);
}

int main(int argc, char **argv) {
  fails = argc > 1 && strcmp(argv[1], "fails") == 0;
  full = argc > 1 && strcmp(argv[1], "full") == 0;
  shmem_init();
  shmem_finalize();
  return 0;
}
