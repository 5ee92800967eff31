/*
 * upc.h: UPC 1.3, section 7.2: the utilities of the language. UPC text: only upcc reads it. The
 * functions are in libweft (src/upc), with a pointer-to-shared as the 64 bits that
 * weft/upc_pointer.h explains.
 */
#ifndef WEFT_UPC_H
#define WEFT_UPC_H

#ifndef __UPC__
#error "upc.h is for UPC programs: compile with upcc"
#endif

/* Two more than size_t wants, as Berkeley's has: programs use malloc, exit and PRIu64 unasked. */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include <upc_types.h>

/* 7.2.1. Flush the streams of this thread and end all threads with this status. */
extern void upc_global_exit(int status) __attribute__((__noreturn__));

/* 7.2.2. Null for 0 bytes, or if there is no room. The memory is not zeroed. Either of upc_free
 * and upc_all_free takes what any of them gave, on any thread. */
extern shared void *upc_global_alloc(size_t nblocks, size_t nbytes);
extern shared void *upc_all_alloc(size_t nblocks, size_t nbytes);
extern shared void *upc_alloc(size_t nbytes);
extern void upc_free(shared void *ptr);
extern void upc_all_free(shared void *ptr);
/* Of UPC 1.0, left out in 1.3: nblocks * nbytes bytes of this thread's. */
extern shared void *upc_local_alloc(size_t nblocks, size_t nbytes);

/* 7.2.3. The address field is the slot offset in bytes. */
extern size_t upc_threadof(shared const void *ptr);
extern size_t upc_phaseof(shared const void *ptr);
extern shared void *upc_resetphase(shared const void *ptr);
extern size_t upc_addrfield(shared const void *ptr);
extern size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid);

/* 7.2.4. Locks serve first come, first served. */
typedef shared struct weft_upc_lock upc_lock_t;
extern upc_lock_t *upc_global_lock_alloc(void);
extern upc_lock_t *upc_all_lock_alloc(void);
extern void upc_lock_free(upc_lock_t *ptr);
extern void upc_all_lock_free(upc_lock_t *ptr);
extern void upc_lock(upc_lock_t *ptr);
extern int upc_lock_attempt(upc_lock_t *ptr);
extern void upc_unlock(upc_lock_t *ptr);

/* 7.2.5. n may be 0. */
extern void upc_memcpy(shared void *__restrict dst, shared const void *__restrict src, size_t n);
extern void upc_memget(void *__restrict dst, shared const void *__restrict src, size_t n);
extern void upc_memput(shared void *__restrict dst, const void *__restrict src, size_t n);
extern void upc_memset(shared void *dst, int c, size_t n);

#include <bupc_extensions.h>

/* GUPC's: progress for a thread that computes or spins. */
extern void upc_poll(void);

#endif
