/*
 * Requests to run an accessor in another image's process that make no sense, by number: none is run
 * and nothing beyond them is read, written or freed; a line that names the sender ends the job
 * (requests.sh).
 */
#include <string.h>

#include "caf/gfortran/abi.h"
#include "check.h"

void _gfortran_caf_init(int *, char ***);
void _gfortran_caf_register_accessor(int, void (*)(void));
void _gfortran_caf_sync_all(int *, char *, size_t);

enum { GET, PUT, HASH = 101, HEAD = 96 };

/* As src/caf/gfortran/accessors.c sends it. */
static struct {
  weft_caf_visit_t head;
  int32_t hash;
  uint8_t kind, lengths;
  uint16_t unused;
  uint32_t bounds, data_bounds;
  uint64_t add, add_size, data, length, object_length, pad;
  char rest[8192];
} q = {.hash = HASH};

static void nobody(void) {
  CHECK(false);
}

/* Its bytes behind the head. */
static size_t make(int which) {
  gfc_t d = {.elem_len = 8, .rank = 1};
  d.dim[0].upper = 999;
  memcpy(q.rest, &d, sizeof d);
  switch (which) {
  case 0: q.head.kept = (uint64_t)(uintptr_t)&q; return 0; /* never an answer's address */
  case 1: q.data_bounds = 4096; return 4096;               /* bounds longer than any */
  case 2:                                                  /* and with more dimensions */
    ((gfc_t *)(void *)q.rest)->rank = 100;
    q.bounds = (uint32_t)weft_caf_descriptor_bytes(100);
    return 4096;
  case 3: q.bounds = 8, q.data_bounds = 64; return 8; /* not there at all */
  case 4: q.add_size = UINT64_MAX - 6; return 0;      /* nothing, when rounded up */
  default: /* 1,000 elements to be put, of which 8 bytes came */
    q.kind = PUT, q.data = 8;
    q.data_bounds = (uint32_t)weft_caf_descriptor_bytes(1);
    return 64 + 8;
  }
}

int main(int argc, char **argv) {
  size_t n;
  _gfortran_caf_init(&argc, &argv);
  CHECK(argc == 2 && offsetof(__typeof__(q), rest) == HEAD);
  _gfortran_caf_register_accessor(HASH, nobody);
  _gfortran_caf_sync_all(NULL, NULL, 0);
  if (weft_caf.me == 1) weft_caf_visit(1, &q.head, HEAD + make(atoi(argv[1])), 64, &n);
  _gfortran_caf_sync_all(NULL, NULL, 0);
}
