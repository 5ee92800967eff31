/*
 * gasnet_tools.h, what there is only beside gasnetex.h: texts of GASNet's values and lists for
 * messages, and a self-test. The texts go into a buffer of the caller's, of at least the size that
 * the _bufsz function says. Include <gasnetex.h> instead.
 */
#ifndef WEFT_GASNETT_GEX_H
#define WEFT_GASNETT_GEX_H

#include <weft/gasnett_mode.h>
#include <weft/gex_types.h>

#if defined(GASNETT_THREAD_SAFE) && GASNETT_THREAD_SAFE
#define GASNETT_MAX_THREADS 256
#else
#define GASNETT_MAX_THREADS 1
#endif

WEFT_GEX_BEGIN
#ifdef __cplusplus
extern "C" {
#endif

/* "GEX_DT_I32|GEX_DT_U64"; the bytes needed with the final 0. buf NULL: only that. */
size_t gasnett_format_dt(char *buf, gex_DT_t dt);
size_t gasnett_format_op(char *buf, gex_OP_t op);
size_t gasnett_format_ti(char *buf, gex_TI_t ti);

/* Lists of the VIS functions. Those that format a whole operation return its bytes of data. */
typedef struct {
  size_t minsz, maxsz; /* of an element */
  uintptr_t totalsz;
  void *minaddr, *maxaddr; /* the first byte, the last byte */
} gasnett_memveclist_stats_t;
typedef struct {
  void *minaddr, *maxaddr;
} gasnett_addrlist_stats_t;

size_t gasnett_format_memveclist_bufsz(size_t count);
gasnett_memveclist_stats_t gasnett_format_memveclist(char *buf, size_t count,
                                                     gex_Memvec_t const *list);
size_t gasnett_format_putvgetv_bufsz(size_t dstcount, size_t srccount);
size_t gasnett_format_putvgetv(char *buf, gex_TM_t tm, gex_Rank_t rank, size_t dstcount,
                               gex_Memvec_t const *dstlist, size_t srccount,
                               gex_Memvec_t const *srclist);
size_t gasnett_format_addrlist_bufsz(size_t count);
gasnett_addrlist_stats_t gasnett_format_addrlist(char *buf, size_t count, void *const *list,
                                                 size_t len);
size_t gasnett_format_putigeti_bufsz(size_t dstcount, size_t srccount);
size_t gasnett_format_putigeti(char *buf, gex_TM_t tm, gex_Rank_t rank, size_t dstcount,
                               void *const *dstlist, size_t dstlen, size_t srccount,
                               void *const *srclist, size_t srclen);
size_t gasnett_format_strides_bufsz(size_t count);
void gasnett_format_strides(char *buf, size_t count, const ptrdiff_t *list);
size_t gasnett_format_putsgets_bufsz(size_t stridelevels);
/* stats: NULL. */
size_t gasnett_format_putsgets(char *buf, void *stats, gex_TM_t tm, gex_Rank_t rank, void *dstaddr,
                               const ptrdiff_t dststrides[], void *srcaddr,
                               const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[],
                               size_t stridelevels);

/* A self-test: `threads` threads try locks and atomics; then this process and `peer` exchange
 * active messages, and data is put into and got from the peer's segment, which nobody else writes.
 * Returns the number of failures. testsections: the letters of those wanted, NULL for all. The
 * handlers of gethandlers must have been registered. */
void gasnett_diagnostic_gethandlers(gex_AM_Entry_t **table, int *count);
int gasnett_run_diagnostics(int iters, int threads, const char *testsections, gex_TM_t tm,
                            void *myseg, gex_Rank_t peer, void *peerseg, unsigned int seed);

#ifdef __cplusplus
}
#endif
WEFT_GEX_END
#endif
