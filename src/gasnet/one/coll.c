/*
 * coll.c: the collectives prototype of GASNet-1: teams, images, handles and calls. The
 * images of a process meet here; what they then do as one is in moves.c.
 */
#include <stdlib.h>
#include <string.h>

#include "gasnet/one/images.h"
#include "trace/trace.h"

static struct weft_gasnet_team team_all;
WEFT_API gasnet_team_handle_t weft_gasnet_team_all = &team_all;

static struct {
  weft_lock_t lock;
  gasnet_image_t *images; /* per PE, as of gasnet_coll_init; NULL: one each */
  gasnet_image_t arrived; /* images that have called it, and that may leave it */
  bool ready;
  gasnet_coll_fn_entry_t *functions;
  size_t count;
} coll;
static _Thread_local gasnet_image_t my_image; /* among those of this process */

struct weft_gasnet_coll {
  weft_gasnet_joint_t *joint;
  struct weft_gasnet_coll *next; /* aggregated */
};

static void *room_for(size_t n) {
  void *p = calloc(n ? n : 1, 1);
  if (!p) weft_fatal("collectives of GASNet-1: no memory for %zu bytes", n);
  return p;
}

/* ---- images ---------------------------------------------------------------------------------- */

/* Of each member of a team; `plain`: one each. */
static weft_gasnet_images_t *images_new(gasnet_team_handle_t team, bool plain) {
  gex_TM_t t = weft_gasnet_tm(team);
  weft_gasnet_images_t *images = room_for(sizeof *images);
  images->first = room_for((t->size + 1) * sizeof *images->first);
  images->most = 1;
  for (gex_Rank_t i = 0; i < t->size; i++) {
    const gasnet_image_t n = plain || !coll.images ? 1 : coll.images[weft_gex_to(t, i)];
    images->first[i + 1] = images->first[i] + n;
    if (n > images->most) images->most = n;
  }
  return images;
}

/* Of a team, made when they are first wanted. */
static const weft_gasnet_images_t *images_of(gasnet_team_handle_t team, bool plain) {
  struct weft_gasnet_images **images = plain ? &team->plain : &team->images;
  weft_lock(&coll.lock);
  if (!*images) *images = images_new(team, plain);
  weft_unlock(&coll.lock);
  return *images;
}

static void check_images(const gasnet_image_t images[]) {
  if (!images) return;
  coll.images = room_for((size_t)weft_job.npes * sizeof *images);
  memcpy(coll.images, images, (size_t)weft_job.npes * sizeof *images);
  for (int pe = 0; pe < weft_job.npes; pe++)
    if (images[pe] == 0) weft_fatal("gasnet_coll_init: PE %d has no image", pe);
}

/* The first image brings the tables, the last one meets the other processes. */
WEFT_API void gasnet_coll_init(const gasnet_image_t images[], gasnet_image_t image,
                               gasnet_coll_fn_entry_t fn_tbl[], size_t fn_count, int init_flags) {
  weft_gex_up("gasnet_coll_init");
  (void)init_flags;
  gasnet_image_t first = 0;
  for (int pe = 0; images && pe < weft_job.pe; pe++) first += images[pe];
  my_image = images ? image - first : 0;
  weft_lock(&coll.lock);
  if (coll.arrived++ == 0) {
    check_images(images);
    coll.functions = room_for(fn_count * sizeof *fn_tbl);
    if (fn_count) memcpy(coll.functions, fn_tbl, fn_count * sizeof *fn_tbl);
    coll.count = fn_count;
  }
  const bool last = coll.arrived == (images ? images[weft_job.pe] : 1);
  weft_unlock(&coll.lock);
  if (last) {
    weft_gex_team_sync(weft_gasnet_tm(&team_all), "gasnet_coll_init");
    weft_publish(&coll.ready, true);
  }
  WEFT_WAIT_UNTIL(weft_observe(&coll.ready));
}

/* ---- teams ----------------------------------------------------------------------------------- */

/* Every member is in one of the new teams. */
WEFT_API gasnet_team_handle_t gasnet_coll_team_split(gasnet_team_handle_t team, gex_Rank_t color,
                                                     gex_Rank_t relrank, void *clientdata) {
  weft_gex_up("gasnet_coll_team_split");
  weft_gex_given(team, "gasnet_coll_team_split");
  struct weft_gasnet_team *made = room_for(sizeof *made);
  gex_TM_Split(&made->tm, weft_gasnet_tm(team), (int)color, (int)relrank, NULL, 0,
               GEX_FLAG_TM_NO_SCRATCH);
  gex_TM_SetCData(made->tm, clientdata);
  return made;
}

