/*
 * bupc.c: what bupc_extensions.h, bupc_collectivev.h and bupc_extern.h declare: extensions of
 * Berkeley UPC that public programs use, by the means of the other files.
 */
#include <stdio.h>

#include "upc/internal.h"
#include "upc/reduce.h"

/* ---- start and end of UPC in a C program ---- */

WEFT_API void bupc_init(int *argc, char ***argv) {
  weft_upc_start(argc, argv);
}

WEFT_API void bupc_exit(int exitcode) {
  weft_upc_end(exitcode);
}

WEFT_API void bupc_init_reentrant(int *argc, char ***argv, int (*pmain)(int, char **)) {
  weft_upc_start(argc, argv);
  if (pmain) weft_upc_end(pmain(*argc, *argv));
}

WEFT_API void upc_poll(void) {
  weft_upc_poll();
}

/* ---- pointers ---- */

WEFT_API weft_upc_ptr_t bupc_inverse_cast(void *ptr) {
  const char *p = ptr;
  const size_t size = weft_layout_end(&weft_job.window.layout);
  for (int slot = -1; ptr && slot < weft_job.nslots; slot++) {
    const int thread = slot < 0 ? weft_job.pe : weft_job.local[slot];
    const char *begin = slot < 0 ? (char *)weft_job.window.base : weft_job_slot(thread);
    const bool own = slot < 0;
    if (p > begin && p < begin + size && (!own || weft_window_contains(&weft_job.window, ptr, 1)))
      return weft_upc_pack(thread, (uintptr_t)(p - begin));
  }
  return 0;
}

WEFT_API weft_upc_ptr_t bupc_local_to_shared(void *ptr, int thread, int phase) {
  return ptr ? weft_upc_pack(thread, weft_job_offset(ptr)) | (uint64_t)phase
                                                                 << weft_upc_widths.phase_shift
             : 0;
}

WEFT_API unsigned bupc_thread_distance(int x, int y) {
  enum { SAME = 0, VERYNEAR = 1, VERYFAR = 4 };
  weft_upc_up("bupc_thread_distance");
  if (x == y) return SAME;
  return weft_job_node_of(x) == weft_job_node_of(y) ? VERYNEAR : VERYFAR;
}

/* The specification's formulas (6.4.2), with floor division. */
WEFT_API weft_upc_ptr_t bupc_ptradd(weft_upc_ptr_t ptr, size_t blockelems, size_t elemsz,
                                    ptrdiff_t elemincr) {
  const weft_upc_place_t at = weft_upc_place(ptr);
  const ptrdiff_t size = (ptrdiff_t)elemsz;
  if (blockelems == 0) return weft_upc_pack(at.thread, at.off + (uintptr_t)(elemincr * size));
  const ptrdiff_t block = (ptrdiff_t)blockelems, threads = weft_job_npes();
  const ptrdiff_t phase = (ptrdiff_t)weft_upc_phase_of(ptr), place = phase + elemincr;
  const ptrdiff_t blocks = place / block - (place % block < 0), to = place - blocks * block;
  const ptrdiff_t sum = at.thread + blocks, rows = sum / threads - (sum % threads < 0);
  return weft_upc_pack((int)(sum - rows * threads),
                       at.off + (uintptr_t)((rows * block + to - phase) * size)) |
         (uint64_t)to << weft_upc_widths.phase_shift;
}

WEFT_API int bupc_dump_shared(weft_upc_ptr_t ptr, char *buf, int maxlen) {
  const weft_upc_place_t at = weft_upc_place(ptr);
  if (maxlen <= 0) return -1;
  const int n = ptr ? snprintf(buf, (size_t)maxlen, "<thread=%d phase=%zu offset=%#zx>", at.thread,
                               weft_upc_phase_of(ptr), (size_t)at.off)
                    : snprintf(buf, (size_t)maxlen, "<NULL>");
  return n < maxlen ? 0 : -1;
}

/* ---- semaphores: counted events of the floor. A boolean one has 8 in its offset. ---- */

enum { SEM_BOOLEAN = 1, SEM_BYTES = 16 };

WEFT_API weft_upc_ptr_t bupc_sem_alloc(int flags) {
  weft_upc_up("bupc_sem_alloc");
  char *p = weft_private_alloc(SEM_BYTES, SEM_BYTES);
  if (!p) weft_fatal("bupc_sem_alloc: no memory");
  memset(p, 0, SEM_BYTES);
  return weft_upc_pack(weft_job_pe(), weft_job_offset(p) + (flags & SEM_BOOLEAN ? 8 : 0));
}

WEFT_API void bupc_sem_free(weft_upc_ptr_t sem) {
  const weft_upc_place_t at = weft_upc_place(sem);
  weft_upc_up("bupc_sem_free");
  if (sem && weft_private_free_on(at.thread, at.off & ~(uintptr_t)8) < 0)
    weft_fatal("bupc_sem_free: not a semaphore, or freed before");
}

