/*
 * The private heaps of the node's PEs. The state of a heap lies in its slot, under a lock beside
 * it, so every process of the node allocates from it and frees into it. A heap is made when it is
 * first asked for: a program without one pays nothing.
 */
#include <sched.h>

#include "job/job.h"

enum {
  GIVE_BACK_FROM = 256 << 10, /* bytes of an allocation whose pages are worth a system call */
  HEAP_OWN = 64 << 10         /* what the heap itself takes of the limit for a few blocks */
};

uint32_t weft_job_lock_holder(void) {
  return weft_job.is_porter ? WEFT_HOLDER_PORTER : (uint32_t)weft_job.slot + 1;
}

void weft_node_lock(weft_node_lock_t *lock) {
  enum { SPINS = 100 };
  const uint32_t me = weft_job_lock_holder();
  for (unsigned spins = 0;; spins++) {
    uint32_t holder = weft_peek(&lock->holder);
    if (!holder && weft_node_lock_try(lock, me)) return;
    if (spins < SPINS) {
      weft_cpu_relax();
      continue;
    }
    /* A holder that died left queues whole, since each step of theirs does, and elements of an
     * accumulate added or not; a heap it may have left half changed. */
    if (holder && holder != WEFT_HOLDER_PORTER &&
        weft_job_state(weft_job.local[holder - 1]) == WEFT_FAILED &&
        __atomic_compare_exchange_n(&lock->holder, &holder, me, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED))
      return;
    sched_yield();
  }
}

weft_shared_t *weft_job_shared(int pe) {
  return (weft_shared_t *)(void *)(weft_job_slot(pe) + weft_job.layout.shared);
}

/* ---- a heap of the node ---------------------------------------------------------------------- */

/* One PE's heap, opened. */
typedef struct place {
  weft_shared_t *shared;
  weft_slot_part_t part;
  weft_heap_t heap;
} place_t;

static WEFT_THREAD enum weft_shortage last; /* why this thread's last allocation failed */

const char *weft_shortage_text(enum weft_shortage why) {
  static const char *const texts[WEFT_SHORTAGES] = {
      [WEFT_SHORT_PRIVATE] = "WEFT_PRIVATE_SIZE raises the limit",
      [WEFT_SHORT_SYMMETRIC] = "SHMEM_SYMMETRIC_SIZE raises the limit",
      [WEFT_SHORT_MEMORY] = "the memory of this machine, or of its control group, is used up",
      [WEFT_SHORT_AWAY] = "the memory of another node is used up",
      [WEFT_SHORT_OTHER] = "another PE has no memory for it",
      [WEFT_SHORT_ALIGNMENT] = "the PEs' addresses do not agree in this alignment",
      [WEFT_SHORT_GONE] = "a PE that was to give it has gone"};
  if (why == WEFT_SHORT_MEMORY && weft_job.window.limited)
    return "the file system of the shared window is full";
  return texts[why];
}

enum weft_shortage weft_shortage_last(void) {
  return last;
}

void weft_shortage_set(enum weft_shortage why, int pe) {
  const bool memory = why == WEFT_SHORT_MEMORY || why == WEFT_SHORT_AWAY;
  last = !memory ? why : weft_job_slot(pe) ? WEFT_SHORT_MEMORY : WEFT_SHORT_AWAY;
}

const char *weft_private_shortage(void) {
  return weft_shortage_text(last);
}

static void note_shortage(const place_t *p) {
  last = p->part.lacks_memory ? WEFT_SHORT_MEMORY : WEFT_SHORT_PRIVATE;
}

/* Returns locked; false, and unlocked, if there is no room for a heap. */
static bool enter(place_t *p, int pe) {
  const weft_layout_t *l = &weft_job.window.layout;
  /* One's own by the address that its allocations are to have. */
  char *base = weft_job_here(pe, l->private_heap);
  p->shared = weft_job_shared(pe);
  p->part = (weft_slot_part_t){.window = &weft_job.window, .slot = weft_job.where[pe].slot};
  weft_node_lock(&p->shared->private_lock);
  weft_seen_got(&weft_job); /* blocks that its owner has freed, which a thread here may have made */
  if (p->shared->private_made) {
    weft_heap_attach(&p->heap, base, weft_window_reserve_private, &p->part);
    return true;
  }
  /* Alignment counts as the owner sees it. */
  const uintptr_t origin = weft_job_base_of(pe) + l->private_heap;
  p->shared->private_made = weft_heap_init(&p->heap, base, l->private_limit, origin,
                                           weft_window_reserve_private, &p->part) == 0;
  if (p->shared->private_made) return true;
  note_shortage(p);
  weft_node_unlock(&p->shared->private_lock);
  return false;
}

