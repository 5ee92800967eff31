/*
 * An integer sort in the style of ISx: every PE draws uniform keys, PE b collects and sorts those
 * of bucket b. The exchange uses no collective but barriers: a sender reserves its place in the
 * receiver's array with an atomic fetch-add on the receiver's cursor, then puts its keys there.
 * Every round is validated; a wrong round ends the program with a non-zero status.
 *   oshcc -O2 isx.c -o isx -lm && weftrun -n 4 ./isx
 */
#include <shmem.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show.h"

enum { DRAW, BUCKETS, EXCHANGE, SORT, VALIDATE, PHASES };
enum { KEY_BITS = 28, DIGIT_BITS = 14, DIGITS = 1 << DIGIT_BITS };
static const long KEY_RANGE = 1L << KEY_BITS;
enum { MAX_ROUNDS = 1000 };

/* Symmetric: peers add to `cursor` and read the rest. */
static long cursor; /* keys that arrived (or are reserved) in `arrived` */
static double seconds[PHASES][MAX_ROUNDS];
static long off_pe_keys;
static long verdict;
static struct tally {
  unsigned long drawn, kept;         /* how many keys before and after the exchange */
  unsigned long drawn_sum, kept_sum; /* sums of keys, modulo 2^64 */
  unsigned long drawn_mix, kept_mix; /* sums of scrambled keys: two wrong keys cannot cancel */
  unsigned long misplaced, unsorted;
} tally;

struct sort {
  int me, pes;
  long keys, room;   /* keys that I draw; room for keys that arrive, the same on every PE */
  long width;        /* keys b * width .. (b + 1) * width - 1 belong to PE b */
  uint32_t *drawn;   /* private */
  uint32_t *grouped; /* private: drawn, ordered by bucket; later scratch for the sort */
  uint32_t *arrived; /* symmetric */
  long *first;       /* private, pes + 1: where each bucket begins in `grouped` */
};

struct options {
  long keys; /* per PE if weak, in all if not */
  int weak, rounds, spoil;
};

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static void *need(void *memory, const char *what) {
  if (!memory) {
    fprintf(stderr, "isx: PE %d: no memory for %s (SHMEM_SYMMETRIC_SIZE sets the heap)\n",
            shmem_my_pe(), what);
    shmem_global_exit(1);
  }
  return memory;
}

/* The same keys on every run: the generator is seeded by PE and round. */
static void keys_draw(struct sort *s, int round) {
  uint64_t seed = mix((uint64_t)round * 1000003u + (uint64_t)s->me + 1);
  for (long i = 0; i < s->keys; i++) {
    uint32_t key = (uint32_t)(mix(seed + (uint64_t)i * 0x9e3779b97f4a7c15u) >> (64 - KEY_BITS));
    s->drawn[i] = key;
    tally.drawn_sum += key;
    tally.drawn_mix += mix(key);
  }
  tally.drawn += (unsigned long)s->keys;
}

static void keys_group(struct sort *s) {
  long *next = need(calloc((size_t)s->pes + 1, sizeof *next), "the bucket sizes");
  for (long i = 0; i < s->keys; i++) next[s->drawn[i] / s->width + 1]++;
  for (int b = 0; b < s->pes; b++) next[b + 1] += next[b];
  memcpy(s->first, next, ((size_t)s->pes + 1) * sizeof *next);
  for (long i = 0; i < s->keys; i++) s->grouped[next[s->drawn[i] / s->width]++] = s->drawn[i];
  free(next);
}

/* Beginning with my right neighbour, so that no PE is written by all at once. */
static void keys_exchange(struct sort *s) {
  for (int k = 1; k <= s->pes; k++) {
    int to = (s->me + k) % s->pes;
    long count = s->first[to + 1] - s->first[to];
    long place = shmem_long_atomic_fetch_add(&cursor, count, to);
    if (place + count > s->room) {
      fprintf(stderr, "isx: PE %d has no room for %ld keys at %ld\n", to, count, place);
      shmem_global_exit(1);
    }
    shmem_put32(s->arrived + place, s->grouped + s->first[to], (size_t)count, to);
    if (to != s->me) off_pe_keys += count;
  }
}

