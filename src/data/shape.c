/*
 * Cursors over shapes, and packing with them. Knows no PE and no network.
 */
#include <string.h>

#include "data/data.h"

size_t weft_shape_bytes(const weft_shape_t *s) {
  size_t bytes = s->run;
  switch (s->form) {
  case WEFT_STRIDED:
    for (size_t d = 0; d < s->n; d++) bytes *= s->count[d];
    return bytes;
  case WEFT_PLACES: return s->n * bytes;
  case WEFT_PIECES:
    bytes = 0;
    for (size_t i = 0; i < s->n; i++) bytes += s->pieces[i].n;
  }
  return bytes;
}

/* The next entry of a list that is not empty. */
static void enter(weft_cursor_t *c) {
  c->left = 0;
  while (c->left == 0 && c->n > 0) {
    c->n--;
    if (c->form == WEFT_PLACES) {
      c->at = c->row + *c->places++;
      c->left = c->run;
    } else {
      c->at = c->row + c->pieces->at;
      c->left = c->pieces++->n;
    }
  }
}

/* Dimensions of 1 are left out, and those that continue the one below are one with it. */
static void collapse(weft_cursor_t *c, const weft_shape_t *s) {
  for (size_t d = 0; d < s->n; d++) {
    const size_t count = s->count[d];
    const ptrdiff_t stride = s->stride[d];
    if (count == 1) continue;
    if (c->n == 0 && stride == (ptrdiff_t)c->run) {
      c->run *= count;
    } else if (c->n > 0 && stride == c->stride[c->n - 1] * (ptrdiff_t)c->count[c->n - 1]) {
      c->count[c->n - 1] *= count;
    } else {
      if (c->n == WEFT_DIMS_MAX) weft_fatal("a strided transfer of 2^%d blocks", WEFT_DIMS_MAX);
      c->count[c->n] = count;
      c->index[c->n] = 0;
      c->stride[c->n++] = stride;
    }
  }
}

void weft_cursor_open(weft_cursor_t *c, const weft_shape_t *s) {
  c->form = s->form;
  c->total = weft_shape_bytes(s);
  c->row = c->at = s->base;
  c->run = s->run;
  c->left = c->n = 0;
  c->pieces = s->pieces;
  c->places = s->places;
  if (c->total == 0) return;
  if (s->form == WEFT_STRIDED) {
    collapse(c, s);
    c->left = c->run;
  } else {
    c->n = s->n;
    enter(c);
  }
}

/* Whole blocks further, from the beginning of one; there is one left. */
static void advance(weft_cursor_t *c, size_t blocks) {
  for (size_t d = 0; blocks > 0 && d < c->n; d++) {
    const size_t sum = c->index[d] + blocks, now = sum % c->count[d];
    c->row += (now - c->index[d]) * (uintptr_t)c->stride[d];
    c->index[d] = now;
    blocks = sum / c->count[d];
  }
}

void weft_cursor_step(weft_cursor_t *c, size_t n) {
  c->at += n;
  c->left -= n;
  c->total -= n;
  if (weft_likely(c->left > 0) || c->total == 0) return;
  if (c->form != WEFT_STRIDED) {
    enter(c);
    return;
  }
  advance(c, 1);
  c->at = c->row;
  c->left = c->run;
}

void weft_cursor_skip(weft_cursor_t *c, size_t n) {
  if (n == c->total) {
    c->total = c->left = 0;
    return;
  }
  if (c->form == WEFT_STRIDED && n >= c->left) {
    const size_t from = c->run - c->left + n; /* the beginning of the present block */
    advance(c, from / c->run);
    c->at = c->row + from % c->run;
    c->left = c->run - from % c->run;
    c->total -= n;
    return;
  }
  while (n > 0) {
    const size_t step = n < c->left ? n : c->left;
    weft_cursor_step(c, step);
    n -= step;
  }
}

size_t weft_cursor_block(const weft_cursor_t *c) {
  if (c->form != WEFT_PIECES) return c->run;
  return c->total / (c->n + 1);
}

/* Whole blocks at one distance from here on, within n bytes; 0 or 1: no row of them. */
static inline size_t in_row(const weft_cursor_t *c, size_t n) {
  if (c->form != WEFT_STRIDED || c->n == 0 || c->left < c->run) return 0;
  const size_t left = c->count[0] - c->index[0], fit = n / c->run;
  return left < fit ? left : fit;
}

void weft_cursor_pack(weft_cursor_t *c, void *buffer, size_t n) {
  char *to = buffer;
  while (n > 0) {
    const size_t blocks = in_row(c, n), k = blocks > 1 ? blocks * c->run : weft_smaller(c->left, n);
    if (blocks > 1)
      weft_copy_strided(to, (const char *)c->at, (ptrdiff_t)c->run, c->stride[0], c->run, blocks);
    else
      weft_data_store(to, (const void *)c->at, k); /* and read whole */
    weft_cursor_skip(c, k);
    to += k;
    n -= k;
  }
}

void weft_cursor_unpack(weft_cursor_t *c, const void *buffer, size_t n) {
  const char *from = buffer;
  while (n > 0) {
    const size_t blocks = in_row(c, n), k = blocks > 1 ? blocks * c->run : weft_smaller(c->left, n);
    if (blocks > 1)
      weft_copy_strided((char *)c->at, from, c->stride[0], (ptrdiff_t)c->run, c->run, blocks);
    else
      weft_data_store((void *)c->at, from, k);
    weft_cursor_skip(c, k);
    from += k;
    n -= k;
  }
}

void weft_cursor_copy(weft_cursor_t *to, weft_cursor_t *from) {
  while (to->total > 0) {
    const size_t blocks =
        to->run == from->run ? weft_smaller(in_row(to, to->total), in_row(from, from->total)) : 0;
    const size_t k = blocks > 1 ? blocks * to->run : weft_smaller(to->left, from->left);
    if (blocks > 1)
      weft_copy_strided((char *)to->at, (const char *)from->at, to->stride[0], from->stride[0],
                        to->run, blocks);
    else
      weft_data_store((void *)to->at, (const void *)from->at, k);
    weft_cursor_skip(to, k);
    weft_cursor_skip(from, k);
  }
}
