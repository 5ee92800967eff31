// The ELF objects mapped in a process: which file, at which bias, with which functions.
//
// Files and /proc only; it knows nothing of tracing, of breakpoints or of what is counted.

#define _GNU_SOURCE
#include "weft-count.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  uint64_t start, end;
  int object;
} range_t;

found_t found;
object_t *objects;
int nobjects;
static range_t *ranges; // the executable mappings
static int nranges;

static int sym_order(const void *a, const void *b) {
  const sym_t *x = a, *y = b;
  if (x->start != y->start) return x->start < y->start ? -1 : 1;
  bool ux = x->name[0] == '_', uy = y->name[0] == '_'; // of aliases keep the public, shorter name
  if (ux != uy) return ux - uy;
  size_t lx = strlen(x->name), ly = strlen(y->name);
  return lx != ly ? (lx < ly ? -1 : 1) : strcmp(x->name, y->name);
}

void *xrealloc(void *old, size_t bytes) {
  void *p = realloc(old, bytes);
  if (p) return p;
  fprintf(stderr, "weft-count: out of memory\n");
  _exit(1);
}

static void symbol_add(object_t *o, const Elf64_Sym *s, const char *name) {
  int type = ELF64_ST_TYPE(s->st_info);
  if (s->st_shndx == SHN_UNDEF || s->st_shndx >= SHN_LORESERVE || !*name) return;
  if (type != STT_FUNC && type != STT_GNU_IFUNC) return;
  *PUSH(o->syms, o->nsyms) = (sym_t){.start = s->st_value, .size = s->st_size, .name = name};
  found.symbol(o, name, o->bias + s->st_value, type == STT_GNU_IFUNC);
}

// Begin markers are no-ops of 7 bytes: nopl with the displacement 'WC', number, 'b'
// (test/count/marker.h).
static void object_markers(const uint8_t *text, size_t bytes, uint64_t addr) {
  static const uint8_t head[] = {0x0f, 0x1f, 0x80, 'b'};
  for (const uint8_t *p = text; (p = memmem(p, bytes - (p - text), head, sizeof head)); p++) {
    if (bytes - (p - text) < 7 || p[5] != 'C' || p[6] != 'W') continue;
    found.marker(p[4], addr + (p - text));
  }
}

// Reads the file behind an executable mapping: its sections, .symtab and .dynsym.
static void object_read(object_t *o, const char *map, size_t bytes) {
  const Elf64_Ehdr *e = (const void *)map;
  const Elf64_Shdr *sh = (const void *)(map + e->e_shoff);
  if (!e->e_shoff || e->e_shoff + e->e_shnum * sizeof *sh > bytes) return;
  const char *names = map + sh[e->e_shstrndx].sh_offset;
  for (int i = 0; i < e->e_shnum; i++) {
    if (sh[i].sh_flags & SHF_EXECINSTR && sh[i].sh_type == SHT_PROGBITS) {
      *PUSH(o->sections, o->nsections) =
          (sym_t){.start = sh[i].sh_addr, .size = sh[i].sh_size, .name = names + sh[i].sh_name};
      const uint8_t *text = (const uint8_t *)map + sh[i].sh_offset;
      object_markers(text, sh[i].sh_size, o->bias + sh[i].sh_addr);
    }
    if (sh[i].sh_type != SHT_SYMTAB && sh[i].sh_type != SHT_DYNSYM) continue;
    const Elf64_Sym *s = (const void *)(map + sh[i].sh_offset);
    const char *strings = map + sh[sh[i].sh_link].sh_offset;
    for (size_t k = 0; k < sh[i].sh_size / sizeof *s; k++)
      symbol_add(o, &s[k], strings + s[k].st_name);
  }
  if (o->nsyms) qsort(o->syms, o->nsyms, sizeof *o->syms, sym_order);
}

