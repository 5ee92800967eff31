/*
 * walk.c: reference chains followed in the memory of a process of this node: descriptors and
 * pointers are read where they lie. Most of it is in the window; what is not (a pointer to an
 * ordinary variable) is read by the kernel, process_vm_readv.
 */
#define _GNU_SOURCE
#include "caf/walk.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "caf/internal.h"

/* From what the job knows: the port may be a process that was forked before Fortran began. */
void weft_caf_memory_of(weft_caf_memory_t *m, int slot) {
  const int pe = weft_job.local[slot];
  *m = (weft_caf_memory_t){.base = weft_job_base_of(pe),
                           .slot = weft_window_slot(&weft_job.window, slot),
                           .pid = weft_job.pids[pe],
                           .own = slot == weft_job.slot};
}

/* Copy n bytes; false: they cannot be reached. */
static bool read_memory(const weft_caf_memory_t *m, uint64_t at, void *to, size_t n) {
  const char *here = weft_caf_memory_at(m, at, n);
  if (weft_likely(here != NULL)) {
    weft_direct_fetch(to, here, n);
    return true;
  }
  const struct iovec mine = {to, n}, theirs = {(void *)(uintptr_t)at, n};
  return process_vm_readv(m->pid, &mine, 1, &theirs, 1, 0) == (ssize_t)n;
}

/* ---- moving elements ------------------------------------------------------------------------- */

enum { BATCH = 64 };

typedef struct batch {
  const weft_caf_memory_t *m;
  struct iovec here, there[BATCH];
  int n;
  bool write;
} batch_t;

/* The kernel moves 2 GB at a time at most, and says how much it has moved. */
static bool batch_flush(batch_t *b) {
  struct iovec *there = b->there, *const end = there + b->n;
  b->n = 0;
  while (b->here.iov_len > 0) {
    const unsigned long n = (unsigned long)(end - there);
    ssize_t done = b->write ? process_vm_writev(b->m->pid, &b->here, 1, there, n, 0)
                            : process_vm_readv(b->m->pid, &b->here, 1, there, n, 0);
    if (done <= 0) return false;
    b->here.iov_base = (char *)b->here.iov_base + done;
    b->here.iov_len -= (size_t)done;
    for (; there < end && (size_t)done >= there->iov_len; there++) done -= (ssize_t)there->iov_len;
    if (done == 0) continue;
    there->iov_base = (char *)there->iov_base + done;
    there->iov_len -= (size_t)done;
  }
  return true;
}

static bool batch_add(batch_t *b, uint64_t at, size_t n) {
  char *near = weft_caf_memory_at(b->m, at, n);
  if (near) {
    if (!batch_flush(b)) return false;
    if (b->write)
      weft_direct_copy(near, b->here.iov_base, n);
    else
      weft_direct_fetch(b->here.iov_base, near, n);
    b->here.iov_base = (char *)b->here.iov_base + n;
    return true;
  }
  if (b->n == BATCH && !batch_flush(b)) return false;
  b->there[b->n++] = (struct iovec){(void *)(uintptr_t)at, n};
  b->here.iov_len += n;
  return true;
}

bool weft_caf_memory_move(const weft_caf_memory_t *m, const weft_caf_section_t *s, char *here,
                          bool write) {
  batch_t b = {.m = m, .here = {here, 0}, .write = write};
  size_t index[WEFT_CAF_RANK_MAX] = {0};
  int first;
  const size_t run = weft_caf_run(s, &first);
  size_t rows = 1;
  for (int d = first; d < s->rank; d++) rows *= s->dim[d].n;
  if (run == 0) return true;
  while (rows-- > 0) {
    const uint64_t at = (uint64_t)(uintptr_t)s->at + (uint64_t)weft_caf_next(s, index, first);
    if (!batch_add(&b, at, run)) return false;
  }
  return batch_flush(&b);
}