WEFT_API gex_Rank_t gasnet_coll_team_rank2node(gasnet_team_handle_t team, int rank) {
  weft_gex_given(team, "gasnet_coll_team_rank2node");
  return gex_TM_TranslateRankToJobrank(weft_gasnet_tm(team), (gex_Rank_t)rank);
}

WEFT_API gex_Rank_t gasnet_coll_team_node2rank(gasnet_team_handle_t team, gex_Rank_t node) {
  weft_gex_given(team, "gasnet_coll_team_node2rank");
  return gex_TM_TranslateJobrankToRank(weft_gasnet_tm(team), node);
}

WEFT_API gex_Rank_t gasnet_coll_team_size(gasnet_team_handle_t team) {
  weft_gex_given(team, "gasnet_coll_team_size");
  return weft_gasnet_tm(team)->size;
}

WEFT_API void gasnet_coll_loadTuningState(char *filename, gasnet_team_handle_t team) {
  (void)filename, (void)team;
}
WEFT_API void gasnet_coll_dumpTuningState(char *filename, gasnet_team_handle_t team) {
  (void)filename, (void)team;
}
WEFT_API void gasnet_coll_dumpProfile(char *filename, gasnet_team_handle_t team) {
  (void)filename, (void)team;
}

/* ---- the images of a process meet ------------------------------------------------------------ */

static weft_gasnet_joint_t *joint_new(const weft_gasnet_call_t *call) {
  const bool plain = call->flags & GASNET_COLL_NO_IMAGES;
  weft_gasnet_joint_t *j = room_for(sizeof *j);
  j->call = *call;
  j->me = weft_gasnet_tm(call->team)->rank;
  j->size = weft_gasnet_tm(call->team)->size;
  j->images = images_of(call->team, plain);
  j->mine = j->images->first[j->me + 1] - j->images->first[j->me];
  j->owed = j->mine;
  j->dsts = room_for(j->mine * sizeof *j->dsts);
  j->srcs = room_for(j->mine * sizeof *j->srcs);
  j->came = room_for(j->mine * sizeof *j->came);
  if (call->root >= j->images->first[j->size])
    weft_fatal("%s: there is no image %u", call->who, call->root);
  if (call->kind < WEFT_GASNET_REDUCE) return j;
  if ((size_t)call->function >= coll.count)
    weft_fatal("%s: function %d was not given to gasnet_coll_init", call->who, call->function);
  j->function = coll.functions[call->function];
  return j;
}

static void joint_free(weft_gasnet_joint_t *j) {
  free(j->dsts);
  free(j->srcs);
  free(j->came);
  free(j->array);
  free(j->result);
  free(j);
}

/* This image's addresses; lists are of all images here. */
static void take_addresses(weft_gasnet_joint_t *j, const weft_gasnet_call_t *call,
                           gasnet_image_t me) {
  const gasnet_image_t first = j->images->first[j->me];
  const gasnet_image_t skip = call->flags & GASNET_COLL_SINGLE ? first : 0;
  const enum weft_gasnet_kind kind = call->kind;
  j->dsts[me] = call->dst;
  j->srcs[me] = call->src;
  for (gasnet_image_t i = 0; i < j->mine; i++) {
    if (call->dsts) j->dsts[i] = call->dsts[skip + i];
    if (call->srcs) j->srcs[i] = call->srcs[skip + i];
  }
  if (first + me != call->root && !call->lists) return;
  void *at_root =
      kind == WEFT_GASNET_BROADCAST || kind == WEFT_GASNET_SCATTER ? call->src : call->dst;
  const bool rooted =
      kind <= WEFT_GASNET_GATHER || (kind == WEFT_GASNET_REDUCE && call->count > 0);
  if (!at_root && rooted && !call->lists && call->n > 0)
    weft_fatal("%s: the root's address is NULL", call->who);
  if (at_root) j->at_root = at_root;
}

