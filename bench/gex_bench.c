/* gex_bench.c: what GASNet-EX's testsmall, testlarge and testam measure, in the frame of bench.h:
 * active messages short, medium and long as ping-pong and flood, puts and gets small and large; and
 * collectives. Plain GASNet-EX, so that any implementation builds it. PE 0 measures, the last PE is
 * its partner; the others wait in the barrier. mpi_am.c is the same with messages of MPI. */
#define GASNET_SEQ
#include <gasnetex.h>
#include <gasnet_coll.h>

#include "bench.h"
#include "begun.h"

enum { PING = GEX_AM_INDEX_BASE, PING_LONG, PONG, PONG_LONG, COUNT, COUNT_LONG, TOLD, AGREE };

static gex_TM_t tm;
static int peer;
static char *here, *there; /* segments, mine and the partner's */
static volatile long pongs, counted, told, agreed, agreements;

static void bench_barrier(void) {
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
}
static void fail(const char *what, long got, long wanted) {
  fprintf(stderr, "gex_bench: PE %d: %s is %ld, not %ld\n", me, what, got, wanted);
  gasnet_exit(1);
}

/* ---- handlers ---- */

static void on_ping(gex_Token_t token, gex_AM_Arg_t a, gex_AM_Arg_t b) {
  gex_AM_ReplyShort2(token, PONG, 0, a, b);
}
static void on_pong(gex_Token_t token, gex_AM_Arg_t a, gex_AM_Arg_t b) {
  (void)token;
  pongs += a == ~b;
}
/* A medium comes back as one, a long as one to the same place. */
static void on_ping_payload(gex_Token_t token, void *p, size_t n) {
  gex_AM_ReplyMedium0(token, PONG_LONG, p, n, GEX_EVENT_NOW, 0);
}
static void on_ping_long(gex_Token_t token, void *p, size_t n) {
  gex_AM_ReplyLong0(token, PONG_LONG, p, n, there + ((char *)p - here), GEX_EVENT_NOW, 0);
}
static void on_pong_payload(gex_Token_t token, void *p, size_t n) {
  (void)token;
  pongs += n == 0 || *(char *)p == 7;
}
static void on_count(gex_Token_t token) {
  (void)token;
  counted++;
}
static void on_count_payload(gex_Token_t token, void *p, size_t n) {
  (void)token;
  counted += n == 0 || *(char *)p == 7;
}
static void on_told(gex_Token_t token) {
  (void)token;
  told++;
}
static void on_agree(gex_Token_t token, gex_AM_Arg_t high, gex_AM_Arg_t low) {
  (void)token;
  agreed = (long)((uint64_t)(uint32_t)high << 32 | (uint32_t)low);
  agreements++;
}
#define REQUEST(index, f, kind, n)                                                                 \
  { index, (gex_AM_Fn_t)f, GEX_FLAG_AM_REQUEST | kind, n, NULL, #f }
#define REPLY(index, f, kind, n)                                                                   \
  { index, (gex_AM_Fn_t)f, GEX_FLAG_AM_REPLY | kind, n, NULL, #f }
enum { MEDLONG = GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_LONG };
static gex_AM_Entry_t handlers[] = {
    REQUEST(PING, on_ping, GEX_FLAG_AM_SHORT, 2),
    REQUEST(PING_LONG, on_ping_long, GEX_FLAG_AM_LONG, 0),
    REPLY(PONG, on_pong, GEX_FLAG_AM_SHORT, 2),
    REPLY(PONG_LONG, on_pong_payload, MEDLONG, 0),
    REQUEST(COUNT, on_count, GEX_FLAG_AM_SHORT, 0),
    REQUEST(COUNT_LONG, on_count_payload, MEDLONG, 0),
    REQUEST(TOLD, on_told, GEX_FLAG_AM_SHORT, 0),
    REQUEST(AGREE, on_agree, GEX_FLAG_AM_SHORT, 2),
    REQUEST(AGREE + 1, on_ping_payload, GEX_FLAG_AM_MEDIUM, 0),
};

static long bench_agree(long value) {
  static long so_far;
  if (me == 0)
    for (int pe = 0; pe < npes; pe++)
      gex_AM_RequestShort2(tm, (gex_Rank_t)pe, AGREE, 0, (gex_AM_Arg_t)(value >> 32),
                           (gex_AM_Arg_t)value);
  so_far++;
  GASNET_BLOCKUNTIL(agreements >= so_far);
  value = agreed;
  bench_barrier();
  return value;
}

/* ---- active messages: half the time until the reply ---- */

static void idle(void) {
  static long so_far;
  so_far++;
  if (me == peer) GASNET_BLOCKUNTIL(told >= so_far);
}
/* The partner polls until it is told that this is over. */
#define AS_PAIR(loop)                                                                              \
  do {                                                                                             \
    if (me == 0) {                                                                                 \
      for (long i = 0; i < n; i++) loop;                                                           \
      gex_AM_RequestShort0(tm, (gex_Rank_t)peer, TOLD, 0);                                         \
    }                                                                                              \
    idle();                                                                                        \
  } while (0)

static void short_pingpong(long n, size_t size) {
  (void)size;
  long wanted = pongs;
  AS_PAIR({
    gex_AM_RequestShort2(tm, (gex_Rank_t)peer, PING, 0, (int)i, ~(int)i);
    wanted++;
    GASNET_BLOCKUNTIL(pongs >= wanted);
  });
}
static void medium_pingpong(long n, size_t size) {
  long wanted = pongs;
  AS_PAIR({
    gex_AM_RequestMedium0(tm, (gex_Rank_t)peer, AGREE + 1, here, size, GEX_EVENT_NOW, 0);
    wanted++;
    GASNET_BLOCKUNTIL(pongs >= wanted);
  });
}
/* From where the answer lands, as in mpi_am.c: so both sides go over as much memory. */
static void long_pingpong(long n, size_t size) {
  long wanted = pongs;
  AS_PAIR({
    gex_AM_RequestLong0(tm, (gex_Rank_t)peer, PING_LONG, here + MAX_SIZE, size, there + MAX_SIZE,
                        GEX_EVENT_NOW, 0);
    wanted++;
    GASNET_BLOCKUNTIL(pongs >= wanted);
  });
}

/* ---- floods: WINDOW one way, then a ping-pong that says that they have been handled ---- */

static void settle(void) {
  long wanted = pongs + 1;
  gex_AM_RequestShort2(tm, (gex_Rank_t)peer, PING, 0, 1, ~1);
  GASNET_BLOCKUNTIL(pongs >= wanted);
}
static void short_flood(long n, size_t size) {
  (void)size;
  AS_PAIR({
    for (int k = 0; k < WINDOW; k++) gex_AM_RequestShort0(tm, (gex_Rank_t)peer, COUNT, 0);
    settle();
  });
}
static void medium_flood(long n, size_t size) {
  AS_PAIR({
    for (int k = 0; k < WINDOW; k++)
      gex_AM_RequestMedium0(tm, (gex_Rank_t)peer, COUNT_LONG, here, size, GEX_EVENT_NOW, 0);
    settle();
  });
}
/* Begun, as in mpi_am.c: the source of one need not be free before the next one begins. */
static void long_flood(long n, size_t size) {
  const long depth = bench_depth(size);
  AS_PAIR({
    for (long k = 0; k < depth; k++)
      gex_AM_RequestLong0(tm, (gex_Rank_t)peer, COUNT_LONG, here, size, there + (size_t)k * size,
                          GEX_EVENT_GROUP, 0);
    gex_NBI_Wait(GEX_EC_AM, 0);
    settle();
  });
}
static void check_flood(void) {
  bench_barrier();
  if (me == peer && counted == 0) fail("number of messages", counted, 1);
}

/* ---- puts and gets ---- */

/* A processor takes a load for one of what was just stored where their addresses differ by a
 * multiple of 4 KB, and waits. Where a program's own variables lie is chance; so transfers go to
 * all parts of a page in turn. */
static size_t part(long i) {
  return (size_t)(i % 8) * 512;
}
/* (Nor in variables that a call might change: then each iteration loads them from such a place.) */
static void put_blocking(long n, size_t size) {
  const gex_TM_t team = tm;
  const gex_Rank_t to = (gex_Rank_t)peer;
  char *const source = here, *const dest = there;
  AS_PAIR(gex_RMA_PutBlocking(team, to, dest + part(i), source + part(i), size, 0));
}
static void get_blocking(long n, size_t size) {
  const gex_TM_t team = tm;
  const gex_Rank_t from = (gex_Rank_t)peer;
  char *const source = there, *const dest = here;
  AS_PAIR(gex_RMA_GetBlocking(team, dest + part(i), from, source + part(i), size, 0));
}
static void put_nb(long n, size_t size) {
  AS_PAIR(
      gex_Event_Wait(gex_RMA_PutNB(tm, (gex_Rank_t)peer, there, here, size, GEX_EVENT_DEFER, 0)));
}
static void put_nbi(long n, size_t size) {
  const long depth = bench_depth(size);
  AS_PAIR({
    for (long k = 0; k < depth; k++)
      gex_RMA_PutNBI(tm, (gex_Rank_t)peer, there + (size_t)k * size, here, size, GEX_EVENT_DEFER,
                     0);
    gex_NBI_Wait(GEX_EC_PUT, 0);
  });
}
static void get_nbi(long n, size_t size) {
  const long depth = bench_depth(size);
  AS_PAIR({
    for (long k = 0; k < depth; k++)
      gex_RMA_GetNBI(tm, here + (size_t)k * size, (gex_Rank_t)peer, there + (size_t)k * size, size,
                     0);
    gex_NBI_Wait(GEX_EC_GET, 0);
  });
}
static void check_put(void) {
  bench_barrier();
  if (me == peer && *here != 7) fail("what was put", *here, 7);
  bench_barrier();
}

/* ---- collectives: begun, and waited for ---- */

static void coll_barrier(long n, size_t size) {
  (void)size;
  for (long i = 0; i < n; i++) gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
}
/* The root's data are where the others get theirs, as in mpi_am.c. */
static void coll_broadcast(long n, size_t size) {
  for (long i = 0; i < n; i++) gex_Event_Wait(gex_Coll_BroadcastNB(tm, 0, sums, sums, size, 0));
}
static void coll_sum(long n, size_t size) {
  for (long i = 0; i < n; i++)
    gex_Event_Wait(gex_Coll_ReduceToAllNB(tm, sums, operands, GEX_DT_I64, sizeof *sums,
                                          size / sizeof *sums, GEX_OP_ADD, NULL, NULL, 0));
}

static const size_t medium[] = {8, 64, 512, 4096, 0}, large[] = {8, 512, 4096, 65536, 1048576, 0},
                    flood[] = {64, 512, 4096, 0}, coll[] = {8, 1024, 32768, 1048576, 0};
static const bench_test_t tests[] = {
    {"am_short", short_pingpong, NULL, UNIT_US, .per = 2, .sizes = bench_size_8},
    {"am_medium", medium_pingpong, NULL, UNIT_US, .per = 2, .sizes = medium},
    {"am_long", long_pingpong, NULL, UNIT_US, .per = 2, .sizes = large},
    {"flood_short", short_flood, check_flood, UNIT_MOPS, .per = WINDOW, .sizes = bench_size_8},
    {"flood_medium", medium_flood, check_flood, UNIT_MOPS, .per = WINDOW, .sizes = flood},
    {"flood_long", long_flood, check_flood, UNIT_MBS, .sizes = large},
    {"put", put_blocking, check_put, UNIT_US, .per = 1, .sizes = bench_size_lat},
    {"get", get_blocking, NULL, UNIT_US, .per = 1, .sizes = bench_size_lat},
    {"put_nb", put_nb, check_put, UNIT_US, .per = 1, .sizes = bench_size_8},
    {"put_nbi", put_nbi, check_put, UNIT_MBS, .sizes = large},
    {"get_nbi", get_nbi, NULL, UNIT_MBS, .sizes = large},
    {"nb_barrier", coll_barrier, NULL, UNIT_US, .per = 1, .sizes = bench_size_8},
    {"nb_broadcast", coll_broadcast, check_broadcast, UNIT_US, .per = 1,
     .prepare = prepare_broadcast, .sizes = coll},
    {"nb_sum", coll_sum, check_sum, UNIT_US, .per = 1, .prepare = prepare_sum, .sizes = coll},
};

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_Segment_t segment;
  void *base;
  gex_Client_Init(&client, &ep, &tm, "gex_bench", &argc, &argv, 0);
  me = (int)gex_TM_QueryRank(tm);
  npes = (int)gex_TM_QuerySize(tm);
  peer = npes - 1;
  gex_Segment_Attach(&segment, tm, MAX_REGION);
  gex_EP_RegisterHandlers(ep, handlers, sizeof handlers / sizeof *handlers);
  here = gex_Segment_QueryAddr(segment);
  const gex_Rank_t other = (gex_Rank_t)(me == peer ? 0 : peer);
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(tm, other, &base, NULL, NULL, 0));
  there = base;
  memset(here, me == 0 ? 7 : 0, MAX_REGION);
  if (!begun_memory()) fail("memory", 0, BEGUN_MOST);
  bench_barrier();
  bench_run(tests, sizeof tests / sizeof *tests, argc, argv);
  bench_barrier();
  if (me == 0) printf("done,0,0,\n");
  fflush(stdout);
  gasnet_exit(0);
}