void weft_caf_place_section(const weft_caf_place_t *place, const weft_caf_element_t *element,
                            weft_caf_section_t *s) {
  s->at = (char *)(uintptr_t)place->at;
  s->element = *element;
  s->rank = (int)place->rank;
  for (int d = 0; d < s->rank; d++)
    s->dim[d] = (struct weft_caf_dim){.n = place->dim[d].n, .step = (ptrdiff_t)place->dim[d].step};
}

/* ---- walking --------------------------------------------------------------------------------- */

/* What a request says is in unsigned numbers here: nobody has looked at it, and they wrap. */
static uint64_t count(int64_t start, int64_t end, int64_t stride) {
  const uint64_t ahead = (uint64_t)end - (uint64_t)start;
  if (stride > 0) return end >= start ? ahead / (uint64_t)stride + 1 : 0;
  return stride && start >= end ? -ahead / -(uint64_t)stride + 1 : 0;
}

/* WEFT_CHECK=1: the indices `low` to `high` are inside; else `place` says which is not. */
static bool is_inside(int64_t low, int64_t high, int dimension, int64_t lower, int64_t upper,
                      weft_caf_place_t *place) {
  if (low >= lower && high <= upper) return true;
  place->outcome = WEFT_CAF_OUTSIDE;
  place->outside.dimension = dimension;
  place->outside.index = low < lower ? low : high;
  place->outside.lower = lower;
  place->outside.upper = upper;
  return false;
}

/* Subscripts of a dimension whose bounds and stride (bytes) are these. dimension 0: the upper bound
 * is not known. */
static bool subscript(const weft_caf_subscript_t *s, int dimension, int64_t lower, int64_t upper,
                      int64_t stride, weft_caf_place_t *place, int number) {
  int64_t start = s->start, end = s->end, by = s->stride;
  switch (s->mode) {
  case WEFT_CAF_SINGLE: end = start, by = 1; break;
  case WEFT_CAF_FULL: start = lower, end = upper, by = by ? by : 1; break;
  case WEFT_CAF_OPEN_END: end = upper; break;
  case WEFT_CAF_OPEN_START: start = lower; break;
  case WEFT_CAF_RANGE:
  case WEFT_CAF_VECTOR: break;
  default: return false;
  }
  const bool vector = s->mode == WEFT_CAF_VECTOR;
  const uint64_t n = vector ? (uint64_t)s->n : count(start, end, by);
  if (weft_options.check && dimension && n) {
    const int64_t last = vector ? end : (int64_t)((uint64_t)start + (n - 1) * (uint64_t)by);
    if (!is_inside(start < last ? start : last, start < last ? last : start, dimension, lower,
                   upper, place))
      return false;
  }
  if (!vector) place->at += ((uint64_t)start - (uint64_t)lower) * (uint64_t)stride;
  if (s->mode == WEFT_CAF_SINGLE) return true;
  if (place->rank == WEFT_CAF_RANK_MAX) return false;
  __typeof__(place->dim[0]) *dim = &place->dim[place->rank++];
  dim->n = n;
  dim->step = vector ? stride : (int64_t)((uint64_t)by * (uint64_t)stride);
  dim->lower = vector ? lower : 0;
  dim->vector = vector ? number : 0;
  return true;
}

static bool array(const weft_caf_step_t *step, const weft_caf_descriptor_t *d,
                  weft_caf_place_t *place, int *vectors) {
  const weft_caf_subscript_t *s = (const weft_caf_subscript_t *)(step + 1);
  const int64_t unit = d && d->span > 0 ? d->span : (int64_t)step->item;
  if (d && d->rank != step->rank) return false;
  for (int i = 0; i < step->rank; i++) {
    const int64_t lower = d ? d->dim[i].lower : 0;
    const int64_t stride = d ? (int64_t)((uint64_t)d->dim[i].stride * (uint64_t)unit) : unit;
    weft_caf_subscript_t this = s[i];
    int64_t upper = d ? d->dim[i].upper : this.end;
    /* Of a static array everything is in elements from 0; FULL has a stride of its own. */
    if (!d && this.mode == WEFT_CAF_FULL)
      this = (weft_caf_subscript_t){.mode = WEFT_CAF_RANGE, .end = upper, .stride = this.stride};
    if (this.mode == WEFT_CAF_VECTOR) ++*vectors;
    if (!subscript(&this, d ? i + 1 : 0, lower, upper, stride, place, *vectors)) return false;
  }
  return true;
}

