/*
 * A program over Debian's own libga: every operation that Global Arrays makes of ARMCI's, compared
 * with the same computed by one process.
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include <ga.h>
#include <macdecls.h>

#include "../check.h"

enum { N = 37, M = 23, COUNTS = 40, WORDS = 50 };
static int me, np;

static double value(int i, int j) {
  return 1000.0 * i + j + 0.25;
}

static int create(const char *name, int type) {
  int dims[2] = {N, M};
  int g = NGA_Create(type, 2, dims, (char *)name, NULL);
  CHECK(g != 0);
  return g;
}

/* Each process writes the rows i = me mod np, and all read patches of every shape. */
static void put_get(void) {
  double row[M], patch[N * M];
  const int g = create("put", C_DBL);
  for (int i = me; i < N; i += np) {
    int lo[2] = {i, 0}, hi[2] = {i, M - 1}, ld[1] = {M};
    for (int j = 0; j < M; j++) row[j] = value(i, j);
    NGA_Put(g, lo, hi, row, ld);
  }
  GA_Sync();
  for (int k = 0; k < 25; k++) {
    int lo[2] = {(7 * k) % N, (5 * k) % M}, hi[2], ld[1] = {M};
    hi[0] = lo[0] + (11 * k) % (N - lo[0]);
    hi[1] = lo[1] + (3 * k) % (M - lo[1]);
    memset(patch, 0xff, sizeof patch);
    NGA_Get(g, lo, hi, patch, ld);
    for (int i = lo[0]; i <= hi[0]; i++)
      for (int j = lo[1]; j <= hi[1]; j++) CHECK(patch[(i - lo[0]) * M + j - lo[1]] == value(i, j));
  }
  GA_Destroy(g);
}

/* All add to the same patch; strided ones of a larger buffer, begun and blocking, every type. */
static void accumulate(void) {
  static const int types[] = {C_DBL, C_FLOAT, C_INT, C_LONG, C_DCPL};
  for (int t = 0; t < 5; t++) {
    const int g = create("acc", types[t]);
    int lo[2] = {3, 2}, hi[2] = {N - 2, M - 3}, ld[1] = {M};
    double d[N * M * 2], one[2] = {0.5, 0};
    float f[N * M], half = 0.5f;
    int in[N * M], two = 2;
    long ln[N * M], three = 3;
    for (int k = 0; k < N * M; k++)
      d[k] = k % 17, f[k] = (float)(k % 17), in[k] = k % 17, ln[k] = k % 17;
    for (int k = 0; t == 4 && k < N * M; k++) d[2 * k] = k % 17, d[2 * k + 1] = 1;
    void *from[] = {d, f, in, ln, d}, *scale[] = {one, &half, &two, &three, one};
    GA_Zero(g);
    for (int k = 0; k < 3; k++) NGA_Acc(g, lo, hi, from[t], ld, scale[t]);
    GA_Sync();
    memset(d, 0, sizeof d), memset(f, 0, sizeof f), memset(in, 0, sizeof in),
        memset(ln, 0, sizeof ln);
    NGA_Get(g, lo, hi, from[t], ld);
    for (int i = 0; i <= hi[0] - lo[0]; i++)
      for (int j = 0; j <= hi[1] - lo[1]; j++) {
        const int k = i * M + j, want = 3 * np * (k % 17);
        switch (t) {
        case 0: CHECK(d[k] == 0.5 * want); break;
        case 1: CHECK(f[k] == 0.5f * (float)want); break;
        case 2: CHECK_EQ(in[k], 2 * want); break;
        case 3: CHECK_EQ(ln[k], 3 * want); break;
        case 4: CHECK(d[2 * k] == 0.5 * want && d[2 * k + 1] == 1.5 * np); break;
        }
      }
    GA_Destroy(g);
  }
}

static void begun(void) {
  double rows[4][M], back[4][M];
  ga_nbhdl_t handle[4];
  const int g = create("begun", C_DBL);
  for (int i = 0; i < 4; i++) {
    const int r = (4 * me + i) % N;
    int lo[2] = {r, 0}, hi[2] = {r, M - 1}, ld[1] = {M};
    for (int j = 0; j < M; j++) rows[i][j] = value(r, j);
    NGA_NbPut(g, lo, hi, rows[i], ld, &handle[i]);
  }
  for (int i = 0; i < 4; i++) NGA_NbWait(&handle[i]);
  GA_Sync();
  for (int i = 0; i < 4; i++) {
    const int r = (4 * ((me + 1) % np) + i) % N;
    int lo[2] = {r, 0}, hi[2] = {r, M - 1}, ld[1] = {M};
    NGA_NbGet(g, lo, hi, back[i], ld, &handle[i]);
  }
  for (int i = 0; i < 4; i++) {
    const int r = (4 * ((me + 1) % np) + i) % N;
    NGA_NbWait(&handle[i]);
    for (int j = 0; j < M; j++) CHECK(back[i][j] == value(r, j));
  }
  GA_Destroy(g);
}

