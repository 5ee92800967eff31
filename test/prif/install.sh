# What is installed is found by pkg-config and find_package(Weft), and its source can be compiled again.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
DESTDIR=$dir/root cmake --install "$WEFT_BUILD" --prefix /weft >/dev/null
weft=$dir/root/weft
cat >one.f90 <<'EOT'
program one
  use prif
  use, intrinsic :: iso_c_binding, only: c_int, c_bool
  integer(c_int) :: stat, n
  call prif_init(stat)
  n = 1
  call prif_co_sum(n)
  print '(i0)', n
  call prif_stop(.true._c_bool)
end program
EOT
gfortran one.f90 -o one $(PKG_CONFIG_PATH=$weft/lib/pkgconfig pkg-config --cflags --libs prif)
[ "$(./one)" = 1 ]
[ "$("$weft/bin/weftrun" -n 2 ./one)" = "2
2" ]
# The example of the manual page.
sed -n '/^program hello$/,/^end program$/p' "$WEFT_SOURCE/docs/man/prif.3" >hello.f90
gfortran hello.f90 -o hello $(PKG_CONFIG_PATH=$weft/lib/pkgconfig pkg-config --cflags --libs prif)
"$weft/bin/weftrun" -n 2 ./hello | grep -q '^ *image *2 *of *2$'
for languages in 'C Fortran' Fortran; do
  rm -rf build
  cat >CMakeLists.txt <<EOT
cmake_minimum_required(VERSION 3.20)
project(one LANGUAGES $languages)
find_package(Weft REQUIRED)
add_executable(two one.f90)
target_link_libraries(two PRIVATE Weft::prif)
EOT
  cmake -S . -B build -DCMAKE_PREFIX_PATH="$weft" >/dev/null
  cmake --build build >/dev/null
  [ "$(build/two)" = 1 ]
done
# Any program of -fcoarray can read the module.
for coarray in single lib; do gfortran -fcoarray=$coarray -I"$weft/lib/weft/prif/gfortran" -c one.f90; done
# The example in coarray syntax, by the other way.
"$weft/bin/caf" "$WEFT_SOURCE/examples/pi.f90" -o pi
[ "$("$weft/bin/weftrun" -n 3 ./pi)" = "pi on 3 images: 3.1415927" ]
