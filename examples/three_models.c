/*
 * Three programming models on one piece of memory: a plate that cools, in a Global Array (ARMCI).
 * Its owners' neighbours read the rows at the edges of their patches by shmem_get, and heat is
 * added to cells anywhere by active messages of GASNet. At the end Global Arrays reads all of it,
 * and it must be what one process computes, to the bit. With Debian's Global Arrays for MPICH
 * (PREFIX is where Weft is installed):
 *   MPICH_CC=oshcc mpicc.mpich three_models.c -o three_models -lga-mpich \
 *     -LPREFIX/lib/weft/armci-mpi-mpich/lib -larmci-mpich -lscalapack-mpich -llapack -lblas \
 *     -lgfortran -lm && mpiexec.hydra -n 3 ./three_models
 */
#define GASNET_PAR 1
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ga.h>
#include <gasnetex.h>
#include <macdecls.h>
#include <shmem.h>

enum { ROWS = 61, COLUMNS = 40, STEPS = 30, SPARKS = 17, PES_MAX = 64, SPARK = 200, STRUCK };

static int me, np;
static gex_TM_t team;

/* The patch of this process: whole rows of the array. */
static double *patch;
static int first, last;

/* How far each process's patch lies behind a variable that all have: with it, the address of any
 * row is an address of OpenSHMEM, though Global Arrays allocated the row. Both are symmetric. */
static long distance[PES_MAX];
static char here;

static int owner[ROWS], first_of[PES_MAX], sent, struck;

static const double *row_of(int row) {
  const int pe = owner[row];
  return (const double *)(&here + distance[pe]) + (size_t)(row - first_of[pe]) * COLUMNS;
}

/* ---- active messages: the owner of a cell adds to it ----------------------------------------- */

static void on_spark(gex_Token_t token, gex_AM_Arg_t row, gex_AM_Arg_t column, gex_AM_Arg_t heat) {
  patch[(size_t)(row - first) * COLUMNS + column] += heat;
  gex_AM_ReplyShort0(token, STRUCK, 0);
}

static void on_struck(gex_Token_t token) {
  (void)token;
  struck++;
}

static void spark_at(int step, int i, int *row, int *column, int *heat) {
  const unsigned x = (unsigned)(step * SPARKS + i) * 2654435761u;
  *row = (int)(x >> 8) % ROWS;
  *column = (int)(x >> 4 & 0xffff) % COLUMNS;
  *heat = 1 + (int)(x >> 20) % 64; /* small integers: their order does not matter */
}

static void throw_sparks(int step) {
  for (int i = me; i < SPARKS; i += np) {
    int row, column, heat;
    spark_at(step, i, &row, &column, &heat);
    gex_AM_RequestShort3(team, (gex_Rank_t)owner[row], SPARK, 0, row, column, heat);
    sent++;
  }
  GASNET_BLOCKUNTIL(struck == sent);
}

/* ---- a step: each cell becomes the mean of itself and its neighbours, the edge is cold ------- */

static double cooled(const double *above, const double *row, const double *below, int j) {
  const double west = j > 0 ? row[j - 1] : 0, east = j < COLUMNS - 1 ? row[j + 1] : 0;
  return ((above ? above[j] : 0) + west + row[j] + east + (below ? below[j] : 0)) / 5;
}

static void cool_patch(double *next) {
  double above[COLUMNS], below[COLUMNS];
  if (first > 0) shmem_getmem(above, row_of(first - 1), sizeof above, owner[first - 1]);
  if (last < ROWS - 1) shmem_getmem(below, row_of(last + 1), sizeof below, owner[last + 1]);
  for (int i = first; i <= last; i++) {
    const double *row = patch + (size_t)(i - first) * COLUMNS;
    const double *up = i > first ? row - COLUMNS : i > 0 ? above : NULL;
    const double *down = i < last ? row + COLUMNS : i < ROWS - 1 ? below : NULL;
    for (int j = 0; j < COLUMNS; j++)
      next[(size_t)(i - first) * COLUMNS + j] = cooled(up, row, down, j);
  }
}

