/*
 * moved.c: the descriptor of a coarray that move_alloc has moved, of which the compiler tells
 * nobody. A coarray that is allocatable is a variable, or a component of one that is neither
 * allocatable nor a pointer (Fortran 2008, C525, which gfortran keeps to), so its descriptor is in
 * the data of the program or of a library, or on the stack. No two words of other memory are the
 * coarray's base and, as far behind it, the coarray itself.
 */
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>

#include "caf/chain.h"
#include "caf/internal.h"

typedef struct wanted {
  const void *base, *token;
  size_t distance; /* bytes from the one to the other */
  bool found;
} wanted_t;

/* What a sanitizer has put between variables is read, too. */
WEFT_UNSEEN __attribute__((no_sanitize_address)) static void look(wanted_t *w, uintptr_t from,
                                                                  uintptr_t to) {
  const size_t bytes = w->distance + sizeof w->token;
  from = weft_round_up(from, sizeof w->base);
  for (; from < to && to - from >= bytes; from += sizeof w->base) {
    const void **at = (const void **)from;
    if (weft_likely(*at != w->base) || *(void **)(from + w->distance) != w->token) continue;
    *at = NULL;
    w->found = true;
  }
}

/* Of the executable's static data only what has pages: there may be far more than memory. */
static void look_in_part(wanted_t *w, uintptr_t from, uintptr_t to) {
  const weft_window_t *window = &weft_job.window;
  const weft_image_t *image = &window->image;
  if (to <= image->begin || from >= image->end) {
    look(w, from, to);
    return;
  }
  for (uintptr_t at = from, end; weft_window_next_touched(window, to, &at, &end); at = end)
    look(w, at, end);
}

static int look_in_data(struct dl_phdr_info *info, size_t size, void *wanted) {
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
    const uintptr_t from = info->dlpi_addr + ph->p_vaddr;
    if (ph->p_type == PT_LOAD && ph->p_flags & PF_W) look_in_part(wanted, from, from + ph->p_memsz);
  }
  return 0;
}

static void look_in_stack(wanted_t *w) {
  pthread_attr_t attr;
  void *lowest;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attr) != 0) return;
  if (pthread_attr_getstack(&attr, &lowest, &size) == 0)
    look(w, (uintptr_t)__builtin_frame_address(0), (uintptr_t)lowest + size);
  pthread_attr_destroy(&attr);
}

bool weft_caf_moved_gone(const weft_caf_coarray_t *c) {
  wanted_t w = {c->base, c, (uintptr_t)c->token - (uintptr_t)c->descriptor, false};
  dl_iterate_phdr(look_in_data, &w);
  look_in_stack(&w);
  return w.found;
}
