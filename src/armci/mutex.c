/*
 * mutex.c: sets of mutexes. Each member of a group has as many as it said; they lie in its private
 * memory, and whoever waits is served in the order in which they asked.
 */
#include "armci/internal.h"

#include <stdlib.h>
#include <string.h>

struct weft_armci_mutexes {
  weft_armci_mutexes_t *next;
  weft_armci_group_t *group;
  char *own;
  struct at {
    char *address; /* its owner's */
    uint64_t count;
  } at[]; /* per member */
};

static weft_armci_mutexes_t *sets; /* all that live */
static weft_lock_t lock;           /* of that list */

weft_armci_mutexes_t *weft_armci_mutexes_create(weft_armci_group_t *group, int count) {
  const size_t bytes = (size_t)count * WEFT_QLOCK_BYTES;
  weft_armci_mutexes_t *set = malloc(sizeof *set + (size_t)group->size * sizeof *set->at);
  char *own = count ? weft_armci_get_memory(bytes) : NULL;
  if (!set || (count && !own)) weft_fatal("ARMCI_Create_mutexes: no memory for %d mutexes", count);
  if (own) memset(own, 0, bytes);
  set->group = group;
  set->own = own;
  weft_lock(&lock);
  set->next = sets;
  sets = set;
  weft_unlock(&lock);
  const struct at mine = {own, (uint64_t)count};
  weft_armci_gather(group, &mine, sizeof mine, set->at, "ARMCI_Create_mutexes");
  return set;
}

static void drop(weft_armci_mutexes_t *set) {
  weft_lock(&lock);
  weft_armci_mutexes_t **at = &sets;
  while (*at != set) at = &(*at)->next;
  *at = set->next;
  weft_unlock(&lock);
  weft_armci_give_back(set->own, "ARMCI_Destroy_mutexes");
  free(set);
}

void weft_armci_mutexes_destroy(weft_armci_mutexes_t *set) {
  weft_armci_barrier(set->group, "ARMCI_Destroy_mutexes");
  drop(set);
}

void weft_armci_mutexes_stop(void) {
  while (sets) drop(sets);
}

static int home_of(const weft_armci_mutexes_t *set, int mutex, int proc, uintptr_t *off,
                   const char *who) {
  if (!set) weft_fatal("%s: there are no mutexes: call ARMCI_Create_mutexes first", who);
  if (proc < 0 || proc >= set->group->size || mutex < 0 || (uint64_t)mutex >= set->at[proc].count)
    weft_fatal("%s: process %d has no mutex %d", who, proc, mutex);
  const int pe = set->group->list[proc];
  *off =
      weft_job_offset_of(pe, (uintptr_t)set->at[proc].address + (size_t)mutex * WEFT_QLOCK_BYTES);
  return pe;
}

bool weft_armci_mutex_lock(weft_armci_mutexes_t *set, int mutex, int proc, bool try,
                           const char *who) {
  uintptr_t off;
  const int pe = home_of(set, mutex, proc, &off, who);
  WEFT_SPAN(WEFT_TRACE_LOCK, who, 0);
  const int rc = try ? weft_qlock_try(pe, off) : weft_qlock_acquire(pe, off);
  if (rc == -EDEADLK)
    weft_fatal("%s: mutex %d of process %d is held by this process already", who, mutex, proc);
  return rc == 0;
}

void weft_armci_mutex_unlock(weft_armci_mutexes_t *set, int mutex, int proc, const char *who) {
  uintptr_t off;
  const int pe = home_of(set, mutex, proc, &off, who);
  if (weft_qlock_release(pe, off) < 0)
    weft_fatal("%s: mutex %d of process %d is not held by this process", who, mutex, proc);
}
