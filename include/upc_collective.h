/*
 * upc_collective.h: UPC 1.3, section 7.4: collective operations. UPC text: only upcc reads it.
 */
#ifndef WEFT_UPC_COLLECTIVE_H
#define WEFT_UPC_COLLECTIVE_H

#ifndef __UPC__
#error "upc_collective.h is for UPC programs: compile with upcc"
#endif

#include <stddef.h>

#include <upc_types.h>

/* 7.4.2. nbytes is the size of one block. */
extern void upc_all_broadcast(shared void *__restrict dst, shared const void *__restrict src,
                              size_t nbytes, upc_flag_t flags);
extern void upc_all_scatter(shared void *__restrict dst, shared const void *__restrict src,
                            size_t nbytes, upc_flag_t flags);
extern void upc_all_gather(shared void *__restrict dst, shared const void *__restrict src,
                           size_t nbytes, upc_flag_t flags);
extern void upc_all_gather_all(shared void *__restrict dst, shared const void *__restrict src,
                               size_t nbytes, upc_flag_t flags);
extern void upc_all_exchange(shared void *__restrict dst, shared const void *__restrict src,
                             size_t nbytes, upc_flag_t flags);
extern void upc_all_permute(shared void *__restrict dst, shared const void *__restrict src,
                            shared const int *__restrict perm, size_t nbytes, upc_flag_t flags);

/* 7.4.3. func is for UPC_FUNC and UPC_NONCOMM_FUNC only. */
#define UPC_FUNC (1 << 16)
#define UPC_NONCOMM_FUNC (1 << 17)
#define WEFT_UPC_REDUCE(T, TYPE)                                                                   \
  extern void upc_all_reduce##T(shared void *__restrict dst, shared const void *__restrict src,    \
                                upc_op_t op, size_t nelems, size_t blk_size,                       \
                                TYPE (*func)(TYPE, TYPE), upc_flag_t flags);                       \
  extern void upc_all_prefix_reduce##T(                                                            \
      shared void *__restrict dst, shared const void *__restrict src, upc_op_t op, size_t nelems,  \
      size_t blk_size, TYPE (*func)(TYPE, TYPE), upc_flag_t flags);
WEFT_UPC_REDUCE(C, signed char)
WEFT_UPC_REDUCE(UC, unsigned char)
WEFT_UPC_REDUCE(S, short)
WEFT_UPC_REDUCE(US, unsigned short)
WEFT_UPC_REDUCE(I, int)
WEFT_UPC_REDUCE(UI, unsigned int)
WEFT_UPC_REDUCE(L, long)
WEFT_UPC_REDUCE(UL, unsigned long)
WEFT_UPC_REDUCE(F, float)
WEFT_UPC_REDUCE(D, double)
WEFT_UPC_REDUCE(LD, long double)
#undef WEFT_UPC_REDUCE

#endif
