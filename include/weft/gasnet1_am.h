/*
 * weft/gasnet1_am.h: active messages of GASNet-1 1.8, over those of GASNet-EX on the primordial
 * team. Their variable forms (never specified) take the number of arguments before these. Include
 * <gasnet.h> instead.
 */
#ifndef WEFT_GASNET1_AM_H
#define WEFT_GASNET1_AM_H

#include <weft/gasnet1_job.h>
#include <weft/gex_am.h>

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

size_t gasnet_AMMaxArgs(void);
size_t gasnet_AMMaxMedium(void);
size_t gasnet_AMMaxLongRequest(void);
size_t gasnet_AMMaxLongReply(void);
int gasnet_AMGetMsgSource(gasnet_token_t token, gasnet_node_t *srcindex);

#define WEFT_GASNET1_AM(M)                                                                         \
  WEFT_GEX_INLINE int gasnet_AMRequestShort##M(gasnet_node_t dest,                                 \
                                               gasnet_handler_t handler WEFT_AM_PARAMS_##M) {      \
    return gex_AM_RequestShort##M(weft_gex.tm0, dest, handler, 0 WEFT_AM_NAMES_##M);               \
  }                                                                                                \
  WEFT_GEX_INLINE int gasnet_AMRequestMedium##M(gasnet_node_t dest, gasnet_handler_t handler,      \
                                                const void *source_addr,                           \
                                                size_t nbytes WEFT_AM_PARAMS_##M) {                \
    return gex_AM_RequestMedium##M(weft_gex.tm0, dest, handler, source_addr, nbytes,               \
                                   GEX_EVENT_NOW, 0 WEFT_AM_NAMES_##M);                            \
  }                                                                                                \
  WEFT_GEX_INLINE int gasnet_AMRequestLong##M(gasnet_node_t dest, gasnet_handler_t handler,        \
                                              const void *source_addr, size_t nbytes,              \
                                              void *dest_addr WEFT_AM_PARAMS_##M) {                \
    return gex_AM_RequestLong##M(weft_gex.tm0, dest, handler, source_addr, nbytes, dest_addr,      \
                                 GEX_EVENT_NOW, 0 WEFT_AM_NAMES_##M);                              \
  }                                                                                                \
  WEFT_GEX_INLINE int gasnet_AMRequestLongAsync##M(gasnet_node_t dest, gasnet_handler_t handler,   \
                                                   const void *source_addr, size_t nbytes,         \
                                                   void *dest_addr WEFT_AM_PARAMS_##M) {           \
    return gex_AM_RequestLong##M(weft_gex.tm0, dest, handler, source_addr, nbytes, dest_addr,      \
                                 GEX_EVENT_NOW, 0 WEFT_AM_NAMES_##M);                              \
  }                                                                                                \
  WEFT_GEX_INLINE int gasnet_AMReplyShort##M(gasnet_token_t token,                                 \
                                             gasnet_handler_t handler WEFT_AM_PARAMS_##M) {        \
    return gex_AM_ReplyShort##M(token, handler, 0 WEFT_AM_NAMES_##M);                              \
  }                                                                                                \
  WEFT_GEX_INLINE int gasnet_AMReplyMedium##M(gasnet_token_t token, gasnet_handler_t handler,      \
                                              const void *source_addr,                             \
                                              size_t nbytes WEFT_AM_PARAMS_##M) {                  \
    return gex_AM_ReplyMedium##M(token, handler, source_addr, nbytes, GEX_EVENT_NOW,               \
                                 0 WEFT_AM_NAMES_##M);                                             \
  }                                                                                                \
  WEFT_GEX_INLINE int gasnet_AMReplyLong##M(gasnet_token_t token, gasnet_handler_t handler,        \
                                            const void *source_addr, size_t nbytes,                \
                                            void *dest_addr WEFT_AM_PARAMS_##M) {                  \
    return gex_AM_ReplyLong##M(token, handler, source_addr, nbytes, dest_addr, GEX_EVENT_NOW,      \
                               0 WEFT_AM_NAMES_##M);                                               \
  }
WEFT_AM_ARITIES(WEFT_GASNET1_AM)

/* ---- the number of arguments given: gasnet_AMRequestShort(dest, handler, 2, a0, a1) ----
 * It is the last fixed argument in place of the flags, times 0. */

#define gasnet_AMRequestShort(dest, handler, ...)                                                  \
  WEFT_GEX_JOIN(gex_AM_RequestShort, WEFT_GEX_COUNT(__VA_ARGS__))                                  \
  (weft_gex.tm0, dest, handler, 0 * __VA_ARGS__)
#define gasnet_AMRequestMedium(dest, handler, source, nbytes, ...)                                 \
  WEFT_GEX_JOIN(gex_AM_RequestMedium, WEFT_GEX_COUNT(__VA_ARGS__))                                 \
  (weft_gex.tm0, dest, handler, source, nbytes, GEX_EVENT_NOW, 0 * __VA_ARGS__)
#define gasnet_AMRequestLong(dest, handler, source, nbytes, dest_addr, ...)                        \
  WEFT_GEX_JOIN(gex_AM_RequestLong, WEFT_GEX_COUNT(__VA_ARGS__))                                   \
  (weft_gex.tm0, dest, handler, source, nbytes, dest_addr, GEX_EVENT_NOW, 0 * __VA_ARGS__)
#define gasnet_AMRequestLongAsync(dest, handler, source, nbytes, dest_addr, ...)                   \
  gasnet_AMRequestLong(dest, handler, source, nbytes, dest_addr, __VA_ARGS__)
#define gasnet_AMReplyShort(token, handler, ...)                                                   \
  WEFT_GEX_JOIN(gex_AM_ReplyShort, WEFT_GEX_COUNT(__VA_ARGS__))(token, handler, 0 * __VA_ARGS__)
#define gasnet_AMReplyMedium(token, handler, source, nbytes, ...)                                  \
  WEFT_GEX_JOIN(gex_AM_ReplyMedium, WEFT_GEX_COUNT(__VA_ARGS__))                                   \
  (token, handler, source, nbytes, GEX_EVENT_NOW, 0 * __VA_ARGS__)
#define gasnet_AMReplyLong(token, handler, source, nbytes, dest_addr, ...)                         \
  WEFT_GEX_JOIN(gex_AM_ReplyLong, WEFT_GEX_COUNT(__VA_ARGS__))                                     \
  (token, handler, source, nbytes, dest_addr, GEX_EVENT_NOW, 0 * __VA_ARGS__)

#ifdef __cplusplus
}
#endif
WEFT_GEX_END

#endif
