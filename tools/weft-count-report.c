// What weft-count prints of one finished count: for people, or as comma-separated rows.
//
// It reads the count and the objects' self counts; how they came about it does not know.

#include "weft-count.h"

#include <string.h>

static void row(const report_t *r, const count_t *c, const char *kind, const char *object,
                const char *function, long n) {
  fprintf(r->file, "%s,%ld,%s,%s,%s,%ld\n", c->what, c->call, kind, object, function, n);
}

void report_head(const report_t *r) {
  if (r->csv) fprintf(r->file, "symbol,call,kind,object,function,count\n");
}

static int by_self(const void *a, const void *b) {
  long d = (*(sym_t *const *)b)->self - (*(sym_t *const *)a)->self;
  return d < 0 ? -1 : d > 0;
}

static int by_entry(const void *a, const void *b) {
  long d = objects[*(const int *)a].entered - objects[*(const int *)b].entered;
  return d < 0 ? -1 : d > 0;
}

static void report_functions(const report_t *r, const count_t *c, const object_t *o) {
  sym_t **v = NULL;
  int n = 0;
  for (int i = 0; i < o->nsyms + o->nsections; i++) {
    sym_t *s = i < o->nsyms ? &o->syms[i] : &o->sections[i - o->nsyms];
    if (s->self) *PUSH(v, n) = s;
  }
  if (n) qsort(v, n, sizeof *v, by_self);
  for (int i = 0; i < n; i++) {
    if (r->csv)
      row(r, c, "function", o->name, v[i]->name, v[i]->self);
    else
      fprintf(r->file, "  %10ld     %s\n", v[i]->self, v[i]->name);
  }
  free(v);
}

static void report_objects(const report_t *r, const count_t *c) {
  int *order = NULL, n = 0;
  for (int i = 0; i < nobjects; i++)
    if (objects[i].entered >= 0) *PUSH(order, n) = i;
  if (n) qsort(order, n, sizeof *order, by_entry);
  for (int i = 0; i < n; i++) {
    const object_t *o = &objects[order[i]];
    if (r->csv) {
      row(r, c, "entry", o->name, "", o->entered);
      row(r, c, "object", o->name, "", o->self);
    } else {
      fprintf(r->file, "  %10ld   %s (first entered after %ld)\n", o->self, o->name, o->entered);
    }
    report_functions(r, c, o);
  }
  free(order);
}

void report_count(const report_t *r, const count_t *c) {
  const struct {
    const char *key, *text, *to;
    long n;
    bool shown;
  } rows[] = {
      {c->complete ? "total" : "partial",
       c->complete ? "instructions to return" : "instructions, NOT complete", "", c->total, true},
      {"to", "up to the first one in ", r->to, c->to, c->to >= 0},
      {"locked", "locked instructions", "", c->locked, true},
      {"fence", "fences", "", c->fences, true},
      {"syscall", "system calls", "", c->syscalls, true},
      {"signal", "signals delivered; the count has their handlers", "", c->signals, c->signals > 0},
  };
  if (!r->csv)
    fprintf(r->file, "weft-count: pe %d, thread %d: %s, call %ld\n", c->pe, (int)c->tid, c->what,
            c->call);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!rows[i].shown) continue;
    if (r->csv)
      row(r, c, rows[i].key, rows[i].to, "", rows[i].n);
    else
      fprintf(r->file, "  %10ld %s%s\n", rows[i].n, rows[i].text, rows[i].to);
  }
  report_objects(r, c);
  fflush(r->file);
}

void report_missing(const report_t *r, const count_t *c, long seen, bool exists) {
  if (r->csv)
    row(r, c, "missing", "", "", seen);
  else if (!exists)
    fprintf(r->file, "weft-count: pe %d: %s is in no loaded object\n", c->pe, c->what);
  else
    fprintf(r->file, "weft-count: pe %d: %s was called %ld times, call %ld never came\n", c->pe,
            c->what, seen, c->call);
  fflush(r->file);
}
