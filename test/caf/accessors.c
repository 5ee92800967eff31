/*
 * The calls of gfortran 15 and 16, as such a compiler emits them: accessors registered by a
 * constructor, got, put and looked at on other images, through pointers that only the owner may
 * follow, with subscripts that the accessor fetches from its caller, and from one image to another.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "caf/gfortran/abi.h"
#include "calls15.h"
#include "check.h"

void _gfortran_caf_init(int *, char ***);
void _gfortran_caf_finalize(void);
void _gfortran_caf_register(size_t, int, void **, gfc_t *, int *, char *, size_t);
void _gfortran_caf_deregister(void **, int, int *, char *, size_t);
void _gfortran_caf_sync_all(int *, char *, size_t);
#if WEFT_GFORTRAN >= 16
int _gfortran_caf_this_image(void *);
int _gfortran_caf_num_images(void *, int *);
#define THIS_IMAGE() _gfortran_caf_this_image(NULL)
#define NUM_IMAGES() _gfortran_caf_num_images(NULL, NULL)
#define LAST &stat, &stat, NULL, NULL, NULL, NULL
#else
int _gfortran_caf_this_image(int);
int _gfortran_caf_num_images(int, int);
#define THIS_IMAGE() _gfortran_caf_this_image(0)
#define NUM_IMAGES() _gfortran_caf_num_images(0, -1)
#define LAST &stat, NULL, NULL, &stat
#endif

enum { N = 10, BIG = 100000 };

/* type(node): k, and v(:), which is allocatable, so it points into its owner's memory. */
typedef struct node {
  int k, pad;
  gfc_t v;
} node_t;

static void *scalar_token, *array_token, *node_token;
static int *scalar, *array;
static node_t *node;

static gfc_t describe(void *base, int n) {
  gfc_t d = {
      .base = base, .offset = (size_t)-1, .elem_len = 4, .rank = 1, .type = GFC_INTEGER, .span = 4};
  d.dim[0].stride = d.dim[0].lower = 1;
  d.dim[0].upper = n;
  return d;
}

/* ---- what the compiler makes of x[i], a(k)[i], a(v)[i], x%v(:)[i] ... ---- */

typedef struct at {
  int k;
} at_t;
typedef struct many {
  gfc_t v; /* subscripts, in the caller's memory */
} many_t;

static void get_scalar(void *add, const int *caller, void **out, int *is_new, int *x) {
  (void)add, (void)caller;
  *out = x;
  *is_new = 0;
}
static void get_element(const at_t *add, const int *caller, void **out, int *is_new, gfc_t *a) {
  (void)caller;
  *out = (int *)a->base + add->k - 1;
  *is_new = 0;
}
static void get_component(void *add, const int *caller, gfc_t *out, int *is_new, node_t *x) {
  (void)add, (void)caller;
  const int n = (int)x->v.dim[0].upper;
  free(out->base);
  *out = describe(malloc((size_t)n * 4), n);
  memcpy(out->base, x->v.base, (size_t)n * 4);
  *is_new = 1;
}
static void get_subscripts(many_t *add, const int *caller, gfc_t *out, int *is_new, many_t *base) {
  (void)add, (void)caller;
  const int n = (int)base->v.dim[0].upper;
  *out = describe(malloc((size_t)n * 4), n);
  memcpy(out->base, base->v.base, (size_t)n * 4);
  *is_new = 1;
}
enum {
  SCALAR = 101,
  ELEMENT,
  COMPONENT,
  SUBSCRIPTS,
  BY_VECTOR,
  PUT_SCALAR,
  PUT_ARRAY,
  PUT_COMPONENT,
  PRESENT,
  HAS_ALL
};