static weft_gasnet_joint_t *join(const weft_gasnet_call_t *call) {
  const gasnet_image_t me = call->flags & GASNET_COLL_NO_IMAGES ? 0 : my_image;
  weft_gasnet_joint_t *fresh = joint_new(call), *j = fresh;
  if (fresh->mine > 1) {
    weft_lock(&coll.lock);
    weft_gasnet_joint_t **p = &call->team->joining;
    while (*p && (*p)->came[me]) p = &(*p)->next;
    if (*p) j = *p;
    *p = j;
  }
  take_addresses(j, call, me);
  j->came[me] = true;
  const bool all = ++j->calls == j->mine;
  if (fresh->mine > 1) {
    if (all) call->team->joining = j->next; /* no image skips one */
    weft_unlock(&coll.lock);
  }
  if (j != fresh) joint_free(fresh);
  if (all) weft_gasnet_begin(j);
  return j;
}

/* ---- handles --------------------------------------------------------------------------------- */

static _Thread_local gasnet_coll_handle_t together; /* aggregated, and no last call yet */

/* What has been aggregated with this operation's team. */
static gasnet_coll_handle_t take_together(gasnet_team_handle_t team) {
  gasnet_coll_handle_t taken = NULL;
  for (gasnet_coll_handle_t *p = &together, h; (h = *p);) {
    if (h->joint->call.team != team) {
      p = &h->next;
      continue;
    }
    *p = h->next;
    h->next = taken;
    taken = h;
  }
  return taken;
}

static gasnet_coll_handle_t call(const weft_gasnet_call_t *c) {
  weft_gex_up(c->who);
  weft_gex_given(c->team, c->who);
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, c->who, c->n);
  gasnet_coll_handle_t handle = room_for(sizeof *handle);
  const bool more = c->flags & GASNET_COLL_AGGREGATE;
  handle->joint = join(c);
  handle->next = more ? together : take_together(c->team);
  if (!more) return handle;
  together = handle; /* the last call's handle stands for it */
  return GASNET_COLL_INVALID_HANDLE;
}

static bool is_done(const weft_gasnet_joint_t *j) {
  return weft_observe(&j->begun) && weft_op_is_done(&j->op);
}

/* All of it is done. */
static void forget(gasnet_coll_handle_t handle) {
  for (gasnet_coll_handle_t h; (h = handle);) {
    handle = h->next;
    if (__atomic_sub_fetch(&h->joint->owed, 1, __ATOMIC_ACQ_REL) == 0) joint_free(h->joint);
    free(h);
  }
}

WEFT_API int gasnet_coll_try_sync(gasnet_coll_handle_t handle) {
  if (!handle) return GASNET_OK;
  weft_gex_poll();
  for (gasnet_coll_handle_t h = handle; h; h = h->next)
    if (!is_done(h->joint)) return GASNET_ERR_NOT_READY;
  forget(handle);
  return GASNET_OK;
}

WEFT_API void gasnet_coll_wait_sync(gasnet_coll_handle_t handle) {
  for (gasnet_coll_handle_t h = handle; h; h = h->next) WEFT_WAIT_UNTIL(is_done(h->joint));
  forget(handle);
}

/* How many there were, and how many of them are synced now. */
static size_t try_each(gasnet_coll_handle_t *handles, size_t n, size_t *synced) {
  size_t valid = 0;
  *synced = 0;
  for (size_t i = 0; i < n; i++) {
    if (!handles[i]) continue;
    valid++;
    if (gasnet_coll_try_sync(handles[i]) != GASNET_OK) continue;
    handles[i] = GASNET_COLL_INVALID_HANDLE;
    ++*synced;
  }
  return valid;
}

WEFT_API int gasnet_coll_try_sync_some(gasnet_coll_handle_t *handles, size_t n) {
  size_t synced, valid = try_each(handles, n, &synced);
  return valid == 0 || synced ? GASNET_OK : GASNET_ERR_NOT_READY;
}

WEFT_API int gasnet_coll_try_sync_all(gasnet_coll_handle_t *handles, size_t n) {
  size_t synced, valid = try_each(handles, n, &synced);
  return valid == synced ? GASNET_OK : GASNET_ERR_NOT_READY;
}

WEFT_API void gasnet_coll_wait_sync_some(gasnet_coll_handle_t *handles, size_t n) {
  WEFT_WAIT_UNTIL(gasnet_coll_try_sync_some(handles, n) == GASNET_OK);
}

