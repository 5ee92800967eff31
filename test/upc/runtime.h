/*
 * What C tests of the UPC runtime share: the functions as generated code sees them, and a unit as
 * every translated file has one. Include it before check.h.
 */
#ifndef WEFT_TEST_UPC_RUNTIME_H
#define WEFT_TEST_UPC_RUNTIME_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "upc_types.h"
#include "weft/upc_access.h"

typedef weft_upc_ptr_t pts;
#define ME WEFT_UPC_MYTHREAD
#define N WEFT_UPC_THREADS
#define BARRIER() weft_upc_barrier(0, 0, __FILE__, __LINE__)

void upc_global_exit(int status) __attribute__((noreturn));
pts upc_global_alloc(size_t nblocks, size_t nbytes);
pts upc_all_alloc(size_t nblocks, size_t nbytes);
pts upc_alloc(size_t nbytes);
void upc_free(pts ptr);
void upc_all_free(pts ptr);
size_t upc_threadof(pts ptr);
size_t upc_phaseof(pts ptr);
pts upc_resetphase(pts ptr);
size_t upc_addrfield(pts ptr);
size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid);
pts upc_global_lock_alloc(void);
pts upc_all_lock_alloc(void);
void upc_lock_free(pts ptr);
void upc_all_lock_free(pts ptr);
void upc_lock(pts ptr);
int upc_lock_attempt(pts ptr);
void upc_unlock(pts ptr);
void upc_memcpy(pts dst, pts src, size_t n);
void upc_memget(void *dst, pts src, size_t n);
void upc_memput(pts dst, const void *src, size_t n);
void upc_memset(pts dst, int c, size_t n);
void upc_all_broadcast(pts dst, pts src, size_t nbytes, upc_flag_t flags);
void upc_all_scatter(pts dst, pts src, size_t nbytes, upc_flag_t flags);
void upc_all_gather(pts dst, pts src, size_t nbytes, upc_flag_t flags);
void upc_all_gather_all(pts dst, pts src, size_t nbytes, upc_flag_t flags);
void upc_all_exchange(pts dst, pts src, size_t nbytes, upc_flag_t flags);
void upc_all_permute(pts dst, pts src, pts perm, size_t nbytes, upc_flag_t flags);
pts upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops, int hints);
void upc_all_atomicdomain_free(pts ptr);
void upc_atomic_strict(pts domain, void *fetch_ptr, upc_op_t op, pts target, const void *operand1,
                       const void *operand2);
void upc_atomic_relaxed(pts domain, void *fetch_ptr, upc_op_t op, pts target, const void *operand1,
                        const void *operand2);
int upc_atomic_isfast(upc_type_t type, upc_op_t ops, pts addr);
void *upc_cast(pts ptr);

/* The same slot offset on another thread. */
static inline pts at_thread(pts p, int thread) {
  return weft_upc_make((weft_upc_u64)thread, 0, weft_upc_offset(p));
}

#endif
