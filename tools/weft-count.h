// What the parts of weft-count share: the counted process's ELF objects and one finished count.
//
// weft-count-objects.c reads files and /proc, weft-count-report.c prints; neither knows ptrace.
// weft-count.c traces, and learns what a scan of the objects finds through `found`.
#ifndef WEFT_COUNT_H
#define WEFT_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

// A vector: grows by doubling, elements stay addressed by index because they move.
#define PUSH(v, n)                                                                                 \
  ((v) = ((n) & ((n)-1)) ? (v) : xrealloc((v), ((n) ? 2 * (size_t)(n) : 1) * sizeof *(v)),         \
   memset(&(v)[n], 0, sizeof *(v)), &(v)[(n)++])

typedef struct {
  uint64_t start, size; // as in the file
  const char *name;
  long self;
} sym_t;
typedef struct {
  char *path;
  const char *name; // the last component of path
  uint64_t start;   // where its text was first seen
  uint64_t bias;    // address in memory minus address in the file
  sym_t *syms, *sections;
  int nsyms, nsections;
  long self, entered; // of the running count; entered < 0: not yet
  bool stop;          // belongs to the set of --to
} object_t;

typedef struct {
  char what[128]; // the symbol or marker
  int pe;
  pid_t tid;
  long call; // 1: the first
  long total, locked, fences, syscalls, signals;
  long to;       // instructions before the first one of the --to set; < 0: never there
  bool complete; // false: the process ended, or the limit was reached, before the return
} count_t;

// weft-count-objects.c
typedef struct { // who wants to know what a scan finds
  void (*object)(object_t *o);
  void (*symbol)(const object_t *o, const char *name, uint64_t addr, bool indirect);
  void (*marker)(int number, uint64_t addr);
} found_t;
extern found_t found;
extern object_t *objects;
extern int nobjects;
void objects_scan(pid_t pid);
void objects_forget(void);
object_t *object_find(pid_t pid, uint64_t pc);
sym_t *object_symbol(object_t *o, uint64_t pc); // a function, else a section, else NULL
void *xrealloc(void *old, size_t bytes);        // ends the tool where memory is exhausted

// weft-count-report.c: of the running count and the objects' self counts
typedef struct {
  FILE *file;
  bool csv;
  const char *to; // the name of the --to set
} report_t;
void report_head(const report_t *r);
void report_count(const report_t *r, const count_t *c);
void report_missing(const report_t *r, const count_t *c, long seen, bool exists);

#endif
