/*
 * Content-based image retrieval: which pictures of a database look like this one? (The first case
 * study of the GSHMEM paper, 2011.) A picture is told by its colour auto-correlogram.
 *
 * Every PE holds a share of the pictures in symmetric memory and computes their correlograms; who
 * is done first takes chunks of the others' shares: an atomic on the owner's counter, a get of the
 * pictures, a put of the result. A query's correlogram is broadcast, every PE ranks its share, and
 * the best of each are put to PE 0 with a signal. PE 0 compares all of it with a serial
 * computation, and part of that with the definition; a wrong result ends the program with a
 * non-zero status. `make cbir` makes the database; -g N makes up N pictures instead:
 *   oshcc -O3 cbir.c image.c pictures.c correlogram.c -o cbir -lpng -ljpeg -lm
 *   weftrun -n 4 ./cbir -g 1000
 */
#include <shmem.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "correlogram.h"
#include "image.h"
#include "pictures.h"
#include "show.h"

enum { READ, FEATURES, SEARCH, PHASES };
enum { CHUNK = 8 }; /* pictures taken at once */
enum { QUERIES_MAX = 32, TOP_MAX = 64 };
enum { DEFINITION_EVERY = 32 }; /* every so many pictures are checked by the definition */
enum { GAP = 8, CELL = PICTURE_SIDE + GAP };

/* Static data is symmetric: peers read and write these of one another. */
static double seconds[PHASES];
static long taken;       /* pictures of this PE's share that somebody works on or has done */
static long helped;      /* pictures of other shares that this PE did */
static uint64_t arrived; /* on PE 0: lists of matches */
static long verdict;

struct match {
  double distance;
  long index; /* -1: none */
};

struct search {
  int me, pes, queries, top, external;
  struct pictures all;
  long first, count;           /* my share of the pictures */
  unsigned char *pixel;        /* symmetric: my share */
  struct correlogram *feature; /* symmetric: of my share */
  struct correlogram *query;   /* symmetric */
  struct match *best;          /* symmetric, PE 0's is used: pes x queries x top */
  struct match *result;        /* PE 0: queries x top */
  long wanted[QUERIES_MAX];    /* index of each query; its number in the other file if external */
  struct pictures examples;    /* the other file */
};

struct options {
  const char *database, *examples, *prefix, *query[QUERIES_MAX];
  long generate;
  int queries, top, spoil;
};

static void *need(void *memory, const char *what) {
  if (!memory) {
    fprintf(stderr, "cbir: PE %d: no memory for %s (SHMEM_SYMMETRIC_SIZE sets the heap)\n",
            shmem_my_pe(), what);
    shmem_global_exit(1);
  }
  return memory;
}

static long share_first(const struct search *s, int pe) {
  return s->all.count * pe / s->pes;
}

static int owner_of(const struct search *s, long index) {
  int pe = (int)((double)index * s->pes / (double)s->all.count);
  while (pe > 0 && share_first(s, pe) > index) pe--;
  while (share_first(s, pe + 1) <= index) pe++;
  return pe;
}

static void phase_begin(int phase) {
  shmem_barrier_all();
  seconds[phase] = -show_clock();
}

static void phase_end(int phase) {
  seconds[phase] += show_clock();
}

/* ---- the parallel part -------------------------------------------------------------------- */

static void pictures_hand_out(struct search *s) {
  long most = (s->all.count + s->pes - 1) / s->pes;
  s->first = share_first(s, s->me);
  s->count = share_first(s, s->me + 1) - s->first;
  s->pixel = need(shmem_malloc((size_t)most * PICTURE_BYTES), "the pictures");
  s->feature = need(shmem_malloc((size_t)most * sizeof *s->feature), "the correlograms");
  s->query = need(shmem_malloc((size_t)s->queries * sizeof *s->query), "the queries");
  s->best =
      need(shmem_malloc((size_t)(s->pes * s->queries * s->top) * sizeof *s->best), "the lists");
  phase_begin(READ);
  for (long i = 0; i < s->count; i += CHUNK) {
    long n = s->count - i < CHUNK ? s->count - i : CHUNK;
    if (pictures_read(&s->all, s->first + i, n, s->pixel + i * PICTURE_BYTES) != 0)
      shmem_global_exit(1);
    if (s->me == 0) show_progress("reading", i + n, s->count);
  }
  phase_end(READ);
}

