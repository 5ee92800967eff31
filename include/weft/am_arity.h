/*
 * weft/am_arity.h: the families of active message functions, which exist for 0 to 16 arguments of
 * 32 bits each, as lists: parameters, names, types. Not an interface for programs.
 */
#ifndef WEFT_AM_ARITY_H
#define WEFT_AM_ARITY_H

#define WEFT_AM_ARITIES(X)                                                                         \
  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16)

/* Behind other parameters: int32_t a0, ... */
#define WEFT_AM_PARAMS_0
#define WEFT_AM_PARAMS_1 WEFT_AM_PARAMS_0, int32_t a0
#define WEFT_AM_PARAMS_2 WEFT_AM_PARAMS_1, int32_t a1
#define WEFT_AM_PARAMS_3 WEFT_AM_PARAMS_2, int32_t a2
#define WEFT_AM_PARAMS_4 WEFT_AM_PARAMS_3, int32_t a3
#define WEFT_AM_PARAMS_5 WEFT_AM_PARAMS_4, int32_t a4
#define WEFT_AM_PARAMS_6 WEFT_AM_PARAMS_5, int32_t a5
#define WEFT_AM_PARAMS_7 WEFT_AM_PARAMS_6, int32_t a6
#define WEFT_AM_PARAMS_8 WEFT_AM_PARAMS_7, int32_t a7
#define WEFT_AM_PARAMS_9 WEFT_AM_PARAMS_8, int32_t a8
#define WEFT_AM_PARAMS_10 WEFT_AM_PARAMS_9, int32_t a9
#define WEFT_AM_PARAMS_11 WEFT_AM_PARAMS_10, int32_t a10
#define WEFT_AM_PARAMS_12 WEFT_AM_PARAMS_11, int32_t a11
#define WEFT_AM_PARAMS_13 WEFT_AM_PARAMS_12, int32_t a12
#define WEFT_AM_PARAMS_14 WEFT_AM_PARAMS_13, int32_t a13
#define WEFT_AM_PARAMS_15 WEFT_AM_PARAMS_14, int32_t a14
#define WEFT_AM_PARAMS_16 WEFT_AM_PARAMS_15, int32_t a15

/* The same names as arguments. */
#define WEFT_AM_NAMES_0
#define WEFT_AM_NAMES_1 WEFT_AM_NAMES_0, a0
#define WEFT_AM_NAMES_2 WEFT_AM_NAMES_1, a1
#define WEFT_AM_NAMES_3 WEFT_AM_NAMES_2, a2
#define WEFT_AM_NAMES_4 WEFT_AM_NAMES_3, a3
#define WEFT_AM_NAMES_5 WEFT_AM_NAMES_4, a4
#define WEFT_AM_NAMES_6 WEFT_AM_NAMES_5, a5
#define WEFT_AM_NAMES_7 WEFT_AM_NAMES_6, a6
#define WEFT_AM_NAMES_8 WEFT_AM_NAMES_7, a7
#define WEFT_AM_NAMES_9 WEFT_AM_NAMES_8, a8
#define WEFT_AM_NAMES_10 WEFT_AM_NAMES_9, a9
#define WEFT_AM_NAMES_11 WEFT_AM_NAMES_10, a10
#define WEFT_AM_NAMES_12 WEFT_AM_NAMES_11, a11
#define WEFT_AM_NAMES_13 WEFT_AM_NAMES_12, a12
#define WEFT_AM_NAMES_14 WEFT_AM_NAMES_13, a13
#define WEFT_AM_NAMES_15 WEFT_AM_NAMES_14, a14
#define WEFT_AM_NAMES_16 WEFT_AM_NAMES_15, a15

/* Their types. */
#define WEFT_AM_TYPES_0
#define WEFT_AM_TYPES_1 WEFT_AM_TYPES_0, int32_t
#define WEFT_AM_TYPES_2 WEFT_AM_TYPES_1, int32_t
#define WEFT_AM_TYPES_3 WEFT_AM_TYPES_2, int32_t
#define WEFT_AM_TYPES_4 WEFT_AM_TYPES_3, int32_t
#define WEFT_AM_TYPES_5 WEFT_AM_TYPES_4, int32_t
#define WEFT_AM_TYPES_6 WEFT_AM_TYPES_5, int32_t
#define WEFT_AM_TYPES_7 WEFT_AM_TYPES_6, int32_t
#define WEFT_AM_TYPES_8 WEFT_AM_TYPES_7, int32_t
#define WEFT_AM_TYPES_9 WEFT_AM_TYPES_8, int32_t
#define WEFT_AM_TYPES_10 WEFT_AM_TYPES_9, int32_t
#define WEFT_AM_TYPES_11 WEFT_AM_TYPES_10, int32_t
#define WEFT_AM_TYPES_12 WEFT_AM_TYPES_11, int32_t
#define WEFT_AM_TYPES_13 WEFT_AM_TYPES_12, int32_t
#define WEFT_AM_TYPES_14 WEFT_AM_TYPES_13, int32_t
#define WEFT_AM_TYPES_15 WEFT_AM_TYPES_14, int32_t
#define WEFT_AM_TYPES_16 WEFT_AM_TYPES_15, int32_t

/* Arguments out of an array a. */
#define WEFT_AM_ITEMS_0
#define WEFT_AM_ITEMS_1 WEFT_AM_ITEMS_0, a[0]
#define WEFT_AM_ITEMS_2 WEFT_AM_ITEMS_1, a[1]
#define WEFT_AM_ITEMS_3 WEFT_AM_ITEMS_2, a[2]
#define WEFT_AM_ITEMS_4 WEFT_AM_ITEMS_3, a[3]
#define WEFT_AM_ITEMS_5 WEFT_AM_ITEMS_4, a[4]
#define WEFT_AM_ITEMS_6 WEFT_AM_ITEMS_5, a[5]
#define WEFT_AM_ITEMS_7 WEFT_AM_ITEMS_6, a[6]
#define WEFT_AM_ITEMS_8 WEFT_AM_ITEMS_7, a[7]
#define WEFT_AM_ITEMS_9 WEFT_AM_ITEMS_8, a[8]
#define WEFT_AM_ITEMS_10 WEFT_AM_ITEMS_9, a[9]
#define WEFT_AM_ITEMS_11 WEFT_AM_ITEMS_10, a[10]
#define WEFT_AM_ITEMS_12 WEFT_AM_ITEMS_11, a[11]
#define WEFT_AM_ITEMS_13 WEFT_AM_ITEMS_12, a[12]
#define WEFT_AM_ITEMS_14 WEFT_AM_ITEMS_13, a[13]
#define WEFT_AM_ITEMS_15 WEFT_AM_ITEMS_14, a[14]
#define WEFT_AM_ITEMS_16 WEFT_AM_ITEMS_15, a[15]

#endif