static bool is_boolean(weft_upc_place_t at) {
  return at.off & 8;
}

WEFT_API void bupc_sem_postN(weft_upc_ptr_t sem, size_t n) {
  weft_upc_up("bupc_sem_post");
  const weft_upc_place_t at = weft_upc_checked(sem, 8, "bupc_sem_post");
  weft_upc_null_strict();
  if (is_boolean(at)) {
    weft_rma_amo_begin(at.thread, at.off, WEFT_AMO_SET, 8, 1, 0, NULL, NULL, false);
  } else if (n > 0) {
    weft_rma_add(at.thread, at.off, n);
  }
  weft_stage_release(); /* somebody waits for it: it leaves now */
}

WEFT_API void bupc_sem_post(weft_upc_ptr_t sem) {
  bupc_sem_postN(sem, 1);
}

static weft_upc_place_t own(weft_upc_ptr_t sem, const char *who) {
  const weft_upc_place_t at = weft_upc_place(sem);
  weft_upc_up(who);
  if (at.thread != weft_job_pe())
    weft_fatal("%s: thread %d allocated the semaphore, only it can wait", who, at.thread);
  return at;
}

WEFT_API void bupc_sem_waitN(weft_upc_ptr_t sem, size_t n) {
  const weft_upc_place_t at = own(sem, "bupc_sem_wait");
  if (n > 0) weft_event_wait(at.off, (int64_t)n);
  weft_upc_null_strict();
}

WEFT_API void bupc_sem_wait(weft_upc_ptr_t sem) {
  bupc_sem_waitN(sem, 1);
}

WEFT_API int bupc_sem_tryN(weft_upc_ptr_t sem, size_t n) {
  const weft_upc_place_t at = own(sem, "bupc_sem_try");
  if (n > 0 && !weft_event_try(at.off, (int64_t)n)) {
    weft_upc_poll();
    return 0;
  }
  weft_upc_null_strict();
  return 1;
}

WEFT_API int bupc_sem_try(weft_upc_ptr_t sem) {
  return bupc_sem_tryN(sem, 1);
}

WEFT_API void bupc_memput_signal(weft_upc_ptr_t dst, const void *src, size_t n, weft_upc_ptr_t sem,
                                 size_t posts) {
  const weft_upc_place_t to = weft_upc_checked(dst, n, "bupc_memput_signal");
  const weft_upc_place_t at = weft_upc_place(sem);
  if (to.thread != at.thread || n == 0 || is_boolean(at)) {
    weft_upc_put(to, src, n, NULL);
    bupc_sem_postN(sem, posts);
    return;
  }
  weft_rma_put_add(to.thread, to.off, src, n, at.off, posts);
}

/* ---- atomics without a domain ---- */

weft_upc_ptr_t weft_upc_atomic_domain(upc_type_t type, upc_op_t ops);
void upc_atomic_strict(weft_upc_ptr_t domain, void *fetch_ptr, upc_op_t op, weft_upc_ptr_t target,
                       const void *operand1, const void *operand2);
void upc_atomic_relaxed(weft_upc_ptr_t domain, void *fetch_ptr, upc_op_t op, weft_upc_ptr_t target,
                        const void *operand1, const void *operand2);

enum { GET = 1 << 9, SET = 1 << 10, CSWAP = 1 << 11 }; /* of upc_atomic.h */

static void operate(weft_upc_ptr_t ptr, upc_type_t type, upc_op_t op, bool strict, void *fetched,
                    const void *operand1, const void *operand2) {
  const weft_upc_ptr_t domain = weft_upc_atomic_domain(type, op);
  if (strict)
    upc_atomic_strict(domain, fetched, op, ptr, operand1, operand2);
  else
    upc_atomic_relaxed(domain, fetched, op, ptr, operand1, operand2);
}

#define FETCH(N, T, TYPE, name, OP, mode, strict)                                                  \
  WEFT_API T bupc_atomic##N##_##name##_##mode(weft_upc_ptr_t ptr, T value) {                       \
    T old;                                                                                         \
    operate(ptr, TYPE, OP, strict, &old, &value, NULL);                                            \
    return old;                                                                                    \
  }
#define ACCESS(N, T, TYPE, mode, strict)                                                           \
  WEFT_API T bupc_atomic##N##_read_##mode(weft_upc_ptr_t ptr) {                                    \
    T old;                                                                                         \
    operate(ptr, TYPE, GET, strict, &old, NULL, NULL);                                             \
    return old;                                                                                    \
  }                                                                                                \
  WEFT_API void bupc_atomic##N##_set_##mode(weft_upc_ptr_t ptr, T value) {                         \
    operate(ptr, TYPE, SET, strict, NULL, &value, NULL);                                           \
  }                                                                                                \
  FETCH(N, T, TYPE, swap, SET, mode, strict)                                                       \
  WEFT_API T bupc_atomic##N##_cswap_##mode(weft_upc_ptr_t ptr, T oldval, T newval) {               \
    T old;                                                                                         \
    operate(ptr, TYPE, CSWAP, strict, &old, &oldval, &newval);                                     \
    return old;                                                                                    \
  }                                                                                                \
  FETCH(N, T, TYPE, fetchadd, UPC_ADD, mode, strict)
