/*
 * PE 0 calls a collective that the others do not, by its name: lonely.sh looks at what it says.
 */
#include "armci_test.h"

int main(int argc, char **argv) {
  const char *which = argc > 1 ? argv[1] : "";
  long word[1] = {1};
  void *all[NP_MAX];
  int both[2] = {0, 1};
  ARMCI_Group group;
  armci_begin(&argc, &argv);
  ARMCI_Barrier();
  if (me && !strcmp(which, "differ")) armci_msg_lgop(word, 1, "+");
  while (me) usleep(100000);
  if (!strcmp(which, "barrier") || !strcmp(which, "differ")) ARMCI_Barrier();
  if (!strcmp(which, "combine")) armci_msg_lgop(word, 1, "+");
  if (!strcmp(which, "broadcast")) armci_msg_bcast(word, 8, 1);
  if (!strcmp(which, "malloc")) ARMCI_Malloc(all, 64);
  if (!strcmp(which, "group")) ARMCI_Group_create(2, both, &group);
  if (!strcmp(which, "receive")) armci_msg_rcv(7, word, 8, both, 1);
  if (!strcmp(which, "mutexes")) ARMCI_Create_mutexes(1);
  return 0;
}
