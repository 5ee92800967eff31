/*
 * A large put brings what it should from any place of a page to any place of another, and nothing
 * beside it. Straight over TCP some go in several writes, as the kernel would copy them slowly:
 * memory of malloc's in two, for one.
 */
#include <shmem.h>

#include "check.h"
#include "port/port.h"

enum { PAGE = 4096, BYTES = 65536 + 24, AROUND = 64, MOST = 128, ROOM = BYTES + 2 * PAGE };

static char *page_of(char *p) {
  return p + (PAGE - (uintptr_t)p % PAGE) % PAGE;
}

static uint32_t writes; /* operations that ended during the last put: its writes, at least */

static void put(char *to, const char *from, int other) {
  const weft_endpoint_t *e = weft_channels[0].endpoint;
  const uint32_t before = weft_peek(&e->completed);
  shmem_putmem(to, from, BYTES, other);
  writes = weft_peek(&e->completed) - before;
  shmem_quiet();
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), other = shmem_n_pes() - 1;
  char *dest = page_of(shmem_malloc(ROOM)), *source = page_of(malloc(ROOM));
  int round = 0;
  for (int x = 0; x <= MOST; x += 8)
    for (int y = 0; y <= MOST; y += 8, round++) {
      const char value = (char)(round % 100 + 1);
      memset(dest, 0, PAGE + BYTES);
      memset(source + x, value, BYTES);
      shmem_barrier_all();
      if (me == 0) put(dest + AROUND + y, source + x, other);
      shmem_barrier_all();
      const char *p = dest + AROUND + y;
      for (long k = -AROUND; me == other && k < BYTES + AROUND; k++)
        CHECK_EQ(p[k], k >= 0 && k < BYTES ? value : 0);
      shmem_barrier_all();
    }
  if (me == 0 && weft_fabric_is_stream(weft_job.fabric.name)) {
    put(dest + PAGE / 2, source + 16, other);
    CHECK(writes >= 2);
    put(dest + 64, source + 64, other);
    CHECK(writes >= 3);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
