/*
 * weft/gex_arity.h: what GASNet's families of functions for 0 to 16 arguments want beside
 * weft/am_arity.h: the arguments as values of an array and stored into a slot, and the count of a
 * variable list.
 */
#ifndef WEFT_GEX_ARITY_H
#define WEFT_GEX_ARITY_H

#include <weft/am_arity.h> /* parameters, names, types */

/* clang-format off */
/* X(M): one per number of arguments: those that fit into a slot, and the others. */
#define WEFT_GEX_ARITIES_SLOT(X) \
  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13)
#define WEFT_GEX_ARITIES_MORE(X) X(14) X(15) X(16)

/* ---- the arguments as an array's values ---- */

#define WEFT_GEX_LIST_0 0
#define WEFT_GEX_LIST_1 a0
#define WEFT_GEX_LIST_2 WEFT_GEX_LIST_1, a1
#define WEFT_GEX_LIST_3 WEFT_GEX_LIST_2, a2
#define WEFT_GEX_LIST_4 WEFT_GEX_LIST_3, a3
#define WEFT_GEX_LIST_5 WEFT_GEX_LIST_4, a4
#define WEFT_GEX_LIST_6 WEFT_GEX_LIST_5, a5
#define WEFT_GEX_LIST_7 WEFT_GEX_LIST_6, a6
#define WEFT_GEX_LIST_8 WEFT_GEX_LIST_7, a7
#define WEFT_GEX_LIST_9 WEFT_GEX_LIST_8, a8
#define WEFT_GEX_LIST_10 WEFT_GEX_LIST_9, a9
#define WEFT_GEX_LIST_11 WEFT_GEX_LIST_10, a10
#define WEFT_GEX_LIST_12 WEFT_GEX_LIST_11, a11
#define WEFT_GEX_LIST_13 WEFT_GEX_LIST_12, a12
#define WEFT_GEX_LIST_14 WEFT_GEX_LIST_13, a13
#define WEFT_GEX_LIST_15 WEFT_GEX_LIST_14, a14
#define WEFT_GEX_LIST_16 WEFT_GEX_LIST_15, a15


/* into a slot (weft/am.h), which has room for 13 */
#define WEFT_GEX_STORE_0(s)
#define WEFT_GEX_STORE_1(s) (s)->args[0] = a0;
#define WEFT_GEX_STORE_2(s) WEFT_GEX_STORE_1(s) (s)->args[1] = a1;
#define WEFT_GEX_STORE_3(s) WEFT_GEX_STORE_2(s) (s)->args[2] = a2;
#define WEFT_GEX_STORE_4(s) WEFT_GEX_STORE_3(s) (s)->args[3] = a3;
#define WEFT_GEX_STORE_5(s) WEFT_GEX_STORE_4(s) (s)->args[4] = a4;
#define WEFT_GEX_STORE_6(s) WEFT_GEX_STORE_5(s) (s)->args[5] = a5;
#define WEFT_GEX_STORE_7(s) WEFT_GEX_STORE_6(s) (s)->args[6] = a6;
#define WEFT_GEX_STORE_8(s) WEFT_GEX_STORE_7(s) (s)->args[7] = a7;
#define WEFT_GEX_STORE_9(s) WEFT_GEX_STORE_8(s) (s)->args[8] = a8;
#define WEFT_GEX_STORE_10(s) WEFT_GEX_STORE_9(s) (s)->args[9] = a9;
#define WEFT_GEX_STORE_11(s) WEFT_GEX_STORE_10(s) (s)->args[10] = a10;
#define WEFT_GEX_STORE_12(s) WEFT_GEX_STORE_11(s) (s)->args[11] = a11;
#define WEFT_GEX_STORE_13(s) WEFT_GEX_STORE_12(s) (s)->args[12] = a12;

/* ---- the M of f(fixed arguments, a0, ...), which is called f##M ---- */

#define WEFT_GEX_NTH(x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, M, \
                     ...)                                                                          \
  M
/* of what follows the fixed arguments and a dummy */
#define WEFT_GEX_COUNT(...) \
  WEFT_GEX_NTH(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, )
#define WEFT_GEX_AFTER2(a, b, ...) WEFT_GEX_COUNT(__VA_ARGS__)
#define WEFT_GEX_AFTER3(a, b, c, ...) WEFT_GEX_COUNT(__VA_ARGS__)
#define WEFT_GEX_AFTER4(a, b, c, d, ...) WEFT_GEX_COUNT(__VA_ARGS__)
#define WEFT_GEX_AFTER5(a, b, c, d, e, ...) WEFT_GEX_COUNT(__VA_ARGS__)
#define WEFT_GEX_AFTER6(a, b, c, d, e, f, ...) WEFT_GEX_COUNT(__VA_ARGS__)
#define WEFT_GEX_AFTER7(a, b, c, d, e, f, g, ...) WEFT_GEX_COUNT(__VA_ARGS__)
#define WEFT_GEX_AFTER8(a, b, c, d, e, f, g, h, ...) WEFT_GEX_COUNT(__VA_ARGS__)
#define WEFT_GEX_JOIN(f, M) WEFT_GEX_JOIN_(f, M)
#define WEFT_GEX_JOIN_(f, M) f##M
#define WEFT_GEX_JOIN_V2(f, M) WEFT_GEX_JOIN_V2_(f, M)
#define WEFT_GEX_JOIN_V2_(f, M) f##M##_v2
/* clang-format on */

#endif
