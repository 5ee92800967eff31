/*
 * The window's file and its mappings. What a fork does to them is in fork.c.
 */
#define _GNU_SOURCE
#include "window/window.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "window/window_internal.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000 /* Linux 4.17 */
#endif

enum {
  PAGE = 65536
}; /* the largest page size of the machines we build for; layouts do not depend on the machine */

void weft_layout_make(weft_layout_t *layout, size_t heap_limit, size_t private_limit,
                      size_t global_limit) {
  size_t unit = (size_t)2 << 20; /* a huge page */
  layout->runtime = weft_round_up(layout->statics + layout->static_size + layout->gap, unit);
  layout->runtime_size = weft_round_up(layout->runtime_size, PAGE);
  layout->runtime_fixed = layout->runtime_size;
  layout->heap = weft_round_up(layout->runtime + layout->runtime_size, unit);
  layout->heap_limit = weft_round_up(heap_limit, PAGE);
  layout->private_heap = weft_round_up(layout->heap + layout->heap_limit, unit);
  layout->private_limit = weft_round_up(private_limit, PAGE);
  layout->global = weft_round_up(layout->private_heap + layout->private_limit, unit);
  layout->global_limit = weft_round_up(global_limit, PAGE);
  /* An odd number of units: AMD's processors find a line of their first cache by a hash of address
   * bits 12 to 27, and of two lines with the same hash keep only one. With slots a multiple of
   * 256 MB apart a copy to the same place of a peer's slot takes two to four times as long. */
  layout->stride = weft_round_up(weft_layout_end(layout), unit) | unit;
}

int weft_window_file(bool memfd) {
  int fd = memfd ? memfd_create("weft-window", MFD_CLOEXEC) : -1;
  if (fd < 0) fd = open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); /* it has no name */
  if (fd < 0) return -errno;
  fchmod(fd, 0600);
  return fd;
}

int weft_window_file_of(int pid, int fd) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, fd);
  int mine = open(path, O_RDWR | O_CLOEXEC);
  return mine < 0 ? -errno : mine;
}

/* Files of this user whose job was killed, launcher and all, in the moment when they had a name. */
static void clean(void) {
  enum { OLD_S = 120 };
  char prefix[32], path[512];
  const int n = snprintf(prefix, sizeof prefix, "weft-%d-", (int)getuid());
  DIR *dir = opendir("/dev/shm");
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    struct stat st;
    snprintf(path, sizeof path, "/dev/shm/%s", entry->d_name);
    if (strncmp(entry->d_name, prefix, (size_t)n) == 0 && stat(path, &st) == 0 &&
        time(NULL) - st.st_ctime > OLD_S)
      unlink(path);
  }
  if (dir) closedir(dir);
}

int weft_window_named(const char *name, bool create) {
  if (create) clean();
  int fd = shm_open(name, O_RDWR | O_CLOEXEC | (create ? O_CREAT | O_EXCL : 0), 0600);
  return fd < 0 ? -errno : fd;
}

void weft_window_named_unlink(const char *name) {
  shm_unlink(name);
}

/* Copy pages that hold something; a page of zeroes stays a hole. Other code's redzones are copied
 * too, so the address sanitizer must not look. Touches no static variable: in a static program they
 * are what is being moved. */
__attribute__((noinline, no_sanitize("address"))) WEFT_UNSEEN void
weft_window_copy_pages(char *to, const char *from, size_t n) {
  for (size_t at = 0; at < n; at += 4096) {
    const uint64_t *word = (const uint64_t *)(from + at);
    uint64_t *out = (uint64_t *)(to + at);
    uint64_t any = 0;
    for (size_t i = 0; i < 4096 / 8; i++) any |= word[i];
    if (!any) continue;
    for (size_t i = 0; i < 4096 / 8; i++) {
      out[i] = word[i];
      __asm__ volatile("" ::: "memory"); /* keep it a loop: memcpy is instrumented */
    }
  }
}

int weft_window_map_at(uintptr_t at, size_t n, int flags, int fd, size_t offset) {
  void *p = mmap((void *)at, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | flags, fd,
                 (off_t)offset);
  if (p == MAP_FAILED) return -errno;
  if (p != (void *)at) { /* a kernel that does not know MAP_FIXED_NOREPLACE takes it as a hint */
    munmap(p, n);
    return -EEXIST;
  }
  return 0;
}

/* A named file lies in a file system that may be full (64 MB in many containers): then a first
 * touch would be a SIGBUS. A memfd has no such limit and stays sparse. */
static bool is_limited(int fd) {
  struct statfs fs;
  return fstatfs(fd, &fs) == 0 && fs.f_blocks != 0;
}

