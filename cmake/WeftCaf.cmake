# Coarray Fortran: what programs compiled by gfortran -fcoarray=lib link with. The core is in libweft; libcaf_weft has
# the entry points of gfortran 8 to 14, libcaf_weft15 and libcaf_weft16 those of 15 and 16. Wrappers and pkg-config files
# make it look like other coarray libraries.
set(caf_from ${PROJECT_SOURCE_DIR}/src/caf/gfortran)
file(GLOB caf_all CONFIGURE_DEPENDS RELATIVE ${caf_from} ${caf_from}/*.c)
# What the versions of gfortran call alike; then what each calls in its own way.
set(caf_common ${caf_all})
list(REMOVE_ITEM caf_common access.c accessors.c by_ref.c teams.c teams16.c)
set(caf_weft_own access.c by_ref.c teams.c)
set(caf_weft15_own accessors.c teams.c)
set(caf_weft16_own accessors.c teams16.c)
set(WEFT_GFORTRAN_caf_weft 8)
set(WEFT_GFORTRAN_caf_weft15 15)
set(WEFT_GFORTRAN_caf_weft16 16)

function(weft_caf_library target kind name)
  set(sources ${caf_common} ${${name}_own})
  list(TRANSFORM sources PREPEND ${caf_from}/)
  add_library(${target} ${kind} ${sources})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} C_VISIBILITY_PRESET hidden
                        VERSION ${PROJECT_VERSION} SOVERSION 0)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE= WEFT_GFORTRAN=${WEFT_GFORTRAN_${name}})
  target_link_libraries(${target} PRIVATE weft_warnings)
endfunction()

foreach(name caf_weft caf_weft15 caf_weft16)
  weft_caf_library(${name} SHARED ${name})
  target_link_libraries(${name} PUBLIC weft)
  # A program names libcaf_weft only, so that one says where libweft is.
  set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN")
  install(TARGETS ${name} LIBRARY)
endforeach()
weft_caf_library(caf_weft_static STATIC caf_weft)
target_link_libraries(caf_weft_static PUBLIC weft_static ${CMAKE_DL_LIBS} Threads::Threads)
install(TARGETS caf_weft_static ARCHIVE)

# gfortran for the tests, and as the default of the wrapper.
include(CheckLanguage)
set(WEFT_FORTRAN "")
if(NOT CMAKE_CROSSCOMPILING)
  check_language(Fortran)
  if(CMAKE_Fortran_COMPILER)
    enable_language(Fortran)
    if(CMAKE_Fortran_COMPILER_ID STREQUAL GNU AND CMAKE_Fortran_COMPILER_VERSION VERSION_LESS 15)
      set(WEFT_FORTRAN ${CMAKE_Fortran_COMPILER})
    endif()
  endif()
endif()

set(caf_compiler gfortran)
set(caf_flags "${WEFT_SANITIZE_FLAGS}")
foreach(place build install)
  set(to ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  set(caf_include "${PROJECT_SOURCE_DIR}/include")
  set(caf_lib "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")
  if(place STREQUAL install)
    set(to ${CMAKE_BINARY_DIR}/caf)
    set(caf_include "$prefix/${CMAKE_INSTALL_INCLUDEDIR}")
    set(caf_lib "$prefix/${CMAKE_INSTALL_LIBDIR}")
  endif()
  foreach(name caf cafrun)
    configure_file(${PROJECT_SOURCE_DIR}/tools/${name}.in ${to}/${name} @ONLY
                   FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                    WORLD_READ WORLD_EXECUTE)
  endforeach()
endforeach()
install(PROGRAMS ${CMAKE_BINARY_DIR}/caf/caf ${CMAKE_BINARY_DIR}/caf/cafrun TYPE BIN)

# caf.pc where others look for it. The names of other coarray libraries are in a folder of their own, lib/weft, which a
# user adds to PKG_CONFIG_PATH or CMAKE_PREFIX_PATH.
set(caf_side ${CMAKE_INSTALL_LIBDIR}/weft)
foreach(package "caf ${CMAKE_INSTALL_LIBDIR}/pkgconfig ../${WEFT_LIB_TO_PREFIX}"
        "caf-openmpi ${caf_side}/pkgconfig ../../${WEFT_LIB_TO_PREFIX}")
  string(REPLACE " " ";" package ${package})
  list(GET package 0 caf_pc)
  list(GET package 1 place)
  list(GET package 2 caf_to_prefix)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/caf.pc.in ${CMAKE_BINARY_DIR}/caf/${caf_pc}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/caf/${caf_pc}.pc DESTINATION ${place})
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/cmake/OpenCoarraysConfig.cmake.in ${CMAKE_BINARY_DIR}/caf/OpenCoarraysConfig.cmake @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/caf/OpenCoarraysConfig.cmake DESTINATION ${caf_side}/cmake)
