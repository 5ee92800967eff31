# Tests are declared by one line each, in the CMakeLists.txt of their folder:
#
#   weft_unit_test(base.log log.c)                      one process, linked with libweft.a, may use src/
#   weft_spmd_test(shmem.put put.c NP 1 2 4 TRANSPORTS shm tcp netns)
#                                                       shmem.put.np1.shm ... shmem.put.np4.netns
#   weft_spmd_runs(examples.isx isx NP 2 TRANSPORTS shm)  the same for a target that is there already
#   weft_script_test(fault.kill kill.sh)                sh, with $WEFTRUN, $OSHCC, $WEFT_BUILD, $WEFT_SOURCE
#
# Transports of an spmd test (a job of one PE has only those on one node):
#   shm      weftrun -n N: one node, no network
#   tcp      --nodes 2: this machine plays two nodes, everything between them goes over libfabric's tcp (net in 1.17)
#   netns    --netns weft-a,weft-b: two network namespaces, private to the test; skipped where not permitted
#   nodesK   as tcp, with K nodes
#   rxm      as tcp, over tcp;ofi_rxm
#   sockets  as tcp, over libfabric's sockets provider
#   plain    as tcp, with WEFT_COALESCE=0
#   check    as shm, with WEFT_CHECK=1
# Also: ENV NAME=VALUE..., LABELS..., ARGS..., LIBS..., TIMEOUT seconds, SERIAL (nothing else runs beside it),
# INTERNAL (an spmd test that uses the layers under the front ends: libweft.a and src/).
# The label `waits` is for a test that sleeps most of its time: one of those runs beside the others. For that, tests
# count as two processors each and those as one: `ctest -j 5` runs two and one that waits, on two processors.
# Every test has the label of its folder (the name up to the dot); jobs of 2 PEs have `smaller` where one of 4 runs
# the same. The target tests.LABEL builds the programs of the tests with that label: of a script the one that has its
# name, of a bare add_test none. (Labels of folders have no target.) A test has 77 as its exit status when skipped.
if(POLICY CMP0174) # an empty TIMEOUT is none
  cmake_policy(SET CMP0174 NEW)
endif()
set(WEFT_TEST_SECONDS 60)
# Limits of instructions are those of gcc 12's code: what another compiler needs more is shown, and the test is skipped.
set(weft_test_over 77)
if(CMAKE_C_COMPILER_ID STREQUAL GNU AND CMAKE_C_COMPILER_VERSION MATCHES "^12\\.")
  set(weft_test_over 1)
endif()
# libfabric's own provider for TCP.
set(WEFT_STREAM_PROVIDER tcp)
if(PC_FABRIC_VERSION AND PC_FABRIC_VERSION VERSION_LESS 1.18)
  set(WEFT_STREAM_PROVIDER net)
endif()
set(weft_test_prefix "")
set(weft_test_tsan
    TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:history_size=7:suppressions=${PROJECT_SOURCE_DIR}/test/tsan.supp)
set(weft_test_env ASAN_OPTIONS=detect_leaks=0:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1 ${weft_test_tsan})
if(WEFT_SANITIZE)
  set(WEFT_TEST_SECONDS 180)
  # Their fixed shadow maps and a fully randomised layout collide now and then.
  set(weft_test_prefix setarch -R)
  # Each of hundreds of programs has a sanitizer's runtime: mold links it in less than half of ld's time.
  include(CheckLinkerFlag)
  unset(WEFT_HAVE_MOLD CACHE) # it may have come or gone
  check_linker_flag(C -fuse-ld=mold WEFT_HAVE_MOLD)
endif()

# Tests of every typed function make long mains: what gcc would do to follow their variables takes a minute, and what
# compilers do to make them fast takes longer than they run.
set(weft_test_optimise -O1)
if(WEFT_SANITIZE OR CMAKE_C_COMPILER_ID STREQUAL "Clang")
  set(weft_test_optimise -O0)
endif()

