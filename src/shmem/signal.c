/*
 * signal.c: OpenSHMEM 1.6 section 9.8: data and then a flag. The signal is an atomic update of 8
 * bytes that may lie in another segment than the data; it is delivered even without data.
 */
#include "shmem/internal.h"

static enum weft_amo operation(int op, const char *who) {
  if (weft_unlikely(op != SHMEM_SIGNAL_SET && op != SHMEM_SIGNAL_ADD))
    weft_fatal("%s: %d is no signal operation; SHMEM_SIGNAL_SET and SHMEM_SIGNAL_ADD are", who, op);
  return op == SHMEM_SIGNAL_SET ? WEFT_AMO_SET : WEFT_AMO_ADD;
}

/* On this node. Release: what was put before is seen first. */
static void raise_here(uint64_t *signal_at, uint64_t signal, enum weft_amo op) {
  if (op == WEFT_AMO_SET)
    __atomic_store_n(signal_at, signal, __ATOMIC_RELEASE);
  else
    __atomic_fetch_add(signal_at, signal, __ATOMIC_ACQ_REL);
}

void weft_shmem_signal(uint64_t *sig_addr, uint64_t signal, int op, long to, const char *who) {
  const enum weft_amo amo = operation(op, who);
  uintptr_t at;
  if (weft_direct_at(sig_addr, weft_direct_pe(to), &at))
    raise_here((uint64_t *)at, signal, amo);
  else
    weft_direct.amo_post(at, amo, sizeof signal, signal, to, who);
}

void weft_shmem_put_signal(void *dest, const void *source, size_t bytes, uint64_t *sig_addr,
                           uint64_t signal, int op, long to, int nbi, const char *who) {
  const int pe = weft_direct_pe(to);
  uintptr_t at, sig;
  if (bytes == 0) {
    weft_shmem_signal(sig_addr, signal, op, to, who);
    return;
  }
  const enum weft_amo amo = operation(op, who);
  const bool here = weft_direct_at(dest, pe, &at),
             signals_here = weft_direct_at(sig_addr, pe, &sig);
  if (here && signals_here) {
    weft_direct_copy((void *)at, source, bytes);
    raise_here((uint64_t *)sig, signal, amo);
  } else {
    weft_direct.put_signal(at, source, bytes, sig, amo, signal, nbi, to, who);
  }
}

uint64_t weft_shmem_signal_fetch(const uint64_t *sig_addr) {
  weft_shmem_up("shmem_signal_fetch");
  const uint64_t now = __atomic_load_n(sig_addr, __ATOMIC_ACQUIRE);
  weft_wait_looked(sig_addr, now);
  return now;
}

WEFT_SHMEM_SIGNAL(WEFT_EMIT)
