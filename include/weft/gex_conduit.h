/*
 * weft/gex_conduit.h: which conduit and mode the program is built for, as constants. One library
 * serves smp (one node), udp and ofi (any number): -DGASNET_CONDUIT_SMP, _UDP or _OFI choose, as
 * the .mak and .pc files do; without one it is ofi. Include <gasnetex.h> instead.
 */
#ifndef WEFT_GEX_CONDUIT_H
#define WEFT_GEX_CONDUIT_H

#include <gasnet_config.h>
#include <weft/gasnett_annotate.h>

#if defined(GASNET_CONDUIT_SMP) + defined(GASNET_CONDUIT_UDP) + defined(GASNET_CONDUIT_OFI) > 1
#error Define at most one of GASNET_CONDUIT_SMP, GASNET_CONDUIT_UDP and GASNET_CONDUIT_OFI
#elif defined(GASNET_CONDUIT_SMP)
#undef GASNET_CONDUIT_SMP
#define GASNET_CONDUIT_SMP 1
#define GASNET_SMP_CONDUIT 1
#define GASNET_CONDUIT_NAME SMP
#define WEFT_GEX_CONDUIT smp
#elif defined(GASNET_CONDUIT_UDP)
#undef GASNET_CONDUIT_UDP
#define GASNET_CONDUIT_UDP 1
#define GASNET_UDP_CONDUIT 1
#define GASNET_CONDUIT_NAME UDP
#define WEFT_GEX_CONDUIT udp
#else
#undef GASNET_CONDUIT_OFI
#define GASNET_CONDUIT_OFI 1
#define GASNET_OFI_CONDUIT 1
#define GASNET_CONDUIT_NAME OFI
#define WEFT_GEX_CONDUIT ofi
#endif
#define GASNET_CONDUIT_NAME_STR _STRINGIFY(GASNET_CONDUIT_NAME)
#define GASNET_CORE_NAME GASNET_CONDUIT_NAME
#define GASNET_CORE_NAME_STR GASNET_CONDUIT_NAME_STR
#define GASNET_CORE_VERSION 1.0
#define GASNET_CORE_VERSION_STR _STRINGIFY(GASNET_CORE_VERSION)
#define GASNET_EXTENDED_NAME WEFT
#define GASNET_EXTENDED_NAME_STR _STRINGIFY(GASNET_EXTENDED_NAME)
#define GASNET_EXTENDED_VERSION 1.0
#define GASNET_EXTENDED_VERSION_STR _STRINGIFY(GASNET_EXTENDED_VERSION)

/* Segments are made, and may lie at different addresses. */
#define GASNET_SEGMENT_FAST 1
#define GASNET_ALIGNED_SEGMENTS 0
#define GASNET_MAXNODES 0x7fffffff

#if defined(GASNET_PAR)
#define WEFT_GEX_MODEL PAR
#define WEFT_GEX_MODEL_LOWER par
#elif defined(GASNET_PARSYNC)
#define WEFT_GEX_MODEL PARSYNC
#define WEFT_GEX_MODEL_LOWER parsync
#else
#define WEFT_GEX_MODEL SEQ
#define WEFT_GEX_MODEL_LOWER seq
#endif

#define WEFT_GEX_VERSION                                                                           \
  _STRINGIFY(GASNET_RELEASE_VERSION_MAJOR)                                                         \
  "." _STRINGIFY(GASNET_RELEASE_VERSION_MINOR) "." _STRINGIFY(GASNET_RELEASE_VERSION_PATCH)
#define WEFT_GEX_SPEC _STRINGIFY(GEX_SPEC_VERSION_MAJOR) "." _STRINGIFY(GEX_SPEC_VERSION_MINOR)
#ifdef __LP64__
#define WEFT_GEX_PTR "64bit"
#else
#define WEFT_GEX_PTR "32bit"
#endif
#define GASNET_CONFIG_STRING                                                                       \
  "RELEASE=" WEFT_GEX_VERSION ",SPEC=" WEFT_GEX_SPEC ",CONDUIT=" GASNET_CONDUIT_NAME_STR           \
  "(" GASNET_CORE_NAME_STR "-" GASNET_CORE_VERSION_STR "/" GASNET_EXTENDED_NAME_STR                \
  "-" GASNET_EXTENDED_VERSION_STR ")"                                                              \
  ",THREADMODEL=" _STRINGIFY(WEFT_GEX_MODEL) ",SEGMENT=FAST,PTR=" WEFT_GEX_PTR                     \
                                             ",noalign,pshm,nodebug,notrace,nostats,"              \
                                             "nodebugmalloc,nosrclines,timers_native,membars_c11," \
                                             "atomics_c11,atomic32_c11,atomic64_c11"

/* An object file that the .mak or .pc flags compiled needs the library of the same conduit and
 * mode: what was compiled for two of them does not link. */
#ifdef WEFT_GASNET_GUARD
#define WEFT_GEX_GUARD                                                                             \
  _CONCAT(weft_gasnet_is_, _CONCAT(WEFT_GEX_CONDUIT, _CONCAT(_, WEFT_GEX_MODEL_LOWER)))
#ifdef __cplusplus
extern "C" {
#endif
extern const char WEFT_GEX_GUARD[];
__attribute__((__used__)) static const char *const weft_gasnet_guard = WEFT_GEX_GUARD;
#ifdef __cplusplus
}
#endif
#endif

#endif
