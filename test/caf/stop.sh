# STOP, ERROR STOP, exit and errors: output, message, status of the launcher, alone and on several images.
set -u
program=$WEFT_BUILD/test-bin/caf.ends
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0

is_right() { # LINES WANTED MOST
  [ "$2" = "$1" ] || { [ "$2" = 1+ ] && [ "$1" -ge 1 ] && [ "$1" -le "$3" ]; }
}
# expect HOW IMAGES STATUS LINES-OF-OUTPUT MESSAGE. 1+: each image's, but one that another ends may lose its own
expect() {
  "$WEFTRUN" -n "$2" "$program" "$1" >"$dir/out" 2>"$dir/err"
  got=$?
  lines=$(grep -c '^output$' "$dir/out")
  if grep -q -i backtrace "$dir/err" && [ "$1" != runtime ]; then
    echo "$1 on $2 images: a backtrace:"
    cat "$dir/err"
    status=1
  fi
  if [ "$got" != "$3" ] || ! is_right "$lines" "$4" "$2" || ! grep -q -- "$5" "$dir/err" "$dir/out"; then
    echo "$1 on $2 images: status $got (want $3), $lines lines of output (want $4), want '$5' in:"
    cat "$dir/err"
    status=1
  fi
}

expect end 3 0 3 output
expect stop 3 0 3 output
expect stop3 2 3 2 'STOP 3'
expect stop512 2 1 2 'STOP 512'
expect text 2 0 2 'STOP done'
expect quiet 1 4 1 output
expect error 2 1 1+ 'ERROR STOP'
expect error7 2 7 1+ 'ERROR STOP 7'
expect error256 2 1 1+ 'ERROR STOP 256'
expect errortext 2 1 1+ 'ERROR STOP broken'
expect one 3 9 3 'ERROR STOP 9'
expect exit0 2 0 2 output
expect exit5 1 5 1 output
expect image 2 1 1+ 'Fortran runtime error on image [12]: image 5 does not exist (images are 1 to 2)'
for how in noput noget noparts nocomponent gone; do
  expect $how 2 1 1+ '^Fortran runtime error on image [12]: the coarray is not allocated$'
done
for how in unformed unsynced unput; do
  expect $how 2 1 1+ '^Fortran runtime error on image [12]: [^:]*: the team variable has no team; form it first$'
done
expect nochild 2 1 1+ 'CHANGE TEAM: the team was not formed by the current team$'
expect runtime 1 2 1 'Fortran runtime error'
WEFT_CHECK=1 expect differ 2 1 0 '^weft: pe [01]: CO_[MS][AU][XM]: members of the team call another collective'
expect syncstopped 2 1 2 'Fortran runtime error on image 2: SYNC ALL failed - there are stopped images'
# What gfortran does not tell co_reduce of a small derived type.
if [ "$(uname -m)" = x86_64 ]; then
  expect small 2 1 0 'type of 8 bytes returns its result cannot be known; compile it with -fpcc-struct-return'
  expect reals 2 1 0 'type of 8 bytes returns its result cannot be known; compile it with -fpcc-struct-return'
  expect value 2 1 0 'type of 8 bytes takes its arguments cannot be known; take VALUE out of it'
else
  expect small 2 1 0 'returns its result is known on x86-64 only'
fi
[ "$("$program" stop 2>&1)" = output ] || { echo "alone: STOP prints something"; status=1; }
"$WEFTRUN" -n 1 "$program" quiet 2>"$dir/err"
grep -q STOP "$dir/err" && { echo "QUIET= is not quiet"; status=1; }
exit $status
