/*
 * bupc_collectivev.h: Berkeley UPC's collectives on private values. TYPE is a type name. UPC text:
 * only upcc reads it.
 */
#ifndef WEFT_BUPC_COLLECTIVEV_H
#define WEFT_BUPC_COLLECTIVEV_H

#ifndef __UPC__
#error "bupc_collectivev.h is for UPC programs: compile with upcc"
#endif

#include <stddef.h>

#include <upc.h>
#include <upc_collective.h>

/* root -1: all threads get the result. `type`: upc_type_t of the value, for reductions. */
extern void weft_upc_allv_reduce(void *dst, const void *src, int type, int root, upc_op_t op,
                                 int prefix);
extern void weft_upc_allv_broadcast(void *value, size_t size, int root);
extern void weft_upc_allv_scatter(void *dst, const void *src, size_t size, int root);
extern void weft_upc_allv_gather(void *dst, const void *src, size_t size, int root);
extern void weft_upc_allv_permute(void *dst, const void *src, size_t size, int to);

#define WEFT_UPC_ALLV_IS(T, U, code) __builtin_types_compatible_p(T, U) ? code:
#define WEFT_UPC_ALLV_TYPE(T)                                                                      \
  (WEFT_UPC_ALLV_IS(T, signed char, UPC_CHAR) WEFT_UPC_ALLV_IS(T, char, UPC_CHAR)                  \
       WEFT_UPC_ALLV_IS(T, unsigned char, UPC_UCHAR) WEFT_UPC_ALLV_IS(T, short, UPC_SHORT)         \
           WEFT_UPC_ALLV_IS(T, unsigned short, UPC_USHORT) WEFT_UPC_ALLV_IS(T, int, UPC_INT)       \
               WEFT_UPC_ALLV_IS(T, unsigned int, UPC_UINT) WEFT_UPC_ALLV_IS(T, long, UPC_LONG)     \
                   WEFT_UPC_ALLV_IS(T, unsigned long, UPC_ULONG)                                   \
                       WEFT_UPC_ALLV_IS(T, long long, UPC_LONG)                                    \
                           WEFT_UPC_ALLV_IS(T, unsigned long long, UPC_ULONG)                      \
                               WEFT_UPC_ALLV_IS(T, float, UPC_FLOAT)                               \
                                   WEFT_UPC_ALLV_IS(T, double, UPC_DOUBLE)                         \
                                       WEFT_UPC_ALLV_IS(T, long double, UPC_LDOUBLE) 0)
#define WEFT_UPC_ALLV(TYPE, value, call)                                                           \
  __extension__({                                                                                  \
    TYPE weft_upc_v = (value), weft_upc_r = weft_upc_v;                                            \
    call;                                                                                          \
    weft_upc_r;                                                                                    \
  })

#define bupc_allv_reduce(TYPE, value, rootthread, op)                                              \
  WEFT_UPC_ALLV(TYPE, value,                                                                       \
                weft_upc_allv_reduce(&weft_upc_r, &weft_upc_v, WEFT_UPC_ALLV_TYPE(TYPE),           \
                                     rootthread, op, 0))
#define bupc_allv_reduce_all(TYPE, value, op)                                                      \
  WEFT_UPC_ALLV(TYPE, value,                                                                       \
                weft_upc_allv_reduce(&weft_upc_r, &weft_upc_v, WEFT_UPC_ALLV_TYPE(TYPE), -1, op,   \
                                     0))
#define bupc_allv_prefix_reduce(TYPE, value, op)                                                   \
  WEFT_UPC_ALLV(TYPE, value,                                                                       \
                weft_upc_allv_reduce(&weft_upc_r, &weft_upc_v, WEFT_UPC_ALLV_TYPE(TYPE), -1, op,   \
                                     1))
#define bupc_allv_broadcast(TYPE, value, rootthread)                                               \
  WEFT_UPC_ALLV(TYPE, value, weft_upc_allv_broadcast(&weft_upc_r, sizeof(TYPE), rootthread))
#define bupc_allv_scatter(TYPE, rootthread, rootsrcarray)                                          \
  __extension__({                                                                                  \
    TYPE weft_upc_r;                                                                               \
    weft_upc_allv_scatter(&weft_upc_r, rootsrcarray, sizeof(TYPE), rootthread);                    \
    weft_upc_r;                                                                                    \
  })
#define bupc_allv_gather(TYPE, value, rootthread, rootdestarray)                                   \
  __extension__({                                                                                  \
    TYPE weft_upc_v = (value), *weft_upc_d = (rootdestarray);                                      \
    weft_upc_allv_gather(weft_upc_d, &weft_upc_v, sizeof(TYPE), rootthread);                       \
    weft_upc_d;                                                                                    \
  })
#define bupc_allv_gather_all(TYPE, value, destarray)                                               \
  bupc_allv_gather(TYPE, value, -1, destarray)
#define bupc_allv_permute(TYPE, value, tothreadid)                                                 \
  WEFT_UPC_ALLV(TYPE, value,                                                                       \
                weft_upc_allv_permute(&weft_upc_r, &weft_upc_v, sizeof(TYPE), tothreadid))

#endif
