# PRIF: the module `prif` over the core of src/caf. A module file and symbol names are one compiler's own, so there is a
# library for gfortran and, where flang 22 or 23 is at hand, one for it, each beside its module file in lib/weft/prif.
# Other compilers' users compile share/weft/prif/prif.F90 themselves.
set(WEFT_PRIF "") # compilers whose library is built
if(CMAKE_CROSSCOMPILING)
  return()
endif()
set(prif_source ${PROJECT_SOURCE_DIR}/src/caf/prif)
set(prif_place ${CMAKE_INSTALL_LIBDIR}/weft/prif)
file(GLOB prif_glue CONFIGURE_DEPENDS ${prif_source}/*.c)
file(GLOB prif_included CONFIGURE_DEPENDS ${prif_source}/*.inc)
install(FILES ${prif_source}/prif.F90 ${prif_included} DESTINATION ${CMAKE_INSTALL_DATADIR}/weft/prif)

add_library(prif_glue OBJECT ${prif_glue})
target_include_directories(prif_glue PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_compile_definitions(prif_glue PRIVATE _GNU_SOURCE=)
set_target_properties(prif_glue PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_link_libraries(prif_glue PRIVATE weft_warnings)

# The compiler's name in file names, and what pkg-config calls it.
function(weft_prif_library compiler target pc)
  set(dir ${CMAKE_BINARY_DIR}/prif/${compiler})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME prif_weft ARCHIVE_OUTPUT_DIRECTORY ${dir} EXPORT_NAME ${pc})
  target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${dir}>
                             $<INSTALL_INTERFACE:${prif_place}/${compiler}>)
  target_link_libraries(${target} PUBLIC weft)
  add_library(Weft::${pc} ALIAS ${target})
  install(TARGETS ${target} EXPORT WeftTargets ARCHIVE DESTINATION ${prif_place}/${compiler})
  install(FILES ${dir}/prif.mod DESTINATION ${prif_place}/${compiler})
  set(prif_compiler ${compiler})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/prif.pc.in ${CMAKE_BINARY_DIR}/prif/${pc}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/prif/${pc}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  set(WEFT_PRIF ${WEFT_PRIF} ${compiler} PARENT_SCOPE)
endfunction()

if(CMAKE_Fortran_COMPILER_ID STREQUAL GNU)
  add_library(prif_weft STATIC ${prif_source}/prif.F90 $<TARGET_OBJECTS:prif_glue>)
  set_target_properties(prif_weft PROPERTIES Fortran_MODULE_DIRECTORY ${CMAKE_BINARY_DIR}/prif/gfortran
                        POSITION_INDEPENDENT_CODE ON LINKER_LANGUAGE C)
  set_source_files_properties(${prif_source}/prif.F90 PROPERTIES OBJECT_DEPENDS "${prif_included}" COMPILE_OPTIONS -O2)
  weft_prif_library(gfortran prif_weft prif)
endif()

find_program(WEFT_FLANG NAMES flang-23 flang-22 DOC "flang, for its copy of the module prif")
if(WEFT_FLANG)
  set(dir ${CMAKE_BINARY_DIR}/prif/flang)
  file(MAKE_DIRECTORY ${dir})
  add_custom_command(OUTPUT ${dir}/prif.o BYPRODUCTS ${dir}/prif.mod
    COMMAND ${WEFT_FLANG} -c -O2 -fPIC -module-dir ${dir} ${prif_source}/prif.F90 -o ${dir}/prif.o
    DEPENDS ${prif_source}/prif.F90 ${prif_included} VERBATIM)
  add_library(prif_weft_flang STATIC ${dir}/prif.o $<TARGET_OBJECTS:prif_glue>)
  set_target_properties(prif_weft_flang PROPERTIES LINKER_LANGUAGE C)
  weft_prif_library(flang prif_weft_flang prif-flang)
endif()
