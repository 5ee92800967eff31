/*
 * weft-tune: times every collective in every way there is on the machine where it runs, and writes
 * the table of the quickest ones that WEFT_COLL_TABLE wants. An SPMD program: it runs as a job of
 * as many PEs as the programs it is for. It knows how operations are called and timed; what the
 * ways are called it learns from the collectives themselves.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/base.h"
#include "coll/coll.h"
#include "job/job.h"
#include "runtime/runtime.h"

enum { ALGORITHMS = 4, TURNS = 4, BATCH_NS = 200000, CALLS_MAX = 400, BETTER = 95 /* per cent */ };

static struct {
  size_t max;
  int repeat;
  const char *output;
} option = {.max = (size_t)1 << 20, .repeat = 5};

static FILE *out; /* PE 0's */
static char *dest[TURNS], *source;

/* ---- what is timed --------------------------------------------------------------------------- */

static void sum(void *inout, const void *in, size_t n) {
  uint64_t *restrict a = inout;
  const uint64_t *restrict b = in;
  for (size_t i = 0; i < n; i++) a[i] += b[i];
}

static void call(const char *op, weft_team_t *c, size_t n, int turn) {
  char *to = dest[turn % TURNS];
  const size_t length = strcspn(op, "-"); /* the same function does it on a node and between them */
#define IS(name) (length == strlen(name) && strncmp(op, name, length) == 0)
  if (IS("sync")) weft_coll_sync(c);
  if (IS("broadcast")) weft_coll_broadcast(c, to, source, n, 0, true);
  if (IS("reduce")) weft_coll_reduce(c, to, source, n / 8, 8, sum);
  if (IS("collect")) weft_coll_collect(c, to, source, n);
  if (IS("fcollect")) weft_coll_fcollect(c, to, source, n);
  if (IS("alltoall")) weft_coll_alltoall(c, to, source, n);
  if (IS("scan")) weft_coll_scan(c, to, source, n / 8, 8, sum, true);
#undef IS
}

/* Nanoseconds of one call, as member 0 sees it with everybody through at the end. */
static uint64_t batch(const char *op, weft_team_t *c, size_t n, int calls) {
  weft_coll_sync(c);
  const uint64_t start = weft_clock_ns();
  for (int i = 0; i < calls; i++) call(op, c, n, i);
  weft_coll_sync(c);
  return (weft_clock_ns() - start) / (uint64_t)(calls > 0 ? calls : 1);
}

/* The best of several batches. Member 0 decides how many calls a batch has. */
static uint64_t measure(const char *op, weft_team_t *c, size_t n) {
  uint64_t best = batch(op, c, n, 2);
  uint64_t calls = BATCH_NS / (best + 1) + 1;
  if (calls > CALLS_MAX) calls = CALLS_MAX;
  memcpy(source, &calls, sizeof calls);
  weft_coll_broadcast(c, dest[0], source, sizeof calls, 0, true);
  memcpy(&calls, dest[0], sizeof calls);
  weft_coll_sync(c);
  for (int i = 0; i < option.repeat; i++) {
    const uint64_t ns = batch(op, c, n, (int)calls);
    if (ns < best) best = ns;
  }
  return best;
}

/* ---- the search ------------------------------------------------------------------------------ */

/* The i-th of words with blanks in between; "" behind the last. */
static const char *word(const char *words, int i, int *length) {
  for (; i > 0 && *words; i--) {
    words += strcspn(words, " ");
    if (*words) words++;
  }
  *length = (int)strcspn(words, " ");
  return words;
}

/* The quickest way for one size, if it is clearly better than `now`; what was measured becomes a
 * comment. Everybody measures, PE 0 decides and writes. */
static int best_of(const char *op, int number, const char *ways, weft_team_t *c, int members,
                   size_t n, int now) {
  uint64_t ns[ALGORITHMS] = {0};
  int count = 0, best = 0, length;
  for (; count < ALGORITHMS && *word(ways, count, &length); count++) {
    ns[count] = UINT64_MAX;
    if (!weft_coll_fits(number, count, members, n)) continue;
    weft_coll_force(number, count);
    weft_coll_sync(weft_team_world());
    ns[count] = c ? measure(op, c, n) : 0;
    weft_coll_sync(weft_team_world());
  }
  for (int w = 1; w < count; w++)
    if (ns[w] < ns[best]) best = w;
  if (now >= 0 && ns[now] != UINT64_MAX && ns[best] * 100 > ns[now] * BETTER) best = now;
  if (!out) return best;
  fprintf(out, "# %s %d %zu:", op, members, n);
  for (int w = 0; w < count; w++) {
    const char *name = word(ways, w, &length);
    if (ns[w] != UINT64_MAX) fprintf(out, " %.*s %.2f us", length, name, (double)ns[w] / 1000);
  }
  fprintf(out, "\n");
  return best;
}

static void tune(const char *op, int number, const char *ways, weft_team_t *c, int members) {
  const size_t most = strncmp(op, "sync", 4) == 0 ? 8 : option.max;
  int now = -1, length;
  for (size_t n = 8; n <= most; n *= 2) {
    const int best = best_of(op, number, ways, c, members, n, now);
    if (best == now) continue;
    if (out) {
      const char *name = word(ways, best, &length);
      fprintf(out, "%-16s %d %zu %.*s\n", op, members, now < 0 ? 0 : n, length, name);
      fflush(out);
    }
    now = best;
  }
}

/* PEs of PE 0's node. */
static int locals(void) {
  int n = 0;
  for (int pe = 0; pe < weft_job.npes; pe++) n += weft_job_node_of(pe) == 0;
  return n;
}

/* Operations inside a node on the first `members` PEs of PE 0's; those of several nodes on all.
 * There `members` counts nodes. The part on a node of such an operation ("-inside") is timed with
 * all PEs of each node, and its rules are for two members and more. */
