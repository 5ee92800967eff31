/*
 * weft/gex_am.h: active messages of GASNet-EX 0.19 with a fixed payload, their limits, tokens and
 * polling. gex_AM_Xxx0 to gex_AM_Xxx16 for so many arguments; without the number it is counted. The
 * ones with a negotiated payload are in weft/gex_npam.h. Include <gasnetex.h> instead.
 */
#ifndef WEFT_GEX_AM_H
#define WEFT_GEX_AM_H

#include <weft/am.h>
#include <weft/gex_arity.h>
#include <weft/gex_types.h>

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

/* ---- limits and tokens ---- */

unsigned int gex_AM_MaxArgs(void);
size_t gex_AM_MaxRequestLong(gex_TM_t tm, gex_Rank_t other_rank, const gex_Event_t *lc_opt,
                             gex_Flags_t flags, unsigned int numargs);
size_t gex_AM_MaxReplyLong(gex_TM_t tm, gex_Rank_t other_rank, const gex_Event_t *lc_opt,
                           gex_Flags_t flags, unsigned int numargs);
size_t gex_AM_MaxRequestMedium(gex_TM_t tm, gex_Rank_t other_rank, const gex_Event_t *lc_opt,
                               gex_Flags_t flags, unsigned int numargs);
size_t gex_AM_MaxReplyMedium(gex_TM_t tm, gex_Rank_t other_rank, const gex_Event_t *lc_opt,
                             gex_Flags_t flags, unsigned int numargs);
size_t gex_Token_MaxReplyLong(gex_Token_t token, const gex_Event_t *lc_opt, gex_Flags_t flags,
                              unsigned int numargs);
size_t gex_Token_MaxReplyMedium(gex_Token_t token, const gex_Event_t *lc_opt, gex_Flags_t flags,
                                unsigned int numargs);
size_t gex_AM_LUBRequestLong(void);
size_t gex_AM_LUBReplyLong(void);
size_t gex_AM_LUBRequestMedium(void);
size_t gex_AM_LUBReplyMedium(void);

#define GASNET_SUPPORTS_TI_SRCRANK 1
#define GASNET_SUPPORTS_TI_EP 1
#define GASNET_SUPPORTS_TI_ENTRY 1
#define GASNET_SUPPORTS_TI_IS_REQ 1
#define GASNET_SUPPORTS_TI_IS_LONG 1
gex_TI_t gex_Token_Info(gex_Token_t token, gex_Token_Info_t *info, gex_TI_t mask);

/* ---- what the inline functions leave to the library ---- */

int weft_gex_request_short(gex_TM_t tm, gex_Rank_t rank, int handler, gex_Flags_t flags, int nargs,
                           const gex_AM_Arg_t *args);
int weft_gex_request_medium(gex_TM_t tm, gex_Rank_t rank, int handler, const void *source,
                            size_t nbytes, gex_Event_t *lc_opt, gex_Flags_t flags, int nargs,
                            const gex_AM_Arg_t *args);
int weft_gex_request_long(gex_TM_t tm, gex_Rank_t rank, int handler, const void *source,
                          size_t nbytes, void *dest, gex_Event_t *lc_opt, gex_Flags_t flags,
                          int nargs, const gex_AM_Arg_t *args);
int weft_gex_reply_short(gex_Token_t token, int handler, gex_Flags_t flags, int nargs,
                         const gex_AM_Arg_t *args);
int weft_gex_reply_medium(gex_Token_t token, int handler, const void *source, size_t nbytes,
                          gex_Event_t *lc_opt, gex_Flags_t flags, int nargs,
                          const gex_AM_Arg_t *args);
int weft_gex_reply_long(gex_Token_t token, int handler, const void *source, size_t nbytes,
                        void *dest, gex_Event_t *lc_opt, gex_Flags_t flags, int nargs,
                        const gex_AM_Arg_t *args);

