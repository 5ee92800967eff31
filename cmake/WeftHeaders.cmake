# libfabric and PMIx: headers only. The libraries are opened at run time, when a job needs them.
# A cross build takes the machine's own headers (they are the same everywhere), through a copy, so that nothing
# else of /usr/include is seen.
find_package(PkgConfig)
if(PkgConfig_FOUND AND NOT CMAKE_CROSSCOMPILING)
  pkg_check_modules(PC_FABRIC QUIET libfabric)
  pkg_check_modules(PC_PMIX QUIET pmix)
endif()

file(GLOB pmix_places /usr/lib/*/pmix2/include /usr/lib/*/pmix/include)
find_path(WEFT_FABRIC_INCLUDE rdma/fi_domain.h HINTS ${PC_FABRIC_INCLUDE_DIRS} /usr/include
          NO_CMAKE_FIND_ROOT_PATH REQUIRED)
find_path(WEFT_PMIX_INCLUDE pmix.h HINTS ${PC_PMIX_INCLUDE_DIRS} ${pmix_places}
          NO_CMAKE_FIND_ROOT_PATH REQUIRED)

set(fabric_include ${WEFT_FABRIC_INCLUDE})
if(CMAKE_CROSSCOMPILING)
  set(fabric_include ${CMAKE_BINARY_DIR}/host-include)
  file(COPY ${WEFT_FABRIC_INCLUDE}/rdma DESTINATION ${fabric_include})
endif()
add_library(weft_headers INTERFACE)
target_include_directories(weft_headers SYSTEM INTERFACE ${fabric_include} ${WEFT_PMIX_INCLUDE})
