/*
 * What was begun advances in every wait, whoever's wait that is, for each pair of front ends: the
 * root begins a piece of work of one and then waits as another does, for something that the others
 * do only after the work has reached its end at them. (gasnet.advance has more kinds of GASNet's.)
 */
#define GASNET_SEQ
#include <gasnetex.h>
#include <gasnet_coll.h>
#include <shmem.h>

#include "../upc/runtime.h"
#include "armci/armci.h"
#include "caf/caf.h"
#include "check.h"
#include "job/job.h"
#include "port/port.h"
#include "sync/sync.h"

/* begun by */
enum { GASNET_BROADCAST, SHMEM_SIGNAL, ARMCI_STRIDED, UPC_MEMPUT, UPC_NOTIFY, CAF_POST, KINDS };
/* waits of */
enum {
  SHMEM_BARRIER,
  SHMEM_UNTIL,
  GASNET_MESSAGE,
  ARMCI_MESSAGE,
  ARMCI_MUTEX,
  CAF_IMAGES,
  CAF_EVENT,
  CAF_QUERIES, /* a program's own loop */
  SHMEM_FETCHES,
  SHMEM_SUM, /* of two words, which hold something from the start */
  SHMEM_SUMS, /* of many */
  UPC_LOCK,
  UPC_BARRIER,
  SHMEM_TRIES, /* the same around a lock that is tried */
  FORTRAN_TRIES,
  ARMCI_TRIES,
  CAF_TRIES,
  UPC_TRIES,
  WAITS
};
enum { BYTES = 2 << 20, ROW = 512, ROWS = BYTES / ROW / 2, MESSAGE = 200, TAG = 7 };

typedef struct weft_upc_transfer *handle_t;
handle_t upc_memput_nb(pts dst, const void *src, size_t n);
void upc_sync(handle_t handle);
void shmem_set_lock_(const int32_t *lock); /* of Fortran */
void shmem_clear_lock_(const int32_t *lock);
int32_t shmem_test_lock_(const int32_t *lock);

static int me, n, messages;
static gex_TM_t tm;
static long flag, post[2], lock;
static int32_t fortran_lock;
static uint64_t signal_word, fetched, parts[16];
static char *here, *there; /* private, symmetric */
static weft_armci_mutexes_t *mutexes;
static pts upc_lock_word;
static const weft_caf_report_t quiet_report;

static void on_message(gex_Token_t token) {
  (void)token;
  messages++;
}

typedef struct begun {
  gex_Event_t event;
  int armci[8];
  handle_t upc[8];
} begun_t;

static void begin_at(int kind, int pe, begun_t *b) {
  const int stride[] = {ROW}, apart[] = {2 * ROW}, count[] = {ROW, ROWS};
  const weft_armci_call_t put = {
      .who = "put", .kind = WEFT_ARMCI_PUT, .proc = pe, .handle = &b->armci[pe]};
  if (kind == SHMEM_SIGNAL)
    shmem_putmem_signal_nbi(there, here, BYTES, &signal_word, 1, SHMEM_SIGNAL_SET, pe);
  if (kind == ARMCI_STRIDED)
    CHECK_EQ(weft_armci_strided(&put, here, stride, there, apart, count, 1), 0);
  if (kind == UPC_MEMPUT)
    b->upc[pe] =
        upc_memput_nb(weft_upc_make((weft_upc_u64)pe, 0, weft_job_offset(there)), here, BYTES);
  if (kind == CAF_POST) weft_caf_event_post(pe, &post[0], &quiet_report);
}

static void begin(int kind, begun_t *b) {
  if (kind == GASNET_BROADCAST) b->event = gex_Coll_BroadcastNB(tm, 0, here, here, BYTES, 0);
  if (kind == UPC_NOTIFY) weft_upc_notify(0, 0, __FILE__, __LINE__);
  for (int pe = 1; me == 0 && pe < n; pe++) begin_at(kind, pe, b);
}

/* What comes there without a word. */
static void until(const char *at, char want) {
  WEFT_WAIT_UNTIL(__atomic_load_n(at, __ATOMIC_ACQUIRE) == want);
}

