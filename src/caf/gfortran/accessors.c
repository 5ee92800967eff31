/*
 * accessors.c: gfortran 15 and later. What is wanted of another image's coarray is a function of
 * the program, an accessor, which gets, puts or looks at it where it is. It runs here on objects
 * that have no pointers in them and that this process can reach, and else in their owner's process
 * (src/caf/visit.c), because it follows pointers.
 *
 * An accessor may get arrays of subscripts out of `add`, what it was called with, from the image
 * that called it: for that it has a token of its own, which is good while it runs.
 */
#include <stdlib.h>
#include <string.h>

#include "caf/gfortran/abi.h"
#include "caf/gfortran/accessors.h"
#include "caf/gfortran/memory.h"

typedef void (*accessor_t)(void);
typedef void (*getter_t)(void *add, const int *caller, void *out, int *is_new, void *object,
                         void *token, size_t offset, size_t *out_length, const size_t *length);
typedef void (*putter_t)(void *add, const int *caller, void *object, const void *from, void *token,
                         size_t offset, const size_t *length, const size_t *from_length);
typedef void (*looker_t)(void *add, const int *caller, int *result, void *object, void *token,
                         size_t offset);

/* ---- registration ---------------------------------------------------------------------------- */

/* In the order of their registration: call sites keep the index. The hash is the same in every
 * image. */
static struct {
  struct {
    int hash;
    accessor_t run;
  } *entry;
  int n, room;
} known;

static size_t serve(int from, void *object, const weft_caf_visit_t *head, size_t n, void **result);

CAF(void, register_accessor, (int hash, accessor_t run)) {
  if (!known.n) weft_caf_visits(serve);
  if (known.n == known.room) {
    known.room = known.room ? 2 * known.room : 32;
    const size_t bytes = (size_t)known.room * sizeof *known.entry;
    known.entry = weft_caf_need(realloc(known.entry, bytes), "register_accessor");
  }
  known.entry[known.n].hash = hash;
  known.entry[known.n++].run = run;
}

/* Once per file of the program, and more may follow. */
CAF(void, register_accessors_finish, (void)) {}

CAF(int, get_remote_function_index, (int hash)) {
  for (int i = 0; i < known.n; i++)
    if (known.entry[i].hash == hash) return i;
  weft_caf_fatal("no accessor has the number %d; are the images of one program?", hash);
}

/* ---- an access ------------------------------------------------------------------------------- */

/* How an accessor is called, wherever it runs. */
typedef struct access {
  int index;
  void *add;
  size_t add_size;
  const gfc_t *bounds; /* the object is passed as this with its own address; NULL: as its address */
  size_t *length;      /* of characters here, and there; NULL: they are none */
  const size_t *object_length;
} access_t;

/* The accessor that runs in this thread, and whose `add` it has. */
static _Thread_local struct {
  const void *token;
  int from;
  uint64_t add;
} running;

static int own_pe(void) {
  return weft_caf_team_me(weft_caf.initial) - 1;
}

/* Where the object is. */
typedef struct target {
  int pe;
  bool back; /* it is what the image that called this accessor called it with, at: */
  uint64_t add;
  char *object; /* this image's own copy */
  char *here;   /* the PE's, if an accessor for it may run here */
  bool plain;   /* it has no pointers in it */
  size_t size, element;
} target_t;

static bool find(target_t *t, void *token, int image, void **team, const int *number, int *stat) {
  const weft_caf_report_t report = {.stat = stat};
  const weft_caf_coarray_t *c = token;
  const bool named = team && (*team || !number);
  const weft_caf_team_t *in = named ? weft_caf_team_of(*team, &report, "TEAM=") : NULL;
  uintptr_t at;
  if ((named && !in) || !gfc_is_allocated(c, &report)) return false;
  *t = (target_t){
      .object = c->base, .plain = c->element != 0, .size = c->size, .element = c->element};
  weft_caf_good(&report);
  if (token == running.token) {
    t->pe = running.from;
    t->add = running.add;
    t->back = t->pe != own_pe();
    t->here = t->back ? NULL : c->base;
    return true;
  }
  if (number && !in && !(in = weft_caf_team_numbered(*number, &report, "TEAM_NUMBER")))
    return false;
  t->pe = weft_caf_find(in, image, &report);
  if (t->pe < 0) return false;
  const bool near = weft_direct_at(c->base, t->pe, &at);
  if (t->pe == own_pe() || (near && c->element)) t->here = (char *)at;
  return true;
}

