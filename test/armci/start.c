/*
 * Start and end as Global Arrays, TCGMSG and NWChem do them (traps 1 to 6): Init again, Finalize
 * again, a second life, MPI started here, left early; "late": MPI is finalised first.
 */
#include "armci_test.h"

static void one_life(int life) {
  long *all[NP_MAX], old;
  int sum = 1;
  CHECK_EQ(ARMCI_Init(), 0);
  CHECK_EQ(ARMCI_Init_args(NULL, NULL), 0);
  CHECK_EQ(ARMCI_Initialized(), 1);
  me = armci_msg_me();
  np = armci_msg_nproc();
  armci_msg_igop(&sum, 1, "+");
  CHECK_EQ(sum, np);
  /* NXTVAL's counter: on the last rank alone. */
  CHECK_EQ(ARMCI_Malloc((void **)all, me == np - 1 ? 8 : 0), 0);
  if (me == np - 1) *all[me] = life;
  ARMCI_Barrier();
  ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old, all[np - 1], 1, np - 1);
  CHECK(old >= life && old < life + np);
  ARMCI_Barrier();
  ARMCI_Free(all[me]);
  CHECK_EQ(ARMCI_Create_mutexes(1), 0); /* which the end destroys */
  ARMCI_Lock(0, 0);
  ARMCI_Unlock(0, 0);
}

int main(int argc, char **argv) {
  const bool late = argc > 1 && !strcmp(argv[1], "late");
  CHECK_EQ(ARMCI_Initialized(), 0);
#ifdef MPI_VERSION
  if (argc > 1) MPI_Init(&argc, &argv);
#endif
  for (int life = 0; life < (late ? 1 : 3); life++) {
    one_life(life);
#ifdef MPI_VERSION
    if (late) MPI_Finalize();
#endif
    ARMCI_Finalize();
    ARMCI_Finalize();
    CHECK_EQ(ARMCI_Initialized(), 0);
  }
#ifdef MPI_VERSION
  if (argc > 1 && !late) MPI_Finalize(); /* otherwise it was begun by Init, and ends by itself */
#endif
  return 0;
}