static int reserve_fixed_parts(int fd, const weft_image_t *image, const weft_layout_t *layout,
                               size_t own) {
  if (!is_limited(fd)) return 0;
  int rc = 0;
  for (int i = 0; rc == 0 && i < image->nconstants; i++) {
    const weft_range_t *r = &image->constants[i];
    rc = weft_reserve_file(fd, own + r->begin - image->lowest, r->end - r->begin);
  }
  if (rc == 0) rc = weft_reserve_file(fd, own + layout->statics, layout->static_size);
  if (rc == 0 && layout->runtime_fixed > 0)
    rc = weft_reserve_file(fd, own + layout->runtime, layout->runtime_fixed);
  if (rc == 0) return 0;
  weft_warn("the file system of the shared window has no room for %zu MB of static data and %zu MB "
            "of the runtime: %s; make it larger, or leave out WEFT_SHM=file",
            layout->static_size >> 20, layout->runtime_fixed >> 20, strerror(-rc));
  return rc;
}

/* The executable's data, to the own slot. */
static void copy_image(const weft_window_t *w, const weft_image_t *image) {
  char *mine = weft_window_slot(w, w->slot);
  for (int i = 0; i < image->nconstants; i++) {
    const weft_range_t *r = &image->constants[i];
    weft_window_copy_pages(mine + (r->begin - w->base), (char *)r->begin, r->end - r->begin);
  }
  for (int i = 0; i < image->nparts; i++) {
    const weft_range_t *r = &image->parts[i];
    weft_window_copy_pages(mine + (r->begin - w->base), (char *)r->begin, r->end - r->begin);
  }
}

int weft_window_map(weft_window_t *window, int fd, const weft_image_t *image,
                    const weft_layout_t *layout, int slot, int nslots) {
  size_t own = (size_t)slot * layout->stride;
  size_t heap_span = weft_layout_end(layout) - layout->runtime;
  int rc = weft_set_file_size(fd, (size_t)nslots * layout->stride);
  if (rc < 0) {
    weft_warn("cannot size the shared window (%d slots of %zu bytes): %s%s; lower "
              "SHMEM_SYMMETRIC_SIZE and WEFT_PRIVATE_SIZE",
              nslots, layout->stride, strerror(-rc), rc == -EFBIG ? " (ulimit -f)" : "");
    goto close_file;
  }
  if ((rc = reserve_fixed_parts(fd, image, layout, own)) < 0) goto close_file;
  const uintptr_t base = image->lowest;
  rc = weft_window_map_at(base + layout->stride, (size_t)nslots * layout->stride,
                          MAP_FIXED_NOREPLACE, fd, 0);
  if (rc < 0) {
    weft_warn("cannot map the node's window of %d x %zu MB of address space: %s%s", nslots,
              layout->stride >> 20, strerror(-rc),
              rc == -ENOMEM || rc == -EINVAL
                  ? " (is there an address-space limit, ulimit -v, or valgrind? A lower "
                    "SHMEM_SYMMETRIC_SIZE or WEFT_PRIVATE_SIZE needs less)"
                  : "");
    goto close_file;
  }
  rc = weft_window_map_at(base + layout->runtime, heap_span, MAP_FIXED_NOREPLACE, fd,
                          own + layout->runtime);
  if (rc < 0) {
    weft_warn("cannot map the heaps at their place above the static data: %s; lower "
              "SHMEM_SYMMETRIC_SIZE and WEFT_PRIVATE_SIZE, or start with weftrun, which switches "
              "random addresses off",
              strerror(-rc));
    goto unmap_all;
  }
  *window = (weft_window_t){.layout = *layout,
                            .base = base,
                            .slot = slot,
                            .nslots = nslots,
                            .fd = fd,
                            .limited = is_limited(fd),
                            .image = *image};
  copy_image(window, image);
  rc = weft_window_map_at(image->begin, layout->static_size, MAP_FIXED, fd, own + layout->statics);
  if (rc < 0) {
    weft_warn("cannot move the static data into the window: %s; is the executable a usual one "
              "(oshcc -show)?",
              strerror(-rc));
    goto unmap_heap;
  }
  weft_window_prepare_fork(window);
  return 0;

unmap_heap:
  munmap((void *)(base + layout->runtime), heap_span);
unmap_all:
  munmap((void *)(base + layout->stride), (size_t)nslots * layout->stride);
close_file:
  close(fd);
  return rc;
}

