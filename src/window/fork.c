/*
 * What a fork does to the window: the child gets a private copy of the static data and private
 * mappings of the rest, and sees no peer. Runs between fork and whatever the child does, so it
 * calls the kernel only.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/base.h"
#include "window/window_internal.h"

static weft_window_t *fork_window; /* the one window of the process, for the handler below */
/* The child serves the window. Not in the static data, which the parent has too. */
static __thread bool sharing;

bool weft_window_next_data(int fd, size_t offset, size_t n, size_t *at, size_t *end) {
  const off_t data = *at < n ? lseek(fd, (off_t)(offset + *at), SEEK_DATA) : -1;
  if (data < 0 || (size_t)data - offset >= n) return false;
  const off_t hole = lseek(fd, data, SEEK_HOLE);
  *at = (size_t)data - offset;
  *end = hole < 0 || (size_t)hole - offset > n ? n : (size_t)hole - offset;
  return true;
}

void weft_window_copy_data(char *to, const char *from, size_t n, int fd, size_t offset) {
  for (size_t at = 0, end; weft_window_next_data(fd, offset, n, &at, &end); at = end)
    weft_window_copy_pages(to + at, from + at, end - at);
}

/* A private mapping of the file from `offset` on: the child's stores stay its own, but a page that
 * it has not touched may still show what the parent stores later. */
static void map_privately(uintptr_t at, size_t n, int fd, size_t offset) {
  mmap((void *)at, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, fd,
       (off_t)offset);
}

/* The static data are copied whole, if there is memory for that. The rest of the slot, and what was
 * adopted, become private mappings; a true copy could be many gigabytes. */
static void make_private_in_child(void) {
  weft_window_t *w = fork_window;
  if (!w) { /* there was one, or it is a child's child */
    weft_adopt_unlock();
    return;
  }
  const weft_layout_t layout = w->layout; /* w may itself lie in the pages that move */
  const int fd = w->fd;
  const uintptr_t base = w->base, statics = base + layout.statics;
  const size_t own = (size_t)w->slot * layout.stride, whole = (size_t)w->nslots * layout.stride;
  char *copy =
      mmap(NULL, layout.static_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy != MAP_FAILED) {
    weft_window_copy_data(copy, (char *)statics, layout.static_size, fd, own + layout.statics);
    mremap(copy, layout.static_size, layout.static_size, MREMAP_MAYMOVE | MREMAP_FIXED,
           (void *)statics);
  } else if (sharing) {
    _exit(ENOMEM); /* it would change the parent's */
  } else {
    map_privately(statics, layout.static_size, fd, own + layout.statics);
  }
  if (!sharing) {
    weft_log_share(NULL, 0); /* it lies in a slot */
    map_privately(base + layout.runtime, weft_layout_end(&layout) - layout.runtime, fd,
                  own + layout.runtime);
    mmap((void *)(base + layout.stride), whole, PROT_NONE,
         MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE | MAP_ANONYMOUS, -1, 0);
    weft_adopt_make_private(fd, own);
  }
  fork_window = NULL; /* for a child of its own the kernel does all */
  weft_adopt_unlock();
}

pid_t weft_window_fork_sharing(void) {
  sharing = true;
  const pid_t pid = fork();
  sharing = false;
  return pid;
}

void weft_window_prepare_fork(weft_window_t *window) {
  static bool done;
  if (!done) pthread_atfork(weft_adopt_lock, weft_adopt_unlock, make_private_in_child);
  done = true;
  fork_window = window;
}
