/*
 * memory.c: UPC 1.3, 7.2.2 and 7.2.3: shared memory that is allocated, and the parts of a
 * pointer-to-shared. What upc_all_alloc and upc_global_alloc give lies at one offset on all threads
 * (global memory of the floor: any thread may free it); what upc_alloc gives is private memory of
 * one thread.
 */
#include <stdio.h>

#include "upc/internal.h"

enum { ALIGN = 64 }; /* bytes: any type, and a cache line of its own */

/* Bytes that each thread has of `shared [nbytes] char[nblocks * nbytes]`; 0: none at all, or more
 * than a pointer can say. */
static size_t share_of(size_t nblocks, size_t nbytes, bool *too_large) {
  const size_t threads = (size_t)weft_job_npes();
  const size_t blocks = nblocks / threads + (nblocks % threads != 0);
  size_t share;
  *too_large =
      __builtin_mul_overflow(blocks, nbytes, &share) || share > weft_upc_widths.offset_mask;
  return *too_large ? 0 : share;
}

/* No room is null, as the specification wants it. */
static WEFT_COLD weft_upc_ptr_t no_room(size_t share, const char *who) {
  weft_no_room(who, share, " on each thread", weft_private_shortage());
  return 0;
}
static WEFT_COLD weft_upc_ptr_t no_pointer(size_t nblocks, size_t nbytes, const char *who) {
  char where[64];
  snprintf(where, sizeof where, " in each of %zu blocks", nblocks);
  weft_no_room(who, nbytes, where, "a pointer-to-shared does not reach so far");
  return 0;
}

/* Anyone may free it, so anyone must find it. */
WEFT_API weft_upc_ptr_t upc_global_alloc(size_t nblocks, size_t nbytes) {
  static const char who[] = "upc_global_alloc";
  bool too_large;
  weft_upc_up(who);
  WEFT_SPAN(WEFT_TRACE_MEMORY, who, nblocks * nbytes);
  const size_t share = share_of(nblocks, nbytes, &too_large);
  if (share == 0) return too_large ? no_pointer(nblocks, nbytes, who) : 0;
  const uintptr_t off = weft_global_alloc(ALIGN, share);
  return off ? weft_upc_pack(0, off) : no_room(share, who);
}

WEFT_API weft_upc_ptr_t upc_all_alloc(size_t nblocks, size_t nbytes) {
  static const char who[] = "upc_all_alloc";
  bool too_large;
  weft_upc_enter(nblocks * 0x9e3779b97f4a7c15u + nbytes, who);
  WEFT_SPAN(WEFT_TRACE_MEMORY, who, nblocks * nbytes);
  const size_t share = share_of(nblocks, nbytes, &too_large);
  const bool says = weft_job_pe() == 0;
  if (share == 0) return too_large && says ? no_pointer(nblocks, nbytes, who) : 0;
  uint64_t off = says ? weft_global_alloc(ALIGN, share) : 0;
  weft_coll_share(&off, sizeof off);
  if (off == 0) return says ? no_room(share, who) : 0;
  /* Each thread makes sure of its pages, where touching them could fail. */
  const bool mine = weft_global_commit(off, share) == 0;
  if (weft_coll_agree(mine)) return weft_upc_pack(0, off);
  if (!says) return 0;
  weft_global_free(off);
  weft_shortage_set(mine ? WEFT_SHORT_OTHER : WEFT_SHORT_MEMORY, 0);
  return no_room(share, who);
}

WEFT_API weft_upc_ptr_t upc_alloc(size_t nbytes) {
  weft_upc_up("upc_alloc");
  WEFT_SPAN(WEFT_TRACE_MEMORY, "upc_alloc", nbytes);
  if (nbytes == 0) return 0;
  void *p = weft_private_alloc(ALIGN, nbytes);
  if (p) return weft_upc_pack(weft_job_pe(), weft_job_offset(p));
  weft_no_room("upc_alloc", nbytes, "", weft_private_shortage());
  return 0;
}

WEFT_API weft_upc_ptr_t upc_local_alloc(size_t nblocks, size_t nbytes) {
  size_t bytes;
  if (__builtin_mul_overflow(nblocks, nbytes, &bytes))
    return no_pointer(nblocks, nbytes, "upc_local_alloc");
  return upc_alloc(bytes);
}

static void release(weft_upc_ptr_t ptr, const char *who) {
  const weft_upc_place_t at = weft_upc_place(ptr);
  const weft_layout_t *l = &weft_job.window.layout;
  int rc = -EINVAL;
  if (at.off >= l->global && at.thread == 0)
    rc = weft_global_free(at.off);
  else if (at.off >= l->private_heap && at.off < l->global && at.thread < weft_job_npes())
    rc = weft_private_free_on(at.thread, at.off);
  if (rc < 0)
    weft_fatal("%s: pointer to thread %d, offset %#zx, %s", who, at.thread, at.off,
               weft_private_fault(
                   rc, "was not returned by upc_alloc, upc_all_alloc or upc_global_alloc"));
}

WEFT_API void upc_free(weft_upc_ptr_t ptr) {
  weft_upc_up("upc_free");
  WEFT_SPAN(WEFT_TRACE_MEMORY, "upc_free", 0);
  if (ptr) release(ptr, "upc_free");
}

void weft_upc_free_all(weft_upc_ptr_t ptr, void (*release)(weft_upc_ptr_t, const char *),
                       const char *who) {
  weft_upc_enter(ptr, who);
  WEFT_SPAN(WEFT_TRACE_MEMORY, who, 0);
  if (!ptr) return;
  weft_coll_sync(weft_team_world());
  if (weft_job_pe() == 0) release(ptr, who);
}

WEFT_API void upc_all_free(weft_upc_ptr_t ptr) {
  weft_upc_free_all(ptr, release, "upc_all_free");
}

/* ---- 7.2.3 ---- */

WEFT_API size_t upc_threadof(weft_upc_ptr_t ptr) {
  return (size_t)weft_upc_place(ptr).thread;
}

WEFT_API size_t upc_phaseof(weft_upc_ptr_t ptr) {
  return weft_upc_phase_of(ptr);
}

WEFT_API weft_upc_ptr_t upc_resetphase(weft_upc_ptr_t ptr) {
  const weft_upc_place_t at = weft_upc_place(ptr);
  return weft_upc_pack(at.thread, at.off);
}

WEFT_API size_t upc_addrfield(weft_upc_ptr_t ptr) {
  return weft_upc_place(ptr).off;
}

/* Blocks go round from thread 0; the last one may be shorter. nbytes 0: all of it is thread 0's. */
WEFT_API size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid) {
  const size_t threads = (size_t)weft_job_npes();
  if (nbytes == 0) return threadid == 0 ? totalsize : 0;
  const size_t full = totalsize / nbytes, mine = full / threads + (full % threads > threadid);
  return mine * nbytes + (full % threads == threadid ? totalsize % nbytes : 0);
}
