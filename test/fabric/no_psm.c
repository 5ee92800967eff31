/*
 * libfabric is open, but not PSM's libraries, of whose two the constructors measure the processor's
 * clock for 0.1 s each (src/fabric/no_psm). With an argument: Weft's own in their place belong to
 * another user, and are not loaded.
 */
#include <glob.h>
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

static bool is_there(const char *pattern) {
  glob_t found;
  const bool is = glob(pattern, 0, NULL, &found) == 0;
  globfree(&found);
  return is;
}

static bool is_mapped(const char *what) {
  char line[1024];
  bool is = false;
  FILE *maps = fopen("/proc/self/maps", "r");
  CHECK(maps != NULL);
  while (!is && fgets(line, sizeof line, maps)) is = strstr(line, what) != NULL;
  fclose(maps);
  return is;
}

int main(int argc, char **argv) {
  (void)argv;
  shmem_init();
  if (is_there("/dev/ipath*") || is_there("/dev/hfi1*")) CHECK_SKIP("this machine has PSM devices");
  CHECK(is_mapped("libfabric.so"));
  if (argc > 1) {
    CHECK(!is_mapped("/weft/libpsm"));
  } else {
    CHECK(!is_mapped("libinfinipath"));
    CHECK(!is_mapped("libpsm") || is_mapped("/weft/libpsm"));
  }
  shmem_finalize();
  return 0;
}
