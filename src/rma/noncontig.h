/*
 * noncontig: transfers between a shape (data/shape.h) in this process and a shape in another PE's
 * slot: strided in any number of dimensions, lists of pieces, lists of places of one length, and
 * any of them against any other of the same number of bytes. Include rma/rma.h.
 *
 * The remote shape's addresses are slot offsets (base is added to each, so lists may hold the
 * owner's addresses). PEs of this node are reached by loads and stores. To other nodes long
 * contiguous segments go by RMA of their own (WEFT_DEBUG=pack_max), shorter ones packed in the
 * packets of a flow (flow/flow.h). `to` is a PE and a context's tag (weft/direct.h).
 *
 * Completion. Shapes and what they point to (lists, counts, strides, scale) are read before the
 * call returns and may be changed then. lc and rc, which have no `done`, are counted up (pending)
 * before the call returns, and down when
 *   lc  the local memory is the caller's again: put and accumulate have read it;
 *   rc  all is done: put and accumulate are visible at the target, a get's data is here.
 * That happens before the call returns, or later in whichever thread makes progress (the helper's
 * too). A get takes no lc. NULL means that the call itself waits for that point, but for the rc of
 * put and accumulate: then it is the next quiet on `to` (weft_rma_quiet_on, shmem_quiet, ...) which
 * waits for it. Somebody has to make progress (a wait, or weft_am_poll); if the program does not,
 * the helper does, more slowly.
 *
 * put(lc, rc both given) and get(rc) never wait for another PE. Transfers of one PE to one node are
 * served in order, but complete in any; nothing is ordered against anything else before it is
 * complete. Overlapping destinations are written in any order.
 *
 * With WEFT_CHECK=1 every remote segment is checked as that of a contiguous operation is; `who` is
 * the caller's public name for that message.
 */
#ifndef WEFT_NONCONTIG_H
#define WEFT_NONCONTIG_H

#include "flow/flow.h"

/* A job of several nodes is up: strided operations of a front end come here. */
bool weft_rma_packs(void);
/* The same for a put of this number of blocks: a few travel better as puts, which gather. */
bool weft_rma_packs_puts(size_t blocks);

void weft_rma_put_shape(const weft_shape_t *remote, const weft_shape_t *local, long to,
                        weft_op_t *lc, weft_op_t *rc, const char *who);
void weft_rma_get_shape(const weft_shape_t *local, const weft_shape_t *remote, long to,
                        weft_op_t *rc, const char *who);
/* remote[i] += *scale * local[i]; see data/accumulate.h for what is atomic. Both shapes' blocks are
 * whole elements. scale NULL: 1. */
void weft_rma_acc_shape(const weft_shape_t *remote, const weft_shape_t *local, weft_acc_type_t type,
                        const void *scale, long to, weft_op_t *lc, weft_op_t *rc, const char *who);

#endif
