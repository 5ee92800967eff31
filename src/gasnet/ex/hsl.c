/*
 * hsl.c: handler-safe locks. Handlers run only where a thread calls the library, never in the
 * middle of client code, so these are locks between the client's threads; a waiter yields. With
 * WEFT_CHECK=1 a lock that its thread holds already, or unlocks without holding it, ends the job.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <unistd.h>

#include "gasnet/ex/internal.h"

/* weft_held is 0, or the number of the thread that holds it. */
static uint32_t self(void) {
  static __thread uint32_t number;
  if (!number) number = weft_options.check ? (uint32_t)weft_thread_id() : 1;
  return number;
}

static bool take(gex_HSL_t *hsl) {
  uint32_t none = 0;
  return __atomic_compare_exchange_n(&hsl->weft_held, &none, self(), false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED);
}

WEFT_API void gex_HSL_Init(gex_HSL_t *hsl) {
  hsl->weft_held = 0;
}

WEFT_API void gex_HSL_Destroy(gex_HSL_t *hsl) {
  if (weft_options.check && weft_peek(&hsl->weft_held))
    weft_fatal("gex_HSL_Destroy: %p is locked", (void *)hsl);
}

WEFT_API void gex_HSL_Lock(gex_HSL_t *hsl) {
  if (take(hsl)) return;
  if (weft_options.check && weft_peek(&hsl->weft_held) == self())
    weft_fatal("gex_HSL_Lock: this thread has locked %p already", (void *)hsl);
  for (unsigned tries = 0; !take(hsl); tries++)
    if (tries < 64)
      weft_cpu_relax();
    else
      sched_yield();
}

WEFT_API void gex_HSL_Unlock(gex_HSL_t *hsl) {
  if (weft_options.check && weft_peek(&hsl->weft_held) != self())
    weft_fatal("gex_HSL_Unlock: this thread has not locked %p", (void *)hsl);
  __atomic_store_n(&hsl->weft_held, 0, __ATOMIC_RELEASE);
}

WEFT_API int gex_HSL_Trylock(gex_HSL_t *hsl) {
  return take(hsl) ? GASNET_OK : GASNET_ERR_NOT_READY;
}
