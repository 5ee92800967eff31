/*
 * What all.c does, over MPI, for the table of scale.sh. It is no test: only scale.sh builds it,
 * with each MPI that is here.
 */
#include <mpi.h>

#include "measure.h"

int main(int argc, char **argv) {
  times_t t;
  MPI_Win window;
  long sum, mine, *from, used[TAKEN], all_used[TAKEN];
  int me, n, few, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Barrier(MPI_COMM_WORLD);
  t.up = now();
  for (int i = 0; i < 3; i++) MPI_Barrier(MPI_COMM_WORLD);
  t.barrier = (now() - t.up) / 3;
  mine = me + 1;
  MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  wrong += sum != (long)n * (n + 1) / 2;
  MPI_Win_allocate((MPI_Aint)((size_t)n * sizeof *from), sizeof *from, MPI_INFO_NULL,
                   MPI_COMM_WORLD, &from, &window);
  MPI_Win_lock_all(0, window);
  descriptors(&few);
  MPI_Barrier(MPI_COMM_WORLD);
  const double before = now();
  mine = me + 1;
  for (int i = 0; i < n; i++) MPI_Put(&mine, 1, MPI_LONG, (me + i) % n, me, 1, MPI_LONG, window);
  MPI_Win_flush_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  t.put = now() - before;
  MPI_Win_sync(window);
  for (int i = 0; i < n; i++) wrong += from[i] != i + 1;
  taken(used);
  MPI_Allreduce(used, all_used, TAKEN, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) print_line(&t, n, all_used, argc > 1 ? argv[1] : NULL, few);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return wrong != 0;
}
