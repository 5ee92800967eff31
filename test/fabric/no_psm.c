/*
 * libfabric is open, but neither of PSM's two libraries, which take 0.1 s each to load
 * (src/fabric/no_psm). With an argument: what stands in for them cannot be used, and is not loaded.
 */
#include <glob.h>
#include <link.h>
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

/* Is a file mapped whose path has this, and not `but`? */
static bool is_mapped(const char *what, const char *but) {
  char line[1024];
  bool is = false;
  FILE *maps = fopen("/proc/self/maps", "r");
  CHECK(maps != NULL);
  while (!is && fgets(line, sizeof line, maps)) is = strstr(line, what) && !strstr(line, but);
  fclose(maps);
  return is;
}

/* A backtrace looks for each library by its name. */
static int find(struct dl_phdr_info *library, size_t size, void *found) {
  (void)size;
  if (!strstr(library->dlpi_name, "libpsm")) return 0;
  CHECK_EQ(access(library->dlpi_name, R_OK), 0);
  ++*(int *)found;
  return 0;
}

int main(int argc, char **argv) {
  (void)argv;
  if (is_there("/dev/ipath*") || is_there("/dev/hfi1*")) CHECK_SKIP("this machine has PSM devices");
  shmem_init();
  CHECK(is_mapped("libfabric.so", "?"));
  if (argc > 1) {
    CHECK(!is_mapped("/weft/libpsm", "?"));
  } else {
    CHECK(!is_mapped("libinfinipath", "?"));
    CHECK(!is_mapped("libpsm", "/weft/libpsm"));
    int found = 0;
    dl_iterate_phdr(find, &found);
    CHECK(found <= 2);
  }
  shmem_finalize();
  return 0;
}