// The bias follows from which file offset of an executable segment stands at `start`.
static bool object_bias(const char *map, uint64_t start, uint64_t offset, uint64_t *bias) {
  const Elf64_Ehdr *e = (const void *)map;
  const Elf64_Phdr *p = (const void *)(map + e->e_phoff);
  for (int i = 0; i < e->e_phnum; i++) {
    if (p[i].p_type != PT_LOAD || !(p[i].p_flags & PF_X)) continue;
    if (offset + 4095 < p[i].p_offset || offset >= p[i].p_offset + p[i].p_filesz) continue;
    *bias = start - (p[i].p_vaddr + (offset - p[i].p_offset));
    return true;
  }
  return false;
}

static char *file_map(const char *path, size_t *bytes) {
  struct stat st;
  char *map = MAP_FAILED;
  int fd = path[0] == '/' ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > (off_t)sizeof(Elf64_Ehdr))
    map = mmap(NULL, *bytes = st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (fd >= 0) close(fd);
  if (map == MAP_FAILED) return NULL;
  if (memcmp(map, ELFMAG, SELFMAG) == 0 && map[EI_CLASS] == ELFCLASS64) return map;
  munmap(map, *bytes);
  return NULL;
}

// The object whose text is mapped at `start`. Its file stays mapped here: the names point into it.
static int object_at(const char *path, uint64_t start, uint64_t offset) {
  for (int i = 0; i < nobjects; i++)
    if (objects[i].start == start && strcmp(objects[i].path, path) == 0) return i;
  size_t bytes = 0;
  uint64_t bias = 0;
  char *map = file_map(path, &bytes);
  bool elf = map && object_bias(map, start, offset, &bias);
  for (int i = 0; i < nobjects; i++) {
    if (objects[i].bias != bias || strcmp(objects[i].path, path)) continue;
    if (map) munmap(map, bytes);
    return i;
  }
  object_t *o = PUSH(objects, nobjects);
  const char *slash = strrchr(o->path = strdup(path), '/');
  o->name = slash ? slash + 1 : o->path;
  o->start = start;
  o->bias = bias;
  o->entered = -1;
  found.object(o);
  if (elf) object_read(o, map, bytes);
  return nobjects - 1;
}

void objects_scan(pid_t pid) {
  char file[64], line[4400], perms[8], path[4200];
  unsigned long start, end, offset;
  snprintf(file, sizeof file, "/proc/%d/maps", (int)pid);
  FILE *f = fopen(file, "re");
  if (!f) return;
  nranges = 0;
  while (fgets(line, sizeof line, f)) {
    strcpy(path, "[anonymous]");
    if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %4199[^\n]", &start, &end, perms, &offset, path) < 4)
      continue;
    if (!strchr(perms, 'x')) continue;
    int object = object_at(path, start, offset);
    *PUSH(ranges, nranges) = (range_t){.start = start, .end = end, .object = object};
  }
  fclose(f);
}

// After an exec. What the old image's objects held is leaked: once per exec.
void objects_forget(void) {
  objects = NULL, ranges = NULL;
  nobjects = nranges = 0;
}

object_t *object_find(pid_t pid, uint64_t pc) {
  static int last;
  for (int pass = 0; pass < 2; pass++) {
    if (last < nranges && pc >= ranges[last].start && pc < ranges[last].end)
      return &objects[ranges[last].object];
    for (int i = 0; i < nranges; i++)
      if (pc >= ranges[i].start && pc < ranges[i].end) return &objects[ranges[last = i].object];
    objects_scan(pid); // loaded or mapped since
  }
  return NULL;
}

sym_t *object_symbol(object_t *o, uint64_t pc) {
  uint64_t a = pc - o->bias;
  int lo = 0, hi = o->nsyms;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (o->syms[mid].start <= a)
      lo = mid + 1;
    else
      hi = mid;
  }
  if (lo) {
    sym_t *s = &o->syms[lo - 1];
    while (s > o->syms && s[-1].start == s->start) s--; // the first alias speaks for all
    uint64_t size = s->size;
    for (sym_t *k = s; k < &o->syms[lo]; k++) size = k->size > size ? k->size : size;
    if (a == s->start || a < s->start + size) return s;
  }
  for (int i = 0; i < o->nsections; i++)
    if (a - o->sections[i].start < o->sections[i].size) return &o->sections[i];
  return NULL;
}
