/*
 * The symmetric heap has the size that was asked for, ends with NULL and never with a signal, costs
 * nothing until it is used, and is whole again when all is freed.
 */
#include <shmem.h>
#include <sys/personality.h>

#include "check.h"

enum { MB = 1 << 20 };

/* Memory of this process that is there, in bytes. */
static long resident(void) {
  long pages = 0, shared = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  CHECK(f && fscanf(f, "%*d %ld %ld", &pages, &shared) == 2);
  fclose(f);
  return pages * sysconf(_SC_PAGESIZE);
}

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), npes = shmem_n_pes();
  CHECK(shmem_malloc((size_t)97 * MB) == NULL);
  CHECK(shmem_malloc((size_t)1 << 60) == NULL);
  CHECK(shmem_malloc((size_t)-64) == NULL);
  CHECK(shmem_calloc((size_t)1 << 40, (size_t)1 << 40) == NULL);
  long before = resident();
  char *most = shmem_malloc((size_t)95 * MB);
  CHECK(most != NULL);
  CHECK(resident() - before < 16 * MB);
  most[0] = most[95 * MB - 1] = 1;
  CHECK(shmem_malloc(2 * MB) == NULL);
  shmem_free(most);

  char *piece[200];
  int n = 0;
  while ((piece[n] = shmem_malloc(MB))) n++; /* and all PEs agree on how often */
  CHECK(n > 90 && n <= 96);
  for (int i = 0; i < n; i++) memset(piece[i], me + i, MB);
  shmem_barrier_all();
  int next = (me + 1) % npes;
  for (int i = 0; i < n; i++) CHECK_EQ(shmem_char_g(piece[i] + MB - 1, next), (char)(next + i));
  shmem_barrier_all();
  CHECK(shmem_realloc(piece[0], 2 * MB) == NULL);
  CHECK_EQ(piece[0][MB - 1], (char)me);
  for (int i = 0; i < n; i++) shmem_free(piece[i]);
  CHECK((most = shmem_malloc((size_t)95 * MB)) != NULL);
  shmem_free(most);

  /* Beyond a page where the PEs' addresses agree: weftrun asks for that, but not every container
   * permits it. */
  int fixed = personality(0xffffffff) & ADDR_NO_RANDOMIZE;
  for (size_t align = 8; align <= (fixed ? 4 * MB : 4096); align *= 2) {
    char *p = shmem_align(align, 100);
    CHECK(p && (size_t)p % align == 0);
    p[99] = 1;
    shmem_barrier_all();
    shmem_char_p(p + 99, 9, next);
    shmem_barrier_all();
    CHECK_EQ(p[99], 9);
    shmem_free(p);
  }
  shmem_finalize();
  return 0;
}