/* Radix sort, two digits: keys of a bucket differ in at most KEY_BITS bits. */
static void keys_sort(struct sort *s, long count) {
  uint32_t *from = s->arrived, *to = s->grouped;
  for (int shift = 0; shift < KEY_BITS; shift += DIGIT_BITS) {
    static long next[DIGITS + 1];
    memset(next, 0, sizeof next);
    for (long i = 0; i < count; i++) next[((from[i] >> shift) & (DIGITS - 1)) + 1]++;
    for (long d = 0; d < DIGITS; d++) next[d + 1] += next[d];
    for (long i = 0; i < count; i++) to[next[(from[i] >> shift) & (DIGITS - 1)]++] = from[i];
    uint32_t *other = from;
    from = to;
    to = other;
  }
}

static void keys_validate(struct sort *s, long count) {
  long low = s->me * s->width, high = low + s->width;
  for (long i = 0; i < count; i++) {
    uint32_t key = s->arrived[i];
    tally.kept_sum += key;
    tally.kept_mix += mix(key);
    tally.misplaced += key < low || key >= high;
    tally.unsorted += i > 0 && s->arrived[i - 1] > key;
  }
  tally.kept += (unsigned long)count;
}

/* The clocks run between barriers, so a phase includes no waiting for others but the exchange,
 * which ends when all keys have arrived. */
static void round_run(struct sort *s, int round, int spoil) {
  double t = show_clock();
  keys_draw(s, round);
  seconds[DRAW][round] = show_clock() - t;

  t = show_clock();
  keys_group(s);
  seconds[BUCKETS][round] = show_clock() - t;

  shmem_barrier_all();
  t = show_clock();
  keys_exchange(s);
  shmem_barrier_all();
  seconds[EXCHANGE][round] = show_clock() - t;
  long count = cursor;

  t = show_clock();
  keys_sort(s, count);
  seconds[SORT][round] = show_clock() - t;

  if (spoil && count > 0) s->arrived[count / 2] ^= 1;
  t = show_clock();
  keys_validate(s, count);
  seconds[VALIDATE][round] = show_clock() - t;
  cursor = 0; /* no peer adds to it before the barrier of its next round, which needs me too */
}

/* ---- PE 0 alone: the verdict and the report ---------------------------------------------- */

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* A round takes as long as its slowest PE; the figure is the median of the rounds. */
static double phase_median(int phase, int rounds, int pes) {
  double slowest[MAX_ROUNDS] = {0}, theirs[MAX_ROUNDS];
  for (int pe = 0; pe < pes; pe++) {
    shmem_double_get(theirs, seconds[phase], (size_t)rounds, pe);
    for (int r = 0; r < rounds; r++) slowest[r] = fmax(slowest[r], theirs[r]);
  }
  qsort(slowest, (size_t)rounds, sizeof *slowest, ascending);
  return slowest[rounds / 2];
}

static void report(const struct sort *s, const struct options *o, const struct tally *all) {
  static const char *const name[PHASES] = {"draw", "group by bucket", "exchange", "sort",
                                           "validate"};
  double total = 0, keys = (double)all->drawn / o->rounds;
  long moved = 0;
  for (int pe = 0; pe < s->pes; pe++) moved += shmem_long_g(&off_pe_keys, pe);
  printf("integer sort, %s: %.0f keys below 2^%d on %d PEs, %d rounds\n",
         o->weak ? "weak scaling" : "strong scaling", keys, KEY_BITS, s->pes, o->rounds);
  printf("  %-34s %11s %9s\n", "phase (slowest PE, median round)", "time", "speed");
  for (int i = 0; i < PHASES; i++) {
    double time = phase_median(i, o->rounds, s->pes);
    total += i == DRAW || i == VALIDATE ? 0 : time;
    printf("  %-34s %9.4f s %9.1f Mkeys/s", name[i], time, time > 0 ? 1e-6 * keys / time : 0);
    if (i == EXCHANGE && moved > 0)
      printf(", %.3f GB/s between PEs", 4e-9 * (double)moved / o->rounds / time);
    printf("\n");
  }
  printf("  %-34s %9.4f s %9.1f Mkeys/s\n", "group + exchange + sort", total,
         total > 0 ? 1e-6 * keys / total : 0);
}

