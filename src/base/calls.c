/*
 * A library's calls of functions that others define: where it keeps their addresses, and how such a
 * call is made to go elsewhere. Knows ELF's tables, not providers.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/base.h"

/* Where a library keeps the address of a function that it calls, and whether the loader made that
 * page read-only after it had filled it. */
typedef struct call {
  ElfW(Addr) library;
  const char *name;
  void **slot; /* NULL: it does not call it */
  bool sealed;
} call_t;

static void **slot_of(ElfW(Addr) base, const ElfW(Dyn) *dynamic, const char *name) {
  const ElfW(Sym) *symbols = NULL;
  const ElfW(Rela) *calls = NULL;
  const char *strings = NULL;
  size_t bytes = 0;
  for (const ElfW(Dyn) *d = dynamic; d->d_tag != DT_NULL; d++) {
    /* Some loaders write addresses here, some leave offsets. */
    const void *at = (const void *)(d->d_un.d_ptr < base ? base + d->d_un.d_ptr : d->d_un.d_ptr);
    if (d->d_tag == DT_SYMTAB) symbols = at;
    if (d->d_tag == DT_STRTAB) strings = at;
    if (d->d_tag == DT_JMPREL) calls = at;
    if (d->d_tag == DT_PLTRELSZ) bytes = d->d_un.d_val;
    if (d->d_tag == DT_PLTREL && d->d_un.d_val != DT_RELA) return NULL;
  }
  for (size_t i = 0; symbols && strings && calls && i < bytes / sizeof *calls; i++) {
    const char *callee = strings + symbols[ELF64_R_SYM(calls[i].r_info)].st_name;
    if (strcmp(callee, name) == 0) return (void **)(base + calls[i].r_offset);
  }
  return NULL;
}

static size_t page_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static int find_call(struct dl_phdr_info *info, size_t size, void *arg) {
  call_t *call = arg;
  (void)size;
  if (info->dlpi_addr != call->library) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type == PT_DYNAMIC)
      call->slot = slot_of(info->dlpi_addr, (void *)(info->dlpi_addr + part->p_vaddr), call->name);
  }
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    const uintptr_t start = info->dlpi_addr + part->p_vaddr;
    const uintptr_t end = (start + part->p_memsz) & ~(page_bytes() - 1); /* whole pages only */
    if (part->p_type == PT_GNU_RELRO)
      call->sealed = (uintptr_t)call->slot >= start && (uintptr_t)call->slot < end;
  }
  return 1;
}

static bool set_slot(const call_t *call, void *function) {
  void *page = (void *)((uintptr_t)call->slot & ~(page_bytes() - 1));
  if (call->sealed && mprotect(page, page_bytes(), PROT_READ | PROT_WRITE) != 0) return false;
  __atomic_store_n(call->slot, function, __ATOMIC_RELEASE);
  if (call->sealed) mprotect(page, page_bytes(), PROT_READ);
  return true;
}

void *weft_calls_set(const void *function, const char *name, void *by) {
  Dl_info info;
  struct link_map *map = NULL;
  call_t call = {.name = name};
  if (!dladdr1(function, &info, (void **)&map, RTLD_DL_LINKMAP)) return NULL;
  call.library = map->l_addr;
  dl_iterate_phdr(find_call, &call);
  void *before = call.slot ? *call.slot : NULL;
  return before && (!by || set_slot(&call, by)) ? before : NULL;
}

/* Does its part of the library hold code as well, or what is written? (Old linkers put all that is
 * read into one.) */
static int find_code(struct dl_phdr_info *info, size_t size, void *at) {
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    const bool inside = (uintptr_t)at - info->dlpi_addr - part->p_vaddr < part->p_memsz;
    if (part->p_type == PT_LOAD && inside) return part->p_flags & (PF_X | PF_W) ? -1 : 1;
  }
  return 0;
}

bool weft_calls_offer(const void *function, const char *name, const void *by) {
  Dl_info info;
  ElfW(Sym) *symbol = NULL;
  if (!dladdr1(function, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol) return false;
  if (strcmp(info.dli_sname, name) != 0 || dl_iterate_phdr(find_code, symbol) != 1) return false;
  void *page = (void *)((uintptr_t)&symbol->st_value & ~(page_bytes() - 1));
  if (mprotect(page, page_bytes(), PROT_READ | PROT_WRITE) != 0) return false;
  symbol->st_value += (uintptr_t)by - (uintptr_t)function;
  mprotect(page, page_bytes(), PROT_READ);
  return true;
}
