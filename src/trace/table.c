/*
 * The table of --stats: a line per PE, then who asked how much of whom. Times are those inside
 * Weft's functions, as the calling PE saw them.
 */
#include "trace/trace.h"

#include <stdlib.h>

enum { WHOLE_MATRIX = 16, TOP = 16, MANY_PES = 64 };

const char *weft_trace_size_text(char text[16], uint64_t bytes) {
  static const char units[] = "BKMGTPE";
  double value = (double)bytes;
  int unit = 0;
  for (; value >= 1023.95 && unit < 6; unit++) value /= 1024;
  if (unit == 0)
    snprintf(text, 16, "%lluB", (unsigned long long)bytes);
  else
    snprintf(text, 16, "%.*f%c", value < 99.95 ? 1 : 0, value, units[unit]);
  return text;
}

/* Exact as long as it fits into 7 characters. */
static const char *count_text(char text[16], uint64_t n) {
  if (n < 10000000)
    snprintf(text, 16, "%llu", (unsigned long long)n);
  else if (n < 10000000000)
    snprintf(text, 16, "%.1fM", (double)n / 1e6);
  else
    snprintf(text, 16, "%.1fG", (double)n / 1e9);
  return text;
}

static const char *time_text(char text[16], uint64_t ns) {
  double s = (double)ns / 1e9;
  if (s < 0.0099995)
    snprintf(text, 16, "%.0fus", s * 1e6);
  else if (s < 0.99995)
    snprintf(text, 16, "%.1fms", s * 1e3);
  else
    snprintf(text, 16, "%.2fs", s);
  return text;
}

/* ---- a line per PE --------------------------------------------------------------------------- */

typedef struct line {
  weft_trace_sum_t of[WEFT_TRACE_KINDS];
} line_t;

static void put_line(FILE *out, const char *who, const line_t *line) {
  static const weft_trace_kind_t counted[] = {WEFT_TRACE_QUIET, WEFT_TRACE_FENCE};
  static const weft_trace_kind_t timed[] = {WEFT_TRACE_COLLECTIVE, WEFT_TRACE_WAIT};
  char n[16], more[16];
  uint64_t other = 0;
  fprintf(out, "%5s", who);
  for (int k = 0; k < WEFT_TRACE_OPERATIONS; k++)
    fprintf(out, " %7s %6s", count_text(n, line->of[k].calls),
            weft_trace_size_text(more, line->of[k].bytes));
  for (size_t i = 0; i < WEFT_ARRAY_LEN(counted); i++)
    fprintf(out, " %6s", count_text(n, line->of[counted[i]].calls));
  for (size_t i = 0; i < WEFT_ARRAY_LEN(timed); i++)
    fprintf(out, " %6s %7s", count_text(n, line->of[timed[i]].calls),
            time_text(more, line->of[timed[i]].ns));
  for (int k = 0; k < WEFT_TRACE_KINDS; k++)
    if (k != WEFT_TRACE_COLLECTIVE && k != WEFT_TRACE_WAIT) other += line->of[k].ns;
  fprintf(out, " %7s\n", time_text(more, other));
}

static void put_pes(FILE *out, const weft_trace_part_t *const *parts, int npes) {
  line_t sum = {0};
  fprintf(out, "%5s %7s %6s %7s %6s %7s %6s %6s %6s %6s %7s %6s %7s %7s\n", "PE", "puts", "bytes",
          "gets", "bytes", "atomics", "bytes", "quiets", "fences", "colls", "time", "waits", "time",
          "other");
  for (int pe = 0; pe < npes; pe++) {
    line_t line;
    char who[16];
    if (!parts[pe]) continue;
    for (int k = 0; k < WEFT_TRACE_KINDS; k++) {
      line.of[k] = weft_trace_sum(parts[pe], (weft_trace_kind_t)k);
      sum.of[k].calls += line.of[k].calls;
      sum.of[k].bytes += line.of[k].bytes;
      sum.of[k].ns += line.of[k].ns;
    }
    if (npes > MANY_PES && pe >= MANY_PES / 2 && pe < npes - MANY_PES / 2) {
      if (pe == MANY_PES / 2) fprintf(out, "%5s\n", "...");
      continue;
    }
    snprintf(who, sizeof who, "%d", pe);
    put_line(out, who, &line);
  }
  put_line(out, "all", &sum);
}

