/*
 * Communicators (traps 1 to 4): both halves of the world run one after the other and at the same
 * time, some processes take no part, then the world; MPI outlives them all, and user messages never
 * meet ARMCI's. As Global Arrays' test comm_init.
 */
#include "armci_test.h"

static int mpi_rank, mpi_size;

/* MPI_COMM_NULL: Init is given none, and takes the world. */
static void one_life(MPI_Comm given) {
  const MPI_Comm comm = given == MPI_COMM_NULL ? MPI_COMM_WORLD : given;
  int rank, size, same, got = -1;
  long *all[NP_MAX], old;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
#ifdef ARMCI_MPI
  if (given != MPI_COMM_NULL) CHECK_EQ(ARMCI_Init_mpi_comm(comm), 0);
#else
  if (given != MPI_COMM_NULL) CHECK_EQ(ARMCI_Init_mpi_comm(comm), 1);
#endif
  CHECK_EQ(ARMCI_Init(), 0); /* as Global Arrays does then */
  me = armci_msg_me(), np = armci_msg_nproc();
  CHECK(me == rank && np == size);
  ARMCI_Group world;
  ARMCI_Group_get_world(&world);
  MPI_Comm_compare(armci_group_comm(&world), comm, &same);
  CHECK_EQ(same, MPI_CONGRUENT);
  CHECK_EQ(ARMCI_Malloc((void **)all, 64), 0);
  memset(all[me], 0, 64);
  ARMCI_Barrier();
  ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old, all[0], 1, 0);
  ARMCI_PutValueLong(mpi_rank, all[(me + 1) % np] + 1, (me + 1) % np);
  /* The same tag and partners, through MPI and through ARMCI. */
  const int next = (me + 1) % np, before = (me + np - 1) % np;
  MPI_Request request;
  MPI_Irecv(&got, 1, MPI_INT, before, 5, comm, &request);
  armci_msg_snd(5, &rank, sizeof rank, next);
  MPI_Send(&mpi_rank, 1, MPI_INT, next, 5, comm);
  int other = -1;
  armci_msg_rcv(5, &other, sizeof other, NULL, before);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK_EQ(other, before);
  ARMCI_Barrier();
  CHECK_EQ(all[me][1], got);
  if (me == 0) CHECK_EQ(all[0][0], np);
  ARMCI_Barrier();
  ARMCI_Free(all[me]);
  ARMCI_Finalize();
  ARMCI_Finalize();
}

int main(int argc, char **argv) {
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &mpi_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &mpi_size);
  const int color = mpi_rank == mpi_size - 1 && mpi_size % 2 ? 2 : mpi_rank % 2; /* one is left */
  MPI_Comm_split(MPI_COMM_WORLD, color, -mpi_rank, &half);
  for (int turn = 0; turn < 2; turn++) {
    if (color == turn) one_life(half);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (color < 2) one_life(half); /* both at the same time */
  MPI_Barrier(MPI_COMM_WORLD);
  one_life(MPI_COMM_WORLD);
  if (color < 2) one_life(half);
  MPI_Barrier(MPI_COMM_WORLD);
  one_life(MPI_COMM_NULL);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
