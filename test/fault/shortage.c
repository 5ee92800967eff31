/*
 * test: none
 * No private memory is left for the words that a PE waits on: up to its limit (the argument
 * "limit"), or as the machine has no more ("memory"). limits.sh judges the line.
 */
#include <shmem.h>

#include <string.h>

#include "job/private.h"

bool __real_weft_memory_suffices(size_t from, size_t to, int processes);
bool __wrap_weft_memory_suffices(size_t from, size_t to, int processes);

static bool used_up;

bool __wrap_weft_memory_suffices(size_t from, size_t to, int processes) {
  return !used_up && __real_weft_memory_suffices(from, to, processes);
}

static long lock;

int main(int argc, char **argv) {
  shmem_init();
  used_up = argc > 1 && strcmp(argv[1], "memory") == 0;
  for (size_t piece = 64 << 10; piece >= 16; piece /= 16)
    while (weft_private_alloc(16, piece)) {
    }
  shmem_set_lock(&lock);
  shmem_clear_lock(&lock);
  shmem_finalize();
  return 0;
}
