/*
 * The parts of a job as one file of Chrome trace events, which Perfetto and chrome://tracing open:
 * a process per PE, a row per thread, a slice per call. What the counters say follows under "weft",
 * where weft-report finds it. The events come first: older Perfettos stop at a key they do not
 * know.
 */
#include "trace/trace.h"

static const char *const kind_names[WEFT_TRACE_KINDS] = {
    "put", "get", "atomic", "quiet", "fence", "collective", "wait", "lock", "memory"};

static void put_text(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      fprintf(out, "\\%c", *text);
    else if ((unsigned char)*text < 32)
      fprintf(out, "\\u%04x", (unsigned)*text);
    else
      fputc(*text, out);
  }
  fputc('"', out);
}

/* In us. By integers: printf writes a real with the decimal point of the program's locale. */
static void put_us(FILE *out, const char *before, uint64_t ns) {
  fprintf(out, "%s%llu.%03u", before, (unsigned long long)(ns / 1000), (unsigned)(ns % 1000));
}

/* PEs of a machine read one clock, so all of them count from the same moment: the earliest of the
 * machine's. Between machines the moments are those at which a barrier was left. */
static uint64_t origin_of(const weft_trace_part_t *const *parts, int pe) {
  const weft_trace_part_t *me = parts[pe];
  uint64_t origin = me->origin;
  for (int i = 0; i < me->npes; i++)
    if (parts[i] && (me->one_machine || parts[i]->node == me->node) && parts[i]->origin < origin)
      origin = parts[i]->origin;
  return origin;
}

static uint64_t events_of(const weft_trace_part_t *part) {
  return part->nevents < part->room ? part->nevents : part->room;
}

void weft_trace_json_begin(FILE *out, const weft_trace_part_t *const *parts, int npes) {
  fputs("{\"traceEvents\":[\n", out);
  const char *comma = "";
  for (int pe = 0; pe < npes; pe++) {
    if (!parts[pe]) continue;
    char title[128];
    snprintf(title, sizeof title, "PE %d on %s", pe, parts[pe]->host);
    fprintf(out,
            "%s{\"ph\":\"M\",\"pid\":%d,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":",
            comma, pe);
    put_text(out, title);
    fprintf(out,
            "}},\n{\"ph\":\"M\",\"pid\":%d,\"tid\":0,\"name\":\"process_sort_index\",\"args\":{"
            "\"sort_index\":%d}},\n{\"ph\":\"M\",\"pid\":%d,\"tid\":0,\"name\":\"thread_name\","
            "\"args\":{"
            "\"name\":\"first thread\"}}",
            pe, pe, pe);
    comma = ",\n";
  }
}

void weft_trace_json_events(FILE *out, const weft_trace_part_t *const *parts, int pe,
                            const weft_trace_event_t *events, size_t n) {
  const weft_trace_part_t *part = parts[pe];
  const uint64_t origin = origin_of(parts, pe);
  for (size_t i = 0; i < n; i++) {
    const weft_trace_event_t *e = &events[i];
    if (e->start < origin || e->name >= WEFT_TRACE_NAMES) continue; /* begun, never finished */
    const weft_trace_name_t *name = &part->names[e->name];
    const char *kind = name->kind < WEFT_TRACE_KINDS ? kind_names[name->kind] : "other";
    fprintf(out, ",\n{\"ph\":\"X\",\"pid\":%d,\"tid\":%d", pe, e->thread);
    put_us(out, ",\"ts\":", e->start - origin);
    put_us(out, ",\"dur\":", e->ns);
    fprintf(out, ",\"cat\":\"%s\",\"name\":", kind);
    put_text(out, name->text);
    if (e->peer >= 0)
      fprintf(out, ",\"args\":{\"to\":%d,\"bytes\":%llu", e->peer, (unsigned long long)e->bytes);
    else
      fprintf(out, ",\"args\":{\"bytes\":%llu", (unsigned long long)e->bytes);
    if (e->context) fprintf(out, ",\"context\":%d", e->context);
    fputs("}}", out);
  }
}

/* ---- what the counters say ------------------------------------------------------------------- */

