/*
 * random_lane.h: what a process does alone, by chance, on its lanes. Only it uses them, so it knows
 * what is there: operations take effect in order, whatever way they go; a begun one is waited for
 * before another meets it.
 */
#ifndef RANDOM_LANE_H
#define RANDOM_LANE_H

#include "armci/random_shape.h"

/* ---- begun operations ------------------------------------------------------------------------ */

enum how { BLOCKING, EXPLICIT, AGGREGATE, IMPLICIT, HOWS };
static struct pending {
  bool is_open, is_get;
  enum how how;
  armci_hdl_t handle;
  int proc, allocation;
  size_t from, end; /* there */
  char *buffer, *want;
  size_t bytes, kind; /* of the buffer's memory */
  char text[sizeof text];
} pending[PENDING];
static armci_hdl_t aggregate[2];
static int aggregate_uses[2];

/* The near side may be any memory. */
enum memory { OF_C, OF_ARMCI, SHOWN, MEMORIES };
static char *near_new(size_t bytes, size_t kind) {
  armci_meminfo_t info;
  if (kind == OF_C) return malloc(bytes);
  if (kind == OF_ARMCI) return ARMCI_Malloc_local((armci_size_t)bytes);
  ARMCI_Memget(bytes, &info, 0);
  return info.addr;
}
static void near_free(char *buffer, size_t kind) {
  armci_meminfo_t info = {.armci_addr = buffer, .addr = buffer, .cpid = me};
  if (kind == OF_C)
    free(buffer);
  else if (kind == OF_ARMCI)
    ARMCI_Free_local(buffer);
  else
    ARMCI_Memctl(&info);
}

static void pending_over(struct pending *p) {
  p->is_open = false;
  strcpy(text, p->text);
  if (p->is_get) must_equal(p->buffer, p->want, p->bytes, "the result of a begun get");
  memset(p->buffer, 0x11, p->bytes);
  near_free(p->buffer, p->kind);
  free(p->want);
}

/* What WaitProc and, with -1, WaitAll end. */
static void implicit_over(int proc) {
  for (int k = 0; k < PENDING; k++)
    if (pending[k].is_open && pending[k].how == IMPLICIT && (proc < 0 || pending[k].proc == proc))
      pending_over(&pending[k]);
}

static void aggregate_wait(int which) {
  if (aggregate_uses[which]) CHECK_EQ(ARMCI_Wait(&aggregate[which]), 0);
  aggregate_uses[which] = 0;
  for (int k = 0; k < PENDING; k++)
    if (pending[k].is_open && pending[k].how == AGGREGATE && pending[k].handle == which)
      pending_over(&pending[k]);
}

static void pending_wait(struct pending *p) {
  if (p->how == AGGREGATE)
    aggregate_wait((int)p->handle);
  else if (p->how == EXPLICIT) {
    if (any(3) == 0)
      while (ARMCI_Test(&p->handle)) continue;
    else
      CHECK_EQ(ARMCI_Wait(&p->handle), 0);
    pending_over(p);
  } else if (any(2)) {
    const int proc = p->proc;
    CHECK_EQ(ARMCI_WaitProc(proc), 0);
    implicit_over(proc);
  } else {
    CHECK_EQ(ARMCI_WaitAll(), 0);
    implicit_over(-1);
  }
}

static void pending_wait_all(void) {
  for (int k = 0; k < PENDING; k++)
    if (pending[k].is_open) pending_wait(&pending[k]);
}

/* What is begun there is waited for before something else meets it. */
static void pending_clear(int proc, int allocation, size_t from, size_t end) {
  for (int k = 0; k < PENDING; k++) {
    struct pending *p = &pending[k];
    if (p->is_open && p->proc == proc && p->allocation == allocation && p->from < end &&
        from < p->end)
      pending_wait(p);
  }
}

/* ---- operations on a lane -------------------------------------------------------------------- */

enum action { DO_PUT, DO_GET, DO_ACC };

