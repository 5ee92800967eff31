/*
 * A long random sequence of calls against a model: contents never overlap, every answer agrees with
 * the model, the invariants hold, and a second heap in a range that grows by other means gives the
 * same offsets. The first heap lives in memory that is mapped twice, and the calls go to either
 * mapping. test: unit
 */
#include "window/heap.h"

#include <sys/mman.h>

#include "base/base.h"
#include "check.h"

#define LIMIT (1 << 20)
#define PIECES 300
#define STEPS 60000

struct piece {
  size_t off, size;
  unsigned char fill;
};

static struct piece piece[PIECES];
static size_t used;
static uint64_t seed = 20260101;
static char *view[2], *twin;
static weft_heap_t heap[2], twin_heap;
static size_t usable;

static unsigned dice(unsigned sides) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(seed >> 33) % sides;
}

static int reserve(void *arg, size_t from, size_t to) {
  (void)arg;
  CHECK_EQ(from, usable);
  /* What is not reserved is not there: touching it would be fatal. */
  CHECK(mprotect(view[0] + from, to - from, PROT_READ | PROT_WRITE) == 0);
  CHECK(mprotect(view[1] + from, to - from, PROT_READ | PROT_WRITE) == 0);
  usable = to;
  return 0;
}

static void start(void) {
  int fd = memfd_create("heap", 0);
  CHECK(fd >= 0 && ftruncate(fd, LIMIT) == 0);
  for (int i = 0; i < 2; i++) {
    view[i] = mmap(NULL, LIMIT, PROT_NONE, MAP_SHARED, fd, 0);
    CHECK(view[i] != MAP_FAILED);
  }
  twin = mmap(NULL, LIMIT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(twin != MAP_FAILED);
  CHECK_EQ(weft_heap_init(&heap[0], view[0], LIMIT, 4096, reserve, NULL), 0);
  weft_heap_attach(&heap[1], view[1], reserve, NULL);
  CHECK_EQ(weft_heap_init(&twin_heap, twin, LIMIT, 4096, NULL, NULL), 0);
}

static size_t random_size(void) {
  switch (dice(8)) {
  case 0: return dice(17);
  case 1: return 20000 + dice(60000);
  case 2:
  case 3: return dice(5000);
  default: return dice(300);
  }
}

/* The piece holds its fill in every byte: nobody else wrote there. */
static void intact(const struct piece *p, size_t n) {
  const unsigned char *at = (unsigned char *)view[dice(2)] + p->off;
  for (size_t i = 0; i < n; i++)
    if (at[i] != p->fill) CHECK_EQ(at[i], p->fill);
}

static void took(struct piece *p, weft_heap_t *h, char *at, char *twin_at, size_t size) {
  CHECK_EQ(!at, !twin_at);
  CHECK_EQ(at - h->base, twin_at - twin); /* equal calls, equal offsets */
  p->off = (size_t)(at - h->base);
  p->size = size;
  p->fill = (unsigned char)dice(256);
  memset(at, p->fill, size);
  used += size;
}

static void release(struct piece *p) {
  weft_heap_t *h = &heap[dice(2)];
  intact(p, p->size);
  CHECK_EQ(weft_heap_free(h, h->base + p->off), 0);
  CHECK_EQ(weft_heap_free(&twin_heap, twin + p->off), 0);
  CHECK(weft_heap_free(h, h->base + p->off) != 0);
  used -= p->size;
  p->off = 0;
}

static void take(struct piece *p) {
  weft_heap_t *h = &heap[dice(2)];
  size_t size = random_size(), align = (size_t)1 << (dice(4) ? 4 : dice(14));
  char *at, *twin_at;
  bool ready = weft_heap_prepare(h, NULL, align, size) == 0;
  at = weft_heap_alloc(h, align, size);
  twin_at = weft_heap_alloc(&twin_heap, align, size);
  CHECK_EQ(ready, at != NULL);
  CHECK_EQ(!at, !twin_at);
  if (!at) return;
  CHECK_EQ((at - h->base + 4096) % (align < 16 ? 16 : align), 0);
  took(p, h, at, twin_at, size);
}

static void resize(struct piece *p) {
  weft_heap_t *h = &heap[dice(2)];
  size_t size = random_size();
  char *at, *twin_at, *old = h->base + p->off;
  bool ready = weft_heap_prepare(h, old, 0, size) == 0;
  at = weft_heap_realloc(h, old, size);
  twin_at = weft_heap_realloc(&twin_heap, twin + p->off, size);
  CHECK_EQ(ready, at != NULL);
  CHECK_EQ(!at, !twin_at);
  if (!at) {
    intact(p, p->size);
    return;
  }
  used -= p->size;
  p->off = (size_t)(at - h->base);
  intact(p, size < p->size ? size : p->size);
  took(p, h, at, twin_at, size);
}

static void questions(struct piece *p) {
  weft_heap_t *h = &heap[dice(2)];
  char *at = h->base + p->off;
  size_t from;
  CHECK_EQ(weft_heap_size(h, at), p->size);
  if (!p->size) return;
  from = dice((unsigned)p->size);
  CHECK(weft_heap_owns(h, at + from, p->size - from));
  CHECK(!weft_heap_owns(h, at + from, p->size - from + 1));
  if (from) CHECK(weft_heap_free(h, at + from) != 0);
}

int main(void) {
  start();
  for (int step = 0; step < STEPS; step++) {
    struct piece *p = &piece[dice(PIECES)];
    if (!p->off)
      take(p);
    else if (dice(3) == 0)
      release(p);
    else if (dice(2))
      resize(p);
    else
      questions(p);
    CHECK_EQ(weft_heap_used(&heap[0]), used);
    if (step % 16 == 0) CHECK_EQ(weft_heap_check(&heap[dice(2)]), 0);
    if (step == STEPS / 2) {
      weft_heap_reset(&heap[0]);
      weft_heap_reset(&twin_heap);
      memset(piece, 0, sizeof(piece));
      used = 0;
    }
  }
  for (int i = 0; i < PIECES; i++)
    if (piece[i].off) release(&piece[i]);
  CHECK_EQ(weft_heap_used(&heap[0]), 0);
  CHECK_EQ(weft_heap_check(&heap[0]), 0);
  CHECK_EQ(weft_heap_check(&twin_heap), 0);
  return 0;
}