static void leave(place_t *p) {
  weft_seen_given(&weft_job);
  weft_node_unlock(&p->shared->private_lock);
}

uintptr_t weft_private_alloc_of(int pe, size_t align, size_t n) {
  place_t place;
  if (!enter(&place, pe)) return 0;
  const char *p = weft_heap_alloc(&place.heap, align, n);
  if (weft_unlikely(!p)) note_shortage(&place);
  leave(&place);
  return p ? (uintptr_t)(p - place.heap.base) + weft_job.window.layout.private_heap : 0;
}

int weft_private_free_of(int pe, uintptr_t off) {
  place_t place;
  if (!enter(&place, pe)) return -ENOMEM;
  void *p = weft_heap_at(&place.heap, off - weft_job.window.layout.private_heap);
  const size_t n = weft_heap_size(&place.heap, p);
  /* Before the heap writes its marks there. */
  if (n != SIZE_MAX && n >= GIVE_BACK_FROM)
    weft_window_discard(&weft_job.window, place.part.slot, off, n);
  const int rc = weft_heap_free(&place.heap, p);
  leave(&place);
  return rc;
}

bool weft_private_owns_of(int pe, uintptr_t off, size_t n) {
  place_t place;
  if (!enter(&place, pe)) return false;
  const void *p = weft_heap_at(&place.heap, off - weft_job.window.layout.private_heap);
  const bool owns = weft_heap_owns(&place.heap, p, n);
  leave(&place);
  return owns;
}

/* ---- one's own ------------------------------------------------------------------------------- */

void *weft_private_alloc(size_t align, size_t n) {
  const uintptr_t off = weft_private_alloc_of(weft_job.pe, align, n);
  return off ? (void *)(weft_job.window.base + off) : NULL;
}

const char *weft_private_fault(int rc, const char *unknown) {
  return rc == -EALREADY  ? "was freed before"
         : rc == -EUCLEAN ? "is a block beyond whose end the program wrote"
                          : unknown;
}

void weft_private_free(void *p) {
  if (!p) return;
  const int rc = weft_private_free_of(weft_job.pe, weft_job_offset(p));
  if (rc < 0)
    weft_fatal("free of private memory: %p %s", p,
               weft_private_fault(rc, "was never allocated"));
}

size_t weft_private_limit(void) {
  return weft_job.window.layout.private_limit - HEAP_OWN;
}

size_t weft_private_room(void) {
  place_t place;
  if (!enter(&place, weft_job.pe)) return 0;
  const size_t room = weft_heap_room(&place.heap);
  leave(&place);
  return room > HEAP_OWN ? room - HEAP_OWN : 0;
}

/* Two threads may adopt the same pages: one of them shares what the other has adopted. */
static weft_lock_t adopting;

static int adopt_new(void *pages, size_t n, void **inside) {
  weft_window_t *w = &weft_job.window;
  void *p = weft_private_alloc(65536, n); /* no page is larger */
  if (!p) return -ENOMEM;
  int rc = weft_window_adopt(w, pages, n, weft_job_offset(p));
  if (rc == 0)
    *inside = p;
  else
    weft_private_free(p);
  return rc;
}

int weft_private_adopt(void *pages, size_t n, void **inside) {
  size_t off;
  if (weft_window_contains(&weft_job.window, pages, n)) {
    *inside = pages;
    return 0;
  }
  weft_lock(&adopting);
  int rc = weft_window_share(pages, n, &off);
  if (rc == 0)
    *inside = (void *)(weft_job.window.base + off);
  else
    rc = adopt_new(pages, n, inside);
  weft_unlock(&adopting);
  return rc;
}

int weft_private_release(void *pages) {
  size_t off;
  int rc = weft_window_release(&weft_job.window, pages, &off);
  if (rc == 0) weft_private_free((void *)(weft_job.window.base + off));
  return rc == -EBUSY ? 0 : rc;
}
