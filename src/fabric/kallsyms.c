/*
 * The verbs provider begins by reading all of /proc/kallsyms, once or twice, to find out whether
 * the kernel can register the memory of GPUs. With libfabric 1.17 that takes 0.1 s of a
 * processor's time in every process, more than all else that a start takes, and no option of
 * libfabric spares it. On a machine without RDMA devices the answer means nothing: while libfabric
 * begins there, its own fopen does not find that file. Knows no providers.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "fabric/fabric_internal.h"

static FILE *(*real_fopen)(const char *path, const char *mode);

static FILE *open_but_kallsyms(const char *path, const char *mode) {
  if (strcmp(path, "/proc/kallsyms") != 0) return real_fopen(path, mode);
  errno = ENOENT;
  return NULL;
}

static bool has_rdma_device(void) {
  DIR *devices = opendir("/sys/class/infiniband");
  bool found = false;
  for (struct dirent *e; devices && !found && (e = readdir(devices));) found = e->d_name[0] != '.';
  if (devices) closedir(devices);
  return found;
}

void weft_fabric_without_kallsyms(const void *function, void (*begin)(void)) {
  *(void **)&real_fopen = has_rdma_device() ? NULL : weft_calls_set(function, "fopen", NULL);
  const bool changed =
      real_fopen && weft_calls_set(function, "fopen", (void *)open_but_kallsyms) != NULL;
  begin();
  if (changed) weft_calls_set(function, "fopen", *(void **)&real_fopen);
}
