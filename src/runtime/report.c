/*
 * Recording over the life of the job (WEFT_STATS, WEFT_TRACE): all PEs begin together, and at the
 * end PE 0 collects their parts through the symmetric heap, a piece of each at a time, since hosts
 * may share no file system. Knows when; what is recorded and what it looks like is trace's.
 */
#include <stdlib.h>
#include <string.h>

#include "coll/coll.h"
#include "job/job.h"
#include "rma/rma.h"
#include "runtime/runtime_internal.h"
#include "trace/trace.h"

enum { MOST = 1 << 20, LEAST = 1 << 14 };

/* What a PE shows to PE 0 in one round. */
typedef struct box {
  uint64_t bytes;
  char data[];
} box_t;

static struct {
  bool started;
  box_t *box; /* symmetric */
  size_t room;
  weft_trace_part_t **fronts; /* PE 0: every PE's part without its events */
  size_t *have;
  FILE *out;
} report;

/* A program that a PE of a recorded job starts has its environment: it would write to that job's
 * files. (Under MPI or PMIx weftrun may be the launcher all the same.) */
static bool is_inside(void) {
  const char *way = weft_job.boot->name;
  return getenv("WEFT_LAUNCHER_PARTS") && (!strcmp(way, "alone") || !strcmp(way, "pmi1"));
}

void weft_report_start(void) {
  const bool wanted = weft_trace_wanted() && !is_inside();
  const bool all = weft_coll_agree(wanted);
  report.started = false;
  if (!all && wanted && weft_job.slot == 0)
    weft_warn("WEFT_STATS or WEFT_TRACE is set here but not on every PE, so nothing is recorded: "
              "have the launcher pass it to all (as mpirun -x does)");
  if (!all) return;
  int rc = weft_trace_open(weft_job.pe, weft_job.npes, weft_job.node,
                           weft_job.nmachine == weft_job.npes);
  if (rc == 0 && (rc = weft_rma_record()) < 0) weft_warn("no memory to record operations in");
  if (!weft_coll_agree(rc == 0)) return; /* why has been said */
  report.started = true;
  weft_coll_sync(weft_team_world());
  weft_trace_start();
}

/* ---- collecting ------------------------------------------------------------------------------ */

typedef void (*take_t)(int pe, const char *data, size_t n);

/* Every PE's `mine`, of any size, given to take() on PE 0 piece by piece. */
static void collect(const char *mine, size_t size, take_t take) {
  const uintptr_t off = weft_job_offset(report.box);
  box_t *piece = weft_job.pe == 0 ? malloc(sizeof *piece + report.room) : NULL;
  size_t at = 0;
  do {
    report.box->bytes = size - at < report.room ? size - at : report.room;
    memcpy(report.box->data, mine + at, report.box->bytes);
    at += report.box->bytes;
    weft_coll_sync(weft_team_world());
    for (int pe = 0; pe < weft_job.npes && piece; pe++) {
      weft_rma_get(pe, off, piece, sizeof *piece);
      if (piece->bytes > report.room) weft_fatal("pe %d sent a damaged report", pe);
      if (piece->bytes) weft_rma_get(pe, off + sizeof *piece, piece->data, piece->bytes);
      if (piece->bytes) take(pe, piece->data, piece->bytes);
    }
  } while (!weft_coll_agree(at == size));
  free(piece);
}

static void take_front(int pe, const char *data, size_t n) {
  const size_t whole = weft_trace_front_bytes(weft_job.npes);
  if (!report.fronts[pe]) report.fronts[pe] = malloc(whole);
  if (!report.fronts[pe]) return; /* the report does without */
  if (n > whole - report.have[pe]) weft_fatal("pe %d sent a damaged report", pe);
  memcpy((char *)report.fronts[pe] + report.have[pe], data, n);
  report.have[pe] += n;
}

static void take_events(int pe, const char *data, size_t n) {
  const weft_trace_part_t *const *fronts = (const weft_trace_part_t *const *)report.fronts;
  if (fronts[pe])
    weft_trace_json_events(report.out, fronts, pe, (const weft_trace_event_t *)(const void *)data,
                           n / sizeof(weft_trace_event_t));
}

