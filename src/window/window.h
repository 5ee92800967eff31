/*
 * window: the memory that the PEs of a node share. One sparse file (memfd) per node holds one slot
 * per local PE, all of the same stride. A slot holds, in this order:
 *
 *   offset 0               a copy of the executable's constants, which nobody may write; code
 *                          between them is a hole
 *   layout.statics         the image of the executable's static data (.data and .bss)
 *   layout.runtime         the runtime area: flags, staging buffers, scratch (upper layers'
 *                          business)
 *   layout.heap            the symmetric heap, growing up to layout.heap_limit bytes
 *   layout.private_heap    memory that peers reach but that is not symmetric, up to
 *                          layout.private_limit bytes
 *   layout.global          memory at one offset on every PE that a single caller asked for
 *
 * Each process maps the file twice. Once whole: slot k stands at base + (k + 1) * stride. And its
 * own slot once more in place: the static image over the executable's own writable pages, the
 * runtime area and the heaps at base + layout.*. `base` is the address of the executable's first
 * page, so a symmetric object's slot offset is its address - base, everywhere.
 *
 * The gap between static data and runtime area is left to the break (malloc). The static image
 * comes first, not the runtime area, because a non-PIE executable starts at 4 MB: base would be
 * negative with a large area below.
 *
 * Knows nothing of PEs of other nodes, of a launcher or of a front end: everything comes in as
 * numbers.
 */
#ifndef WEFT_WINDOW_H
#define WEFT_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "window/heap.h"

/* ---- static.c: the executable's data --------------------------------------------------------- */

enum { WEFT_CONSTANTS_MAX = 6, WEFT_PARTS_MAX = 16 };
/* Constants further below the static data than this are not symmetric: slots would be too large. */
#define WEFT_CONSTANTS_SPAN ((size_t)2 << 30)

typedef struct weft_range {
  uintptr_t begin, end;
} weft_range_t;

/* All page aligned. */
typedef struct weft_image {
  uintptr_t lowest;     /* the executable's first page */
  uintptr_t begin, end; /* what it may write: from the end of RELRO to the end of .bss */
  int nconstants;       /* what it may only read, RELRO included: all of it below `begin` */
  weft_range_t constants[WEFT_CONSTANTS_MAX];
  int nparts; /* what there is between begin and end: lld and mold leave pages out. Constants, too:
                 those of -mcmodel=medium lie behind .bss */
  weft_range_t parts[WEFT_PARTS_MAX];
} weft_image_t;

int weft_image_find(weft_image_t *image);
/* Bytes from its end to the break of the process; 0 where that is elsewhere. */
size_t weft_image_break(const weft_image_t *image);

/* ---- window.c -------------------------------------------------------------------------------- */

/* Where things stand in every slot of the job; equal on all PEs. Bytes. Invariant: all are page
 * multiples, 0 < static_size, statics + static_size <= runtime < heap, heap + heap_limit <=
 * private_heap, private_heap + private_limit <= global, global + global_limit <= stride. */
typedef struct weft_layout {
  size_t statics, static_size;
  size_t gap; /* free room between static data and runtime, at least: the break moves into it */
  size_t runtime, runtime_size;
  size_t runtime_fixed; /* bytes of it that are always used; the rest is committed piece by piece */
  size_t heap, heap_limit;
  size_t private_heap, private_limit;
  size_t global, global_limit;
  size_t stride;
} weft_layout_t;

/* The end of what peers and the network may touch. */
static inline size_t weft_layout_end(const weft_layout_t *layout) {
  return layout->global + layout->global_limit;
}

/* Fill in the rest of a layout whose statics, static_size, gap and runtime_size are set. */
void weft_layout_make(weft_layout_t *layout, size_t heap_limit, size_t private_limit,
                      size_t global_limit);

typedef struct weft_window {
  weft_layout_t layout;
  uintptr_t base; /* address of slot offset 0 in this process */
  int slot, nslots;
  int fd;
  bool limited;      /* the file system may be full: touching a hole is a SIGBUS then */
  size_t reserved;   /* heap bytes of the own slot that have pages */
  bool lacks_memory; /* the last that could not be reserved was within the limit */
  weft_image_t image;
} weft_window_t;

/* A new, empty file without a name for a window, reachable by processes of the same user through
 * /proc/PID/fd: a memfd, or where that is not wanted or refused a file in /dev/shm. fd or negative
 * errno. */
int weft_window_file(bool memfd);
/* The file that process `pid` holds as `fd`. fd or negative errno (not logged: the caller has a
 * fallback). */
int weft_window_file_of(int pid, int fd);
/* The fallback: a file of this name in /dev/shm. `create` makes it; the creator removes the name
 * with weft_window_named_unlink as soon as everyone has it open. fd or negative errno. */
int weft_window_named(const char *name, bool create);
void weft_window_named_unlink(const char *name);