static void put_pe(FILE *out, const weft_trace_part_t *const *parts, const weft_trace_part_t *p) {
  fprintf(out, "{\"pe\":%d,\"node\":%d,\"host\":", p->pe, p->node);
  put_text(out, p->host);
  if (p->end)
    put_us(out, ",\"us\":", p->end - origin_of(parts, p->pe));
  else
    fputs(",\"us\":null", out); /* it did not come to its end */
  fprintf(out, ",\"events\":%llu,\"dropped\":%llu", (unsigned long long)events_of(p),
          (unsigned long long)p->dropped);
  for (int k = 0; k < WEFT_TRACE_KINDS; k++) {
    weft_trace_sum_t sum = weft_trace_sum(p, (weft_trace_kind_t)k);
    fprintf(out, ",\"%s\":[%llu,%llu", kind_names[k], (unsigned long long)sum.calls,
            (unsigned long long)sum.bytes);
    put_us(out, ",", sum.ns);
    fputs("]", out);
  }
  fputs("}", out);
}

static void put_calls(FILE *out, const weft_trace_part_t *p, const char **comma) {
  for (uint32_t i = 0; i < p->nnames; i++) {
    const weft_trace_name_t *n = &p->names[i];
    if (!n->calls || n->kind >= WEFT_TRACE_KINDS) continue;
    fprintf(out, "%s[%d,", *comma, p->pe);
    put_text(out, n->text);
    fprintf(out, ",\"%s\",%llu,%llu", kind_names[n->kind], (unsigned long long)n->calls,
            (unsigned long long)n->bytes);
    put_us(out, ",", n->ns);
    put_us(out, ",", n->longest);
    fputs("]", out);
    *comma = ",\n";
  }
}

static void put_row(FILE *out, const weft_trace_part_t *p, const char **comma) {
  for (int to = 0; to < p->npes; to++) {
    const weft_trace_peer_t *peer = &weft_trace_peers(p)[to];
    uint64_t any = peer->inner_calls;
    for (int k = 0; k < WEFT_TRACE_OPERATIONS; k++) any |= peer->calls[k];
    if (!any) continue;
    fprintf(out, "%s[%d,%d", *comma, p->pe, to);
    for (int k = 0; k < WEFT_TRACE_OPERATIONS; k++)
      fprintf(out, ",%llu,%llu", (unsigned long long)peer->calls[k],
              (unsigned long long)peer->bytes[k]);
    fprintf(out, ",%llu,%llu]", (unsigned long long)peer->inner_calls,
            (unsigned long long)peer->inner_bytes);
    *comma = ",\n";
  }
}

static void put_sizes(FILE *out, const weft_trace_part_t *const *parts, int npes) {
  for (int k = 0; k < WEFT_TRACE_OPERATIONS; k++) {
    fprintf(out, "%s\"%s\":[", k ? ",\n" : "", kind_names[k]);
    for (int b = 0; b < WEFT_TRACE_SIZES; b++) {
      uint64_t sum = 0;
      for (int pe = 0; pe < npes; pe++)
        if (parts[pe]) sum += parts[pe]->sizes[k][b];
      fprintf(out, "%s%llu", b ? "," : "", (unsigned long long)sum);
    }
    fputs("]", out);
  }
}

void weft_trace_json_end(FILE *out, const weft_trace_part_t *const *parts, int npes,
                         bool complete) {
  fprintf(
      out,
      "\n],\n\"displayTimeUnit\":\"ns\",\n\"weft\":{\"version\":1,\"npes\":%d,\"complete\":%s,\n"
      "\"pes\":[\n",
      npes, complete ? "true" : "false");
  const char *comma = "";
  for (int pe = 0; pe < npes; pe++) {
    if (!parts[pe]) continue;
    fputs(comma, out);
    put_pe(out, parts, parts[pe]);
    comma = ",\n";
  }
  fputs("],\n\"calls\":[\n", out);
  comma = "";
  for (int pe = 0; pe < npes; pe++)
    if (parts[pe]) put_calls(out, parts[pe], &comma);
  fputs("],\n\"matrix\":[\n", out);
  comma = "";
  for (int pe = 0; pe < npes; pe++)
    if (parts[pe]) put_row(out, parts[pe], &comma);
  fputs("],\n\"sizes\":{\n", out);
  put_sizes(out, parts, npes);
  fputs("}}}\n", out);
}
