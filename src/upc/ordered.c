/*
 * ordered.c: the sums of an array's blocks, folded in the order of the blocks, which are dealt to
 * the threads in turn. Each thread takes over the sums of a run of consecutive blocks (one
 * exchange), folds them, learns what the runs before it make (one gather to all), and gives back
 * what is before each block (one more exchange). Work and memory of a thread are its share of the
 * blocks.
 */
#include "upc/reduce.h"

/* The number of blocks that every thread gives to each other: rows of one block per thread. */
static size_t rows(const weft_upc_run_t *r) {
  const size_t threads = (size_t)weft_job_npes(), most = (r->blocks + threads - 1) / threads;
  return (most + threads - 1) / threads;
}

size_t weft_upc_ordered_room(const weft_upc_run_t *r) {
  return rows(r) * (size_t)weft_job_npes();
}

static size_t column_of(const weft_upc_run_t *r, size_t thread) {
  const size_t threads = (size_t)weft_job_npes();
  return (thread + threads - r->first_thread) % threads;
}

static void exchange(weft_upc_part_t *dst, const weft_upc_part_t *src, size_t parts) {
  weft_op_t op = {0};
  weft_team_exchange_begin(weft_team_world(), dst, src, parts * sizeof *src, &op);
  weft_team_wait(&op);
}

/* What the runs of the columns before mine make, and all of them. */
static void fold_runs(const weft_upc_fold_t *f, const weft_upc_run_t *r,
                      const weft_upc_part_t *mine, weft_upc_part_t *scratch,
                      weft_upc_part_t *before, weft_upc_part_t *total) {
  const size_t threads = (size_t)weft_job_npes();
  weft_op_t op = {0};
  weft_team_gather_all_begin(weft_team_world(), scratch, mine, sizeof *mine, &op);
  weft_team_wait(&op);
  *total = (weft_upc_part_t){.present = 0};
  for (size_t c = 0; c < threads; c++) {
    if (c == r->column) *before = *total;
    weft_upc_part_t run = scratch[(r->first_thread + c) % threads];
    weft_upc_part_before(f, total, &run);
    *total = run;
  }
}

void weft_upc_ordered(const weft_upc_fold_t *f, const weft_upc_run_t *r, weft_upc_part_t *sums,
                      weft_upc_part_t *total) {
  const size_t threads = (size_t)weft_job_npes(), h = rows(r), n = h * threads;
  weft_upc_part_t *sent = calloc(2 * n + threads, sizeof *sent), *got = sent + n;
  if (!sent) weft_fatal("upc_all_prefix_reduce: no memory for %zu block sums", n);
  /* to[t] = my blocks of the run that t's column takes over */
  for (size_t t = 0; t < threads; t++)
    memcpy(sent + t * h, sums + column_of(r, t) * h, h * sizeof *sums);
  exchange(got, sent, h);
  /* Fold my run: row by row, in each row by column. */
  weft_upc_part_t run = {.present = 0}, before;
  for (size_t k = 0; k < h; k++)
    for (size_t c = 0; c < threads; c++) {
      weft_upc_part_t *sum = got + (r->first_thread + c) % threads * h + k, folded = *sum;
      weft_upc_part_before(f, &run, &folded);
      *sum = run; /* what is before it in this run */
      run = folded;
    }
  fold_runs(f, r, &run, sent + 2 * n, &before, total);
  for (size_t i = 0; i < n; i++) weft_upc_part_before(f, &before, &got[i]);
  exchange(sent, got, h);
  for (size_t t = 0; t < threads; t++)
    memcpy(sums + column_of(r, t) * h, sent + t * h, h * sizeof *sums);
  free(sent);
}
