/*
 * gasnet_portable_platform.h: PLATFORM_*, one vocabulary for compiler, operating system and
 * processor, so that a client writes #if PLATFORM_COMPILER_GNU && PLATFORM_ARCH_X86_64. A macro
 * that does not apply is undefined and so counts as 0. Only the preprocessor is needed: the file
 * may be included from anywhere, and knows what Weft is compiled with (gcc and clang families,
 * Linux).
 */
#ifndef _PORTABLE_PLATFORM_H
/* mpi.h of Open MPI 5 has such names, too, and compares versions: its 24 is to be the newer. */
#define PLATFORM_HEADER_VERSION 1
#define _PORTABLE_PLATFORM_H PLATFORM_HEADER_VERSION

/* Open MPI's mpi.h brings names of its own copy, which takes clang for gcc. */
#undef PLATFORM_COMPILER_GNU
#undef PLATFORM_COMPILER_FAMILYNAME
#undef PLATFORM_COMPILER_FAMILYID
#undef PLATFORM_COMPILER_VERSION
#undef PLATFORM_COMPILER_VERSION_STR

#define PLATFORM_STRINGIFY_HELPER(x) #x
#define PLATFORM_STRINGIFY(x) PLATFORM_STRINGIFY_HELPER(x)

/* ---- the compiler: a family, its number, and a version that can be compared ----------------- */

/* Intel's and NVIDIA's compilers also claim to be gcc, clang too: the most special comes first. */
#if defined(__INTEL_LLVM_COMPILER) || defined(__INTEL_COMPILER)
#define PLATFORM_COMPILER_INTEL 1
#define PLATFORM_COMPILER_FAMILYNAME INTEL
#define PLATFORM_COMPILER_FAMILYID 2
#elif defined(__NVCOMPILER)
#define PLATFORM_COMPILER_NVHPC 1
#define PLATFORM_COMPILER_FAMILYNAME NVHPC
#define PLATFORM_COMPILER_FAMILYID 20
#define PLATFORM_COMPILER_VERSION_INT(maj, min, pat) ((maj)*10000 + (min)*100 + (pat))
#define PLATFORM_COMPILER_VERSION                                                                  \
  PLATFORM_COMPILER_VERSION_INT(__NVCOMPILER_MAJOR__, __NVCOMPILER_MINOR__,                        \
                                __NVCOMPILER_PATCHLEVEL__)
#elif defined(__clang__)
#define PLATFORM_COMPILER_CLANG 1
#define PLATFORM_COMPILER_FAMILYNAME CLANG
#define PLATFORM_COMPILER_FAMILYID 19
#define PLATFORM_COMPILER_VERSION_INT(maj, min, pat) (((maj) << 16) | ((min) << 8) | (pat))
#define PLATFORM_COMPILER_VERSION                                                                  \
  PLATFORM_COMPILER_VERSION_INT(__clang_major__, __clang_minor__, __clang_patchlevel__)
#define PLATFORM_COMPILER_VERSION_STR __clang_version__
#elif defined(__GNUC__)
#define PLATFORM_COMPILER_GNU 1
#define PLATFORM_COMPILER_FAMILYNAME GNU
#define PLATFORM_COMPILER_FAMILYID 1
#define PLATFORM_COMPILER_VERSION_INT(maj, min, pat) (((maj) << 16) | ((min) << 8) | (pat))
#define PLATFORM_COMPILER_VERSION                                                                  \
  PLATFORM_COMPILER_VERSION_INT(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__)
#define PLATFORM_COMPILER_VERSION_STR __VERSION__
#else
#define PLATFORM_COMPILER_UNKNOWN 1
#define PLATFORM_COMPILER_FAMILYNAME UNKNOWN
#define PLATFORM_COMPILER_FAMILYID 0
#endif

#ifndef PLATFORM_COMPILER_VERSION
#define PLATFORM_COMPILER_VERSION_INT(maj, min, pat) (((maj) << 16) | ((min) << 8) | (pat))
#ifdef __GNUC__
#define PLATFORM_COMPILER_VERSION                                                                  \
  PLATFORM_COMPILER_VERSION_INT(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__)
#else
#define PLATFORM_COMPILER_VERSION 0
#endif
#endif
#ifndef PLATFORM_COMPILER_VERSION_STR
#ifdef __VERSION__
#define PLATFORM_COMPILER_VERSION_STR __VERSION__
#else
#define PLATFORM_COMPILER_VERSION_STR "unknown"
#endif
#endif