/* What an accessor takes for the object: its bounds in `copy`, or its address. */
static void *object_of(const access_t *a, char *object, gfc_t *copy) {
  if (!a->bounds) return object;
  memcpy(copy, a->bounds, weft_caf_descriptor_bytes(a->bounds->rank));
  copy->base = object;
  return copy;
}

/* Call it. True: what it got is malloc's. */
static bool call(enum kind kind, const access_t *a, int from_pe, uint64_t add, void *object,
                 void *out, const void *from) {
  const __typeof__(running) outer = running;
  weft_caf_coarray_t token = {.base = a->add, .size = a->add_size};
  const int caller = from_pe + 1;
  int is_new = 0;
  running.token = &token;
  running.from = from_pe;
  running.add = add;
  const accessor_t run = known.entry[a->index].run;
  if (kind == GET)
    ((getter_t)run)(a->add, &caller, out, &is_new, object, &token, 0, a->length, a->object_length);
  else if (kind == PUT)
    ((putter_t)run)(a->add, &caller, object, from, &token, 0, a->object_length, a->length);
  else
    ((looker_t)run)(a->add, &caller, out, object, &token, 0);
  running = outer;
  return is_new;
}

static bool call_here(enum kind kind, const access_t *a, void *object, void *out,
                      const void *from) {
  return call(kind, a, own_pe(), (uint64_t)(uintptr_t)a->add, object, out, from);
}

/* What an accessor looks at, where it has no bounds. */
static void *looked_at(void **object) {
  return WEFT_GFORTRAN >= 16 ? (void *)object : *object;
}

/* What another image sends has its elements one behind the other, whatever it says of strides. */
static void take_bounds(gfc_t *d) {
  weft_caf_section_t s;
  gfc_section(&s, d, 0);
  weft_caf_bounds(d, &s);
}

static size_t array_bytes(const gfc_t *d) {
  weft_caf_section_t s;
  gfc_section(&s, d, 0);
  return weft_caf_elements(&s) * d->elem_len;
}

/* ---- in the owner's process ------------------------------------------------------------------ */

static size_t padded(size_t n) {
  return (n + 15) & ~(size_t)15;
}

static void *need(size_t n) {
  return weft_caf_need(malloc(n), "a reference to a coarray");
}

/* In front of what was got: its bounds and length, or whether it is present. */
typedef struct got {
  gfc_t d;
  uint64_t length;
  uint64_t bytes;
} got_t;

static size_t serve_get(const gfc_request_t *q, const access_t *a, int from, void *object,
                        const gfc_t *like, void **result) {
  got_t got = {.length = q->length};
  void *p = NULL;
  bool is_new;
  if (like) {
    memcpy(&got.d, like, q->data_bounds);
    got.d.base = NULL;
    call(GET, a, from, q->add, object, &got.d, NULL);
    got.bytes = array_bytes(&got.d);
    p = got.d.base;
    is_new = true;
  } else {
    is_new = call(GET, a, from, q->add, object, &p, NULL);
    const size_t length = a->length ? *a->length : 1;
    if (__builtin_mul_overflow(q->data, length, &got.bytes) || got.bytes > PTRDIFF_MAX - sizeof got)
      weft_caf_fatal("image %d sent a reference that makes no sense", from + 1);
  }
  if (a->length) got.length = *a->length;
  char *all = need(sizeof got + got.bytes);
  memcpy(all, &got, sizeof got);
  if (got.bytes) memcpy(all + sizeof got, p, got.bytes);
  if (is_new) free(p);
  *result = all;
  return sizeof got + got.bytes;
}

