/*
 * Memory at one slot offset on every PE that a single caller asks for (UPC's upc_global_alloc), or
 * the members of one team among many. It is a range of every slot of its own; which parts of the
 * range are taken is known in one place, the heap in PE 0's slot, so what two callers get never
 * overlaps, on whichever PEs they use it. What several disjoint teams take costs address space, and
 * memory only where it is touched.
 */
#include "job/job.h"

static void note_shortage(const weft_slot_part_t *part) {
  weft_shortage_set(part->lacks_memory ? WEFT_SHORT_MEMORY : WEFT_SHORT_SYMMETRIC, 0);
}

static bool enter(weft_heap_t *heap, weft_slot_part_t *part) {
  const weft_layout_t *l = &weft_job.window.layout;
  weft_shared_t *shared = weft_job_shared(0);
  char *base = weft_job_slot(0) + l->global;
  *part = (weft_slot_part_t){.window = &weft_job.window, .slot = weft_job.where[0].slot};
  weft_node_lock(&shared->global_lock);
  if (shared->global_made) {
    weft_heap_attach(heap, base, weft_window_reserve_global, part);
    return true;
  }
  /* Aligned as the PEs see it, as far as their bases agree. */
  shared->global_made = weft_heap_init(heap, base, l->global_limit, weft_job_base_of(0) + l->global,
                                       weft_window_reserve_global, part) == 0;
  if (shared->global_made) return true;
  note_shortage(part);
  weft_node_unlock(&shared->global_lock);
  return false;
}

static void leave(void) {
  weft_node_unlock(&weft_job_shared(0)->global_lock);
}

uintptr_t weft_global_alloc_here(size_t align, size_t n) {
  weft_heap_t heap;
  weft_slot_part_t part;
  if (!enter(&heap, &part)) return 0;
  const char *p = weft_heap_alloc(&heap, align, n);
  if (weft_unlikely(!p)) note_shortage(&part);
  leave();
  return p ? (uintptr_t)(p - heap.base) + weft_job.window.layout.global : 0;
}

int weft_global_free_here(uintptr_t off) {
  weft_heap_t heap;
  weft_slot_part_t part;
  if (!enter(&heap, &part)) return -ENOMEM;
  const int rc = weft_heap_free(&heap, weft_heap_at(&heap, off - weft_job.window.layout.global));
  leave();
  return rc;
}

bool weft_global_owns_here(uintptr_t off, size_t n) {
  weft_heap_t heap;
  weft_slot_part_t part;
  if (!enter(&heap, &part)) return false;
  const void *p = weft_heap_at(&heap, off - weft_job.window.layout.global);
  const bool owns = weft_heap_owns(&heap, p, n);
  leave();
  return owns;
}

int weft_global_commit(uintptr_t off, size_t n) {
  const weft_layout_t *l = &weft_job.window.layout;
  if (weft_unlikely(off - l->global > l->global_limit || n > l->global_limit - (off - l->global)))
    weft_fatal("memory for all PEs was given at offset %#zx, where there is none", (size_t)off);
  if (!weft_memory_suffices(off, off + n, weft_job.nmachine)) return -ENOMEM;
  return weft_job_commit(off, n);
}

void weft_global_discard(uintptr_t off, size_t n) {
  weft_window_discard(&weft_job.window, weft_job.slot, off, n);
}
