/*
 * coarrays.c: storage of coarrays and of components, aliases, and what is asked of a handle: sizes,
 * cobounds, image indices (PRIF 0.8, storage management, coarray queries).
 */
#include <stdlib.h>

#include "caf/prif/glue.h"

enum { MAGIC = 0x636f6172, DEAD = 0x64656164 };

static weft_prif_coarray_t *all;

weft_prif_coarray_t *weft_prif_coarray_of(void *handle, const char *who) {
  weft_prif_coarray_t *c = handle;
  if (weft_unlikely(!c || c->magic != MAGIC))
    weft_caf_fatal("%s: the handle is no coarray's, or the coarray was deallocated", who);
  return c;
}

/* Upper cobounds are one fewer than the lower ones, or as many: the last one counts for nothing. */
static weft_prif_coarray_t *open_coarray(int corank, const int64_t *lower, int uppers,
                                         const int64_t *upper, const char *who) {
  if (corank < 1 || corank > WEFT_CAF_RANK_MAX || (uppers != corank && uppers != corank - 1))
    weft_caf_fatal("%s: %d lower and %d upper cobounds", who, corank, uppers);
  weft_prif_coarray_t *c = weft_caf_need(calloc(1, sizeof *c), who);
  c->magic = MAGIC;
  c->corank = corank;
  for (int d = 0; d < corank; d++) c->lower[d] = lower[d];
  for (int d = 0; d < corank - 1; d++) {
    c->upper[d] = upper[d];
    if (upper[d] < lower[d])
      weft_caf_fatal("%s: cobounds %lld to %lld", who, (long long)lower[d], (long long)upper[d]);
  }
  return c;
}

static void close_coarray(weft_prif_coarray_t *c) {
  c->magic = DEAD;
  free(c);
}

int weft_prif_allocate_coarray(int corank, const int64_t *lower, int uppers, const int64_t *upper,
                               size_t size, void (*final)(weft_prif_coarray_t *), void **handle,
                               void **memory) {
  weft_prif_team_t *team = weft_prif_team_of(NULL, "prif_allocate_coarray");
  weft_prif_coarray_t *c = open_coarray(corank, lower, uppers, upper, "prif_allocate_coarray");
  c->coarray = weft_caf_allocate(size, false, weft_prif_report());
  if (!c->coarray) {
    close_coarray(c);
    if (weft_prif_code() != PRIF_WRONG) return weft_prif_code();
    return weft_prif_fail(PRIF_OUT_OF_MEMORY,
                          "prif_allocate_coarray: out of memory, a coarray of %zu bytes", size);
  }
  c->data = c->coarray->base;
  c->size = size;
  c->context = &c->own_context;
  c->final = final;
  c->team = team;
  c->next = all;
  all = c;
  *handle = c;
  *memory = c->data;
  return weft_prif_code(); /* the living have it if an image has failed */
}

/* Does the statement go on, perhaps with the living only? */
static bool goes_on(int code) {
  return code == PRIF_GOOD || code == PRIF_FAILED_IMAGE;
}

static int deallocate(weft_prif_coarray_t *c) {
  weft_prif_coarray_t **at = &all;
  weft_caf_deallocate(c->coarray, true, weft_prif_report());
  if (!goes_on(weft_prif_code())) return weft_prif_code();
  while (*at != c) at = &(*at)->next;
  *at = c->next;
  close_coarray(c);
  return weft_prif_code();
}

/* Everybody is here before the final procedures run, and has run them before memory goes. */
int weft_prif_deallocate_coarrays(int n, void **handles) {
  weft_prif_team_t *team = weft_prif_team_of(NULL, "prif_deallocate_coarray");
  for (int i = 0; i < n; i++) {
    if (!handles[i])
      return weft_prif_fail(PRIF_WRONG, "prif_deallocate_coarray: the coarray is not allocated");
    const weft_prif_coarray_t *c = weft_prif_coarray_of(handles[i], "prif_deallocate_coarray");
    if (c->alias || c->team != team)
      return weft_prif_fail(PRIF_WRONG,
                            c->alias ? "prif_deallocate_coarray: the handle is an alias"
                                     : "prif_deallocate_coarray: the coarray is another team's");
  }
  weft_caf_sync_team(team->team, weft_prif_report(), "DEALLOCATE");
  int code = weft_prif_code();
  if (!goes_on(code)) return code;
  for (int i = 0; i < n; i++) {
    weft_prif_coarray_t *c = handles[i];
    if (c->final) c->final(c);
  }
  for (int i = 0; i < n && goes_on(code); i++) {
    const int now = deallocate(handles[i]);
    if (now) code = now;
  }
  return code;
}

int weft_prif_coarrays_end(void) {
  int n = 0;
  for (weft_prif_coarray_t *c = all; c; c = c->next) n += c->team == weft_prif_current;
  if (n == 0) return PRIF_GOOD;
  void **handles = weft_caf_need(malloc((size_t)n * sizeof *handles), "prif_end_team");
  n = 0;
  for (weft_prif_coarray_t *c = all; c; c = c->next)
    if (c->team == weft_prif_current) handles[n++] = c;
  const int code = weft_prif_deallocate_coarrays(n, handles);
  free(handles);
  return code;
}

int weft_prif_allocate(size_t size, void **memory) {
  weft_prif_team_of(NULL, "prif_allocate");
  void *p = weft_caf_component(NULL, size);
  if (!p)
    return weft_prif_fail(PRIF_OUT_OF_MEMORY, "prif_allocate: out of memory, %zu bytes", size);
  *memory = p;
  return PRIF_GOOD;
}

