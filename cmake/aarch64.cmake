# Debian's gcc-aarch64-linux-gnu: shows what relies on x86. Headers of libfabric and PMIx: WeftHeaders.cmake.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
# Its programs run by Debian's qemu-user, which starts no other program by itself: a native weftrun starts each PE.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
set(WEFT_HOST_WEFTRUN ${CMAKE_CURRENT_LIST_DIR}/../build/dev/bin/weftrun)
