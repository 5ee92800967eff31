/*
 * turns: atomics of a job with more PEs than processors. A program that spins on a word of this
 * node by atomics would keep the PE that is to change it from running. So there the inline
 * functions find a table in which every sum carries, as if all PEs were on another node, and come
 * here: the atomic is done, and every 32nd that changed nothing yields. Other jobs pay nothing
 * for it.
 */
#include <stdlib.h>
#include <string.h>

#include "rma/rma_internal.h"

static struct {
  const struct weft_direct *below; /* for other nodes */
  uintptr_t *disp;
} turns;

void weft_turns_look(enum weft_amo op, size_t width, uint64_t operand, uint64_t cond,
                     uint64_t old) {
  const uint64_t bits = width == 4 ? UINT32_MAX : UINT64_MAX;
  bool same = false;
  switch (op) {
  case WEFT_AMO_FETCH: same = true; break;
  case WEFT_AMO_SWAP: same = (old & bits) == (operand & bits); break;
  case WEFT_AMO_CSWAP: same = (old & bits) != (cond & bits); break;
  case WEFT_AMO_ADD:
  case WEFT_AMO_OR:
  case WEFT_AMO_XOR: same = (operand & bits) == 0; break;
  default: break;
  }
  if (same) weft_wait_give_way();
}

static uint64_t amo(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, uint64_t cond,
                    long to, const char *who) {
  void *object = weft_job_here(weft_direct_pe(to), off);
  if (!object) return turns.below->amo(off, op, width, operand, cond, to, who);
  const uint64_t old = weft_data_apply(object, op, width, operand, cond);
  weft_turns_look(op, width, operand, cond, old);
  return old;
}

static void amo_post(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, long to,
                     const char *who) {
  void *object = weft_job_here(weft_direct_pe(to), off);
  if (object)
    weft_data_apply(object, op, width, operand, 0);
  else
    turns.below->amo_post(off, op, width, operand, to, who);
}

static void amo_nbi(uintptr_t off, enum weft_amo op, size_t width, uint64_t operand, uint64_t cond,
                    void *fetch, long to, const char *who) {
  if (!weft_job_here(weft_direct_pe(to), off)) {
    turns.below->amo_nbi(off, op, width, operand, cond, fetch, to, who);
    return;
  }
  const uint64_t old = amo(off, op, width, operand, cond, to, who);
  memcpy(fetch, &old, width); /* little endian, as all our machines are */
}

int weft_turns_start(struct weft_direct *table, const struct weft_direct *below) {
  const size_t n = (size_t)weft_job.npes;
  if (!weft_progress_is_crowded()) return 0;
  turns.below = below;
  turns.disp = calloc(n, sizeof *turns.disp);
  if (!turns.disp) return -ENOMEM;
  for (size_t pe = 0; pe < n; pe++) turns.disp[pe] = -weft_job.window.base;
  table->amo_disp = turns.disp;
  table->amo = amo, table->amo_post = amo_post, table->amo_nbi = amo_nbi;
  return 0;
}

void weft_turns_end(void) {
  free(turns.disp);
  turns.disp = NULL;
}
