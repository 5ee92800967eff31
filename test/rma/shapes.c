/*
 * Put, get and accumulate between all kinds of shapes, blocking and not, small and large: the bytes
 * are where they belong, and only there. Every PE works on a region of its neighbour's.
 */
#include <shmem.h>

#include "check.h"
#include "rma/rma.h"

enum { REGION = 1 << 20, WORD = 8, LONGS = REGION / WORD, ROUNDS = 40 };

static long *region, *mine, *other, *want; /* region: symmetric */
static uint32_t seed;

static unsigned draw(unsigned n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 10) % n;
}

typedef struct make {
  size_t count[3];
  ptrdiff_t stride[3];
  weft_piece_t pieces[LONGS / 2];
  uintptr_t places[LONGS / 2];
} make_t;
static make_t *makes;

/* A random shape of `words` longs that does not overlap itself. */
static weft_shape_t make(make_t *m, uintptr_t base, size_t words) {
  size_t n = 0, at = 0;
  switch (draw(words % 6 ? 2 : 3)) {
  case 0: /* pieces of 0 to 40 words */
    for (size_t left = words; left > 0; n++) {
      size_t k = draw(41);
      if (k > left) k = left;
      m->pieces[n] = (weft_piece_t){at * WORD, k * WORD};
      left -= k;
      at += k + draw(3);
    }
    return weft_shape_pieces(base, n, m->pieces);
  case 1:
    for (; n < words; n++) m->places[n] = 2 * (words - 1 - n) * WORD;
    return weft_shape_places(base, WORD, n, m->places);
  default: { /* 1 or 3 words in a block, 2 blocks in a row */
    const size_t run = draw(2) ? 1 : 3;
    m->count[0] = 2, m->count[1] = words / 2 / run, m->count[2] = 1;
    m->stride[0] = (ptrdiff_t)((run + draw(2)) * WORD);
    m->stride[1] = 2 * m->stride[0] + WORD * (ptrdiff_t)draw(2);
    m->stride[2] = 0;
    return weft_shape_strided(base, run * WORD, 3, m->count, m->stride);
  }
  }
}

static void wait_for(weft_op_t *op) {
  WEFT_WAIT_ON(&weft_channels[0], weft_op_is_done(op));
}

/* By hand: `want` is what the neighbour's region must be. */
static void expect(const weft_shape_t *remote, const weft_shape_t *local, long factor) {
  static weft_cursor_t to, from;
  weft_cursor_open(&to, remote);
  weft_cursor_open(&from, local);
  for (; to.total > 0; weft_cursor_step(&to, WORD), weft_cursor_step(&from, WORD)) {
    long *word = (long *)(to.at - weft_job_offset(region) + (uintptr_t)want);
    *word = factor ? *word + factor * *(long *)from.at : *(long *)from.at;
  }
}

static void check_region(int to) {
  shmem_quiet();
  shmem_getmem(other, region, REGION, to);
  CHECK(!memcmp(other, want, REGION));
}

static void check_round(int to, size_t words, bool nonblocking) {
  const weft_shape_t remote = make(&makes[0], weft_job_offset(region), words),
                     local = make(&makes[1], (uintptr_t)mine, words);
  weft_op_t lc = {0}, rc = {0};
  weft_op_t *const left = nonblocking ? &lc : NULL, *const all = nonblocking ? &rc : NULL;
  const long scale = 3;
  for (int i = 0; i < LONGS; i++) mine[i] = i + (long)words;
  expect(&remote, &local, 0);
  weft_rma_put_shape(&remote, &local, to, left, all, "put");
  memset(&makes[0], 0, sizeof makes[0]); /* what it pointed to was read */
  wait_for(&lc);

  wait_for(&rc);
  check_region(to);
  const weft_shape_t again = make(&makes[0], weft_job_offset(region), words); /* another one */
  weft_rma_acc_shape(&again, &local, WEFT_ACC_INT64, &scale, to, left, all, "accumulate");
  wait_for(&lc);
  wait_for(&rc);
  expect(&again, &local, scale);
  memset(mine, 0, REGION);
  check_region(to);
  /* And back into what was the source. */
  weft_rma_get_shape(&local, &again, to, all, "get");
  wait_for(&rc);
  static weft_cursor_t here, there;
  weft_cursor_open(&here, &local);
  weft_cursor_open(&there, &again);
  for (; here.total > 0; weft_cursor_step(&here, WORD), weft_cursor_step(&there, WORD))
    CHECK_EQ(*(long *)here.at, *(long *)(there.at - weft_job_offset(region) + (uintptr_t)want));
}

int main(void) {
  shmem_init();
  const int to = (shmem_my_pe() + 1) % shmem_n_pes();
  region = shmem_calloc(LONGS, WORD);
  makes = calloc(2, sizeof *makes);
  mine = malloc(REGION), other = malloc(REGION), want = calloc(LONGS, WORD);
  CHECK(region && mine && other && want && makes);
  seed = (uint32_t)shmem_my_pe() + 1;
  shmem_barrier_all();
  for (int i = 0; i < ROUNDS; i++) {
    const unsigned most = i % 10 == 9 ? LONGS / 4 : 600;
    check_round(to, i == 0 ? 1 : 6 * (1 + draw(most / 6)), i % 3 == 2);
  }
  /* Packets went as the options say. */
  const weft_flow_counts_t counts = weft_flow_counts();
  const bool away = shmem_n_pes() > 1 && !shmem_ptr(region, to), packed = weft_options.pack_max > 0;
  CHECK_EQ(counts.packets > 0, away); /* accumulates are always packed */
  if (!away || !weft_options.flow_intimation) CHECK_EQ(counts.leases, 0);
  if (away && packed && weft_options.flow_intimation && *weft_options.port_spares)
    CHECK(counts.leases > 0);
  shmem_finalize();
  return 0;
}