int weft_window_unmap(weft_window_t *window) {
  const weft_window_t w = *window; /* it may lie in the pages that move */
  const weft_layout_t *l = &w.layout;
  const size_t own = (size_t)w.slot * l->stride;
  const uintptr_t statics = w.base + l->statics;
  int rc = weft_adopt_release_all(window);
  char *copy =
      mmap(NULL, l->static_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (rc < 0 || copy == MAP_FAILED) {
    if (copy != MAP_FAILED) munmap(copy, l->static_size);
    weft_warn("no memory to take the static data out of the shared window");
    return -ENOMEM;
  }
  weft_window_protect(NULL, false);
  weft_window_prepare_fork(NULL);
  weft_window_copy_data(copy, (char *)statics, l->static_size, w.fd, own + l->statics);
  mremap(copy, l->static_size, l->static_size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)statics);
  munmap((void *)(w.base + l->runtime), weft_layout_end(l) - l->runtime);
  munmap((void *)(w.base + l->stride), (size_t)w.nslots * l->stride);
  close(w.fd);
  return 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static int allocate(const weft_window_t *w, int slot, size_t off, size_t n) {
  const int rc = weft_reserve_file(w->fd, (size_t)slot * w->layout.stride + off, n);
  return rc < 0 ? -ENOMEM : 0;
}

int weft_window_reserve(void *arg, size_t from, size_t to) {
  weft_window_t *w = arg;
  (void)from;
  if (to <= w->reserved) return 0;
  if (to > w->layout.heap_limit) return -ENOMEM;
  w->lacks_memory = true;
  size_t until = weft_round_up(to, (size_t)1 << 20);
  if (until > w->layout.heap_limit) until = w->layout.heap_limit;
  size_t need = until - w->reserved;
  /* A memfd has no limit of its own. Every local PE is about to ask for the same (allocation is
   * collective). */
  if (!weft_memory_suffices(w->reserved, until, w->nslots)) return -ENOMEM;
  if (allocate(w, w->slot, w->layout.heap + w->reserved, need) < 0) return -ENOMEM;
  w->reserved = until;
  w->lacks_memory = false;
  return 0;
}

int weft_window_reserve_private(void *arg, size_t from, size_t to) {
  weft_slot_part_t *part = arg;
  const weft_window_t *w = part->window;
  if (to > w->layout.private_limit) return -ENOMEM;
  const int rc = w->limited ? allocate(w, part->slot, w->layout.private_heap + from, to - from)
                 : weft_memory_suffices(from, to, 1) ? 0
                                                     : -ENOMEM;
  part->lacks_memory = rc < 0;
  return rc;
}

int weft_window_reserve_global(void *arg, size_t from, size_t to) {
  weft_slot_part_t *part = arg;
  const weft_window_t *w = part->window;
  if (to > w->layout.global_limit) return -ENOMEM;
  part->lacks_memory = true;
  /* Every slot of the node may touch it. */
  for (int slot = 0; w->limited && slot < w->nslots; slot++)
    if (allocate(w, slot, w->layout.global + from, to - from) < 0) return -ENOMEM;
  if (!weft_memory_suffices(from, to, 1)) return -ENOMEM;
  part->lacks_memory = false;
  return 0;
}

void weft_window_discard(weft_window_t *w, int slot, size_t off, size_t n) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), begin = weft_round_up(off, page),
               end = (off + n) / page * page;
  if (w->limited || begin >= end) return; /* reserved pages could be lost to others */
  fallocate(w->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
            (off_t)((size_t)slot * w->layout.stride + begin), (off_t)(end - begin));
}

int weft_window_commit(weft_window_t *window, size_t off, size_t n) {
  return window->limited ? allocate(window, window->slot, off, n) : 0;
}

bool weft_window_next_touched(const weft_window_t *w, uintptr_t to, uintptr_t *at, uintptr_t *end) {
  const weft_layout_t *l = &w->layout;
  const uintptr_t statics = w->base + l->statics;
  size_t from = *at > statics ? *at - statics : 0, until;
  const size_t n = to > statics ? to - statics : 0;
  if (!weft_window_next_data(w->fd, (size_t)w->slot * l->stride + l->statics,
                             n < l->static_size ? n : l->static_size, &from, &until))
    return false;
  *at = statics + from;
  *end = statics + until;
  return true;
}

static bool inside(uintptr_t off, size_t n, size_t begin, size_t size) {
  return off >= begin && off - begin < size && n <= size - (off - begin);
}

bool weft_window_is_symmetric(const weft_window_t *window, const void *p, size_t n) {
  const weft_layout_t *l = &window->layout;
  const uintptr_t off = (uintptr_t)p - window->base;
  return inside(off, n, l->statics, l->static_size) || inside(off, n, l->heap, l->heap_limit) ||
         inside(off, n, l->global, l->global_limit);
}

bool weft_window_is_constant(const weft_window_t *window, const void *p, size_t n) {
  for (int i = 0; i < window->image.nconstants; i++) {
    const weft_range_t *r = &window->image.constants[i];
    if (inside((uintptr_t)p, n, r->begin, r->end - r->begin)) return true;
  }
  return false;
}

bool weft_window_contains(const weft_window_t *window, const void *p, size_t n) {
  const weft_layout_t *l = &window->layout;
  return weft_window_is_symmetric(window, p, n) ||
         inside((uintptr_t)p - window->base, n, l->private_heap, l->private_limit);
}
