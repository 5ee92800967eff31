/*
 * The allgather of exchange.c once per node: the PEs of a node write their blobs into memory that
 * they share, its first PE puts them into the launcher's store as one, each other node's is read by
 * one of them, and all find all in the memory. So a job of N nodes puts N blobs, and each is read N
 * times. The node here is what the launcher says (PMI_process_mapping, PMIx's peers), whatever
 * WEFT_NODE says.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/base.h"
#include "boot/boot_internal.h"

/* How the memory begins; a page further the nodes' blobs follow, see at_of. */
typedef struct shared {
  uint64_t cookie;
  uint32_t joined;        /* PEs that have it */
  uint32_t refused;       /* on some node they do not all have it */
  uint32_t arrived, turn; /* meet: PEs in this one; meetings that there were */
} shared_t;

enum { PAGE = 65536 }; /* the largest of the machines we build for */

struct weft_nodes {
  int n, mine;        /* nodes; this one */
  int *order, *begin; /* the PEs node by node; where a node's begin, and where the last's end */
  int fd;
  shared_t *shared; /* NULL: not joined */
  bool asked;       /* everybody was invited */
};

/* What the first PE of a node puts, that the others find its memory. */
typedef struct invitation {
  int32_t pid, fd;
  uint64_t cookie;
} invitation_t;

static int size_of(const weft_nodes_t *s, int node) {
  return s->begin[node + 1] - s->begin[node];
}

/* A node's part of the memory: a word that says whether all of it have the memory, and their blobs.
 * This is what goes through the store. */
static size_t at_of(const weft_nodes_t *s, int node, size_t len) {
  return PAGE + (size_t)node * sizeof(uint64_t) + (size_t)s->begin[node] * len;
}
static size_t bytes_of(const weft_nodes_t *s, int node, size_t len) {
  return sizeof(uint64_t) + (size_t)size_of(s, node) * len;
}

/* ---- the nodes ------------------------------------------------------------------------------- */

/* Number the nodes by their first PEs. How many; 0: the names are not those of nodes. */
static int number(int npes, const int *name, int *of) {
  enum { NAMES = 1 << 20 };
  int n = 0, pe = 0, *numbers = calloc(NAMES, sizeof *numbers); /* of a name, + 1 */
  if (!numbers) return -ENOMEM;
  for (; pe < npes && name[pe] >= 0 && name[pe] < NAMES; pe++) {
    if (!numbers[name[pe]]) numbers[name[pe]] = ++n;
    of[pe] = numbers[name[pe]] - 1;
  }
  free(numbers);
  return pe == npes ? n : 0;
}

/* The PEs node by node. */
static int sort_out(weft_nodes_t *s, int npes, const int *of) {
  s->order = calloc((size_t)npes, sizeof *s->order);
  s->begin = calloc((size_t)s->n + 2, sizeof *s->begin);
  if (!s->order || !s->begin) return -ENOMEM;
  for (int pe = 0; pe < npes; pe++) s->begin[of[pe] + 2]++;
  for (int node = 0; node < s->n; node++) s->begin[node + 2] += s->begin[node + 1];
  for (int pe = 0; pe < npes; pe++) s->order[s->begin[of[pe] + 1]++] = pe;
  return 0;
}

int weft_nodes_new(const weft_boot_t *boot, const int *name, weft_nodes_t **out) {
  weft_nodes_t *s = calloc(1, sizeof *s);
  int *of = calloc((size_t)boot->npes, sizeof *of);
  int rc = s && of ? number(boot->npes, name, of) : -ENOMEM;
  *out = NULL;
  if (rc > 0 && rc < boot->npes) { /* with a node for every PE there is nothing to be shared */
    s->n = rc;
    s->mine = of[boot->pe];
    s->fd = -1;
    rc = sort_out(s, boot->npes, of);
    if (rc == 0) *out = s;
  }
  free(of);
  if (!*out) weft_nodes_free(s);
  return rc < 0 ? rc : 0;
}

void weft_nodes_free(weft_nodes_t *s) {
  if (!s) return;
  if (s->shared) munmap(s->shared, PAGE);
  if (s->shared) close(s->fd);
  free(s->order);
  free(s->begin);
  free(s);
}

