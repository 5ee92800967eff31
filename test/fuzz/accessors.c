/*
 * gfortran 15 and later (caf/visit.c, caf/gfortran/accessors.c): any requests of PEs of other nodes
 * to accessors of this process, as the owner's thread hands them on, and any answers to what this
 * PE wants. An input is a list of these, each behind its length of two bytes; a length with its
 * highest bit stands for a call of gfortran's, which the next records answer. What only an accessor
 * knows is made right: which kind it is, and how much it takes of a scalar.
 */
#include <stdlib.h>
#include <string.h>

#include "caf/calls15.h"
#include "caf/gfortran/accessors.h"
#include "caf/internal.h"
#include "wire.h"

enum { AWAY = 2, IMAGE = AWAY + 1, OBJECT = 3 * PAGE, WORDS = 8, CALL = 1 << 15, LONGEST = 64 };
enum { ARRAY = 1, SCALAR, TEXT, STORE, STORE_ONE, IS, BACK, ACCESSORS };

void __wrap_weft_owner_register(int number, weft_owner_t function);
void __wrap_weft_owner_serve(void);
uint64_t __wrap_weft_owner_call(int pe, int number, const void *data, size_t n, void *reply,
                                size_t reply_max);
void __wrap_weft_job_exit(int status);

static weft_owner_t serve;
static weft_caf_coarray_t coarray;
static const uint8_t *input, *input_end;

/* The elements of an array where a program looks for them. */
static void look_at_all(const gfc_t *d) {
  size_t index[WEFT_CAF_RANK_MAX] = {0}, n = d->elem_len ? 1 : 0;
  FUZZ_CHECK(d->rank >= 0 && d->rank <= WEFT_CAF_RANK_MAX);
  for (int i = 0; i < d->rank; i++) {
    const ptrdiff_t lower = d->dim[i].lower, upper = d->dim[i].upper;
    n *= upper < lower ? 0 : (size_t)upper - (size_t)lower + 1;
  }
  for (size_t left = n; left > 0; left--) {
    size_t at = d->offset;
    for (int i = 0; i < d->rank; i++)
      at += ((size_t)d->dim[i].lower + index[i]) * (size_t)d->dim[i].stride;
    wire_look_at((const char *)((uintptr_t)d->base + at * (size_t)d->span), d->elem_len);
    for (int i = 0; i < d->rank; i++) {
      if (++index[i] <= (size_t)d->dim[i].upper - (size_t)d->dim[i].lower) break;
      index[i] = 0;
    }
  }
}

static gfc_t describe(void *base, size_t bytes, ptrdiff_t n) {
  gfc_t d = {.base = base, .offset = (size_t)-1, .elem_len = bytes, .rank = 1, .span = (long)bytes};
  d.type = GFC_INTEGER;
  d.dim[0].stride = d.dim[0].lower = 1, d.dim[0].upper = n;
  return d;
}

/* ---- accessors; `token` is of what came with the call ---------------------------------------- */

static void look_at_call(const weft_caf_coarray_t *token, const gfc_t *object, bool bounds) {
  wire_look_at(token->base, token->size);
  if (bounds) wire_look_at(object, weft_caf_descriptor_bytes(object->rank));
}

static bool has_bounds; /* the object of the request that is served */
static char scalar[PAGE];

static void get_array(void *add, const int *caller, gfc_t *out, int *is_new, gfc_t *object,
                      weft_caf_coarray_t *token) {
  (void)add, (void)caller;
  look_at_call(token, object, has_bounds);
  *out = describe(calloc(WORDS, 8), 8, WORDS);
  *is_new = 1;
}

static void get_scalar(void *add, const int *caller, void **out, int *is_new, gfc_t *object,
                       weft_caf_coarray_t *token) {
  (void)add, (void)caller;
  look_at_call(token, object, has_bounds);
  *out = scalar, *is_new = 0;
}

static void get_text(void *add, const int *caller, void **out, int *is_new, gfc_t *object,
                     weft_caf_coarray_t *token, size_t offset, size_t *length) {
  (void)offset;
  get_scalar(add, caller, out, is_new, object, token);
  *length = LONGEST;
}

