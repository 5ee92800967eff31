/*
 * Boot inside a program of its own MPI; built by the compiler of that MPI (mpi.sh). Linked with
 * every MPI we find. test: none
 *
 *   mpi_peer inside     MPI_Init, boot, leave, MPI_Finalize
 *   mpi_peer outlive    MPI_Init, boot, MPI_Finalize, leave
 *   mpi_peer before     boot, MPI_Init, exchange, MPI_Finalize, leave
 *   mpi_peer around     boot, exchange, leave after a MPI_Init .. MPI_Finalize without exchange
 *   mpi_peer within     boot, MPI_Init, leave, MPI_Finalize
 *   mpi_peer unended    boot, MPI_Init, leave
 *   mpi_peer abort      MPI_Init, boot, PE 1 aborts with 7
 *   mpi_peer plain      MPI alone: a ring
 */
#include "boot/boot.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MUST(what)                                                                                 \
  do {                                                                                             \
    if (!(what)) {                                                                                 \
      fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, #what);                                    \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static void exchange(weft_boot_t *boot) {
  enum { LEN = 5001 };
  static char mine[LEN];
  char *all = malloc((size_t)boot->npes * LEN);
  memset(mine, boot->pe + 1, LEN);
  MUST(boot->allgather(boot, NULL, 0, NULL) == 0);
  MUST(boot->allgather(boot, mine, LEN, all) == 0);
  for (int i = 0; i < boot->npes * LEN; i++) MUST(all[i] == i / LEN + 1);
  free(all);
}

static void check_mpi(int npes) {
  int rank, size, got = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MUST(size == npes);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, (rank + size - 1) % size,
               0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MUST(got == (rank + size - 1) % size);
}

int main(int argc, char **argv) {
  const char *mode = argc > 2 ? argv[1] : "";
  int npes = argc > 2 ? atoi(argv[2]) : 0;
  int within = strcmp(mode, "within") == 0, unended = strcmp(mode, "unended") == 0;
  int mpi_first = strcmp(mode, "before") != 0 && strcmp(mode, "around") != 0 && !within && !unended;
  weft_boot_t *boot = NULL;

  alarm(60);
  if (mpi_first) MPI_Init(&argc, &argv);
  if (strcmp(mode, "plain") == 0) {
    check_mpi(npes);
    MPI_Finalize();
    return 0;
  }
  if (weft_boot_open(&boot)) return 3;
  MUST(boot->npes == npes);
  MUST(!mpi_first || strcmp(boot->name, "mpi") == 0);
  if (strcmp(mode, "before") != 0) exchange(boot);
  if (strcmp(mode, "abort") == 0 && boot->pe == 1) boot->abort(boot, 7);
  if (!mpi_first) MPI_Init(&argc, &argv);
  if (strcmp(mode, "before") == 0) exchange(boot);
  check_mpi(npes);
  const int leaves_first = within || unended || strcmp(mode, "inside") == 0;
  if (leaves_first) boot->finalize(boot);
  if (!unended) MPI_Finalize();
  if (!leaves_first) boot->finalize(boot);
  return 0;
}
