/* Segments: those of GASNet's and of the client's own memory, bound to primordial and other
 * endpoints; everyone finds everyone's, reads it by RMA and, on a node, as memory. ARGS: "client",
 * and the primordial endpoint's is the client's memory. */
#define GASNET_SEQ
#include <gasnetex.h>
#include <gasnet_mk.h>
#include <sys/mman.h>

#include "check.h"

enum { WORDS = 3000 };

static gex_Client_t client;
static gex_TM_t tm;
static gex_Rank_t me, size;
static long fixed[WORDS]; /* static data is part of the window already */

static void refused(void) {
  gex_Segment_t s = GEX_SEGMENT_INVALID;
  static int here;
  gex_System_SetVerboseErrors(0);
  CHECK_EQ(gex_Segment_Create(&s, client, NULL, 0, GEX_MK_HOST, 0), GASNET_ERR_BAD_ARG);
  CHECK_EQ(gex_Segment_Create(&s, client, NULL, 4096, GEX_MK_INVALID, 0), GASNET_ERR_BAD_ARG);
  CHECK_EQ(gex_Segment_Create(&s, client, NULL, 4096, GEX_MK_HOST, 1), GASNET_ERR_BAD_ARG);
  CHECK_EQ(gex_Segment_Create(&s, client, NULL, ~(uintptr_t)0, GEX_MK_HOST, 0), GASNET_ERR_BAD_ARG);
  CHECK_EQ(gex_Segment_Create(&s, GEX_CLIENT_INVALID, &here, 4, GEX_MK_HOST, 0),
           GASNET_ERR_BAD_ARG);
  CHECK(s == GEX_SEGMENT_INVALID);
  CHECK_EQ(gex_EP_BindSegment(GEX_EP_INVALID, s, 0), GASNET_ERR_BAD_ARG);
  gex_MK_t kind = GEX_MK_INVALID;
  gex_MK_Create_args_t args = {.gex_flags = 0, .gex_class = GEX_MK_CLASS_CUDA_UVA};
  CHECK_EQ(gex_MK_Create(&kind, client, &args, 0), GASNET_ERR_BAD_ARG);
  args.gex_class = GEX_MK_CLASS_HIP;
  CHECK_EQ(gex_MK_Create(&kind, client, &args, 0), GASNET_ERR_BAD_ARG);
  args.gex_class = GEX_MK_CLASS_ZE;
  CHECK_EQ(gex_MK_Create(&kind, client, &args, 0), GASNET_ERR_BAD_ARG);
  char *shared = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  shared[1 << 15] = 1;
  CHECK_EQ(gex_Segment_Create(&s, client, shared + (1 << 15), 4096, GEX_MK_HOST, 0),
           GASNET_ERR_RESOURCE);
  CHECK_EQ(shared[1 << 15], 1);
  munmap(shared, 1 << 16);
  args.gex_class = GEX_MK_CLASS_HOST;
  CHECK_EQ(gex_MK_Create(&kind, client, &args, 0), GASNET_OK);
  CHECK(kind == GEX_MK_HOST);
  gex_MK_Destroy(kind, 0);
  gex_System_SetVerboseErrors(1);
}

static gex_Segment_t make(void *memory, size_t bytes) {
  gex_Segment_t s;
  CHECK_EQ(gex_Segment_Create(&s, client, memory, bytes, GEX_MK_HOST, 0), GASNET_OK);
  CHECK(memory ? gex_Segment_QueryAddr(s) == memory : gex_Segment_QueryAddr(s) != NULL);
  CHECK(memory ? gex_Segment_QuerySize(s) == bytes : gex_Segment_QuerySize(s) >= bytes);
  CHECK(gex_Segment_QueryClient(s) == client);
  CHECK_EQ(gex_Segment_QueryFlags(s), 0);
  CHECK(gex_Segment_QueryCData(s) == NULL);
  gex_Segment_SetCData(s, &size);
  CHECK(gex_Segment_QueryCData(s) == &size);
  return s;
}

