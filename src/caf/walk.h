/*
 * walk.h: following a chain where the memory is, by a process of its owner's node: an
 * image or the node's port.
 */
#ifndef WEFT_CAF_WALK_H
#define WEFT_CAF_WALK_H

#include <sys/types.h>

#include "caf/chain.h"
#include "job/job.h"

/* The memory of a process of this node. */
typedef struct weft_caf_memory {
  uint64_t base; /* its window, as it sees it */
  char *slot;    /* the same here */
  pid_t pid;     /* for what is elsewhere */
  bool own;      /* it is this process */
} weft_caf_memory_t;

/* Of the PE in a slot of this node. */
void weft_caf_memory_of(weft_caf_memory_t *memory, int slot);
/* Address here of [at, at + n) of its owner, or NULL: not in the window. (The gap behind the static
 * data is malloc's.) */
static inline char *weft_caf_memory_at(const weft_caf_memory_t *m, uint64_t at, size_t n) {
  if (m->own) return (char *)(uintptr_t)at;
  const uint64_t off = at - m->base;
  return weft_window_contains(&weft_job.window, (char *)(weft_job.window.base + off), n)
             ? m->slot + off
             : NULL;
}
/* Between consecutive bytes here and the elements of a section of the owner's, in array order. */
bool weft_caf_memory_move(const weft_caf_memory_t *m, const weft_caf_section_t *theirs, char *here,
                          bool write);

/* `base`: the owner's address. steps: n bytes of them. */
void weft_caf_walk(const weft_caf_memory_t *m, uint64_t base, const char *steps, size_t n,
                   const weft_caf_descriptor_t *bounds, weft_caf_place_t *place);

#endif
