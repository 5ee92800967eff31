/*
 * Memory of other PEs, on whatever node: private memory allocated for another PE or freed by it,
 * and memory at one offset on every PE. On the own node these are job's functions; to other nodes
 * they are calls, run there by the server of the port.
 */
#include "port/port.h"
#include "runtime/runtime_internal.h"

/* The calls mean a PE, not an object of it. */
static uintptr_t no_object(void) {
  return weft_job.layout.shared;
}

/* An offset, or why there is none. */
static uint64_t or_why(uintptr_t off) {
  return off ? off : weft_shortage_last();
}

/* The same at the caller: n bytes of a heap of `limit` bytes at slot offset `heap`, or 0. `pe`: who
 * gave them. */
static uintptr_t given(uint64_t result, int pe, uintptr_t heap, size_t limit, size_t n) {
  if (result < WEFT_SHORTAGES || result == WEFT_NO_RESULT) {
    weft_shortage_set(result == WEFT_NO_RESULT ? WEFT_SHORT_GONE : (enum weft_shortage)result, pe);
    return 0;
  }
  if (result - heap > limit || n > limit - (result - heap))
    weft_fatal("pe %d gave memory that there is not", pe);
  return result;
}

static bool serve_alloc(char *object, const weft_call_t *call, uint64_t *result) {
  (void)object;
  *result = or_why(weft_private_alloc_of(call->pe, call->cond, call->operand));
  return true;
}

static bool serve_free(char *object, const weft_call_t *call, uint64_t *result) {
  (void)object;
  *result = (uint64_t)-weft_private_free_of(call->pe, call->operand);
  return true;
}

/* The global heap is PE 0's. */
static void check_home(const weft_call_t *call) {
  if (!weft_job_slot(0)) weft_service_refuse(call, "the global heap is at another node");
}

static bool serve_global_alloc(char *object, const weft_call_t *call, uint64_t *result) {
  (void)object;
  check_home(call);
  *result = or_why(weft_global_alloc_here(call->cond, call->operand));
  return true;
}

static bool serve_global_free(char *object, const weft_call_t *call, uint64_t *result) {
  (void)object;
  check_home(call);
  *result = (uint64_t)-weft_global_free_here(call->operand);
  return true;
}

static bool serve_owns(char *object, const weft_call_t *call, uint64_t *result) {
  (void)object;
  if (call->operand >= weft_job.window.layout.global) check_home(call);
  *result = call->operand >= weft_job.window.layout.global
                ? weft_global_owns_here(call->operand, call->cond)
                : weft_private_owns_of(call->pe, call->operand, call->cond);
  return true;
}

void weft_memory_start(void) {
  weft_service_register(WEFT_SERVICE_ALLOC, serve_alloc);
  weft_service_register(WEFT_SERVICE_FREE, serve_free);
  weft_service_register(WEFT_SERVICE_GLOBAL_ALLOC, serve_global_alloc);
  weft_service_register(WEFT_SERVICE_GLOBAL_FREE, serve_global_free);
  weft_service_register(WEFT_SERVICE_OWNS, serve_owns);
}

uintptr_t weft_private_alloc_on(int pe, size_t align, size_t n) {
  const weft_layout_t *l = &weft_job.window.layout;
  const uint64_t result = weft_service_call(pe, no_object(), WEFT_SERVICE_ALLOC, n, align);
  return given(result, pe, l->private_heap, l->private_limit, n);
}

int weft_private_free_on(int pe, uintptr_t off) {
  return -(int)weft_service_call(pe, no_object(), WEFT_SERVICE_FREE, off, 0);
}

uintptr_t weft_global_alloc(size_t align, size_t n) {
  const weft_layout_t *l = &weft_job.window.layout;
  const uint64_t result = weft_service_call(0, no_object(), WEFT_SERVICE_GLOBAL_ALLOC, n, align);
  return given(result, 0, l->global, l->global_limit, n);
}

int weft_global_free(uintptr_t off) {
  return -(int)weft_service_call(0, no_object(), WEFT_SERVICE_GLOBAL_FREE, off, 0);
}

bool weft_memory_owns(int pe, uintptr_t off, size_t n) {
  const weft_layout_t *l = &weft_job.window.layout;
  const bool global = off >= l->global;
  const uintptr_t begin = global ? l->global : l->private_heap;
  const size_t size = global ? l->global_limit : l->private_limit;
  if (off - begin >= size || n > size - (off - begin)) return false;
  return weft_service_call(global ? 0 : pe, no_object(), WEFT_SERVICE_OWNS, off, n);
}

/* A program that does not look at what it got crashes later, far from the cause. Only said to who
 * looks for mistakes, and once: others ask until there is no more. */
WEFT_COLD void weft_no_room(const char *who, size_t n, const char *where, const char *why) {
  if (!weft_options.check) return;
  if (__atomic_test_and_set(&weft_job_shared(weft_job.local[0])->said_no_room, __ATOMIC_RELAXED))
    return;
  weft_warn("%s: no room for %zu bytes%s, so it returns NULL: %s", who, n, where, why);
}
