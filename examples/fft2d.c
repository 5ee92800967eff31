/*
 * The two-dimensional FFT of a photograph on several PEs: rows, corner turn, columns. (The second
 * case study of the GSHMEM paper, 2011, with the three ways to turn of its figure 11: one-sided
 * gets, a gather to each PE in turn, one fcollect.) FFTW does the 1-D transforms.
 *
 * The picture is real, so a row of `width` pixels becomes `half` = width/2 + 1 complex numbers and
 * the other half of the spectrum is its mirror. Any picture works with any number of PEs: shares
 * differ by one row or column, and may be empty. PE 0 compares the result with FFTW's own 2-D
 * transform; a wrong result ends the program with a non-zero status.
 *   oshcc -O2 fft2d.c image.c -o fft2d -lfftw3 -lpng -ljpeg -lm && weftrun -n 4 ./fft2d -g 301x257
 */
#include <shmem.h>
#include <shmemx.h>

#include <complex.h>
#include <fftw3.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "show.h"

enum { GET, GATHER, FCOLLECT, TURNS };
enum { READ, ROOM, HAND_OUT, ROWS, TRANSPOSE, COLUMNS, TURN, PHASES = TURN + TURNS };
enum { TILE = 16 }; /* transpose: 16 x 16 complex numbers = 2 x 4 KB, within the L1 cache */
enum { GETS_IN_FLIGHT = 64 };
enum { GATHER_COLUMNS = 32 };
enum { PNG_LIMIT = 1600 }; /* pictures are shrunk until no side is longer than this */

static const char *const turn_names[TURNS] = {"get", "gather", "fcollect"};

/* Static data is symmetric: peers read these of one another. */
static double seconds[PHASES];
static long shape[2];
static long differ; /* corner turns here that do not bring what the first one brought */
static long verdict;

struct transform {
  int me, pes;
  long width, height, half;
  long row0, rows, row_stride; /* my rows; the longest share of rows of all PEs */
  long col0, cols, col_stride;
  unsigned char *pixel;  /* symmetric, height x width: only PE 0's copy is filled */
  fftw_complex *row;     /* private, rows x half: pixels as doubles, then their transforms */
  fftw_complex *turned;  /* symmetric, half x row_stride: `row` transposed, for peers to get */
  fftw_complex *landing; /* symmetric, for gather and fcollect: the blocks of all PEs */
  fftw_complex *column;  /* symmetric, cols x height: the result */
};

struct options {
  const char *photo, *prefix;
  long width, height;
  int turns; /* bit set of GET, GATHER, FCOLLECT */
  int repeat;
  int spoil;
};

/* PE number pe of pes owns the indices share_first(pe) .. share_first(pe + 1) - 1. */
static long share_first(long total, int pe, int pes) {
  return total * pe / pes;
}

static void *need(void *memory, const char *what) {
  if (!memory) {
    fprintf(stderr, "fft2d: PE %d: no memory for %s (SHMEM_SYMMETRIC_SIZE sets the heap)\n",
            shmem_my_pe(), what);
    shmem_global_exit(1);
  }
  return memory;
}

static void phase_begin(int phase) {
  shmem_barrier_all();
  seconds[phase] = -show_clock();
}

static void phase_end(int phase) {
  seconds[phase] += show_clock();
}

/* PE 0 reads the picture; everyone learns its size and makes room. */
static void picture_read(struct transform *t, const struct options *o) {
  struct image image = {0};
  phase_begin(READ);
  if (t->me == 0) {
    int bad =
        o->photo ? image_read_jpeg(&image, o->photo) : image_generate(&image, o->width, o->height);
    if (bad) shmem_global_exit(1);
    shape[0] = image.width;
    shape[1] = image.height;
  }
  phase_end(READ);
  shmem_barrier_all();
  long size[2];
  shmem_long_get(size, shape, 2, 0);
  t->width = size[0];
  t->height = size[1];
  t->half = t->width / 2 + 1;
  t->pixel = need(shmem_malloc((size_t)(t->width * t->height)), "the picture");
  if (t->me == 0) {
    memcpy(t->pixel, image.pixel, (size_t)(t->width * t->height));
    free(image.pixel);
  }
}

