/*
 * A store to a constant, or an access between the parts of a slot, ends the job with one line.
 * Constants are symmetric, so programs may read those of others (OpenSHMEM 1.6, section 3); each
 * slot has a copy, which is protected as the executable's own. Who stored is not known here, and
 * for a write that came over the network it is another PE than the one that sees the fault.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/mman.h>

#include "base/base.h"
#include "window/window_internal.h"

static const weft_window_t *guarded;
static bool open; /* a store to a copy is no fault */
static void (*explains)(uintptr_t at);

void weft_window_explain(void (*explain)(uintptr_t at)) {
  explains = explain;
}

/* Anything else dies as it would have died: the instruction runs again. */
static void on_fault(int number, siginfo_t *info, void *context) {
  (void)context;
  const weft_window_t *w = guarded;
  const uintptr_t at = (uintptr_t)info->si_addr;
  if (w && info->si_code > 0 && at - w->base < (size_t)(w->nslots + 1) * w->layout.stride) {
    const uintptr_t off = (at - w->base) % w->layout.stride;
    const bool in_slot = at != w->base + off;
    const char *whose = in_slot ? "a PE of this node" : "this PE";
    void *symmetric = (void *)(w->base + off);
    if (info->si_code == SEGV_ACCERR && weft_window_is_constant(w, symmetric, 1))
      weft_fatal("a put, an atomic or a store to the constant at %p (in the memory of %s): a const "
                 "object of another PE can be read, not written",
                 symmetric, whose);
    if (in_slot)
      weft_fatal("a put, a get, an atomic, or an access by a pointer to another PE's memory, at %p "
                 "(in the memory of %s), which is not symmetric; WEFT_CHECK=1 names the call",
                 symmetric, whose);
  }
  if (info->si_code > 0) weft_handle_explain(at);
  if (explains && info->si_code > 0) explains(at);
  signal(number, SIG_DFL);
  if (info->si_code <= 0) raise(number); /* somebody sent it */
}

void weft_window_catch(void) {
  struct sigaction before, mine = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  if (sigaction(SIGSEGV, NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO) &&
      before.sa_handler == SIG_DFL)
    sigaction(SIGSEGV, &mine, NULL);
}

void weft_window_protect(const weft_window_t *w, bool slots) {
  guarded = NULL;
  if (!w || w->layout.statics == 0) return;
  open = !slots || (size_t)w->nslots > weft_options.protected_slots;
  for (int slot = 0; !open && slot < w->nslots; slot++)
    mprotect(weft_window_slot(w, slot), w->layout.statics, PROT_READ);
  guarded = w;
  weft_window_catch();
}

/* Where two copies of whole pages differ first. Redzones of other code are among them, so the
 * address sanitizer must not look, as it does at memcmp. */
__attribute__((noinline, no_sanitize("address"))) static WEFT_UNSEEN size_t
same_up_to(const char *own, const char *copy, size_t n) {
  size_t at = 0;
  while (at < n && *(const uint64_t *)(own + at) == *(const uint64_t *)(copy + at)) at += 8;
  while (at < n && own[at] == copy[at]) at++;
  return at;
}

void weft_window_check_constants(const weft_window_t *w) {
  if (!guarded || !open) return;
  for (int i = 0; i < w->image.nconstants; i++) {
    const weft_range_t *r = &w->image.constants[i];
    const char *copy = weft_window_slot(w, w->slot) + (r->begin - w->base);
    const size_t n = r->end - r->begin;
    const size_t at = same_up_to((const char *)r->begin, copy, n);
    if (at == n) continue;
    weft_fatal("another PE stored to the constant at %p of this one: a const object of another PE "
               "can be read, not written",
               (const void *)(r->begin + at));
  }
}
