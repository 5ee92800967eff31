/*
 * collective.c: UPC 1.3, 7.4.2: relocalization. Blocks lie at one offset on all threads, so these
 * are the floor's collectives of the world; what is on one thread only and not symmetric goes by
 * those that take any memory. Here are the rules of upc_flag_t (7.3.3): what the floor assumes of
 * an operation's begin is IN_NOSYNC, and what it promises at the end is OUT_MYSYNC.
 */
#include "upc/internal.h"

enum {
  IN_NOSYNC = UPC_IN_NOSYNC,
  IN_ALL = UPC_IN_NOSYNC | UPC_IN_MYSYNC | UPC_IN_ALLSYNC,
  OUT_ALL = UPC_OUT_NOSYNC | UPC_OUT_MYSYNC | UPC_OUT_ALLSYNC
};

/* What this thread wrote before is part of the input. MYSYNC waits for all, as ALLSYNC does, where
 * nothing else keeps others' data untouched before they are here. */
void weft_upc_flags_in(upc_flag_t flags) {
  weft_upc_null_strict();
  if (!(flags & IN_NOSYNC)) weft_coll_sync(weft_team_world());
}

/* A missing half is ALLSYNC. */
void weft_upc_flags_out(upc_flag_t flags) {
  if ((flags & UPC_OUT_ALLSYNC) || !(flags & OUT_ALL)) weft_coll_sync(weft_team_world());
  weft_fence_full();
}

/* Small blocks between nodes, MYSYNC on entry: begun operations touch nobody's memory before it is
 * here, and so need no barrier before. */
static bool by_begun(upc_flag_t flags, size_t n) {
  enum { MOST = 16384 };
  return (flags & UPC_IN_MYSYNC) && n <= MOST && weft_job.nnodes > 1;
}

/* ---- arguments ---- */

typedef struct call {
  weft_upc_place_t dst, src;
  char *my_dst, *my_src; /* these offsets here */
  size_t n;
} call_t;

static char *mine(weft_upc_place_t at) {
  return (char *)weft_job.window.base + at.off;
}

/* Where WEFT_CHECK=1 looks: n bytes each; of a block array, this thread's. */
static call_t enter(weft_upc_ptr_t dst, weft_upc_ptr_t src, size_t n, upc_flag_t flags,
                    const char *who) {
  weft_upc_enter(dst ^ (src * 3) ^ (n << 20) ^ (uint64_t)flags, who);
  const call_t c = {.dst = weft_upc_place(dst), .src = weft_upc_place(src), .n = n};
  if (weft_options.check && n == 0) weft_fatal("%s: blocks of 0 bytes", who);
  if (weft_options.check && (flags & ~(IN_ALL | OUT_ALL)))
    weft_fatal("%s: flags %#x: %#x is none of UPC_IN_ALLSYNC and its relatives", who,
               (unsigned)flags, (unsigned)(flags & ~(IN_ALL | OUT_ALL)));
  weft_upc_flags_in(by_begun(flags, n) ? flags | IN_NOSYNC : flags);
  return (call_t){c.dst, c.src, mine(c.dst), mine(c.src), n};
}

/* One block of every thread begins at thread 0 (7.4.2). */
static void check_all(weft_upc_place_t at, size_t n, const char *role, const char *who) {
  if (weft_likely(!weft_options.check)) return;
  if (at.thread != 0)
    weft_fatal("%s: %s points to thread %d, it must point to thread 0", who, role, at.thread);
  weft_upc_check_range((weft_upc_place_t){weft_job_pe(), at.off}, n, who);
}

static void check_one(weft_upc_place_t at, size_t n, const char *who) {
  if (weft_unlikely(weft_options.check)) weft_upc_check_range(at, n, who);
}

/* ---- operations ---- */

WEFT_API void upc_all_broadcast(weft_upc_ptr_t dst, weft_upc_ptr_t src, size_t nbytes,
                                upc_flag_t flags) {
  static const char who[] = "upc_all_broadcast";
  weft_op_t op = {0};
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, nbytes);
  const call_t c = enter(dst, src, nbytes, flags, who);
  check_all(c.dst, nbytes, "dst", who), check_one(c.src, nbytes, who);
  if (by_begun(flags, nbytes))
    weft_team_broadcast_begin(weft_team_world(), c.src.thread, c.my_dst, c.my_src, nbytes, &op);
  else
    weft_coll_broadcast(weft_team_world(), c.my_dst, c.my_src, nbytes, c.src.thread, true);
  weft_team_wait(&op);
  weft_upc_flags_out(flags);
}

void weft_upc_scatter_any(void *dst, const void *src, size_t n, int root) {
  weft_op_t op = {0};
  weft_team_scatter_begin(weft_team_world(), root, dst, src, n, &op);
  weft_team_wait(&op);
}

