# What `make install` puts where: headers, libraries, weft.pc, openshmem.pc, find_package(Weft).
include(CMakePackageConfigHelpers)
set(weft_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Weft)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ TYPE INCLUDE FILES_MATCHING PATTERN "*.h" PATTERN "*.fh")
install(TARGETS weft weft_static EXPORT WeftTargets LIBRARY ARCHIVE)
install(EXPORT WeftTargets NAMESPACE Weft:: DESTINATION ${weft_package_dir})

configure_file(${PROJECT_SOURCE_DIR}/cmake/WeftConfig.cmake.in ${CMAKE_BINARY_DIR}/WeftConfig.cmake @ONLY)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/WeftConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/WeftConfig.cmake ${CMAKE_BINARY_DIR}/WeftConfigVersion.cmake
        DESTINATION ${weft_package_dir})

foreach(name weft openshmem upc)
  set(pc_name ${name})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/weft.pc.in ${CMAKE_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
if(EXISTS ${PROJECT_SOURCE_DIR}/LICENSE)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE TYPE DOC)
endif()
foreach(section 1 3 7)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section}
          FILES_MATCHING PATTERN "*.${section}")
endforeach()
foreach(other "oshrun weftrun" "oshc++ oshcc" "oshcxx oshcc" "oshCC oshcc" "oshfort oshcc"
        "gasnetrun_smp gasnetrun" "gasnetrun_udp gasnetrun"
        "gasnetrun_ofi gasnetrun" "amudprun gasnetrun") # tools that share a page
  string(REPLACE " " ";" other ${other})
  list(GET other 0 name)
  list(GET other 1 page)
  install(CODE "file(CREATE_LINK ${page}.1
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1/${name}.1\" SYMBOLIC)")
endforeach()