/* Returns 0 if every round on every PE was right. */
static int finish(const struct sort *s, const struct options *o) {
  struct tally all = {0}, one;
  for (int pe = 0; pe < s->pes; pe++) {
    shmem_getmem(&one, &tally, sizeof one, pe);
    all.drawn += one.drawn;
    all.kept += one.kept;
    all.drawn_sum += one.drawn_sum;
    all.kept_sum += one.kept_sum;
    all.drawn_mix += one.drawn_mix;
    all.kept_mix += one.kept_mix;
    all.misplaced += one.misplaced;
    all.unsorted += one.unsorted;
  }
  int right = all.drawn == all.kept && all.drawn_sum == all.kept_sum &&
              all.drawn_mix == all.kept_mix && all.misplaced == 0 && all.unsorted == 0;
  report(s, o, &all);
  printf(
      "  check: %lu of %lu keys kept, %lu in a wrong bucket, %lu out of order, checksums %s: %s\n",
      all.kept, all.drawn, all.misplaced, all.unsorted,
      all.drawn_sum == all.kept_sum && all.drawn_mix == all.kept_mix ? "equal" : "DIFFER",
      right ? "right" : "WRONG");
  return !right;
}

static void sort_allocate(struct sort *s, const struct options *o) {
  long all = o->weak ? o->keys * s->pes : o->keys;
  s->keys = all * (s->me + 1) / s->pes - all * s->me / s->pes;
  s->width = (KEY_RANGE + s->pes - 1) / s->pes;
  /* A bucket gets its share of the keys, give or take the square root: ten times that is plenty. */
  double share = (double)all * (double)s->width / (double)KEY_RANGE;
  s->room = (long)(share + 10 * sqrt(share)) + 100;
  long most = s->room > s->keys ? s->room : s->keys;
  s->drawn = need(malloc((size_t)(s->keys + 1) * sizeof *s->drawn), "the keys");
  s->grouped = need(malloc((size_t)most * sizeof *s->grouped), "the buckets");
  s->first = need(malloc(((size_t)s->pes + 1) * sizeof *s->first), "the bucket sizes");
  s->arrived = need(shmem_malloc((size_t)s->room * sizeof *s->arrived), "the arriving keys");
}

static int options_parse(struct options *o, int argc, char **argv) {
  for (int c; (c = getopt(argc, argv, "w:s:r:x")) != -1;) {
    if (c == 'w' || c == 's') {
      o->weak = c == 'w';
      o->keys = atol(optarg);
    } else if (c == 'r') {
      o->rounds = atoi(optarg);
    } else if (c == 'x') {
      o->spoil = 1;
    } else {
      return -1;
    }
  }
  return optind == argc && o->keys > 0 && o->rounds > 0 && o->rounds <= MAX_ROUNDS ? 0 : -1;
}

int main(int argc, char **argv) {
  struct options o = {.keys = 1L << 22, .weak = 1, .rounds = 5};
  shmem_init();
  struct sort s = {.me = shmem_my_pe(), .pes = shmem_n_pes()};
  if (options_parse(&o, argc, argv) != 0) {
    if (s.me == 0)
      fprintf(stderr,
              "usage: isx [-w KEYS_PER_PE | -s KEYS_IN_ALL] [-r ROUNDS] [-x]\n"
              "  -w  weak scaling (default, 4194304)     -s  strong scaling\n"
              "  -r  rounds, 1 to %d (default 5)\n"
              "  -x  spoil one key, to see that the check finds it\n",
              MAX_ROUNDS);
    shmem_finalize();
    return 2;
  }
  sort_allocate(&s, &o);
  for (int round = 0; round < o.rounds; round++) {
    round_run(&s, round, o.spoil && round == 0 && s.me == s.pes - 1);
    if (s.me == 0) show_progress("rounds", round + 1, o.rounds);
  }
  shmem_barrier_all();
  if (s.me == 0) verdict = finish(&s, &o);
  fflush(stdout);
  shmem_barrier_all();
  long wrong = shmem_long_g(&verdict, 0);

  shmem_free(s.arrived);
  free(s.first);
  free(s.grouped);
  free(s.drawn);
  shmem_finalize();
  return wrong != 0;
}
