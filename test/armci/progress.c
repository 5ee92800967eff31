/*
 * A loop around ARMCIX_Progress is a wait: after a while it yields now and then, also where no
 * other process has to run on this processor. The library calls the sched_yield of this file.
 */
#include "armci_test.h"

#include <armcix.h>

static int yields;

int sched_yield(void) {
  yields++;
  return 0;
}

int main(int argc, char **argv) {
  armci_begin(&argc, &argv);
  yields = 0;
  for (int i = 0; i < 2000; i++) ARMCIX_Progress();
  CHECK(yields >= 30);
  return armci_end();
}