/* One call, in the shape's form. */
static int call(enum action what, int type, void *scale, char *near, char *far, int proc,
                armci_hdl_t *h, bool nb) {
  struct shape *s = &shape;
  static void *nears[BLOCKS], *fars[BLOCKS];
  int *n = s->levels ? s->near : NULL, *f = s->levels ? s->far : NULL;
  if (s->kind == CONTIGUOUS && what == DO_ACC && nb)
    return ARMCI_NbAccS(types[type].op, scale, near, NULL, far, NULL, s->count, 0, proc, h);
  if (s->kind == CONTIGUOUS) {
    if (what == DO_PUT)
      return nb ? ARMCI_NbPut(near, far, s->bytes, proc, h) : ARMCI_Put(near, far, s->bytes, proc);
    if (what == DO_GET)
      return nb ? ARMCI_NbGet(far, near, s->bytes, proc, h) : ARMCI_Get(far, near, s->bytes, proc);
    return ARMCI_Acc(types[type].op, scale, near, far, s->bytes, proc);
  }
  if (s->kind == STRIDED) {
    near += s->near_first, far += s->far_first;
    if (what == DO_PUT)
      return nb ? ARMCI_NbPutS(near, n, far, f, s->count, s->levels, proc, h)
                : ARMCI_PutS(near, n, far, f, s->count, s->levels, proc);
    if (what == DO_GET)
      return nb ? ARMCI_NbGetS(far, f, near, n, s->count, s->levels, proc, h)
                : ARMCI_GetS(far, f, near, n, s->count, s->levels, proc);
    return nb ? ARMCI_NbAccS(types[type].op, scale, near, n, far, f, s->count, s->levels, proc, h)
              : ARMCI_AccS(types[type].op, scale, near, n, far, f, s->count, s->levels, proc);
  }
  for (int k = 0; k < s->nblocks; k++)
    nears[k] = near + s->near_at[k], fars[k] = far + s->far_at[k];
  const int half = any(2) ? s->nblocks : (int)any((size_t)s->nblocks + 1);
  const int first = any(3) ? half : (int)any((size_t)half + 1);
  void **src = what == DO_GET ? fars : nears, **dst = what == DO_GET ? nears : fars;
  armci_giov_t v[4] = {{src, dst, first, s->bytes},
                       {src + first, dst + first, half - first, s->bytes},
                       {NULL, NULL, any(2) ? 0 : 5, 0},
                       {src + half, dst + half, s->nblocks - half, s->bytes}};
  const int lists = half < s->nblocks ? 4 : 2 + (int)any(2);
  if (what == DO_PUT) return nb ? ARMCI_NbPutV(v, lists, proc, h) : ARMCI_PutV(v, lists, proc);
  if (what == DO_GET) return nb ? ARMCI_NbGetV(v, lists, proc, h) : ARMCI_GetV(v, lists, proc);
  return nb ? ARMCI_NbAccV(types[type].op, scale, v, lists, proc, h)
            : ARMCI_AccV(types[type].op, scale, v, lists, proc);
}

static const char *const actions[] = {"put", "get", "acc"}, *const kinds[] = {"", "S", "V"},
                         *const hows[] = {"", " begun", " aggregate", " implicit"};

