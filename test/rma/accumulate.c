/*
 * Accumulates of all types to the same memory at once, by all PEs: from the node and from others,
 * contiguous and strided, at any address, over the borders of what one lock covers, a complex
 * number across one. No element loses anything, nor do counters that remote atomics go to as well.
 */
#include <shmem.h>

#include "add_block.h"
#include "check.h"
#include "rma/rma.h"
#include "weft/sanitizers.h"

enum { BYTES = 3 * 8192, STEPS = 8, COUNTERS = 512 };
#if WEFT_TSAN
enum { HOT = 5000 }; /* each access takes long, and races are seen without a meeting */
#else
enum { HOT = 200000 };
#endif

static _Alignas(16) char sums[WEFT_ACC_TYPES][BYTES + 16], want[BYTES + 16];
static long counters[COUNTERS], ones[COUNTERS];
static char from[BYTES];
static uint32_t seed;

static unsigned draw(unsigned n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 10) % n;
}

/* Where elements of a type begin: reals off their alignment, complex numbers by half. */
static const size_t skew[WEFT_ACC_TYPES] = {0, 0, 2, 4, 4, 8};

/* A number, or both parts of a complex one, at any address: += value, and for the second part. */
#define ADD(T, i, value)                                                                           \
  do {                                                                                             \
    T x;                                                                                           \
    memcpy(&x, at + (i) * sizeof x, sizeof x);                                                     \
    x += (T)(value);                                                                               \
    memcpy(at + (i) * sizeof x, &x, sizeof x);                                                     \
  } while (0)
static void add(int type, char *at, int value, int second) {
  switch (type) {
  case WEFT_ACC_INT32: ADD(int32_t, 0, value); return;
  case WEFT_ACC_INT64: ADD(int64_t, 0, value); return;
  case WEFT_ACC_FLOAT_COMPLEX: ADD(float, 1, second); /* fall through */
  case WEFT_ACC_FLOAT: ADD(float, 0, value); return;
  case WEFT_ACC_DOUBLE_COMPLEX: ADD(double, 1, second); /* fall through */
  default: ADD(double, 0, value);
  }
}

typedef struct step {
  weft_acc_type_t type;
  unsigned row, rows, value, first, pitch; /* elements in a row, rows, what is added, elements */
} step_t;

static step_t next_step(void) {
  step_t s = {.type = (weft_acc_type_t)draw(WEFT_ACC_TYPES), .value = 1 + draw(3)};
  const unsigned room = BYTES / (unsigned)weft_acc_width(s.type);
  s.rows = draw(3) ? 1 : 2 + draw(20);
  s.row = 1 + draw(room / s.rows);
  s.pitch = s.row + draw((room - s.row * s.rows) / s.rows + 1);
  s.first = draw(room - s.pitch * (s.rows - 1) - s.row + 1);
  return s;
}

/* The scale is 2, of complex types 2i, and the product of v + vi is -2v + 2vi. */
static void run(const step_t *s, int pe) {
  const size_t width = weft_acc_width(s->type), row = width * s->row, rows = s->rows;
  const ptrdiff_t far = (ptrdiff_t)(s->pitch * width), near = (ptrdiff_t)row;
  const uintptr_t off = weft_job_offset(sums[s->type]) + skew[s->type] + s->first * width;
  const weft_shape_t remote = weft_shape_strided(off, row, 1, &rows, &far);
  const weft_shape_t local = weft_shape_strided((uintptr_t)from, row, 1, &rows, &near);
  const bool is_complex = s->type >= WEFT_ACC_FLOAT_COMPLEX;
  char scale[17] = {0}; /* at an odd address */
  add(s->type, scale + 1, is_complex ? 0 : 2, 2);
  memset(from, 0, rows * row);
  for (size_t i = 0; i < rows * s->row; i++)
    add(s->type, from + i * width, (int)s->value, (int)s->value);
  if (rows == 1)
    add_block(pe, off, from, row, s->type, scale + 1, NULL);
  else
    weft_rma_acc_shape(&remote, &local, s->type, scale + 1, pe, NULL, NULL, "accumulate");
}

