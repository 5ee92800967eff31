/*
 * signal.c: OpenSHMEM 1.6 section 9.8: data and then a flag. The signal is an atomic update of 8
 * bytes that may lie in another segment than the data; it is delivered even without data.
 */
#include "shmem/internal.h"

void weft_shmem_signal(uint64_t *sig_addr, uint64_t signal, int op, long to, const char *who) {
  uintptr_t at;
  if (weft_unlikely(op != SHMEM_SIGNAL_SET && op != SHMEM_SIGNAL_ADD))
    weft_fatal("%s: %d is no signal operation", who, op);
  if (!weft_direct_at(sig_addr, weft_direct_pe(to), &at))
    weft_direct.amo_post(at, op == SHMEM_SIGNAL_SET ? WEFT_AMO_SET : WEFT_AMO_ADD, 8, signal, to,
                         who);
  else if (op == SHMEM_SIGNAL_SET)
    __atomic_store_n((uint64_t *)at, signal, __ATOMIC_RELEASE);
  else
    __atomic_fetch_add((uint64_t *)at, signal, __ATOMIC_ACQ_REL);
}

/* The fence orders more than this put before the signal, which is allowed. */
void weft_shmem_put_signal(void *dest, const void *source, size_t bytes, uint64_t *sig_addr,
                           uint64_t signal, int op, long to, int nbi, const char *who) {
  if (bytes) {
    if (nbi)
      weft_direct_put_nbi(dest, source, bytes, to, who);
    else
      weft_direct_put(dest, source, bytes, to, who);
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
    if (to != weft_direct_pe(to))
      weft_direct.fence_on(to);
    else
      weft_direct.fence();
  }
  weft_shmem_signal(sig_addr, signal, op, to, who);
}

uint64_t weft_shmem_signal_fetch(const uint64_t *sig_addr) {
  return __atomic_load_n(sig_addr, __ATOMIC_ACQUIRE);
}

WEFT_SHMEM_SIGNAL(WEFT_EMIT)
