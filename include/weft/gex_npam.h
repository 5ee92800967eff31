/*
 * weft/gex_npam.h: active messages of GASNet-EX 0.19 with a negotiated payload: Prepare gives room
 * (or takes the client's buffer), Commit sends it, Cancel gives it back. Include <gasnetex.h>
 * instead.
 */
#ifndef WEFT_GEX_NPAM_H
#define WEFT_GEX_NPAM_H

#include <weft/gex_arity.h>
#include <weft/gex_types.h>

#define GASNET_SUPPORTS_AM_CANCEL 20240418L
#define GASNET_SUPPORTS_AM_COMMIT_V2 20240906L
/* What GASNet allocates for a medium is what the message travels from on a node, and to others the
 * copy into the packet is the only one, as it is with the client's buffer. */
#undef GASNET_NATIVE_NP_ALLOC_REQ_MEDIUM
#undef GASNET_NATIVE_NP_ALLOC_REP_MEDIUM
#undef GASNET_NATIVE_NP_ALLOC_REQ_LONG
#undef GASNET_NATIVE_NP_ALLOC_REP_LONG

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

gex_AM_SrcDesc_t gex_AM_PrepareRequestMedium(gex_TM_t tm, gex_Rank_t rank, const void *client_buf,
                                             size_t least_payload, size_t most_payload,
                                             gex_Event_t *lc_opt, gex_Flags_t flags,
                                             unsigned int numargs);
gex_AM_SrcDesc_t gex_AM_PrepareReplyMedium(gex_Token_t token, const void *client_buf,
                                           size_t least_payload, size_t most_payload,
                                           gex_Event_t *lc_opt, gex_Flags_t flags,
                                           unsigned int numargs);
gex_AM_SrcDesc_t gex_AM_PrepareRequestLong(gex_TM_t tm, gex_Rank_t rank, const void *client_buf,
                                           size_t least_payload, size_t most_payload,
                                           void *dest_addr, gex_Event_t *lc_opt, gex_Flags_t flags,
                                           unsigned int numargs);
gex_AM_SrcDesc_t gex_AM_PrepareReplyLong(gex_Token_t token, const void *client_buf,
                                         size_t least_payload, size_t most_payload, void *dest_addr,
                                         gex_Event_t *lc_opt, gex_Flags_t flags,
                                         unsigned int numargs);
void *gex_AM_SrcDescAddr(gex_AM_SrcDesc_t sd);
size_t gex_AM_SrcDescSize(gex_AM_SrcDesc_t sd);
int gex_AM_CancelRequestMedium(gex_AM_SrcDesc_t sd, gex_Flags_t flags);
int gex_AM_CancelReplyMedium(gex_AM_SrcDesc_t sd, gex_Flags_t flags);
int gex_AM_CancelRequestLong(gex_AM_SrcDesc_t sd, gex_Flags_t flags);
int gex_AM_CancelReplyLong(gex_AM_SrcDesc_t sd, gex_Flags_t flags);

/* What Commit is: 0 a request, 1 a reply; 1 a medium, 2 a long. */
int weft_gex_commit(gex_AM_SrcDesc_t sd, int reply, int category, int handler, size_t nbytes,
                    void *dest, gex_Flags_t flags, int nargs, const gex_AM_Arg_t *args);

#define WEFT_GEX_COMMIT_MEDIUM(M, WHICH, REPLY)                                                    \
  WEFT_GEX_INLINE void gex_AM_Commit##WHICH##Medium##M(                                            \
      gex_AM_SrcDesc_t sd, gex_AM_Index_t handler, size_t nbytes WEFT_AM_PARAMS_##M) {             \
    const gex_AM_Arg_t args[] = {WEFT_GEX_LIST_##M};                                               \
    weft_gex_commit(sd, REPLY, 1, handler, nbytes, NULL, 0, M, args);                              \
  }                                                                                                \
  WEFT_GEX_INLINE int gex_AM_Commit##WHICH##Medium##M##_v2(                                        \
      gex_AM_SrcDesc_t sd, gex_AM_Index_t handler, size_t nbytes,                                  \
      gex_Flags_t commit_flags WEFT_AM_PARAMS_##M) {                                               \
    const gex_AM_Arg_t args[] = {WEFT_GEX_LIST_##M};                                               \
    return weft_gex_commit(sd, REPLY, 1, handler, nbytes, NULL, commit_flags, M, args);            \
  }
