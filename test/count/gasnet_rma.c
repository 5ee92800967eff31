// The paths of GASNet's puts, gets and atomics that gasnet.sh counts with weft-count: each count_
// function is nothing but one inlined call. Any GASNet's headers compile it.
#define GASNET_SEQ 1
#include <gasnet.h>
#include <gasnet_ratomic.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__clang__)
#define PATH __attribute__((noinline, used))
#else
#define PATH __attribute__((noipa, used)) // else equal bodies are merged and constants moved in
#endif
enum { ROUNDS = 24 }; // run.sh lets some calls pass first: connections and caches are warm then

static uint64_t cell, source;
static int64_t counter;
static volatile uint64_t done;

PATH void count_ex_put_val(gex_TM_t tm, gex_Rank_t rank, void *dest, uint64_t value) {
  gex_RMA_PutBlockingVal(tm, rank, dest, value, 8, 0);
}
PATH uint64_t count_ex_get_val(gex_TM_t tm, gex_Rank_t rank, void *src) {
  return gex_RMA_GetBlockingVal(tm, rank, src, 8, 0);
}
PATH void count_ex_put_nbi(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src) {
  gex_RMA_PutNBI(tm, rank, dest, src, 8, GEX_EVENT_NOW, 0);
}
PATH void count_ex_put_nbi_val(gex_TM_t tm, gex_Rank_t rank, void *dest, uint64_t value) {
  gex_RMA_PutNBIVal(tm, rank, dest, value, 8, 0);
}
PATH void count_ex_wait_puts(void) {
  gex_NBI_Wait(GEX_EC_PUT, 0);
}
PATH void count_ex_wait_puts_idle(void) {
  gex_NBI_Wait(GEX_EC_PUT, 0);
}
PATH int64_t count_ex_fetch_add(gex_AD_t ad, gex_Rank_t rank, int64_t *word, int64_t by) {
  int64_t old;
  gex_Event_Wait(gex_AD_OpNB_I64(ad, &old, rank, word, GEX_OP_FADD, by, 0, 0));
  return old;
}
PATH void count_ex_add(gex_AD_t ad, gex_Rank_t rank, int64_t *word, int64_t by) {
  gex_AD_OpNBI_I64(ad, NULL, rank, word, GEX_OP_ADD, by, 0, 0);
}
PATH void count_g1_put_val(gasnet_node_t node, void *dest, uint64_t value) {
  gasnet_put_val(node, dest, value, 8);
}
PATH uint64_t count_g1_get_val(gasnet_node_t node, void *src) {
  return gasnet_get_val(node, src, 8);
}
PATH void count_g1_put_nbi(gasnet_node_t node, void *dest, void *src) {
  gasnet_put_nbi(node, dest, src, 8);
}
PATH void count_g1_put_nbi_val(gasnet_node_t node, void *dest, uint64_t value) {
  gasnet_put_nbi_val(node, dest, value, 8);
}
PATH void count_g1_wait_puts(void) {
  gasnet_wait_syncnbi_puts();
}
PATH void count_g1_wait_puts_idle(void) {
  gasnet_wait_syncnbi_puts();
}

static int (*volatile call_put_nbi)(gex_TM_t, gex_Rank_t, void *, const void *, size_t,
                                    gex_Event_t *, gex_Flags_t) = gex_RMA_PutNBI;
static void (*volatile call_wait)(gex_EC_t, gex_Flags_t) = gex_NBI_Wait;

static int run(gex_TM_t tm, gex_Rank_t rank) {
  int wrong = 0;
  gex_AD_t ad;
  gex_AD_Create(&ad, tm, GEX_DT_I64, GEX_OP_FADD | GEX_OP_ADD, 0);
  for (uint64_t i = 0; i < ROUNDS; i++) {
    wrong += count_ex_fetch_add(ad, rank, &counter, 2) != 3 * (int64_t)i;
    count_ex_add(ad, rank, &counter, 1);
    gex_NBI_Wait(GEX_EC_RMW, 0);
    count_ex_put_val(tm, rank, &cell, 8 * i);
    wrong += count_ex_get_val(tm, rank, &cell) != 8 * i;
    source = 8 * i + 1;
    count_ex_put_nbi(tm, rank, &cell, &source);
    count_ex_wait_puts();
    count_ex_wait_puts_idle();
    wrong += count_g1_get_val(rank, &cell) != 8 * i + 1;
    count_ex_put_nbi_val(tm, rank, &cell, 8 * i + 2);
    count_g1_wait_puts();
    count_g1_wait_puts_idle();
    count_g1_put_val(rank, &cell, 8 * i + 3);
    source = 8 * i + 4;
    count_g1_put_nbi(rank, &cell, &source);
    count_g1_wait_puts();
    count_g1_put_nbi_val(rank, &cell, 8 * i + 5);
    count_ex_wait_puts();
    wrong += count_ex_get_val(tm, rank, &cell) != 8 * i + 5;
    source = 8 * i + 6;
    call_put_nbi(tm, rank, &cell, &source, 8, GEX_EVENT_NOW, 0);
    call_wait(GEX_EC_PUT, 0);
  }
  gex_AD_Destroy(ad);
  gex_RMA_PutBlockingVal(tm, rank, (void *)&done, 1, 8, 0);
  return wrong;
}

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  if (gex_Client_Init(&client, &ep, &tm, "count", &argc, &argv, 0) != GASNET_OK) return 1;
  const gex_Rank_t me = gasnet_mynode(), last = gasnet_nodes() - 1;
  int wrong = me == 0 ? run(tm, last) : 0;
  while (me == last && !done) sched_yield();
  wrong += me == last && cell != 8 * ROUNDS - 2;
  if (wrong) fprintf(stderr, "pe %u: %d wrong values\n", (unsigned)me, wrong);
  gasnet_exit(wrong != 0);
}