static void transform_allocate(struct transform *t, int turns) {
  t->row0 = share_first(t->height, t->me, t->pes);
  t->rows = share_first(t->height, t->me + 1, t->pes) - t->row0;
  t->col0 = share_first(t->half, t->me, t->pes);
  t->cols = share_first(t->half, t->me + 1, t->pes) - t->col0;
  t->row_stride = (t->height + t->pes - 1) / t->pes;
  t->col_stride = (t->half + t->pes - 1) / t->pes;
  long landing = turns & 1 << FCOLLECT ? t->half : turns & 1 << GATHER ? t->col_stride : 0;
  size_t number = sizeof(fftw_complex);
  t->row = need(fftw_malloc((size_t)((t->rows + 1) * t->half) * number), "the rows");
  t->turned = need(shmem_align(64, (size_t)(t->half * t->row_stride) * number), "the corner turn");
  t->column = need(shmem_align(64, (size_t)(t->col_stride * t->height) * number), "the columns");
  size_t room = (size_t)(t->pes * landing * t->row_stride) * number;
  t->landing = room ? need(shmem_align(64, room), "what is collected") : NULL;
  /* Touched here, so that later phases do not pay for making pages. */
  phase_begin(ROOM);
  memset(t->row, 0, (size_t)(t->rows * t->half) * number);
  memset(t->turned, 0, (size_t)(t->half * t->row_stride) * number);
  memset(t->column, 0, (size_t)(t->cols * t->height) * number);
  if (room) memset(t->landing, 0, room);
  phase_end(ROOM);
}

/* Everyone gets its rows from PE 0 and widens them to doubles. */
static void rows_hand_out(struct transform *t) {
  unsigned char *mine = need(malloc((size_t)((t->rows + 1) * t->width)), "the pixels");
  phase_begin(HAND_OUT);
  shmem_getmem(mine, t->pixel + t->row0 * t->width, (size_t)(t->rows * t->width), 0);
  for (long r = 0; r < t->rows; r++) {
    double *row = (double *)(t->row + r * t->half);
    for (long x = 0; x < t->width; x++) row[x] = mine[r * t->width + x];
  }
  phase_end(HAND_OUT);
  free(mine);
}

static void rows_transform(struct transform *t) {
  fftw_plan plan = fftw_plan_dft_r2c_1d((int)t->width, (double *)t->row, t->row, FFTW_ESTIMATE);
  phase_begin(ROWS);
  for (long r = 0; r < t->rows; r++) {
    fftw_complex *row = t->row + r * t->half;
    fftw_execute_dft_r2c(plan, (double *)row, row);
    if (t->me == 0) show_progress("FFT of the rows", r + 1, t->rows);
  }
  phase_end(ROWS);
  fftw_destroy_plan(plan);
}

/* turned[c][r] = row[r][c], tile by tile. */
static void rows_transpose(struct transform *t) {
  phase_begin(TRANSPOSE);
  for (long r0 = 0; r0 < t->rows; r0 += TILE) {
    long r1 = r0 + TILE < t->rows ? r0 + TILE : t->rows;
    for (long c0 = 0; c0 < t->half; c0 += TILE) {
      long c1 = c0 + TILE < t->half ? c0 + TILE : t->half;
      for (long c = c0; c < c1; c++)
        for (long r = r0; r < r1; r++) t->turned[c * t->row_stride + r] = t->row[r * t->half + c];
    }
  }
  phase_end(TRANSPOSE);
}

/* From every PE, beginning with my right neighbour so that no PE is asked by all at once: of each
 * of my columns, the piece that lies in that PE's rows. It lands where it belongs. */
