/*
 * Sizes, offsets and numbers of both binary interfaces, as programs have them compiled in: nothing
 * here runs but the order of members, which calls show.
 */
#include "armci_test.h"

#define SAME(a, b) _Static_assert((a) == (b), #a " is " #b)

SAME(sizeof(armci_size_t), sizeof(long));
SAME(sizeof(armci_domain_t), 4);
SAME(ARMCI_DOMAIN_SMP, 0);
SAME(sizeof(armci_giov_t), 24);
#ifdef ARMCI_MPI
SAME(ARMCI_MPI, 3);
SAME(offsetof(armci_giov_t, bytes), 16);
SAME(offsetof(armci_giov_t, ptr_array_len), 20);
SAME(sizeof(armci_hdl_t), 8);
SAME(sizeof(ARMCI_Group), sizeof(MPI_Comm) == 4 ? 32 : 40);
SAME(offsetof(ARMCI_Group, grp_to_abs), sizeof(MPI_Comm) == 4 ? 8 : 16);
SAME(ARMCI_FETCH_AND_ADD, 0);
SAME(ARMCI_FETCH_AND_ADD_LONG, 1);
SAME(ARMCI_SWAP, 2);
SAME(ARMCI_SWAP_LONG, 3);
SAME(ARMCI_ACC_INT, 0);
SAME(ARMCI_ACC_LNG, 1);
SAME(ARMCI_ACC_FLT, 2);
SAME(ARMCI_ACC_DBL, 3);
SAME(ARMCI_ACC_CPL, 4);
SAME(ARMCI_ACC_DCP, 5);
SAME(ARMCI_INT, 0);
SAME(ARMCI_LONG, 1);
SAME(ARMCI_LONG_LONG, 2);
SAME(ARMCI_FLOAT, 3);
SAME(ARMCI_DOUBLE, 4);
SAME(SCOPE_ALL, 0);
SAME(SCOPE_NODE, 1);
SAME(SCOPE_MASTERS, 2);
#else
SAME(offsetof(armci_giov_t, ptr_array_len), 16);
SAME(offsetof(armci_giov_t, bytes), 20);
SAME(sizeof(armci_hdl_t), 4);
SAME(sizeof(ARMCI_Group), 4);
SAME(sizeof(armci_meminfo_t), 32 + 128 * 8);
SAME(offsetof(armci_meminfo_t, cpid), 24);
SAME(ARMCI_SWAP, 10);
SAME(ARMCI_SWAP_LONG, 11);
SAME(ARMCI_FETCH_AND_ADD, 12);
SAME(ARMCI_FETCH_AND_ADD_LONG, 13);
SAME(ARMCI_ACC_INT, 37);
SAME(ARMCI_ACC_DBL, 38);
SAME(ARMCI_ACC_FLT, 39);
SAME(ARMCI_ACC_CPL, 40);
SAME(ARMCI_ACC_DCP, 41);
SAME(ARMCI_ACC_LNG, 42);
SAME(ARMCI_MAX_STRIDE_LEVEL, 8);
SAME(FAIL, -1);
SAME(FAIL8, -8);
SAME(ARMCI_INT, -99);
SAME(ARMCI_LONG, -101);
SAME(ARMCI_LONG_LONG, -102);
SAME(ARMCI_FLOAT, -306);
SAME(ARMCI_DOUBLE, -307);
SAME(SCOPE_ALL, 333);
SAME(SCOPE_NODE, 337);
SAME(SCOPE_MASTERS, 339);
#endif

int main(int argc, char **argv) {
  ARMCI_Group world;
  armci_begin(&argc, &argv);
  ARMCI_Group_get_world(&world);
#ifdef ARMCI_MPI
  int size;
  CHECK(world.rank == me && world.size == np);
  CHECK(world.grp_to_abs[np - 1] == np - 1 && world.abs_to_grp[me] == me);
  MPI_Comm_size(world.comm, &size); /* Global Arrays reads the member */
  CHECK_EQ(size, np);
#else
  CHECK_EQ(world, 0);
#endif
  return armci_end();
}
