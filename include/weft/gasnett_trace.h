/*
 * gasnet_tools.h, tracing and statistics of the client's own events. These are optional and Weft's
 * answer to them is weftrun --stats and --trace, which need no macros in the program: so here all
 * are off, and the arguments of what prints are still checked against the format.
 */
#ifndef WEFT_GASNETT_TRACE_H
#define WEFT_GASNETT_TRACE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Some clients take its address under this name. */
__attribute__((__format__(__printf__, 1, 2), __unused__)) static void
_gasnett_trace_printf_noop(const char *format, ...) {
  (void)format;
}

#define GASNETT_TRACE_ENABLED 0
#define GASNETT_TRACE_PRINTF _gasnett_trace_printf_noop
#define GASNETT_TRACE_PRINTF_FORCE _gasnett_trace_printf_noop
#define GASNETT_TRACE_GETMASK() ""
#define GASNETT_TRACE_SETMASK(mask) ((void)(mask))
#define GASNETT_TRACE_GET_TRACELOCAL() (0)
#define GASNETT_TRACE_SET_TRACELOCAL(newval) ((void)(newval))
#define GASNETT_TRACE_SETSOURCELINE(file, line) ((void)0)
#define GASNETT_TRACE_GETSOURCELINE(pfile, pline) ((void)0)
#define GASNETT_TRACE_FREEZESOURCELINE() ((void)0)
#define GASNETT_TRACE_UNFREEZESOURCELINE() ((void)0)

#define GASNETT_STATS_INIT(callbackfn) 0
#define GASNETT_STATS_GETMASK() ""
#define GASNETT_STATS_SETMASK(mask) ((void)(mask))
#define GASNETT_STATS_DUMP(reset) ((void)(reset))
#define GASNETT_STATS_PRINTF _gasnett_trace_printf_noop
#define GASNETT_STATS_PRINTF_FORCE _gasnett_trace_printf_noop

#ifdef __cplusplus
}
#endif
#endif
