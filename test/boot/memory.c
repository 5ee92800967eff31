/*
 * Whether PEs exchange once per node must be decided by all alike. So where a PE lacks the memory
 * for it, it says so, and does not go the other way by itself. test: unit
 */
#include <sys/resource.h>

#include "base/base.h"
#include "boot/boot_internal.h"
#include "check.h"

int main(void) {
  enum { MANY = 1 << 29 };
  const int names[] = {3, 3, 7};
  weft_nodes_t *nodes = NULL;
  weft_boot_t boot = {.pe = 1, .npes = (int)WEFT_ARRAY_LEN(names)};
  CHECK_EQ(weft_nodes_new(&boot, names, &nodes), 0);
  CHECK(nodes != NULL);
  weft_nodes_free(nodes);
  boot.npes = 2; /* one node is as good as two */
  CHECK_EQ(weft_nodes_new(&boot, names, &nodes), 0);
  CHECK(nodes != NULL);
  weft_nodes_free(nodes);
  CHECK_EQ(weft_nodes_new(&(weft_boot_t){.npes = 2}, names + 1, &nodes), 0);
  CHECK(nodes == NULL);
  boot.npes = MANY;
  CHECK_EQ(setrlimit(RLIMIT_AS, &(struct rlimit){MANY, MANY}), 0);
  CHECK_EQ(weft_nodes_new(&boot, names, &nodes), -ENOMEM);
  CHECK(nodes == NULL);
  return 0;
}