/* Of owner's share, a chunk that nobody has taken; returns its length. */
static long take(const struct search *s, int owner, long *at) {
  long count = share_first(s, owner + 1) - share_first(s, owner);
  *at = shmem_long_atomic_fetch_add(&taken, CHUNK, owner);
  return *at >= count ? 0 : count - *at < CHUNK ? count - *at : CHUNK;
}

static void features_compute(struct search *s) {
  static unsigned char theirs[CHUNK * PICTURE_BYTES];
  struct correlogram done[CHUNK];
  long at, n;
  phase_begin(FEATURES);
  while ((n = take(s, s->me, &at)) > 0) {
    for (long i = at; i < at + n; i++)
      correlogram_compute(s->feature + i, s->pixel + i * PICTURE_BYTES);
    if (s->me == 0) show_progress("correlograms", at + n, s->count);
  }
  for (int k = 1; k < s->pes; k++) {
    int owner = (s->me + k) % s->pes;
    while ((n = take(s, owner, &at)) > 0) {
      shmem_getmem(theirs, s->pixel + at * PICTURE_BYTES, (size_t)n * PICTURE_BYTES, owner);
      for (long i = 0; i < n; i++) correlogram_compute(done + i, theirs + i * PICTURE_BYTES);
      shmem_putmem(s->feature + at, done, (size_t)n * sizeof *done, owner);
      helped += n;
    }
  }
  shmem_barrier_all();
  phase_end(FEATURES);
}

/* Of pictures with the same correlogram (a mirrored one has it) the query itself comes first. */
static int before(struct match a, struct match b, long self) {
  if (a.distance != b.distance) return a.distance < b.distance;
  if ((a.index == self) != (b.index == self)) return a.index == self;
  return a.index < b.index;
}

/* A sorted list of the `top` first. */
static void keep(struct match *list, int top, struct match m, long self) {
  if (list[top - 1].index >= 0 && !before(m, list[top - 1], self)) return;
  int i = top - 1;
  for (; i > 0 && (list[i - 1].index < 0 || before(m, list[i - 1], self)); i--)
    list[i] = list[i - 1];
  list[i] = m;
}

static void clear(struct match *list, int top) {
  for (int i = 0; i < top; i++) list[i] = (struct match){.distance = INFINITY, .index = -1};
}

static void rank(struct match *list, int top, const struct correlogram *query,
                 const struct correlogram *feature, long first, long count, long self) {
  clear(list, top);
  for (long i = 0; i < count; i++)
    keep(list, top, (struct match){correlogram_distance(query, feature + i), first + i}, self);
}

static long self_of(const struct search *s, int q) {
  return s->external ? -1 : s->wanted[q];
}

static void query_broadcast(struct search *s, int q, const struct correlogram *outside) {
  int root = s->external ? 0 : owner_of(s, s->wanted[q]);
  if (s->me == root) s->query[q] = s->external ? *outside : s->feature[s->wanted[q] - s->first];
  shmem_float_broadcast(SHMEM_TEAM_WORLD, (float *)(s->query + q), (float *)(s->query + q),
                        sizeof *s->query / sizeof(float), root);
}

static void search(struct search *s, const struct correlogram *outside) {
  struct match mine[TOP_MAX];
  phase_begin(SEARCH);
  for (int q = 0; q < s->queries; q++) {
    query_broadcast(s, q, outside + q);
    rank(mine, s->top, s->query + q, s->feature, s->first, s->count, self_of(s, q));
    shmem_putmem_signal(s->best + (s->me * s->queries + q) * s->top, mine,
                        (size_t)s->top * sizeof *mine, &arrived, 1, SHMEM_SIGNAL_ADD, 0);
  }
  if (s->me == 0) {
    shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, (uint64_t)s->pes * (uint64_t)s->queries);
    for (int q = 0; q < s->queries; q++) {
      struct match *result = s->result + q * s->top;
      clear(result, s->top);
      for (int i = 0; i < s->pes * s->top; i++) {
        struct match m = s->best[(i / s->top * s->queries + q) * s->top + i % s->top];
        if (m.index >= 0) keep(result, s->top, m, self_of(s, q));
      }
    }
  }
  phase_end(SEARCH);
}

