/*
 * index: a distributed hash table, filled by active messages of GASNet-EX and read by one-sided
 * gets of OpenSHMEM: two models in one process, on the same memory. Every PE takes its share of the
 * words "w0", "w1", ... of an endless made-up text, sends each to the PE that owns its slot, and
 * that PE's handler counts it in its part of the table, which lies in OpenSHMEM's symmetric heap.
 * So after a barrier anyone can look a word up with shmem_getmem, asking nobody. PE 0 checks a
 * sample against a count of its own, and a GASNet put into the same table against an OpenSHMEM get.
 *
 *   oshcc -O2 index.c -o index && weftrun -n 4 ./index [-w WORDS_PER_PE] [-d DIFFERENT_WORDS]
 */
#define GASNET_SEQ
#include <gasnetex.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct entry {
  long word; /* its number plus 1; 0: free */
  long count;
} entry_t;

enum { COUNT = GEX_AM_INDEX_BASE, COUNTED, BATCH = 64 };

static entry_t *table;                             /* this PE's part; symmetric */
static long slots;                                 /* of each PE's part; a power of two */
static long handled, answered, sums[2], totals[2]; /* symmetric, as all static data is */

static uint64_t mix(uint64_t x) { /* splitmix64 */
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}
static int owner_of(long word, int npes) {
  return (int)(mix((uint64_t)word) % (uint64_t)npes);
}
static long slot_of(long word) {
  return (long)(mix((uint64_t)word) >> 20) & (slots - 1);
}
/* Word number i of PE pe's text: small numbers come often. */
static long text(int pe, long i, long different) {
  uint64_t r = mix((uint64_t)pe << 40 | (uint64_t)i);
  double x = (double)(r >> 11) / 9007199254740992.0;
  return (long)(x * x * x * (double)different);
}

/* A handler: runs in the owner while it polls. */
static void count(gex_Token_t token, void *words, size_t bytes) {
  const int32_t *word = words;
  for (size_t i = 0; i < bytes / sizeof *word; i++, handled++) {
    long s = slot_of(word[i]);
    while (table[s].word && table[s].word != word[i] + 1) s = (s + 1) & (slots - 1);
    table[s].word = word[i] + 1;
    table[s].count++;
  }
  gex_AM_ReplyShort1(token, COUNTED, 0, (gex_AM_Arg_t)(bytes / sizeof *word));
}
static void counted(gex_Token_t token, gex_AM_Arg_t n) {
  (void)token;
  answered += n;
}

/* What anyone may ask: how often the word came. Two gets, or more where words share a slot. */
static long look_up(long word, int npes) {
  entry_t found;
  for (long s = slot_of(word);; s = (s + 1) & (slots - 1)) {
    shmem_getmem(&found, &table[s], sizeof found, owner_of(word, npes));
    if (found.word == word + 1) return found.count;
    if (!found.word) return 0;
  }
}

static void fill(gex_TM_t tm, int me, int npes, long words, long different) {
  int32_t(*batch)[BATCH] = calloc((size_t)npes, sizeof *batch);
  int *n = calloc((size_t)npes, sizeof *n);
  if (!batch || !n) gasnet_exit(1);
  for (long i = 0; i < words + npes; i++) {
    const long word = i < words ? text(me, i, different) : 0;
    const int pe = i < words ? owner_of(word, npes) : (int)(i - words); /* at last the remainders */
    if (i < words) batch[pe][n[pe]++] = (int32_t)word;
    if (n[pe] < BATCH && i < words) continue;
    gex_AM_RequestMedium0(tm, (gex_Rank_t)pe, COUNT, batch[pe], (size_t)n[pe] * sizeof **batch,
                          GEX_EVENT_NOW, 0);
    n[pe] = 0;
  }
  GASNET_BLOCKUNTIL(answered == words);
  free(n);
  free(batch);
}