/* Do the elements that a descriptor names, one behind the other, take so many bytes? */
static bool takes(const gfc_t *d, uint64_t bytes) {
  size_t n = d->elem_len;
  for (int i = 0; i < d->rank; i++) {
    const ptrdiff_t lower = d->dim[i].lower, upper = d->dim[i].upper;
    if (__builtin_mul_overflow(n, upper < lower ? 0 : (size_t)upper - (size_t)lower + 1, &n))
      return false;
  }
  return n == bytes && n <= PTRDIFF_MAX;
}

/* Is all that a request of n bytes names in it? */
static bool makes_sense(const gfc_request_t *q, size_t n) {
  if (n < sizeof *q || q->kind > LOOK) return false;
  const bool put = q->kind == PUT;
  const size_t parts[] = {q->bounds, q->data_bounds, q->add_size, put ? q->data : 0};
  const char *at = (const char *)(q + 1), *data_bounds = NULL;
  n -= sizeof *q;
  for (int i = 0; i < 4; i++) {
    const size_t part = i < 3 ? padded(parts[i]) : parts[i];
    if (parts[i] > n || part > n) return false;
    if (i < 2 && parts[i] && !weft_caf_is_descriptor(at, parts[i])) return false;
    if (i == 1 && parts[i]) data_bounds = at;
    at += part, n -= part;
  }
  return !put || !data_bounds || takes((const gfc_t *)(const void *)data_bounds, q->data);
}

static size_t serve(int from, void *object, const weft_caf_visit_t *head, size_t n, void **result) {
  const gfc_request_t *q = (const gfc_request_t *)(const void *)head;
  char *at = (char *)(uintptr_t)(q + 1);
  if (!makes_sense(q, n)) weft_caf_fatal("image %d sent a reference that makes no sense", from + 1);
  gfc_t *bounds = q->bounds ? (gfc_t *)at : NULL;
  at += padded(q->bounds);
  gfc_t *like = q->data_bounds ? (gfc_t *)at : NULL;
  char *add = at + padded(q->data_bounds), *data = add + padded(q->add_size);
  size_t length = q->length, object_length = q->object_length;
  const access_t a = {.index = _gfortran_caf_get_remote_function_index(q->hash),
                      .add = add,
                      .add_size = q->add_size,
                      .bounds = bounds,
                      .length = q->lengths & 1 ? &length : NULL,
                      .object_length = q->lengths & 2 ? &object_length : NULL};
  if (bounds) bounds->base = object;
  void *argument = bounds ? (void *)bounds : object;
  if (q->kind == GET) return serve_get(q, &a, from, argument, like, result);
  if (q->kind == PUT) {
    if (like) like->base = data, take_bounds(like);
    call(PUT, &a, from, q->add, argument, NULL, like ? (void *)like : data);
    return 0;
  }
  int *present = need(sizeof *present);
  call(LOOK, &a, from, q->add, bounds ? argument : looked_at(&object), present, NULL);
  *result = present;
  return sizeof *present;
}

/* ---- by way of the owner --------------------------------------------------------------------- */

static WEFT_COLD void refuse_answer(const target_t *t) {
  weft_caf_fatal("image %d gave an answer that makes no sense", t->pe + 1);
}

/* Data of a put: packed at `data`, bounds `like` (NULL: a scalar). The answer, and its bytes. NULL:
 * the image has failed. */
