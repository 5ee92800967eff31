/*
 * gasnet_tools.h, atomic operations between the threads of a process: gasnett_atomic_t (32 bits
 * here), gasnett_atomic32_t, gasnett_atomic64_t, and the same with "strong". The plain ones are
 * ordinary memory operations in a program of one thread; the strong ones are always atomic, also to
 * signal handlers. One list makes them all. `flags` are the fences around the operation: a constant
 * in practice, so what is not asked for costs nothing.
 */
#ifndef WEFT_GASNETT_ATOMIC_H
#define WEFT_GASNETT_ATOMIC_H

#include <stdint.h>
#include <weft/gasnett_membar.h>

#ifdef __cplusplus
extern "C" {
#endif

/* REL and ACQ are bits 1 and 2 because GEX_FLAG_AD_REL and GEX_FLAG_AD_ACQ are. */
#define GASNETT_ATOMIC_NONE 0
#define GASNETT_ATOMIC_RMB_PRE 0x01
#define GASNETT_ATOMIC_WMB_PRE 0x02
#define GASNETT_ATOMIC_RMB_POST 0x04
#define GASNETT_ATOMIC_WMB_POST 0x08
#define GASNETT_ATOMIC_RMB_POST_IF_TRUE 0x10
#define GASNETT_ATOMIC_RMB_POST_IF_FALSE 0x20
#define GASNETT_ATOMIC_MB_PRE (GASNETT_ATOMIC_WMB_PRE | GASNETT_ATOMIC_RMB_PRE)
#define GASNETT_ATOMIC_MB_POST (GASNETT_ATOMIC_WMB_POST | GASNETT_ATOMIC_RMB_POST)
#define GASNETT_ATOMIC_REL GASNETT_ATOMIC_WMB_PRE
#define GASNETT_ATOMIC_ACQ GASNETT_ATOMIC_RMB_POST
#define GASNETT_ATOMIC_ACQ_IF_TRUE GASNETT_ATOMIC_RMB_POST_IF_TRUE
#define GASNETT_ATOMIC_ACQ_IF_FALSE GASNETT_ATOMIC_RMB_POST_IF_FALSE

/* The fixed widths may be used on any integer or floating-point object of their size. */
typedef struct {
  uint32_t value;
} __attribute__((__may_alias__)) gasnett_atomic32_t;
typedef struct {
  uint64_t value __attribute__((__aligned__(8)));
} __attribute__((__may_alias__)) gasnett_atomic64_t;
typedef gasnett_atomic32_t gasnett_atomic_t;
typedef gasnett_atomic_t gasnett_strongatomic_t;
typedef gasnett_atomic32_t gasnett_strongatomic32_t;
typedef gasnett_atomic64_t gasnett_strongatomic64_t;

typedef uint32_t gasnett_atomic_val_t;
typedef int32_t gasnett_atomic_sval_t;
#define GASNETT_ATOMIC_MAX ((gasnett_atomic_val_t)UINT32_MAX)
#define GASNETT_ATOMIC_SIGNED_MIN ((gasnett_atomic_sval_t)INT32_MIN)
#define GASNETT_ATOMIC_SIGNED_MAX ((gasnett_atomic_sval_t)INT32_MAX)
WEFT_GASNETT_INLINE gasnett_atomic_sval_t gasnett_atomic_signed(gasnett_atomic_val_t v) {
  return (gasnett_atomic_sval_t)v;
}

/* Static initialisers. */
#define gasnett_atomic_init(v)                                                                     \
  { (uint32_t)(v) }
#define gasnett_atomic32_init(v)                                                                   \
  { (uint32_t)(v) }
#define gasnett_atomic64_init(v)                                                                   \
  { (uint64_t)(v) }
#define gasnett_strongatomic_init(v)                                                               \
  { (uint32_t)(v) }
#define gasnett_strongatomic32_init(v)                                                             \
  { (uint32_t)(v) }
#define gasnett_strongatomic64_init(v)                                                             \
  { (uint64_t)(v) }

#define GASNETT_HAVE_ATOMIC_CAS 1
#define GASNETT_HAVE_ATOMIC_ADD_SUB 1
#define GASNETT_HAVE_STRONGATOMIC_CAS 1
#define GASNETT_HAVE_STRONGATOMIC_ADD_SUB 1
#define GASNETT_ATOMIC_CONFIG atomics_c11
#define GASNETT_ATOMIC32_CONFIG atomic32_c11
#define GASNETT_ATOMIC64_CONFIG atomic64_c11

/* ---- fences by flags ------------------------------------------------------------------------ */

static inline void weft_gasnett_fence(int loads, int stores) {
  if (loads && stores)
    gasnett_local_mb();
  else if (loads)
    gasnett_local_rmb();
  else if (stores)
    gasnett_local_wmb();
}
static inline void weft_gasnett_before(int flags) {
  weft_gasnett_fence(flags & GASNETT_ATOMIC_RMB_PRE, flags & GASNETT_ATOMIC_WMB_PRE);
}
static inline void weft_gasnett_after(int flags) {
  weft_gasnett_fence(flags & GASNETT_ATOMIC_RMB_POST, flags & GASNETT_ATOMIC_WMB_POST);
}
static inline int weft_gasnett_after_test(int done, int flags) {
  int asked = done ? GASNETT_ATOMIC_RMB_POST_IF_TRUE : GASNETT_ATOMIC_RMB_POST_IF_FALSE;
  weft_gasnett_after((flags & asked) ? flags | GASNETT_ATOMIC_RMB_POST : flags);
  return done;
}

/* ---- the operations ------------------------------------------------------------------------- */

/* add and subtract return the new value. A release store and an acquire load are also said to the
 * compiler as such, which ThreadSanitizer understands, and some processors do for less. */
#define WEFT_GASNETT_ATOMIC(prefix, value_t)                                                       \
  WEFT_GASNETT_INLINE value_t prefix##_read(prefix##_t *p, int flags) {                            \
    weft_gasnett_before(flags);                                                                    \
    value_t v = (flags & GASNETT_ATOMIC_ACQ) ? __atomic_load_n(&p->value, __ATOMIC_ACQUIRE)        \
                                             : __atomic_load_n(&p->value, __ATOMIC_RELAXED);       \
    if (flags & GASNETT_ATOMIC_WMB_POST) weft_gasnett_after(flags);                                \
    return v;                                                                                      \
  }                                                                                                \
  WEFT_GASNETT_INLINE void prefix##_set(prefix##_t *p, value_t v, int flags) {                     \
    if (flags & GASNETT_ATOMIC_RMB_PRE) weft_gasnett_before(flags);                                \
    if (flags & GASNETT_ATOMIC_REL)                                                                \
      __atomic_store_n(&p->value, v, __ATOMIC_RELEASE);                                            \
    else                                                                                           \
      __atomic_store_n(&p->value, v, __ATOMIC_RELAXED);                                            \
    weft_gasnett_after(flags);                                                                     \
  }                                                                                                \
  WEFT_GASNETT_INLINE value_t prefix##_add(prefix##_t *p, value_t v, int flags) {                  \
    weft_gasnett_before(flags);                                                                    \
    v = __atomic_add_fetch(&p->value, v, __ATOMIC_RELAXED);                                        \
    weft_gasnett_after(flags);                                                                     \
    return v;                                                                                      \
  }                                                                                                \
  WEFT_GASNETT_INLINE value_t prefix##_swap(prefix##_t *p, value_t v, int flags) {                 \
    weft_gasnett_before(flags);                                                                    \
    v = __atomic_exchange_n(&p->value, v, __ATOMIC_RELAXED);                                       \
    weft_gasnett_after(flags);                                                                     \
    return v;                                                                                      \
  }                                                                                                \
  WEFT_GASNETT_INLINE int prefix##_compare_and_swap(prefix##_t *p, value_t oldval, value_t newval, \
                                                    int flags) {                                   \
    weft_gasnett_before(flags);                                                                    \
    return weft_gasnett_after_test(__atomic_compare_exchange_n(&p->value, &oldval, newval, 0,      \
                                                               __ATOMIC_RELAXED,                   \
                                                               __ATOMIC_RELAXED),                  \
                                   flags);                                                         \
  }                                                                                                \
  WEFT_GASNETT_DERIVED(prefix, value_t)