static void strided_patches(void) {
  double buffer[N * M], back[N * M];
  const int g = create("strided", C_DBL);
  int lo[2] = {1, 1}, hi[2] = {N - 2, M - 2}, skip[2] = {3, 2}, ld[1] = {M};
  GA_Zero(g);
  for (int k = 0; k < N * M; k++) buffer[k] = k, back[k] = -1;
  if (me == np - 1) NGA_Strided_put(g, lo, hi, skip, buffer, ld);
  GA_Sync();
  NGA_Strided_get(g, lo, hi, skip, back, ld);
  for (int i = 0; i <= (hi[0] - lo[0]) / skip[0]; i++)
    for (int j = 0; j <= (hi[1] - lo[1]) / skip[1]; j++) CHECK(back[i * M + j] == i * M + j);
  GA_Destroy(g);
}

static void scatter_gather(void) {
  const int g = create("scatter", C_DBL);
  double values[COUNTS], back[COUNTS], two = 2;
  int points[COUNTS][2], *subscripts[COUNTS];
  GA_Zero(g);
  for (int k = 0; k < COUNTS; k++) {
    const int at = (k * 13 + 5) % (N * M);
    points[k][0] = at / M, points[k][1] = at % M;
    subscripts[k] = points[k];
    values[k] = 10 * k + 1;
  }
  if (me == 0) NGA_Scatter(g, values, subscripts, COUNTS);
  GA_Sync();
  NGA_Gather(g, back, subscripts, COUNTS);
  for (int k = 0; k < COUNTS; k++) CHECK(back[k] == values[k]);
  GA_Sync();
  NGA_Scatter_acc(g, values, subscripts, COUNTS, &two);
  GA_Sync();
  NGA_Gather(g, back, subscripts, COUNTS);
  for (int k = 0; k < COUNTS; k++) CHECK(back[k] == values[k] * (1 + 2 * np));
  GA_Destroy(g);
}

static void counter(void) {
  int one = 1, first[1] = {0};
  const int g = NGA_Create(C_LONG, 1, &one, "counter", NULL);
  long sum = 0, last = -1, total = (long)COUNTS * np;
  GA_Zero(g);
  for (int k = 0; k < COUNTS; k++) {
    const long got = NGA_Read_inc(g, first, 1);
    CHECK(got > last && got < total);
    last = got;
    sum += got;
  }
  GA_Lgop(&sum, 1, "+");
  CHECK_EQ(sum, total * (total - 1) / 2);
  GA_Sync();
  CHECK_EQ(NGA_Read_inc(g, first, 0), total);
  GA_Destroy(g);
}

/* A sum that only a lock keeps right. */
static void locks(void) {
  int one = 1, at[1] = {0}, ld[1] = {1};
  const int g = NGA_Create(C_LONG, 1, &one, "locked", NULL);
  long v;
  GA_Zero(g);
  CHECK(GA_Create_mutexes(4));
  for (int k = 0; k < COUNTS; k++) {
    GA_Lock(2);
    NGA_Get(g, at, at, &v, ld);
    v += me + 1;
    GA_Init_fence();
    NGA_Put(g, at, at, &v, ld);
    GA_Fence();
    GA_Unlock(2);
  }
  GA_Sync();
  NGA_Get(g, at, at, &v, ld);
  CHECK_EQ(v, (long)COUNTS * np * (np + 1) / 2);
  CHECK(GA_Destroy_mutexes());
  GA_Destroy(g);
}

static void multiply(void) {
  int dims[2] = {WORDS, WORDS}, lo[2] = {0, 0}, hi[2] = {WORDS - 1, WORDS - 1}, ld[1] = {WORDS};
  static double a[WORDS][WORDS], b[WORDS][WORDS], c[WORDS][WORDS];
  const int ga = NGA_Create(C_DBL, 2, dims, "a", NULL), gb = GA_Duplicate(ga, "b");
  const int gc = GA_Duplicate(ga, "c");
  for (int i = 0; i < WORDS; i++)
    for (int j = 0; j < WORDS; j++) a[i][j] = (i * 3 + j) % 11 - 5, b[i][j] = (i + j * 7) % 13 - 6;
  if (me == 0) NGA_Put(ga, lo, hi, a, ld);
  if (me == np - 1) NGA_Put(gb, lo, hi, b, ld);
  GA_Zero(gc);
  GA_Sync();
  GA_Dgemm('n', 'n', WORDS, WORDS, WORDS, 1.0, ga, gb, 0.0, gc);
  NGA_Get(gc, lo, hi, c, ld);
  double trace = 0;
  for (int i = 0; i < WORDS; i++)
    for (int j = 0; j < WORDS; j++) {
      double want = 0;
      for (int k = 0; k < WORDS; k++) want += a[i][k] * b[k][j];
      CHECK(fabs(c[i][j] - want) < 1e-9);
      trace += a[i][j] * b[i][j];
    }
  CHECK(fabs(GA_Ddot(ga, gb) - trace) < 1e-9);
  GA_Transpose(ga, gb);
  NGA_Get(gb, lo, hi, c, ld);
  for (int i = 0; i < WORDS; i++)
    for (int j = 0; j < WORDS; j++) CHECK(c[i][j] == a[j][i]);
  GA_Destroy(ga), GA_Destroy(gb), GA_Destroy(gc);
}