static void *visit(const target_t *t, enum kind kind, const access_t *a, const gfc_t *like,
                   const void *data, size_t bytes, size_t expected, size_t *result_n) {
  const size_t bounds = a->bounds ? weft_caf_descriptor_bytes(a->bounds->rank) : 0;
  const size_t data_bounds = like ? weft_caf_descriptor_bytes(like->rank) : 0;
  const size_t n = sizeof(gfc_request_t) + padded(bounds) + padded(data_bounds) +
                   padded(a->add_size) + (kind == PUT ? bytes : 0);
  gfc_request_t *q = need(n);
  char *at = (char *)(q + 1);
  weft_caf_visit_t head = {.at = t->add};
  if (!t->back) weft_caf_visit_object(&head, t->object);
  *q = (gfc_request_t){.head = head,
                       .hash = known.entry[a->index].hash,
                       .kind = (uint8_t)kind,
                       .lengths = (uint8_t)((a->length ? 1 : 0) | (a->object_length ? 2 : 0)),
                       .bounds = (uint32_t)bounds,
                       .data_bounds = (uint32_t)data_bounds,
                       .add = (uint64_t)(uintptr_t)a->add,
                       .add_size = a->add_size,
                       .data = bytes,
                       .length = a->length ? *a->length : 0,
                       .object_length = a->object_length ? *a->object_length : 0};
  if (bounds) memcpy(at, a->bounds, bounds);
  at += padded(bounds);
  if (data_bounds) memcpy(at, like, data_bounds);
  at += padded(data_bounds);
  if (a->add_size) memcpy(at, a->add, a->add_size);
  if (kind == PUT && bytes) memcpy(at + padded(a->add_size), data, bytes);
  void *result = weft_caf_visit(t->pe, &q->head, n, expected, result_n);
  free(q);
  return result;
}

static void say_failed(int image, int *stat) {
  weft_caf_fail(&(weft_caf_report_t){.stat = stat}, WEFT_CAF_FAILED_IMAGE, "image %d has failed",
                image);
}

/* ---- get ------------------------------------------------------------------------------------- */

/* Is all in the answer of n bytes that it names? An array `d` either becomes the one that came, or
 * has room for it; but a variable's descriptor does not say how long its characters are. */
static bool is_answer(const got_t *got, size_t n, const gfc_t *d, bool becomes) {
  if (n < sizeof *got || n - sizeof *got != got->bytes) return false;
  if (!d) return true;
  if (got->d.rank < 0 || got->d.rank > WEFT_CAF_RANK_MAX || (d->rank && got->d.rank != d->rank))
    return false;
  if (becomes) return takes(&got->d, got->bytes);
  return d->type == GFC_CHARACTER || got->bytes <= array_bytes(d);
}

/* An array that was got elsewhere, packed at `data`. */
static void take_array(gfc_t *d, const got_t *got, const void *data, bool may_move) {
  if (may_move) {
    free(d->base);
    memcpy(d, &got->d, weft_caf_descriptor_bytes(d->rank ? d->rank : got->d.rank));
    take_bounds(d);
    d->base = need(got->bytes + !got->bytes);
  }
  if (got->bytes) memcpy(d->base, data, got->bytes);
}

/* The accessor gives the array memory of its own. */
static void get_array_here(const access_t *a, void *object, gfc_t *d, bool may_move) {
  void *base = d->base;
  if (may_move || !base) {
    call_here(GET, a, object, d, NULL);
    return;
  }
  gfc_t got;
  memcpy(&got, d, weft_caf_descriptor_bytes(d->rank));
  got.base = NULL;
  call_here(GET, a, object, &got, NULL);
  const size_t bytes = array_bytes(&got);
  if (bytes) memcpy(base, got.base, bytes);
  free(got.base);
}

/* An accessor that gets a scalar of an object without pointers only computes its address. So it may
 * be asked for the place in this image's own copy. False: it did not lie there. */