/* Word i of PE p's segment number k. */
static long word(gex_Rank_t pe, int k, int i) {
  return (long)(pe + 1) * 1000000 + k * 100000 + i;
}

/* Every PE looks at every other's segment through `by`, and writes the word that is its own. */
static void visit(gex_TM_t by, int k) {
  for (gex_Rank_t pe = 0; pe < size; pe++) {
    void *owners, *here;
    uintptr_t bytes;
    long got[8] = {0}, mine = word(me, k, -1);
    CHECK_EQ(gex_Segment_QueryBound(by, pe, &owners, &here, &bytes), 0);
    CHECK(bytes >= WORDS * sizeof(long));
    long *remote = owners;
    CHECK_EQ(gex_RMA_GetBlocking(by, got, pe, remote + 100, sizeof got, 0), 0);
    for (int i = 0; i < 8; i++) CHECK_EQ(got[i], word(pe, k, 100 + i));
    if (here) CHECK_EQ(((long *)here)[WORDS - 1], word(pe, k, WORDS - 1));
    CHECK(pe != me || here == owners);
    CHECK_EQ(gex_RMA_PutBlocking(by, pe, remote + me, &mine, sizeof mine, 0), 0);
    CHECK_EQ((long)gex_RMA_GetBlockingVal(by, pe, remote + 200, sizeof(long), 0), word(pe, k, 200));
  }
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
}

int main(int argc, char **argv) {
  const int clients = argc > 1 && strcmp(argv[1], "client") == 0;
  gex_EP_t ep[4];
  long *mine[4] = {NULL, NULL, fixed, (long *)malloc((WORDS + 1000) * sizeof(long)) + 333};
  if (clients) mine[0] = (long *)malloc((WORDS + 1000) * sizeof(long)) + 77;
  CHECK_EQ(gex_Client_Init(&client, &ep[0], &tm, "TEST", &argc, &argv, 0), GASNET_OK);
  me = gex_System_QueryJobRank(), size = gex_System_QueryJobSize();
  refused();
  for (int k = 0; k < 4; k++) {
    if (mine[k]) mine[k][WORDS - 1] = word(me, k, WORDS - 1); /* contents stay */
    gex_Segment_t s = make(mine[k], WORDS * sizeof(long));
    long *words = gex_Segment_QueryAddr(s);
    if (mine[k]) CHECK_EQ(words[WORDS - 1], word(me, k, WORDS - 1));
    for (int i = 0; i < WORDS; i++) words[i] = word(me, k, i);
    if (k > 0) CHECK_EQ(gex_EP_Create(&ep[k], client, GEX_EP_CAPABILITY_RMA, 0), GASNET_OK);
    CHECK_EQ(gex_EP_BindSegment(ep[k], s, 0), GASNET_OK);
    mine[k] = words;
  }
  CHECK_EQ(gex_EP_PublishBoundSegment(tm, ep, 4, 0), GASNET_OK);
  visit(tm, 0);
  for (int k = 1; k < 4; k++) visit(gex_TM_Pair(ep[0], (gex_EP_Index_t)k), k);
  for (int k = 0; k < 4; k++)
    for (gex_Rank_t pe = 0; pe < size; pe++) CHECK_EQ(mine[k][pe], word(pe, k, -1));
  gex_Segment_Destroy(make(NULL, 1 << 20), 0);
  long *borrowed = malloc(1 << 20);
  borrowed[7] = 4711;
  gex_Segment_t outer = make(borrowed, 1 << 20), inner = make(borrowed + 100, 5000);
  gex_Segment_Destroy(outer, 0); /* the pages stay as long as one needs them */
  CHECK_EQ(borrowed[7], 4711);
  gex_Segment_Destroy(inner, 0);
  CHECK_EQ(borrowed[7], 4711);
  free(borrowed);
  gasnet_exit(0);
}