/* A message to oneself runs in the call, if it may wait: a thread that then only computes, or waits
 * for another thread without calling the library, would leave it lying. */
void weft_gex_poll_self(void);

/* ---- short ---- */

/* A free cell of the peer's inbox takes the message; else the layer below finds a way. */
#define WEFT_GEX_TO_SELF(rank, flags)                                                              \
  (WEFT_GEX_THREADS && (rank) == weft_am_direct.pe && !((flags)&GEX_FLAG_IMMEDIATE))
#define WEFT_GEX_REQUEST_SHORT(M)                                                                  \
  WEFT_GEX_INLINE int gex_AM_RequestShort##M(gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler, \
                                             gex_Flags_t flags WEFT_AM_PARAMS_##M) {               \
    if (__builtin_expect(WEFT_GEX_IS_WORLD(tm), 1)) {                                              \
      weft_ring_t *ring;                                                                           \
      uintptr_t next;                                                                              \
      weft_cell_t *cell =                                                                          \
          weft_am_reserve(weft_am_direct.requests, (long)rank, WEFT_GEX_THREADS, &ring, &next);    \
      if (__builtin_expect(cell == NULL, 0)) {                                                     \
        int rc = weft_am_request_short##M(NULL, (long)rank, handler,                               \
                                          flags & GEX_FLAG_IMMEDIATE WEFT_AM_NAMES_##M);           \
        if (WEFT_GEX_TO_SELF(rank, flags)) weft_gex_poll_self();                                   \
        return rc;                                                                                 \
      }                                                                                            \
      WEFT_GEX_STORE_##M(cell) weft_am_publish(cell, handler, M, ring, next);                      \
      if (WEFT_GEX_TO_SELF(rank, flags)) weft_gex_poll_self();                                     \
      return 0;                                                                                    \
    }                                                                                              \
    const gex_AM_Arg_t args[] = {WEFT_GEX_LIST_##M};                                               \
    return weft_gex_request_short(tm, rank, handler, flags, M, args);                              \
  }
WEFT_GEX_ARITIES_SLOT(WEFT_GEX_REQUEST_SHORT)

#define WEFT_GEX_REQUEST_SHORT_MORE(M)                                                             \
  WEFT_GEX_INLINE int gex_AM_RequestShort##M(gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler, \
                                             gex_Flags_t flags WEFT_AM_PARAMS_##M) {               \
    const gex_AM_Arg_t args[] = {WEFT_GEX_LIST_##M};                                               \
    return weft_gex_request_short(tm, rank, handler, flags, M, args);                              \
  }
WEFT_GEX_ARITIES_MORE(WEFT_GEX_REQUEST_SHORT_MORE)

#define WEFT_GEX_REPLY_SHORT(M)                                                                    \
  WEFT_GEX_INLINE int gex_AM_ReplyShort##M(gex_Token_t token, gex_AM_Index_t handler,              \
                                           gex_Flags_t flags WEFT_AM_PARAMS_##M) {                 \
    const gex_AM_Arg_t args[] = {WEFT_GEX_LIST_##M};                                               \
    return weft_gex_reply_short(token, handler, flags, M, args);                                   \
  }
WEFT_AM_ARITIES(WEFT_GEX_REPLY_SHORT)

/* ---- medium and long ---- */

#define WEFT_GEX_REQUEST_MEDIUM(M)                                                                 \
  WEFT_GEX_INLINE int gex_AM_RequestMedium##M(                                                     \
      gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler, const void *source_addr,               \
      size_t nbytes, gex_Event_t *lc_opt, gex_Flags_t flags WEFT_AM_PARAMS_##M) {                  \
    const gex_AM_Arg_t args[] = {WEFT_GEX_LIST_##M};                                               \
    return weft_gex_request_medium(tm, rank, handler, source_addr, nbytes, lc_opt, flags, M,       \
                                   args);                                                          \
  }