static bool get_by_place(const target_t *t, const access_t *a, void *to, size_t bytes) {
  gfc_t copy;
  void *at = NULL;
  uintptr_t there;
  if (!t->plain || t->back) return false;
  const bool is_new = call_here(GET, a, object_of(a, t->object, &copy), &at, NULL);
  if (is_new) free(at);
  if (is_new || bytes > t->size || (uintptr_t)at - (uintptr_t)t->object > t->size - bytes)
    return false;
  if (weft_direct_at(at, t->pe, &there))
    memcpy(to, (const void *)there, bytes);
  else
    weft_caf_get_away(t->pe, at, to, bytes);
  return true;
}

/* `d` of an array, else `to` for `size` bytes. */
static bool get(const target_t *t, const access_t *a, gfc_t *d, bool may_move, void *to,
                size_t size) {
  gfc_t copy;
  const size_t bytes = !d ? (a->length ? size * *a->length : size) : 0;
  if (t->here && d) {
    get_array_here(a, object_of(a, t->here, &copy), d, may_move);
    return true;
  }
  if (t->here) {
    void *at = NULL;
    const bool is_new = call_here(GET, a, object_of(a, t->here, &copy), &at, NULL);
    if (bytes) memcpy(to, at, bytes);
    if (is_new) free(at);
    return true;
  }
  if (!d && get_by_place(t, a, to, bytes)) return true;
  const size_t expected = d ? (d->base && !may_move ? array_bytes(d) : 4096) : bytes;
  size_t n;
  got_t *got = visit(t, GET, a, d, NULL, size, sizeof *got + expected, &n);
  if (!got) return false;
  if (!is_answer(got, n, d, d && (may_move || !d->base))) refuse_answer(t);
  if (a->length) *a->length = got->length;
  if (d)
    take_array(d, got, got + 1, may_move || !d->base);
  else
    memcpy(to, got + 1, got->bytes < bytes ? got->bytes : bytes);
  free(got);
  return true;
}

CAF(void, get_from_remote,
    (void *token, const gfc_t *bounds, const size_t *length, int image, size_t size, void **to,
     size_t *to_length, gfc_t *d, bool may_move, int index, void *add, size_t add_size, int *stat,
     void **team, int *number)) {
  const access_t a = {index, add, add_size, bounds, to_length, length};
  target_t t;
  if (find(&t, token, image, team, number, stat) && !get(&t, &a, d, may_move, d ? NULL : *to, size))
    say_failed(image, stat);
}

CAF(int, is_present_on_remote, (void *token, int image, int index, void *add, size_t add_size)) {
  const weft_caf_coarray_t *c = token;
  if (!c) return 0; /* the coarray itself is not allocated */
  const gfc_t *bounds = c->bounds ? c->bounds : c->descriptor; /* which may have moved */
  const access_t a = {.index = index,
                      .add = add,
                      .add_size = add_size,
                      .bounds = bounds && bounds->rank > 0 ? bounds : NULL};
  target_t t;
  gfc_t copy;
  int present = 0;
  if (!find(&t, token, image, NULL, NULL, NULL)) return 0;
  if (t.here) {
    void *object = t.here;
    call_here(LOOK, &a, a.bounds ? object_of(&a, object, &copy) : looked_at(&object), &present,
              NULL);
    return present;
  }
  size_t n;
  int *said = visit(&t, LOOK, &a, NULL, NULL, 0, sizeof *said, &n);
  if (!said) say_failed(image, NULL);
  if (n != sizeof *said) refuse_answer(&t);
  present = *said;
  free(said);
  return present;
}

/* ---- put ------------------------------------------------------------------------------------- */

/* Elements one behind the other; `packed` says so. What it returns is to be freed, or NULL: they
 * are so already. */
static char *pack(gfc_t *packed, const gfc_t *d, size_t *bytes) {
  weft_caf_section_t from, to;
  gfc_section(&from, d, 0);
  from.element.class = WEFT_CAF_RAW;
  *bytes = weft_caf_elements(&from) * d->elem_len;
  char *memory = weft_caf_bounce(&to, &from);
  weft_caf_copy(&to, &from);
  memcpy(packed, d, weft_caf_descriptor_bytes(d->rank));
  packed->base = memory;
  weft_caf_bounds(packed, &to);
  return memory;
}

