/*
 * Requests about another image's components that make no sense, by number, to the port of the other
 * node. Nobody may read or write beyond them or their answer: a line that names the sender and the
 * end of the job, or a place that is not followed (requests.sh).
 */
#include <string.h>

#include "caf/chain.h"
#include "caf/internal.h"
#include "check.h"
#include "port/port.h"

/* As src/caf/chain.c sends it. */
static struct {
  uint32_t action, bounds, steps, unused;
  uint64_t base, data, element, write;
  union {
    uint64_t piece[2][2];
    weft_caf_descriptor_t d;
    struct {
      weft_caf_step_t step;
      weft_caf_subscript_t s[2];
    } array;
    weft_caf_step_t follow[2];
  };
} q;

enum { HEAD = 48, PIECES = 1 };

/* Its bytes. */
static size_t make(int which, uint64_t here) {
  const size_t step = sizeof(weft_caf_step_t);
  q.data = 8;
  switch (which) {
  case 0: /* 4,000 bytes to be written, of which 8 came */
  case 1: /* 4,000 bytes to be read into an answer of 8 */
    q.action = PIECES, q.steps = 1, q.write = which == 0;
    q.piece[0][0] = here, q.piece[0][1] = 4000;
    return HEAD + 24;
  case 2: /* lengths whose sum is 8 because it wraps */
    q.action = PIECES, q.steps = 2;
    q.piece[0][0] = q.piece[1][0] = here, q.piece[0][1] = 4000, q.piece[1][1] = 8 - (uint64_t)4000;
    return HEAD + 32;
  case 3: /* a descriptor with more dimensions than it is long */
    q.bounds = 40, q.d.rank = 15;
    return HEAD + 40;
  case 4: /* 2^64 bytes, which is 0, in two dimensions */
  case 5: /* extents and places that no 64 bits hold */
    q.steps = (uint32_t)sizeof q.array, q.element = 8;
    q.array.step = (weft_caf_step_t){.type = WEFT_CAF_STATIC, .rank = 2, .item = 8};
    for (int i = 0; i < 2; i++)
      q.array.s[i] = (weft_caf_subscript_t){
          .mode = WEFT_CAF_RANGE, .end = (1L << (i ? 29 : 32)) - 1, .stride = 1};
    if (which == 5)
      q.array.s[1] = (weft_caf_subscript_t){
          .mode = WEFT_CAF_RANGE, .start = INT64_MIN, .end = INT64_MAX, .stride = 3};
    return HEAD + sizeof q.array;
  case 6: /* a component behind which an array has 200 subscripts */
    q.steps = (uint32_t)(2 * step);
    q.follow[0] = (weft_caf_step_t){.type = WEFT_CAF_COMPONENT, .follow = 1};
    q.follow[1] = (weft_caf_step_t){.type = WEFT_CAF_ARRAY, .rank = 200};
    return HEAD + 2 * step;
  case 7: /* two elements, of which the first is nowhere and the second in the coarray */
    q.data = 16, q.element = 8, q.steps = (uint32_t)(step + sizeof q.array.s[0]);
    q.array.step = (weft_caf_step_t){.type = WEFT_CAF_STATIC, .rank = 1, .item = 8};
    q.array.s[0] =
        (weft_caf_subscript_t){.mode = WEFT_CAF_RANGE, .start = 1L << 44, .stride = -(1L << 44)};
    return HEAD + q.steps;
  default: return 0;
  }
}

int main(int argc, char **argv) {
  static char answer[1 << 20];
  CHECK(argc == 2);
  weft_caf_start();
  weft_caf_coarray_t *c = weft_caf_allocate(1 << 16, true, &(weft_caf_report_t){0});
  memset(c->base, 1, c->size); /* no NULL pointer */
  weft_caf_sync_team(weft_caf.team, &(weft_caf_report_t){0}, "SYNC ALL");
  if (weft_caf.me == 1) {
    q.base = weft_job_offset(c->base);
    const size_t n = make(atoi(argv[1]), weft_job_base_of(1) + q.base);
    weft_query_call(&weft_channels[0], 1, WEFT_QUERY_CHAIN, &q, n, answer);
    weft_caf_place_t place;
    memcpy(&place, answer, sizeof place);
    printf("moved %d, outcome %d\n", (int)place.moved, (int)place.outcome);
    fflush(stdout);
  }
  weft_caf_stop(0);
}