bool weft_nodes_parse(const char *text, int npes, int *name) {
  const char head[] = "(vector,";
  int pe = 0, node, nodes, each, length = 0;
  if (strncmp(text, head, sizeof head - 1) != 0) return false;
  while (pe < npes) { /* the blocks again, until all have their place */
    const char *at = text + sizeof head - 1;
    const int before = pe;
    for (; sscanf(at, "(%d,%d,%d)%n", &node, &nodes, &each, &length) == 3 && length > 0;
         at += *at == ',') {
      if (node < 0 || nodes < 1 || each < 1 || nodes > INT_MAX - node) return false;
      for (int i = 0; i < nodes && pe < npes; i++)
        for (int k = 0; k < each && pe < npes; k++) name[pe++] = node + i;
      at += length;
      length = 0;
    }
    if (pe == before || *at != ')') return false;
  }
  return true;
}

/* ---- their memory ---------------------------------------------------------------------------- */

/* The memory with room for blobs of `len` bytes; NULL: there is none. */
static char *map_blobs(const weft_nodes_t *s, size_t len, size_t *bytes) {
  struct stat have;
  *bytes = at_of(s, s->n, len);
  if (fstat(s->fd, &have) < 0) return NULL;
  if ((size_t)have.st_size < *bytes && weft_set_file_size(s->fd, *bytes) < 0) return NULL;
  char *p = mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
  return p == MAP_FAILED ? NULL : p;
}

static bool map_shared(weft_nodes_t *s, int fd) {
  shared_t *shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (shared == MAP_FAILED) return false;
  s->shared = shared;
  s->fd = fd;
  return true;
}

/* By the first PE: without memory the invitation is to nothing. */
static void make_memory(weft_nodes_t *s, invitation_t *to) {
  const int fd = memfd_create("weft-boot", MFD_CLOEXEC);
  *to = (invitation_t){.pid = getpid(), .fd = -1};
  if (fd >= 0 && weft_set_file_size(fd, PAGE) == 0 &&
      weft_random_draw(&to->cookie, sizeof to->cookie) == 0 && map_shared(s, fd)) {
    s->shared->cookie = to->cookie;
    to->fd = fd;
  } else if (fd >= 0) {
    close(fd);
  }
}

static void join_memory(weft_nodes_t *s, const invitation_t *to) {
  char path[64];
  struct stat have;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", to->pid, to->fd);
  const int fd = to->fd < 0 ? -1 : open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  if (fstat(fd, &have) < 0 || !S_ISREG(have.st_mode) || have.st_size < PAGE || !map_shared(s, fd)) {
    close(fd);
  } else if (s->shared->cookie != to->cookie) { /* another machine's process has this number */
    munmap(s->shared, PAGE);
    s->shared = NULL;
    close(fd);
  }
}

/* Once: afterwards the PEs of this node share memory, or some do not. All PEs of the job. */
static int invite(weft_kvs_t *kvs, const weft_boot_t *boot) {
  weft_nodes_t *s = kvs->nodes;
  const int first = s->order[s->begin[s->mine]];
  invitation_t to;
  int rc = 0;
  if (boot->pe == first) {
    make_memory(s, &to);
    rc = weft_kvs_give(kvs, first, &to, sizeof to);
  }
  if (rc == 0) rc = kvs->fence(kvs);
  if (rc == 0 && boot->pe != first) {
    rc = weft_kvs_take(kvs, first, &to, sizeof to);
    if (rc == 0) join_memory(s, &to);
  }
  kvs->round++;
  if (s->shared) __atomic_fetch_add(&s->shared->joined, 1, __ATOMIC_RELEASE);
  s->asked = true;
  return rc == 0 ? kvs->fence(kvs) : rc;
}

static bool is_whole(const weft_nodes_t *s) {
  return s->shared && weft_observe(&s->shared->joined) == (uint32_t)size_of(s, s->mine);
}