/* It asks the caller for what came with the call. */
static void get_back(void *add, const int *caller, gfc_t *out, int *is_new, gfc_t *object,
                     weft_caf_coarray_t *token) {
  gfc_t v = describe(NULL, 8, 0);
  void *to = NULL;
  int stat;
  get_array(add, caller, out, is_new, object, token);
  _gfortran_caf_get_from_remote(token, NULL, NULL, *caller, 0, &to, NULL, &v, true, ARRAY - 1, NULL,
                                0, &stat, NULL, NULL);
  look_at_all(&v);
  free(v.base);
}

static void put_array(void *add, const int *caller, gfc_t *object, const gfc_t *from,
                      weft_caf_coarray_t *token) {
  (void)add, (void)caller;
  look_at_call(token, object, has_bounds);
  look_at_all(from);
}

static void put_scalar(void *add, const int *caller, gfc_t *object, const void *from,
                       weft_caf_coarray_t *token) {
  (void)add, (void)caller;
  look_at_call(token, object, has_bounds);
  wire_look_at(from, 8);
}

static void is_there(void *add, const int *caller, int *result, gfc_t *object,
                     weft_caf_coarray_t *token) {
  (void)add, (void)caller;
  look_at_call(token, object, has_bounds);
  *result = 1;
}

/* ---- what they stand on ---------------------------------------------------------------------- */

void __wrap_weft_owner_register(int number, weft_owner_t function) {
  FUZZ_CHECK(number == 0);
  serve = function;
}

void __wrap_weft_owner_serve(void) {
}

/* Of a call without stat=. */
void __wrap_weft_job_exit(int status) {
  weft_fatal("the job ended with status %d", status);
}

static size_t next_record(unsigned *how) {
  const unsigned head = input[0] | (unsigned)input[1] << 8;
  const size_t left = (size_t)(input_end - input) - 2, n = head & (CALL - 1);
  input += 2;
  *how = head;
  return head & CALL ? 0 : n < left ? n : left;
}

/* There is room for reply_max bytes. Without another record the image has failed. */
uint64_t __wrap_weft_owner_call(int pe, int number, const void *data, size_t n, void *reply,
                                size_t reply_max) {
  unsigned how;
  FUZZ_CHECK(pe == AWAY && number == 0);
  wire_look_at(data, n);
  if (reply_max > UINT32_MAX) weft_fatal("more than 4 GB");
  if (input_end - input < 2) return WEFT_NO_RESULT;
  n = next_record(&how);
  if (reply_max) memset(reply, 0, reply_max);
  if (reply_max) memcpy(reply, input, n < reply_max ? n : reply_max);
  input += n;
  return 0;
}

static __attribute__((constructor)) void make_job(void) {
  static void *const run[] = {get_array, get_scalar, get_text,  put_array,
                              put_scalar, is_there,  get_back};
  static weft_caf_team_t team = {.number = -1, .size = PES, .me = 1};
  wire_job(true);
  for (int pe = AWAY; pe < PES; pe++) weft_job.disp[pe] = -weft_job.window.base;
  weft_direct.disp = weft_job.disp;
  weft_caf.team = weft_caf.initial = &team;
  weft_caf.images = PES, weft_caf.me = 1;
  coarray = (weft_caf_coarray_t){.base = (char *)weft_job.window.base + OBJECT, .size = 64};
  for (int i = 0; i < ACCESSORS - 1; i++)
    _gfortran_caf_register_accessor(i + 1, (void (*)(void))run[i]);
}

/* ---- requests -------------------------------------------------------------------------------- */

/* Only the accessor knows what kind it is, and how long a scalar. */
static void make_fit(gfc_request_t *q) {
  static const uint8_t kinds[] = {GET, GET, GET, PUT, PUT, LOOK, GET};
  enum { KNOWN = 16 }; /* as which they come; others there are not */
  if (q->hash < 1 || q->hash >= KNOWN) return;
  const int which = (q->hash - 1) % (ACCESSORS - 1) + 1;
  q->hash = which;
  if (q->kind <= LOOK) q->kind = kinds[which - 1];
  if (which == SCALAR || which == TEXT || which == STORE_ONE) q->data_bounds = 0;
  if (which != TEXT) q->lengths &= 2;
  if (which == TEXT) q->lengths |= 1;
  if (which == SCALAR && q->data <= PTRDIFF_MAX) q->data %= sizeof scalar;
  if (which == TEXT && q->data <= UINT32_MAX) q->data %= sizeof scalar / LONGEST;
}