/* ---- PE 0 alone: the check, the contact sheet, the report ----------------------------------- */

struct serial {
  struct correlogram *feature;
  double features, search;
  long wrong_features, defined, wrong_defined, wrong_lists, not_first, strangers;
};

static void check_features(const struct search *s, struct serial *r) {
  unsigned char *pixel = need(malloc(PICTURE_BYTES), "the serial check");
  struct correlogram theirs, defined;
  for (long i = 0; i < s->all.count; i++) {
    if (pictures_read(&s->all, i, 1, pixel) != 0) shmem_global_exit(1);
    r->features -= show_clock();
    correlogram_compute(r->feature + i, pixel);
    r->features += show_clock();
    int owner = owner_of(s, i);
    shmem_getmem(&theirs, s->feature + (i - share_first(s, owner)), sizeof theirs, owner);
    r->wrong_features += memcmp(&theirs, r->feature + i, sizeof theirs) != 0;
    if (i % DEFINITION_EVERY == 0) {
      correlogram_define(&defined, pixel);
      r->defined++;
      r->wrong_defined += memcmp(&theirs, &defined, sizeof theirs) != 0;
    }
    show_progress("check", i + 1, s->all.count);
  }
  free(pixel);
}

static void check_lists(const struct search *s, const struct correlogram *outside,
                        struct serial *r) {
  struct match list[TOP_MAX];
  for (int q = 0; q < s->queries; q++) {
    const struct match *result = s->result + q * s->top;
    r->search -= show_clock();
    rank(list, s->top, s->external ? outside + q : r->feature + s->wanted[q], r->feature, 0,
         s->all.count, self_of(s, q));
    r->search += show_clock();
    for (int i = 0; i < s->top; i++)
      if (list[i].index != result[i].index || list[i].distance != result[i].distance) {
        r->wrong_lists++;
        break;
      }
    if (!s->external) r->not_first += result[0].index != s->wanted[q] || result[0].distance != 0;
  }
}

static void blit(struct image *sheet, long column, long row, const unsigned char *pixel) {
  for (long y = 0; y < PICTURE_SIDE; y++)
    memcpy(sheet->pixel + ((row * CELL + GAP + y) * sheet->width + column * CELL + GAP) * 3,
           pixel + y * PICTURE_SIDE * 3, PICTURE_SIDE * 3);
}

/* A row per query: the query on a dark ground, then what is most like it. */
static int sheet_write(const struct search *s, const char *prefix) {
  char path[4096];
  unsigned char *pixel = need(malloc(PICTURE_BYTES), "the contact sheet");
  int skip = !s->external; /* the first match is the query itself */
  struct image sheet = {.width = CELL * (s->top + 1 - skip) + GAP,
                        .height = CELL * s->queries + GAP};
  sheet.colour = 1;
  sheet.pixel = need(malloc((size_t)(sheet.width * sheet.height) * 3), "the contact sheet");
  memset(sheet.pixel, 235, (size_t)(sheet.width * sheet.height) * 3);
  for (long y = 0; y < sheet.height; y++)
    memset(sheet.pixel + y * sheet.width * 3, 60, (CELL + GAP / 2) * 3);
  for (int q = 0; q < s->queries; q++) {
    if (s->external) {
      if (pictures_read(&s->examples, s->wanted[q], 1, pixel) != 0) shmem_global_exit(1);
      blit(&sheet, 0, q, pixel);
    }
    for (int i = 0; i < s->top && s->result[q * s->top + i].index >= 0; i++) {
      long index = s->result[q * s->top + i].index;
      int owner = owner_of(s, index);
      shmem_getmem(pixel, s->pixel + (index - share_first(s, owner)) * PICTURE_BYTES, PICTURE_BYTES,
                   owner);
      blit(&sheet, i + s->external, q, pixel);
    }
  }
  snprintf(path, sizeof path, "%s-sheet.png", prefix);
  int status = image_write_png(&sheet, path);
  if (status == 0) printf("  contact sheet: %s (%ld x %ld)\n", path, sheet.width, sheet.height);
  free(sheet.pixel);
  free(pixel);
  return status;
}