/* Even and odd ranks, each with an array and sums of its own at the same time. */
static void groups(void) {
  int list[64], n = 0, dims[1] = {COUNTS}, lo[1] = {0}, hi[1] = {COUNTS - 1}, ld[1] = {1};
  for (int i = me % 2; i < np; i += 2) list[n++] = i;
  const int group = GA_Pgroup_create(list, n), before = GA_Pgroup_get_default();
  long data[COUNTS], sum = me;
  CHECK_EQ(GA_Pgroup_nnodes(group), n);
  CHECK_EQ(list[GA_Pgroup_nodeid(group)], me);
  GA_Pgroup_lgop(group, &sum, 1, "+");
  long want = 0;
  for (int i = 0; i < n; i++) want += list[i];
  CHECK_EQ(sum, want);
  long all = me;
  GA_Pgroup_brdcst(group, &all, sizeof all, 0);
  CHECK_EQ(all, list[0]);
  GA_Pgroup_set_default(group);
  const int g = NGA_Create(C_LONG, 1, dims, "group", NULL);
  for (int k = 0; k < COUNTS; k++) data[k] = k + 100 * (me % 2);
  if (GA_Nodeid() == GA_Nnodes() - 1) NGA_Put(g, lo, hi, data, ld);
  GA_Sync();
  memset(data, 0, sizeof data);
  NGA_Get(g, lo, hi, data, ld);
  for (int k = 0; k < COUNTS; k++) CHECK_EQ(data[k], k + 100 * (me % 2));
  GA_Destroy(g);
  GA_Pgroup_set_default(before);
  GA_Sync();
  GA_Pgroup_destroy(group);
}

/* Every process's own block with the border that its neighbours hold. */
static void ghosts(void) {
  int dims[2] = {N, M}, width[2] = {2, 1}, lo[2], hi[2], extent[2], ld[1];
  const int g = NGA_Create_ghosts(C_INT, 2, dims, width, "ghosts", NULL);
  int *block;
  NGA_Distribution(g, me, lo, hi);
  if (lo[0] >= 0 && hi[0] >= lo[0]) {
    NGA_Access(g, lo, hi, &block, ld);
    for (int i = lo[0]; i <= hi[0]; i++)
      for (int j = lo[1]; j <= hi[1]; j++) block[(i - lo[0]) * ld[0] + j - lo[1]] = i * M + j;
    NGA_Release_update(g, lo, hi);
  }
  GA_Sync();
  GA_Update_ghosts(g);
  if (lo[0] >= 0 && hi[0] >= lo[0]) {
    NGA_Access_ghosts(g, extent, &block, ld);
    for (int i = -width[0]; i < extent[0] - width[0]; i++)
      for (int j = -width[1]; j < extent[1] - width[1]; j++) {
        const int gi = (lo[0] + i + N) % N, gj = (lo[1] + j + M) % M;
        CHECK_EQ(block[(i + width[0]) * ld[0] + j + width[1]], gi * M + gj);
      }
  }
  GA_Sync();
  GA_Destroy(g);
}

static void collective(void) {
  double d[3] = {me, -me - 1.5, 2};
  int v[2] = {me == np - 1 ? 42 : 0, me};
  GA_Dgop(d, 3, "absmax");
  CHECK(d[0] == np - 1 && d[1] == np + 0.5 && d[2] == 2);
  GA_Brdcst(v, sizeof v, np - 1);
  CHECK(v[0] == 42 && v[1] == np - 1);
  GA_Igop(v, 1, "min");
  CHECK_EQ(v[0], 42);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  GA_Initialize();
  CHECK(MA_init(C_DBL, 100000, 100000));
  me = GA_Nodeid();
  np = GA_Nnodes();
  put_get();
  accumulate();
  begun();
  strided_patches();
  scatter_gather();
  counter();
  locks();
  multiply();
  groups();
  ghosts();
  collective();
  GA_Terminate();
  MPI_Finalize();
  return 0;
}
