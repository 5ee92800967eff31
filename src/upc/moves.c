/*
 * moves.c: many pieces at once, between any memory: lists of places in loops (access.c), Berkeley's
 * lists and regions (vis.c). Those of one thread and direction are one transfer. All of them are
 * ordered behind what this thread did before, and then none behind another: each transfer that
 * asked for order as it is posted would wait for those before it. Knows no pointers-to-shared.
 */
#include "upc/internal.h"

enum { FIRST = 512, MOST = 1 << 16 }; /* pieces: room for them, and those that are posted at once */

/* What goes to or comes from one thread: of `far` and `near` the entries from `first` on. */
typedef struct group {
  int thread;
  bool puts;
  uint32_t first, n;
} group_t;

/* far and near hold places if all pieces have the same length (run), else pieces. */
typedef struct groups {
  group_t *each;
  uint32_t n;
  size_t run;
  void *far, *near;
} groups_t;

static void *need(void *memory, const char *who) {
  if (!memory) weft_fatal("%s: no memory for a list of pieces", who);
  return memory;
}

static bool is_copy(const weft_upc_move_t *p) {
  return p->to.thread >= 0 && p->from.thread >= 0;
}

static void put_entry(const groups_t *g, uint32_t i, uintptr_t far, uintptr_t near, size_t n) {
  if (g->run) {
    ((uintptr_t *)g->far)[i] = far, ((uintptr_t *)g->near)[i] = near;
  } else {
    ((weft_piece_t *)g->far)[i] = (weft_piece_t){far, n};
    ((weft_piece_t *)g->near)[i] = (weft_piece_t){near, n};
  }
}

/* Pieces of one thread and direction are chained from `last`, which is all 0 between calls. */
static groups_t group(weft_upc_moves_t *m) {
  static uint32_t *last;
  if (!last) last = need(calloc(2 * (size_t)weft_job_npes(), sizeof *last), m->who);
  const size_t entry = sizeof(group_t) + 2 * sizeof(weft_piece_t);
  groups_t g = {.far = need(malloc(m->n * entry), m->who), .run = m->each[0].n};
  g.near = (weft_piece_t *)g.far + m->n;
  g.each = (group_t *)((weft_piece_t *)g.near + m->n);
  for (uint32_t i = m->n; i > 0; i--) {
    weft_upc_move_t *p = &m->each[i - 1];
    if (p->n != g.run) g.run = 0;
    if (is_copy(p)) continue;
    const bool puts = p->to.thread >= 0;
    const int thread = puts ? p->to.thread : p->from.thread;
    uint32_t *chain = &last[2 * thread + puts];
    if (!*chain) g.each[g.n++] = (group_t){.thread = thread, .puts = puts};
    p->next = *chain;
    *chain = i;
  }
  for (uint32_t k = 0, at = 0; k < g.n; k++) {
    group_t *one = &g.each[k];
    uint32_t *chain = &last[2 * one->thread + one->puts];
    one->first = at;
    for (; *chain; one->n++, at++) {
      const weft_upc_move_t *p = &m->each[*chain - 1];
      const uintptr_t to = p->to.at, from = p->from.at;
      put_entry(&g, at, one->puts ? to : from, one->puts ? from : to, p->n);
      *chain = p->next;
    }
  }
  return g;
}

static weft_shape_t shape(const groups_t *g, const group_t *one, const void *entries) {
  if (g->run) return weft_shape_places(0, g->run, one->n, (const uintptr_t *)entries + one->first);
  return weft_shape_pieces(0, one->n, (const weft_piece_t *)entries + one->first);
}

/* One short piece is a put or a get as any other, which travels with others to its node. */
static bool is_single(const group_t *one, const weft_shape_t *far) {
  return one->n == 1 && weft_shape_bytes(far) < weft_options.pack_max;
}

static void post_single(const weft_upc_moves_t *m, const group_t *one, weft_upc_place_t place,
                        uintptr_t near, size_t n) {
  if (one->puts)
    weft_upc_put(place, (const void *)near, n, m->begun ? m->op : NULL);
  else
    weft_upc_get((void *)near, place, n, m->op);
}

enum step { ORDER, SINGLES, OTHERS };

static void take(enum step step, const weft_upc_moves_t *m, const groups_t *g) {
  for (const group_t *one = g->each; one < g->each + g->n; one++) {
    const weft_shape_t far = shape(g, one, g->far), near = shape(g, one, g->near);
    weft_cursor_t there, here;
    if (is_single(one, &far)) {
      if (step != SINGLES) continue;
      weft_cursor_open(&there, &far), weft_cursor_open(&here, &near);
      post_single(m, one, (weft_upc_place_t){one->thread, there.at}, here.at, there.left);
    } else if (step == ORDER) {
      weft_rma_order_shape(one->thread, &far, &near, false);
    } else if (step == OTHERS && one->puts) {
      weft_rma_put_shape(&far, &near, one->thread, m->op, m->begun ? m->op : NULL, m->who);
    } else if (step == OTHERS) {
      weft_rma_get_shape(&near, &far, one->thread, m->op, m->who);
    }
  }
}

/* Singles, which ask for order one by one, go behind one another without a wait, but not behind
 * longer ones. */
static void post(weft_upc_moves_t *m) {
  if (m->n == 0) return;
  const weft_upc_move_t *end = m->each + m->n;
  const groups_t g = group(m);
  for (const weft_upc_move_t *p = m->each; p < end; p++)
    if (is_copy(p)) weft_rma_order(p->to.thread), weft_rma_order(p->from.thread);
  take(ORDER, m, &g);
  take(SINGLES, m, &g);
  take(OTHERS, m, &g);
  for (const weft_upc_move_t *p = m->each; p < end; p++)
    if (is_copy(p))
      weft_rma_copy_begin(p->to.thread, p->to.at, p->from.thread, p->from.at, p->n, m->op);
  m->n = 0;
  free(g.far);
}

void weft_upc_moves_add(weft_upc_moves_t *m, weft_upc_end_t to, weft_upc_end_t from, size_t n) {
  if (to.thread < 0 && from.thread < 0) {
    weft_direct_copy((void *)to.at, (const void *)from.at, n);
    return;
  }
  if (m->n == m->room) {
    m->room = m->room ? 2 * m->room : FIRST;
    m->each = need(realloc(m->each, m->room * sizeof *m->each), m->who);
  }
  m->each[m->n++] = (weft_upc_move_t){.to = to, .from = from, .n = n};
  if (m->n == MOST) post(m);
}

void weft_upc_moves_end(weft_upc_moves_t *m) {
  post(m);
  free(m->each);
}