#define BITS(N, T, TYPE, mode, strict)                                                             \
  ACCESS(N, T, TYPE, mode, strict)                                                                 \
  FETCH(N, T, TYPE, fetchand, UPC_AND, mode, strict)                                               \
  FETCH(N, T, TYPE, fetchor, UPC_OR, mode, strict)                                                 \
  FETCH(N, T, TYPE, fetchxor, UPC_XOR, mode, strict)                                               \
  WEFT_API T bupc_atomic##N##_fetchnot_##mode(weft_upc_ptr_t ptr) {                                \
    return bupc_atomic##N##_fetchxor_##mode(ptr, (T) - 1);                                         \
  }
#define WHOLE(N, T, TYPE) BITS(N, T, TYPE, relaxed, false) BITS(N, T, TYPE, strict, true)
#define REAL(N, T, TYPE) ACCESS(N, T, TYPE, relaxed, false) ACCESS(N, T, TYPE, strict, true)
WHOLE(I, int, UPC_INT)
WHOLE(UI, unsigned, UPC_UINT)
WHOLE(L, long, UPC_LONG)
WHOLE(UL, unsigned long, UPC_ULONG)
WHOLE(I32, int32_t, UPC_INT32)
WHOLE(U32, uint32_t, UPC_UINT32)
WHOLE(I64, int64_t, UPC_INT64)
WHOLE(U64, uint64_t, UPC_UINT64)
REAL(F, float, UPC_FLOAT)
REAL(D, double, UPC_DOUBLE)

/* ---- collectives on private values ---- */

static char *room_for(size_t n) {
  char *room = malloc(n ? n : 1);
  if (!room) weft_fatal("bupc_collectivev.h: no memory for %zu bytes", n);
  return room;
}

/* A root of -1 is none. */
static void enter(size_t size, int root, bool rootless, const char *who) {
  weft_upc_enter((uint64_t)size << 32 | (uint32_t)root, who);
  if (weft_unlikely(root < (rootless ? -1 : 0) || root >= weft_job_npes()))
    weft_fatal("%s: thread %d is none; threads are 0 to %d", who, root, weft_job_npes() - 1);
}

WEFT_API void weft_upc_allv_broadcast(void *value, size_t size, int root) {
  weft_op_t op = {0};
  enter(size, root, false, "bupc_allv_broadcast");
  weft_team_broadcast_begin(weft_team_world(), root, value, value, size, &op);
  weft_team_wait(&op);
}

WEFT_API void weft_upc_allv_scatter(void *dst, const void *src, size_t size, int root) {
  enter(size, root, false, "bupc_allv_scatter");
  weft_upc_scatter_any(dst, src, size, root);
}

WEFT_API void weft_upc_allv_gather(void *dst, const void *src, size_t size, int root) {
  enter(size, root, true, "bupc_allv_gather");
  weft_upc_gather_any(dst, src, size, root);
}

WEFT_API void weft_upc_allv_permute(void *dst, const void *src, size_t size, int to) {
  const size_t threads = (size_t)weft_job_npes(), one = size + sizeof to;
  char mine[one], *all = room_for(threads * one);
  enter(size, -1, true, "bupc_allv_permute");
  memcpy(mine, &to, sizeof to);
  memcpy(mine + sizeof to, src, size);
  weft_upc_gather_any(all, mine, one, -1);
  for (size_t t = 0; t < threads; t++) {
    memcpy(&to, all + t * one, sizeof to);
    if (to == weft_job_pe()) memcpy(dst, all + t * one + sizeof to, size);
  }
  free(all);
}

/* Values are few bytes: each thread gets them all and folds. */
WEFT_API void weft_upc_allv_reduce(void *dst, const void *src, int type, int root, upc_op_t op,
                                   int prefix) {
  const weft_upc_fold_t f = {weft_upc_fold_type(type), op, NULL};
  const int me = weft_job_pe();
  const char *who = prefix ? "bupc_allv_prefix_reduce" : "bupc_allv_reduce";
  if (!f.type) weft_fatal("%s: no arithmetic type", who);
  weft_upc_check_op(&f, who);
  enter((size_t)op << 5 | (size_t)type, root, true, who);
  const size_t size = f.type->width, threads = (size_t)weft_job_npes();
  char *all = room_for(threads * size);
  weft_upc_gather_any(all, src, size, prefix ? -1 : root);
  if (root < 0 || root == me) {
    memcpy(dst, all, size);
    f.type->fold(&f, dst, all + size, (prefix ? (size_t)me + 1 : threads) - 1);
  }
  free(all);
}
