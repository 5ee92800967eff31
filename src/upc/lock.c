/*
 * lock.c: UPC 1.3, 7.2.4: locks, which are the floor's queue locks (sync.h) in the private memory
 * of a thread. Taking one is a null strict access after it, giving it back one before.
 */
#include "upc/internal.h"

enum { LOCK_ALIGN = 64 };

static weft_upc_ptr_t make(int home) {
  uint64_t zero = 0;
  const weft_upc_place_t at = {home, weft_private_alloc_on(home, LOCK_ALIGN, WEFT_QLOCK_BYTES)};
  if (at.off == 0) weft_fatal("no room for a lock on thread %d: %s", home, weft_private_shortage());
  weft_upc_put(at, &zero, sizeof zero, NULL);
  weft_upc_null_strict();
  return weft_upc_pack(at.thread, at.off);
}

WEFT_API weft_upc_ptr_t upc_global_lock_alloc(void) {
  weft_upc_up("upc_global_lock_alloc");
  return make(weft_job_pe());
}

/* They are dealt to the threads in turn. */
WEFT_API weft_upc_ptr_t upc_all_lock_alloc(void) {
  static const char who[] = "upc_all_lock_alloc";
  static unsigned turn;
  weft_upc_enter(0, who);
  const int home = (int)(turn++ % (unsigned)weft_job_npes());
  weft_upc_ptr_t lock = weft_job_pe() == 0 ? make(home) : 0;
  weft_coll_share(&lock, sizeof lock);
  return lock;
}

/* Held or not; nobody waits for it. */
static void destroy(weft_upc_ptr_t lock, const char *who) {
  const weft_upc_place_t at = weft_upc_checked(lock, WEFT_QLOCK_BYTES, who);
  weft_qlock_reset(at.thread, at.off);
  const int rc = weft_private_free_on(at.thread, at.off);
  if (rc < 0)
    weft_fatal("%s: thread %d, offset %#zx, %s", who, at.thread, at.off,
               weft_private_fault(rc, "is no lock"));
}

WEFT_API void upc_lock_free(weft_upc_ptr_t ptr) {
  weft_upc_up("upc_lock_free");
  if (ptr) destroy(ptr, "upc_lock_free");
}

WEFT_API void upc_all_lock_free(weft_upc_ptr_t ptr) {
  weft_upc_free_all(ptr, destroy, "upc_all_lock_free");
}

WEFT_COLD static void cannot(const char *who, weft_upc_place_t at, int rc) {
  if (rc == -EDEADLK)
    weft_fatal("%s: this thread has the lock already (thread %d, offset %#zx); locks are not "
               "recursive",
               who, at.thread, at.off);
  const int holder = weft_qlock_holder(at.thread, at.off);
  if (holder < 0)
    weft_fatal("%s: nobody has the lock (thread %d, offset %#zx)", who, at.thread, at.off);
  weft_fatal("%s: thread %d has the lock (thread %d, offset %#zx), not this one", who, holder,
             at.thread, at.off);
}

WEFT_API void upc_lock(weft_upc_ptr_t ptr) {
  weft_upc_up("upc_lock");
  const weft_upc_place_t at = weft_upc_checked(ptr, WEFT_QLOCK_BYTES, "upc_lock");
  WEFT_SPAN(WEFT_TRACE_LOCK, "upc_lock", 0);
  const int rc = weft_qlock_acquire(at.thread, at.off);
  if (weft_unlikely(rc < 0)) cannot("upc_lock", at, rc);
  weft_upc_null_strict();
}

WEFT_API int upc_lock_attempt(weft_upc_ptr_t ptr) {
  weft_upc_up("upc_lock_attempt");
  const weft_upc_place_t at = weft_upc_checked(ptr, WEFT_QLOCK_BYTES, "upc_lock_attempt");
  WEFT_SPAN(WEFT_TRACE_LOCK, "upc_lock_attempt", 0);
  const int rc = weft_qlock_try(at.thread, at.off);
  if (rc == 0) {
    weft_upc_null_strict();
    return 1;
  }
  if (rc != -EBUSY) cannot("upc_lock_attempt", at, rc);
  return 0;
}

WEFT_API void upc_unlock(weft_upc_ptr_t ptr) {
  weft_upc_up("upc_unlock");
  const weft_upc_place_t at = weft_upc_checked(ptr, WEFT_QLOCK_BYTES, "upc_unlock");
  WEFT_SPAN(WEFT_TRACE_LOCK, "upc_unlock", 0);
  weft_upc_null_strict();
  const int rc = weft_qlock_release(at.thread, at.off);
  if (weft_unlikely(rc < 0)) cannot("upc_unlock", at, rc);
}
