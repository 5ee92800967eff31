/*
 * The executable's writable data: found in its program headers. Statics of shared libraries are not
 * symmetric (OpenSHMEM 1.6, section 3), so only the main program counts.
 */
#define _GNU_SOURCE
#include <link.h>
#include <unistd.h>

#include "base/base.h"
#include "window/window.h"

static int find_in_main(struct dl_phdr_info *info, size_t size, void *arg) {
  (void)size;
  weft_image_t *image = arg;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  uintptr_t relro_end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
    if (ph->p_type == PT_GNU_RELRO)
      relro_end = (info->dlpi_addr + ph->p_vaddr + ph->p_memsz) / page * page;
  }
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
    if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_W)) continue;
    uintptr_t begin = (info->dlpi_addr + ph->p_vaddr) / page * page;
    uintptr_t end = weft_round_up(info->dlpi_addr + ph->p_vaddr + ph->p_memsz, page);
    if (begin < relro_end && relro_end <= end) begin = relro_end;
    if (image->begin == 0 || begin < image->begin) image->begin = begin;
    if (end > image->end) image->end = end;
  }
  return 1; /* the first object is the main program; look no further */
}

int weft_image_find(weft_image_t *image) {
  *image = (weft_image_t){0};
  dl_iterate_phdr(find_in_main, image);
  if (image->begin == 0 || image->begin >= image->end) {
    weft_warn("no writable data segment found in the executable; link it as oshcc -show tells");
    return -ENOEXEC;
  }
  return 0;
}
