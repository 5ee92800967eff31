/*
 * Calls that count.sh counts: 64 bytes to a process of the node, as one block, as a strided piece
 * that is one block in disguise (Global Arrays sends everything so), and as four rows.
 */
#include "armci_test.h"

int main(int argc, char **argv) {
  enum { ROUNDS = 24 };
  double *all[NP_MAX], out[16] = {0}, one = 1;
  int stride[2] = {16, 32}, count[3] = {16, 2, 2}, apart[1] = {32}, rows[2] = {16, 4};
  armci_begin(&argc, &argv);
  CHECK_EQ(ARMCI_Malloc((void **)all, 256), 0);
  for (int i = 0; me == 0 && i < ROUNDS; i++) {
    ARMCI_Put(out, all[1], 64, 1);
    ARMCI_Get(all[1], out, 64, 1);
    ARMCI_Acc(ARMCI_ACC_DBL, &one, out, all[1], 64, 1);
    ARMCI_PutS(out, stride, all[1], stride, count, 2, 1);
    ARMCI_GetS(all[1], stride, out, stride, count, 2, 1);
    ARMCI_AccS(ARMCI_ACC_DBL, &one, out, stride, all[1], stride, count, 2, 1);
    ARMCI_NbPutS(out, apart, all[1], apart, rows, 1, 1, NULL);
    ARMCI_Fence(1);
  }
  ARMCI_Barrier();
  ARMCI_Free(all[me]);
  return armci_end();
}