/* ---- who with whom --------------------------------------------------------------------------- */

typedef struct pair {
  int from, to;
  uint64_t calls, bytes;
} pair_t;

static pair_t pair_of(const weft_trace_part_t *p, int to) {
  const weft_trace_peer_t *peer = &weft_trace_peers(p)[to];
  pair_t pair = {.from = p->pe, .to = to};
  for (int k = 0; k < WEFT_TRACE_OPERATIONS; k++) {
    pair.calls += peer->calls[k];
    pair.bytes += peer->bytes[k];
  }
  return pair;
}

static void put_matrix(FILE *out, const weft_trace_part_t *const *parts, int npes, bool bytes) {
  fprintf(out, "%s of the operations that the PE on the left asked of the PE above\n%5s",
          bytes ? "Bytes" : "Number", "");
  for (int to = 0; to < npes; to++) fprintf(out, " %7d", to);
  fputc('\n', out);
  for (int from = 0; from < npes; from++) {
    if (!parts[from]) continue;
    fprintf(out, "%5d", from);
    for (int to = 0; to < npes; to++) {
      pair_t pair = pair_of(parts[from], to);
      char text[16];
      if (!pair.calls)
        fprintf(out, " %7s", ".");
      else if (bytes)
        fprintf(out, " %7s", weft_trace_size_text(text, pair.bytes));
      else
        fprintf(out, " %7llu", (unsigned long long)pair.calls);
    }
    fputc('\n', out);
  }
}

static int more_bytes(const void *a, const void *b) {
  const pair_t *x = a, *y = b;
  if (x->bytes != y->bytes) return x->bytes < y->bytes ? 1 : -1;
  if (x->from != y->from) return x->from - y->from;
  return x->to - y->to;
}

/* The TOP largest of all pairs; a pair that is smaller than all of them is never kept. */
static void put_top(FILE *out, const weft_trace_part_t *const *parts, int npes) {
  pair_t top[TOP + 1];
  size_t n = 0;
  for (int from = 0; from < npes; from++)
    for (int to = 0; parts[from] && to < npes; to++) {
      pair_t pair = pair_of(parts[from], to);
      if (!pair.calls) continue;
      top[n++] = pair;
      qsort(top, n, sizeof *top, more_bytes);
      if (n > TOP) n = TOP;
    }
  fprintf(out, "The %zu pairs with most bytes\n%6s %7s %11s %7s\n", n, "PE", "of PE", "operations",
          "bytes");
  for (size_t i = 0; i < n; i++) {
    char text[16];
    fprintf(out, "%6d %7d %11llu %7s\n", top[i].from, top[i].to, (unsigned long long)top[i].calls,
            weft_trace_size_text(text, top[i].bytes));
  }
}

void weft_trace_table(FILE *out, const weft_trace_part_t *const *parts, int npes, bool complete) {
  uint64_t longest = 0, inner = 0, inner_bytes = 0, any = 0;
  for (int pe = 0; pe < npes; pe++) {
    if (!parts[pe]) continue;
    if (parts[pe]->end && parts[pe]->end - parts[pe]->origin > longest)
      longest = parts[pe]->end - parts[pe]->origin;
    for (int to = 0; to < npes; to++) {
      inner += weft_trace_peers(parts[pe])[to].inner_calls;
      inner_bytes += weft_trace_peers(parts[pe])[to].inner_bytes;
      any |= pair_of(parts[pe], to).calls;
    }
  }
  char text[16];
  if (complete)
    fprintf(out, "Weft: what %d PEs did in %s\n", npes, time_text(text, longest));
  else
    fprintf(out, "Weft: what %d PEs did until the job ended\n", npes);
  put_pes(out, parts, npes);
  if (any && npes <= WHOLE_MATRIX) {
    put_matrix(out, parts, npes, false);
    put_matrix(out, parts, npes, true);
  } else if (any) {
    put_top(out, parts, npes);
  }
  if (inner) {
    fprintf(out, "Beside these, collectives and locks made %llu operations of %s\n",
            (unsigned long long)inner, weft_trace_size_text(text, inner_bytes));
  }
}
