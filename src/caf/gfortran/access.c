/*
 * access.c: get, send and sendget. A scalar that needs no conversion goes straight to memory of the
 * node; everything else becomes sections.
 */
#include <stdlib.h>
#include <string.h>

#include "caf/gfortran/abi.h"

/* Rank and type in one. */
static inline uint16_t shape_of(const gfc_t *d) {
  uint16_t both;
  _Static_assert(offsetof(gfc_t, type) == offsetof(gfc_t, rank) + 1, "rank, then type");
  memcpy(&both, &d->rank, sizeof both);
  return both;
}

/* A scalar on both sides, of one type. */
static inline bool is_plain(const gfc_t *a, const gfc_t *b, int a_kind, int b_kind) {
  return shape_of(a) == shape_of(b) && !a->rank && a_kind == b_kind &&
         a->elem_len == b->elem_len;
}

static WEFT_NOINLINE void move_any(void *to, const void *from, size_t n) {
  if (n <= 8)
    weft_direct_store(to, from, n);
  else
    memmove(to, from, n);
}

/* Small ones are moved once and whole: their owner may be looking at them. */
static inline void move(void *to, const void *from, size_t n) {
  if (weft_likely(n == 8))
    memcpy(to, from, 8);
  else if (weft_likely(n == 4))
    memcpy(to, from, 4);
  else
    move_any(to, from, n);
}

/* PE of an image, or -1: the report has it. */
static int find(const void *token, int image, const weft_caf_team_t *team, int *stat) {
  const weft_caf_report_t report = {.stat = stat};
  if (!gfc_is_allocated(token, &report)) return -1;
  const int pe = weft_caf_find(team, image, &report);
  if (pe >= 0) weft_caf_good(&report);
  return pe;
}

/* It may have failed meanwhile, and its memory be gone. */
static void look_again(int image, int *stat) {
  if (weft_caf.survive) weft_caf_find(NULL, image, &(weft_caf_report_t){.stat = stat});
}

static void open_remote(weft_caf_section_t *s, const weft_caf_coarray_t *c, size_t offset,
                        const gfc_t *d, const caf_vector_t *v, int kind) {
  gfc_remote(s, c->base + offset, d, v, kind);
  if (weft_caf.check) gfc_check(c, s, d, v);
}

static WEFT_NOINLINE void get(void *token, size_t offset, int image, gfc_t *src, caf_vector_t *v,
                              gfc_t *dst, int src_kind, int dst_kind, int *stat) {
  weft_caf_section_t local, remote;
  const int pe = find(token, image, NULL, stat);
  if (pe < 0) return;
  gfc_section(&local, dst, dst_kind);
  open_remote(&remote, token, offset, src, v, src_kind);
  weft_caf_get(pe, &local, &remote, true);
  gfc_release(&remote);
  look_again(image, stat);
}

/* What comes on the stack is volatile in these two, but for `team`, which is looked at first: gcc
 * would load all of it first, for the general case, and save registers for that. */
CAF(void, get,
    (void *token, size_t offset, int image, gfc_t *src, caf_vector_t *v, gfc_t *dst,
     volatile int src_kind, volatile int dst_kind, bool may_require_tmp, int *volatile stat)) {
  uintptr_t there;
  (void)may_require_tmp; /* only for oneself, and then it is looked at */
  if (weft_unlikely(!token || v || !is_plain(src, dst, src_kind, dst_kind) ||
                    !weft_caf_is_reached(image))) {
    get(token, offset, image, src, v, dst, src_kind, dst_kind, stat);
    return;
  }
  int *const said = stat;
  if (said) *said = 0;
  if (weft_likely(weft_caf_at(((weft_caf_coarray_t *)token)->base + offset, image, &there)))
    move(dst->base, (const void *)there, dst->elem_len);
  else
    weft_caf_get_away(weft_caf_pe(image), ((weft_caf_coarray_t *)token)->base + offset, dst->base,
                      dst->elem_len);
}

static WEFT_NOINLINE void send(void *token, size_t offset, int image, gfc_t *dst, caf_vector_t *v,
                               gfc_t *src, int dst_kind, int src_kind, int *stat, void **team) {
  weft_caf_section_t local, remote;
  const weft_caf_report_t report = {.stat = stat};
  const weft_caf_team_t *in = team ? weft_caf_team_of(*team, &report, "TEAM=") : NULL;
  if ((team && !in) || (token && gfc_is_lost(image, in, stat))) return;
  const int pe = find(token, image, in, stat);
  if (pe < 0) return;
  gfc_section(&local, src, src_kind);
  open_remote(&remote, token, offset, dst, v, dst_kind);
  weft_caf_put(pe, &remote, &local, true);
  gfc_release(&remote);
}

CAF(void, send,
    (void *token, size_t offset, int image, gfc_t *dst, caf_vector_t *v, gfc_t *src,
     volatile int dst_kind, volatile int src_kind, bool may_require_tmp, int *volatile stat,
     void **team)) {
  uintptr_t there;
  (void)may_require_tmp; /* only for oneself, and then it is looked at */
  if (weft_unlikely(((uintptr_t)stat | (uintptr_t)team | (uintptr_t)v) || !token ||
                    !is_plain(src, dst, src_kind, dst_kind) || !weft_caf_is_reached(image))) {
    send(token, offset, image, dst, v, src, dst_kind, src_kind, stat, team);
    __asm__ volatile(""); /* a call: a jump would have to move arguments in registers to save */
    return;
  }
  if (weft_likely(weft_caf_at(((weft_caf_coarray_t *)token)->base + offset, image, &there)))
    move((void *)there, src->base, src->elem_len);
  else
    weft_caf_put_away(weft_caf_pe(image), ((weft_caf_coarray_t *)token)->base + offset, src->base,
                      src->elem_len);
}

/* From one image's section to another's, through memory here. */
CAF(void, sendget,
    (void *dst_token, size_t dst_offset, int dst_image, gfc_t *dst, caf_vector_t *dst_v,
     void *src_token, size_t src_offset, int src_image, gfc_t *src, caf_vector_t *src_v,
     int dst_kind, int src_kind, bool may_require_tmp, int *stat)) {
  weft_caf_section_t to, from, here;
  (void)may_require_tmp;
  if (gfc_is_lost(src_image, NULL, stat) || gfc_is_lost(dst_image, NULL, stat)) return;
  const int source = find(src_token, src_image, NULL, stat);
  const int target = find(dst_token, dst_image, NULL, stat);
  if (source < 0 || target < 0) return;
  open_remote(&to, dst_token, dst_offset, dst, dst_v, dst_kind);
  open_remote(&from, src_token, src_offset, src, src_v, src_kind);
  char *memory = weft_caf_bounce(&here, &from);
  weft_caf_get(source, &here, &from, false);
  weft_caf_put(target, &to, &here, false);
  free(memory);
  gfc_release(&to);
  gfc_release(&from);
}
