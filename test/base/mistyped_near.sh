# Usage: mistyped_near.sh PROGRAM ARGUMENT NAME=MEANT...: a variable of a front end's that nearly is one is told, once in
# a job; NAME= is another library's, or a right one, of which nothing is said.
set -u
program=$WEFT_BUILD/test-bin/$1 argument=$2
shift 2
for pair; do
  name=${pair%%=*} meant=${pair#*=}
  all=$(env "$name=0" timeout 60 "$WEFTRUN" -n 3 "$program" "$argument" 2>&1) || { echo "$pair: status $?: $all"; exit 1; }
  out=$(echo "$all" | grep 'not an option')
  line="weft: pe 0: $name is not an option of Weft; the nearest is $meant"
  [ "$out" = "${meant:+$line}" ] || { echo "$pair: $out"; exit 1; }
done
exit 0
