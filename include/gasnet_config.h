/*
 * gasnet_config.h: what Weft's GASNet is, as preprocessor constants: release and specification
 * versions, sizes, what the system offers. Build scripts of clients read the lines of
 * GASNET_RELEASE_VERSION_* with awk, so each is "#define NAME NUMBER" on one line. No declarations.
 */
#ifndef _INCLUDE_GASNET_CONFIG_H_
#define _INCLUDE_GASNET_CONFIG_H_

/* The release whose interface this is. Clients compare it with what they need. */
#define GASNET_RELEASE_VERSION_MAJOR 2025
#define GASNET_RELEASE_VERSION_MINOR 8
#define GASNET_RELEASE_VERSION_PATCH 0

/* The editions of the specifications: GASNet-EX 0.19, GASNet-1 1.8, tools 1.20. */
#define GEX_SPEC_VERSION_MAJOR 0
#define GEX_SPEC_VERSION_MINOR 19
#define GASNET_SPEC_VERSION_MAJOR 1
#define GASNET_SPEC_VERSION_MINOR 8
#define GASNETT_SPEC_VERSION_MAJOR 1
#define GASNETT_SPEC_VERSION_MINOR 20

/* Whose implementation. */
#define GASNET_WEFT 1

/* One library for both: WEFT_CHECK=1 checks at run time. No tracing macros (weftrun --stats and
 * --trace record at run time). */
#ifndef GASNET_DEBUG
#define GASNET_NDEBUG 1
#endif

/* Processes of a node share memory. */
#define GASNET_PSHM 1

/* Endpoints of a client, the primordial one and those of gex_EP_Create. */
#define GASNET_MAXEPS 33

/* The largest of the pages that this processor's kernels use. */
#if defined(__aarch64__)
#define GASNETT_PAGESHIFT 16
#define GASNETT_PAGESIZE 65536
#else
#define GASNETT_PAGESHIFT 12
#define GASNETT_PAGESIZE 4096
#endif
#define GASNET_PAGESIZE GASNETT_PAGESIZE

/* ---- sizes, from the compiler --------------------------------------------------------------- */

#define SIZEOF_CHAR 1
#define SIZEOF_SHORT __SIZEOF_SHORT__
#define SIZEOF_INT __SIZEOF_INT__
#define SIZEOF_LONG __SIZEOF_LONG__
#define SIZEOF_LONG_LONG __SIZEOF_LONG_LONG__
#define SIZEOF_FLOAT __SIZEOF_FLOAT__
#define SIZEOF_DOUBLE __SIZEOF_DOUBLE__
#undef SIZEOF_VOID_P /* mpi.h of Open MPI 5 leaves one behind */
#define SIZEOF_VOID_P __SIZEOF_POINTER__
#define SIZEOF_SIZE_T __SIZEOF_SIZE_T__
#define SIZEOF_PTRDIFF_T __SIZEOF_PTRDIFF_T__

/* ---- what the system has: Linux with glibc or musl ------------------------------------------ */

#define STDC_HEADERS 1
#define HAVE_INTTYPES_H 1
#define HAVE_STDINT_H 1
#define HAVE_STDLIB_H 1
#define HAVE_STRING_H 1
#define HAVE_STRINGS_H 1
#define HAVE_MEMORY_H 1
#define HAVE_UNISTD_H 1
#define HAVE_FCNTL_H 1
#define HAVE_ERRNO_H 1
#define HAVE_SIGNAL_H 1
#define HAVE_STDDEF_H 1
#define HAVE_DLFCN_H 1
#define HAVE_FEATURES_H 1
#define HAVE_MALLOC_H 1
#define HAVE_NETDB_H 1
#define HAVE_TIME_H 1
#define HAVE_TERMIOS_H 1
#define HAVE_PTHREAD_H 1
#define HAVE_SCHED_H 1
#define HAVE_EXECINFO_H 1
#define HAVE_SYS_IOCTL_H 1
#define HAVE_SYS_MMAN_H 1
#define HAVE_SYS_PARAM_H 1
#define HAVE_SYS_RESOURCE_H 1
#define HAVE_SYS_SELECT_H 1
#define HAVE_SYS_SOCKET_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_SYS_WAIT_H 1
#define HAVE_SYS_SYSINFO_H 1
#define TIME_WITH_SYS_TIME 1

#define HAVE_BACKTRACE 1
#define HAVE_CLOCK_GETTIME 1
#define HAVE_FORK 1
#define HAVE_FSYNC 1
#define HAVE_GETRLIMIT 1
#define HAVE_GETRUSAGE 1
#define HAVE_MMAP 1
#define HAVE_MMAP_ANONYMOUS 1
#define HAVE_MUNMAP 1
#define HAVE_NANOSLEEP 1
#define HAVE_CLOCK_NANOSLEEP 1
#define HAVE_POPEN 1
#define HAVE_PTHREAD_RWLOCK 1
#define HAVE_PTHREAD_KILL 1
#define HAVE_PTHREAD_SIGMASK 1
#define HAVE_PUTENV 1
#define HAVE_SETENV 1
#define HAVE_UNSETENV 1
#define HAVE_SCHED_YIELD 1
#define HAVE_SETRLIMIT 1
#define HAVE_STRERROR 1
#define HAVE_SYMLINK 1
#define HAVE_USLEEP 1

#endif
