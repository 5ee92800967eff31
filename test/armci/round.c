/* A handle is waited for again, at once, also when its entry's generations have gone round. */
#include "armci_test.h"

enum { ROUNDS = 3 << 17 };

int main(int argc, char **argv) {
  armci_hdl_t h;
  armci_begin(&argc, &argv);
  ARMCI_INIT_HANDLE(&h);
  for (int i = 0; i < ROUNDS; i++) {
    ARMCI_SET_AGGREGATE_HANDLE(&h);
    ARMCI_UNSET_AGGREGATE_HANDLE(&h);
    CHECK_EQ(ARMCI_Wait(&h), 0);
    CHECK_EQ(ARMCI_Wait(&h), 0);
    CHECK_EQ(ARMCI_Test(&h), 0);
  }
  return armci_end();
}
