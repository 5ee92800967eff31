# How everything is compiled: language level, warnings, sanitizers, where products go.
option(WEFT_WERROR "Treat warnings as errors (dev and CI)" OFF)
option(WEFT_TESTS "Build the tests" ON)
option(WEFT_EXTRAS "Build examples and benchmarks" ON)
option(WEFT_FUZZ "Build test/fuzz with clang's libFuzzer (preset fuzz)" OFF)
option(WEFT_LTO "Link-time optimisation" OFF)
set(WEFT_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize= (address,undefined or thread)")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g")
if(CMAKE_CROSSCOMPILING)
  set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2") # no debugger here reads it
endif()
set(CMAKE_C_FLAGS_RELEASE "-O2 -g")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g")

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_CXX_STANDARD 11)
set(CMAKE_CXX_EXTENSIONS ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# Libraries are in lib for every prefix, unless a user says otherwise, and always below it: the wrappers and weft.pc
# find them relative to themselves.
if(NOT DEFINED CMAKE_INSTALL_LIBDIR)
  set(CMAKE_INSTALL_LIBDIR lib CACHE PATH "where libraries are installed, below the prefix")
endif()
include(GNUInstallDirs)
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_LIBDIR BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" NORMALIZE)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_LIBDIR BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" CMAKE_INSTALL_LIBDIR "${CMAKE_INSTALL_LIBDIR}")
if(CMAKE_INSTALL_LIBDIR MATCHES "^\\.")
  message(FATAL_ERROR "CMAKE_INSTALL_LIBDIR is not a folder below CMAKE_INSTALL_PREFIX: an installed tree may be moved")
endif()
string(REGEX REPLACE "[^/]+" ".." WEFT_LIB_TO_PREFIX ${CMAKE_INSTALL_LIBDIR})
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

# Warnings, for C and C++ alike; attached to our own targets, never to a user's.
add_library(weft_warnings INTERFACE)
target_compile_options(weft_warnings INTERFACE -Wall -Wextra -Wpointer-arith
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<BOOL:${WEFT_WERROR}>:-Werror>)

set(WEFT_SANITIZE_FLAGS "")
if(WEFT_SANITIZE)
  set(WEFT_SANITIZE_FLAGS "-fsanitize=${WEFT_SANITIZE} -fno-omit-frame-pointer")
  if(WEFT_SANITIZE MATCHES undefined)
    string(APPEND WEFT_SANITIZE_FLAGS " -fno-sanitize-recover=undefined")
  endif()
  if(WEFT_SANITIZE MATCHES thread AND CMAKE_C_COMPILER_ID STREQUAL GNU)
    string(APPEND WEFT_SANITIZE_FLAGS " -Wno-tsan") # it does not see fences: the races it could miss, not invent
  endif()
  separate_arguments(flags UNIX_COMMAND "${WEFT_SANITIZE_FLAGS}")
  # -O1 -g1: compiled in half the time, and no fewer accesses to look at.
  add_compile_options(${flags} -O1 -g1)
  add_link_options(${flags})
endif()

# To clear or copy a struct of more than 128 bytes gcc writes "rep stos" and "rep movs", which take some 30 ns to begin (measured on an AMD EPYC).
include(CheckCCompilerFlag)
set(WEFT_STRUCT_FLAGS -mmemset-strategy=vector_loop:2048:noalign,libcall:-1:noalign
                      -mmemcpy-strategy=vector_loop:2048:noalign,libcall:-1:noalign)
check_c_compiler_flag("${WEFT_STRUCT_FLAGS}" WEFT_HAVE_STRUCT_FLAGS)
if(WEFT_HAVE_STRUCT_FLAGS)
  add_compile_options("$<$<COMPILE_LANG_AND_ID:C,GNU>:${WEFT_STRUCT_FLAGS}>")
  add_link_options("$<$<LINK_LANG_AND_ID:C,GNU>:${WEFT_STRUCT_FLAGS}>") # LTO compiles there
endif()

if(WEFT_LTO)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
  if(CMAKE_C_COMPILER_ID STREQUAL GNU)
    add_compile_options(-ffat-lto-objects) # so that libweft.a also serves who links without LTO
    add_link_options(-flto=auto)
  endif()
endif()
