# flang's copy of the module: chapters compiled by flang, and a program in coarray syntax (examples/pi.f90), whose calls
# the compiler makes itself.
set -eu
module=$WEFT_BUILD/prif/flang
[ -e "$module/prif.mod" ] || { echo "skipped: no flang 22 here"; exit 77; }
flang=$(command -v flang-23 || command -v flang-22)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
lib=$WEFT_BUILD/lib
build() { # NAME OPTIONS
  name=$1; shift
  "$flang" "$@" -o "$name" "$module/libprif_weft.a" -L"$lib" -Wl,-rpath,"$lib" -lweft 2>log || { cat log; exit 1; }
}
for chapter in teams collectives; do
  build $chapter -cpp -I"$module" -I"$WEFT_SOURCE/test/prif" -module-dir . "$WEFT_SOURCE/test/prif/$chapter.F90"
  "$WEFTRUN" -n 3 ./$chapter
  "$WEFTRUN" -n 3 --nodes 2 ./$chapter
done
build pi -fcoarray "$WEFT_SOURCE/examples/pi.f90"
[ "$(./pi)" = "pi on 1 images: 3.1415927" ]
[ "$("$WEFTRUN" -n 5 --nodes 2 ./pi)" = "pi on 5 images: 3.1415927" ]