static void get_by_vector(many_t *add, const int *caller, gfc_t *out, int *is_new, gfc_t *a,
                          void *token) {
  gfc_t v = describe(NULL, 0);
  void *data = NULL;
  (void)add;
  _gfortran_caf_get_from_remote(token, NULL, NULL, *caller, 0, &data, NULL, &v, true,
                                _gfortran_caf_get_remote_function_index(SUBSCRIPTS), NULL, 0, NULL,
                                NULL, NULL);
  const int n = (int)v.dim[0].upper;
  *out = describe(malloc((size_t)n * 4), n);
  for (int i = 0; i < n; i++) ((int *)out->base)[i] = ((int *)a->base)[((int *)v.base)[i] - 1];
  free(v.base);
  *is_new = 1;
}
static void put_scalar(void *add, const int *caller, int *x, const double *from) {
  (void)add, (void)caller;
  *x = (int)*from; /* the accessor converts */
}
static void put_array(const at_t *add, const int *caller, gfc_t *a, const gfc_t *from) {
  (void)caller;
  for (int i = 0; i <= from->dim[0].upper - from->dim[0].lower; i++)
    ((int *)a->base)[add->k - 1 + i] = ((int *)from->base)[i * from->dim[0].stride];
}
static void put_component(void *add, const int *caller, node_t *x, const gfc_t *from) {
  (void)add, (void)caller;
  const int n = (int)(from->dim[0].upper - from->dim[0].lower + 1);
  free(x->v.base);
  x->v = describe(malloc((size_t)n * 4), n);
  for (int i = 0; i < n; i++) ((int *)x->v.base)[i] = ((int *)from->base)[i * from->dim[0].stride];
}
#if WEFT_GFORTRAN >= 16
static void is_present(void *add, const int *caller, int *result, node_t **object) {
  node_t *x = *object;
#else
static void is_present(void *add, const int *caller, int *result, node_t *x) {
#endif
  (void)add, (void)caller;
  *result = x->v.base != NULL;
}

static void has_all(void *add, const int *caller, int *result, const gfc_t *a) {
  (void)add, (void)caller;
  *result = a->dim[0].upper == N;
}

#define ACCESSOR(f) ((void (*)(void))(f))

__attribute__((constructor)) static void start(void) {
  gfc_t d = {.elem_len = 4, .type = GFC_INTEGER};
  _gfortran_caf_register_accessor(SCALAR, ACCESSOR(get_scalar));
  _gfortran_caf_register_accessor(ELEMENT, ACCESSOR(get_element));
  _gfortran_caf_register_accessor(COMPONENT, ACCESSOR(get_component));
  _gfortran_caf_register_accessors_finish();
  _gfortran_caf_register_accessor(SUBSCRIPTS, ACCESSOR(get_subscripts));
  _gfortran_caf_register_accessor(BY_VECTOR, ACCESSOR(get_by_vector));
  _gfortran_caf_register_accessor(PUT_SCALAR, ACCESSOR(put_scalar));
  _gfortran_caf_register_accessor(PUT_ARRAY, ACCESSOR(put_array));
  _gfortran_caf_register_accessor(PUT_COMPONENT, ACCESSOR(put_component));
  _gfortran_caf_register_accessor(PRESENT, ACCESSOR(is_present));
  _gfortran_caf_register_accessor(HAS_ALL, ACCESSOR(has_all));
  _gfortran_caf_register_accessors_finish();
  _gfortran_caf_register(4, COARRAY_STATIC, &scalar_token, &d, NULL, NULL, 0);
  scalar = d.base;
  d.rank = 1;
  _gfortran_caf_register(4 * N, COARRAY_STATIC, &array_token, &d, NULL, NULL, 0);
  array = d.base;
  d = (gfc_t){.elem_len = sizeof(node_t), .type = GFC_DERIVED};
  _gfortran_caf_register(sizeof(node_t), COARRAY_STATIC, &node_token, &d, NULL, NULL, 0);
  node = d.base;
  *node = (node_t){0};
}

#define INDEX(name) _gfortran_caf_get_remote_function_index(name)

static int get_one(int image, int k, int *stat) {
  const gfc_t bounds = describe(array, N);
  at_t add = {k};
  int got = -1;
  void *to = &got;
  if (k)
    _gfortran_caf_get_from_remote(array_token, &bounds, NULL, image, 4, &to, NULL, NULL, false,
                                  INDEX(ELEMENT), &add, sizeof add, stat, NULL, NULL);
  else
    _gfortran_caf_get_from_remote(scalar_token, NULL, NULL, image, 4, &to, NULL, NULL, false,
                                  INDEX(SCALAR), NULL, 0, stat, NULL, NULL);
  return *(int *)to;
}

static void get_v(int image, gfc_t *v) {
  void *data = v->base;
  _gfortran_caf_get_from_remote(node_token, NULL, NULL, image, 0, &data, NULL, v, true,
                                INDEX(COMPONENT), NULL, 0, NULL, NULL, NULL);
}

/* A descriptor at the beginning of what is mapped, which another one has taken the memory of: to
 * deallocate it nothing in front of it is read. */
static void deregister_at_edge(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *pages = mmap(NULL, 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED);
  CHECK_EQ(mprotect(pages + page, page, PROT_READ | PROT_WRITE), 0);
  void **token = (void **)(pages + page + weft_caf_descriptor_bytes(2));
  gfc_t *d = (gfc_t *)(pages + page);
  d->elem_len = 4, d->rank = 1, d->type = GFC_INTEGER;
  _gfortran_caf_register(4 * N, COARRAY_ALLOC, token, d, NULL, NULL, 0);
  d->base = NULL;
  _gfortran_caf_deregister(token, 0, NULL, NULL, 0);
  CHECK(!*token);
  munmap(pages, 2 * page);
}

int main(int argc, char **argv) {
  _gfortran_caf_init(&argc, &argv);
  const int me = THIS_IMAGE(), n = NUM_IMAGES(), next = me % n + 1, previous = (me + n - 2) % n + 1;
  int subscripts[] = {7, 2, 2}, fixed[3], stat = 0, numbers[2 * BIG];
  gfc_t v = describe(NULL, 0), bounds = describe(array, N);
  *scalar = 10 * me;
  for (int i = 0; i < N; i++) array[i] = 100 * me + i + 1;
  _gfortran_caf_sync_all(NULL, NULL, 0);
  CHECK_EQ(get_one(next, 0, &stat), 10 * next);
  CHECK_EQ(stat, 0);
  for (int k = 1; k <= N; k++) CHECK_EQ(get_one(next, k, NULL), 100 * next + k);
  get_one(n + 1, 0, &stat);
  CHECK(stat != 0);
  void *const token = scalar_token;
  scalar_token = NULL; /* it is not allocated */
  get_one(next, 0, &stat);
  CHECK(stat != 0);
  scalar_token = token;
  /* a(v)[next]: the accessor asks back for v; all at once, in a ring. */
  many_t many = {.v = describe(subscripts, 3)};
  void *data = NULL;
  for (int i = 0; i < 20; i++) {
    _gfortran_caf_get_from_remote(array_token, &bounds, NULL, next, 0, &data, NULL, &v, true,
                                  INDEX(BY_VECTOR), &many, sizeof many, NULL, NULL, NULL);
    CHECK_EQ(v.dim[0].upper, 3);
    for (int k = 0; k < 3; k++) CHECK_EQ(((int *)v.base)[k], 100 * next + subscripts[k]);
  }
  /* Components: not there, put by another image, got into memory of their own and into the
   * caller's. */
  CHECK_EQ(_gfortran_caf_is_present_on_remote(node_token, next, INDEX(PRESENT), NULL, 0), 0);
  _gfortran_caf_sync_all(NULL, NULL, 0);
  for (int i = 0; i < 2 * BIG; i++) numbers[i] = me * 1000000 + i;
  gfc_t from = describe(numbers, BIG);
  from.dim[0].stride = 2;
  _gfortran_caf_send_to_remote(node_token, NULL, NULL, next, 0, NULL, NULL, &from,
                               INDEX(PUT_COMPONENT), NULL, 0, &stat, NULL, NULL);
  CHECK_EQ(stat, 0);
  _gfortran_caf_sync_all(NULL, NULL, 0);
  CHECK(_gfortran_caf_is_present_on_remote(node_token, next, INDEX(PRESENT), NULL, 0));
  get_v(next, &v);
  CHECK_EQ(v.dim[0].upper, BIG);
  for (int i = 0; i < BIG; i++) CHECK_EQ(((int *)v.base)[i], me * 1000000 + 2 * i);
  /* Puts: converted by the accessor; a section; from one other image to another. */
  const double number = me + 0.5;
  at_t at = {4};
  gfc_t three = describe(subscripts, 3);
  _gfortran_caf_send_to_remote(scalar_token, NULL, NULL, next, 8, &number, NULL, NULL,
                               INDEX(PUT_SCALAR), NULL, 0, NULL, NULL, NULL);
  CHECK_EQ(get_one(next, 0, NULL), me); /* one's own put is seen */
  _gfortran_caf_send_to_remote(array_token, &bounds, NULL, next, 12, NULL, NULL, &three,
                               INDEX(PUT_ARRAY), &at, sizeof at, NULL, NULL, NULL);
  _gfortran_caf_sync_all(NULL, NULL, 0);
  CHECK_EQ(*scalar, previous);
  for (int i = 0; i < N; i++)
    CHECK_EQ(array[i], i < 3 || i > 5 ? 100 * me + i + 1 : subscripts[i - 3]);
  _gfortran_caf_sync_all(NULL, NULL, 0);
  _gfortran_caf_transfer_between_remotes(array_token, &bounds, NULL, next, INDEX(PUT_ARRAY), &at,
                                         sizeof at, array_token, &bounds, NULL, previous,
                                         INDEX(BY_VECTOR), &many, sizeof many, 12, false, LAST);
  _gfortran_caf_sync_all(NULL, NULL, 0);
  const int source = (me + 2 * n - 3) % n + 1;
  CHECK_EQ(array[3], 100 * source + 7);
  memset(fixed, 0, sizeof fixed);
  gfc_t into = describe(fixed, 3);
  data = fixed;
  _gfortran_caf_get_from_remote(array_token, &bounds, NULL, next, 12, &data, NULL, &into, false,
                                INDEX(BY_VECTOR), &many, sizeof many, NULL, NULL, NULL);
  CHECK_EQ(fixed[1], 100 * next + 2);
  CHECK(into.base == fixed);
  free(v.base);
  /* An array that move_alloc has taken the descriptor of: its bounds are those of ALLOCATE. */
  void *moved = NULL;
  gfc_t made = describe(NULL, N);
  _gfortran_caf_register(4 * N, COARRAY_ALLOC, &moved, &made, NULL, NULL, 0);
  _gfortran_caf_sync_all(NULL, NULL, 0);
  made = describe(NULL, 1);
  CHECK(_gfortran_caf_is_present_on_remote(moved, next, INDEX(HAS_ALL), NULL, 0));
  deregister_at_edge();
  _gfortran_caf_finalize();
  return 0;
}
