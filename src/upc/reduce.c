/*
 * reduce.c: UPC 1.3, 7.4.3: upc_all_reduce and upc_all_prefix_reduce. A thread folds what it has,
 * and the floor folds these parts. A thread without elements has no value, so a part says whether
 * it has one. Functions that do not commute, and prefixes, go
 * in the order of elements, block by block, which is not that of threads (ordered.c).
 */
#include "upc/internal.h"
#include "upc/reduce.h"

weft_upc_ptr_t bupc_ptradd(weft_upc_ptr_t ptr, size_t blockelems, size_t elemsz,
                           ptrdiff_t elemincr);

static char *mine(uintptr_t off) {
  return (char *)weft_job.window.base + off;
}

/* ---- parts ---- */

/* For the floor: right = left op right. */
static void combine_parts(const void *left, void *right, size_t count, const void *arg) {
  for (size_t i = 0; i < count; i++)
    weft_upc_part_before((const weft_upc_fold_t *)arg, (const weft_upc_part_t *)left + i,
                         (weft_upc_part_t *)right + i);
}

void weft_upc_part_before(const weft_upc_fold_t *f, const weft_upc_part_t *left,
                          weft_upc_part_t *right) {
  if (!left->present) return;
  if (!right->present) {
    *right = *left;
    return;
  }
  weft_upc_part_t sum = *left;
  f->type->fold(f, &sum.value, &right->value, 1);
  *right = sum;
}

/* ---- this thread's elements ---- */

/* Element i of the array is at place i + phase of blocks that begin at `thread`. */
static void describe(weft_upc_run_t *r, weft_upc_ptr_t p, size_t nelems, size_t block) {
  const weft_upc_place_t at = weft_upc_place(p);
  const size_t threads = (size_t)weft_job_npes(), me = (size_t)weft_job_pe();
  r->phase = block ? weft_upc_phase_of(p) : 0;
  r->block = block ? block : nelems;
  r->end = r->phase + nelems;
  r->first_thread = (size_t)at.thread;
  r->column = (me + threads - r->first_thread) % threads;
  r->blocks = (r->end + r->block - 1) / r->block;
  r->mine = r->column < r->blocks ? (r->blocks - r->column + threads - 1) / threads : 0;
}

/* This thread's j-th block: its first element's offset in bytes from the pointer, and how many
 * elements there are. */
static size_t run_block(const weft_upc_run_t *r, size_t j, size_t width, ptrdiff_t *at) {
  const size_t threads = (size_t)weft_job_npes(), b = r->column + j * threads;
  const size_t from = b == 0 ? r->phase : b * r->block;
  const size_t to = (b + 1) * r->block < r->end ? (b + 1) * r->block : r->end;
  const size_t row = (r->first_thread + b) / threads;
  *at = (ptrdiff_t)(row * r->block + from - b * r->block - r->phase) * (ptrdiff_t)width;
  return to - from;
}

static void fold_block(const weft_upc_fold_t *f, weft_upc_part_t *part, const char *p, size_t n) {
  if (n == 0) return;
  const size_t width = f->type->width;
  if (!part->present) {
    memcpy(&part->value, p, width);
    part->present = 1;
    p += width, n--;
  }
  f->type->fold(f, &part->value, p, n);
}

/* ---- in any order ---- */

static void reduce(const weft_upc_fold_t *f, const weft_upc_run_t *r, const char *src,
                   weft_upc_part_t *all, int root) {
  weft_upc_part_t part = {.present = 0};
  for (size_t j = 0; j < r->mine; j++) {
    ptrdiff_t at;
    const size_t n = run_block(r, j, f->type->width, &at);
    fold_block(f, &part, src + at, n);
  }
  const weft_reducer_t how = {
      .user = combine_parts, .arg = f, .width = sizeof part, .ordered = false};
  weft_op_t op = {0};
  weft_team_reduce_begin(weft_team_world(), root, all, &part, 1, &how, &op);
  weft_team_wait(&op);
}

/* ---- in the order of elements ---- */

/* What is before each of this thread's blocks, into before[0 to r->mine); and the sum of all
 * (ordered.c). */
static weft_upc_part_t *sum_blocks(const weft_upc_fold_t *f, const weft_upc_run_t *r,
                                   const char *src, weft_upc_part_t *total) {
  const size_t room = weft_upc_ordered_room(r);
  weft_upc_part_t *sums = calloc(room, sizeof *sums);
  if (!sums) weft_fatal("upc_all_reduce: no memory for %zu block sums", room);
  for (size_t j = 0; j < r->mine; j++) {
    ptrdiff_t at;
    const size_t n = run_block(r, j, f->type->width, &at);
    fold_block(f, &sums[j], src + at, n);
  }
  weft_upc_ordered(f, r, sums, total);
  return sums;
}

static void scan_block(const weft_upc_fold_t *f, char *to, const char *from, size_t n,
                       weft_upc_part_t *before) {
  const size_t width = f->type->width;
  if (n == 0) return;
  if (!before->present) {
    memcpy(&before->value, from, width);
    memcpy(to, from, width);
    from += width, to += width, n--;
  }
  f->type->scan(f, &before->value, to, from, n);
}

static void scan(const weft_upc_fold_t *f, const weft_upc_run_t *r, char *dst, const char *src,
                 weft_upc_part_t *before) {
  for (size_t j = 0; j < r->mine; j++) {
    ptrdiff_t at;
    const size_t n = run_block(r, j, f->type->width, &at);
    scan_block(f, dst + at, src + at, n, &before[j]);
  }
}

/* dst lies otherwise than src: UPC 1.2 let programs do so. The scan of each block goes to dst piece
 * by piece, and every thread waits for all, since it is written by others. */
