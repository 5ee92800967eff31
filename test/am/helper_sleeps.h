/* What the kernel counts of this process's helper. */
#ifndef HELPER_SLEEPS_H
#define HELPER_SLEEPS_H

#include <dirent.h>

#include "check.h"

static FILE *task_file(const char *task, const char *name) {
  char path[600];
  snprintf(path, sizeof path, "/proc/self/task/%s/%s", task, name);
  return fopen(path, "r");
}

static long sleeps_of(const char *task) {
  char line[256];
  long sleeps = -1;
  FILE *f = task_file(task, "status");
  CHECK(f != NULL);
  while (fgets(line, sizeof line, f)) sscanf(line, "voluntary_ctxt_switches: %ld", &sleeps);
  fclose(f);
  return sleeps;
}

/* How often this process's helper gave the processor up because it had to wait. */
static long helper_sleeps(void) {
  struct dirent *entry;
  DIR *tasks = opendir("/proc/self/task");
  long sleeps = -1;
  CHECK(tasks != NULL);
  while ((entry = readdir(tasks))) {
    char name[64] = "";
    FILE *f = task_file(entry->d_name, "comm");
    if (!f) continue;
    if (fgets(name, sizeof name, f) && strcmp(name, "weft-helper\n") == 0)
      sleeps = sleeps_of(entry->d_name);
    fclose(f);
  }
  closedir(tasks);
  return sleeps;
}

#endif
