/*
 * test: none
 * The one program that layouts.sh builds in many ways: static data of every kind and the heap are
 * symmetric, and what libc does with memory and processes goes on working around them. Prints
 * nothing when all is well.
 */
#include <shmem.h>
#include <sys/wait.h>

#include "check.h"

static long initialised[4] = {1, 2, 3, 4};
static char
    big[300 << 20]; /* more than all of it would be slow to copy, and is never touched whole */
long common;
static char odd = 'a';
static const long constants[3] = {5, 6, 7};
static const long *const addresses[2] = {&constants[1], &constants[2]};
static const long large_constants[20000] = {[10000] = 8};
static long large_initialised[20000] = {[10000] = 9};

static void check_put(long *at, long value) {
  int me = shmem_my_pe(), npes = shmem_n_pes();
  shmem_long_p(at, value + me, (me + 1) % npes);
  shmem_barrier_all();
  CHECK_EQ(*at, value + (me + npes - 1) % npes);
  CHECK_EQ(shmem_long_g(at, (me + 1) % npes), value + me);
  shmem_barrier_all();
}

/* brk and mmap, before and after the heap grew; a shell; a child of one's own. */
static void use_libc(void) {
  char line[32] = "";
  char *small[200], *large = malloc(8 << 20);
  CHECK(large != NULL);
  memset(large, 1, 8 << 20);
  for (int i = 0; i < 200; i++) CHECK((small[i] = calloc(1, 50000)) != NULL);
  for (int i = 0; i < 200; i++) free(small[i]);
  free(large);
  CHECK(sbrk(1 << 20) != (void *)-1);
  FILE *pipe = popen("echo weft", "r");
  CHECK(pipe && fgets(line, sizeof line, pipe));
  CHECK_STR(line, "weft\n");
  CHECK_EQ(pclose(pipe), 0);
  CHECK_EQ(WEXITSTATUS(system("exit 3")), 3);
}

/* The child sees what the parent had; its stores are its own. It leaves by exit, handlers and all.
 */
static void use_fork(long *heap) {
  heap[0] = common = 7;
  pid_t child = fork();
  if (child == 0) {
    if (common != 7 || heap[0] != 7 || initialised[3] != 4) _exit(9);
    common = heap[0] = initialised[3] = odd = 99;
    char *memory = malloc(1 << 20);
    memset(memory, 1, 1 << 20);
    free(memory);
    exit(common == 99 && heap[0] == 99 ? 5 : 8);
  }
  int status = 0;
  CHECK(child > 0);
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 5);
  CHECK_EQ(common, 7);
  CHECK_EQ(heap[0], 7);
  CHECK_EQ(initialised[3], 4);
  CHECK_EQ(odd, 'a');
}

int main(void) {
  volatile int middle = 10000;
  CHECK_EQ(initialised[2], 3);
  shmem_init();
  CHECK_EQ(initialised[2], 3);
  CHECK_EQ(large_constants[middle], 8);
  CHECK_EQ(large_initialised[middle], 9);
  long *heap = shmem_malloc(1000 * sizeof *heap);
  CHECK(heap != NULL);
  use_libc();
  check_put(&initialised[1], 100);
  check_put(&common, 200);
  check_put((long *)(void *)(big + (200 << 20)), 300);
  check_put(heap + 999, 400);
  check_put(&large_initialised[middle], 450);
  for (int pe = 0; pe < shmem_n_pes(); pe++) {
    const long *address = NULL;
    CHECK_EQ(shmem_long_g(&constants[2], pe), 7);
    shmem_getmem(&address, &addresses[1], sizeof address, pe);
    CHECK(address != NULL);
  }
  use_fork(heap);
  shmem_barrier_all();
  check_put(heap, 500);
  check_put(&common, 600);
  use_libc();
  shmem_free(heap);
  shmem_finalize();
  return 0;
}