static void finish(int kind, begun_t *b, char salt) {
  if (kind == GASNET_BROADCAST) gex_Event_Wait(b->event);
  if (kind == UPC_NOTIFY) weft_upc_wait(0, 0, __FILE__, __LINE__);
  if (me != 0 && kind == SHMEM_SIGNAL) shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 1);
  if (me != 0 && kind == CAF_POST) weft_caf_event_wait(&post[0], 1, &quiet_report);
  for (size_t row = 0; me != 0 && row < ROWS; row++) {
    if (kind == ARMCI_STRIDED) until(there + row * 2 * ROW + ROW - 1, salt);
    if (kind == UPC_MEMPUT) until(there + row * 2 * ROW, salt);
  }
  for (int pe = 1; me == 0 && pe < n; pe++) {
    if (kind == ARMCI_STRIDED) CHECK_EQ(weft_armci_wait(&b->armci[pe], "wait"), 0);
    if (kind == UPC_MEMPUT) upc_sync(b->upc[pe]);
  }
  if (me == 0) shmem_quiet();
  if (kind == GASNET_BROADCAST) CHECK_EQ(here[BYTES - 1], salt);
  if (me != 0 && kind == SHMEM_SIGNAL) CHECK(there[0] == salt && there[BYTES - 1] == salt);
}

/* The last PE has the lock that PE 0 wants. */
static void hold(int wait) {
  if (wait == ARMCI_MUTEX || wait == ARMCI_TRIES)
    weft_armci_mutex_lock(mutexes, 0, 0, false, "lock");
  if (wait == UPC_LOCK || wait == UPC_TRIES) upc_lock(upc_lock_word);
  if (wait == SHMEM_TRIES) shmem_set_lock(&lock);
  if (wait == FORTRAN_TRIES) shmem_set_lock_(&fortran_lock);
  if (wait == CAF_TRIES) weft_caf_lock(0, &lock, NULL, &quiet_report);
}
static void let_go(int wait) {
  if (wait == ARMCI_MUTEX || wait == ARMCI_TRIES)
    weft_armci_mutex_unlock(mutexes, 0, 0, "unlock");
  if (wait == UPC_LOCK || wait == UPC_TRIES) upc_unlock(upc_lock_word);
  if (wait == SHMEM_TRIES) shmem_clear_lock(&lock);
  if (wait == FORTRAN_TRIES) shmem_clear_lock_(&fortran_lock);
  if (wait == CAF_TRIES) weft_caf_unlock(0, &lock, &quiet_report);
}
static bool try_lock(int wait) {
  bool has = true;
  if (wait == ARMCI_TRIES) has = weft_armci_mutex_lock(mutexes, 0, 0, true, "trylock");
  if (wait == UPC_TRIES) has = upc_lock_attempt(upc_lock_word);
  if (wait == SHMEM_TRIES) has = !shmem_test_lock(&lock);
  if (wait == FORTRAN_TRIES) has = !shmem_test_lock_(&fortran_lock);
  if (wait == CAF_TRIES) weft_caf_lock(0, &lock, &has, &quiet_report);
  return has;
}

/* What the others do when the work is complete at them. */
static void release(int wait) {
  char byte = 1;
  if (wait == SHMEM_BARRIER) shmem_barrier_all();
  if (wait == SHMEM_UNTIL) shmem_long_atomic_inc(&flag, 0);
  if (wait == GASNET_MESSAGE) gex_AM_RequestShort0(tm, 0, MESSAGE, 0);
  if (wait == ARMCI_MESSAGE) weft_armci_send(0, TAG, &byte, 1, "send");
  if (wait == CAF_IMAGES) weft_caf_sync_images(1, (int[]){1}, &quiet_report);
  if (wait == CAF_EVENT || wait == CAF_QUERIES) weft_caf_event_post(0, &post[1], &quiet_report);
  if (wait == UPC_BARRIER) BARRIER();
  if (wait == SHMEM_FETCHES) shmem_signal_add(&fetched, 1, 0);
  if (wait == SHMEM_SUM || wait == SHMEM_SUMS) shmem_signal_add(&parts[1], 1, 0);
  if (me == n - 1) let_go(wait);
}

