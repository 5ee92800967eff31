/*
 * test: none
 * Locks until there is no room for another one, with an argument on thread 1, by thread 0;
 * shortage.sh judges the line.
 */
#include "runtime.h"

int main(int argc, char **argv) {
  const int dealt = argc > 1;
  weft_upc_start(&argc, &argv);
  for (size_t n = (size_t)1 << 30; dealt && ME == 1 && n > 4096;)
    if (!upc_alloc(n)) n /= 2; /* little is left */
  for (int i = 0;; i++) {
    const pts lock = dealt ? upc_all_lock_alloc() : upc_global_lock_alloc();
    if (dealt && i % N == 0) upc_all_lock_free(lock);
  }
}