/* The same for one thread: the compiler may do with them what it does with any variable. */
#define WEFT_GASNETT_ORDINARY(prefix, value_t)                                                     \
  WEFT_GASNETT_INLINE value_t prefix##_read(prefix##_t *p, int flags) {                            \
    (void)flags;                                                                                   \
    return p->value;                                                                               \
  }                                                                                                \
  WEFT_GASNETT_INLINE void prefix##_set(prefix##_t *p, value_t v, int flags) {                     \
    (void)flags;                                                                                   \
    p->value = v;                                                                                  \
  }                                                                                                \
  WEFT_GASNETT_INLINE value_t prefix##_add(prefix##_t *p, value_t v, int flags) {                  \
    (void)flags;                                                                                   \
    return p->value += v;                                                                          \
  }                                                                                                \
  WEFT_GASNETT_INLINE value_t prefix##_swap(prefix##_t *p, value_t v, int flags) {                 \
    (void)flags;                                                                                   \
    value_t old = p->value;                                                                        \
    p->value = v;                                                                                  \
    return old;                                                                                    \
  }                                                                                                \
  WEFT_GASNETT_INLINE int prefix##_compare_and_swap(prefix##_t *p, value_t oldval, value_t newval, \
                                                    int flags) {                                   \
    (void)flags;                                                                                   \
    if (p->value != oldval) return 0;                                                              \
    p->value = newval;                                                                             \
    return 1;                                                                                      \
  }                                                                                                \
  WEFT_GASNETT_DERIVED(prefix, value_t)

