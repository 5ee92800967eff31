/*
 * --stats and --trace. The PEs record, and at the end of a job PE 0 collects and writes everything
 * itself (src/runtime/report.c), under any launcher. What is here is for jobs that end otherwise:
 * the PEs keep what they record in files of a folder that we make, and what they leave there is
 * written after them.
 */
#include "weftrun/weftrun.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/trace.h"

static void export_pair(options_t *options, const char *name, const char *value) {
  char *pair = malloc(strlen(name) + strlen(value) + 2);
  if (!pair) give_up(1, "out of memory");
  sprintf(pair, "%s=%s", name, value);
  options->exports[options->nexports++] = pair;
}

/* Relative to where weftrun was started, whatever --wdir and the program do. */
static char *absolute(const char *file) {
  char here[4096] = "";
  char *path = NULL;
  if (file[0] == '/' || !getcwd(here, sizeof(here))) here[0] = '\0';
  if (asprintf(&path, "%s%s%s", here, here[0] ? "/" : "", file) < 0) give_up(1, "out of memory");
  return path;
}

void recording_prepare(options_t *options) {
  const char *file = options->trace ? options->trace : options_value_of(options, "WEFT_TRACE");
  const char *folder = getenv("TMPDIR");
  if (options->stats) export_pair(options, "WEFT_STATS", "1");
  options->stats = strcmp(options_value_of(options, "WEFT_STATS"), "1") == 0;
  options->trace = NULL;
  if (*file) {
    options->trace = absolute(file);
    export_pair(options, "WEFT_TRACE", options->trace);
  }
  if (options->hosts || options->hostfile || (!options->stats && !*file)) return;
  if (!folder || folder[0] != '/') folder = "/tmp";
  if (asprintf(&options->parts_folder, "%s/weft-parts-%d-%" PRIx64, folder, (int)getpid(),
               now_ms()) < 0) {
    give_up(1, "out of memory");
  }
  char *prefix;
  if (asprintf(&prefix, "%s/part", options->parts_folder) < 0) give_up(1, "out of memory");
  export_pair(options, "WEFT_LAUNCHER_PARTS", prefix);
  free(prefix);
}

void recording_begin(const options_t *options) {
  if (!options->parts_folder || mkdir(options->parts_folder, 0700) == 0) return;
  give_up(STATUS_USAGE,
          "cannot make the folder %.600s to record in: %s; name another place with TMPDIR",
          options->parts_folder, strerror(errno));
}

static void write_trace(const options_t *options, const weft_trace_part_t *const *parts, int found,
                        bool complete) {
  FILE *out = fopen(options->trace, "we");
  if (!out) {
    say("cannot write the trace %.600s: %s", options->trace, strerror(errno));
    return;
  }
  weft_trace_json_begin(out, parts, options->npes);
  for (int pe = 0; pe < options->npes; pe++) {
    const weft_trace_part_t *part = parts[pe];
    if (!part) continue;
    uint64_t n = part->nevents < part->room ? part->nevents : part->room;
    weft_trace_json_events(out, parts, pe, weft_trace_events(part), n);
  }
  weft_trace_json_end(out, parts, options->npes, complete);
  if (fclose(out)) {
    say("the trace %s is not whole: %s; free some room on its disk", options->trace,
        strerror(errno));
  } else {
    say("the trace %s has what %d of %d PEs did until the job ended", options->trace, found,
        options->npes);
  }
}

/* By way of memory: a full pipe must not hold up the keeper. */
static void print_table(const options_t *options, const weft_trace_part_t *const *parts,
                        bool complete) {
  char *text = NULL;
  size_t len = 0;
  FILE *memory = open_memstream(&text, &len);
  if (!memory) return;
  weft_trace_table(memory, parts, options->npes, complete);
  if (fclose(memory) == 0) output_write(STDERR_FILENO, text, len);
  free(text);
}

/* Write what files that begin with `prefix` hold. Returns how many PEs that was. */
static int write_parts(const options_t *options, const char *prefix) {
  const weft_trace_part_t **parts = calloc((size_t)options->npes, sizeof(*parts));
  int found = 0;
  bool complete = true;
  for (int pe = 0; parts && pe < options->npes; pe++) {
    parts[pe] = weft_trace_take_file(prefix, pe);
    if (parts[pe] && parts[pe]->npes != options->npes) parts[pe] = NULL; /* another job's inside */
    found += parts[pe] != NULL;
    complete &= parts[pe] && parts[pe]->end;
  }
  if (found && options->trace) write_trace(options, parts, found, complete);
  if (found && options->stats) print_table(options, parts, complete);
  free(parts);
  return found;
}

void recording_finish(const options_t *options) {
  char prefix[4200];
  if (!options->parts_folder) return;
  snprintf(prefix, sizeof(prefix), "%s/part", options->parts_folder);
  write_parts(options, prefix);
  rmdir(options->parts_folder);
}

void recording_collect(const options_t *options) {
  options_t job = *options;
  glob_t files;
  char *pattern;
  job.trace = absolute(options->collect);
  job.npes = 0;
  if (asprintf(&pattern, "%s.pe[0-9]*", job.trace) < 0) give_up(1, "out of memory");
  if (glob(pattern, 0, NULL, &files) == 0) {
    for (size_t i = 0; i < files.gl_pathc && !job.npes; i++) {
      job.npes = weft_trace_npes_of_file(files.gl_pathv[i]);
    }
  }
  if (!job.npes || !write_parts(&job, job.trace)) {
    give_up(1, "there are no files %s that PEs of Weft have left", pattern);
  }
  exit(0);
}
