# Damaged requests about components are refused by the port that gets them (requests.c).
set -u
program=$WEFT_BUILD/test-bin/caf.requests
status=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT

expect() { # STATUS LINE NUMBER...
  want=$1 line=$2
  shift 2
  for number in "$@"; do
    timeout 60 "$WEFTRUN" -n 2 --nodes 2 "$program" "$number" >"$out" 2>&1
    got=$?
    if [ $got != "$want" ] || ! grep -q "$line" "$out"; then
      echo "request $number: status $got (want $want), want '$line' in:"
      cat "$out"
      status=1
    fi
  done
}

expect 1 '^weft: pe 1: pe 0 sent a reference that makes no sense$' 0 1 2 3
expect 0 '^moved 0, outcome 0$' 4 5
expect 0 '^moved 0, outcome 3$' 6 7
exit $status