/* Map the file and move the static data into it. Owns fd from here on. Every local PE calls it; the
 * file needs no size beforehand. 0 or a negative errno (logged). */
int weft_window_map(weft_window_t *window, int fd, const weft_image_t *image,
                    const weft_layout_t *layout, int slot, int nslots);

/* Undo: the static data are the process's own again with their present contents; heaps and peers
 * are gone, and what was adopted is private again. No other thread may write to static data
 * meanwhile. 0, or -ENOMEM (logged) and the window is as it was. */
int weft_window_unmap(weft_window_t *window);

/* fork() of a child that serves the window: its static data become its own, and the rest stays
 * shared. The parent changes no static data before the child says that it runs. */
pid_t weft_window_fork_sharing(void);

/* Address in this process of offset 0 of a local slot, for every offset up to the stride. */
static inline char *weft_window_slot(const weft_window_t *window, int slot) {
  return (char *)(window->base + (size_t)(slot + 1) * window->layout.stride);
}

/* Give the own heap's bytes [from, to) pages, so that touching them cannot fail. 0 or -ENOMEM. For
 * weft_heap_init: arg is the window. */
int weft_window_reserve(void *arg, size_t from, size_t to);

/* A slot of the node, for the next two. */
typedef struct weft_slot_part {
  weft_window_t *window;
  int slot;
  bool lacks_memory; /* what could not be reserved was within the limit */
} weft_slot_part_t;
/* The same for the private heap of a slot (arg: a weft_slot_part_t), but where the file is not
 * limited memory is only promised: the range may be many gigabytes (a GASNet segment) of which a
 * program touches a little. */
int weft_window_reserve_private(void *arg, size_t from, size_t to);
/* And for the range of global memory. */
int weft_window_reserve_global(void *arg, size_t from, size_t to);
/* What was in [off, off + n) of a slot is no longer wanted; the memory goes back where it can be
 * had again. */
void weft_window_discard(weft_window_t *window, int slot, size_t off, size_t n);

/* Give [off, off + n) of the own slot pages where a first touch could fail. 0 or -ENOMEM. */
int weft_window_commit(weft_window_t *window, size_t off, size_t n);

/* Of the static data in [*at, to), addresses in this process, the next part that has pages, [*at,
 * *end): what has been written to or read. False: no more. */
bool weft_window_next_touched(const weft_window_t *window, uintptr_t to, uintptr_t *at,
                              uintptr_t *end);

/* Does [p, p + n) lie in the static data or in the address range of the symmetric heap or of global
 * memory? */
bool weft_window_is_symmetric(const weft_window_t *window, const void *p, size_t n);
/* Does it lie in the executable's constants? Others may read it, as its copies in the slots. */
bool weft_window_is_constant(const weft_window_t *window, const void *p, size_t n);
/* Symmetric, or in the private heap: what other PEs may read and write. */
bool weft_window_contains(const weft_window_t *window, const void *p, size_t n);

/* ---- constant.c ------------------------------------------------------------------------------ */

/* From now on a store to a constant, one's own or a copy in a slot, ends the job with one line.
 * With more than WEFT_DEBUG=protected_slots slots (each costs every process a mapping) or without
 * `slots` (where a network card must write to slots) copies are not protected. NULL: no longer. */
void weft_window_protect(const weft_window_t *window, bool slots);
/* The same where nothing is protected yet: what `explain` below is for is seen from now on. */
void weft_window_catch(void);
/* Called on an access to memory that is not there, or not to be touched so: `explain` ends the job
 * with one line if it knows why, or returns. NULL: nobody does. */
void weft_window_explain(void (*explain)(uintptr_t at));
/* At the end, where they are not protected: has somebody stored to the copies in the own slot? Then
 * that is the line. */
void weft_window_check_constants(const weft_window_t *window);

/* ---- adopt.c: memory of the program that becomes part of the window -------------------------- */

/* Move [pages, pages + n), page-aligned private memory of the program, to [off, off + n) of the own
 * slot: its contents are copied, and the file is mapped over it, so that the program goes on at the
 * same address while peers see the same bytes in the slot. Nobody may write to it meanwhile. 0 or a
 * negative errno (-EINVAL: not page-aligned, or part of the window or adopted already; -EACCES:
 * mapped with MAP_SHARED, so that it may be somebody else's, too). */
int weft_window_adopt(weft_window_t *window, void *pages, size_t n, size_t off);
/* One more user of what was adopted: does [pages, pages + n) lie in one such piece? 0, and *off is
 * its place in the slot; else -ENOENT. */
int weft_window_share(const void *pages, size_t n, size_t *off);
/* The way back for the last user: private memory with the present contents, and *off is where the
 * piece around `pages` was in the slot. 0 or a negative errno (-EBUSY: it has other users yet;
 * -ENOENT: nothing was adopted there). */
int weft_window_release(weft_window_t *window, void *pages, size_t *off);

#endif