/* far_at: in the lane. The shape is there. local: memory for the near side, or NULL. */
static void operate(enum action what, int type, int proc, int k, size_t far_at, enum how how) {
  struct allocation *a = &allocations[k];
  struct shape *s = &shape;
  const size_t memory = any(MEMORIES);
  char *model = a->model[proc] + far_at, *want = NULL;
  char *buffer = near_new(s->near_span + 64, memory);
  struct {
    double d[2];
  } scale;
  memset(&scale, 0, sizeof scale);
  small_numbers(type, (char *)&scale, sizeof scale, any(1000));
  struct pending *p = NULL;
  for (int i = 0; i < PENDING && how != BLOCKING; i++)
    if (!pending[i].is_open) p = &pending[i];
  if (!p) how = BLOCKING;
  pending_clear(proc, k, far_at, far_at + s->far_span);
  nops++;
  snprintf(text, sizeof text,
           "%s%s%s of %d blocks of %d bytes, %d levels (%d %d %d; near %d %d, far %d %d), type %d, "
           "to %d allocation %d at %zu",
           actions[what], kinds[s->kind], hows[how], s->nblocks, s->bytes, s->levels, s->count[1],
           s->count[2], s->count[3], s->near[0], s->near[1], s->far[0], s->far[1], type, proc, k,
           far_at);
  if (loud) fprintf(stderr, "[proc %d] %d: %s\n", me, nops, text);
  if (what == DO_ACC)
    small_numbers(type, buffer, s->near_span, any(100000));
  else
    fill(buffer, s->near_span, any(1u << 30));
  if (what == DO_PUT) {
    if (type >= 2) small_numbers(type, buffer, s->near_span, any(100000));
    blocks_copy(model, s->far_at, buffer, s->near_at);
  } else if (what == DO_ACC)
    for (int b = 0; b < s->nblocks; b++)
      add(type, model + s->far_at[b], buffer + s->near_at[b], s->bytes, &scale);
  else {
    want = malloc(s->near_span + 1);
    memcpy(want, buffer, s->near_span);
    blocks_copy(want, s->near_at, model, s->far_at);
  }
  armci_hdl_t handle, *h = how == IMPLICIT ? NULL : &handle;
  const int which = (int)any(2);
  if (how == AGGREGATE) {
    h = &aggregate[which];
    if (!aggregate_uses[which]++) ARMCI_SET_AGGREGATE_HANDLE(h);
  }
  if (p)
    *p = (struct pending){.is_open = how != BLOCKING,
                          .is_get = what == DO_GET,
                          .how = how,
                          .handle = which,
                          .proc = proc,
                          .allocation = k,
                          .from = far_at,
                          .end = far_at + s->far_span,
                          .buffer = buffer,
                          .want = want,
                          .bytes = s->near_span,
                          .kind = memory};
  if (how == EXPLICIT) h = &p->handle;
  if (p) strcpy(p->text, text);
  CHECK_EQ(
      call(what, type, &scale, buffer, lane_at(a, proc, me) + far_at, proc, h, how != BLOCKING), 0);
  if (how != BLOCKING) return;
  if (what == DO_GET) must_equal(buffer, want, s->near_span, "the result");
  memset(buffer, 0x22, s->near_span);
  near_free(buffer, memory);
  free(want);
}

static void cells(int proc, int k, size_t at) {
  struct allocation *a = &allocations[k];
  char *far = lane_at(a, proc, me) + at, *model = a->model[proc] + at;
  const bool wide = any(2);
  const size_t size = wide ? 8 : 4;
  long was = 0, result = 0, value = (long)mix(any(1u << 30));
  pending_clear(proc, k, at, at + 16);
  memcpy(&was, model, size);
  nops++;
  const size_t what = any(8);
  snprintf(text, sizeof text, "cell %zu of %zu bytes, at %d allocation %d at %zu", what, size, proc,
           k, at);
  if (loud) fprintf(stderr, "[proc %d] %d: %s\n", me, nops, text);
  switch (what) {
  case 0:
    if (wide)
      ARMCI_PutValueLong(value, far, proc);
    else
      ARMCI_PutValueInt((int)value, far, proc);
    memcpy(model, &value, size);
    return;
  case 1: {
    armci_hdl_t h;
    if (wide)
      ARMCI_NbPutValueLong(value, far, proc, &h);
    else
      ARMCI_NbPutValueInt((int)value, far, proc, &h);
    ARMCI_Wait(&h);
    memcpy(model, &value, size);
    return;
  }
  case 2:
    if (wide)
      result = ARMCI_GetValueLong(far, proc);
    else
      memcpy(&result, &(int){ARMCI_GetValueInt(far, proc)}, 4);
    must_equal((char *)&result, (char *)&was, size, "the value");
    return;
  case 3: {
    long add = (int)value, now = was;
    ARMCI_Rmw(wide ? ARMCI_FETCH_AND_ADD_LONG : ARMCI_FETCH_AND_ADD, &result, far, (int)value,
              proc);
    must_equal((char *)&result, (char *)&was, size, "fetch and add");
    now = (long)((unsigned long)now + (unsigned long)add);
    memcpy(model, &now, size);
    return;
  }
  case 4:
    memcpy(&result, &value, size);
    ARMCI_Rmw(wide ? ARMCI_SWAP_LONG : ARMCI_SWAP, &result, far, 0, proc);
    must_equal((char *)&result, (char *)&was, size, "swap");
    memcpy(model, &value, size);
    return;
  case 5: {
    const float f = (float)(value % 1000);
    ARMCI_PutValueFloat(f, far, proc);
    memcpy(model, &f, 4);
    must_equal((char *)&(float){ARMCI_GetValueFloat(far, proc)}, (const char *)&f, 4, "the float");
    return;
  }
  case 6: {
    armci_hdl_t h;
    const float f = (float)(value % 1000);
    const double d = (double)(value % 1000);
    if (wide)
      ARMCI_NbPutValueDouble(d, far, proc, &h);
    else
      ARMCI_NbPutValueFloat(f, far, proc, &h);
    if (any(2)) ARMCI_Wait(&h);
    memcpy(model, wide ? (const void *)&d : &f, size);
    return;
  }
  default: {
    const double d = (double)(value % 1000);
    double got;
    ARMCI_PutValueDouble(d, far, proc);
    memcpy(model, &d, 8);
    got = ARMCI_GetValueDouble(far, proc);
    must_equal((char *)&got, (char *)&d, 8, "the double");
  }
  }
}

