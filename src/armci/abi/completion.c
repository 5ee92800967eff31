/*
 * completion.c: handles, fences, read-modify-write, notification.
 */
#include "armci/abi/abi.h"

int PARMCI_Wait(armci_hdl_t *handle) {
  return weft_armci_wait((int *)handle, "ARMCI_Wait");
}
TWIN(Wait);

int PARMCI_Test(armci_hdl_t *handle) {
  return weft_armci_test((int *)handle, "ARMCI_Test");
}
TWIN(Test);

int PARMCI_WaitAll(void) {
  weft_armci_wait_all();
  return 0;
}
TWIN(WaitAll);

int PARMCI_WaitProc(int proc) {
  weft_armci_wait_proc(proc, "ARMCI_WaitProc");
  return 0;
}
TWIN(WaitProc);

void ARMCI_SET_AGGREGATE_HANDLE(armci_hdl_t *handle) {
  weft_armci_aggregate((int *)handle, true);
}

void ARMCI_UNSET_AGGREGATE_HANDLE(armci_hdl_t *handle) {
  weft_armci_aggregate((int *)handle, false);
}

void PARMCI_Fence(int proc) {
  weft_armci_fence(proc, "ARMCI_Fence");
}
TWIN(Fence);

void PARMCI_AllFence(void) {
  weft_armci_fence_all("ARMCI_AllFence");
}
TWIN(AllFence);

void PARMCI_Barrier(void) {
  const char *who = "ARMCI_Barrier";
  weft_armci_fence_all(who);
  weft_armci_barrier(weft_armci_implied(who), who);
}
TWIN(Barrier);

int PARMCI_Rmw(int op, void *local, void *remote, int extra, int proc) {
  const char *who = "ARMCI_Rmw";
  const bool swap = op == ARMCI_SWAP || op == ARMCI_SWAP_LONG;
  const bool wide = op == ARMCI_SWAP_LONG || op == ARMCI_FETCH_AND_ADD_LONG;
  if (!swap && op != ARMCI_FETCH_AND_ADD && op != ARMCI_FETCH_AND_ADD_LONG)
    weft_armci_fatal("%s: %d is no operation (ARMCI_FETCH_AND_ADD, ...)", who, op);
  weft_armci_rmw(swap ? WEFT_ARMCI_SWAP : WEFT_ARMCI_ADD, wide ? sizeof(long) : sizeof(int), local,
                 remote, extra, proc, who);
  return 0;
}
TWIN(Rmw);

#ifdef WEFT_ARMCI_MPI_ABI
void ARMCI_INIT_HANDLE(armci_hdl_t *handle) {
  *handle = (armci_hdl_t){0};
}
#else
int parmci_notify(int proc) {
  return weft_armci_notify(proc, "armci_notify");
}
TWIN_LOWER(notify);

int parmci_notify_wait(int proc, int *value) {
  return weft_armci_notify_wait(proc, value, "armci_notify_wait");
}
TWIN_LOWER(notify_wait);

void PARMCI_GroupFence(ARMCI_Group *group) {
  const weft_armci_group_t *g = group && *group > 0 ? weft_armci_group(*group) : NULL;
  if (!g) weft_armci_fence_all("ARMCI_GroupFence");
  for (int i = 0; g && i < g->size; i++) weft_armci_fence(g->list[i], "ARMCI_GroupFence");
}
TWIN(GroupFence);
#endif