WEFT_AM_ARITIES(WEFT_GEX_REQUEST_MEDIUM)

#define WEFT_GEX_REPLY_MEDIUM(M)                                                                   \
  WEFT_GEX_INLINE int gex_AM_ReplyMedium##M(                                                       \
      gex_Token_t token, gex_AM_Index_t handler, const void *source_addr, size_t nbytes,           \
      gex_Event_t *lc_opt, gex_Flags_t flags WEFT_AM_PARAMS_##M) {                                 \
    const gex_AM_Arg_t args[] = {WEFT_GEX_LIST_##M};                                               \
    return weft_gex_reply_medium(token, handler, source_addr, nbytes, lc_opt, flags, M, args);     \
  }
WEFT_AM_ARITIES(WEFT_GEX_REPLY_MEDIUM)

#define WEFT_GEX_REQUEST_LONG(M)                                                                   \
  WEFT_GEX_INLINE int gex_AM_RequestLong##M(                                                       \
      gex_TM_t tm, gex_Rank_t rank, gex_AM_Index_t handler, const void *source_addr,               \
      size_t nbytes, void *dest_addr, gex_Event_t *lc_opt, gex_Flags_t flags WEFT_AM_PARAMS_##M) { \
    const gex_AM_Arg_t args[] = {WEFT_GEX_LIST_##M};                                               \
    return weft_gex_request_long(tm, rank, handler, source_addr, nbytes, dest_addr, lc_opt, flags, \
                                 M, args);                                                         \
  }
WEFT_AM_ARITIES(WEFT_GEX_REQUEST_LONG)

#define WEFT_GEX_REPLY_LONG(M)                                                                     \
  WEFT_GEX_INLINE int gex_AM_ReplyLong##M(                                                         \
      gex_Token_t token, gex_AM_Index_t handler, const void *source_addr, size_t nbytes,           \
      void *dest_addr, gex_Event_t *lc_opt, gex_Flags_t flags WEFT_AM_PARAMS_##M) {                \
    const gex_AM_Arg_t args[] = {WEFT_GEX_LIST_##M};                                               \
    return weft_gex_reply_long(token, handler, source_addr, nbytes, dest_addr, lc_opt, flags, M,   \
                               args);                                                              \
  }
WEFT_AM_ARITIES(WEFT_GEX_REPLY_LONG)

/* ---- the number of arguments counted ---- */

#define gex_AM_RequestShort(...)                                                                   \
  WEFT_GEX_JOIN(gex_AM_RequestShort, WEFT_GEX_AFTER4(__VA_ARGS__, 0))(__VA_ARGS__)
#define gex_AM_ReplyShort(...)                                                                     \
  WEFT_GEX_JOIN(gex_AM_ReplyShort, WEFT_GEX_AFTER3(__VA_ARGS__, 0))(__VA_ARGS__)
#define gex_AM_RequestMedium(...)                                                                  \
  WEFT_GEX_JOIN(gex_AM_RequestMedium, WEFT_GEX_AFTER7(__VA_ARGS__, 0))(__VA_ARGS__)
#define gex_AM_ReplyMedium(...)                                                                    \
  WEFT_GEX_JOIN(gex_AM_ReplyMedium, WEFT_GEX_AFTER6(__VA_ARGS__, 0))(__VA_ARGS__)
#define gex_AM_RequestLong(...)                                                                    \
  WEFT_GEX_JOIN(gex_AM_RequestLong, WEFT_GEX_AFTER8(__VA_ARGS__, 0))(__VA_ARGS__)
#define gex_AM_ReplyLong(...)                                                                      \
  WEFT_GEX_JOIN(gex_AM_ReplyLong, WEFT_GEX_AFTER7(__VA_ARGS__, 0))(__VA_ARGS__)

#ifdef __cplusplus
}
#endif
WEFT_GEX_END

#include <weft/gex_npam.h>

#endif
