/*
 * Non-contiguous transfers between nodes. PE 0 moves square patches of doubles out of and into a
 * matrix of every PE of another node; or, for fairness, all other PEs accumulate into PE 0's at
 * once. Linked with the library's objects: accumulate and the ways a transfer can go have no name
 * in OpenSHMEM.
 *
 *   flow_bench patch helper|naive|vectored get|put|acc SIDE...   prints size in bytes;MB/s
 *   flow_bench fair SIDE SECONDS                                 prints PE;transfers;longest us
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rma/rma.h"

enum { MATRIX = 512, BATCH_MS = 20, BATCHES = 3 }; /* doubles in a row of the matrix */

static double *matrix, patch[MATRIX * MATRIX / 4];
static int first_away; /* the lowest PE of another node */

static double now_us(void) {
  return (double)weft_clock_ns() / 1e3;
}

/* ---- one patch, three ways ------------------------------------------------------------------- */

typedef struct square {
  weft_shape_t remote, local;
  size_t count;
  ptrdiff_t far, near;
} square_t;

static void make(square_t *s, size_t side) {
  s->count = side;
  s->far = MATRIX * sizeof(double);
  s->near = (ptrdiff_t)(side * sizeof(double));
  s->remote =
      weft_shape_strided(weft_job_offset(matrix), side * sizeof(double), 1, &s->count, &s->far);
  s->local = weft_shape_strided((uintptr_t)patch, side * sizeof(double), 1, &s->count, &s->near);
}

static void helper_get(const square_t *s, int pe) {
  weft_rma_get_shape(&s->local, &s->remote, pe, NULL, "get");
}
static void helper_put(const square_t *s, int pe) {
  weft_rma_put_shape(&s->remote, &s->local, pe, NULL, NULL, "put");
}
static void helper_acc(const square_t *s, int pe) {
  const double scale = 1;
  weft_rma_acc_shape(&s->remote, &s->local, WEFT_ACC_DOUBLE, &scale, pe, NULL, NULL, "acc");
}

/* Many contiguous operations, all under way together. */
static void naive_get(const square_t *s, int pe) {
  for (size_t i = 0; i < s->count; i++)
    shmem_getmem_nbi(patch + i * s->count, matrix + i * MATRIX, (size_t)s->near, pe);
  shmem_quiet();
}
static void naive_put(const square_t *s, int pe) {
  for (size_t i = 0; i < s->count; i++)
    shmem_putmem_nbi(matrix + i * MATRIX, patch + i * s->count, (size_t)s->near, pe);
}

/* libfabric's vectors: as many rows in one operation as the provider takes. */
static void vectored(const square_t *s, int pe, int put) {
  weft_endpoint_t *e = &weft_job.endpoint;
  const struct fi_info *info = weft_job.fabric.info;
  struct iovec here[16];
  struct fi_rma_iov there[16];
  size_t most = info->tx_attr->iov_limit < info->tx_attr->rma_iov_limit
                    ? info->tx_attr->iov_limit
                    : info->tx_attr->rma_iov_limit;
  weft_op_t op = {0};
  if (most > 16) most = 16;
  for (size_t i = 0; i < s->count;) {
    size_t n = 0;
    for (; n < most && i < s->count; n++, i++) {
      here[n] = (struct iovec){patch + i * s->count, (size_t)s->near};
      there[n] = (struct fi_rma_iov){weft_job_remote_addr(pe, weft_job_offset(matrix + i * MATRIX)),
                                     (size_t)s->near, weft_job_remote_key(pe)};
    }
    struct fi_msg_rma message = {.msg_iov = here,
                                 .iov_count = n,
                                 .addr = (fi_addr_t)weft_job_node_of(pe),
                                 .rma_iov = there,
                                 .rma_iov_count = n,
                                 .context = &op};
    ssize_t rc;
    __atomic_fetch_add(&op.pending, 1, __ATOMIC_RELAXED); /* the helper may be counting down */
    do
      rc = put ? fi_writemsg(e->ep, &message, FI_COMPLETION)
               : fi_readmsg(e->ep, &message, FI_COMPLETION);
    while (weft_endpoint_again(e, rc, "vector", message.addr));
  }
  weft_op_wait_on(&weft_channels[0], &op);
}
static void vectored_get(const square_t *s, int pe) {
  vectored(s, pe, 0);
}
/* Its arrival is known by an 8-byte get behind it, as in quiet. */
static void vectored_put(const square_t *s, int pe) {
  vectored(s, pe, 1);
  static long word;
  shmem_getmem(&word, matrix, sizeof word, pe);
}

typedef void (*way_t)(const square_t *, int);
static const struct {
  const char *name, *op;
  way_t run;
} ways[] = {{"helper", "get", helper_get},    {"helper", "put", helper_put},
            {"helper", "acc", helper_acc},    {"naive", "get", naive_get},
            {"naive", "put", naive_put},      {"vectored", "get", vectored_get},
            {"vectored", "put", vectored_put}};

