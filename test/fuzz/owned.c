/*
 * What a PE of the node does itself with what others have sent it: requests to its owner's thread,
 * and meetings. The thread is this one, and ends where it would sleep. In a meeting the members
 * that have not come fail, one after the other.
 */
#include "owned.h"

#include <linux/futex.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rma/rma.h"
#include "wire.h"

enum { SERVICE = 1 };

static struct {
  uintptr_t base; /* of the window, as the port's process has it; 0: this is that */
  void *(*thread)(void *);
  const uint8_t *said;
  size_t left;
  int steps; /* of a wait that nobody's failure ends */
} owned;

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *),
                          void *arg);
int __wrap_pthread_join(pthread_t thread, void **result);
int __wrap_pthread_setname_np(pthread_t thread, const char *name);
long __wrap_syscall(long number, uint32_t *word, int op, uint32_t value);
void __wrap_weft_rma_get(int pe, uintptr_t off, void *dest, size_t n);
bool __wrap_weft_rma_put_begin(int pe, uintptr_t off, const void *source, size_t n, weft_op_t *op,
                               bool immediate);
void __wrap_weft_rma_quiet(void);
void __wrap_weft_stage_release(void);
void __wrap_weft_stage_post_now(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op,
                                size_t width, uint64_t value);
void __wrap_weft_service_send(int pe, uintptr_t off, enum weft_service number, uint64_t operand,
                              uint64_t cond, const void *data, size_t n, uint64_t *result);
void __wrap_weft_wait_step(weft_wait_t *wait);

/* ---- the process of a PE --------------------------------------------------------------------- */

/* It sees its slot at the window's beginning, and so the others; -1: the port's process. */
static void become(int pe) {
  weft_window_t *w = &weft_job.window;
  if (owned.base) w->base = owned.base, w->layout.stride = STRIDE, owned.base = 0;
  if (pe >= 0) {
    char *slot = weft_window_slot(w, pe);
    owned.base = w->base;
    w->base = (uintptr_t)slot, w->layout.stride = 0;
  }
  weft_job.pe = pe, weft_job.slot = pe < 0 ? 0 : pe, weft_job.is_porter = pe < 0;
}

/* n bytes at a slot offset are a heap's, or of what is behind it. */
static void check_place(int pe, uintptr_t off, size_t n) {
  const uintptr_t begin = weft_job.window.layout.heap;
  const uintptr_t end = weft_layout_end(&weft_job.window.layout);
  FUZZ_CHECK(pe >= 2 && pe < PES && off >= begin && off <= end && n <= end - off);
}

/* ---- the owner's thread ---------------------------------------------------------------------- */

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *),
                          void *arg) {
  (void)how;
  FUZZ_CHECK(arg == NULL);
  *thread = pthread_self();
  owned.thread = run;
  return 0;
}

int __wrap_pthread_join(pthread_t thread, void **result) {
  (void)thread, (void)result;
  return 0;
}

int __wrap_pthread_setname_np(pthread_t thread, const char *name) {
  (void)thread, (void)name;
  return 0;
}

/* It would sleep. */
long __wrap_syscall(long number, uint32_t *word, int op, uint32_t value) {
  FUZZ_CHECK(number == SYS_futex);
  if (op == FUTEX_WAIT && *word == value) weft_owner_stop();
  return 0;
}

void __wrap_weft_rma_get(int pe, uintptr_t off, void *dest, size_t n) {
  check_place(pe, off, n);
  memset(dest, 1, n);
}

bool __wrap_weft_rma_put_begin(int pe, uintptr_t off, const void *source, size_t n, weft_op_t *op,
                               bool immediate) {
  (void)op, (void)immediate;
  check_place(pe, off, n);
  wire_look_at(source, n);
  return true;
}

void __wrap_weft_rma_quiet(void) {
}

/* A result. */
void __wrap_weft_stage_post_now(weft_channel_t *c, int pe, uintptr_t off, enum weft_amo op,
                                size_t width, uint64_t value) {
  (void)c, (void)value;
  FUZZ_CHECK(op == WEFT_AMO_SET && width == 8);
  check_place(pe, off, width);
}

/* All that came is there, and there is room for the reply. */
static uint64_t run(int from, const void *data, size_t n, void *reply, size_t *reply_n) {
  FUZZ_CHECK(from >= 2 && from < PES);
  wire_look_at(data, n);
  if (*reply_n) memset(reply, 2, *reply_n);
  if (*reply_n > n) *reply_n = n;
  return n;
}

void owned_serve(int pe) {
  weft_owner_register(SERVICE, run);
  become(pe);
  weft_owner_serve();
  owned.thread(NULL);
  become(-1);
}

/* ---- meetings -------------------------------------------------------------------------------- */

void __wrap_weft_stage_release(void) {
}

/* A leader, and members that are asked, say what the input says; behind that a leader says nothing,
 * and the others that the meeting is not over. */
void __wrap_weft_service_send(int pe, uintptr_t off, enum weft_service number, uint64_t operand,
                              uint64_t cond, const void *data, size_t n, uint64_t *result) {
  const size_t said = owned.left < sizeof *result ? 0 : sizeof *result;
  (void)off, (void)operand;
  FUZZ_CHECK(pe != weft_job.pe && number == WEFT_SERVICE_MEET);
  wire_look_at(data, n);
  *result = WEFT_NO_RESULT;
  memcpy(result, owned.said, said);
  owned.said += said, owned.left -= said;
  if (cond && *result == WEFT_NO_RESULT) --*result;
}

/* Nobody else comes: so a wait that goes on is for the death of somebody who lives. */
void __wrap_weft_wait_step(weft_wait_t *wait) {
  (void)wait;
  for (int pe = 0; pe < PES; pe++) {
    if (pe == weft_job.pe || weft_job_state(pe) >= WEFT_STOPPED) continue;
    weft_job_mark(pe, WEFT_FAILED);
    return;
  }
  if (++owned.steps > 2) weft_fatal("nobody else has died");
}

void owned_meet(int pe, weft_meeting_t *meeting, int size, const void *said, size_t n) {
  const weft_set_t set = {.stride = 1, .size = size};
  if (pe >= size || weft_job_state(pe) != WEFT_RUNNING) return;
  owned.said = said, owned.left = n, owned.steps = 0;
  meeting->set = &set;
  become(pe);
  const weft_outcome_t outcome = weft_alive_meet(meeting);
  FUZZ_CHECK(outcome.stopped >= 0 && outcome.failed >= 0);
  FUZZ_CHECK(outcome.stopped <= size && outcome.failed <= size - outcome.stopped);
  become(-1);
}

void owned_end(void) {
  if (owned.base) weft_owner_stop();
  become(-1);
}
