/*
 * How much memory there is: the machine's, and what its control groups leave, version 1 or 2,
 * nested as they may be. And how much address space, if that is limited.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/base.h"

/* The number behind `key` in a file, SIZE_MAX where there is none. */
static size_t read_number(const char *path, const char *key) {
  FILE *f = fopen(path, "re");
  if (!f) return SIZE_MAX;
  char line[256];
  size_t value = SIZE_MAX, n = strlen(key);
  while (fgets(line, sizeof line, f))
    if (strncmp(line, key, n) == 0 && line[n] != 'm') { /* a control group's "max" is no limit */
      value = strtoull(line + n, NULL, 10);
      break;
    }
  fclose(f);
  return value;
}

typedef struct room {
  size_t limit, left; /* SIZE_MAX: no limit */
} room_t;

typedef struct names {
  const char *limit, *used, *caches[2]; /* caches: in memory.stat; files, given back when needed */
} names_t;

static size_t in_group(const char *group, const char *file, const char *key) {
  char path[4096];
  if ((size_t)snprintf(path, sizeof path, "%s/%s", group, file) >= sizeof path) return SIZE_MAX;
  return read_number(path, key);
}

static void narrow(room_t *room, const char *group, const names_t *names) {
  const size_t limit = in_group(group, names->limit, "");
  if (limit > SIZE_MAX / 4) return; /* version 1 says so when there is none */
  size_t used = in_group(group, names->used, "");
  if (used == SIZE_MAX) used = 0;
  for (size_t k = 0; k < WEFT_ARRAY_LEN(names->caches); k++) {
    const size_t cache = in_group(group, "memory.stat", names->caches[k]);
    if (cache != SIZE_MAX) used -= cache < used ? cache : used;
  }
  const size_t left = limit > used ? limit - used : 0;
  if (limit < room->limit) room->limit = limit;
  if (left < room->left) room->left = left;
}

/* The group and all that it is in. Inside a container the path may be the host's, of which only the
 * end is here: then the mount's own top is the group. */
static void narrow_up(room_t *room, const char *mount, const char *path, const names_t *names) {
  char group[4096];
  if ((size_t)snprintf(group, sizeof group, "%s%s", mount, path) >= sizeof group) return;
  const size_t top = strlen(mount);
  for (;;) {
    narrow(room, group, names);
    if (strlen(group) <= top) return;
    *strrchr(group, '/') = 0;
  }
}

static bool has_word(const char *list, const char *word) {
  const size_t n = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += n)
    if ((at == list || at[-1] == ',') && (at[n] == ',' || at[n] == 0)) return true;
  return false;
}

static room_t look(void) {
  static const names_t one = {"memory.limit_in_bytes", "memory.usage_in_bytes",
                              {"total_inactive_file ", "total_active_file "}},
                       two = {"memory.max", "memory.current", {"inactive_file ", "active_file "}};
  room_t room = {SIZE_MAX, SIZE_MAX};
  char line[4096];
  FILE *f = fopen("/proc/self/cgroup", "re"); /* number:controllers:path */
  while (f && fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = 0;
    char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;
    if (!path) continue;
    *path++ = 0;
    if (path[0] == '/' && path[1] == 0) path++;
    if (has_word(list + 1, "memory")) narrow_up(&room, "/sys/fs/cgroup/memory", path, &one);
    if (list[1]) continue;
    narrow_up(&room, "/sys/fs/cgroup", path, &two);
    narrow_up(&room, "/sys/fs/cgroup/unified", path, &two);
  }
  if (f) fclose(f);
  return room;
}

static size_t total_in(const room_t *room) {
  const long pages = sysconf(_SC_PHYS_PAGES), each = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || each <= 0) return 0;
  const size_t total = (size_t)pages * (size_t)each;
  return room->limit < total ? room->limit : total;
}

size_t weft_memory_total(void) {
  const room_t room = look();
  return total_in(&room);
}

static size_t limit_of(int resource) {
  struct rlimit limit;
  return getrlimit(resource, &limit) < 0 || limit.rlim_cur >= SIZE_MAX ? SIZE_MAX : limit.rlim_cur;
}

size_t weft_memory_mappable(void) {
  const size_t addresses = limit_of(RLIMIT_AS), file = limit_of(RLIMIT_FSIZE);
  const size_t kb = addresses == SIZE_MAX ? 0 : read_number("/proc/self/status", "VmSize:");
  size_t left = file;
  if (addresses != SIZE_MAX && kb != SIZE_MAX) {
    const size_t used = kb << 10, free = addresses > used ? addresses - used : 1;
    if (free < left) left = free;
  }
  return left == SIZE_MAX ? 0 : left > 0 ? left : 1;
}

size_t weft_memory_available(void) {
  enum { REST = 64 };
  const room_t room = look();
  const size_t kb = read_number("/proc/meminfo", "MemAvailable:");
  const size_t free = kb == SIZE_MAX ? SIZE_MAX : kb << 10;
  const size_t left = room.left < free ? room.left : free, rest = total_in(&room) / REST;
  return left > rest ? left - rest : 0;
}

bool weft_memory_suffices(size_t from, size_t to, int processes) {
  const size_t piece = 4 << 20, n = to - from;
  if (to <= from || from / piece == to / piece) return true;
  return (n < piece ? piece : n) <= weft_memory_available() / (size_t)processes;
}
