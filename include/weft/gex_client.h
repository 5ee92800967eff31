/*
 * weft/gex_client.h: clients, endpoints, segments, the system, handler-safe locks of GASNet-EX
 * 0.19. Include <gasnetex.h> instead.
 */
#ifndef WEFT_GEX_CLIENT_H
#define WEFT_GEX_CLIENT_H

#include <weft/gex_types.h>

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

/* ---- clients ---- */

/* gex_Client_Init for a client of this thread mode (WEFT_GEX_MODE). */
int weft_gex_client_init(gex_Client_t *client_p, gex_EP_t *ep_p, gex_TM_t *tm_p,
                         const char *client_name, int *argc, char ***argv, gex_Flags_t flags,
                         int mode);
WEFT_GEX_INLINE int gex_Client_Init(gex_Client_t *client_p, gex_EP_t *ep_p, gex_TM_t *tm_p,
                                    const char *clientName, int *argc, char ***argv,
                                    gex_Flags_t flags) {
  return weft_gex_client_init(client_p, ep_p, tm_p, clientName, argc, argv, flags, WEFT_GEX_MODE);
}
void gex_Client_SetCData(gex_Client_t client, const void *val);
void *gex_Client_QueryCData(gex_Client_t client);
gex_Flags_t gex_Client_QueryFlags(gex_Client_t client);
const char *gex_Client_QueryName(gex_Client_t client);

/* ---- endpoints ---- */

int gex_EP_Create(gex_EP_t *ep_p, gex_Client_t client, gex_EP_Capabilities_t capabilities,
                  gex_Flags_t flags);
int gex_EP_RegisterHandlers(gex_EP_t ep, gex_AM_Entry_t *table, size_t numentries);
int gex_EP_BindSegment(gex_EP_t ep, gex_Segment_t segment, gex_Flags_t flags);
int gex_EP_PublishBoundSegment(gex_TM_t tm, gex_EP_t *eps, size_t num_eps, gex_Flags_t flags);
gex_Event_t gex_EP_QueryBoundSegmentNB(gex_TM_t tm, gex_Rank_t rank, void **owneraddr_p,
                                       void **localaddr_p, uintptr_t *size_p, gex_Flags_t flags);
void gex_EP_SetCData(gex_EP_t ep, const void *val);
void *gex_EP_QueryCData(gex_EP_t ep);
gex_Client_t gex_EP_QueryClient(gex_EP_t ep);
gex_Flags_t gex_EP_QueryFlags(gex_EP_t ep);
gex_Segment_t gex_EP_QuerySegment(gex_EP_t ep);
gex_EP_Index_t gex_EP_QueryIndex(gex_EP_t ep);

/* ---- segments ---- */

/* The largest segment that is offered where GASNET_MAX_SEGSIZE is not set, written as that, or in
 * bytes of each process. A client may define them, or set them before it starts GASNet. */
extern const char *gasnet_max_segsize_str;
extern uint64_t gasnet_max_segsize;

int gex_Segment_Attach(gex_Segment_t *segment_p, gex_TM_t tm, uintptr_t size);
int gex_Segment_Create(gex_Segment_t *segment_p, gex_Client_t client, gex_Addr_t address,
                       uintptr_t length, gex_MK_t kind, gex_Flags_t flags);
void gex_Segment_Destroy(gex_Segment_t segment, gex_Flags_t flags);
int gex_Segment_QueryBound(gex_TM_t tm, gex_Rank_t rank, void **owneraddr_p, void **localaddr_p,
                           uintptr_t *size_p);
void gex_Segment_SetCData(gex_Segment_t segment, const void *val);
void *gex_Segment_QueryCData(gex_Segment_t segment);
gex_Client_t gex_Segment_QueryClient(gex_Segment_t segment);
gex_Flags_t gex_Segment_QueryFlags(gex_Segment_t segment);
void *gex_Segment_QueryAddr(gex_Segment_t segment);
uintptr_t gex_Segment_QuerySize(gex_Segment_t segment);

/* ---- the system ---- */

typedef const struct { gex_Rank_t gex_jobrank; } gex_RankInfo_t;

typedef struct {
  const char *gex_device_list;
  unsigned int gex_thread_roles;
  void *(*gex_progress_fn)(void *);
  void *gex_progress_arg;
} gex_ProgressThreadInfo_t;
#define GEX_THREAD_ROLE_RCV (1U << 0)
#define GEX_THREAD_ROLE_SND (1U << 1)

/* Handlers run in threads of the client's only, when these call the library. */
#define GASNET_HIDDEN_AM_CONCURRENCY_LEVEL 0

gex_Rank_t gex_System_QueryJobRank(void);
gex_Rank_t gex_System_QueryJobSize(void);
int gex_System_GetVerboseErrors(void);
void gex_System_SetVerboseErrors(int enable);
uint64_t gex_System_QueryMaxThreads(void);
int gex_System_QueryHiddenAMConcurrencyLevel(void);
int gex_System_QueryProgressThreads(gex_Client_t client, unsigned int *count_p,
                                    const gex_ProgressThreadInfo_t **info_p, gex_Flags_t flags);
void gex_System_QueryNbrhdInfo(gex_RankInfo_t **info_p, gex_Rank_t *info_count_p,
                               gex_Rank_t *my_info_index_p);
void gex_System_QueryHostInfo(gex_RankInfo_t **info_p, gex_Rank_t *info_count_p,
                              gex_Rank_t *my_info_index_p);
void gex_System_QueryMyPosition(gex_Rank_t *nbrhd_set_size_p, gex_Rank_t *nbrhd_set_rank_p,
                                gex_Rank_t *host_set_size_p, gex_Rank_t *host_set_rank_p);

/* ---- handler-safe locks ---- */

/* 0: free. The library never interrupts a thread to run a handler, so a lock is a lock; without
 * client threads it is for the checks only. */
typedef struct {
  volatile uint32_t weft_held;
} gex_HSL_t;
/* clang-format off */
#define GEX_HSL_INITIALIZER {0}
/* clang-format on */

void gex_HSL_Init(gex_HSL_t *hsl);
void gex_HSL_Destroy(gex_HSL_t *hsl);
void gex_HSL_Lock(gex_HSL_t *hsl);
void gex_HSL_Unlock(gex_HSL_t *hsl);
int gex_HSL_Trylock(gex_HSL_t *hsl);

#ifdef __cplusplus
}
#endif
WEFT_GEX_END

#endif
