/*
 * mutex.c: the one set of mutexes of the world.
 */
#include <stdlib.h>

#include "armci/abi/abi.h"

static weft_armci_mutexes_t *set;

int PARMCI_Create_mutexes(int count) {
  const char *who = "ARMCI_Create_mutexes";
  weft_armci_up(who);
  if (set || count < 0)
    weft_armci_fatal("%s: %s", who, set ? "there are mutexes already" : "a negative number");
  set = weft_armci_mutexes_create(weft_armci_world(), count);
  return 0;
}
TWIN(Create_mutexes);

int PARMCI_Destroy_mutexes(void) {
  if (!set) weft_armci_fatal("ARMCI_Destroy_mutexes: there are none");
  weft_armci_mutexes_destroy(set);
  set = NULL;
  return 0;
}
TWIN(Destroy_mutexes);

void weft_armci_mutex_stop(void) {
  set = NULL;
}

void PARMCI_Lock(int mutex, int proc) {
  weft_armci_mutex_lock(set, mutex, proc, false, "ARMCI_Lock");
}
TWIN(Lock);

void PARMCI_Unlock(int mutex, int proc) {
  weft_armci_mutex_unlock(set, mutex, proc, "ARMCI_Unlock");
}
TWIN(Unlock);
