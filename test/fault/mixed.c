/*
 * test: none
 * PE 1 has a library that lays memory out in another way; mixed.sh judges.
 */
#include <shmem.h>

#include <stdlib.h>
#include <string.h>

size_t __real_weft_inbox_size(void);
size_t __wrap_weft_inbox_size(void);

size_t __wrap_weft_inbox_size(void) {
  const char *rank = getenv("PMI_RANK");
  return __real_weft_inbox_size() + (rank && !strcmp(rank, "1") ? 4096 : 0);
}

int main(void) {
  shmem_init();
  shmem_barrier_all();
  shmem_finalize();
}
