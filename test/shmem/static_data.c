/*
 * Trap 14: globals and statics of the program are symmetric, initialised or not, function-local
 * too, in a position-independent executable with a random layout; the stack, the private heap,
 * constants of the library and mmap are not.
 */
#include <shmem.h>

#include <stdint.h>

#include "check.h"

int initialised = 42;
int uninitialised[1000];
static char bytes[3] = {1, 2, 3};
static const char *text = "pointers keep their values";

int main(void) {
  static long local = 5;
  int on_stack = 0;
  CHECK(initialised == 42 && local == 5 && bytes[2] == 3 && uninitialised[999] == 0);
  initialised = 43; /* before init: must survive it */
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
  CHECK_EQ(initialised, 43);
  CHECK_STR(text, "pointers keep their values");
  shmem_barrier_all();
  shmem_int_p(&initialised, 100 + me, right);
  shmem_int_p(&uninitialised[999], 200 + me, right);
  shmem_long_p(&local, 300 + me, right);
  shmem_char_p(&bytes[1], (char)me, right);
  shmem_barrier_all();
  CHECK(initialised == 100 + left && uninitialised[999] == 200 + left && local == 300 + left);
  CHECK(bytes[0] == 1 && bytes[1] == left && bytes[2] == 3 && uninitialised[998] == 0);

  for (int pe = 0; pe < n; pe++) {
    CHECK(shmem_addr_accessible(&initialised, pe) && shmem_addr_accessible(uninitialised, pe));
    CHECK(shmem_addr_accessible(&local, pe));
  }
  void *private = malloc(100);
  CHECK(!shmem_addr_accessible(&on_stack, me) && !shmem_addr_accessible(private, me));
  CHECK(!shmem_addr_accessible(&initialised, n) && !shmem_addr_accessible(&initialised, -1));
  CHECK(!shmem_addr_accessible(NULL, me));
  CHECK(shmem_pe_accessible(n - 1) && !shmem_pe_accessible(n) && !shmem_pe_accessible(-1));
  free(private);
  shmem_finalize();
  return 0;
}
