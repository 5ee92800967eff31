/*
 * fold.c: the arithmetic of UPC's reductions, a loop per type and operation, and the functions that
 * programs call, by type (UPC 1.3, 7.4.3). Integers wrap; LOGAND and LOGOR give 0 or 1, on reals
 * too. Knows no threads.
 */
#include "upc/reduce.h"

/* X(suffix, type, the type to calculate in, REAL or WHOLE) */
#define TYPES(X)                                                                                   \
  X(C, signed char, unsigned, WHOLE)                                                               \
  X(UC, unsigned char, unsigned, WHOLE)                                                            \
  X(S, short, unsigned, WHOLE)                                                                     \
  X(US, unsigned short, unsigned, WHOLE)                                                           \
  X(I, int, unsigned, WHOLE)                                                                       \
  X(UI, unsigned, unsigned, WHOLE)                                                                 \
  X(L, long, unsigned long, WHOLE)                                                                 \
  X(UL, unsigned long, unsigned long, WHOLE)                                                       \
  X(F, float, float, REAL)                                                                         \
  X(D, double, double, REAL)                                                                       \
  X(LD, long double, long double, REAL)

#define CASE(op, expression, STORE)                                                                \
  case op:                                                                                         \
    for (size_t i = 0; i < n; i++) {                                                               \
      const type b = p[i];                                                                         \
      a = (type)(expression);                                                                      \
      STORE;                                                                                       \
    }                                                                                              \
    break;
#define CASES_REAL(STORE)
#define CASES_WHOLE(STORE)                                                                         \
  CASE(UPC_AND, a &b, STORE)                                                                       \
  CASE(UPC_OR, a | b, STORE)                                                                       \
  CASE(UPC_XOR, a ^ b, STORE)
#define CASES(KIND, STORE)                                                                         \
  CASES_##KIND(STORE) CASE(UPC_ADD, (wide)a + (wide)b, STORE)                                      \
      CASE(UPC_MULT, (wide)a *(wide)b, STORE) CASE(UPC_LOGAND, a &&b, STORE)                       \
          CASE(UPC_LOGOR, a || b, STORE) CASE(UPC_MIN, b < a ? b : a, STORE)                       \
              CASE(UPC_MAX, b > a ? b : a, STORE) CASE(WEFT_UPC_FUNC, func(a, b), STORE)           \
                  CASE(WEFT_UPC_NONCOMM_FUNC, func(a, b), STORE)

#define IS_REAL true
#define IS_WHOLE false

#define FUNCTIONS(T, TYPE, WIDE, KIND)                                                             \
  static void fold_##T(const weft_upc_fold_t *f, void *value, const void *from, size_t n) {        \
    typedef TYPE type;                                                                             \
    typedef WIDE wide;                                                                             \
    type (*func)(type, type) = (type (*)(type, type))f->func;                                      \
    const type *p = from;                                                                          \
    type a = *(type *)value;                                                                       \
    switch (f->op) { CASES(KIND, (void)0) }                                                        \
    *(type *)value = a;                                                                            \
  }                                                                                                \
  static void scan_##T(const weft_upc_fold_t *f, void *value, void *to, const void *from,          \
                       size_t n) {                                                                 \
    typedef TYPE type;                                                                             \
    typedef WIDE wide;                                                                             \
    type (*func)(type, type) = (type (*)(type, type))f->func;                                      \
    const type *p = from;                                                                          \
    type *out = to, a = *(type *)value;                                                            \
    switch (f->op) { CASES(KIND, out[i] = a) }                                                     \
    *(type *)value = a;                                                                            \
  }                                                                                                \
  static const weft_upc_fold_type_t type_##T = {sizeof(TYPE), IS_##KIND, fold_##T, scan_##T};      \
  WEFT_API void upc_all_reduce##T(weft_upc_ptr_t dst, weft_upc_ptr_t src, upc_op_t op,             \
                                  size_t nelems, size_t blk_size, TYPE (*func)(TYPE, TYPE),        \
                                  upc_flag_t flags) {                                              \
    const weft_upc_fold_t f = {&type_##T, op, (void (*)(void))func};                               \
    weft_upc_reduce(&f, dst, src, nelems, blk_size, flags);                                        \
  }                                                                                                \
  WEFT_API void upc_all_prefix_reduce##T(weft_upc_ptr_t dst, weft_upc_ptr_t src, upc_op_t op,      \
                                         size_t nelems, size_t blk_size, TYPE (*func)(TYPE, TYPE), \
                                         upc_flag_t flags) {                                       \
    const weft_upc_fold_t f = {&type_##T, op, (void (*)(void))func};                               \
    weft_upc_prefix_reduce(&f, dst, src, nelems, blk_size, flags);                                 \
  }
TYPES(FUNCTIONS)

const weft_upc_fold_type_t *weft_upc_fold_type(upc_type_t type) {
  switch (type) {
  case UPC_CHAR: return &type_C;
  case UPC_UCHAR: return &type_UC;
  case UPC_SHORT: return &type_S;
  case UPC_USHORT: return &type_US;
  case UPC_INT: return &type_I;
  case UPC_UINT: return &type_UI;
  case UPC_LONG: return &type_L;
  case UPC_ULONG: return &type_UL;
  case UPC_FLOAT: return &type_F;
  case UPC_DOUBLE: return &type_D;
  case UPC_LDOUBLE: return &type_LD;
  default: return NULL;
  }
}