static void turn_by_get(struct transform *t) {
  for (int k = 1; k <= t->pes; k++) {
    int from = (t->me + k) % t->pes;
    long row0 = share_first(t->height, from, t->pes);
    size_t bytes = (size_t)(share_first(t->height, from + 1, t->pes) - row0) * sizeof(fftw_complex);
    for (long c = 0; c < t->cols; c++) {
      shmem_getmem_nbi(t->column + c * t->height + row0, t->turned + (t->col0 + c) * t->row_stride,
                       bytes, from);
      if (c % GETS_IN_FLIGHT == GETS_IN_FLIGHT - 1) {
        shmem_quiet();
        if (t->me == 0) show_progress("corner turn", (k - 1) * t->cols + c + 1, t->pes * t->cols);
      }
    }
    shmem_quiet();
  }
}

/* My columns out of the blocks of all PEs, which begin `step` numbers apart. */
static void unpack(struct transform *t, const fftw_complex *block, long step) {
  for (int pe = 0; pe < t->pes; pe++, block += step) {
    long row0 = share_first(t->height, pe, t->pes);
    size_t bytes = (size_t)(share_first(t->height, pe + 1, t->pes) - row0) * sizeof(fftw_complex);
    for (long c = 0; c < t->cols; c++)
      memcpy(t->column + c * t->height + row0, block + c * t->row_stride, bytes);
  }
}

/* Each PE in turn is the root, and gathers what all others have of its columns. Blocks are as large
 * as the largest share; what is too much of one share belongs to the next and is not looked at. */
static void turn_by_gather(struct transform *t) {
  long step = t->col_stride * t->row_stride;
  for (int root = 0; root < t->pes; root++)
    shmemx_gathermem(SHMEM_TEAM_WORLD, t->landing,
                     t->turned + share_first(t->half, root, t->pes) * t->row_stride,
                     (size_t)step * sizeof(fftw_complex), root);
  unpack(t, t->landing, step);
}

/* Everybody collects everything and takes its columns out of it. */
static void turn_by_fcollect(struct transform *t) {
  long step = t->half * t->row_stride;
  shmem_fcollectmem(SHMEM_TEAM_WORLD, t->landing, t->turned, (size_t)step * sizeof(fftw_complex));
  unpack(t, t->landing + t->col0 * t->row_stride, step);
}

/* The time is the mean of `repeat` turns, each until the last PE has its columns. */
static void corner_turn(struct transform *t, int turn, int repeat) {
  double sum = 0;
  for (int i = 0; i < repeat; i++) {
    /* What a turn does not bring would be seen: the bytes of a NaN. */
    memset(t->column, 0xff, (size_t)(t->cols * t->height) * sizeof *t->column);
    phase_begin(TURN + turn);
    if (turn == GET) turn_by_get(t);
    if (turn == GATHER) turn_by_gather(t);
    if (turn == FCOLLECT) turn_by_fcollect(t);
    shmem_barrier_all();
    phase_end(TURN + turn);
    sum += seconds[TURN + turn];
  }
  seconds[TURN + turn] = sum / repeat;
  if (t->me == 0) show_progress("corner turn", 1, 1);
}

/* All that are wanted, one after the other: they must bring the same. */
static void corner_turns(struct transform *t, int turns, int repeat) {
  size_t bytes = (size_t)(t->cols * t->height) * sizeof *t->column;
  void *first = NULL;
  for (int turn = 0; turn < TURNS; turn++) {
    if (!(turns & 1 << turn)) continue;
    corner_turn(t, turn, repeat);
    if (first) {
      differ += memcmp(first, t->column, bytes) != 0;
    } else {
      first = need(malloc(bytes + 1), "a copy of the columns");
      memcpy(first, t->column, bytes);
    }
  }
  free(first);
}

static void columns_transform(struct transform *t) {
  fftw_plan plan =
      fftw_plan_dft_1d((int)t->height, t->column, t->column, FFTW_FORWARD, FFTW_ESTIMATE);
  phase_begin(COLUMNS);
  for (long c = 0; c < t->cols; c++) {
    fftw_complex *column = t->column + c * t->height;
    fftw_execute_dft(plan, column, column);
    if (t->me == 0) show_progress("FFT of the columns", c + 1, t->cols);
  }
  phase_end(COLUMNS);
  fftw_destroy_plan(plan);
}

