/*
 * order.c: fences, and notification behind them.
 */
#include "armci/internal.h"

#include <stdlib.h>

#include "runtime/runtime.h"

/* Words of `told`: one per process that tells us, written by it alone, and only ever grown. */
static struct {
  uint64_t *told;              /* symmetric */
  uint64_t *sent, *waited_for; /* per process */
} notes;

void weft_armci_order_start(void) {
  const size_t n = (size_t)weft_job.npes;
  notes.told = weft_symmetric_alloc(64, n * sizeof *notes.told, "ARMCI_Init");
  notes.sent = calloc(2 * n, sizeof *notes.sent);
  if (!notes.told || !notes.sent)
    weft_fatal("ARMCI_Init: no room for a table of %d processes", weft_job.npes);
  notes.waited_for = notes.sent + n;
  for (size_t i = 0; i < n; i++) weft_poke(&notes.told[i], 0);
}

void weft_armci_order_stop(void) {
  free(notes.sent);
  notes.sent = NULL;
}

void weft_armci_fence(int proc, const char *who) {
  weft_armci_check(proc, who);
  WEFT_SPAN(WEFT_TRACE_FENCE, who, 0);
  weft_rma_fence_pe(proc);
}

void weft_armci_fence_all(const char *who) {
  weft_armci_up(who);
  WEFT_SPAN(WEFT_TRACE_FENCE, "ARMCI_AllFence", 0);
  weft_fence_full();
  weft_rma_fence_all();
}

int weft_armci_notify(int proc, const char *who) {
  weft_armci_fence(proc, who);
  const uintptr_t off = weft_job_offset(&notes.told[weft_job.pe]);
  weft_rma_tell(proc, off, ++notes.sent[proc]);
  return (int)notes.sent[proc];
}

int weft_armci_notify_wait(int proc, int *waited, const char *who) {
  weft_armci_check(proc, who);
  WEFT_SPAN(WEFT_TRACE_WAIT, who, 0);
  const uint64_t wanted = ++notes.waited_for[proc];
  WEFT_WAIT_UNTIL(weft_observe(&notes.told[proc]) >= wanted);
  if (waited) *waited = (int)wanted;
  return (int)weft_observe(&notes.told[proc]);
}
