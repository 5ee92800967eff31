/*
 * The ordered class: whatever two ways operations of one PE go to one place of another's memory,
 * with weft_rma_order_next between them (weft_rma_get_behind for a get) the second takes effect
 * after the first. All pairs of ways,
 * and long random mixtures; a model in this process says what every get must bring and what is
 * there at the end. Every PE works on a region of its neighbour's.
 */
#include <shmem.h>

#include "add_block.h"
#include "check.h"
#include "flow/flow.h"
#include "rma/rma.h"

enum { WORDS = 12288, LONG_BYTES = WORDS * 8, OPS = 24, LEFT_WORDS = 256 };
enum way {
  SMALL,
  LARGE,
  LEAVE,
  PACKED,
  SET,
  FETCH_ADD,
  ADD,
  ACCUMULATE,
  FILL,
  GET,
  GET_LARGE,
  WAYS
};

static uint64_t *region; /* symmetric; the neighbour on the left owns what is in it */
static uint64_t model[WORDS];
static int to;
static uintptr_t off;
static uint64_t value;

/* What an operation needs until all are complete. */
static struct {
  uint64_t bytes[WORDS], want[WORDS], result, old;
  enum way way;
} ops[OPS];

static const struct {
  enum weft_next next;
  size_t n;
} classes[WAYS] = {[SMALL] = {WEFT_NEXT_PUT, 8},         [LARGE] = {WEFT_NEXT_PUT, LONG_BYTES},
                   [LEAVE] = {WEFT_NEXT_WRITE, 0},       [SET] = {WEFT_NEXT_ATOMIC, 8},
                   [FETCH_ADD] = {WEFT_NEXT_ATOMIC, 8},  [ADD] = {WEFT_NEXT_ATOMIC, 8},
                   [ACCUMULATE] = {WEFT_NEXT_PACKED, 0}, [FILL] = {WEFT_NEXT_ATOMIC, 8}};

static void begin_packed(int i, weft_op_t *op) {
  static const size_t count[1] = {WORDS / 2};
  static const ptrdiff_t far[1] = {16}, near[1] = {8};
  const weft_shape_t remote = weft_shape_strided(off, 8, 1, count, far);
  const weft_shape_t local = weft_shape_strided((uintptr_t)ops[i].bytes, 8, 1, count, near);
  weft_rma_order_shape(to, &remote, &local, false);
  weft_rma_put_shape(&remote, &local, to, NULL, op, "packed");
}

static void begin(int i, enum way way, weft_op_t *op) {
  const uint64_t one = ++value;
  const int64_t twice = 2;
  ops[i].way = way;
  ops[i].old = model[0];
  for (int w = 0; w < WORDS; w++) ops[i].bytes[w] = one, ops[i].want[w] = model[w];
  if (way != PACKED && way < GET) weft_rma_order_next(to, classes[way].next, classes[way].n);
  switch (way) {
  case SMALL:
    weft_rma_put_begin(to, off, ops[i].bytes, 8, op, false);
    model[0] = one;
    return;
  case LARGE:
    weft_rma_put_begin(to, off, ops[i].bytes, LONG_BYTES, op, false);
    for (int w = 0; w < WORDS; w++) model[w] = one;
    return;
  case LEAVE: /* short enough to be a packet, which it is not */
    weft_rma_put_leave(to, off, ops[i].bytes, LEFT_WORDS * 8, op, false);
    for (int w = 0; w < LEFT_WORDS; w++) model[w] = one;
    return;
  case PACKED:
    begin_packed(i, op);
    for (int w = 0; w < WORDS; w += 2) model[w] = one;
    return;
  case SET:
    weft_rma_amo_begin(to, off, WEFT_AMO_SET, 8, one, 0, NULL, op, false);
    model[0] = one;
    return;
  case FETCH_ADD:
  case ADD:
    weft_rma_amo_begin(to, off, WEFT_AMO_ADD, 8, one, 0, way == ADD ? NULL : &ops[i].result, op,
                       false);
    model[0] += one;
    return;
  case ACCUMULATE:
    add_block(to, off, ops[i].bytes, 2048, WEFT_ACC_INT64, &twice, op);
    for (int w = 0; w < 256; w++) model[w] += 2 * one;
    return;
  case FILL:
    weft_rma_fill_begin(to, off, (int)(one & 127), 64, op);
    for (int w = 0; w < 8; w++) model[w] = (one & 127) * 0x0101010101010101u;
    return;
  default:
    weft_rma_get_behind(to, off, ops[i].bytes, way == GET ? 8 : LONG_BYTES, one & 1 ? op : NULL);
  }
}

static void check(int n) {
  for (int i = 0; i < n; i++) {
    const int words = ops[i].way == GET ? 1 : ops[i].way == GET_LARGE ? WORDS : 0;
    for (int w = 0; w < words; w++) CHECK_EQ(ops[i].bytes[w], ops[i].want[w]);
    if (ops[i].way == FETCH_ADD) CHECK_EQ(ops[i].result, ops[i].old);
  }
  for (int i = 0; i < n; i++)
    if (ops[i].way == LEAVE) weft_rma_fence_pe(to); /* its op does not say that it is there */
  static uint64_t there[WORDS];
  weft_rma_get(to, off, there, sizeof there);
  for (int w = 0; w < WORDS; w++) CHECK_EQ(there[w], model[w]);
}

/* By op, by fence, or by quiet. */
static void end(weft_op_t *op, int how) {
  if (how == 0) weft_op_wait(op);
  if (how == 1) weft_rma_fence_pe(to);
  if (how == 2) weft_rma_fence_all();
  if (how) weft_op_wait(op); /* reads have one; all else is done */
}

int main(void) {
  static uint32_t seed = 1;
  shmem_init();
  region = shmem_calloc(WORDS, 8);
  to = (shmem_my_pe() + 1) % shmem_n_pes();
  off = weft_job_offset(region);
  shmem_barrier_all();
  for (int a = 0; a < WAYS; a++) {
    for (int b = 0; b < WAYS; b++) {
      weft_op_t op = {0};
      begin(0, (enum way)a, &op);
      begin(1, (enum way)b, &op);
      end(&op, (a + b) % 3);
      check(2);
    }
  }
  for (int round = 0; round < 12; round++) {
    weft_op_t op = {0};
    for (int i = 0; i < OPS; i++) {
      seed = seed * 1664525u + 1013904223u;
      begin(i, (enum way)((seed >> 10) % WAYS), &op);
    }
    end(&op, round % 3);
    check(OPS);
  }
  /* A long packed transfer behind a large put is told of before the put is waited for, where the
   * port has something to lend. */
  if (weft_job.where[to].node != weft_job.node && weft_options.flow_intimation &&
      WORDS / 2 * 8 > weft_ports.buffer_bytes)
    CHECK_EQ(weft_flow_counts().announced > 0, weft_ports.spares > 0);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