WEFT_API void gasnet_coll_wait_sync_all(gasnet_coll_handle_t *handles, size_t n) {
  for (size_t i = 0; i < n; i++) {
    gasnet_coll_wait_sync(handles[i]);
    handles[i] = GASNET_COLL_INVALID_HANDLE;
  }
}

/* ---- the calls: blocking, and with _nb ------------------------------------------------------- */

#define DSTS void *const dstlist[]
#define SRCS void *const srclist[]
#define SAID(NAME, ...)                                                                            \
  &(weft_gasnet_call_t) {                                                                          \
    .who = NAME, .team = team, .flags = flags, __VA_ARGS__                                         \
  }
#define CALL(NAME, PARAMS, ...)                                                                    \
  WEFT_API gasnet_coll_handle_t gasnet_coll_##NAME##_nb PARAMS {                                   \
    return call(SAID("gasnet_coll_" #NAME "_nb", __VA_ARGS__));                                    \
  }                                                                                                \
  WEFT_API void gasnet_coll_##NAME PARAMS {                                                        \
    gasnet_coll_wait_sync(call(SAID("gasnet_coll_" #NAME, __VA_ARGS__)));                          \
  }
#define MOVE(KIND, ...) .kind = WEFT_GASNET_##KIND, .n = nbytes, __VA_ARGS__
/* As GASNet's releases have it, a block size of 0 reduces vectors, one of each image. */
#define REDUCED(...)                                                                               \
  .kind = src_blksz ? WEFT_GASNET_BLOCKS : WEFT_GASNET_REDUCE, .root = dstimage, .dst = dst,       \
  .n = elem_size, .count = elem_count, .from = {src_blksz, src_offset}, .function = func,          \
  .argument = func_arg, __VA_ARGS__
#define SCANNED(...)                                                                               \
  .kind = WEFT_GASNET_SCAN, .n = elem_size, .count = elem_count, .from = {src_blksz, src_offset},  \
  .to = {dst_blksz, dst_offset}, .function = func, .argument = func_arg, __VA_ARGS__

/* clang-format off */
CALL(broadcast, WEFT_GASNET1_FROM_ROOT(void *dst),
     MOVE(BROADCAST, .root = srcimage, .dst = dst, .src = src))
CALL(broadcastM, WEFT_GASNET1_FROM_ROOT(DSTS),
     MOVE(BROADCAST, .root = srcimage, .dsts = dstlist, .src = src, .lists = true))
CALL(scatter, WEFT_GASNET1_FROM_ROOT(void *dst),
     MOVE(SCATTER, .root = srcimage, .dst = dst, .src = src))
CALL(scatterM, WEFT_GASNET1_FROM_ROOT(DSTS),
     MOVE(SCATTER, .root = srcimage, .dsts = dstlist, .src = src, .lists = true))
CALL(gather, WEFT_GASNET1_TO_ROOT(void *src),
     MOVE(GATHER, .root = dstimage, .dst = dst, .src = src))
CALL(gatherM, WEFT_GASNET1_TO_ROOT(SRCS),
     MOVE(GATHER, .root = dstimage, .dst = dst, .srcs = srclist, .lists = true))
CALL(gather_all, WEFT_GASNET1_TO_ALL(void *dst, void *src),
     MOVE(GATHER_ALL, .dst = dst, .src = src))
CALL(gather_allM, WEFT_GASNET1_TO_ALL(DSTS, SRCS),
     MOVE(GATHER_ALL, .dsts = dstlist, .srcs = srclist))
CALL(exchange, WEFT_GASNET1_TO_ALL(void *dst, void *src),
     MOVE(EXCHANGE, .dst = dst, .src = src))
CALL(exchangeM, WEFT_GASNET1_TO_ALL(DSTS, SRCS),
     MOVE(EXCHANGE, .dsts = dstlist, .srcs = srclist))
CALL(reduce, WEFT_GASNET1_REDUCE(void *src), REDUCED(.src = src))
CALL(reduceM, WEFT_GASNET1_REDUCE(SRCS), REDUCED(.srcs = srclist, .lists = true))
CALL(scan, WEFT_GASNET1_SCAN(void *dst, void *src), SCANNED(.dst = dst, .src = src))
CALL(scanM, WEFT_GASNET1_SCAN(DSTS, SRCS), SCANNED(.dsts = dstlist, .srcs = srclist))
