/*
 * gasnet_tools.h: GASNet tools 1.20, portable utilities for who uses GASNet and for who does not:
 * link libweft or, without a job, libgasnet_tools. gasnetex.h
 * includes this file. Define GASNETT_THREAD_SAFE or GASNETT_THREAD_SINGLE before, or
 * GASNETT_LITE_MODE for timers and memory barriers alone. The chapters are in weft/gasnett_*.h.
 */
#ifndef _GASNET_TOOLS_H
#define _GASNET_TOOLS_H
#define _INCLUDED_GASNET_TOOLS_H

#include <weft/gasnett_mode.h>

#ifndef __STDC_FORMAT_MACROS
#define __STDC_FORMAT_MACROS 1
#endif
#ifndef __STDC_LIMIT_MACROS
#define __STDC_LIMIT_MACROS 1
#endif
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef PRIuSZ
#define PRIuSZ "zu"
#define PRIdSZ "zd"
#define PRIxSZ "zx"
#endif

#include <gasnet_config.h>
#include <gasnet_portable_platform.h>

#define GASNETT_RELEASE_VERSION_MAJOR GASNET_RELEASE_VERSION_MAJOR
#define GASNETT_RELEASE_VERSION_MINOR GASNET_RELEASE_VERSION_MINOR
#define GASNETT_RELEASE_VERSION_PATCH GASNET_RELEASE_VERSION_PATCH

#include <weft/gasnett_annotate.h>
#include <weft/gasnett_membar.h>
#include <weft/gasnett_timer.h>
#if !(defined(GASNETT_LITE_MODE) && GASNETT_LITE_MODE)
#include <weft/gasnett_atomic.h>
#include <weft/gasnett_env.h>
#include <weft/gasnett_lock.h>
#include <weft/gasnett_system.h>
#include <weft/gasnett_trace.h>
#endif

/* ---- what was configured, for display ------------------------------------------------------- */

#define GASNETT_CONFIGURE_ARGS "Weft"
#define GASNETT_PLATFORM_COMPILER_IDSTR PLATFORM_COMPILER_IDSTR
#define GASNETT_PLATFORM_COMPILER_FAMILYID PLATFORM_COMPILER_FAMILYID
#define GASNETT_PLATFORM_COMPILER_ID PLATFORM_COMPILER_ID
#define GASNETT_PLATFORM_COMPILER_VERSION PLATFORM_COMPILER_VERSION
#define GASNETT_DEBUG_CONFIG nodebug
#ifdef PLATFORM_ARCH_64
#define GASNETT_PTR_CONFIG 64bit
#else
#define GASNETT_PTR_CONFIG 32bit
#endif
/* clang-format off */
#define WEFT_GASNETT_RELEASE                                                                       \
  _STRINGIFY(GASNETT_RELEASE_VERSION_MAJOR) "." _STRINGIFY(GASNETT_RELEASE_VERSION_MINOR) "."      \
  _STRINGIFY(GASNETT_RELEASE_VERSION_PATCH)
#define WEFT_GASNETT_SPEC                                                                          \
  _STRINGIFY(GASNETT_SPEC_VERSION_MAJOR) "." _STRINGIFY(GASNETT_SPEC_VERSION_MINOR)
#define WEFT_GASNETT_CONFIG_LITE                                                                   \
  "RELEASE=" WEFT_GASNETT_RELEASE ",SPEC=" WEFT_GASNETT_SPEC                                       \
  ",PTR=" _STRINGIFY(GASNETT_PTR_CONFIG) "," _STRINGIFY(GASNETT_DEBUG_CONFIG)                      \
  "," _STRINGIFY(GASNETT_THREAD_MODEL) "," _STRINGIFY(GASNETT_TIMER_CONFIG)                        \
  "," _STRINGIFY(GASNETT_MEMBAR_CONFIG)
/* clang-format on */
#if defined(GASNETT_LITE_MODE) && GASNETT_LITE_MODE
#define GASNETT_CONFIG_STRING WEFT_GASNETT_CONFIG_LITE
#else
#define GASNETT_CONFIG_STRING                                                                      \
  WEFT_GASNETT_CONFIG_LITE "," _STRINGIFY(GASNETT_ATOMIC_CONFIG) "," _STRINGIFY(                   \
      GASNETT_ATOMIC32_CONFIG) "," _STRINGIFY(GASNETT_ATOMIC64_CONFIG)
#endif

#endif
