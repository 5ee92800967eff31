# What is installed is found by pkg-config and find_package(OpenCoarrays), and the installed wrapper works.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
DESTDIR=$dir/root cmake --install "$WEFT_BUILD" --prefix /weft >/dev/null
weft=$dir/root/weft
cat >one.f90 <<'EOF'
program one
  integer :: x[*]
  x = 41 + this_image()
  sync all
  print '(i0)', x[1]
end program
EOF
"$weft/bin/caf" one.f90 -o one
[ "$(./one)" = 42 ]
[ "$("$weft/bin/cafrun" -n 2 ./one)" = "42
42" ]
for package in caf caf-openmpi; do
  libs=$(PKG_CONFIG_PATH=$weft/lib/pkgconfig:$weft/lib/weft/pkgconfig pkg-config --libs $package)
  gfortran -fcoarray=lib one.f90 -o two $libs
  [ "$(./two)" = 42 ]
done
cat >CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.20)
project(one LANGUAGES Fortran)
find_package(OpenCoarrays REQUIRED)
add_executable(three one.f90)
target_link_libraries(three PRIVATE OpenCoarrays::caf_mpi)
EOF
cmake -S . -B build -DCMAKE_PREFIX_PATH="$weft/lib/weft" >/dev/null
cmake --build build >/dev/null
[ "$(build/three)" = 42 ]
