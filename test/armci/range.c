/*
 * Accesses outside of every block of ARMCI_Malloc, or to one that was freed, by their names:
 * range.sh looks at what WEFT_CHECK=1 says. PE 0 makes them, to the last process's memory.
 */
#include "armci_test.h"

int main(int argc, char **argv) {
  const char *which = argc > 1 ? argv[1] : "";
  long word[8] = {0}, one = 1;
  char *all[NP_MAX], *gone[NP_MAX];
  armci_begin(&argc, &argv);
  ARMCI_Malloc((void **)all, 64);
  ARMCI_Malloc((void **)gone, 64);
  ARMCI_Barrier();
  ARMCI_Free(gone[me]);
  ARMCI_Barrier();
  char *there = all[np - 1], *end = there + 64, *freed = gone[np - 1];
  int apart[1] = {40}, count[2] = {8, 2}, back[1] = {-8};
  void *from[2] = {word, word}, *to[2] = {there, end - 4};
  armci_giov_t list = {.src_ptr_array = from, .dst_ptr_array = to, .bytes = 8, .ptr_array_len = 2};
  armci_hdl_t h;
  ARMCI_INIT_HANDLE(&h);
  if (me == 0) {
    ARMCI_Put(word, end - 8, 8, np - 1); /* these are right */
    ARMCI_PutS(word, apart, there + 16, apart, count, 1, np - 1);
    ARMCI_Put(word, all[0], 64, 0);
    if (!strcmp(which, "put")) ARMCI_Put(word, end - 4, 8, np - 1);
    if (!strcmp(which, "own")) ARMCI_Put(word, all[0] + 60, 8, 0);
    if (!strcmp(which, "get")) ARMCI_Get(there - 8, word, 8, np - 1);
    if (!strcmp(which, "nbget")) ARMCI_NbGet(freed, word, 8, np - 1, &h);
    if (!strcmp(which, "acc")) ARMCI_Acc(ARMCI_ACC_LNG, &one, word, freed + 56, 8, np - 1);
    if (!strcmp(which, "rows")) ARMCI_PutS(word, apart, there + 24, apart, count, 1, np - 1);
    if (!strcmp(which, "rows-back")) ARMCI_PutS(word, apart, there, back, count, 1, np - 1);
    if (!strcmp(which, "list")) ARMCI_PutV(&list, 1, np - 1);
    if (!strcmp(which, "rmw")) ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, word, end, 1, np - 1);
    if (!strcmp(which, "value")) ARMCI_PutValueLong(1, freed, np - 1);
  }
  ARMCI_Barrier();
  return armci_end();
}
