/*
 * components.c: memory of allocatable and pointer components. One image allocates it, the others
 * reach it through the object that has the component. It comes from the private heap, which is in
 * the window, so that a peer's component is one addition away; a program whose free() is not Weft's
 * (AddressSanitizer's, for example) gets it from malloc.
 *
 * gfortran frees it by deregister, or by free() when an assignment replaces the old value; it
 * copies tokens with the objects they belong to, and memory of malloc becomes a component by
 * move_alloc. So the memory itself says for which token it was allocated, and where descriptors are
 * is remembered.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "caf/chain.h"
#include "caf/internal.h"
#include "rma/rma.h"
#include "runtime/runtime.h"

/* In front of the memory. */
typedef struct head {
  void *place; /* of the token that it was allocated for */
  size_t size;
  uint32_t before; /* bytes from the block's beginning to the memory */
  uint32_t magic;
  uint64_t pad;
} head_t;

enum { MAGIC = 0x57454654, DEAD = 0x64656164, LARGE = 4096 };

WEFT_API struct weft_caf_range weft_caf_range;

void weft_caf_components_serve(void) {
  const weft_layout_t *layout = &weft_job.window.layout;
  weft_caf_range.from = weft_job.window.base + layout->private_heap;
  weft_caf_range.size = layout->private_limit;
}

static head_t *head_of(void *p) {
  return (head_t *)p - 1;
}

/* False: that much there cannot be. */
static bool make_head(head_t *head, void *place, size_t size) {
  const size_t align = size >= LARGE ? WEFT_CACHELINE : sizeof(head_t);
  *head = (head_t){.place = place, .size = size, .before = (uint32_t)align, .magic = MAGIC};
  return size <= SIZE_MAX / 2;
}

void *weft_caf_component(void *place, size_t size) {
  head_t head;
  if (!weft_caf_range.size) return malloc(size ? size : 1);
  if (!make_head(&head, place, size)) return NULL;
  char *block = weft_private_alloc(head.before, size + head.before);
  if (!block) return NULL;
  *head_of(block + head.before) = head;
  return block + head.before;
}

const char *weft_caf_component_shortage(void) {
  return weft_caf_range.size ? weft_private_shortage() : NULL;
}

void weft_caf_component_release(void *p) {
  head_t *head = head_of(p);
  if (head->magic != MAGIC)
    weft_fatal("free: %p was freed before, or is not the beginning of what was allocated", p);
  head->magic = DEAD;
  weft_private_free((char *)p - head->before);
}

void *weft_caf_component_resize(void *p, size_t size) {
  const head_t *head = head_of(p);
  void *q = weft_caf_component(head->place, size);
  if (!q) return NULL;
  memcpy(q, p, head->size < size ? head->size : size);
  weft_caf_component_release(p);
  return q;
}

/* ---- of another image ------------------------------------------------------------------------ */

static void head_get(int pe, uintptr_t off, head_t *head) {
  weft_direct_get(head, (void *)(weft_job.window.base + off), sizeof *head, pe, "component");
}

uint64_t weft_caf_component_for(int pe, uint64_t place, size_t size) {
  head_t head;
  if (!make_head(&head, (void *)(uintptr_t)place, size)) return 0;
  const uintptr_t block = weft_private_alloc_on(pe, head.before, size + head.before);
  if (!block) return 0;
  const uintptr_t off = block + head.before;
  weft_direct_put((void *)(weft_job.window.base + off - sizeof head), &head, sizeof head, pe,
                  "component");
  weft_caf_quiet();
  return weft_job_base_of(pe) + off;
}

/* What malloc gave only its owner could free: it stays. */
void weft_caf_component_free_for(int pe, uint64_t p) {
  const weft_layout_t *layout = &weft_job.window.layout;
  const uintptr_t off = p - weft_job_base_of(pe);
  head_t head;
  if (off < layout->private_heap + sizeof head || off >= weft_layout_end(layout)) return;
  weft_rma_order(pe);
  head_get(pe, off - sizeof head, &head);
  if (head.magic == MAGIC) weft_private_free_on(pe, off - head.before);
}

/* ---- where descriptors are ------------------------------------------------------------------- */

/* Open addressing; places are never taken out, since one is used again and again. */
static struct {
  struct {
    const void *place;
    weft_caf_descriptor_t *descriptor;
  } *entry;
  size_t n, room; /* room: a power of two, more than half of it free */
} known;

static size_t slot_of(const void *place) {
  size_t i = (size_t)((uintptr_t)place >> 3) * 0x9e3779b97f4a7c15u >> 20 & (known.room - 1);
  while (known.entry[i].place && known.entry[i].place != place) i = (i + 1) & (known.room - 1);
  return i;
}

static void grow(void) {
  const size_t old = known.room;
  void *all = known.entry;
  __typeof__(known.entry) from = all;
  known.room = old ? 2 * old : 64;
  known.entry = weft_caf_need(calloc(known.room, sizeof *known.entry), "register");
  for (size_t i = 0; i < old; i++)
    if (from[i].place) known.entry[slot_of(from[i].place)] = from[i];
  free(all);
}

extern void *__libc_stack_end; /* glibc's: of the main thread */

static bool is_on_stack(const void *at) {
  const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  return weft_thread_id() == getpid() &&
         (uintptr_t)at - here < (uintptr_t)__libc_stack_end - here;
}

/* gfortran names those of temporary objects, too, only to copy them: a local variable may have a
 * coarray there later. So what is on the main thread's stack is not remembered. Large temporary
 * objects are static or on the heap, and other threads have stacks of their own: places there are
 * remembered. */
void weft_caf_component_known(const void *place, void *descriptor, bool used) {
  if (!used && is_on_stack(place)) return;
  if (known.n * 2 >= known.room) grow();
  const size_t i = slot_of(place);
  known.n += !known.entry[i].place;
  known.entry[i].place = place;
  known.entry[i].descriptor = descriptor;
}

/* In a coarray or in another component, or seen before. */
bool weft_caf_is_component(const void *place) {
  const weft_window_t *w = &weft_job.window;
  const uintptr_t off = (uintptr_t)place - w->base;
  return (off >= w->layout.heap && off < weft_layout_end(&w->layout)) ||
         (known.room && known.entry[slot_of(place)].place);
}

/* A scalar has no descriptor: then the token's own value is all there is, and it may be another
 * object's or stale, so only memory that was allocated for this very token is freed. */
void weft_caf_component_free(void *place, void *token) {
  weft_caf_descriptor_t *d = known.room ? known.entry[slot_of(place)].descriptor : NULL;
  void *p = d ? d->base : token;
  if (!p) return;
  if ((uintptr_t)p - weft_caf_range.from >= weft_caf_range.size) {
    if (d || !weft_caf_range.size) free(p);
    return;
  }
  if (d || (head_of(p)->magic == MAGIC && head_of(p)->place == place))
    weft_caf_component_release(p);
}
