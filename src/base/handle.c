/*
 * What a program holds by address: teams, contexts and the like. With WEFT_CHECK=1 each has a page
 * of its own, which nobody can touch once it was destroyed: so whoever uses it then is told so, as
 * inline functions follow the address before anything here is called.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/base.h"

enum { PAGE = 4096, PAGES = 4096, ALIGN = 128 };

/* Pages are taken in a circle, so that what was destroyed is told for as long as possible. */
static struct {
  weft_lock_t lock;
  char *begin; /* NULL: none yet */
  unsigned next;
  bool live[PAGES];
  const char *what[PAGES]; /* NULL: never used */
} pages;

static bool is_checked(size_t n) {
#if WEFT_ASAN
  return (void)n, false; /* AddressSanitizer says more, and has the stacks */
#else
  return weft_options.check && n <= PAGE;
#endif
}

/* Where `at` lies; PAGES: in none. */
static size_t page_of(uintptr_t at) {
  const char *begin = weft_observe(&pages.begin);
  const uintptr_t off = at - (uintptr_t)begin;
  return begin && off < (uintptr_t)PAGES * PAGE ? off / PAGE : PAGES;
}

static char *map(char *at, size_t n) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED : 0);
  char *p = mmap(at, n, PROT_NONE, flags, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

/* A page of zeros that nothing lives in; NULL if there is none. With the lock. */
static char *take_page(const char *what) {
  if (!pages.begin) weft_publish(&pages.begin, map(NULL, (size_t)PAGES * PAGE));
  for (unsigned tries = 0; pages.begin && tries < PAGES; tries++) {
    const unsigned i = pages.next++ % PAGES;
    char *at = pages.begin + (size_t)i * PAGE;
    if (pages.live[i]) continue;
    if (mprotect(at, PAGE, PROT_READ | PROT_WRITE) < 0) return NULL;
    pages.live[i] = true;
    pages.what[i] = what;
    return at;
  }
  return NULL;
}

void *weft_handle_new(size_t n, const char *what) {
  char *p = NULL;
  if (is_checked(n)) {
    weft_lock(&pages.lock);
    p = take_page(what);
    weft_unlock(&pages.lock);
  }
  if (p) return p;
  p = aligned_alloc(ALIGN, weft_round_up(n, ALIGN));
  return p ? memset(p, 0, n) : NULL;
}

void weft_handle_free(void *handle) {
  const size_t i = page_of((uintptr_t)handle);
  if (i == PAGES) {
    free(handle);
    return;
  }
  weft_lock(&pages.lock);
  pages.live[i] = !map(handle, PAGE);
  weft_unlock(&pages.lock);
}

void weft_handle_explain(uintptr_t at) {
  const size_t i = page_of(at);
  if (i < PAGES && pages.what[i] && !pages.live[i])
    weft_fatal("%s that was destroyed is used", pages.what[i]);
}
