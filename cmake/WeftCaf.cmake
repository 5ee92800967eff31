# Coarray Fortran: what programs compiled by gfortran -fcoarray=lib link with. The core is in libweft; libcaf_weft has
# the entry points of gfortran 8 to 14. Wrappers and pkg-config files make it look like other coarray libraries.
file(GLOB caf_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/caf/gfortran/*.c)
foreach(kind SHARED STATIC)
  string(TOLOWER caf_weft_${kind} target)
  string(REPLACE _shared "" target ${target})
  add_library(${target} ${kind} ${caf_sources})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME caf_weft C_VISIBILITY_PRESET hidden
                        VERSION ${PROJECT_VERSION} SOVERSION 0)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE=)
  target_link_libraries(${target} PRIVATE weft_warnings)
endforeach()
target_link_libraries(caf_weft PUBLIC weft)
# A program names libcaf_weft only, so that one says where libweft is.
set_target_properties(caf_weft PROPERTIES INSTALL_RPATH "$ORIGIN")
target_link_libraries(caf_weft_static PUBLIC weft_static ${CMAKE_DL_LIBS} Threads::Threads)
install(TARGETS caf_weft caf_weft_static LIBRARY ARCHIVE)

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
foreach(package "caf ${CMAKE_INSTALL_LIBDIR}/pkgconfig ../.." "caf-openmpi ${caf_side}/pkgconfig ../../..")
  string(REPLACE " " ";" package ${package})
  list(GET package 0 caf_pc)
  list(GET package 1 place)
  list(GET package 2 caf_to_prefix)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/caf.pc.in ${CMAKE_BINARY_DIR}/caf/${caf_pc}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/caf/${caf_pc}.pc DESTINATION ${place})
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/cmake/OpenCoarraysConfig.cmake.in ${CMAKE_BINARY_DIR}/caf/OpenCoarraysConfig.cmake @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/caf/OpenCoarraysConfig.cmake DESTINATION ${caf_side}/cmake)
