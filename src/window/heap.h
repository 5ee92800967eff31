/*
 * heap: hands out pieces of one range of memory. Everything it knows is stored inside that range,
 * as offsets, so that several processes may map it at different addresses. Equal calls give equal
 * offsets in every process, and locking is the caller's. It does not know where the range comes
 * from.
 */
#ifndef WEFT_WINDOW_HEAP_H
#define WEFT_WINDOW_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Make bytes [from, to) of the range usable; called before any of them is touched, each byte once.
 * 0, or a negative errno: then the allocation returns NULL and the heap is as it was. */
typedef int (*weft_heap_reserve_t)(void *arg, size_t from, size_t to);

/* One process's handle. The heap itself begins at `base`. */
typedef struct weft_heap {
  char *base;
  weft_heap_reserve_t reserve; /* NULL: all of the range is usable */
  void *reserve_arg;
  size_t hint; /* block in which weft_heap_owns found something last; not trusted */
} weft_heap_t;

/* Make the range [base, base + limit) an empty heap. `origin` says how alignment is counted: base
 * lies `origin` bytes (a multiple of 16) above a point that is aligned as strictly as any
 * allocation ever will be. (uintptr_t)base gives aligned addresses here; the slot offset of base
 * gives equal offsets on every PE. 0, -EINVAL, or what reserve said. */
int weft_heap_init(weft_heap_t *h, void *base, size_t limit, uintptr_t origin,
                   weft_heap_reserve_t reserve, void *arg);
/* A handle on a heap that another process has made. */
void weft_heap_attach(weft_heap_t *h, void *base, weft_heap_reserve_t reserve, void *arg);

/* Where data begin in their page matters between nodes: the kernel copies them to behind a head of
 * 16 to 48 bytes of the provider's, and from there, by REP MOVSB, which is two to four times slower
 * on a processor of AMD's where the destination lies 1 to 31 bytes further in its page than the
 * source in its own, and at times 1 to 63 bytes (weft/direct.h has the same of libc's memcpy). So
 * data at the first 128 and the last 64 bytes of a page may travel slowly, which of them depends on
 * the head. The middle of a page is far from that.
 * It may leave a page unused: so only large blocks begin there. */
enum { WEFT_HEAP_LARGE = 262144, WEFT_HEAP_PAGE = 4096 };

/* Of an empty heap: bytes are kept behind each allocation and looked at where it is freed or moved,
 * so that a program that writes beyond its end is found also where that hurts nobody. */
void weft_heap_watch(weft_heap_t *h);

/* `align` is a power of two; less than 16 means 16, and 64 for 4 KB and more. Blocks of
 * WEFT_HEAP_LARGE bytes and more begin in the middle of a page, if `align` and the room permit it.
 * NULL: no room, or align is none. */
void *weft_heap_alloc(weft_heap_t *h, size_t align, size_t size);
/* Is p what weft_heap_alloc returned for a live allocation? 0; -EALREADY: it was freed before;
 * -EINVAL: it never came from this heap. Best effort between the two, certain about 0. -EUCLEAN: it
 * is live, but the program wrote beyond its end. */
int weft_heap_live(const weft_heap_t *h, const void *p);
/* The same, and then it is no longer live. */
int weft_heap_free(weft_heap_t *h, void *p);
/* In place where the memory behind p allows; else moved, aligned as by 16. NULL: no room (p is
 * untouched), or p is not live. */
void *weft_heap_realloc(weft_heap_t *h, void *p, size_t size);
/* Reserve what weft_heap_alloc(h, align, size) needs, or weft_heap_realloc(h, old, size) if old is
 * not NULL, without changing anything that decides on offsets. After 0 the same call, made next,
 * succeeds. For heaps that must stay alike on many PEs: prepare, agree that all could, then
 * allocate. 0, -ENOMEM or -EINVAL. */
int weft_heap_prepare(weft_heap_t *h, void *old, size_t align, size_t size);

/* The address of a byte at an offset from the heap's base; NULL: the heap does not reach there.
 * (free, size and owns take NULL as what was never allocated.) */
void *weft_heap_at(const weft_heap_t *h, size_t off);
/* Bytes asked for at p; SIZE_MAX if p is not what weft_heap_alloc returned for a live allocation.
 */
size_t weft_heap_size(const weft_heap_t *h, const void *p);
/* [p, p + n) lies inside one live allocation. */
bool weft_heap_owns(weft_heap_t *h, const void *p, size_t n);
/* If the program has written beyond the end of an allocation, over the heap's own words or what is
 * watched, one line names that allocation and ends the job; else nothing happens. Walks the whole
 * heap. */
void weft_heap_blame(const weft_heap_t *h, const char *who);
/* Bytes behind the last block, up to the limit, with those of the next block's own words. */
size_t weft_heap_room(const weft_heap_t *h);
/* Bytes asked for by all live allocations. */
size_t weft_heap_used(const weft_heap_t *h);
/* Free everything. What was reserved stays so. */
void weft_heap_reset(weft_heap_t *h);
/* Walk everything; 0, or -EUCLEAN after one line that says which invariant of heap.c is broken. */
int weft_heap_check(const weft_heap_t *h);

#endif
