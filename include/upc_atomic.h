/*
 * upc_atomic.h: UPC 1.3, optional library: atomic memory operations. UPC text: only upcc reads it.
 */
#ifndef WEFT_UPC_ATOMIC_H
#define WEFT_UPC_ATOMIC_H

#ifndef __UPC__
#error "upc_atomic.h is for UPC programs: compile with upcc"
#endif

#include <upc_types.h>

#define UPC_GET (1 << 9)
#define UPC_SET (1 << 10)
#define UPC_CSWAP (1 << 11)
#define UPC_SUB (1 << 12)
#define UPC_INC (1 << 13)
#define UPC_DEC (1 << 14)

typedef shared struct weft_upc_atomicdomain upc_atomicdomain_t;

typedef int upc_atomichint_t;
#define UPC_ATOMIC_HINT_DEFAULT 0
#define UPC_ATOMIC_HINT_LATENCY 1
#define UPC_ATOMIC_HINT_THROUGHPUT 2

extern upc_atomicdomain_t *upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops,
                                                      upc_atomichint_t hints);
extern void upc_all_atomicdomain_free(upc_atomicdomain_t *ptr);
/* *fetch_ptr gets what *target was; operands that op does not take are null. */
extern void upc_atomic_strict(upc_atomicdomain_t *domain, void *__restrict fetch_ptr, upc_op_t op,
                              shared void *__restrict target, const void *__restrict operand1,
                              const void *__restrict operand2);
extern void upc_atomic_relaxed(upc_atomicdomain_t *domain, void *__restrict fetch_ptr, upc_op_t op,
                               shared void *__restrict target, const void *__restrict operand1,
                               const void *__restrict operand2);
/* Nonzero where *addr is on this node. */
extern int upc_atomic_isfast(upc_type_t type, upc_op_t ops, shared void *addr);

#endif
