/*
 * Memory of the program that becomes part of the window while it keeps its address, as the static
 * data do at start. Which part of the slot it goes to is the caller's business.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/base.h"
#include "window/window_internal.h"

typedef struct adopted {
  struct adopted *next;
  uintptr_t at;
  size_t n, off;
  int users;
} adopted_t;

static adopted_t *adopted;
static weft_lock_t adopted_lock;

void weft_adopt_lock(void) {
  weft_lock(&adopted_lock);
}

void weft_adopt_unlock(void) {
  weft_unlock(&adopted_lock);
}

void weft_adopt_make_private(int fd, size_t own) {
  for (const adopted_t *a = adopted; a; a = a->next)
    mmap((void *)a->at, a->n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, fd,
         (off_t)(own + a->off));
}

static bool overlaps(uintptr_t at, size_t n, uintptr_t other, size_t length) {
  return at < other + length && other < at + n;
}

/* The window itself, or what was adopted before. */
static bool is_taken(const weft_window_t *w, uintptr_t at, size_t n) {
  const weft_layout_t *l = &w->layout;
  if (overlaps(at, n, w->base, l->statics + l->static_size)) return true;
  if (overlaps(at, n, w->base + l->runtime, weft_layout_end(l) - l->runtime)) return true;
  if (overlaps(at, n, w->base + l->stride, (size_t)w->nslots * l->stride)) return true;
  for (const adopted_t *a = adopted; a; a = a->next)
    if (overlaps(at, n, a->at, a->n)) return true;
  return false;
}

/* Is any of it a mapping that others share? They would not see it any more where it is moved.
 * (Where /proc is hidden nobody can say.) */
static bool is_shared(uintptr_t at, size_t n) {
  FILE *maps = fopen("/proc/self/maps", "re"); /* begin-end rwxs ..., s: shared */
  char line[4096];
  bool shared = false, whole = true; /* the piece is a line from its beginning */
  while (maps && !shared && fgets(line, sizeof line, maps)) {
    unsigned long begin, end;
    char kind;
    shared = whole && sscanf(line, "%lx-%lx %*c%*c%*c%c", &begin, &end, &kind) == 3 &&
             kind == 's' && overlaps(at, n, begin, end - begin);
    whole = strchr(line, '\n') != NULL;
  }
  if (maps) fclose(maps);
  return shared;
}

/* The bytes of the slot as if they had never been touched. */
static void clear(weft_window_t *w, size_t off, size_t n) {
  if (w->limited)
    memset(weft_window_slot(w, w->slot) + off, 0, n);
  else
    weft_window_discard(w, w->slot, off, n);
}

static int map_over(weft_window_t *w, uintptr_t at, size_t n, size_t off) {
  clear(w, off, n);
  weft_window_copy_pages(weft_window_slot(w, w->slot) + off, (const char *)at, n);
  return weft_window_map_at(at, n, MAP_FIXED, w->fd, (size_t)w->slot * w->layout.stride + off);
}

int weft_window_adopt(weft_window_t *w, void *pages, size_t n, size_t off) {
  const uintptr_t at = (uintptr_t)pages, in_page = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
  if (n == 0 || ((at | n | off) & in_page)) return -EINVAL;
  adopted_t *a = malloc(sizeof *a);
  if (!a) return -ENOMEM;
  weft_adopt_lock();
  int rc = is_taken(w, at, n) ? -EINVAL : is_shared(at, n) ? -EACCES : map_over(w, at, n, off);
  if (rc == 0) {
    *a = (adopted_t){.next = adopted, .at = at, .n = n, .off = off, .users = 1};
    adopted = a;
  }
  weft_adopt_unlock();
  if (rc < 0) free(a);
  return rc;
}

/* The link to what `at` lies in, or to NULL. */
static adopted_t **find(uintptr_t at) {
  adopted_t **link = &adopted;
  while (*link && at - (*link)->at >= (*link)->n) link = &(*link)->next;
  return link;
}

int weft_window_share(const void *pages, size_t n, size_t *off) {
  const uintptr_t at = (uintptr_t)pages;
  weft_adopt_lock();
  adopted_t *a = *find(at);
  const bool inside = a && n <= a->n - (at - a->at);
  if (inside) {
    a->users++;
    *off = a->off + (at - a->at);
  }
  weft_adopt_unlock();
  return inside ? 0 : -ENOENT;
}

/* Private memory in place of the mapping, with its contents. */
static int map_back(const weft_window_t *w, const adopted_t *a) {
  char *copy =
      mmap(NULL, a->n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (copy == MAP_FAILED) return -ENOMEM;
  weft_window_copy_data(copy, (const char *)a->at, a->n, w->fd,
                        (size_t)w->slot * w->layout.stride + a->off);
  if (mremap(copy, a->n, a->n, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)a->at) != MAP_FAILED)
    return 0;
  int rc = -errno;
  munmap(copy, a->n);
  return rc;
}

int weft_adopt_release_all(weft_window_t *w) {
  int rc = 0;
  while (rc == 0 && adopted) {
    size_t off;
    adopted->users = 1;
    rc = weft_window_release(w, (void *)adopted->at, &off);
  }
  return rc;
}

int weft_window_release(weft_window_t *w, void *pages, size_t *off) {
  int rc = -ENOENT;
  weft_adopt_lock();
  adopted_t **link = find((uintptr_t)pages), *a = *link;
  if (a && a->users > 1) {
    a->users--;
    rc = -EBUSY;
  } else if (a && (rc = map_back(w, a)) == 0) {
    *off = a->off;
    *link = a->next;
  }
  weft_adopt_unlock();
  if (rc == 0) free(a);
  return rc;
}
