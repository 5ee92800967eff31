/*
 * What the processes of qlock.c run: a job of one node, and what queued locks (sync/lock.c) want of
 * layers that they only call. Nobody dies.
 */
#include "model.h"
#include "port/port_internal.h"
#include "sync/sync.h"

/* Offsets in the private heap of a slot. */
enum { ENTRIES = 64, WORDS = 4096 };

weft_channel_t weft_channels[WEFT_CHANNELS_MAX];
static weft_where_t where[MODEL_THREADS];
static uintptr_t owner[MODEL_THREADS];

WEFT_API void model_queues(uintptr_t shared, uintptr_t private_heap);
void model_queues(uintptr_t shared, uintptr_t private_heap) {
  for (int i = 0; i < MODEL_THREADS; i++) where[i].slot = (uint16_t)i;
  weft_job.where = where;
  weft_job.owner = owner; /* all see everything at the same address */
  weft_job.layout.shared = shared;
  weft_layout_t *l = &weft_job.window.layout;
  l->private_heap = private_heap;
  l->private_limit = l->stride - private_heap;
  l->global = l->stride; /* there is none */
  weft_qlock_end();
  weft_qlock_start();
}

WEFT_API void model_add_one(int home, uintptr_t off, long *sum);
void model_add_one(int home, uintptr_t off, long *sum) {
  MODEL_CHECK(weft_qlock_acquire(home, off) == 0);
  ++*sum;
  MODEL_CHECK(weft_qlock_release(home, off) == 0);
}

WEFT_API bool model_try_one(int home, uintptr_t off, long *sum);
bool model_try_one(int home, uintptr_t off, long *sum) {
  const int rc = weft_qlock_try(home, off);
  MODEL_CHECK(rc == 0 || rc == -EBUSY);
  if (rc) return false;
  ++*sum;
  MODEL_CHECK(weft_qlock_release(home, off) == 0);
  return true;
}

/* ---- layers below ---------------------------------------------------------------------------- */

void weft_node_lock(weft_node_lock_t *lock) {
  while (!weft_node_lock_try(lock, (uint32_t)weft_job.slot + 1))
    while (weft_peek(&lock->holder)) model_wait(false);
}
weft_shared_t *weft_job_shared(int pe) {
  return (weft_shared_t *)(void *)(weft_job_slot(pe) + weft_job.layout.shared);
}
uintptr_t weft_private_alloc_of(int pe, size_t align, size_t n) { /* called once per home */
  (void)pe, (void)align, (void)n;
  return weft_job.window.layout.private_heap + ENTRIES;
}
void *weft_private_alloc(size_t align, size_t n) {
  (void)align, (void)n;
  return weft_job_slot(weft_job.pe) + weft_job.window.layout.private_heap + WORDS;
}
uint32_t weft_job_changes(void) {
  return 0;
}
enum weft_pe_state weft_job_state(int pe) {
  (void)pe;
  return WEFT_RUNNING;
}
void weft_wait_step(weft_wait_t *wait) {
  (void)wait;
  model_wait(false);
}
void weft_wait_tried(bool got) {
  (void)got;
}
void weft_stage_release(void) {}
uint64_t weft_clock_ns(void) {
  return 0;
}
bool weft_lost_is(int pe) {
  (void)pe;
  return false;
}
bool weft_lost_runs(int node) {
  (void)node;
  return true;
}

/* ---- time does not pass, and nobody comes to its end ----------------------------------------- */

bool weft_job_goes_on(void) {
  return false;
}
const char *weft_private_shortage(void) {
  return "";
}
void weft_sleep_ms(int ms) {
  (void)ms;
}
void weft_warn(const char *format, ...) {
  weft_fatal("%s", format);
}

/* ---- other nodes: there are none ------------------------------------------------------------- */

weft_options_t weft_options;

void weft_watch_lose(const weft_channel_t *c, int node, uint64_t ns) {
  (void)c, (void)ns;
  weft_fatal("a connection to node %d", node);
}

void weft_stage_call(weft_channel_t *c, uintptr_t off, enum weft_service number,
                     const weft_call_t *call) {
  (void)c, (void)off, (void)number, (void)call;
  weft_fatal("a call to another node");
}
void weft_server_answer_call(uint32_t pe, uint64_t result, uint64_t value) {
  (void)result, (void)value;
  weft_fatal("an answer to pe %u of another node", pe);
}
void weft_stage_post_now(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op, size_t width,
                         uint64_t operand) {
  (void)c, (void)off, (void)op, (void)width, (void)operand;
  weft_fatal("an answer to pe %d of another node", pe);
}
