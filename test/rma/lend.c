/*
 * Memory that is lent: private (where the PE has its node's port), static or of the heap. PE 0
 * writes all of it from private memory, and the count comes behind the data. Lent again and again,
 * several at a time, from any place of a page; and while another thread takes writes to memory that
 * stays lent.
 */
#include <shmem.h>

#include <sched.h>
#include <stdlib.h>

#include "check.h"
#include "job/job.h"
#include "port/port.h"
#include "rma/rma.h"

enum { MOST = 700000, TIMES = 12, AT_ONCE = 3, GUARD = 0x5a };
enum { PUTS = 20000, PIECE = 64, MANY = 40 }; /* MANY are lent at a time */

static int taker; /* on another node than PE 0: the last PE, and in the end that with its port */
static weft_lent_t lent[AT_ONCE];
static uint64_t counted, willing[AT_ONCE];
static unsigned char stat[MOST + 2];

static unsigned char byte_of(int time, int k, size_t i) {
  return (unsigned char)(time * 31 + k * 7 + (int)(i % 253));
}

static unsigned char *memory(int k, unsigned char *own, unsigned char *heap) {
  return k == 0 ? own : k == 1 ? stat : heap;
}

static void give(int time, unsigned char *source, size_t n) {
  weft_op_t op = {0};
  shmem_barrier_all();
  for (int k = 0; k < AT_ONCE; k++) {
    unsigned char *data = source + (size_t)k * MOST;
    for (size_t i = 0; i < n; i++) data[i] = byte_of(time, k, i);
    if (shmem_uint64_g(&willing[k], taker) == 0) continue;
    weft_lent_t to;
    shmem_getmem(&to, &lent[k], sizeof to, taker);
    weft_rma_put_lent_begin(taker, &to, data, n, weft_job_offset(&counted), &op);
  }
  weft_op_wait(&op);
}

static void take(int time, unsigned char *own, unsigned char *heap, size_t n) {
  static uint64_t expected;
  for (int k = 0; k < AT_ONCE; k++) {
    unsigned char *at = memory(k, own, heap) + time;
    memset(at - 1, GUARD, n + 2);
    willing[k] = weft_rma_lend(&lent[k], at, n);
    const bool can = k > 0 || (weft_job.port && !weft_job.fabric.pins &&
                               weft_job.fabric.regions != WEFT_REGIONS_BEFORE_ALL);
    CHECK_EQ(willing[k], weft_job.fabric.notes && can);
    expected += willing[k];
  }
  shmem_barrier_all();
  shmem_uint64_wait_until(&counted, SHMEM_CMP_EQ, expected);
  for (int k = 0; k < AT_ONCE; k++) {
    const unsigned char *at = memory(k, own, heap) + time;
    weft_rma_take_back(&lent[k]);
    for (size_t i = 0; willing[k] && i < n; i++) CHECK_EQ(at[i], byte_of(time, k, i));
    CHECK(at[-1] == GUARD && at[n] == GUARD);
  }
}

/* The taker lends and takes back all the time, while its helper thread takes what comes. */
static void change(unsigned char *own) {
  weft_lent_t others[MANY] = {{0}};
  willing[0] = weft_rma_lend(&lent[0], stat, MOST);
  counted = 0;
  shmem_barrier_all();
  for (int i = 0; willing[0] && weft_peek(&counted) < PUTS; i++) {
    if (weft_job.fabric.regions == WEFT_REGIONS_ANY_TIME || i % MANY == 0) sched_yield();
    weft_rma_take_back(&others[i % MANY]);
    weft_rma_lend(&others[i % MANY], own + i % MANY * PIECE, PIECE);
  }
  for (int i = 0; i < MANY; i++) weft_rma_take_back(&others[i]);
  weft_rma_take_back(&lent[0]);
}

static void put_while_changed(void) {
  unsigned char data[PIECE] = {0};
  weft_lent_t to;
  weft_op_t op = {0};
  shmem_barrier_all();
  if (shmem_uint64_g(&willing[0], taker) == 0) return;
  shmem_getmem(&to, &lent[0], sizeof to, taker);
  for (int i = 0; i < PUTS; i++) {
    weft_rma_put_lent_begin(taker, &to, data, PIECE, weft_job_offset(&counted), &op);
    if (i % MANY == 0) weft_op_wait(&op);
  }
  weft_op_wait(&op);
}

int main(void) {
  shmem_init();
  unsigned char *heap = shmem_malloc(MOST + 2), *own = calloc(AT_ONCE, MOST);
  CHECK(heap && own);
  taker = shmem_n_pes() - 1;
  for (int time = 1; time <= TIMES; time++) {
    const size_t n = time % 3 ? (size_t)(MOST - 100 * time) : (size_t)time * 8;
    if (shmem_my_pe() == 0)
      give(time, own, n);
    else if (shmem_my_pe() == taker)
      take(time, own, heap, n);
    else
      shmem_barrier_all();
  }
  shmem_barrier_all();
  taker = weft_job_leader(weft_job.nnodes - 1); /* it has its node's port */
  if (shmem_my_pe() == 0)
    put_while_changed();
  else if (shmem_my_pe() == taker)
    change(own);
  else
    shmem_barrier_all();
  shmem_barrier_all();
  free(own);
  shmem_finalize();
  return 0;
}