/* Whole events fit into a piece. */
static bool make_box(void) {
  for (size_t room = MOST; room >= LEAST; room /= 4) {
    report.room = room / sizeof(weft_trace_event_t) * sizeof(weft_trace_event_t);
    report.box =
        weft_symmetric_alloc(WEFT_CACHELINE, sizeof(box_t) + room, "the record of operations");
    if (report.box) return true;
  }
  if (weft_job.pe == 0 && !getenv("WEFT_LAUNCHER_PARTS")) /* weftrun collects what is left */
    weft_warn("no symmetric memory is left to collect what was recorded: raise "
              "SHMEM_SYMMETRIC_SIZE by 64K");
  return false;
}

/* ---- the end --------------------------------------------------------------------------------- */

static bool open_output(void) {
  if (weft_job.pe != 0) return true;
  report.out = fopen(weft_trace_target(), "we");
  if (!report.out) {
    weft_warn("cannot write the trace %s: %m; is there a disk full, or was its folder removed?",
              weft_trace_target());
    return false;
  }
  weft_trace_json_begin(report.out, (const weft_trace_part_t *const *)report.fronts, weft_job.npes);
  return true;
}

static void close_output(void) {
  weft_trace_json_end(report.out, (const weft_trace_part_t *const *)report.fronts, weft_job.npes,
                      true);
  bool bad = ferror(report.out);
  if (fclose(report.out) || bad)
    weft_warn("the trace %s is not whole: %m; free some room on its disk", weft_trace_target());
}

static void tell_dropped(void) {
  uint64_t dropped = 0;
  for (int pe = 0; pe < weft_job.npes; pe++)
    if (report.fronts[pe]) dropped += report.fronts[pe]->dropped;
  if (dropped)
    weft_warn("the trace has no room for the last %llu operations (they are counted); raise "
              "WEFT_TRACE_EVENTS=%d to see them",
              (unsigned long long)dropped, weft_options.trace_events);
}

/* In one write, so that it does not mix with what the PEs print. */
static void print_table(void) {
  char *text = NULL;
  size_t n = 0;
  FILE *memory = open_memstream(&text, &n);
  if (!memory) return;
  weft_trace_table(memory, (const weft_trace_part_t *const *)report.fronts, weft_job.npes, true);
  fclose(memory);
  fflush(stdout);
  fwrite(text, 1, n, stderr);
  fflush(stderr);
  free(text);
}

/* Where PEs may fail nobody collects: they end at different times, and weftrun writes what all have
 * left, the dead too. */
void weft_report_stop(void) {
  if (!report.started) return;
  report.started = false;
  const weft_trace_part_t *mine = weft_trace_stop();
  if (weft_job_goes_on() || !make_box()) return;
  if (weft_job.pe == 0) {
    report.fronts = calloc((size_t)weft_job.npes, sizeof *report.fronts);
    report.have = calloc((size_t)weft_job.npes, sizeof *report.have);
  }
  bool can = weft_job.pe != 0 || (report.fronts && report.have);
  if (weft_coll_agree(can)) {
    uint64_t n = mine->nevents < mine->room ? mine->nevents : mine->room;
    collect((const char *)mine, weft_trace_front_bytes(weft_job.npes), take_front);
    if (*weft_trace_target() && weft_coll_agree(open_output())) {
      collect((const char *)weft_trace_events(mine), n * sizeof(weft_trace_event_t), take_events);
      if (weft_job.pe == 0) close_output();
      weft_trace_remove_file();
    }
    if (!*weft_trace_target()) weft_trace_remove_file();
    if (weft_job.pe == 0) tell_dropped();
    if (weft_job.pe == 0 && weft_options.stats) print_table();
  }
  for (int pe = 0; report.fronts && pe < weft_job.npes; pe++) free(report.fronts[pe]);
  free(report.fronts);
  free(report.have);
  report.fronts = NULL;
  report.have = NULL;
  weft_symmetric_free(report.box, "the record of operations");
}