# What runs a test's program: on a foreign processor an emulator, and a weftrun of this machine, which starts it.
set(weft_run_by "")
set(weft_launcher "$<TARGET_FILE:weftrun>")
if(CMAKE_CROSSCOMPILING)
  set(weft_run_by ${CMAKE_CROSSCOMPILING_EMULATOR})
  set(weft_launcher ${WEFT_HOST_WEFTRUN})
  # qemu-user notes every page of a mapping, so a PE with the usual sizes takes a second to start.
  list(APPEND weft_test_env SHMEM_SYMMETRIC_SIZE=64M WEFT_PRIVATE_SIZE=64M)
endif()

# The target tests.LABEL builds this program, for each of these labels.
function(weft_label_builds program)
  foreach(label ${ARGN})
    if(NOT TARGET tests.${label})
      add_custom_target(tests.${label})
      if(TARGET weftrun AND NOT CMAKE_CROSSCOMPILING)
        add_dependencies(tests.${label} weftrun)
      endif()
    endif()
    add_dependencies(tests.${label} ${program})
  endforeach()
endfunction()

# One more label for these jobs of programs: NAME.npN...
function(weft_label_jobs label)
  foreach(test ${ARGN})
    set_property(TEST ${test} APPEND PROPERTY LABELS ${label})
    string(REGEX REPLACE "\\.np[0-9].*" "" program ${test})
    weft_label_builds(${program} ${label})
  endforeach()
endfunction()

function(weft_test_properties name)
  cmake_parse_arguments(PARSE_ARGV 1 T "SERIAL" "TIMEOUT;PROGRAM" "ENV;LABELS")
  if(NOT T_PROGRAM AND TARGET ${name})
    set(T_PROGRAM ${name})
  endif()
  if(T_PROGRAM)
    weft_label_builds(${T_PROGRAM} ${T_LABELS})
  endif()
  string(REGEX REPLACE "\\..*" "" folder ${name})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT ${WEFT_TEST_SECONDS})
  endif()
  # The watchdog of check.h goes off first and says which PE hangs and where.
  math(EXPR limit "${T_TIMEOUT} + 15")
  set_tests_properties(${name} PROPERTIES TIMEOUT ${limit} SKIP_RETURN_CODE 77 LABELS "${folder};${T_LABELS}"
    ENVIRONMENT "WEFT_TEST_SECONDS=${T_TIMEOUT};${weft_test_env};${T_ENV}"
    ENVIRONMENT_MODIFICATION SLURM_JOB_NUM_NODES=unset:) # of which weftrun would say that it uses one
  if(T_SERIAL)
    set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
  endif()
  if("waits" IN_LIST T_LABELS)
    set_tests_properties(${name} PROPERTIES PROCESSORS 1 RESOURCE_LOCK waits COST 100)
  else()
    set_tests_properties(${name} PROPERTIES PROCESSORS 2)
  endif()
endfunction()

function(weft_test_program target source)
  add_executable(${target} ${source})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test-bin)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/test)
  target_compile_definitions(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:_GNU_SOURCE=>)
  target_compile_options(${target} PRIVATE -g1 ${weft_test_optimise})
  target_link_libraries(${target} PRIVATE weft_warnings ${ARGN})
  if(WEFT_SANITIZE AND WEFT_HAVE_MOLD)
    target_link_options(${target} PRIVATE -fuse-ld=mold)
  endif()
endfunction()

