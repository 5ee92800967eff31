/*
 * test: none
 * Locks until there is no room for another one, with the argument "dealt" on thread 1, by thread 0;
 * or with the name of an allocation, that one twice with too large a size. shortage.sh judges the
 * lines.
 */
#include "runtime.h"

#include "check.h"

pts upc_local_alloc(size_t nblocks, size_t nbytes);

static int allocate(const char *how) {
  const size_t much = (size_t)1 << 31, most = SIZE_MAX / 2;
  for (int i = 0; i < 2; i++) {
    if (!strcmp(how, "all")) CHECK_EQ(upc_all_alloc(N, much), 0);
    if (!strcmp(how, "global")) CHECK_EQ(upc_global_alloc(N, much), 0);
    if (!strcmp(how, "own")) CHECK_EQ(upc_alloc(much), 0);
  }
  if (!strcmp(how, "all-most")) CHECK_EQ(upc_all_alloc(N, most), 0);
  if (!strcmp(how, "global-most") && ME == 1) CHECK_EQ(upc_global_alloc(N, most), 0);
  if (!strcmp(how, "local-most") && ME == 1) CHECK_EQ(upc_local_alloc(most, most), 0);
  CHECK_EQ(upc_all_alloc(0, 8) | upc_global_alloc(N, 0) | upc_alloc(0), 0); /* says nothing */
  return 0;
}

int main(int argc, char **argv) {
  const int dealt = argc > 1;
  weft_upc_start(&argc, &argv);
  if (dealt && strcmp(argv[1], "dealt") != 0) weft_upc_end(allocate(argv[1]));
  for (size_t n = (size_t)1 << 30; dealt && ME == 1 && n > 4096;)
    if (!upc_alloc(n)) n /= 2; /* little is left */
  for (int i = 0;; i++) {
    const pts lock = dealt ? upc_all_lock_alloc() : upc_global_lock_alloc();
    if (dealt && i % N == 0) upc_all_lock_free(lock);
  }
}