static void tune_all(int members, bool nodes) {
  weft_team_t *c, *world = weft_team_world();
  const char *ways;
  int *list = malloc((size_t)members * sizeof *list), count = 0;
  if (!list) weft_fatal("weft-tune: no memory");
  for (int pe = 0; pe < weft_job.npes && count < members; pe++)
    if (weft_job_node_of(pe) == 0) list[count++] = pe;
  const weft_set_t set = {.start = list[0], .size = members, .list = list};
  const bool member = weft_set_index(&set, weft_job.pe) >= 0;
  if (nodes)
    c = world;
  else if (weft_team_create(world, member ? &set : NULL, true, &c) < 0)
    weft_fatal("weft-tune: no memory");
  for (int op = 0;; op++) {
    const char *name = weft_coll_operation(op, &ways);
    if (!name) break;
    if ((strchr(name, '-') != NULL) != nodes) continue;
    const bool inside = strstr(name, "-inside") != NULL;
    if (inside && locals() < 2) continue;
    if (weft_job.pe == 0) fprintf(stderr, "weft-tune: %s, %d members\n", name, members);
    tune(name, op, ways, c, inside ? 2 : members);
  }
  if (!nodes && member) weft_team_free(c);
  free(list);
}

/* ---- the program ----------------------------------------------------------------------------- */

static void __attribute__((noreturn)) usage(void) {
  printf(
      "usage: weftrun -n N weft-tune [-o FILE] [-m BYTES] [-r N]\n"
      "Finds the quickest algorithm of every collective for jobs of up to N PEs on this machine\n"
      "and writes the table that WEFT_COLL_TABLE wants.\n"
      "  -o, --output FILE   the table (default: standard output)\n"
      "  -m, --max BYTES     largest size (1M)\n"
      "  -r, --repeat N      batches of each, of which the best counts (5)\n"
      "  -h, --help\n"
      "  -V, --version\n");
  exit(0);
}

/* All PEs have the same mistake; PE 0 says it. */
static void __attribute__((noreturn)) refuse(const char *option, const char *expected) {
  weft_runtime_start("weft-tune");
  if (weft_job.pe == 0) weft_warn("weft-tune: %s: %s; see weft-tune --help", option, expected);
  weft_coll_sync(weft_team_world());
  weft_end_job(2);
}

static int read_repeat(const char *text) {
  enum { MOST = 1000000 };
  char *end;
  const long n = strtol(text, &end, 10);
  if (*end || n < 1 || n > MOST) refuse(text, "-r takes a number from 1 to 1000000");
  return (int)n;
}

static void read_options(int argc, char **argv) {
  static const struct option names[] = {
      {"output", required_argument, NULL, 'o'}, {"max", required_argument, NULL, 'm'},
      {"repeat", required_argument, NULL, 'r'}, {"help", no_argument, NULL, 'h'},
      {"version", no_argument, NULL, 'V'},      {NULL, 0, NULL, 0}};
  for (int c; (c = getopt_long(argc, argv, ":o:m:r:hV", names, NULL)) != -1;) {
    if (c == 'o') option.output = optarg;
    if (c == 'm' && (weft_parse_size(optarg, &option.max) < 0 || option.max < 8))
      refuse(optarg, "-m takes a number of bytes from 8, such as 64K");
    if (c == 'r') option.repeat = read_repeat(optarg);
    if (c == 'h') usage();
    if (c == 'V') {
      printf("weft-tune %s\n", WEFT_VERSION);
      exit(0);
    }
    if (c == ':') refuse(argv[optind - 1], "it needs a value");
    if (c == '?') refuse(argv[optind - 1], "there is no such option");
  }
  if (optind < argc) refuse(argv[optind], "it takes options only");
}

static void open_output(void) {
  char date[64];
  const time_t now = time(NULL);
  out = option.output && strcmp(option.output, "-") != 0 ? fopen(option.output, "w") : stdout;
  if (!out) weft_fatal("weft-tune: cannot write %s: %s", option.output, strerror(errno));
  strftime(date, sizeof date, "%F %T", localtime(&now));
  fprintf(out, "# Choice table of Weft's collectives: see weft-tune(1). %d PEs on %d node%s, %s.\n",
          weft_job.npes, weft_job.nnodes, weft_job.nnodes > 1 ? "s" : "", date);
  fprintf(out, "# OPERATION MEMBERS BYTES ALGORITHM\n");
}

int main(int argc, char **argv) {
  read_options(argc, argv);
  weft_runtime_start("weft-tune");
  if (weft_job.npes == 1)
    weft_fatal("weft-tune: one PE has nothing to choose; start it as `weftrun -n N weft-tune`");
  const size_t room = option.max * (size_t)weft_job.npes;
  source = weft_symmetric_alloc(WEFT_CACHELINE, room, "weft-tune");
  for (int i = 0; i < TURNS; i++) dest[i] = weft_symmetric_alloc(WEFT_CACHELINE, room, "weft-tune");
  if (!source || !dest[TURNS - 1])
    weft_fatal("weft-tune: no memory for %d arrays of %zu bytes per PE; try a smaller -m",
               TURNS + 1, room);
  memset(source, 0, room);
  if (weft_job.pe == 0) open_output();
  for (int members = 2; members < locals(); members *= 2) tune_all(members, false);
  if (locals() > 1) tune_all(locals(), false);
  if (weft_job.nnodes > 1) tune_all(weft_job.nnodes, true);
  if (out && (fflush(out) != 0 || ferror(out)))
    weft_fatal("weft-tune: cannot write %s: %s", option.output ? option.output : "the table",
               strerror(errno));
  weft_runtime_stop();
  return 0;
}