/* The compiler of a C++ file has another number than its C compiler. */
#ifdef __cplusplus
#define PLATFORM_COMPILER_ID (10000 + PLATFORM_COMPILER_FAMILYID)
#define PLATFORM_COMPILER_CXX_LANGLVL __cplusplus
#ifdef PLATFORM_COMPILER_GNU
#define PLATFORM_COMPILER_GNU_CXX 1
#elif defined(PLATFORM_COMPILER_CLANG)
#define PLATFORM_COMPILER_CLANG_CXX 1
#elif defined(PLATFORM_COMPILER_INTEL)
#define PLATFORM_COMPILER_INTEL_CXX 1
#elif defined(PLATFORM_COMPILER_NVHPC)
#define PLATFORM_COMPILER_NVHPC_CXX 1
#endif
#else
#define PLATFORM_COMPILER_ID PLATFORM_COMPILER_FAMILYID
#ifdef __STDC_VERSION__
#define PLATFORM_COMPILER_C_LANGLVL __STDC_VERSION__
#else
#define PLATFORM_COMPILER_C_LANGLVL 199000L
#endif
#ifdef PLATFORM_COMPILER_GNU
#define PLATFORM_COMPILER_GNU_C 1
#elif defined(PLATFORM_COMPILER_CLANG)
#define PLATFORM_COMPILER_CLANG_C 1
#elif defined(PLATFORM_COMPILER_INTEL)
#define PLATFORM_COMPILER_INTEL_C 1
#elif defined(PLATFORM_COMPILER_NVHPC)
#define PLATFORM_COMPILER_NVHPC_C 1
#endif
#endif

#define PLATFORM_COMPILER_VERSION_GT(maj, min, pat)                                                \
  (PLATFORM_COMPILER_VERSION > PLATFORM_COMPILER_VERSION_INT(maj, min, pat))
#define PLATFORM_COMPILER_VERSION_GE(maj, min, pat)                                                \
  (PLATFORM_COMPILER_VERSION >= PLATFORM_COMPILER_VERSION_INT(maj, min, pat))
#define PLATFORM_COMPILER_VERSION_EQ(maj, min, pat)                                                \
  (PLATFORM_COMPILER_VERSION == PLATFORM_COMPILER_VERSION_INT(maj, min, pat))
#define PLATFORM_COMPILER_VERSION_LE(maj, min, pat)                                                \
  (PLATFORM_COMPILER_VERSION <= PLATFORM_COMPILER_VERSION_INT(maj, min, pat))
#define PLATFORM_COMPILER_VERSION_LT(maj, min, pat)                                                \
  (PLATFORM_COMPILER_VERSION < PLATFORM_COMPILER_VERSION_INT(maj, min, pat))

#define PLATFORM_COMPILER_IDSTR                                                                    \
  "|COMPILER_FAMILY:" PLATFORM_STRINGIFY(                                                          \
      PLATFORM_COMPILER_FAMILYNAME) "|COMPILER_VERSION:" PLATFORM_COMPILER_VERSION_STR             \
                                    "|COMPILER_FAMILYID:" PLATFORM_STRINGIFY(                      \
                                        PLATFORM_COMPILER_FAMILYID) "|"

/* ---- operating system ----------------------------------------------------------------------- */

#if defined(__linux__)
#define PLATFORM_OS_LINUX 1
#define PLATFORM_OS_FAMILYNAME LINUX
#elif defined(__FreeBSD__)
#define PLATFORM_OS_FREEBSD 1
#define PLATFORM_OS_FAMILYNAME FREEBSD
#elif defined(__APPLE__)
#define PLATFORM_OS_DARWIN 1
#define PLATFORM_OS_FAMILYNAME DARWIN
#else
#define PLATFORM_OS_UNKNOWN 1
#define PLATFORM_OS_FAMILYNAME UNKNOWN
#endif

/* ---- processor ------------------------------------------------------------------------------ */

#if defined(__x86_64__)
#define PLATFORM_ARCH_X86_64 1
#define PLATFORM_ARCH_FAMILYNAME X86_64
#elif defined(__i386__)
#define PLATFORM_ARCH_X86 1
#define PLATFORM_ARCH_FAMILYNAME X86
#elif defined(__aarch64__)
#define PLATFORM_ARCH_AARCH64 1
#define PLATFORM_ARCH_FAMILYNAME AARCH64
#elif defined(__arm__)
#define PLATFORM_ARCH_ARM 1
#define PLATFORM_ARCH_FAMILYNAME ARM
#elif defined(__powerpc__) || defined(__powerpc64__)
#define PLATFORM_ARCH_POWERPC 1
#define PLATFORM_ARCH_FAMILYNAME POWERPC
#elif defined(__riscv)
#define PLATFORM_ARCH_RISCV 1
#define PLATFORM_ARCH_FAMILYNAME RISCV
#else
#define PLATFORM_ARCH_UNKNOWN 1
#define PLATFORM_ARCH_FAMILYNAME UNKNOWN
#endif

/* The width of a pointer: x32 is 32. */
#if defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ == 4
#define PLATFORM_ARCH_32 1
#else
#define PLATFORM_ARCH_64 1
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define PLATFORM_ARCH_BIG_ENDIAN 1
#else
#define PLATFORM_ARCH_LITTLE_ENDIAN 1
#endif

#endif