void weft_upc_gather_any(void *dst, const void *src, size_t n, int root) {
  weft_op_t op = {0};
  if (root < 0)
    weft_team_gather_all_begin(weft_team_world(), dst, src, n, &op);
  else
    weft_team_gather_begin(weft_team_world(), root, dst, src, n, &op);
  weft_team_wait(&op);
}

/* Blocks of one thread, in any memory, and one block of each. */
static void deal(bool scatter, weft_upc_ptr_t dst, weft_upc_ptr_t src, size_t n, upc_flag_t flags,
                 const char *who) {
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, n);
  const call_t c = enter(dst, src, n, flags, who);
  check_all(scatter ? c.dst : c.src, n, scatter ? "dst" : "src", who);
  check_one(scatter ? c.src : c.dst, n * (size_t)weft_job_npes(), who);
  if (by_begun(flags, n) || !weft_job_is_symmetric(scatter ? c.my_src : c.my_dst, 1))
    (scatter ? weft_upc_scatter_any : weft_upc_gather_any)(c.my_dst, c.my_src, n,
                                                           scatter ? c.src.thread : c.dst.thread);
  else if (scatter)
    weft_coll_scatter(weft_team_world(), c.my_dst, c.my_src, n, c.src.thread);
  else
    weft_coll_gather(weft_team_world(), c.my_dst, c.my_src, n, c.dst.thread);
  weft_upc_flags_out(flags);
}

WEFT_API void upc_all_scatter(weft_upc_ptr_t dst, weft_upc_ptr_t src, size_t nbytes,
                              upc_flag_t flags) {
  deal(true, dst, src, nbytes, flags, "upc_all_scatter");
}

WEFT_API void upc_all_gather(weft_upc_ptr_t dst, weft_upc_ptr_t src, size_t nbytes,
                             upc_flag_t flags) {
  deal(false, dst, src, nbytes, flags, "upc_all_gather");
}

WEFT_API void upc_all_gather_all(weft_upc_ptr_t dst, weft_upc_ptr_t src, size_t nbytes,
                                 upc_flag_t flags) {
  static const char who[] = "upc_all_gather_all";
  weft_op_t op = {0};
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, nbytes);
  const call_t c = enter(dst, src, nbytes, flags, who);
  check_all(c.dst, nbytes * (size_t)weft_job_npes(), "dst", who);
  check_all(c.src, nbytes, "src", who);
  if (by_begun(flags, nbytes))
    weft_team_gather_all_begin(weft_team_world(), c.my_dst, c.my_src, nbytes, &op);
  else
    weft_coll_fcollect(weft_team_world(), c.my_dst, c.my_src, nbytes);
  weft_team_wait(&op);
  weft_upc_flags_out(flags);
}

WEFT_API void upc_all_exchange(weft_upc_ptr_t dst, weft_upc_ptr_t src, size_t nbytes,
                               upc_flag_t flags) {
  static const char who[] = "upc_all_exchange";
  const size_t all = nbytes * (size_t)weft_job_npes();
  weft_op_t op = {0};
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, all);
  const call_t c = enter(dst, src, nbytes, flags, who);
  check_all(c.dst, all, "dst", who), check_all(c.src, all, "src", who);
  if (by_begun(flags, nbytes))
    weft_team_exchange_begin(weft_team_world(), c.my_dst, c.my_src, nbytes, &op);
  else
    weft_coll_alltoall(weft_team_world(), c.my_dst, c.my_src, nbytes);
  weft_team_wait(&op);
  weft_upc_flags_out(flags);
}

/* Each puts its block where perm says, so all must be there even for MYSYNC. Complete when all puts
 * are: all wait for all. */
WEFT_API void upc_all_permute(weft_upc_ptr_t dst, weft_upc_ptr_t src, weft_upc_ptr_t perm,
                              size_t nbytes, upc_flag_t flags) {
  static const char who[] = "upc_all_permute";
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, nbytes);
  const call_t c = enter(dst, src, nbytes, flags & ~UPC_IN_MYSYNC, who);
  const weft_upc_place_t order = weft_upc_place(perm);
  check_all(c.dst, nbytes, "dst", who), check_all(c.src, nbytes, "src", who);
  check_all(order, sizeof(int), "perm", who);
  const int to = *(const int *)mine(order);
  if (to < 0 || to >= weft_job_npes())
    weft_fatal("%s: perm[%d] is %d; threads are 0 to %d", who, weft_job_pe(), to,
               weft_job_npes() - 1);
  weft_upc_put((weft_upc_place_t){to, c.dst.off}, c.my_src, nbytes, NULL);
  if (flags & UPC_OUT_NOSYNC) return;
  weft_upc_null_strict();
  weft_coll_sync(weft_team_world());
}
