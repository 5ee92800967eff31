/*
 * The executable's own data, found in its program headers: what it may write, and what it may only
 * read (const objects). Those of shared libraries are not symmetric (OpenSHMEM 1.6, section 3), so
 * only the main program counts.
 */
#define _GNU_SOURCE
#include <link.h>
#include <unistd.h>

#include "base/base.h"
#include "window/window.h"

static uintptr_t page_size(void) {
  return (uintptr_t)sysconf(_SC_PAGESIZE);
}

static void begin_and_end(const struct dl_phdr_info *info, const ElfW(Phdr) * ph, uintptr_t *begin,
                          uintptr_t *end) {
  *begin = (info->dlpi_addr + ph->p_vaddr) / page_size() * page_size();
  *end = weft_round_up(info->dlpi_addr + ph->p_vaddr + ph->p_memsz, page_size());
}

static void add_constants(weft_image_t *image, uintptr_t begin, uintptr_t end) {
  if (begin >= end || image->nconstants == WEFT_CONSTANTS_MAX) return;
  image->constants[image->nconstants++] = (weft_range_t){begin, end};
}

/* The data begin with the first part that is written, and end with the last one. */
static void add_part(weft_image_t *image, uintptr_t begin, uintptr_t end, bool is_written) {
  if (begin >= end || (image->nparts == 0 && !is_written)) return;
  if (image->nparts < WEFT_PARTS_MAX) image->parts[image->nparts] = (weft_range_t){begin, end};
  image->nparts++;
  if (image->begin == 0) image->begin = begin;
  if (is_written) image->end = end;
}

/* Linkers that do not separate code from constants have no segment that is read only. */
static bool is_constant(const struct dl_phdr_info *info, const ElfW(Phdr) * ph) {
  if (ph->p_type != PT_LOAD || (ph->p_flags & PF_W) || !(ph->p_flags & PF_R)) return false;
  if (!(ph->p_flags & PF_X)) return true;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD && !(info->dlpi_phdr[i].p_flags & (PF_W | PF_X)))
      return false;
  return true;
}

/* Where data lies above the code, what may be written below the code is no data: patchelf puts the
 * program's head there, and tables that have become longer. 0: no data lies above it. */
static uintptr_t begin_of_code(const struct dl_phdr_info *info) {
  uintptr_t code = 0, data = 0;
  for (int i = info->dlpi_phnum - 1; i >= 0; i--) { /* they ascend */
    const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
    if (ph->p_type != PT_LOAD) continue;
    if (ph->p_flags & PF_X) code = info->dlpi_addr + ph->p_vaddr;
    if (ph->p_flags & PF_W && data == 0) data = info->dlpi_addr + ph->p_vaddr;
  }
  return code < data ? code / page_size() * page_size() : 0;
}

static int find_in_main(struct dl_phdr_info *info, size_t size, void *arg) {
  (void)size;
  weft_image_t *image = arg;
  const uintptr_t code = begin_of_code(info);
  uintptr_t relro_end = 0, begin, end;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
    if (ph->p_type == PT_GNU_RELRO)
      relro_end = (info->dlpi_addr + ph->p_vaddr + ph->p_memsz) / page_size() * page_size();
  }
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
    if (ph->p_type != PT_LOAD) continue;
    begin_and_end(info, ph, &begin, &end);
    if (image->lowest == 0 || begin < image->lowest) image->lowest = begin;
    if (is_constant(info, ph)) add_constants(image, begin, end);
    const bool is_written = ph->p_flags & PF_W;
    if (end <= code && is_written) continue;
    if (is_written && begin < relro_end && relro_end <= end) {
      add_constants(image, begin, relro_end);
      begin = relro_end;
    }
    if (ph->p_flags & PF_R) add_part(image, begin, end, is_written);
  }
  return 1; /* the first object is the main program; look no further */
}

size_t weft_image_break(const weft_image_t *image) {
  const uintptr_t at = (uintptr_t)sbrk(0), far = (uintptr_t)1 << 40;
  return at > image->end && at - image->end < far ? at - image->end : 0;
}

int weft_image_find(weft_image_t *image) {
  *image = (weft_image_t){0};
  dl_iterate_phdr(find_in_main, image);
  if (image->begin == 0 || image->begin >= image->end) {
    weft_warn("no writable data segment found in the executable; link it as oshcc -show tells");
    return -ENOEXEC;
  }
  if (image->nparts > WEFT_PARTS_MAX) {
    weft_warn("the executable has %d data segments, and may have %d", image->nparts,
              WEFT_PARTS_MAX);
    return -ENOEXEC;
  }
  /* Constants behind the last data are no part. */
  while (image->parts[image->nparts - 1].begin >= image->end) image->nparts--;
  int kept = 0; /* a linker script may have put some elsewhere */
  for (int i = 0; i < image->nconstants; i++)
    if (image->constants[i].end <= image->begin) image->constants[kept++] = image->constants[i];
  image->nconstants = kept;
  if (image->lowest > image->begin || image->begin - image->lowest > WEFT_CONSTANTS_SPAN) {
    image->lowest = image->begin;
    image->nconstants = 0;
  }
  return 0;
}
