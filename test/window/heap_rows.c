/*
 * Many small objects with an alignment, as upc_alloc's and shmem_align's: they lie side by side,
 * and of free blocks that are large enough but lie wrongly an allocation looks at a few only,
 * unless there is no other room. test: unit
 */
#include "window/heap.h"

#include "base/base.h"
#include "check.h"

enum { LIMIT = 1 << 18, MANY = 300, BLOCK = 112, FILL = 65536 };

static _Alignas(65536) char memory[LIMIT];
static weft_heap_t heap;

static void start(void) {
  CHECK_EQ(weft_heap_init(&heap, memory, LIMIT, (uintptr_t)memory, NULL, NULL), 0);
}

static void side_by_side(void) {
  for (size_t align = 32; align <= 128; align *= 2)
    for (size_t size = 1; size <= 300; size += 13) {
      start();
      char *before = weft_heap_alloc(&heap, align, size);
      const size_t step = weft_round_up(16 + weft_round_up(size, 16), align);
      for (int i = 0; i < 20; i++) {
        char *p = weft_heap_alloc(&heap, align, size);
        CHECK_EQ((uintptr_t)p % align, 0);
        CHECK_EQ(p - before, step < 48 ? weft_round_up(48, align) : step);
        CHECK_EQ(weft_heap_size(&heap, p), size);
        before = p;
      }
      CHECK_EQ(weft_heap_check(&heap), 0);
    }
}

/* Free blocks of 128 bytes between live ones. The data of the first begin a cache line, those of
 * the others do not, so an aligned block of 128 fits into the first only. */
static char *make_misfits(void) {
  char *free_later[MANY], *fits;
  start();
  fits = weft_heap_alloc(&heap, 16, BLOCK);
  CHECK_EQ((uintptr_t)fits % 64, 0);
  weft_heap_alloc(&heap, 16, BLOCK);
  weft_heap_alloc(&heap, 16, 1);
  while ((uintptr_t)weft_heap_alloc(&heap, 16, 32) % 64 != 32) {
  }
  for (int i = 0; i < MANY; i++) {
    free_later[i] = weft_heap_alloc(&heap, 16, BLOCK);
    CHECK((uintptr_t)free_later[i] % 64 != 0);
    weft_heap_alloc(&heap, 16, BLOCK);
  }
  CHECK_EQ(weft_heap_free(&heap, fits), 0); /* first, so it is the last of its list */
  for (int i = 0; i < MANY; i++) CHECK_EQ(weft_heap_free(&heap, free_later[i]), 0);
  return fits;
}

int main(void) {
  side_by_side();
  char *fits = make_misfits();
  CHECK((char *)weft_heap_alloc(&heap, 64, BLOCK) > fits + MANY * 256); /* from the end */
  fits = make_misfits();
  for (size_t size = FILL; size > BLOCK; size /= 2) /* no room at the end, nor in a larger block */
    while (weft_heap_alloc(&heap, 16, size)) {
    }
  CHECK(weft_heap_alloc(&heap, 64, BLOCK) == fits);
  CHECK_EQ(weft_heap_check(&heap), 0);
}
