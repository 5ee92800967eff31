/*
 * gasnet_tools.h, the process and its machine: fatal errors, backtraces, waiting for a debugger,
 * streams, signals, limits, processors and memory; and byte counting. None of it needs a job.
 */
#ifndef WEFT_GASNETT_SYSTEM_H
#define WEFT_GASNETT_SYSTEM_H

#include <stddef.h>
#include <stdint.h>
#include <weft/gasnett_mode.h>
#include <weft/gasnett_annotate.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* ---- the end -------------------------------------------------------------------------------- */

/* A message, a backtrace if wanted (GASNET_BACKTRACE=1), abort(). func NULL: no position is told.
 */
void weft_gasnett_fatalerror(const char *func, const char *file, int line, const char *msg, ...)
    __attribute__((__format__(__printf__, 4, 5), __noreturn__, __cold__));
#define gasnett_fatalerror(...)                                                                    \
  weft_gasnett_fatalerror(GASNETT_CURRENT_FUNCTION, __FILE__, __LINE__, __VA_ARGS__)
void gasnett_fatalerror_nopos(const char *msg, ...)
    __attribute__((__format__(__printf__, 1, 2), __noreturn__, __cold__));
/* At once, with all threads and without what atexit was told. */
void gasnett_killmyprocess(int exitcode) __attribute__((__noreturn__));

/* "func at file:line"; the caller frees it. */
char *weft_gasnett_loc(const char *func, const char *file, int line);
#define gasnett_current_loc weft_gasnett_loc(GASNETT_CURRENT_FUNCTION, __FILE__, __LINE__)

/* ---- backtraces and debuggers --------------------------------------------------------------- */

/* Sleeps until a debugger sets *flag, whose name the user is told. */
void gasnett_freezeForDebuggerNow(volatile int *flag, const char *flagsymname);
/* The same, if GASNET_FREEZE_ON_ERROR is set. */
void gasnett_freezeForDebuggerErr(void);
/* With argv[0] or gasnett_exe_name(), early in main. */
void gasnett_backtrace_init(const char *exename);
/* By the first of GASNET_BACKTRACE_TYPE (EXECINFO, GDB, and the client's own) that works; 0 if one
 * did. */
int gasnett_print_backtrace(int fd);
/* What errors call: gasnett_print_backtrace if GASNET_BACKTRACE is set. May be replaced. */
extern int (*gasnett_print_backtrace_ifenabled)(int fd);

/* A client defines gasnett_backtrace_user to add a mechanism of its own. */
typedef struct {
  const char *name;
  int (*fnp)(int fd);
  int threadsupport; /* does it work with several threads? */
} gasnett_backtrace_type_t;
extern gasnett_backtrace_type_t gasnett_backtrace_user;

/* ---- streams, signals, limits --------------------------------------------------------------- */

void gasnett_flush_streams(void);
void gasnett_close_streams(void);
typedef void (*gasnett_sighandlerfn_t)(int);
gasnett_sighandlerfn_t gasnett_reghandler(int sigtocatch, gasnett_sighandlerfn_t fp);
/* Not 0 on success. GASNET_MAXIMIZE_<name>=0 leaves that limit alone. */
int gasnett_maximize_rlimits(void);
int gasnett_maximize_rlimit(int res, const char *lim_desc);
void gasnett_sched_yield(void);
#define GASNETT_SET_AFFINITY_SUPPORT 1
/* This thread to processor `rank` modulo their number; 0 on success. Deprecated: use hwloc. */
int gasnett_set_affinity(int rank);

/* ---- properties ----------------------------------------------------------------------------- */

const char *gasnett_gethostname(void);
const char *gasnett_exe_name(void);
int gasnett_cpu_count(void);
uint64_t gasnett_getPhysMemSz(int failureIsFatal);
int gasnett_isLittleEndian(void);
const char *gasnett_performance_warning_str(void);
const char *gasnett_release_version_str(void);
uint64_t gasnett_release_version(void);
/* Fresh pages of zeroes; fatal if there are none. */
void *gasnett_mmap(uintptr_t size);

#if defined(__x86_64__)
#define GASNETT_SYSTEM_TUPLE "x86_64-unknown-linux-gnu"
#elif defined(__aarch64__)
#define GASNETT_SYSTEM_TUPLE "aarch64-unknown-linux-gnu"
#else
#define GASNETT_SYSTEM_TUPLE "unknown-unknown-linux-gnu"
#endif
#define GASNETT_CACHE_LINE_BYTES 64

/* ---- bytes ---------------------------------------------------------------------------------- */

/* Quick, 64 bits wide, no protection against malice. */
uint64_t gasnett_checksum(const void *p, int numbytes);
/* How many bytes are 0. */
size_t gasnett_count0s(const void *p, size_t numbytes);
size_t gasnett_count0s_copy(void *GASNETT_RESTRICT dst, const void *GASNETT_RESTRICT src,
                            size_t numbytes);
/* Bit 7 of each byte of the sum is set if the byte has any of its lower bits. */
WEFT_GASNETT_INLINE int gasnett_count0s_uint64_t(uint64_t x) {
  const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
  return 8 - __builtin_popcountll((((x & low) + low) | x) & ~low);
}
WEFT_GASNETT_INLINE int gasnett_count0s_uint32_t(uint32_t x) {
  const uint32_t low = UINT32_C(0x7f7f7f7f);
  return 4 - __builtin_popcount((((x & low) + low) | x) & ~low);
}
WEFT_GASNETT_INLINE int gasnett_count0s_uintptr_t(uintptr_t x) {
  return sizeof x == 8 ? gasnett_count0s_uint64_t(x) : gasnett_count0s_uint32_t((uint32_t)x);
}

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