/* A scalar without pointers, all of it: what the accessor makes of it here is put. */
static bool put_whole(const target_t *t, const access_t *a, const void *from) {
  enum { LARGEST = 64 };
  _Alignas(16) char made[LARGEST];
  uintptr_t there;
  if (!t->plain || t->back || a->bounds || t->size > LARGEST || t->size != t->element) return false;
  call_here(PUT, a, made, NULL, from);
  if (weft_direct_at(t->object, t->pe, &there))
    memcpy((void *)there, made, t->size);
  else
    weft_caf_put_away(t->pe, t->object, made, t->size);
  return true;
}

/* `d` of an array, which may share memory with the object if that is here; else a scalar `from`. */
static bool put(const target_t *t, const access_t *a, const gfc_t *d, const void *from,
                size_t size) {
  gfc_t copy, packed;
  size_t bytes = a->length ? size * *a->length : size;
  char *memory = NULL;
  bool done = true;
  if (d && (!t->here || t->pe == own_pe())) memory = pack(&packed, d, &bytes);
  const gfc_t *source = memory ? &packed : d;
  if (t->here) {
    call_here(PUT, a, object_of(a, t->here, &copy), NULL, d ? (const void *)source : from);
  } else if (d || !put_whole(t, a, from)) {
    size_t n;
    void *nothing = visit(t, PUT, a, source, d ? memory : from, bytes, 0, &n);
    done = nothing != NULL;
    free(nothing);
  }
  free(memory);
  return done;
}

CAF(void, send_to_remote,
    (void *token, gfc_t *bounds, const size_t *length, int image, size_t size, const void *from,
     const size_t *from_length, const gfc_t *d, int index, void *add, size_t add_size, int *stat,
     void **team, int *number)) {
  const access_t a = {index, add, add_size, bounds, (size_t *)(uintptr_t)from_length, length};
  target_t t;
  if (find(&t, token, image, team, number, stat) && !put(&t, &a, d, from, size))
    say_failed(image, stat);
}

/* gfortran 15 passes the last six in another order, and only four of them: no team of `from`. */
#if WEFT_GFORTRAN >= 16
#define LAST                                                                                       \
  int *to_stat, int *from_stat, void **to_team, int *to_number, void **from_team, int *from_number
#else
#define LAST int *to_stat, void **to_team, int *to_number, int *from_stat
#endif

/* From one image to another, through memory here. */
CAF(void, transfer_between_remotes,
    (void *to_token, gfc_t *to_bounds, size_t *to_length, int to_image, int to_index, void *to_add,
     size_t to_add_size, void *from_token, const gfc_t *from_bounds, const size_t *from_length,
     int from_image, int from_index, void *from_add, size_t from_add_size, size_t size, bool scalar,
     LAST)) {
#if WEFT_GFORTRAN < 16
  void **from_team = NULL;
  int *from_number = NULL;
#endif
  size_t length = from_length ? *from_length : 0;
  size_t *got = from_length ? &length : NULL;
  const access_t to = {to_index, to_add, to_add_size, to_bounds, got, to_length};
  const access_t from = {from_index, from_add, from_add_size, from_bounds, got, from_length};
  target_t source, target;
  gfc_t d = {0};
  if (!find(&source, from_token, from_image, from_team, from_number, from_stat) ||
      !find(&target, to_token, to_image, to_team, to_number, to_stat))
    return;
  void *memory = scalar ? need((got ? size * length : size) + 1) : NULL;
  const bool there = get(&source, &from, scalar ? NULL : &d, true, memory, size);
  if (scalar && from_length && length > *from_length) length = *from_length; /* as `memory` has */
  if (!there)
    say_failed(from_image, from_stat);
  else if (!put(&target, &to, scalar ? NULL : &d, memory, size))
    say_failed(to_image, to_stat);
  free(scalar ? memory : d.base);
}