#define WEFT_GASNETT_DERIVED(prefix, value_t)                                                      \
  WEFT_GASNETT_INLINE value_t prefix##_subtract(prefix##_t *p, value_t v, int flags) {             \
    return prefix##_add(p, (value_t)0 - v, flags);                                                 \
  }                                                                                                \
  WEFT_GASNETT_INLINE void prefix##_increment(prefix##_t *p, int flags) {                          \
    prefix##_add(p, 1, flags);                                                                     \
  }                                                                                                \
  WEFT_GASNETT_INLINE void prefix##_decrement(prefix##_t *p, int flags) {                          \
    prefix##_subtract(p, 1, flags);                                                                \
  }                                                                                                \
  WEFT_GASNETT_INLINE int prefix##_decrement_and_test(prefix##_t *p, int flags) {                  \
    int pre = flags & GASNETT_ATOMIC_MB_PRE;                                                       \
    return weft_gasnett_after_test(!prefix##_subtract(p, 1, pre), flags);                          \
  }

WEFT_GASNETT_ATOMIC(gasnett_strongatomic, uint32_t)
WEFT_GASNETT_ATOMIC(gasnett_strongatomic32, uint32_t)
WEFT_GASNETT_ATOMIC(gasnett_strongatomic64, uint64_t)
#if WEFT_GASNETT_THREADS
WEFT_GASNETT_ATOMIC(gasnett_atomic, uint32_t)
WEFT_GASNETT_ATOMIC(gasnett_atomic32, uint32_t)
WEFT_GASNETT_ATOMIC(gasnett_atomic64, uint64_t)
#else
WEFT_GASNETT_ORDINARY(gasnett_atomic, uint32_t)
WEFT_GASNETT_ORDINARY(gasnett_atomic32, uint32_t)
WEFT_GASNETT_ORDINARY(gasnett_atomic64, uint64_t)
#endif

#ifdef __cplusplus
}
#endif
#endif