#define WEFT_GEX_COMMIT_LONG(M, WHICH, REPLY)                                                      \
  WEFT_GEX_INLINE void gex_AM_Commit##WHICH##Long##M(gex_AM_SrcDesc_t sd, gex_AM_Index_t handler,  \
                                                     size_t nbytes,                                \
                                                     void *dest_addr WEFT_AM_PARAMS_##M) {         \
    const gex_AM_Arg_t args[] = {WEFT_GEX_LIST_##M};                                               \
    weft_gex_commit(sd, REPLY, 2, handler, nbytes, dest_addr, 0, M, args);                         \
  }                                                                                                \
  WEFT_GEX_INLINE int gex_AM_Commit##WHICH##Long##M##_v2(                                          \
      gex_AM_SrcDesc_t sd, gex_AM_Index_t handler, size_t nbytes, void *dest_addr,                 \
      gex_Flags_t commit_flags WEFT_AM_PARAMS_##M) {                                               \
    const gex_AM_Arg_t args[] = {WEFT_GEX_LIST_##M};                                               \
    return weft_gex_commit(sd, REPLY, 2, handler, nbytes, dest_addr, commit_flags, M, args);       \
  }
#define WEFT_GEX_COMMIT(M)                                                                         \
  WEFT_GEX_COMMIT_MEDIUM(M, Request, 0)                                                            \
  WEFT_GEX_COMMIT_MEDIUM(M, Reply, 1)                                                              \
  WEFT_GEX_COMMIT_LONG(M, Request, 0)                                                              \
  WEFT_GEX_COMMIT_LONG(M, Reply, 1)
WEFT_AM_ARITIES(WEFT_GEX_COMMIT)

/* ---- the number of arguments counted ---- */

#define gex_AM_CommitRequestMedium(...)                                                            \
  WEFT_GEX_JOIN(gex_AM_CommitRequestMedium, WEFT_GEX_AFTER3(__VA_ARGS__, 0))(__VA_ARGS__)
#define gex_AM_CommitReplyMedium(...)                                                              \
  WEFT_GEX_JOIN(gex_AM_CommitReplyMedium, WEFT_GEX_AFTER3(__VA_ARGS__, 0))(__VA_ARGS__)
#define gex_AM_CommitRequestLong(...)                                                              \
  WEFT_GEX_JOIN(gex_AM_CommitRequestLong, WEFT_GEX_AFTER4(__VA_ARGS__, 0))(__VA_ARGS__)
#define gex_AM_CommitReplyLong(...)                                                                \
  WEFT_GEX_JOIN(gex_AM_CommitReplyLong, WEFT_GEX_AFTER4(__VA_ARGS__, 0))(__VA_ARGS__)
#define gex_AM_CommitRequestMedium_v2(...)                                                         \
  WEFT_GEX_JOIN_V2(gex_AM_CommitRequestMedium, WEFT_GEX_AFTER4(__VA_ARGS__, 0))(__VA_ARGS__)
#define gex_AM_CommitReplyMedium_v2(...)                                                           \
  WEFT_GEX_JOIN_V2(gex_AM_CommitReplyMedium, WEFT_GEX_AFTER4(__VA_ARGS__, 0))(__VA_ARGS__)
#define gex_AM_CommitRequestLong_v2(...)                                                           \
  WEFT_GEX_JOIN_V2(gex_AM_CommitRequestLong, WEFT_GEX_AFTER5(__VA_ARGS__, 0))(__VA_ARGS__)
#define gex_AM_CommitReplyLong_v2(...)                                                             \
  WEFT_GEX_JOIN_V2(gex_AM_CommitReplyLong, WEFT_GEX_AFTER5(__VA_ARGS__, 0))(__VA_ARGS__)

#ifdef __cplusplus
}
#endif
WEFT_GEX_END

#endif
