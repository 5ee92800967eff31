/*
 * weft/shmem_types.h: the constants, handles and type tables of OpenSHMEM 1.6 (sections 6 and 9),
 * and the machinery that turns one line per function into prototypes, inline definitions and
 * library symbols. Include <shmem.h> instead.
 */
#ifndef WEFT_SHMEM_TYPES_H
#define WEFT_SHMEM_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include <weft/direct.h>

/* ---- constants ------------------------------------------------------------------------------ */

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 6
#define SHMEM_MAX_NAME_LEN 64
#define SHMEM_VENDOR_STRING "Weft 0.1"

/* shmem4py 1.0.0 knows implementations by names in their headers and brings its own (conflicting)
 * substitutes for most of OpenSHMEM 1.5 where it finds none. These two, empty as here, are how it
 * finds one that has everything. No other client that we know asks for them. */
#define SHMEM_DEF_H
#define SHMEM_FUNCTION_ATTRIBUTES

#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_FUNNELED 1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE 3

#define SHMEM_CMP_EQ 0
#define SHMEM_CMP_NE 1
#define SHMEM_CMP_GT 2
#define SHMEM_CMP_LE 3
#define SHMEM_CMP_LT 4
#define SHMEM_CMP_GE 5

#define SHMEM_SIGNAL_SET 0
#define SHMEM_SIGNAL_ADD 1

#define SHMEM_MALLOC_ATOMICS_REMOTE 1L
#define SHMEM_MALLOC_SIGNAL_REMOTE 2L

#define SHMEM_TEAM_NUM_CONTEXTS 1L

#define SHMEM_CTX_SERIALIZED 1L
#define SHMEM_CTX_PRIVATE 2L
#define SHMEM_CTX_NOSTORE 4L
#define SHMEM_CTX_SESSION_TOTAL_OPS 1L
#define SHMEM_CTX_SESSION_BATCH 1L

/* A pSync array is one set of synchronisation words whatever the operation. */
#define SHMEM_SYNC_VALUE 0L
#define SHMEM_SYNC_SIZE 128
#define SHMEM_BARRIER_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_BCAST_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_COLLECT_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALL_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 1

/* Deprecated spellings. */
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_LE SHMEM_CMP_LE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_GE SHMEM_CMP_GE
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE

/* ---- handles -------------------------------------------------------------------------------- */

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* PE i of a context's team is PE start + i * stride of the world; `on` is its tag (weft/direct.h).
 * The library keeps more behind these. */
struct weft_shmem_ctx {
  int start;
  int stride;
  long on;
};
struct weft_shmem_team;

typedef struct weft_shmem_ctx *shmem_ctx_t;
typedef struct weft_shmem_team *shmem_team_t;

typedef struct {
  int num_contexts;
} shmem_team_config_t;

typedef struct {
  size_t total_ops;
} shmem_ctx_session_config_t;

/* The predefined handles are addresses, so they can initialise static variables. */
extern struct weft_shmem_ctx weft_shmem_ctx_default;
extern struct weft_shmem_team weft_shmem_team_world;
extern struct weft_shmem_team weft_shmem_team_shared;

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#define SHMEM_CTX_DEFAULT (&weft_shmem_ctx_default)
#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)
#define SHMEM_TEAM_WORLD (&weft_shmem_team_world)
#define SHMEM_TEAM_SHARED (&weft_shmem_team_shared)
#define SHMEM_TEAM_INVALID ((shmem_team_t)0)

#ifdef __GNUC__
__extension__ typedef float _Complex weft_complexf;
__extension__ typedef double _Complex weft_complexd;
#endif

/* ---- type tables: X(FN, NAME, TYPE) for every row ------------------------------------------- */

/* Table 5, standard AMO types; also the point-to-point synchronisation types */
#define WEFT_TYPES_AMO(X, FN)                                                                      \
  X(FN, int, int)                                                                                  \
  X(FN, long, long)                                                                                \
  X(FN, longlong, long long)                                                                       \
  X(FN, uint, unsigned int)                                                                        \
  X(FN, ulong, unsigned long)                                                                      \
  X(FN, ulonglong, unsigned long long)                                                             \
  X(FN, int32, int32_t)                                                                            \
  X(FN, int64, int64_t)                                                                            \
  X(FN, uint32, uint32_t)                                                                          \
  X(FN, uint64, uint64_t)                                                                          \
  X(FN, size, size_t)                                                                              \
  X(FN, ptrdiff, ptrdiff_t)

/* what the extended AMO types add */
#define WEFT_TYPES_REAL(X, FN)                                                                     \
  X(FN, float, float)                                                                              \
  X(FN, double, double)

/* Table 7, bitwise AMO types */
#define WEFT_TYPES_BITWISE(X, FN)                                                                  \
  X(FN, uint, unsigned int)                                                                        \
  X(FN, ulong, unsigned long)                                                                      \
  X(FN, ulonglong, unsigned long long)                                                             \
  X(FN, int32, int32_t)                                                                            \
  X(FN, int64, int64_t)                                                                            \
  X(FN, uint32, uint32_t)                                                                          \
  X(FN, uint64, uint64_t)