/* Does it have what its accessor needs? */
static bool is_whole(const gfc_request_t *q) {
  const bool array = q->hash == ARRAY || q->hash == STORE || q->hash == BACK;
  if (array && !q->data_bounds) return false;
  if (q->hash == SCALAR) return q->data <= sizeof scalar || q->data > PTRDIFF_MAX;
  return q->hash != STORE_ONE || q->data >= 8;
}

static void carry_out(size_t n) {
  enum { MOST = 256 };
  gfc_request_t q = {.hash = 0};
  char *request = malloc(n ? n : 1), *reply = malloc(MOST);
  FUZZ_CHECK(request && reply);
  memcpy(request, input, n);
  input += n;
  memcpy(&q, request, n < sizeof q ? n : sizeof q);
  if (n >= sizeof q) make_fit(&q), memcpy(request, &q, sizeof q);
  has_bounds = q.bounds != 0;
  size_t got = n ? (uint8_t)request[n - 1] : 0;
  if (n < sizeof q || q.head.kept || is_whole(&q)) {
    serve(AWAY, request, n, reply, &got);
    FUZZ_CHECK(got <= MOST);
    const uint64_t *answer = (const uint64_t *)(const void *)reply; /* bytes, and where kept */
    if (answer[1]) { /* it is asked for */
      weft_caf_visit_t rest = {.kept = answer[1]};
      got = answer[0];
      char *all = malloc(got);
      serve(AWAY, &rest, sizeof rest, all, &got);
      free(all);
    }
  }
  free(request);
  free(reply);
}

/* ---- this PE's own --------------------------------------------------------------------------- */

static void refer(unsigned how) {
  size_t length = how >> 8 & 31;
  const size_t lengths = length;
  void *to = calloc(WORDS, 8);
  gfc_t d = describe(to, 8, WORDS);
  int stat = 0;
  FUZZ_CHECK(to != NULL);
  switch (how & 7) {
  case 0: /* into an array; 1: which becomes what comes */
  case 1:
    _gfortran_caf_get_from_remote(&coarray, NULL, NULL, IMAGE, 0, &to, NULL, &d, how & 1,
                                  ARRAY - 1, &length, sizeof length, &stat, NULL, NULL);
    look_at_all(&d);
    to = d.base;
    break;
  case 2:
    _gfortran_caf_get_from_remote(&coarray, NULL, NULL, IMAGE, 8 * WORDS, &to, NULL, NULL, false,
                                  SCALAR - 1, NULL, 0, &stat, NULL, NULL);
    break;
  case 3:
    _gfortran_caf_get_from_remote(&coarray, NULL, NULL, IMAGE, 1, &to, &length, NULL, false,
                                  TEXT - 1, NULL, 0, &stat, NULL, NULL);
    break;
  case 4: _gfortran_caf_is_present_on_remote(&coarray, IMAGE, IS - 1, NULL, 0); break;
  case 5:
    _gfortran_caf_send_to_remote(&coarray, NULL, NULL, IMAGE, 0, NULL, NULL, &d, STORE - 1, NULL, 0,
                                 &stat, NULL, NULL);
    break;
  case 6: /* from there to there: an array; 7: characters */
  case 7:
    _gfortran_caf_transfer_between_remotes(
        &coarray, NULL, NULL, IMAGE, (how & 1 ? STORE_ONE : STORE) - 1, NULL, 0, &coarray, NULL,
        how & 1 ? &lengths : NULL, IMAGE, (how & 1 ? TEXT : ARRAY) - 1, NULL, 0, 1, how & 1, &stat,
        &stat, NULL, NULL, NULL, NULL);
    break;
  }
  free(to);
}

bool fuzz_input(const uint8_t *data, size_t size) {
  input = data, input_end = data + size;
  if (setjmp(fuzz_end)) return false;
  while (input_end - input >= 2) {
    unsigned how;
    const size_t n = next_record(&how);
    if (how & CALL)
      refer(how);
    else
      carry_out(n);
  }
  return true;
}