function(weft_unit_test name source)
  cmake_parse_arguments(PARSE_ARGV 2 T "SERIAL" "TIMEOUT" "ENV;LABELS;ARGS;LIBS")
  weft_test_program(${name} ${source} weft_static weft_headers Threads::Threads ${T_LIBS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  add_test(NAME ${name} COMMAND ${weft_test_prefix} ${weft_run_by} $<TARGET_FILE:${name}> ${T_ARGS})
  if(T_SERIAL)
    set(T_SERIAL SERIAL)
  else()
    set(T_SERIAL "")
  endif()
  weft_test_properties(${name} ${T_SERIAL} TIMEOUT ${T_TIMEOUT} ENV ${T_ENV} LABELS unit ${T_LABELS})
endfunction()

function(weft_spmd_test name source)
  cmake_parse_arguments(PARSE_ARGV 2 T "SERIAL;INTERNAL" "TIMEOUT" "NP;TRANSPORTS;ENV;LABELS;ARGS;LIBS")
  if(T_INTERNAL)
    weft_test_program(${name} ${source} weft_static weft_headers Threads::Threads ${T_LIBS})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  else()
    weft_test_program(${name} ${source} weft Threads::Threads ${T_LIBS})
  endif()
  weft_spmd_runs(${name} ${name} ${ARGN})
endfunction()

# The same for a program that is there already: its target.
function(weft_spmd_runs name target)
  cmake_parse_arguments(PARSE_ARGV 2 T "SERIAL;INTERNAL" "TIMEOUT" "NP;TRANSPORTS;ENV;LABELS;ARGS;LIBS")
  if(NOT TARGET weftrun)
    return()
  endif()
  if(T_SERIAL)
    set(T_SERIAL SERIAL)
  else()
    set(T_SERIAL "")
  endif()
  foreach(np ${T_NP})
    set(smaller "")
    if(np EQUAL 2 AND "4" IN_LIST T_NP)
      set(smaller smaller) # the same with 4 PEs is there, too
    endif()
    foreach(transport ${T_TRANSPORTS})
      set(before ${weft_test_prefix})
      set(options "")
      set(env "")
      if(transport STREQUAL check)
        set(env WEFT_CHECK=1)
      elseif(NOT transport STREQUAL shm)
        if(np EQUAL 1)
          continue()
        endif()
        set(options --nodes 2)
        if(transport STREQUAL rxm)
          set(env WEFT_PROVIDER=rxm)
        elseif(transport STREQUAL sockets)
          set(env WEFT_PROVIDER=sockets)
        elseif(transport STREQUAL plain)
          set(env WEFT_COALESCE=0)
        elseif(transport STREQUAL netns)
          set(before ${PROJECT_SOURCE_DIR}/test/netns.sh run ${weft_test_prefix})
          set(options --netns weft-a,weft-b)
        elseif(transport MATCHES "^nodes([0-9]+)$")
          set(options --nodes ${CMAKE_MATCH_1})
        elseif(NOT transport STREQUAL tcp)
          message(FATAL_ERROR "${name}: no transport called ${transport}")
        endif()
      endif()
      set(test ${name}.np${np}.${transport})
      add_test(NAME ${test}
        COMMAND ${before} ${weft_launcher} -n ${np} ${options} ${weft_run_by} $<TARGET_FILE:${target}> ${T_ARGS})
      weft_test_properties(${test} ${T_SERIAL} TIMEOUT ${T_TIMEOUT} PROGRAM ${target} ENV ${env} ${T_ENV}
                           LABELS spmd ${transport} ${smaller} ${T_LABELS})
    endforeach()
  endforeach()
endfunction()

# PEs that wait in a script wait for long, for the end of another PE or for a line: they nap, and other tests run.
function(weft_script_test name script)
  cmake_parse_arguments(PARSE_ARGV 2 T "SERIAL" "TIMEOUT" "ENV;LABELS;ARGS")
  add_test(NAME ${name} COMMAND ${weft_test_prefix} sh ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${T_ARGS})
  if(T_SERIAL)
    set(T_SERIAL SERIAL)
  else()
    set(T_SERIAL "")
  endif()
  weft_test_properties(${name} ${T_SERIAL} TIMEOUT ${T_TIMEOUT} LABELS script ${T_LABELS}
    ENV WEFT_WAIT=nap OVER_STATUS=${weft_test_over} ${T_ENV}
    WEFTRUN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/weftrun OSHCC=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/oshcc
    WEFT_BUILD=${CMAKE_BINARY_DIR} WEFT_SOURCE=${PROJECT_SOURCE_DIR})
endfunction()