/* Something that is only read. */
static void read_there(int proc, int k) {
  const struct allocation *a = &allocations[k];
  const size_t lane = a->lane[proc], at = any(lane), bytes = any(lane - at + 1);
  char *all = malloc(lane), *got = malloc(bytes + 1);
  snprintf(text, sizeof text, "get of %zu bytes at %zu that are only read, of %d allocation %d",
           bytes, at, proc, k);
  fill(all, lane, a->number + (uint64_t)proc);
  CHECK_EQ(ARMCI_Get(lane_at(a, proc, np) + at, got, (int)bytes, proc), 0);
  must_equal(got, all + at, bytes, "the result");
  free(all);
  free(got);
}

static void one_operation(void) {
  const int k = (int)any(ALLOCATIONS), proc = (int)any((size_t)np);
  const struct allocation *a = &allocations[k];
  if (!a->is_live || a->lane[proc] < 64) return;
  const size_t lane = a->lane[proc], what = any(20);
  const enum how how = any(2) ? BLOCKING : (enum how)any(HOWS);
  if (what < 12) {
    const int type = (int)any(2);
    if (shape_new(what < 9 ? 1 : types[type].unit, lane - 16)) {
      const size_t at = any(lane - shape.far_span + 1);
      operate(what < 5   ? DO_PUT
              : what < 9 ? DO_GET
                         : DO_ACC,
              type, proc, k, what < 9 ? at : at / 8 * 8, how);
    }
  } else if (what < 14) { /* reals: numbers are put, added to and fetched */
    const int type = 2 + (int)any(4);
    if (!shape_new(types[type].unit, lane - 16)) return;
    const size_t at = any(lane - shape.far_span + 1) / 16 * 16;
    operate(DO_PUT, type, proc, k, at, how);
    for (int i = (int)any(3); i >= 0; i--) operate(DO_ACC, type, proc, k, at, (enum how)any(HOWS));
    operate(DO_GET, type, proc, k, at, how);
  } else if (what < 17)
    cells(proc, k, any((lane - 16) / 8) * 8);
  else if (what == 17)
    read_there(proc, k);
  else if (what == 18) {
    if (any(2))
      ARMCI_Fence(proc);
    else
      ARMCI_AllFence();
  } else if (any(3) == 0) {
    ARMCI_WaitAll();
    implicit_over(-1);
  } else if (any(2)) {
    ARMCI_WaitProc(proc);
    implicit_over(proc);
  } else
    aggregate_wait((int)any(2));
}

#endif
