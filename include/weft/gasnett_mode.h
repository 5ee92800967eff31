/*
 * gasnet_tools.h, threading mode: may several threads call the tools at once? GASNET_PAR and
 * GASNETT_THREAD_SAFE say yes, GASNET_SEQ, GASNET_PARSYNC and GASNETT_THREAD_SINGLE no; without any
 * of them what the compiler was told (-pthread) decides. In a PARSYNC program threads exist, so
 * their locks and atomics must be real.
 */
#ifndef WEFT_GASNETT_MODE_H
#define WEFT_GASNETT_MODE_H

#if defined(GASNETT_LITE_MODE) + defined(GASNETT_THREAD_SAFE) + defined(GASNETT_THREAD_SINGLE) > 1
#error "define at most one of GASNETT_THREAD_SAFE, GASNETT_THREAD_SINGLE, GASNETT_LITE_MODE"
#endif
#if (defined(GASNETT_THREAD_SAFE) && (defined(GASNET_SEQ) || defined(GASNET_PARSYNC))) ||          \
    (defined(GASNETT_THREAD_SINGLE) && defined(GASNET_PAR))
#error "GASNETT_THREAD_* and GASNET_SEQ, GASNET_PARSYNC or GASNET_PAR contradict each other"
#endif

#ifdef GASNETT_LITE_MODE
#undef GASNETT_LITE_MODE
#define GASNETT_LITE_MODE 1
#define GASNETT_THREAD_MODEL LITE
#define WEFT_GASNETT_THREADS 1
#elif defined(GASNETT_THREAD_SAFE) || defined(GASNET_PAR) ||                                       \
    (!defined(GASNETT_THREAD_SINGLE) && !defined(GASNET_SEQ) && !defined(GASNET_PARSYNC) &&        \
     (defined(_REENTRANT) || defined(_THREAD_SAFE) || defined(PTHREAD_MUTEX_INITIALIZER)))
#undef GASNETT_THREAD_SAFE
#define GASNETT_THREAD_SAFE 1
#define GASNETT_THREAD_MODEL PAR
#define WEFT_GASNETT_THREADS 1
#else
#undef GASNETT_THREAD_SINGLE
#define GASNETT_THREAD_SINGLE 1
#define GASNETT_THREAD_MODEL SEQ
#ifdef GASNET_PARSYNC
#define WEFT_GASNETT_THREADS 1
#else
#define WEFT_GASNETT_THREADS 0
#endif
#endif

/* The inlines are also symbols of the library: tools/symbols.c defines this as nothing. */
#ifndef WEFT_GASNETT_INLINE
#define WEFT_GASNETT_INLINE static inline
#endif

#endif