/* ---- PE 0 alone: the check, the pictures, the report ------------------------------------- */

/* The magnitudes, centred, summed over cells of factor x factor numbers. */
struct spectrum {
  long factor, width, height;
  double *sum;
};

static void spectrum_add(struct spectrum *s, const struct transform *t, long u, long v, double a) {
  long x = (v + t->width / 2) % t->width / s->factor;
  long y = (u + t->height / 2) % t->height / s->factor;
  s->sum[y * s->width + x] += a;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Black is the 1 % quantile of the logarithms, white the 99.95 %: the mean of the picture (the
 * centre) would otherwise leave all else dark. */
static int spectrum_write(struct spectrum *s, const struct transform *t, const char *path) {
  long cells = s->width * s->height;
  double *sorted = malloc((size_t)cells * sizeof *sorted);
  unsigned char *pixel = malloc((size_t)cells);
  if (!sorted || !pixel) {
    free(sorted);
    free(pixel);
    return -1;
  }
  for (long i = 0; i < cells; i++) {
    long x = i % s->width * s->factor, y = i / s->width * s->factor;
    long w = x + s->factor < t->width ? s->factor : t->width - x;
    long h = y + s->factor < t->height ? s->factor : t->height - y;
    sorted[i] = s->sum[i] = log(1 + s->sum[i] / (double)(w * h));
  }
  qsort(sorted, (size_t)cells, sizeof *sorted, ascending);
  double low = sorted[cells / 100], high = sorted[cells - 1 - cells / 2000];
  for (long i = 0; i < cells; i++) {
    double grey = high > low ? 255 * (s->sum[i] - low) / (high - low) : 0;
    pixel[i] = (unsigned char)(grey < 0 ? 0 : grey > 255 ? 255 : grey);
  }
  struct image image = {.width = s->width, .height = s->height, .pixel = pixel};
  int status = image_write_png(&image, path);
  free(sorted);
  free(pixel);
  return status;
}

static int photo_write(const struct transform *t, long factor, const char *path) {
  struct image image = {.width = t->width, .height = t->height, .pixel = t->pixel}, small = {0};
  int status = image_shrink(&small, &image, factor);
  if (status == 0) status = image_write_png(&small, path);
  free(small.pixel);
  return status;
}

static fftw_complex *serial_transform(const struct transform *t, double *elapsed) {
  fftw_complex *all =
      need(fftw_malloc((size_t)(t->height * t->half) * sizeof *all), "the serial check");
  fftw_plan plan =
      fftw_plan_dft_r2c_2d((int)t->height, (int)t->width, (double *)all, all, FFTW_ESTIMATE);
  for (long y = 0; y < t->height; y++)
    for (long x = 0; x < t->width; x++)
      ((double *)(all + y * t->half))[x] = t->pixel[y * t->width + x];
  double start = show_clock();
  fftw_execute(plan);
  *elapsed = show_clock() - start;
  fftw_destroy_plan(plan);
  return all;
}

/* Columns first .. first+count-1, `got` as cols x height against `all` as height x half. */
static void compare_columns(const struct transform *t, const fftw_complex *got,
                            const fftw_complex *all, long first, long count, double square[2],
                            struct spectrum *s) {
  for (long u = 0; u < t->height; u++) {
    for (long i = 0; i < count; i++) {
      long v = first + i;
      double complex a = got[i * t->height + u], b = all[u * t->half + v], d = a - b;
      square[0] += creal(d) * creal(d) + cimag(d) * cimag(d);
      double size = creal(b) * creal(b) + cimag(b) * cimag(b);
      square[1] += size;
      if (!s->sum) continue;
      double magnitude = cabs(a);
      spectrum_add(s, t, u, v, magnitude);
      if (v != 0 && 2 * v != t->width) spectrum_add(s, t, t->height - u, t->width - v, magnitude);
    }
  }
}

/* Gets the whole result; returns the relative error in the 2-norm against the serial transform. */
static double gather_and_compare(const struct transform *t, const fftw_complex *all,
                                 struct spectrum *s) {
  fftw_complex *got =
      need(fftw_malloc((size_t)(GATHER_COLUMNS * t->height) * sizeof *got), "the gather");
  double square[2] = {0, 0};
  for (int pe = 0; pe < t->pes; pe++) {
    long first = share_first(t->half, pe, t->pes), end = share_first(t->half, pe + 1, t->pes);
    for (long c = first; c < end; c += GATHER_COLUMNS) {
      long count = end - c < GATHER_COLUMNS ? end - c : GATHER_COLUMNS;
      shmem_getmem(got, t->column + (c - first) * t->height,
                   (size_t)(count * t->height) * sizeof *got, pe);
      compare_columns(t, got, all, c, count, square, s);
      show_progress("check", c + count, t->half);
    }
  }
  fftw_free(got);
  return sqrt(square[0] / (square[1] > 0 ? square[1] : 1)); /* a black picture has norm 0 */
}

static void report_line(const char *phase, double time, double amount, const char *unit) {
  printf("  %-34s %9.5f s %9.3f %s\n", phase, time, time > 0 ? amount / time : 0, unit);
}

/* A phase takes as long as its slowest PE. */
static void report(const struct transform *t, int turns, double serial) {
  double slowest[PHASES] = {0}, theirs[PHASES];
  for (int pe = 0; pe < t->pes; pe++) {
    shmem_double_get(theirs, seconds, PHASES, pe);
    for (int i = 0; i < PHASES; i++) slowest[i] = fmax(slowest[i], theirs[i]);
  }
  /* 5 n log2 n operations for a complex transform of length n, half of that for a real one. */
  double pixels = (double)t->width * (double)t->height, half = (double)t->half;
  double row_flop = 2.5e-9 * pixels * log2((double)t->width);
  double column_flop = 5e-9 * half * (double)t->height * log2((double)t->height);
  double gigabytes = 1e-9 * half * (double)t->height * sizeof(fftw_complex);
  printf("  %-34s %11s %9s\n", "phase (slowest PE)", "time", "speed");
  report_line("read the picture, PE 0", slowest[READ], 1e-6 * pixels, "Mpixel/s");
  report_line("make room (first touch)", slowest[ROOM], 3 * gigabytes, "GB/s");
  report_line("hand out the rows (get)", slowest[HAND_OUT], 1e-9 * pixels, "GB/s");
  report_line("FFT of the rows", slowest[ROWS], row_flop, "Gflop/s");
  report_line("transpose, local", slowest[TRANSPOSE], gigabytes, "GB/s");
  double turn = 0;
  for (int i = 0; i < TURNS; i++) {
    char name[32];
    if (!(turns & 1 << i)) continue;
    snprintf(name, sizeof name, "corner turn (%s)", turn_names[i]);
    report_line(name, slowest[TURN + i], gigabytes, "GB/s");
    if (turn == 0) turn = slowest[TURN + i];
  }
  report_line("FFT of the columns", slowest[COLUMNS], column_flop, "Gflop/s");
  double all = slowest[ROWS] + slowest[TRANSPOSE] + turn + slowest[COLUMNS];
  report_line("all four", all, row_flop + column_flop, "Gflop/s");
  report_line("serial FFTW, 2-D, PE 0 alone", serial, row_flop + column_flop, "Gflop/s");
}

static int pictures_write(const struct transform *t, struct spectrum *s, const char *prefix) {
  char path[2][4096];
  snprintf(path[0], sizeof path[0], "%s-photo.png", prefix);
  snprintf(path[1], sizeof path[1], "%s-spectrum.png", prefix);
  if (photo_write(t, s->factor, path[0]) != 0 || spectrum_write(s, t, path[1]) != 0) return -1;
  printf("  pictures: %s (%ld x %ld), %s\n", path[0], s->width, s->height, path[1]);
  return 0;
}

/* Returns 0 if the result is right and everything could be written. */
static int finish(const struct transform *t, const struct options *o) {
  struct spectrum s = {0};
  long longest = t->width > t->height ? t->width : t->height;
  s.factor = (longest + PNG_LIMIT - 1) / PNG_LIMIT;
  s.width = (t->width + s.factor - 1) / s.factor;
  s.height = (t->height + s.factor - 1) / s.factor;
  if (o->prefix) s.sum = need(calloc((size_t)(s.width * s.height), sizeof *s.sum), "the spectrum");

  double serial;
  fftw_complex *all = serial_transform(t, &serial);
  double error = gather_and_compare(t, all, &s);
  double bound = 4 * DBL_EPSILON * (1 + log2((double)t->width * (double)t->height));
  long differing = 0;
  for (int pe = 0; pe < t->pes; pe++) differing += shmem_long_g(&differ, pe);
  int right = error <= bound && !differing; /* false for NaN too */

  printf("2-D FFT of %s, %ld x %ld pixels, on %d PEs\n", o->photo ? o->photo : "a made-up picture",
         t->width, t->height, t->pes);
  report(t, o->turns, serial);
  if (o->turns & (o->turns - 1))
    printf("  corner turns that differ from the first: %ld\n", differing);
  printf("  check against the serial transform: relative error %.1e, bound %.1e: %s\n", error,
         bound, right ? "right" : "WRONG");
  if (o->prefix && pictures_write(t, &s, o->prefix) != 0) right = 0;
  fftw_free(all);
  free(s.sum);
  return !right;
}

static int turns_parse(const char *name) {
  for (int turn = 0; turn < TURNS; turn++)
    if (strcmp(name, turn_names[turn]) == 0) return 1 << turn;
  return strcmp(name, "all") == 0 ? (1 << TURNS) - 1 : 0;
}

static int options_parse(struct options *o, int argc, char **argv) {
  for (int c; (c = getopt(argc, argv, "g:o:r:t:x")) != -1;) {
    if (c == 't' && (o->turns = turns_parse(optarg)) == 0) return -1;
    if (c == 'g' && sscanf(optarg, "%ldx%ld", &o->width, &o->height) != 2) return -1;
    if (c == 'o') o->prefix = optarg;
    if (c == 'r') o->repeat = atoi(optarg);
    if (c == 'x') o->spoil = 1;
    if (c == '?') return -1;
  }
  if (optind < argc) o->photo = argv[optind++];
  if (optind < argc || o->repeat < 1) return -1;
  return o->photo || (o->width > 0 && o->height > 0) ? 0 : -1;
}

int main(int argc, char **argv) {
  struct options o = {.turns = 1 << GET, .repeat = 1};
  shmem_init();
  struct transform t = {.me = shmem_my_pe(), .pes = shmem_n_pes()};
  if (options_parse(&o, argc, argv) != 0) {
    if (t.me == 0)
      fprintf(stderr,
              "usage: fft2d [-o PREFIX] [-t TURN [-r TIMES]] [-x] PHOTO.jpg | -g WIDTHxHEIGHT\n"
              "  -t  the corner turn: get, gather, fcollect, or all, one after the other\n"
              "  -r  turn so often, for a mean time\n"
              "  -o  write PREFIX-photo.png and PREFIX-spectrum.png\n"
              "  -g  a made-up picture of that size\n"
              "  -x  spoil one number, to see that the check finds it\n");
    shmem_finalize();
    return 2;
  }
  picture_read(&t, &o);
  transform_allocate(&t, o.turns);
  rows_hand_out(&t);
  rows_transform(&t);
  rows_transpose(&t);
  corner_turns(&t, o.turns, o.repeat);
  columns_transform(&t);
  if (o.spoil && t.cols > 0 && t.me == t.pes - 1) t.column[t.cols * t.height - 1] += 1;
  shmem_barrier_all();
  if (t.me == 0) verdict = finish(&t, &o);
  fflush(stdout);
  shmem_barrier_all();
  long wrong = shmem_long_g(&verdict, 0);

  fftw_free(t.row);
  shmem_free(t.landing);
  shmem_free(t.column);
  shmem_free(t.turned);
  shmem_free(t.pixel);
  shmem_finalize();
  return wrong != 0;
}