/* The same by one process. */
static void alone(double plate[ROWS][COLUMNS]) {
  static double next[ROWS][COLUMNS];
  for (int step = 0; step < STEPS; step++) {
    for (int i = 0, row, column, heat; i < SPARKS; i++) {
      spark_at(step, i, &row, &column, &heat);
      plate[row][column] += heat;
    }
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < COLUMNS; j++)
        next[i][j] =
            cooled(i ? plate[i - 1] : NULL, plate[i], i < ROWS - 1 ? plate[i + 1] : NULL, j);
    memcpy(plate, next, sizeof next);
  }
}

/* ---- the models begin, in any order; they share one job -------------------------------------- */

static void start_gasnet(int *argc, char ***argv) {
  gex_Client_t client;
  gex_EP_t endpoint;
  gex_AM_Entry_t handlers[] = {
      {SPARK, (gex_AM_Fn_t)on_spark, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 3, NULL, "spark"},
      {STRUCK, (gex_AM_Fn_t)on_struck, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 0, NULL, "struck"}};
  gex_Client_Init(&client, &endpoint, &team, "three", argc, argv, 0);
  gex_EP_RegisterHandlers(endpoint, handlers, 2);
}

static int create_plate(void) {
  int dims[2] = {ROWS, COLUMNS}, chunk[2] = {-1, COLUMNS}, lo[2], hi[2], ld[1];
  char name[] = "plate";
  const int plate = NGA_Create(C_DBL, 2, dims, name, chunk);
  GA_Zero(plate);
  for (int pe = 0; pe < np; pe++) {
    NGA_Distribution(plate, pe, lo, hi);
    first_of[pe] = lo[0];
    for (int row = lo[0]; row <= hi[0]; row++) owner[row] = pe;
    if (pe == me) first = lo[0], last = hi[0];
  }
  NGA_Distribution(plate, me, lo, hi);
  if (first <= last) NGA_Access(plate, lo, hi, &patch, ld);
  for (int pe = 0; pe < np; pe++) shmem_long_p(&distance[me], (char *)patch - &here, pe);
  shmem_barrier_all();
  return plate;
}

int main(int argc, char **argv) {
  static double expected[ROWS][COLUMNS], got[ROWS][COLUMNS];
  int lo[2] = {0, 0}, hi[2] = {ROWS - 1, COLUMNS - 1}, ld[1] = {COLUMNS}, wrong = 0;
  MPI_Init(&argc, &argv);
  GA_Initialize();
  shmem_init();
  start_gasnet(&argc, &argv);
  me = GA_Nodeid(), np = GA_Nnodes();
  if (np > PES_MAX || np > ROWS) GA_Error("at most 61 processes", np);
  const int plate = create_plate();
  double *next = malloc(sizeof got);
  for (int step = 0; step < STEPS; step++) {
    throw_sparks(step);
    GA_Sync();
    cool_patch(next);
    GA_Sync(); /* all have read */
    memcpy(patch, next, (size_t)(last - first + 1) * COLUMNS * sizeof *next);
    GA_Sync();
  }
  NGA_Get(plate, lo, hi, got, ld);
  alone(expected);
  double sum = 0;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      sum += got[i][j];
      wrong += got[i][j] != expected[i][j];
    }
  if (wrong) fprintf(stderr, "process %d: %d cells are wrong\n", me, wrong);
  if (me == 0)
    printf("%d processes, %d sparks in %d steps: heat %.6f%s\n", np, SPARKS * STEPS, STEPS, sum,
           wrong ? ", WRONG" : "");
  free(next);
  GA_Destroy(plate);
  shmem_finalize();
  GA_Terminate();
  MPI_Finalize();
  return wrong != 0;
}