static long check(int npes, long words, long different) {
  long wrong = 0;
  for (long k = 0; k < 20; k++) {
    const long word = k < 10 ? k : (long)(mix((uint64_t)k) % (uint64_t)different);
    long wanted = 0;
    for (int pe = 0; pe < npes; pe++)
      for (long i = 0; i < words; i++) wanted += text(pe, i, different) == word;
    const long found = look_up(word, npes);
    if (found != wanted) {
      fprintf(stderr, "index: w%ld was counted %ld times, not %ld\n", word, found, wanted);
      wrong++;
    }
  }
  return wrong;
}

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_Segment_t segment;
  gex_EP_t ep;
  gex_TM_t tm;
  long words = 20000, different = 5000;
  gex_AM_Entry_t handlers[] = {
      {COUNT, (gex_AM_Fn_t)count, GEX_FLAG_AM_REQUEST | GEX_FLAG_AM_MEDIUM, 0, NULL, "count"},
      {COUNTED, (gex_AM_Fn_t)counted, GEX_FLAG_AM_REPLY | GEX_FLAG_AM_SHORT, 1, NULL, "counted"}};
  shmem_init();
  gex_Client_Init(&client, &ep, &tm, "index", &argc, &argv, 0);
  for (int c; (c = getopt(argc, argv, ":w:d:")) != -1;) {
    if (c == 'w') words = atol(optarg);
    if (c == 'd') different = atol(optarg);
    if (c == '?' || c == ':') words = 0;
  }
  if (words < 1 || different < 1 || optind < argc) {
    if (shmem_my_pe() == 0)
      fprintf(stderr, "usage: index [-w WORDS_PER_PE] [-d DIFFERENT_WORDS], both from 1 on\n");
    shmem_barrier_all();
    return 2;
  }
  const int me = shmem_my_pe(), npes = shmem_n_pes(); /* the same numbers as GASNet's ranks */
  for (slots = 16; slots < 2 * different;) slots *= 2;
  const size_t bytes =
      ((size_t)slots * sizeof *table + GASNET_PAGESIZE - 1) & -(size_t)GASNET_PAGESIZE;
  table = shmem_align(GASNET_PAGESIZE, bytes);
  if (!table || (int)gex_TM_QueryRank(tm) != me) shmem_global_exit(1);
  memset(table, 0, bytes);
  gex_EP_RegisterHandlers(ep, handlers, 2);
  /* The table in OpenSHMEM's heap is GASNet's segment too. */
  gex_Segment_Create(&segment, client, table, bytes, GEX_MK_HOST, 0);
  gex_EP_BindSegment(ep, segment, 0);
  gex_EP_PublishBoundSegment(tm, &ep, 1, 0);
  shmem_barrier_all();

  fill(tm, me, npes, words, different);
  shmem_barrier_all(); /* who waits here still counts what others send */
  sums[0] = handled;
  for (long s = 0; s < slots; s++) sums[1] += table[s].word != 0;
  shmem_barrier_all();
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, totals, sums, 2);
  long wrong = totals[0] != words * npes;
  if (me == 0) {
    wrong += check(npes, words, different);
    /* The same memory through GASNet: a put into the last PE's table, seen by OpenSHMEM. GASNet
     * wants that PE's own address of it. */
    void *theirs;
    const long mark = -7;
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(tm, (gex_Rank_t)npes - 1, &theirs, NULL, NULL, 0));
    gex_RMA_PutBlocking(tm, (gex_Rank_t)npes - 1, theirs, &mark, sizeof mark, 0);
    wrong += shmem_long_g(&table[0].word, npes - 1) != mark;
    printf("index: %ld words on %d PEs, %ld different; 20 looked up: %s\n", totals[0], npes,
           totals[1], wrong ? "WRONG" : "right");
  }
  shmem_barrier_all();
  fflush(stdout);
  if (wrong) gasnet_exit(1);
  shmem_free(table);
  shmem_finalize();
  gasnet_exit(0);
}