/* types of one or two bytes */
#define WEFT_TYPES_SMALL(X, FN)                                                                    \
  X(FN, char, char)                                                                                \
  X(FN, schar, signed char)                                                                        \
  X(FN, short, short)                                                                              \
  X(FN, uchar, unsigned char)                                                                      \
  X(FN, ushort, unsigned short)                                                                    \
  X(FN, int8, int8_t)                                                                              \
  X(FN, int16, int16_t)                                                                            \
  X(FN, uint8, uint8_t)                                                                            \
  X(FN, uint16, uint16_t)

/* Table 3, standard RMA types: those that a processor loads and stores whole, and long double */
#define WEFT_TYPES_WORD(X, FN)                                                                     \
  WEFT_TYPES_REAL(X, FN)                                                                           \
  WEFT_TYPES_SMALL(X, FN)                                                                          \
  WEFT_TYPES_AMO(X, FN)
#define WEFT_TYPES_RMA(X, FN)                                                                      \
  WEFT_TYPES_WORD(X, FN)                                                                           \
  X(FN, longdouble, long double)

/* Table 10, team reductions: AND OR XOR; MAX MIN is the RMA table; SUM PROD and the scans */
#define WEFT_TYPES_BITS(X, FN)                                                                     \
  WEFT_TYPES_BITWISE(X, FN)                                                                        \
  X(FN, uchar, unsigned char)                                                                      \
  X(FN, ushort, unsigned short)                                                                    \
  X(FN, int8, int8_t)                                                                              \
  X(FN, int16, int16_t)                                                                            \
  X(FN, uint8, uint8_t)                                                                            \
  X(FN, uint16, uint16_t)                                                                          \
  X(FN, size, size_t)
#define WEFT_TYPES_COMPLEX(X, FN)                                                                  \
  X(FN, complexd, weft_complexd)                                                                   \
  X(FN, complexf, weft_complexf)
#define WEFT_TYPES_SUM(X, FN)                                                                      \
  WEFT_TYPES_RMA(X, FN)                                                                            \
  WEFT_TYPES_COMPLEX(X, FN)

/* Table 11, active-set reductions (deprecated) */
#define WEFT_TYPES_OLD_BITS(X, FN)                                                                 \
  X(FN, short, short)                                                                              \
  X(FN, int, int)                                                                                  \
  X(FN, long, long)                                                                                \
  X(FN, longlong, long long)
#define WEFT_TYPES_OLD_MAX(X, FN)                                                                  \
  WEFT_TYPES_OLD_BITS(X, FN)                                                                       \
  WEFT_TYPES_REAL(X, FN)                                                                           \
  X(FN, longdouble, long double)
#define WEFT_TYPES_OLD_SUM(X, FN)                                                                  \
  WEFT_TYPES_OLD_MAX(X, FN)                                                                        \
  WEFT_TYPES_COMPLEX(X, FN)

/* Deprecated AMO types */
#define WEFT_TYPES_OLD_AMO(X, FN)                                                                  \
  X(FN, int, int)                                                                                  \
  X(FN, long, long)                                                                                \
  X(FN, longlong, long long)

/* Element sizes of the untyped forms: X(FN, BITS, BYTES) */
#define WEFT_SIZES(X, FN)                                                                          \
  X(FN, 8, 1)                                                                                      \
  X(FN, 16, 2)                                                                                     \
  X(FN, 32, 4)                                                                                     \
  X(FN, 64, 8)                                                                                     \
  X(FN, 128, 16)

/* ---- one line per function -------------------------------------------------------------------
 *
 * The chapters' lists call FN(return type, name without shmem_, (parameters), body). FN is one of
 * the three below or the library's own, which emits the strong pshmem_ symbol and its weak shmem_
 * twin from the body. The bodies of functions that are not inlined call functions that only the
 * library has.
 */
#define WEFT_PROTOTYPE(RET, NAME, PARAMS, ...) RET shmem_##NAME PARAMS;
#define WEFT_PROFILING_PROTOTYPE(RET, NAME, PARAMS, ...) RET pshmem_##NAME PARAMS;
/* gnu_inline: never emitted, so the function's address and unoptimised calls mean the library's
 * symbol */
#define WEFT_INLINE(RET, NAME, PARAMS, ...)                                                        \
  RET shmem_##NAME PARAMS;                                                                         \
  extern inline __attribute__((gnu_inline)) RET shmem_##NAME PARAMS {                              \
    __VA_ARGS__                                                                                    \
  }

/* Only where the compiler optimises: others gain nothing, and what reads the header to make
 * bindings of another language (bindgen) leaves functions out that have an inline body. */
#if defined(WEFT_NO_INLINE) || !defined(__OPTIMIZE__)
#define WEFT_HOT WEFT_PROTOTYPE
#else
#define WEFT_HOT WEFT_INLINE
#endif

/* A function and its form on a context. The body sees `to`, the PE's number in the world with the
 * context's tag, and `who`. */
#define WEFT_PLAIN(...) __VA_ARGS__
#define WEFT_BOTH(FN, RET, NAME, PARAMS, ...)                                                      \
  FN(RET, NAME, (WEFT_PLAIN PARAMS), const long to = pe; const char *const who = "shmem_" #NAME;   \
     (void)who; __VA_ARGS__)                                                                       \
  FN(RET, ctx_##NAME, (shmem_ctx_t ctx, WEFT_PLAIN PARAMS),                                        \
     const long to = weft_direct_to(ctx->start + (long)pe * ctx->stride, ctx->on);                 \
     const char *const who = "shmem_ctx_" #NAME; (void)who; __VA_ARGS__)

#endif