static void expect(const step_t *s) {
  const size_t width = weft_acc_width(s->type);
  const int v = 2 * (int)s->value;
  char *at = want + skew[s->type] + s->first * width;
  for (unsigned row = 0; row < s->rows; row++)
    for (unsigned i = 0; i < s->row; i++)
      add(s->type, at + (row * s->pitch + i) * width, s->type < WEFT_ACC_FLOAT_COMPLEX ? v : -v, v);
}

/* What a PE does in a round, to `pe`. */
static void work(int pe) {
  const double one = 1;
  for (int i = 0; i < STEPS; i++) {
    const step_t s = next_step();
    run(&s, pe);
  }
  /* An imaginary part behind the border. */
  add_block(pe, weft_job_offset(sums[WEFT_ACC_DOUBLE_COMPLEX]) + 8192, &one, sizeof one,
            WEFT_ACC_DOUBLE, NULL, NULL);
  add_block(pe, weft_job_offset(counters), ones, sizeof ones, WEFT_ACC_INT64, NULL, NULL);
  for (int i = 0; i < 8; i++)
    weft_rma_amo(pe, weft_job_offset(&counters[i]), WEFT_AMO_ADD, sizeof(long), 1, 0);
}

/* The PEs of a node to the lowest of them, so often that they meet in the middle of one; integers
 * also with atomics on single ones. */
static void work_hot(void) {
  enum { INTS = 33 };
  static double hot[256], addend[256];
  static _Alignas(8) int ints[INTS + 1], units[INTS];
  const int lowest = weft_job_leader(weft_job.node);
  for (int i = 0; i < 256; i++) addend[i] = 1;
  for (int i = 0; i < INTS; i++) units[i] = 1;
  for (int i = 0; i < HOT; i++)
    add_block(lowest, weft_job_offset(hot), addend, sizeof addend, WEFT_ACC_DOUBLE, NULL, NULL);
  for (int i = 0; i < HOT / 10; i++) { /* they do not begin at a pair */
    add_block(lowest, weft_job_offset(&ints[1]), units, sizeof units, WEFT_ACC_INT32, NULL, NULL);
    weft_rma_amo(lowest, weft_job_offset(&ints[1 + i % 4]), WEFT_AMO_ADD, sizeof(int), 1, 0);
  }
  shmem_barrier_all();
  for (int i = 0; lowest == shmem_my_pe() && i < 256; i++)
    CHECK_EQ((long)hot[i], (long)HOT * weft_job.nslots);
  for (int i = 0; lowest == shmem_my_pe() && i < INTS; i++)
    CHECK_EQ(ints[1 + i], HOT / 10 * weft_job.nslots / 4 * (i < 4 ? 5 : 4));
}

static void start_round(int pe, int round) {
  seed = (uint32_t)(pe * 1000 + round) * 2654435761u + 1;
}

/* Two PEs at a time go to the same one. */
static int target(int pe, int round, int npes) {
  return (pe / 2 + round) % npes;
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 50;
  long done = 0;
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  for (int i = 0; i < COUNTERS; i++) ones[i] = 1;
  shmem_barrier_all();
  work_hot();
  for (int round = 0; round < rounds; round++) {
    start_round(me, round);
    work(target(me, round, npes));
  }
  shmem_quiet();
  shmem_barrier_all();
  for (int type = 0; type < WEFT_ACC_TYPES; type++) {
    memset(want, 0, sizeof want);
    for (int pe = 0; pe < npes; pe++)
      for (int round = 0; round < rounds; round++) {
        if (target(pe, round, npes) != me) continue;
        start_round(pe, round);
        for (int i = 0; i < STEPS; i++) {
          const step_t s = next_step();
          if ((int)s.type == type) expect(&s);
        }
        if (type == WEFT_ACC_DOUBLE_COMPLEX) add(WEFT_ACC_DOUBLE, want + 8192, 1, 0), done++;
      }
    CHECK(!memcmp(want, sums[type], sizeof want));
  }
  for (int i = 0; i < COUNTERS; i++) CHECK_EQ(counters[i], done * (i < 8 ? 2 : 1));
  shmem_finalize();
  return 0;
}
