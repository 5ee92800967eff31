/*
 * trace: what this PE did, counted and timed, kept in one part of memory per process that explains
 * itself: its names, its counters for every peer, its events. A part is a file while the job runs,
 * if anybody wants it, so that it outlives a crash. Here too is how parts become a table and a file
 * that Perfetto opens. Knows no job, no window, no front end: only PE numbers.
 *
 * Off (weft_trace_on is false) a span is two branches that are never taken.
 */
#ifndef WEFT_TRACE_H
#define WEFT_TRACE_H

#include <stdio.h>

#include "base/base.h"

/* What is recorded. The first three are operations between PEs, and have a peer. */
typedef enum weft_trace_kind {
  WEFT_TRACE_PUT,
  WEFT_TRACE_GET,
  WEFT_TRACE_ATOMIC,
  WEFT_TRACE_OPERATIONS,
  WEFT_TRACE_QUIET = WEFT_TRACE_OPERATIONS,
  WEFT_TRACE_FENCE,
  WEFT_TRACE_COLLECTIVE,
  WEFT_TRACE_WAIT,
  WEFT_TRACE_LOCK,
  WEFT_TRACE_MEMORY,
  WEFT_TRACE_KINDS
} weft_trace_kind_t;

enum { WEFT_TRACE_NAMES = 512, WEFT_TRACE_SIZES = 48 };

/* A function of the program's interface. Times are in ns. */
typedef struct weft_trace_name {
  char text[52];
  uint32_t kind;
  uint64_t calls, bytes, ns, longest;
} weft_trace_name_t;

/* What was asked of one peer. `inner` counts what collectives and locks asked on the program's
 * behalf. */
typedef struct weft_trace_peer {
  uint64_t calls[WEFT_TRACE_OPERATIONS], bytes[WEFT_TRACE_OPERATIONS];
  uint64_t inner_calls, inner_bytes;
} weft_trace_peer_t;

typedef struct weft_trace_event {
  uint64_t start, ns, bytes;
  int32_t peer; /* -1: none */
  uint16_t name;
  uint8_t thread, context; /* 255: that or more */
} weft_trace_event_t;

/* One PE's. Behind it npes weft_trace_peer_t, behind these `room` events. */
typedef struct weft_trace_part {
  char magic[8];
  uint32_t size; /* of this structure: who reads it was built like who wrote it */
  int32_t pe, npes, node;
  int32_t one_machine; /* all PEs of the job read the same clock */
  uint32_t nnames;
  char host[64];
  uint64_t origin; /* this PE's clock when all had started together */
  uint64_t end;    /* 0 while the job runs */
  uint64_t room, nevents, dropped;
  uint64_t sizes[WEFT_TRACE_OPERATIONS][WEFT_TRACE_SIZES]; /* [k][b]: of 2^(b-1) to 2^b - 1 bytes */
  weft_trace_name_t names[WEFT_TRACE_NAMES]; /* the first of them are "other", one of each kind */
} weft_trace_part_t;

static inline weft_trace_peer_t *weft_trace_peers(const weft_trace_part_t *part) {
  return (weft_trace_peer_t *)(part + 1);
}
static inline weft_trace_event_t *weft_trace_events(const weft_trace_part_t *part) {
  return (weft_trace_event_t *)(weft_trace_peers(part) + part->npes);
}
/* Bytes without the events. */
static inline size_t weft_trace_front_bytes(int npes) {
  return sizeof(weft_trace_part_t) + (size_t)npes * sizeof(weft_trace_peer_t);
}

/* The sum of the names of a kind. */
typedef struct weft_trace_sum {
  uint64_t calls, bytes, ns;
} weft_trace_sum_t;
weft_trace_sum_t weft_trace_sum(const weft_trace_part_t *part, weft_trace_kind_t kind);

/* ---- trace.c: recording ---- */

extern bool weft_trace_on __attribute__((visibility("hidden")));

/* Is recording asked for? (WEFT_STATS, WEFT_TRACE) */
bool weft_trace_wanted(void);
/* Make this PE's part, or take the one of the life before. 0 or a negative errno (logged). */
int weft_trace_open(int pe, int npes, int node, bool one_machine);
/* Begin, when all PEs have come together: the clocks are set equal here. */
void weft_trace_start(void);
/* End. What was recorded stays until the next start. */
weft_trace_part_t *weft_trace_stop(void);
/* Where PE 0 writes the trace; "": nowhere. */
const char *weft_trace_target(void);
/* The part is safe elsewhere: its file goes. */
void weft_trace_remove_file(void);

/* From begin to end of a call, on the stack of the caller; name == NULL: off. */
typedef struct weft_span {
  const char *name;
  uint64_t start, bytes;
  int peer;
  uint8_t kind, context;
} weft_span_t;

void weft_trace_enter(weft_span_t *span);
void weft_trace_leave(weft_span_t *span);

/* `name` is a constant: it is told apart by its address first. peer -1: none; context: its number,
 * 0 for the default one. */
static inline void weft_trace_begin(weft_span_t *span, weft_trace_kind_t kind, const char *name,
                                    size_t bytes, int peer, int context) {
  span->name = NULL; /* nothing else: a span that is built and copied costs 10 ns when it is off */
  if (weft_likely(!weft_peek(&weft_trace_on))) return;
  *span = (weft_span_t){.name = name, .bytes = bytes, .peer = peer};
  span->kind = (uint8_t)kind;
  span->context = (uint8_t)(context < 255 ? context : 255);
  weft_trace_enter(span);
}
static inline void weft_trace_end(weft_span_t *span) {
  if (weft_unlikely(span->name)) weft_trace_leave(span);
}

/* Until the end of the block. Spans inside it are seen in the trace, but are not counted as the
 * program's. */
#define WEFT_SPAN(kind, name, bytes) WEFT_SPAN_TO(kind, name, bytes, -1, 0)
#define WEFT_SPAN_TO(kind, name, bytes, peer, context)                                             \
  weft_span_t weft_span_here __attribute__((cleanup(weft_trace_end)));                             \
  weft_trace_begin(&weft_span_here, kind, name, bytes, peer, context)

/* Bytes that are moved to or from a peer beside the operations of the interface. */
void weft_trace_inner(int peer, size_t bytes);

/* ---- json.c: parts as Chrome trace events. parts[i] may be NULL: nothing is known of PE i. --- */

void weft_trace_json_begin(FILE *out, const weft_trace_part_t *const *parts, int npes);
void weft_trace_json_events(FILE *out, const weft_trace_part_t *const *parts, int pe,
                            const weft_trace_event_t *events, size_t n);
void weft_trace_json_end(FILE *out, const weft_trace_part_t *const *parts, int npes, bool complete);

/* ---- table.c ---- */

/* "12.3K" and so on (powers of 1024), at most 6 characters. */
const char *weft_trace_size_text(char text[16], uint64_t bytes);
/* The table of --stats. `complete`: the job came to its end. */
void weft_trace_table(FILE *out, const weft_trace_part_t *const *parts, int npes, bool complete);

/* ---- trace.c: what a job left behind that did not come to its end ---- */

/* Read the part of a PE whose files begin with `prefix`, and remove it; NULL if there is none. It
 * stays mapped. */
weft_trace_part_t *weft_trace_take_file(const char *prefix, int pe);
/* The PEs of the job that left this file; 0: it is no part. */
int weft_trace_npes_of_file(const char *file);

#endif
