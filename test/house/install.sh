# What `make install` gives a user, tried from a place it was not configured for: the wrapper, pkg-config, and
# find_package, shared and static; then `make uninstall`, after which nothing of ours is left.
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$WEFT_SOURCE/test/house/hello.c" .
target() { # install or uninstall, without the build before it
  make -n -C "$WEFT_SOURCE" --no-print-directory "$1" BUILD="$WEFT_BUILD" PREFIX=/opt/weft DESTDIR="$work/the stage" |
    grep -e ' --install ' -e scripts/uninstall | (cd "$WEFT_SOURCE" && sh >/dev/null)
}
(umask 077 && target install)
mv 'the stage' stage
hidden=$(find stage/opt ! -type l ! -perm -o=r)
[ -z "$hidden" ] || { echo "only root may read: $hidden"; exit 1; }
for file in include/shmem.h include/mpp/shmem.h include/shmem.fh include/mpp/shmem.fh bin/oshfort lib/libweft.so.0 lib/libweft.a bin/oshcc bin/oshrun bin/weftrun bin/weft-report; do
  [ -e "stage/opt/weft/$file" ] || { echo "not installed: $file"; exit 1; }
done

mv stage/opt/weft moved # the tree may be moved as a whole
bin=$work/moved/bin
"$bin/oshcc" hello.c -o hello
"$bin/oshrun" -n 2 ./hello >/dev/null
ldd hello | grep -q "$work/moved/.*libweft.so.0" || { echo "runs with another libweft"; ldd hello; exit 1; }

export PKG_CONFIG_PATH=$work/moved/lib/pkgconfig
for package in weft openshmem; do
  # shellcheck disable=SC2046
  cc hello.c -o hello-$package $(pkg-config --cflags --libs $package)
  "$bin/weftrun" -n 2 ./hello-$package >/dev/null
done

# UPC: upcc and upcrun, objects linked by another compiler, and upcc as the compiler of a CMake project.
cat >hello.upc <<'END'
#include <upc.h>
shared int seen[THREADS];
int main(void) {
  seen[(MYTHREAD + 1) % THREADS] = 1 + MYTHREAD;
  upc_barrier;
  return seen[MYTHREAD] != 1 + (MYTHREAD + THREADS - 1) % THREADS;
}
END
mkdir upc && cp hello.upc upc
cat >upc/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(user C)
add_executable(hello hello.upc)
set_source_files_properties(hello.upc PROPERTIES LANGUAGE C)
END
echo "set(CMAKE_C_COMPILER $bin/upcc)" >toolchain.cmake
"$bin/upcc" hello.upc -o hello-upc && "$bin/upcc" -c hello.upc -o upc.o
# shellcheck disable=SC2046
cc upc.o -o hello-cc $(pkg-config --cflags --libs upc)
cmake -S upc -B upc/build -DCMAKE_TOOLCHAIN_FILE="$work/toolchain.cmake" >/dev/null
cmake --build upc/build >/dev/null
for program in ./hello-upc ./hello-cc upc/build/hello; do "$bin/upcrun" -n 2 $program; done

mkdir user && cp hello.c user
cat >user/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(user C)
find_package(Weft 0.1 REQUIRED)
add_executable(shared hello.c)
target_link_libraries(shared Weft::openshmem)
add_executable(static hello.c)
target_link_libraries(static Weft::openshmem_static)
END
cmake -S user -B user/build -DCMAKE_PREFIX_PATH="$work/moved" >/dev/null
cmake --build user/build >/dev/null
for program in shared static; do "$bin/weftrun" -n 2 user/build/$program >/dev/null; done
! ldd user/build/static | grep libweft

mkdir -p stage/opt && mv moved stage/opt/weft && mv stage 'the stage'
target uninstall
left=$(cd 'the stage/opt/weft' && find . -mindepth 1 ! -type d -o -type d -path './*/*' | grep -vE '^\./(lib/(cmake|pkgconfig)|share/(doc|man(/man.)?))$') || true
[ -z "$left" ] || { echo "uninstall leaves: $left"; exit 1; }