/* A barrier of the node. `last`: what the PE does that comes last, before anybody goes on. */
static void meet(const weft_nodes_t *s, void (*last)(const weft_nodes_t *s)) {
  shared_t *m = s->shared;
  const uint32_t turn = weft_observe(&m->turn);
  if (__atomic_add_fetch(&m->arrived, 1, __ATOMIC_ACQ_REL) == (uint32_t)size_of(s, s->mine)) {
    if (last) last(s);
    weft_poke(&m->arrived, 0);
    weft_publish(&m->turn, turn + 1);
    syscall(SYS_futex, &m->turn, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
  }
  while (weft_observe(&m->turn) == turn)
    syscall(SYS_futex, &m->turn, FUTEX_WAIT, turn, NULL, NULL, 0);
}

/* The blobs' pages go back to the system: there may be many, and the next exchange comes late. */
static void drop_blobs(const weft_nodes_t *s) {
  weft_set_file_size(s->fd, PAGE);
}

/* ---- the exchange ---------------------------------------------------------------------------- */

/* This PE's share of the other nodes' blobs. *refused: on one of them they do not share memory. */
static int take_others(weft_kvs_t *kvs, int index, char *memory, size_t len, bool *refused) {
  const weft_nodes_t *s = kvs->nodes;
  const int step = size_of(s, s->mine);
  int rc = 0;
  for (int i = 1 + index; i < s->n && rc == 0; i += step) {
    const int node = (s->mine + i) % s->n;
    char *to = memory + at_of(s, node, len);
    uint64_t whole = 0;
    rc = weft_kvs_take(kvs, s->order[s->begin[node]], to, bytes_of(s, node, len));
    memcpy(&whole, to, sizeof whole);
    *refused |= rc == 0 && !whole;
  }
  return rc;
}

/* The first PE of a node that does not share memory says so. */
static int give_refusal(weft_kvs_t *kvs, const weft_boot_t *boot, size_t len) {
  const weft_nodes_t *s = kvs->nodes;
  const size_t bytes = bytes_of(s, s->mine, len);
  int rc = 0;
  if (boot->pe == s->order[s->begin[s->mine]] && s->n > 1) {
    void *nothing = calloc(1, bytes);
    rc = nothing ? weft_kvs_give(kvs, boot->pe, nothing, bytes) : -ENOMEM;
    free(nothing);
  }
  if (rc == 0) rc = kvs->fence(kvs);
  kvs->round++;
  return rc;
}

static void copy_out(const weft_nodes_t *s, const char *memory, size_t len, char *all) {
  for (int node = 0; node < s->n; node++) {
    const char *from = memory + at_of(s, node, len) + sizeof(uint64_t);
    for (int i = s->begin[node]; i < s->begin[node + 1]; i++, from += len)
      memcpy(all + (size_t)s->order[i] * len, from, len);
  }
}

/* On a node whose PEs all share the memory. */
static int gather(weft_kvs_t *kvs, const weft_boot_t *boot, const void *mine, size_t len,
                  void *all) {
  const weft_nodes_t *s = kvs->nodes;
  const int *local = s->order + s->begin[s->mine];
  int index = 0, rc = 0;
  size_t bytes;
  bool refused = false;
  char *memory = map_blobs(s, len, &bytes);
  if (!memory) return -ENOMEM;
  char *own = memory + at_of(s, s->mine, len);
  while (local[index] != boot->pe) index++;
  memcpy(own + sizeof(uint64_t) + (size_t)index * len, mine, len);
  if (index == 0) memcpy(own, &(uint64_t){1}, sizeof(uint64_t));
  meet(s, NULL);
  if (index == 0 && s->n > 1) rc = weft_kvs_give(kvs, boot->pe, own, bytes_of(s, s->mine, len));
  if (rc == 0 && s->n > 1) rc = kvs->fence(kvs);
  if (rc == 0) rc = take_others(kvs, index, memory, len, &refused);
  if (refused) weft_poke(&s->shared->refused, 1);
  kvs->round++;
  if (rc == 0) {
    meet(s, NULL);
    copy_out(s, memory, len, all);
    meet(s, drop_blobs);
  }
  munmap(memory, bytes);
  return rc;
}

int weft_nodes_allgather(weft_kvs_t *kvs, const weft_boot_t *boot, const void *mine, size_t len,
                         void *all) {
  const weft_nodes_t *s = kvs->nodes;
  int rc = s->asked ? 0 : invite(kvs, boot);
  if (rc < 0) return rc;
  const bool whole = is_whole(s);
  rc = whole ? gather(kvs, boot, mine, len, all) : give_refusal(kvs, boot, len);
  if (rc < 0 || (whole && !weft_peek(&s->shared->refused))) return rc;
  weft_nodes_free(kvs->nodes);
  kvs->nodes = NULL;
  return 0;
}