static void scan_elsewhere(const weft_upc_fold_t *f, const weft_upc_run_t *r, weft_upc_ptr_t dst,
                           size_t block, const char *src, weft_upc_part_t *before,
                           upc_flag_t flags) {
  const size_t width = f->type->width;
  char *room = malloc(r->block * width);
  if (!room) weft_fatal("upc_all_prefix_reduce: no memory for %zu elements", r->block);
  for (size_t j = 0; j < r->mine; j++) {
    ptrdiff_t at;
    const size_t n = run_block(r, j, width, &at);
    const size_t b = r->column + j * (size_t)weft_job_npes();
    const size_t first = b == 0 ? 0 : b * r->block - r->phase;
    scan_block(f, room, src + at, n, &before[j]);
    for (size_t done = 0; done < n;) {
      const weft_upc_ptr_t to = bupc_ptradd(dst, block, width, (ptrdiff_t)(first + done));
      size_t run = block ? block - weft_upc_phase_of(to) : n;
      if (run > n - done) run = n - done;
      weft_upc_put(weft_upc_place(to), room + done * width, run * width, NULL);
      done += run;
    }
  }
  free(room);
  if (flags & UPC_OUT_NOSYNC) return;
  weft_upc_null_strict();
  weft_coll_sync(weft_team_world());
}

/* ---- public ---- */

void weft_upc_check_op(const weft_upc_fold_t *f, const char *who) {
  const bool bits = f->op == UPC_AND || f->op == UPC_OR || f->op == UPC_XOR;
  const bool user = f->op == WEFT_UPC_FUNC || f->op == WEFT_UPC_NONCOMM_FUNC;
  const bool known = f->op >= UPC_ADD && f->op <= UPC_MAX && (f->op & (f->op - 1)) == 0;
  if (!known && !user) weft_fatal("%s: %#x is no operation of a reduction", who, (unsigned)f->op);
  if (bits && f->type->real) weft_fatal("%s: bitwise operations are not for reals", who);
  if (user && !f->func) weft_fatal("%s: UPC_FUNC without a function", who);
}

static void check_elements(weft_upc_ptr_t p, const weft_upc_run_t *r, size_t width,
                           const char *who) {
  if (weft_likely(!weft_options.check) || r->mine == 0) return;
  for (size_t j = 0; j < r->mine; j += r->mine > 1 ? r->mine - 1 : 1) {
    ptrdiff_t at;
    const size_t n = run_block(r, j, width, &at) * width;
    const uintptr_t off = weft_upc_place(p).off + (uintptr_t)at;
    if (n) weft_upc_check_range((weft_upc_place_t){weft_job_pe(), off}, n, who);
  }
}

static void check_phase(const weft_upc_run_t *r, const char *who) {
  if (weft_unlikely(r->phase >= r->block))
    weft_fatal("%s: src has phase %zu in blocks of %zu elements", who, r->phase, r->block);
}

static bool enter(const weft_upc_fold_t *f, weft_upc_run_t *r, weft_upc_ptr_t dst,
                  weft_upc_ptr_t src, size_t nelems, size_t block, upc_flag_t flags,
                  const char *who) {
  weft_upc_check_op(f, who);
  weft_upc_enter(dst ^ (src * 3) ^ (nelems << 20) ^ (block << 7) ^ (uint64_t)f->op, who);
  weft_upc_flags_in(flags);
  if (nelems == 0) return false;
  describe(r, src, nelems, block);
  check_phase(r, who);
  check_elements(src, r, f->type->width, who);
  return true;
}

void weft_upc_reduce(const weft_upc_fold_t *f, weft_upc_ptr_t dst, weft_upc_ptr_t src,
                     size_t nelems, size_t block, upc_flag_t flags) {
  static const char who[] = "upc_all_reduce";
  weft_upc_run_t r;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, nelems * f->type->width);
  if (enter(f, &r, dst, src, nelems, block, flags, who)) {
    const weft_upc_place_t to = weft_upc_checked(dst, f->type->width, who);
    const char *from = mine(weft_upc_place(src).off);
    weft_upc_part_t all = {.present = 0};
    if (f->op == WEFT_UPC_NONCOMM_FUNC)
      free(sum_blocks(f, &r, from, &all));
    else
      reduce(f, &r, from, &all, to.thread);
    if (to.thread == weft_job_pe()) memcpy(mine(to.off), &all.value, f->type->width);
  }
  weft_upc_flags_out(flags);
}

void weft_upc_prefix_reduce(const weft_upc_fold_t *f, weft_upc_ptr_t dst, weft_upc_ptr_t src,
                            size_t nelems, size_t block, upc_flag_t flags) {
  static const char who[] = "upc_all_prefix_reduce";
  weft_upc_run_t r;
  WEFT_SPAN(WEFT_TRACE_COLLECTIVE, who, nelems * f->type->width);
  if (enter(f, &r, dst, src, nelems, block, flags, who)) {
    const weft_upc_place_t to = weft_upc_place(dst), from = weft_upc_place(src);
    const bool alike =
        to.thread == from.thread && (!block || weft_upc_phase_of(dst) == weft_upc_phase_of(src));
    if (alike) check_elements(dst, &r, f->type->width, who);
    weft_upc_part_t total = {.present = 0};
    weft_upc_part_t *before = sum_blocks(f, &r, mine(from.off), &total);
    if (alike)
      scan(f, &r, mine(to.off), mine(from.off), before);
    else
      scan_elsewhere(f, &r, dst, block, mine(from.off), before, flags);
    free(before);
  }
  weft_upc_flags_out(flags);
}
