/* The macros of GASNet tools 1.20: all must be defined. For tools_names.c. */
#ifndef TOOLS_MACROS_H
#define TOOLS_MACROS_H

/* clang-format off */
#if !defined(GASNETT_ATOMIC_ACQ) || !defined(GASNETT_ATOMIC_ACQ_IF_FALSE) || \
    !defined(GASNETT_ATOMIC_ACQ_IF_TRUE) || !defined(GASNETT_ATOMIC_MAX) || \
    !defined(GASNETT_ATOMIC_MB_POST) || !defined(GASNETT_ATOMIC_MB_PRE) || \
    !defined(GASNETT_ATOMIC_NONE) || !defined(GASNETT_ATOMIC_REL) || \
    !defined(GASNETT_ATOMIC_RMB_POST) || !defined(GASNETT_ATOMIC_RMB_POST_IF_FALSE) || \
    !defined(GASNETT_ATOMIC_RMB_POST_IF_TRUE) || !defined(GASNETT_ATOMIC_RMB_PRE) || \
    !defined(GASNETT_ATOMIC_SIGNED_MAX) || !defined(GASNETT_ATOMIC_SIGNED_MIN) || \
    !defined(GASNETT_ATOMIC_WMB_POST) || !defined(GASNETT_ATOMIC_WMB_PRE) || \
    !defined(GASNETT_CACHE_LINE_BYTES) || !defined(GASNETT_COLD) || \
    !defined(GASNETT_COND_INITIALIZER) || !defined(GASNETT_CONST) || \
    !defined(GASNETT_CONSTP) || !defined(GASNETT_CURRENT_FUNCTION) || \
    !defined(GASNETT_DEPRECATED) || !defined(GASNETT_FALLTHROUGH) || \
    !defined(GASNETT_FORMAT_PRINTF) || !defined(GASNETT_FORMAT_PRINTF_FUNCPTR) || \
    !defined(GASNETT_HAVE_ATOMIC_ADD_SUB) || !defined(GASNETT_HAVE_ATOMIC_CAS) || \
    !defined(GASNETT_HAVE_STRONGATOMIC_ADD_SUB) || !defined(GASNETT_HAVE_STRONGATOMIC_CAS) || \
    !defined(GASNETT_HOT) || !defined(GASNETT_IDENT) || !defined(GASNETT_INLINE) || \
    !defined(GASNETT_MALLOC) || !defined(GASNETT_MALLOCP) || \
    !defined(GASNETT_MUTEX_INITIALIZER) || !defined(GASNETT_NEVER_INLINE) || \
    !defined(GASNETT_NORETURN) || !defined(GASNETT_NORETURNP) || !defined(GASNETT_PAGESHIFT) || \
    !defined(GASNETT_PAGESIZE) || !defined(GASNETT_PREDICT_FALSE) || \
    !defined(GASNETT_PREDICT_TRUE) || !defined(GASNETT_PURE) || !defined(GASNETT_PUREP) || \
    !defined(GASNETT_RELEASE_VERSION_MAJOR) || !defined(GASNETT_RELEASE_VERSION_MINOR) || \
    !defined(GASNETT_RELEASE_VERSION_PATCH) || !defined(GASNETT_RESTRICT) || \
    !defined(GASNETT_RWLOCK_INITIALIZER) || !defined(GASNETT_SET_AFFINITY_SUPPORT) || \
    !defined(GASNETT_SPEC_VERSION_MAJOR) || !defined(GASNETT_SPEC_VERSION_MINOR) || \
    !defined(GASNETT_STATS_DUMP) || !defined(GASNETT_STATS_GETMASK) || \
    !defined(GASNETT_STATS_PRINTF) || !defined(GASNETT_STATS_PRINTF_FORCE) || \
    !defined(GASNETT_STATS_SETMASK) || !defined(GASNETT_SYSTEM_TUPLE) || \
    !defined(GASNETT_THREADKEY_DECLARE) || !defined(GASNETT_THREADKEY_DEFINE) || \
    !defined(GASNETT_TICK_MAX) || !defined(GASNETT_TICK_MIN) || \
    !defined(GASNETT_TRACE_ENABLED) || !defined(GASNETT_TRACE_GETMASK) || \
    !defined(GASNETT_TRACE_PRINTF) || !defined(GASNETT_TRACE_PRINTF_FORCE) || \
    !defined(GASNETT_TRACE_SETMASK) || !defined(GASNETT_UNUSED_ARGS1) || \
    !defined(GASNETT_UNUSED_ARGS2) || !defined(GASNETT_UNUSED_ARGS3) || \
    !defined(GASNETT_UNUSED_ARGS4) || !defined(GASNETT_UNUSED_ARGS5) || \
    !defined(GASNETT_UNUSED_ARGS6) || !defined(GASNETT_UNUSED_ARGS7) || \
    !defined(GASNETT_UNUSED_ARGS8) || !defined(GASNETT_USED) || !defined(GASNETT_USE_ASSUME) || \
    !defined(GASNETT_USE_BUILTIN_ASSUME) || !defined(GASNETT_USE_BUILTIN_CONSTANT_P) || \
    !defined(GASNETT_USE_BUILTIN_EXPECT) || !defined(GASNETT_USE_BUILTIN_PREFETCH) || \
    !defined(GASNETT_USE_BUILTIN_UNREACHABLE) || !defined(GASNETT_USE_CTYPE_WRAPPERS) || \
    !defined(GASNETT_USE_CXX11_ATTRIBUTE_CLANG__FALLTHROUGH) || \
    !defined(GASNETT_USE_CXX11_ATTRIBUTE_FALLTHROUGH) || \
    !defined(GASNETT_USE_GCC_ATTRIBUTE_ALWAYSINLINE) || \
    !defined(GASNETT_USE_GCC_ATTRIBUTE_CONST) || \
    !defined(GASNETT_USE_GCC_ATTRIBUTE_DEPRECATED) || \
    !defined(GASNETT_USE_GCC_ATTRIBUTE_FORMAT) || \
    !defined(GASNETT_USE_GCC_ATTRIBUTE_FORMAT_FUNCPTR) || \
    !defined(GASNETT_USE_GCC_ATTRIBUTE_FORMAT_FUNCPTR_ARG) || \
    !defined(GASNETT_USE_GCC_ATTRIBUTE_MALLOC) || \
    !defined(GASNETT_USE_GCC_ATTRIBUTE_MAYALIAS) || \
    !defined(GASNETT_USE_GCC_ATTRIBUTE_NOINLINE) || \
    !defined(GASNETT_USE_GCC_ATTRIBUTE_NORETURN) || !defined(GASNETT_USE_GCC_ATTRIBUTE_PURE) || \
    !defined(GASNETT_USE_GCC_ATTRIBUTE_USED) || \
    !defined(GASNETT_USE_GCC_ATTRIBUTE_WARNUNUSEDRESULT) || \
    !defined(GASNETT_USE_PRAGMA_GCC_DIAGNOSTIC) || !defined(GASNETT_USE_RESTRICT) || \
    !defined(GASNETT_USE_RESTRICT_ON_TYPEDEFS) || !defined(GASNETT_WARN_UNUSED_RESULT)
#error "a macro of the tools is not defined"
#endif
/* clang-format on */

#endif
