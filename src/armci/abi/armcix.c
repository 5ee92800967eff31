/*
 * armcix.c: what ARMCI-MPI adds: groups by colour and key, sets of mutexes.
 */
#include <stdlib.h>

#include "armci/abi/abi.h"
#include <armcix.h>

typedef struct place {
  int color, key, rank;
} place_t;

static int compare(const void *a, const void *b) {
  const place_t *p = a, *q = b;
  return p->key != q->key ? (p->key > q->key) - (p->key < q->key) : p->rank - q->rank;
}

int ARMCIX_Group_split(ARMCI_Group *parent, int color, int key, ARMCI_Group *group) {
  const char *who = "ARMCIX_Group_split";
  weft_armci_group_t *p = weft_armci_group_of(parent, who);
  const place_t mine = {color, key, p->me};
  place_t *all = malloc((size_t)p->size * sizeof *all);
  int *list = malloc((size_t)p->size * sizeof *list), n = 0;
  if (!all || !list) weft_armci_fatal("%s: no memory for a group of %d", who, p->size);
  weft_armci_gather(p, &mine, sizeof mine, all, who);
  qsort(all, (size_t)p->size, sizeof *all, compare);
  for (int i = 0; i < p->size; i++)
    if (all[i].color == color && color >= 0) list[n++] = all[i].rank;
  if (n)
    ARMCI_Group_create_child(n, list, group, parent);
  else
    weft_armci_group_tell(NULL, 0, group);
  free(all);
  free(list);
  return 0;
}

int ARMCIX_Group_dup(ARMCI_Group *parent, ARMCI_Group *group) {
  return ARMCIX_Group_split(parent, 0, 0, group);
}

struct armcix_mutex_hdl_s {
  weft_armci_mutexes_t *set;
};

armcix_mutex_hdl_t ARMCIX_Create_mutexes_hdl(int count, ARMCI_Group *group) {
  const char *who = "ARMCIX_Create_mutexes_hdl";
  weft_armci_group_t *g = weft_armci_group_of(group, who);
  armcix_mutex_hdl_t handle = malloc(sizeof *handle);
  if (!handle || count < 0) weft_armci_fatal("%s: %d mutexes", who, count);
  handle->set = weft_armci_mutexes_create(g, count);
  return handle;
}

int ARMCIX_Destroy_mutexes_hdl(armcix_mutex_hdl_t handle) {
  weft_armci_mutexes_destroy(handle->set);
  free(handle);
  return 0;
}

void ARMCIX_Lock_hdl(armcix_mutex_hdl_t handle, int mutex, int proc) {
  weft_armci_mutex_lock(handle->set, mutex, proc, false, "ARMCIX_Lock_hdl");
}

int ARMCIX_Trylock_hdl(armcix_mutex_hdl_t handle, int mutex, int proc) {
  return !weft_armci_mutex_lock(handle->set, mutex, proc, true, "ARMCIX_Trylock_hdl");
}

void ARMCIX_Unlock_hdl(armcix_mutex_hdl_t handle, int mutex, int proc) {
  weft_armci_mutex_unlock(handle->set, mutex, proc, "ARMCIX_Unlock_hdl");
}

void ARMCIX_Progress(void) {
  weft_armci_progress();
}