static void report_line(const char *phase, double time, double serial, double amount,
                        const char *unit) {
  printf("  %-34s %9.4f s ", phase, time);
  if (serial > 0)
    printf("%9.4f s", serial);
  else
    printf("%11s", "");
  printf(" %11.0f %s\n", time > 0 ? amount / time : 0, unit);
}

static void report(const struct search *s, const struct serial *r) {
  double slowest[PHASES] = {0}, theirs[PHASES];
  long moved = 0;
  for (int pe = 0; pe < s->pes; pe++) {
    shmem_double_get(theirs, seconds, PHASES, pe);
    for (int i = 0; i < PHASES; i++) slowest[i] = fmax(slowest[i], theirs[i]);
    moved += shmem_long_g(&helped, pe);
  }
  double pictures = (double)s->all.count;
  printf("  %-34s %11s %11s %11s\n", "phase (slowest PE)", "time", "serial", "speed");
  report_line("read the pictures", slowest[READ], 0, pictures, "pictures/s");
  report_line("correlograms", slowest[FEATURES], r->features, pictures, "pictures/s");
  report_line("queries", slowest[SEARCH], r->search, pictures * s->queries, "comparisons/s");
  printf("  %ld correlograms were computed by another PE than the owner of the picture\n", moved);
}

static void matches_print(const struct search *s) {
  for (int q = 0; q < s->queries; q++) {
    const struct match *m = s->result + q * s->top;
    printf("  %s\n", (s->external ? &s->examples : &s->all)->name[s->wanted[q]]);
    for (int i = !s->external; i < s->top && i < 3 + !s->external && m[i].index >= 0; i++)
      printf("    %7.3f  %s\n", m[i].distance, s->all.name[m[i].index]);
  }
}

/* Returns 0 if the result is right and everything could be written. */
static int finish(const struct search *s, const struct options *o,
                  const struct correlogram *outside) {
  struct serial r = {0};
  r.feature = need(malloc((size_t)s->all.count * sizeof *r.feature), "the serial check");
  check_features(s, &r);
  check_lists(s, outside, &r);
  int wrong = r.wrong_features || r.wrong_defined || r.wrong_lists || r.not_first || r.strangers;

  printf("Image retrieval by colour auto-correlogram: %ld pictures of %d x %d, %d queries, on %d "
         "PEs\n",
         s->all.count, PICTURE_SIDE, PICTURE_SIDE, s->queries, s->pes);
  report(s, &r);
  matches_print(s);
  printf("  check: of %ld correlograms %ld differ from the serial computation, of %d lists %ld; "
         "of %ld correlograms %ld differ from the definition",
         s->all.count, r.wrong_features, s->queries, r.wrong_lists, r.defined, r.wrong_defined);
  if (!s->external) printf("; %ld queries do not find themselves first", r.not_first);
  if (s->all.file < 0) printf("; %ld matches are of another kind", r.strangers);
  printf(": %s\n", wrong ? "WRONG" : "right");
  if (o->prefix && sheet_write(s, o->prefix) != 0) wrong = 1;
  free(r.feature);
  return wrong;
}

/* ---- the command line ----------------------------------------------------------------------- */

