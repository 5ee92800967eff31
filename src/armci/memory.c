/*
 * memory.c: memory that all may reach, at its owner's address; a collective of the group makes the
 * addresses known.
 */
#include <stdlib.h>

#include "armci/internal.h"
#include "runtime/runtime.h"

enum { LINE = 64, LARGE = 64 << 10, PAGE = 4096 };

void *weft_armci_get_memory(size_t bytes) {
  return weft_private_alloc(bytes >= LARGE ? PAGE : LINE, bytes);
}

void *weft_armci_local_memory(size_t bytes, const char *who) {
  void *p = malloc(bytes);
  if (!p && bytes && weft_armci_running) weft_no_room(who, bytes, "", "malloc has no more");
  return p;
}

void *weft_armci_need_memory(size_t bytes, const char *who) {
  void *p = weft_armci_get_memory(bytes);
  if (!p) weft_fatal("%s: no room for %zu bytes: %s", who, bytes, weft_private_shortage());
  return p;
}

void weft_armci_give_back(void *pointer, const char *who) {
  if (!pointer) return;
  const int rc = weft_private_free_of(weft_job.pe, weft_job_offset(pointer));
  if (rc < 0)
    weft_fatal("%s: %p %s", who, pointer,
               weft_private_fault(rc, "was never allocated by ARMCI_Malloc"));
}

void weft_armci_check_memory(int proc, const void *remote, size_t n, const char *who) {
  const uintptr_t off = weft_job_offset_of(proc, (uintptr_t)remote);
  weft_rma_check((void *)(weft_job.window.base + off), n, who, "remote memory");
  if (off >= weft_job.window.layout.private_heap && !weft_memory_owns(proc, off, n))
    weft_fatal("%s: %zu bytes at %p are not inside one live block of process %d", who, n, remote,
               proc);
}

/* Every member gives its address, or that it has no room. */
int weft_armci_malloc(weft_armci_group_t *group, void **pointers, size_t bytes, const char *who) {
  void *const none = (void *)UINTPTR_MAX;
  if (!pointers) weft_fatal("%s: no array for the addresses", who);
  if (bytes > PTRDIFF_MAX) weft_fatal("%s: %zd bytes is no size", who, (ptrdiff_t)bytes);
  WEFT_SPAN(WEFT_TRACE_MEMORY, who, bytes);
  void *p = bytes ? weft_armci_get_memory(bytes) : NULL;
  void *mine = bytes && !p ? none : p;
  weft_armci_gather(group, &mine, sizeof mine, pointers, who);
  int short_of = 0; /* the first member that has no room, which says so */
  while (short_of < group->size && pointers[short_of] != none) short_of++;
  if (short_of == group->size) return 0;
  if (short_of == group->me)
    weft_warn("%s: no room for %zu bytes here, of %zu MB: %s", who, bytes,
              weft_private_limit() >> 20, weft_private_shortage());
  weft_private_free(p);
  for (int i = 0; i < group->size; i++) pointers[i] = NULL;
  return 1;
}

void weft_armci_free(weft_armci_group_t *group, void *pointer, const char *who) {
  weft_armci_fence_all(who);
  weft_armci_barrier(group, who);
  weft_armci_give_back(pointer, who);
}

void *weft_armci_address(int proc, const void *pointer) {
  weft_armci_check(proc, "ARMCI_Memat");
  return weft_armci_here(proc, pointer);
}
