# Debian's gcc-aarch64-linux-gnu: proves that nothing relies on x86. Headers of libfabric and PMIx: WeftHeaders.cmake.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