static int options_parse(struct options *o, int argc, char **argv) {
  for (int c; (c = getopt(argc, argv, "e:g:n:o:q:x")) != -1;) {
    if (c == 'e') o->examples = optarg;
    if (c == 'g') o->generate = atol(optarg);
    if (c == 'n') o->top = atoi(optarg);
    if (c == 'o') o->prefix = optarg;
    if (c == 'q') {
      if (o->queries == QUERIES_MAX) return -1;
      o->query[o->queries++] = optarg;
    }
    if (c == 'x') o->spoil = 1;
    if (c == '?') return -1;
  }
  if (optind < argc) o->database = argv[optind++];
  if (optind < argc || o->top < 1 || o->top > TOP_MAX) return -1;
  return o->database || o->generate > 0 ? 0 : -1;
}

static long picture_find(const struct pictures *set, const char *query) {
  char *end;
  long number = strtol(query, &end, 10);
  if (*query && !*end && number >= 0 && number < set->count) return number;
  for (long i = 0; i < set->count; i++)
    if (strstr(set->name[i], query)) return i;
  return -1;
}

/* Every PE comes to the same choice: all read the same file. */
static int queries_choose(struct search *s, const struct options *o) {
  s->external = o->examples != NULL;
  if (s->external && pictures_open(&s->examples, o->examples) != 0) return -1;
  const struct pictures *from = s->external ? &s->examples : &s->all;
  s->queries = o->queries;
  if (o->queries == 0) s->queries = (int)(from->count < 6 ? from->count : 6);
  for (int q = 0; q < s->queries; q++) {
    s->wanted[q] = o->queries ? picture_find(from, o->query[q]) : from->count * q / s->queries;
    if (s->wanted[q] < 0) {
      if (s->me == 0) fprintf(stderr, "cbir: no picture called %s\n", o->query[q]);
      return -1;
    }
  }
  return 0;
}

static int start(struct search *s, const struct options *o, struct correlogram *outside) {
  int status =
      o->database ? pictures_open(&s->all, o->database) : pictures_generate(&s->all, o->generate);
  if (status != 0 || queries_choose(s, o) != 0) return -1;
  s->top = o->top;
  s->result = need(malloc((size_t)(s->queries * s->top) * sizeof *s->result), "the result");
  if (!s->external || s->me != 0) return 0;
  unsigned char *pixel = need(malloc(PICTURE_BYTES), "a query");
  for (int q = 0; q < s->queries; q++) {
    if (pictures_read(&s->examples, s->wanted[q], 1, pixel) != 0) return -1;
    correlogram_compute(outside + q, pixel);
  }
  free(pixel);
  return 0;
}

int main(int argc, char **argv) {
  static struct correlogram outside[QUERIES_MAX];
  struct options o = {.top = 8};
  shmem_init();
  struct search s = {.me = shmem_my_pe(), .pes = shmem_n_pes()};
  s.all.file = s.examples.file = -1;
  if (options_parse(&o, argc, argv) != 0) {
    if (s.me == 0)
      fprintf(stderr,
              "usage: cbir [-o PREFIX] [-n MATCHES] [-q NAME|NUMBER]... [-e QUERIES.db] [-x] "
              "PICTURES.db | -g COUNT\n"
              "  -o  write PREFIX-sheet.png\n"
              "  -q  search for a picture of the database (or of QUERIES.db)\n"
              "  -e  the queries are pictures of this file\n"
              "  -g  so many made-up pictures\n"
              "  -x  spoil one number, to see that the check finds it\n");
    shmem_finalize();
    return 2;
  }
  if (start(&s, &o, outside) != 0) shmem_global_exit(1);
  pictures_hand_out(&s);
  features_compute(&s);
  if (o.spoil && s.me == s.pes - 1 && s.count > 0)
    s.feature[s.count - 1].probability[1][0] += 0.25f;
  search(&s, outside);
  shmem_barrier_all();
  if (s.me == 0) verdict = finish(&s, &o, outside);
  fflush(stdout);
  shmem_barrier_all();
  long wrong = shmem_long_g(&verdict, 0);

  free(s.result);
  shmem_free(s.best);
  shmem_free(s.query);
  shmem_free(s.feature);
  shmem_free(s.pixel);
  pictures_close(&s.all);
  if (s.external) pictures_close(&s.examples);
  shmem_finalize();
  return wrong != 0;
}
