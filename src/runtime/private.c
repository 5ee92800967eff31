/*
 * Memory of this PE's slot that peers may reach but that is not symmetric: handed out by the one PE
 * whose it is. Its heap is made when first asked for, so that a program without it pays nothing.
 */
#include "job/job.h"
#include "runtime/runtime.h"

static struct {
  weft_lock_t lock;
  weft_heap_t heap; /* base NULL: not made */
} private_memory;

enum {
  GIVE_BACK_FROM = 256 << 10, /* bytes of an allocation whose pages are worth a system call */
  HEAP_OWN = 64 << 10         /* what the heap itself takes of the limit, at most */
};

/* Under the lock. */
static bool is_open(void) {
  const weft_window_t *w = &weft_job.window;
  void *base = (void *)(w->base + w->layout.private_heap);
  if (private_memory.heap.base) return true;
  weft_heap_t *h = &private_memory.heap;
  if (weft_heap_init(h, base, w->layout.private_limit, (uintptr_t)base, weft_window_reserve_private,
                     &weft_job.window) == 0)
    return true;
  h->base = NULL;
  return false;
}

void *weft_private_alloc(size_t align, size_t n) {
  weft_lock(&private_memory.lock);
  void *p = is_open() ? weft_heap_alloc(&private_memory.heap, align, n) : NULL;
  weft_unlock(&private_memory.lock);
  return p;
}

void weft_private_free(void *p) {
  if (!p) return;
  weft_lock(&private_memory.lock);
  weft_heap_t *h = &private_memory.heap;
  size_t n = h->base ? weft_heap_size(h, p) : SIZE_MAX;
  /* Before the heap writes its marks there. */
  if (n != SIZE_MAX && n >= GIVE_BACK_FROM)
    weft_window_discard(&weft_job.window, weft_job_offset(p), n);
  int rc = h->base ? weft_heap_free(h, p) : -EINVAL;
  weft_unlock(&private_memory.lock);
  if (rc < 0)
    weft_fatal("free of private memory: %p %s", p,
               rc == -EALREADY ? "was freed before" : "was never allocated");
}

size_t weft_private_limit(void) {
  return weft_job.window.layout.private_limit - HEAP_OWN;
}

int weft_private_adopt(void *pages, size_t n, void **inside) {
  weft_window_t *w = &weft_job.window;
  if (weft_window_contains(w, pages, n)) {
    *inside = pages;
    return 0;
  }
  void *p = weft_private_alloc(65536, n); /* no page is larger */
  if (!p) return -ENOMEM;
  int rc = weft_window_adopt(w, pages, n, weft_job_offset(p));
  if (rc == 0)
    *inside = p;
  else
    weft_private_free(p);
  return rc;
}

int weft_private_release(void *pages) {
  size_t off;
  int rc = weft_window_release(&weft_job.window, pages, &off);
  if (rc == 0) weft_private_free((void *)(weft_job.window.base + off));
  return rc;
}
