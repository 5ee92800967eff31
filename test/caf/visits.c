/*
 * Requests to run an accessor in another image's process that make no sense, by number: none is run
 * and nothing beyond them is read, written or freed; a line that names the sender ends the job
 * (requests.sh). From 6 on: answers with an array that make no sense, the last one good.
 */
#include <string.h>

#include "caf/gfortran/accessors.h"
#include "calls15.h"
#include "check.h"

void _gfortran_caf_init(int *, char ***);
void _gfortran_caf_sync_all(int *, char *, size_t);

enum { HASH = 101 };

static struct {
  gfc_request_t q;
  char rest[8192];
} sent = {.q = {.hash = HASH}};

static void nobody(void) {
  CHECK(false);
}

/* Its bytes behind the head. */
static size_t make(int which) {
  gfc_t d = {.elem_len = 8, .rank = 1};
  d.dim[0].upper = 999;
  memcpy(sent.rest, &d, sizeof d);
  switch (which) {
  case 0: sent.q.head.kept = (uint64_t)(uintptr_t)&sent; return 0; /* never an answer's address */
  case 1: sent.q.data_bounds = 4096; return 4096;                    /* bounds longer than any */
  case 2: /* and with more dimensions */
    ((gfc_t *)(void *)sent.rest)->rank = 100;
    sent.q.bounds = (uint32_t)weft_caf_descriptor_bytes(100);
    return 4096;
  case 3: sent.q.bounds = 8, sent.q.data_bounds = 64; return 8; /* not there at all */
  case 4: sent.q.add_size = UINT64_MAX - 6; return 0;           /* nothing, when rounded up */
  default: /* 1,000 elements to be put, of which 8 bytes came */
    sent.q.kind = PUT, sent.q.data = 8;
    sent.q.data_bounds = (uint32_t)weft_caf_descriptor_bytes(1);
    return 64 + 8;
  }
}

/* As accessors.c answers, with an array of four words. */
static struct {
  gfc_t d;
  uint64_t length, bytes;
  int64_t array[1024];
} good = {.d = {.elem_len = 8, .rank = 1}, .bytes = 32};
static int which;

static size_t answer(int from, void *object, const weft_caf_visit_t *head, size_t n,
                     void **result) {
  (void)from, (void)object, (void)head, (void)n;
  *result = malloc(sizeof good);
  CHECK(*result);
  if (which == 6) good.bytes = 4000; /* more than came */
  if (which == 7) good.bytes = 40;   /* more than the array has */
  if (which == 8) good.d.rank = 100; /* dimensions */
  memcpy(*result, &good, sizeof good);
  return which == 9 ? 8 : offsetof(__typeof__(good), array) + (which == 6 ? 32 : good.bytes);
}

static void get(weft_caf_coarray_t *c) {
  int64_t array[8] = {0};
  gfc_t d = {.base = array, .elem_len = 8, .rank = 1};
  void *to = array;
  d.dim[0].stride = 1, d.dim[0].upper = 3;
  _gfortran_caf_get_from_remote(c, NULL, NULL, 2, 32, &to, NULL, &d, false,
                                _gfortran_caf_get_remote_function_index(HASH), NULL, 0, NULL, NULL,
                                NULL);
  for (int i = 0; i < 8; i++) CHECK_EQ(array[i], i < 4 ? 9 : 0);
  puts("good");
  fflush(stdout);
}

int main(int argc, char **argv) {
  size_t n;
  _gfortran_caf_init(&argc, &argv);
  CHECK(argc == 2);
  which = atoi(argv[1]);
  for (int i = 0; i < 1024; i++) good.array[i] = 9;
  weft_caf_coarray_t *c = weft_caf_allocate(64, true, &(weft_caf_report_t){0});
  _gfortran_caf_register_accessor(HASH, nobody);
  _gfortran_caf_register_accessors_finish();
  if (which > 5) weft_caf_visits(answer);
  _gfortran_caf_sync_all(NULL, NULL, 0);
  if (weft_caf.me == 1 && which > 5)
    get(c);
  else if (weft_caf.me == 1)
    weft_caf_visit(1, &sent.q.head, sizeof sent.q + make(which), 64, &n);
  _gfortran_caf_sync_all(NULL, NULL, 0);
}