typedef struct remote_descriptor {
  weft_caf_descriptor_t d;
  const weft_caf_descriptor_t *now; /* of the array that the next subscripts are of */
} remote_descriptor_t;

static enum weft_caf_outcome follow(const weft_caf_memory_t *m, bool last, int rank,
                                    weft_caf_place_t *place, remote_descriptor_t *r) {
  uint64_t pointer;
  if (rank > WEFT_CAF_RANK_MAX) return WEFT_CAF_BAD;
  if (!read_memory(m, place->at, &pointer, sizeof pointer)) return WEFT_CAF_BAD;
  if (!pointer) return last ? WEFT_CAF_NOTHING : WEFT_CAF_BROKEN;
  r->now = NULL;
  if (rank > 0) {
    if (!read_memory(m, place->at, &r->d, weft_caf_descriptor_bytes(rank)))
      return WEFT_CAF_BAD;
    r->now = &r->d;
  }
  place->at = pointer;
  return WEFT_CAF_FOUND;
}

/* `left`: bytes of the steps behind this one, the first of which may be the subscripts of what the
 * component points to. */
static enum weft_caf_outcome take_component(const weft_caf_memory_t *m, const weft_caf_step_t *step,
                                            size_t left, weft_caf_place_t *place,
                                            remote_descriptor_t *r) {
  const uint64_t at = place->at;
  place->at = at + (uint64_t)step->offset;
  if (!step->follow) return WEFT_CAF_FOUND;
  place->descriptor = place->at;
  place->token = at + step->item;
  const char *behind = (const char *)step + weft_caf_step_bytes(step);
  const weft_caf_step_t *next = left >= sizeof *next ? (const weft_caf_step_t *)behind : NULL;
  const bool subscripted = next && next->type == WEFT_CAF_ARRAY;
  const bool last = !next || (subscripted && weft_caf_step_bytes(next) >= left);
  return follow(m, last, subscripted ? next->rank : 0, place, r);
}

static enum weft_caf_outcome take_subscripts(const weft_caf_step_t *step, weft_caf_place_t *place,
                                             const remote_descriptor_t *r, int *vectors) {
  const bool is_static = step->type != WEFT_CAF_ARRAY;
  if (!is_static && !r->now) return WEFT_CAF_BAD;
  if (array(step, is_static ? NULL : r->now, place, vectors)) return WEFT_CAF_FOUND;
  return place->outcome == WEFT_CAF_FOUND ? WEFT_CAF_BAD : place->outcome;
}

void weft_caf_walk(const weft_caf_memory_t *m, uint64_t base, const char *steps, size_t n,
                   const weft_caf_descriptor_t *bounds, weft_caf_place_t *place) {
  remote_descriptor_t r = {.now = bounds};
  int vectors = 0;
  place->outcome = WEFT_CAF_FOUND;
  place->rank = 0;
  place->at = base;
  place->descriptor = place->token = 0;
  place->moved = 0;
  for (size_t at = 0; place->outcome == WEFT_CAF_FOUND && at + sizeof(weft_caf_step_t) <= n;) {
    const weft_caf_step_t *step = (const weft_caf_step_t *)(steps + at);
    const size_t left = n - at;
    if (step->rank > WEFT_CAF_RANK_MAX || left < weft_caf_step_bytes(step))
      place->outcome = WEFT_CAF_BAD;
    else if (step->type == WEFT_CAF_COMPONENT)
      place->outcome = take_component(m, step, left - weft_caf_step_bytes(step), place, &r);
    else
      place->outcome = take_subscripts(step, place, &r, &vectors);
    at += weft_caf_step_bytes(step);
  }
}
