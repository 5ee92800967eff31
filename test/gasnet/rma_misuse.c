// What a client must not do with puts, gets and events, for rma_misuse.sh: rma_misuse WHICH.
#define GASNET_SEQ
#define ROOM 4096
#include <gasnet.h>
#include <gasnet_vis.h>

#include "gasnet/rma_frame.h"

int main(int argc, char **argv) {
  char *which = argv[1];
  static char outside[64];
  if (!strcmp(which, "early")) gasnet_put(1, outside, outside, 8);
  if (!strcmp(which, "early-nbi")) gasnet_put_nbi_val(0, outside, 1, 8);
  if (!strcmp(which, "early-get")) gasnet_get_nb(outside, 1, outside, 8);
  if (!strcmp(which, "early-far")) gasnet_put(4000, outside, outside, 8);
  if (!strcmp(which, "early-further")) gasnet_put(1000000, outside, outside, 8);
  if (!strcmp(which, "early-null")) gasnet_put(1, NULL, outside, 8);
  if (!strcmp(which, "early-short")) gasnet_AMRequestShort1(1, 200, 1);
  if (!strcmp(which, "early-short-far")) gasnet_AMRequestShort1(100000, 200, 1);
  if (!strcmp(which, "early-short-16"))
    gasnet_AMRequestShort16(0, 200, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
  if (!strcmp(which, "early-medium")) gasnet_AMRequestMedium0(1, 200, outside, 8);
  if (!strcmp(which, "early-long")) gasnet_AMRequestLong0(1, 200, outside, 8, outside);
  start(argc, argv);
  const unsigned pe = npes - 1;
#define IS(name) if (!strcmp(which, name))
  IS("outside") gasnet_put(pe, outside, base[me], 8);
  IS("outside-nbi") gasnet_put_nbi(pe, outside, base[me], 8);
  IS("outside-get") gex_RMA_GetNB(tm, outside, pe, base[pe] - 8, 16, 0);
  IS("end") gasnet_memset(pe, there(pe), 0, 1 << 30);
  IS("value") gasnet_put_nbi_val(pe, outside, 1, 8);
  IS("rank") gasnet_put_val(npes + 3, base[me], 1, 8);
  IS("rank-far") gex_RMA_PutNBI(tm, 1000000, base[me], base[me], 8, GEX_EVENT_NOW, 0);
  IS("rank-no") gasnet_put_val(-1, base[me], 1, 8);
  IS("rank-no-nbi") gasnet_put_nbi(1000000, base[me], base[me], 8);
  IS("null") gasnet_put(pe, NULL, base[me], 8);
  IS("null-get") gasnet_get_bulk(base[me], pe, NULL, 4096);
  IS("null-nbi-value") gasnet_put_nbi_val(pe, NULL, 1, 4);
  IS("null-memset") gasnet_memset_nbi(pe, NULL, 1, 4);
  IS("wild") gasnet_get_nb(base[me], pe, (void *)(uintptr_t)0x7777000, 8);
  IS("wild-low") gasnet_get_val((unsigned)me, (void *)(uintptr_t)0x2000, 8);
  IS("overlap") gasnet_put(me, base[me] + 4, base[me], 8);
  char *last = (char *)base[pe] + MAX_PES * ROOM + GASNET_PAGESIZE - 8; // the last 8 bytes
  const gex_Memvec_t there_are[] = {{last - 8, 8}, {last, 16}}, here_are[] = {{outside, 24}};
  void *const places[] = {last, last + 4}, *const source[] = {outside};
  const ptrdiff_t apart[] = {8};
  const size_t two[] = {2};
  IS("vector") gex_VIS_VectorPutBlocking(tm, pe, 2, there_are, 1, here_are, 0);
  IS("indexed") gex_VIS_IndexedPutNB(tm, pe, 2, places, 8, 1, source, 16, 0);
  IS("strided") gex_VIS_StridedGetNBI(tm, outside, apart, pe, last, apart, 4, two, 1, 0);
  IS("no-op") gex_Event_Wait(GEX_EVENT_NO_OP);
  IS("region") gasnet_begin_nbi_accessregion(), gasnet_begin_nbi_accessregion();
  IS("no-region") gasnet_end_nbi_accessregion();
  finish();
}
