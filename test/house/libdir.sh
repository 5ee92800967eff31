# Another CMAKE_INSTALL_LIBDIR, two folders deep: every library and package is there, the wrappers, pkg-config, GASNet's
# make fragments and find_package find them in a tree that was moved, and `make uninstall` takes them away. A second
# build folder is configured from nothing; what it would build is taken from the tests' one, all but what knows the
# folder: a file of upcc.
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
libdir=lib64/deep
objects=tools/CMakeFiles/upcc.dir/upcc
mkdir -p build/$objects
for folder in bin lib prif; do [ ! -e "$WEFT_BUILD/$folder" ] || cp -a "$WEFT_BUILD/$folder" build; done
cp "$WEFT_BUILD/$objects"/*.o build/$objects
rm build/$objects/options.c.o
cmake -G Ninja -S "$WEFT_SOURCE" -B build -DCMAKE_INSTALL_LIBDIR=$libdir -DCMAKE_SKIP_RPATH=ON \
  -DWEFT_TESTS=OFF -DWEFT_EXTRAS=OFF >log 2>&1 || { cat log; exit 1; }
cmake --build build --target $objects/options.c.o >log || { cat log; exit 1; }
cc build/$objects/*.o build/lib/libweft.a -pthread -ldl -lrt -o build/bin/upcc
DESTDIR=$work/stage cmake --install build --prefix /opt/weft >/dev/null
mv stage/opt/weft moved
bin=$work/moved/bin lib=$work/moved/$libdir
[ ! -e moved/lib ] || { echo "also in lib:"; ls moved/lib; exit 1; }

cp "$WEFT_SOURCE/test/house/hello.c" "$WEFT_SOURCE/test/house/gasnet.c" .
ours() { # PROGRAM [LIBRARY]: it runs with the library that was installed
  ldd "$1" | grep -q "$work/moved/.*$libdir/${2:-libweft}.so" || { echo "$1 has another library"; ldd "$1"; exit 1; }
}
"$bin/oshcc" hello.c -o hello
"$bin/oshrun" -n 2 ./hello >/dev/null
printf '#include <upc.h>\nshared int x;\nint main(void) { return x; }\n' >x.upc
"$bin/upcc" x.upc -o x
"$bin/upcrun" -n 2 ./x
printf "#include <armci.h>\nint main(void) { return ARMCI_Init(); }\n" >armci.c
"$bin/armcicc" armci.c -o armci
ours hello
ours x
ours armci libarmci

export PKG_CONFIG_PATH=$lib/pkgconfig:$lib/weft/pkgconfig
for file in "$lib"/pkgconfig/*.pc "$lib"/weft/pkgconfig/*.pc; do
  package=$(basename "$file" .pc)
  for flag in $(pkg-config --cflags --libs "$package"); do
    folder=${flag#-[IL]} folder=${folder#-Wl,-rpath,}
    case $flag in -[IL]/* | -Wl,-rpath,/*) [ -d "$folder" ] || { echo "$package: there is no $folder"; exit 1; } ;; esac
  done
done
# shellcheck disable=SC2046
cc hello.c -o hello-pc $(pkg-config --cflags --libs openshmem)
ours hello-pc
printf 'include %s\np:\n\t$(GASNET_LD) $(GASNET_CPPFLAGS) $(GASNET_LDFLAGS) gasnet.c -o hello-gasnet $(GASNET_LIBS)\n' \
  "$work/moved/include/smp-conduit/smp-seq.mak" >Makefile
make >log
ours hello-gasnet
if [ -e moved/bin/caf ] && command -v gfortran >/dev/null; then
  printf 'program one\n  integer :: x[*]\n  x = 1\n  sync all\nend program\n' >one.f90
  "$bin/caf" one.f90 -o one
  ours one libcaf_weft
fi

mkdir user && cp hello.c user
cat >user/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(user C)
find_package(Weft 0.1 REQUIRED)
find_package(OpenCoarrays REQUIRED)
get_target_property(caf OpenCoarrays::caf_mpi IMPORTED_LOCATION)
foreach(file ${caf} ${Weft_RUN})
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "there is no ${file}")
  endif()
endforeach()
add_executable(hello hello.c)
target_link_libraries(hello Weft::openshmem)
END
cmake -S user -B user/build -DWeft_DIR="$lib/cmake/Weft" -DOpenCoarrays_DIR="$lib/weft/cmake" >/dev/null
cmake --build user/build >/dev/null
ours user/build/hello

mkdir -p stage/opt && mv moved stage/opt/weft
"$WEFT_SOURCE/scripts/uninstall" build /opt/weft "$work/stage" >/dev/null
left=$(cd stage/opt/weft && find "$libdir" -mindepth 1 | sort | tr '\n' ' ')
[ "$left" = "$libdir/cmake $libdir/pkgconfig " ] || { echo "uninstall leaves in $libdir: $left"; exit 1; }

# A folder with its whole name is the same if it is below the prefix, and refused elsewhere.
again() { cmake -S "$WEFT_SOURCE" -B build -DCMAKE_INSTALL_PREFIX=/opt/weft -DCMAKE_INSTALL_LIBDIR="$1" >log 2>&1; }
again /opt/weft/lib64/ || { cat log; exit 1; }
grep -q '^libdir=${prefix}/lib64$' build/weft.pc || { echo "a whole name:"; cat build/weft.pc; exit 1; }
! again /opt/lib || { echo "a folder outside of the prefix is taken"; exit 1; }
grep -q 'CMAKE_INSTALL_LIBDIR is not a folder below' log || { cat log; exit 1; }
