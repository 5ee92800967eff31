/*
 * Recording. Every thread counts with atomics that order nothing; only a name that is new takes the
 * lock. Knows nothing of what the parts become.
 */
#define _GNU_SOURCE
#include "trace/trace.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = "weft-t1";

enum { HASH = 4 * WEFT_TRACE_NAMES };

bool weft_trace_on;

static struct {
  weft_trace_part_t *part;
  char file[4200];       /* of the part; "": memory only */
  char target[4100];     /* of the trace, absolute: the program may change its directory */
  weft_lock_t lock;      /* of new names */
  const char *key[HASH]; /* address of a name -> its number */
  uint16_t number[HASH];
  uint32_t threads;
} trace;

static _Thread_local struct {
  int number;    /* of the thread, plus 1 */
  int depth;     /* spans that are open; inside one nothing is the program's own */
  int outermost; /* the kind of the first of them */
} mine;

#define COUNT(word, n) __atomic_fetch_add(&(word), (n), __ATOMIC_RELAXED)

/* ---- the part -------------------------------------------------------------------------------- */

bool weft_trace_wanted(void) {
  return weft_options.stats || *weft_options.trace;
}

const char *weft_trace_target(void) {
  return trace.target;
}

/* WEFT_LAUNCHER_PARTS comes from weftrun, which collects what a crash leaves. */
static void choose_files(int pe) {
  const char *prefix = getenv("WEFT_LAUNCHER_PARTS"), *target = weft_options.trace;
  char here[4096] = "";
  const bool relative = *target != '/' && getcwd(here, sizeof here);
  if (*target)
    snprintf(trace.target, sizeof trace.target, "%s%s%s", relative ? here : "", relative ? "/" : "",
             target);
  if (!prefix || !*prefix) prefix = trace.target;
  if (*prefix) snprintf(trace.file, sizeof trace.file, "%s.pe%d", prefix, pe);
}

/* Better known now than when the job has run for hours. An old trace would be taken for this job's
 * if it crashes. */
