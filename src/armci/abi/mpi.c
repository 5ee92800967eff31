/*
 * mpi.c: what ARMCI has to do with MPI: it starts inside it, and every group has a communicator.
 * Nothing else here calls MPI, and no helper thread ever does.
 */
#include <stdlib.h>
#include <string.h>

#include "armci/abi/abi.h"

static bool ours; /* MPI was initialised here, so nobody else may finalise it */

/* At exit, unless the program has done it. */
static void end_mpi(void) {
  int over = 0;
  MPI_Finalized(&over);
  if (!over) MPI_Finalize();
}

static void begin_mpi(int *argc, char ***argv, int level) {
  int up = 0, over = 0, given;
  MPI_Initialized(&up);
  MPI_Finalized(&over);
  if (over) weft_armci_fatal("ARMCI_Init: MPI has been finalised");
  if (up) return;
  MPI_Init_thread(argc, argv, level, &given);
  if (!ours) atexit(end_mpi);
  ours = true;
}

void weft_armci_mpi_start(int *argc, char ***argv) {
  begin_mpi(argc, argv, MPI_THREAD_SINGLE);
}

/* ---- communicators --------------------------------------------------------------------------- */

_Static_assert(sizeof(MPI_Comm) <= sizeof(((weft_armci_group_t *)0)->communicator),
               "a communicator is an int or a pointer");

static MPI_Comm base = MPI_COMM_NULL; /* what Init was given; MPI_COMM_WORLD otherwise */

static void keep(weft_armci_group_t *g, MPI_Comm comm) {
  memcpy(&g->communicator, &comm, sizeof comm);
}

static MPI_Comm kept(const weft_armci_group_t *g) {
  MPI_Comm comm;
  memcpy(&comm, &g->communicator, sizeof comm);
  return comm;
}

MPI_Comm armci_group_comm(ARMCI_Group *group) {
  return kept(weft_armci_group_of(group, "armci_group_comm"));
}

void weft_armci_mpi_group(weft_armci_group_t *g) {
  MPI_Comm comm = MPI_COMM_NULL;
  if (g->id == 0) {
    MPI_Comm_dup(base == MPI_COMM_NULL ? MPI_COMM_WORLD : base, &comm);
  } else {
    MPI_Group all, members;
    MPI_Comm world = kept(weft_armci_world());
    MPI_Comm_group(world, &all);
    MPI_Group_incl(all, g->size, g->list, &members);
    MPI_Comm_create_group(world, members, 0, &comm);
    MPI_Group_free(&members);
    MPI_Group_free(&all);
  }
  keep(g, comm);
}

/* TCGMSG goes on using the world's communicator after ARMCI_Finalize: it is kept. */
void weft_armci_mpi_group_free(weft_armci_group_t *g) {
  MPI_Comm comm = kept(g);
  int over = 0;
  if (g->id == 0) base = MPI_COMM_NULL; /* what the next Init is not given */
  MPI_Finalized(&over);
  if (g->id != 0 && !over) MPI_Comm_free(&comm);
}

/* ---- the starts that say more about MPI ------------------------------------------------------ */

#ifdef WEFT_ARMCI_MPI_ABI
enum { SUCCESS = 0 };
#else
enum { SUCCESS = 1 }; /* ComEx; Global Arrays goes on only if it is not 0 */
#endif

static void start_on(MPI_Comm comm, const char *who) {
  int rank, size;
  if (weft_armci_is_up()) return;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  base = comm;
  weft_armci_start(who, &base);
  if (weft_armci_me() != rank || weft_armci_nproc() != size)
    weft_armci_fatal("%s: this program runs already as process %d of %d, not %d of %d", who,
                     weft_armci_me(), weft_armci_nproc(), rank, size);
  weft_armci_mpi_group(weft_armci_world());
}

#ifdef WEFT_ARMCI_MPI_ABI
int ARMCI_Init_mpi_comm(MPI_Comm comm) {
  weft_armci_mpi_start(NULL, NULL);
  start_on(comm, "ARMCI_Init_mpi_comm");
  return SUCCESS;
}

int PARMCI_Init_thread_comm(int level, MPI_Comm comm) {
  begin_mpi(NULL, NULL, level);
  start_on(comm, "ARMCI_Init_thread_comm");
  return SUCCESS;
}
TWIN(Init_thread_comm);

int PARMCI_Init_thread(int level) {
  return PARMCI_Init_thread_comm(level, MPI_COMM_WORLD);
}
TWIN(Init_thread);
#else
int PARMCI_Init_mpi_comm(MPI_Comm comm) {
  weft_armci_mpi_start(NULL, NULL);
  start_on(comm, "ARMCI_Init_mpi_comm");
  return SUCCESS;
}
TWIN(Init_mpi_comm);

void armci_msg_init(int *argc, char ***argv) {
  weft_armci_mpi_start(argc, argv);
}

void armci_msg_finalize(void) {
  end_mpi();
}
#endif
