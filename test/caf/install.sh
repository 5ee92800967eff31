# What is installed is found by pkg-config and find_package(OpenCoarrays), and the installed wrapper works: on README's
# three programs, too.
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
sed -n '/^## Coarray Fortran/,/^## ARMCI/p' "$WEFT_SOURCE/README.md" |
  awk '/^```/ { code = /fortran/; next } code && $1 == "program" { file = $2 ".f90" } code { print >file }'
readme() { # PROGRAM, a line of its output on 4 images
  "$weft/bin/caf" "$1.f90" -o "$1"
  "$weft/bin/cafrun" -n 4 "./$1" >out 2>err || { cat out err; exit 1; }
  grep -Eq "$2" out || { cat out err; exit 1; }
}
readme hello 'the last of +4 +images is +4$'
readme halo ' 2 +is between +1\.0+ +and +3\.0+ *$'
readme survive 'without +2 +it is +8$'
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
