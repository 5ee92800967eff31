/*
 * check.c: what WEFT_CHECK=1 looks at: that an access hits an object, and that all threads call the
 * same collective function with the same arguments.
 */
#include "upc/internal.h"

WEFT_COLD static void bad_range(weft_upc_place_t at, size_t n, const char *who, const char *what) {
  weft_fatal("%s: %zu bytes at offset %#zx of thread %d %s", who, n, at.off, at.thread, what);
}

void weft_upc_check_range(weft_upc_place_t at, size_t n, const char *who) {
  const weft_layout_t *l = &weft_job.window.layout;
  weft_upc_up(who);
  if (at.thread < 0 || at.thread >= weft_job_npes())
    weft_fatal("%s: pointer-to-shared with thread %d; threads are 0 to %d", who, at.thread,
               weft_job_npes() - 1);
  if (at.off == 0) weft_fatal("%s: null pointer-to-shared", who);
  const uintptr_t end = at.off + n;
  if (at.off >= l->statics && at.off < l->statics + l->static_size) {
    if (end > l->statics + l->static_size) bad_range(at, n, who, "leave the static data");
  } else if (at.off >= l->heap && at.off < l->private_heap) {
    if (!weft_job_heap_owns((void *)(weft_job.window.base + at.off), n))
      bad_range(at, n, who, "are not inside one object of the symmetric heap");
  } else if (at.off >= l->private_heap && at.off < l->global + l->global_limit) {
    if (!weft_memory_owns(at.thread, at.off, n))
      bad_range(at, n, who,
                at.off < l->global
                    ? "are not inside one live object of upc_alloc"
                    : "are not inside one live object of upc_all_alloc or upc_global_alloc");
  } else {
    bad_range(at, n, who, "are no shared memory");
  }
}

void weft_upc_enter(uint64_t value, const char *who) {
  weft_upc_up(who);
  if (weft_unlikely(weft_upc_notified()))
    weft_fatal("%s: a collective function between upc_notify and upc_wait", who);
  weft_team_name(weft_team_world(), who);
  if (weft_options.check && !weft_coll_same(weft_team_world(), who, &value, sizeof value))
    weft_fatal("%s: the threads call different collective functions, or give different arguments",
               who);
}
