/*
 * A program that was started without a launcher and becomes one, to be started again as a job.
 * Knows which signs a launcher leaves and where Weft's own are installed; what a program's
 * arguments mean is the front ends' business.
 */
#include "base/base.h"
#include "boot/boot_internal.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool weft_boot_is_launched(void) {
  static const char *const signs[] = {"PMI_PORT", "PMIX_RANK"};
  const char *tasks = getenv("SLURM_STEP_NUM_TASKS");
  if (weft_boot_pmi1_is_here() || weft_boot_pmi1_is_lost()) return true;
  if (tasks && atoi(tasks) > 1) return true; /* 1: an interactive shell (srun --pty) is one, too */
  for (size_t i = 0; i < WEFT_ARRAY_LEN(signs); i++)
    if (getenv(signs[i])) return true;
  return weft_boot_mpi_state() != WEFT_MPI_NONE;
}

/* The launcher as it is installed beside the library; else the one of the PATH. */
static const char *find(const char *launcher, char *path, size_t size) {
  Dl_info info;
  if (!dladdr((void *)(uintptr_t)&weft_boot_is_launched, &info) || !info.dli_fname) return launcher;
  snprintf(path, size, "%s", info.dli_fname);
  char *slash = strrchr(path, '/');
  if (!slash) return launcher;
  snprintf(slash, size - (size_t)(slash - path), "/../bin/%s", launcher);
  return access(path, X_OK) == 0 ? path : launcher;
}

void weft_boot_become(const char *launcher, const char *const *options, int narguments,
                      char *const *arguments) {
  char path[PATH_MAX], self[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n <= 0) weft_fatal("cannot find out which program this is: %s", strerror(errno));
  self[n] = 0;
  size_t noptions = 0;
  while (options[noptions]) noptions++;
  const char **argv = calloc(noptions + (size_t)narguments + 3, sizeof *argv);
  if (!argv) weft_fatal("no memory to start %s", self);
  int i = 0;
  argv[i++] = launcher;
  for (size_t o = 0; o < noptions; o++) argv[i++] = options[o];
  argv[i++] = self;
  for (int a = 0; a < narguments; a++) argv[i++] = arguments[a];
  fflush(NULL);
  execvp(find(launcher, path, sizeof path), (char *const *)(uintptr_t)argv);
  weft_fatal("cannot start %s, to start processes of %s: %s", launcher, self, strerror(errno));
}