static bool can_write_target(void) {
  if (!*trace.target) return true;
  int fd = open(trace.target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

/* Shared, so that the pages stay with the file whatever becomes of the process. */
static void *map_part(size_t bytes) {
  if (!*trace.file)
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                -1, 0);
  int fd = open(trace.file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return MAP_FAILED;
  void *p = MAP_FAILED;
  if ((errno = -weft_reserve_file(fd, 0, bytes)) == 0) /* a full disk is seen now */
    p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  int why = errno;
  close(fd);
  errno = why;
  return p;
}

static void child_is_off(void) {
  weft_poke(&weft_trace_on, false);
}

int weft_trace_open(int pe, int npes, int node, bool one_machine) {
  if (trace.part) return 0;
  choose_files(pe);
  if (pe == 0 && !can_write_target()) {
    weft_warn("cannot write the trace %.600s: %m; name another file with --trace or WEFT_TRACE",
              trace.target);
    return -EIO;
  }
  uint64_t room = *weft_options.trace ? (uint64_t)weft_options.trace_events : 0;
  weft_trace_part_t *part =
      map_part(weft_trace_front_bytes(npes) + room * sizeof(weft_trace_event_t));
  if (part == MAP_FAILED) {
    weft_warn("cannot make %.600s to record operations in: %m; a smaller WEFT_TRACE_EVENTS needs "
              "less",
              *trace.file ? trace.file : "memory");
    return -EIO;
  }
  part->size = sizeof *part;
  part->pe = pe, part->npes = npes, part->node = node, part->one_machine = one_machine;
  part->room = room;
  gethostname(part->host, sizeof part->host - 1);
  for (uint32_t kind = 0; kind < WEFT_TRACE_KINDS; kind++) {
    snprintf(part->names[kind].text, sizeof part->names[kind].text, "other");
    part->names[kind].kind = kind;
  }
  part->nnames = WEFT_TRACE_KINDS;
  memcpy(part->magic, magic, sizeof magic);
  trace.part = part;
  pthread_atfork(NULL, NULL, child_is_off);
  return 0;
}

void weft_trace_start(void) {
  if (!trace.part->origin) trace.part->origin = weft_clock_ns();
  trace.part->end = 0;
  weft_poke(&weft_trace_on, true);
}

weft_trace_part_t *weft_trace_stop(void) {
  weft_poke(&weft_trace_on, false);
  trace.part->end = weft_clock_ns();
  return trace.part;
}

void weft_trace_remove_file(void) {
  if (*trace.file) unlink(trace.file);
}

int weft_trace_npes_of_file(const char *file) {
  weft_trace_part_t part = {.npes = 0};
  FILE *in = fopen(file, "re");
  if (!in) return 0;
  bool whole = fread(&part, sizeof part, 1, in) == 1 && !memcmp(part.magic, magic, sizeof magic) &&
               part.size == sizeof part && part.npes > 0 && fseeko(in, 0, SEEK_END) == 0 &&
               ftello(in) >= (off_t)weft_trace_front_bytes(part.npes);
  fclose(in);
  return whole ? part.npes : 0;
}

/* Texts end, and there is as much behind the part as it says. */
static bool is_sound(const weft_trace_part_t *part, size_t bytes) {
  const size_t front = weft_trace_front_bytes(part->npes);
  if (part->nnames > WEFT_TRACE_NAMES || bytes < front ||
      part->room > (bytes - front) / sizeof(weft_trace_event_t) ||
      !memchr(part->host, 0, sizeof part->host))
    return false;
  for (uint32_t i = 0; i < WEFT_TRACE_NAMES; i++)
    if (!memchr(part->names[i].text, 0, sizeof part->names[i].text)) return false;
  return true;
}

weft_trace_part_t *weft_trace_take_file(const char *prefix, int pe) {
  char name[PATH_MAX + 16];
  struct stat st;
  snprintf(name, sizeof name, "%s.pe%d", prefix, pe);
  int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return NULL;
  weft_trace_part_t *part = MAP_FAILED;
  if (fstat(fd, &st) == 0 && st.st_size >= (off_t)sizeof *part)
    part = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  unlink(name);
  if (part == MAP_FAILED) return NULL;
  bool whole = memcmp(part->magic, magic, sizeof magic) == 0 && part->size == sizeof *part &&
               part->pe == pe && part->npes > pe && is_sound(part, (size_t)st.st_size);
  if (whole && part->origin) return part;
  munmap(part, (size_t)st.st_size);
  return NULL;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* A function may be of two kinds: a put with signal is a put and an atomic. */
static bool is_name_at(size_t at, const char *name, weft_trace_kind_t kind) {
  return trace.key[at] == name && trace.part->names[trace.number[at]].kind == kind;
}

/* The same text may have several addresses, each of which is looked for once. */
static int add_name(const char *name, weft_trace_kind_t kind, size_t at) {
  weft_trace_part_t *part = trace.part;
  int number = (int)kind; /* "other" */
  weft_lock(&trace.lock);
  for (; trace.key[at]; at = (at + 1) % HASH) { /* another thread may have been quicker */
    if (!is_name_at(at, name, kind)) continue;
    number = trace.number[at];
    weft_unlock(&trace.lock);
    return number;
  }
  bool found = false;
  for (uint32_t i = WEFT_TRACE_KINDS; i < part->nnames && !found; i++)
    if (part->names[i].kind == kind &&
        !strncmp(part->names[i].text, name, sizeof part->names[i].text - 1))
      number = (int)i, found = true;
  if (!found && part->nnames < WEFT_TRACE_NAMES) {
    number = (int)part->nnames;
    snprintf(part->names[number].text, sizeof part->names[number].text, "%s", name);
    part->names[number].kind = kind;
    part->nnames++;
  }
  trace.number[at] = (uint16_t)number;
  weft_publish(&trace.key[at], name);
  weft_unlock(&trace.lock);
  return number;
}

/* Never full: a name has few addresses, and when the names are used up all new ones are "other".
 */
static int name_number(const char *name, weft_trace_kind_t kind) {
  static uint32_t used;
  size_t at = ((uintptr_t)name >> 3) * 2654435761u % HASH;
  for (; weft_observe(&trace.key[at]); at = (at + 1) % HASH)
    if (is_name_at(at, name, kind)) return trace.number[at];
  if (COUNT(used, 1) >= HASH / 2) return (int)kind;
  return add_name(name, kind, at);
}

weft_trace_sum_t weft_trace_sum(const weft_trace_part_t *part, weft_trace_kind_t kind) {
  weft_trace_sum_t sum = {0};
  for (uint32_t i = 0; i < part->nnames; i++) {
    const weft_trace_name_t *name = &part->names[i];
    if (name->kind != kind) continue;
    sum.calls += name->calls;
    sum.bytes += name->bytes;
    sum.ns += name->ns;
  }
  return sum;
}

/* ---- spans ----------------------------------------------------------------------------------- */

static int own_thread(void) {
  if (!mine.number) mine.number = (int)COUNT(trace.threads, 1) + 1;
  return mine.number <= 255 ? mine.number - 1 : 255;
}

static void add_event(const weft_span_t *span, uint64_t ns, int name) {
  weft_trace_part_t *part = trace.part;
  if (part->room == 0) return;
  uint64_t at = COUNT(part->nevents, 1);
  if (at >= part->room) {
    weft_poke(&part->nevents, part->room);
    COUNT(part->dropped, 1);
    return;
  }
  weft_trace_events(part)[at] = (weft_trace_event_t){.start = span->start,
                                                     .ns = ns,
                                                     .bytes = span->bytes,
                                                     .peer = span->peer,
                                                     .name = (uint16_t)name,
                                                     .thread = (uint8_t)own_thread(),
                                                     .context = span->context};
}

static void count_longest(uint64_t *longest, uint64_t ns) {
  uint64_t seen = weft_peek(longest);
  while (ns > seen && !__atomic_compare_exchange_n(longest, &seen, ns, true, __ATOMIC_RELAXED,
                                                   __ATOMIC_RELAXED)) {
  }
}

static void count_peer(const weft_span_t *span) {
  weft_trace_part_t *part = trace.part;
  if (span->peer < 0 || span->peer >= part->npes) return;
  weft_trace_peer_t *peer = &weft_trace_peers(part)[span->peer];
  int bits = span->bytes ? 64 - __builtin_clzll(span->bytes) : 0;
  COUNT(peer->calls[span->kind], 1);
  COUNT(peer->bytes[span->kind], span->bytes);
  COUNT(part->sizes[span->kind][bits < WEFT_TRACE_SIZES ? bits : WEFT_TRACE_SIZES - 1], 1);
}

void weft_trace_inner(int peer, size_t bytes) {
  weft_trace_part_t *part = trace.part;
  if (mine.depth > 0 && mine.outermost < WEFT_TRACE_OPERATIONS)
    return; /* blocks of a strided operation */
  if (!part || peer < 0 || peer >= part->npes) return;
  COUNT(weft_trace_peers(part)[peer].inner_calls, 1);
  COUNT(weft_trace_peers(part)[peer].inner_bytes, bytes);
}

void weft_trace_enter(weft_span_t *span) {
  if (mine.depth++ == 0) mine.outermost = span->kind;
  span->start = weft_clock_ns();
}

void weft_trace_leave(weft_span_t *span) {
  weft_trace_part_t *part = trace.part;
  uint64_t ns = weft_clock_ns() - span->start;
  bool outer = --mine.depth == 0;
  if (!weft_peek(&weft_trace_on)) return; /* it was switched off inside */
  int number = name_number(span->name, (weft_trace_kind_t)span->kind);
  if (outer) {
    weft_trace_name_t *name = &part->names[number];
    COUNT(name->calls, 1);
    COUNT(name->bytes, span->bytes);
    COUNT(name->ns, ns);
    count_longest(&name->longest, ns);
    if (span->kind < WEFT_TRACE_OPERATIONS) count_peer(span);
  } else if (span->kind < WEFT_TRACE_OPERATIONS && mine.outermost >= WEFT_TRACE_OPERATIONS) {
    weft_trace_inner(span->peer, span->bytes);
  }
  add_event(span, ns, number);
}