/* The others add 1 each to one of the first `words` parts, which begin as 1. */
static void wait_for_sum(int words) {
  for (uint64_t sum = 0; sum < (uint64_t)(words + n - 1);) {
    sum = 0;
    for (int i = 0; i < words; i++) sum += shmem_signal_fetch(&parts[i]);
  }
}

static void wait_for(int wait) {
  size_t got;
  char byte;
  int images[8];
  for (int i = 2; i <= n; i++) images[i - 2] = i;
  if (wait == SHMEM_BARRIER) shmem_barrier_all();
  if (wait == SHMEM_UNTIL) shmem_long_wait_until(&flag, SHMEM_CMP_EQ, n - 1);
  if (wait == GASNET_MESSAGE) GASNET_BLOCKUNTIL(messages == n - 1);
  for (int i = 1; wait == ARMCI_MESSAGE && i < n; i++)
    weft_armci_receive(-1, TAG, &byte, 1, &got, "receive");
  if (wait == CAF_IMAGES) weft_caf_sync_images(n - 1, images, &quiet_report);
  while (wait == SHMEM_FETCHES && shmem_signal_fetch(&fetched) < (uint64_t)n - 1) continue;
  if (wait == SHMEM_SUM) wait_for_sum(2);
  if (wait == SHMEM_SUMS) wait_for_sum(16);
  while (wait == CAF_QUERIES && weft_caf_event_query(0, &post[1]) < n - 1) continue;
  if (wait == CAF_EVENT || wait == CAF_QUERIES)
    weft_caf_event_wait(&post[1], n - 1, &quiet_report);
  if (wait == UPC_BARRIER) BARRIER();
  if (wait == ARMCI_MUTEX || wait == UPC_LOCK) hold(wait);
  while (wait >= SHMEM_TRIES && !try_lock(wait)) continue;
  let_go(wait);
}

static void pair(int kind, int wait) {
  const char salt = (char)(1 + kind * WAITS + wait);
  begun_t b = {.event = GEX_EVENT_INVALID};
  flag = messages = 0;
  signal_word = fetched = 0;
  for (int i = 0; i < 16; i++) parts[i] = 1;
  memset(here, me == 0 ? salt : 0, BYTES);
  memset(there, 0, BYTES);
  if (me == n - 1) hold(wait);
  shmem_barrier_all();
  begin(kind, &b);
  if (me == 0) wait_for(wait);
  finish(kind, &b, salt);
  if (me != 0) release(wait);
  shmem_barrier_all();
}

int main(int argc, char **argv) {
  gex_EP_t ep;
  gex_Segment_t segment;
  gex_AM_Entry_t entry = {
      MESSAGE, (gex_AM_Fn_t)on_message, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL};
  weft_upc_start(&argc, &argv);
  shmem_init();
  CHECK_EQ(gex_Client_Init(NULL, &ep, &tm, "TEST", &argc, &argv, 0), GASNET_OK);
  CHECK_EQ(gex_EP_RegisterHandlers(ep, &entry, 1), GASNET_OK);
  CHECK_EQ(gex_Segment_Attach(&segment, tm, GASNET_PAGESIZE), GASNET_OK);
  weft_armci_start("pairs", NULL);
  weft_caf_start();
  me = shmem_my_pe(), n = shmem_n_pes();
  here = malloc(BYTES), there = shmem_malloc(BYTES);
  mutexes = weft_armci_mutexes_create(weft_armci_world(), 1);
  upc_lock_word = upc_all_lock_alloc();
  for (int kind = 0; kind < KINDS; kind++)
    for (int wait = 0; wait < WAITS; wait++)
      if (kind != UPC_NOTIFY || wait != UPC_BARRIER) pair(kind, wait); /* one at a time (7.4) */
  weft_armci_mutexes_destroy(mutexes);
  weft_armci_stop(false);
  shmem_finalize();
  weft_upc_end(0);
}
