/*
 * A library that begins without /proc/kallsyms (src/fabric/kallsyms.c): this program's own calls of
 * fopen stand for the library's. And libfabric itself, which then reads little when it is opened.
 */
#include "fabric/fabric_internal.h"

#include <dirent.h>

#include "check.h"

static bool found_while_it_begins, found_another;

static bool can_open(const char *path) {
  FILE *f = fopen(path, "r");
  if (f) fclose(f);
  return f != NULL;
}
static void begin(void) {
  found_while_it_begins = can_open("/proc/kallsyms");
  found_another = can_open("/proc/self/io");
}

static size_t bytes_read(void) {
  size_t bytes = 0;
  FILE *f = fopen("/proc/self/io", "r");
  CHECK(f != NULL);
  CHECK_EQ(fscanf(f, "rchar: %zu", &bytes), 1);
  fclose(f);
  return bytes;
}

int main(void) {
  DIR *devices = opendir("/sys/class/infiniband");
  if (devices || !can_open("/proc/kallsyms"))
    CHECK_SKIP("this machine has RDMA devices, or no /proc/kallsyms");
  weft_fabric_without_kallsyms((void *)main, begin);
  CHECK(!found_while_it_begins);
  CHECK(found_another);
  CHECK(can_open("/proc/kallsyms"));

  weft_fabric_t fabric;
  const size_t before = bytes_read();
  CHECK_EQ(weft_options_read(), 0);
  CHECK_EQ(weft_fabric_find(&fabric, "auto", NULL, "auto"), 0);
  CHECK_EQ(weft_fabric_open(&fabric), 0);
  CHECK(bytes_read() - before < 2000000); /* the file has over 5,000,000, and is read twice */
  weft_fabric_close(&fabric);
  return 0;
}