int weft_prif_deallocate(void *memory) {
  if (!memory) return PRIF_GOOD;
  if ((uintptr_t)memory - weft_caf_range.from >= weft_caf_range.size)
    return weft_prif_fail(PRIF_WRONG, "prif_deallocate: %p was not allocated by prif_allocate",
                          memory);
  weft_caf_component_release(memory);
  return PRIF_GOOD;
}

/* ---- aliases --------------------------------------------------------------------------------- */

void *weft_prif_alias_create(void *source, int corank, const int64_t *lower, int uppers,
                             const int64_t *upper, size_t offset) {
  const weft_prif_coarray_t *of = weft_prif_coarray_of(source, "prif_alias_create");
  weft_prif_coarray_t *c = open_coarray(corank, lower, uppers, upper, "prif_alias_create");
  c->coarray = of->coarray;
  c->data = of->data + offset;
  c->size = of->size;
  c->context = of->context;
  c->team = of->team;
  c->alias = true;
  return c;
}

void weft_prif_alias_destroy(void *handle) {
  weft_prif_coarray_t *c = weft_prif_coarray_of(handle, "prif_alias_destroy");
  if (!c->alias) weft_caf_fatal("prif_alias_destroy: the handle is a coarray's");
  close_coarray(c);
}

/* ---- what is asked of a handle: by these names in PRIF itself -------------------------------- */

typedef struct prif_coarray_handle {
  void *info;
} prif_coarray_handle_t;

void prif_set_context_data(prif_coarray_handle_t handle, void *data);
void prif_set_context_data(prif_coarray_handle_t handle, void *data) {
  *weft_prif_coarray_of(handle.info, "prif_set_context_data")->context = data;
}
void prif_get_context_data(prif_coarray_handle_t handle, void **data);
void prif_get_context_data(prif_coarray_handle_t handle, void **data) {
  *data = *weft_prif_coarray_of(handle.info, "prif_get_context_data")->context;
}
void prif_size_bytes(prif_coarray_handle_t handle, size_t *size);
void prif_size_bytes(prif_coarray_handle_t handle, size_t *size) {
  *size = weft_prif_coarray_of(handle.info, "prif_size_bytes")->size;
}
void prif_local_data_pointer(prif_coarray_handle_t handle, void **data);
void prif_local_data_pointer(prif_coarray_handle_t handle, void **data) {
  *data = weft_prif_coarray_of(handle.info, "prif_local_data_pointer")->data;
}

/* ---- cobounds -------------------------------------------------------------------------------- */

static weft_prif_coarray_t *of_corank(void *handle, int n, const char *who) {
  weft_prif_coarray_t *c = weft_prif_coarray_of(handle, who);
  if (n != c->corank) weft_caf_fatal("%s: %d values, but the corank is %d", who, n, c->corank);
  return c;
}

static int64_t extent(const weft_prif_coarray_t *c, int d) {
  return c->upper[d] - c->lower[d] + 1;
}

/* How many images the codimensions but the last have together. */
static int64_t images_before_last(const weft_prif_coarray_t *c) {
  int64_t n = 1;
  for (int d = 0; d < c->corank - 1; d++) n *= extent(c, d);
  return n;
}

int weft_prif_corank(void *handle) {
  return weft_prif_coarray_of(handle, "a coarray query")->corank;
}

void weft_prif_cobounds(void *handle, int n, int64_t *lower, int64_t *upper) {
  const weft_prif_coarray_t *c = of_corank(handle, n, "a coarray query");
  const int64_t before = images_before_last(c);
  for (int d = 0; d < n; d++) {
    lower[d] = c->lower[d];
    upper[d] = c->upper[d];
  }
  upper[n - 1] = c->lower[n - 1] + (weft_caf.images + before - 1) / before - 1;
}

void weft_prif_check_dim(int dim, int corank) {
  if (dim < 1 || dim > corank)
    weft_caf_fatal("a coarray query: dim %d, but the corank is %d", dim, corank);
}

/* Image of a team at these cosubscripts, or 0. */
static int index_of(const weft_prif_coarray_t *c, const int64_t *sub, int images) {
  int64_t index = 0, before = 1;
  for (int d = 0; d < c->corank; d++) {
    const int64_t i = sub[d] - c->lower[d];
    const bool last = d == c->corank - 1;
    if (i < 0 || (last ? i >= images : i >= extent(c, d))) return 0;
    index += i * before;
    if (!last) before *= extent(c, d);
  }
  return index < images ? (int)index + 1 : 0;
}

/* by_number: the team is the one of that number, else `info`. initial: the index in the initial
 * team. 0: there is no such image. */
int weft_prif_image_index(void *handle, int n, const int64_t *sub, void *info, bool by_number,
                          int64_t number, bool in_initial) {
  const weft_prif_coarray_t *c = of_corank(handle, n, "prif_image_index");
  const weft_caf_team_t *team = by_number ? weft_prif_team_numbered(number, "prif_image_index")
                                          : weft_prif_team_of(info, "prif_image_index")->team;
  const int index = index_of(c, sub, weft_caf_team_size(team));
  if (!index || !in_initial) return index;
  return 1 + weft_caf_team_pe(team, index);
}

int weft_prif_found(int index) {
  if (index) return PRIF_GOOD;
  return weft_prif_fail(PRIF_WRONG, "prif_initial_team_index: no image has these cosubscripts");
}

void weft_prif_cosubscripts(void *handle, int n, int64_t *sub, void *info) {
  const weft_prif_coarray_t *c = of_corank(handle, n, "prif_this_image_with_coarray");
  int64_t left =
      weft_caf_team_me(weft_prif_team_of(info, "prif_this_image_with_coarray")->team) - 1;
  for (int d = 0; d < n; d++) {
    const int64_t of = d == n - 1 ? left + 1 : extent(c, d);
    sub[d] = c->lower[d] + left % of;
    left /= of;
  }
}
