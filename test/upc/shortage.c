/*
 * test: none
 * Locks until there is no room for another one; shortage.sh judges the line.
 */
#include "runtime.h"

int main(int argc, char **argv) {
  weft_upc_start(&argc, &argv);
  for (;;) upc_global_lock_alloc();
}
