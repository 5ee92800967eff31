# caf and cafrun: options, a program compiled and run in one image without a launcher and in several with it.
set -eu
bin=$WEFT_BUILD/bin
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >hello.f90 <<'EOF'
program hello
  implicit none
  integer :: x[*]
  x = this_image()
  sync all
  if (this_image() == 1) print '(a,i0,a,i0)', 'images ', num_images(), ' last ', x[num_images()]
end program
EOF
"$bin/caf" hello.f90 -o hello
[ "$(./hello)" = "images 1 last 1" ]
[ "$("$bin/cafrun" -n 3 ./hello)" = "images 3 last 3" ]
[ "$("$bin/cafrun" -np 2 --oversubscribe --allow-run-as-root ./hello)" = "images 2 last 2" ]
"$bin/caf" -c hello.f90 && "$bin/caf" hello.o -o again && [ "$(./again)" = "images 1 last 1" ]
"$bin/caf" --show hello.f90 | grep -q -- '-fcoarray=lib.*-lcaf_weft'
for version in 8.4.0 14 15.3.0 16; do # the library that programs of this gfortran call
  case $version in 15*) library=caf_weft15 ;; 16*) library=caf_weft16 ;; *) library=caf_weft ;; esac
  printf '#!/bin/sh\necho %s\n' $version >fake && chmod +x fake
  WEFT_FC=./fake "$bin/caf" --show hello.f90 | grep -q -- " -l$library "
done
"$bin/caf" --wraps | grep -q gfortran
"$bin/caf" --version | grep -q Weft
"$bin/caf" --help | grep -q wraps
"$bin/cafrun" --show -n 2 ./hello | grep -q 'weftrun -n 2 ./hello'
# The program is found behind any option of the launcher: of one that names FAIL IMAGE an image may fail.
echo _gfortran_caf_fail_image >dies && chmod +x dies
mkdir A && cp dies A # for --wdir
sed -n 's/^ *{"/{"/; s/{"\([^"]*\)", OPT_[A-Z_]*, \([0-9]\)},\{0,1\} */\1 \2\n/gp' "$WEFT_SOURCE/tools/weftrun/options.c" >options
[ "$(grep -c ' [12]$' options)" -ge 30 ]
while read -r name words; do
  case $name:$words in
  :* | h:* | help:* | V:* | version:* | v:* | *:0) continue ;;
  *:2) set -- A B ;;
  *) set -- A ;;
  esac
  for option in "-$name $*" "-$name=$1"; do
    # shellcheck disable=SC2086
    "$bin/cafrun" --show $option ./dies --reenable-auto-cleanup |
      grep -qx -- ".*weftrun -x WEFT_ON_DEATH=continue $option ./dies --reenable-auto-cleanup"
  done
done <options
"$bin/cafrun" --show --disable-auto-cleanup -x A=1 -n 2 ./hello | grep -q 'weftrun -x WEFT_ON_DEATH=continue -x A=1 -n 2 ./hello'
echo localhost >file
"$bin/cafrun" --show -n 2 --hostfile file ./hello | grep -q 'weftrun -n 2 --hostfile file ./hello'
"$bin/cafrun" --version | grep -q Weft
"$bin/cafrun" --wraps | grep -q weftrun
"$bin/cafrun" --help | grep -q reenable
if "$bin/cafrun" -n 2 2>err; then exit 1; fi
grep -q usage err
if "$bin/caf" 2>err; then exit 1; fi
grep -q 'no input files' err
FC=caf "$bin/caf" hello.f90 -o hello