/* So many patches to every PE of the other node in turn; complete there. Microseconds. */
static double run(way_t way, const square_t *s, long rounds) {
  const double begin = now_us();
  for (long r = 0; r < rounds; r++)
    for (int pe = first_away; pe < shmem_n_pes(); pe++) {
      way(s, pe);
      if (way == naive_put) shmem_quiet();
    }
  shmem_quiet();
  return now_us() - begin;
}

static int compare(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* The last patch is what it must be. */
static void check(const char *op, size_t side, double before, double times) {
  static double got[MATRIX];
  for (size_t i = 0; i < side; i++) {
    shmem_getmem(got, matrix + i * MATRIX, side * sizeof *got, first_away);
    for (size_t j = 0; j < side; j++) {
      const double mine = patch[i * side + j],
                   want = strcmp(op, "acc") ? mine : before + times * (double)(i * side + j);
      if (got[j] == want) continue;
      fprintf(stderr, "flow_bench: %s of %zu x %zu: element %zu,%zu is %g, not %g\n", op, side,
              side, i, j, got[j], want);
      shmem_global_exit(1);
    }
  }
}

static void measure(const char *name, const char *op, size_t side) {
  way_t way = NULL;
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    if (!strcmp(ways[i].name, name) && !strcmp(ways[i].op, op)) way = ways[i].run;
  if (!way || side > MATRIX / 2) {
    fprintf(stderr, "flow_bench: no %s %s of side %zu\n", name, op, side);
    shmem_global_exit(2);
  }
  square_t s;
  make(&s, side);
  for (size_t i = 0; i < side * side; i++) patch[i] = strcmp(op, "get") ? (double)i : -1;
  const double clear = 0;
  for (int i = 0; i < MATRIX; i++)
    for (size_t j = 0; j < side && i < (int)side; j++)
      shmem_double_p(matrix + i * MATRIX + j, clear, first_away);
  shmem_quiet();
  double per = run(way, &s, 1), times[BATCHES], count = 1;
  per = run(way, &s, 4) / 4;
  count += 4;
  long rounds = (long)(BATCH_MS * 1e3 / per) + 1;
  for (int b = 0; b < BATCHES; b++) {
    times[b] = run(way, &s, rounds) / (double)rounds;
    count += (double)rounds;
  }
  qsort(times, BATCHES, sizeof *times, compare);
  check(op, side, 0, count);
  const double bytes =
      (double)(side * side * sizeof(double) * (size_t)(shmem_n_pes() - first_away));
  printf("%s;%s;%zu;%.3f\n", name, op, side * side * sizeof(double), bytes / times[BATCHES / 2]);
  fflush(stdout);
}

/* ---- many to one ----------------------------------------------------------------------------- */

static void fair(size_t side, double seconds) {
  static long begun;
  static struct {
    long transfers;
    double longest;
  } result[64];
  square_t s;
  const int me = shmem_my_pe();
  make(&s, side);
  shmem_barrier_all();
  if (me >= first_away) {
    shmem_long_atomic_inc(&begun, 0); /* all begin together */
    while (shmem_long_atomic_fetch(&begun, 0) < shmem_n_pes() - first_away) {
    }
    double last = now_us();
    for (const double end = last + seconds * 1e6; last < end;) {
      helper_acc(&s, 0);
      shmem_quiet();
      const double now = now_us();
      if (now - last > result[me].longest) result[me].longest = now - last;
      last = now;
      result[me].transfers++;
    }
    shmem_putmem(&result[me], &result[me], sizeof *result, 0);
  }
  shmem_barrier_all();
  for (int pe = first_away; me == 0 && pe < shmem_n_pes(); pe++)
    printf("%d;%ld;%.0f\n", pe, result[pe].transfers, result[pe].longest);
}

int main(int argc, char **argv) {
  shmem_init();
  matrix = shmem_calloc(MATRIX * MATRIX, sizeof *matrix);
  while (first_away < shmem_n_pes() && shmem_ptr(matrix, first_away)) first_away++;
  if (shmem_my_pe() != 0) first_away = shmem_n_pes() / 2;
  if (argc > 4 && !strcmp(argv[1], "patch")) {
    for (int i = 4; shmem_my_pe() == 0 && i < argc; i++)
      measure(argv[2], argv[3], strtoul(argv[i], NULL, 10));
  } else if (argc == 4 && !strcmp(argv[1], "fair") && shmem_n_pes() <= 64) {
    fair(strtoul(argv[2], NULL, 10), atof(argv[3]));
  } else {
    fprintf(stderr, "flow_bench: patch WAY get|put|acc SIDE..., or fair SIDE SECONDS\n");
    shmem_global_exit(2);
  }
  shmem_finalize();
  return 0;
}
