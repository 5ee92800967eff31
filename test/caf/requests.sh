# Damaged requests are refused: about components by the port that gets them (requests.c), to accessors by the owner
# (visits.c). So are damaged answers by who asked (visits.c, answers.c).
set -u
program=requests
status=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT

expect() { # STATUS LINE NUMBER...
  want=$1 line=$2
  shift 2
  for number in "$@"; do
    timeout 60 "$WEFTRUN" -n 2 --nodes 2 "$WEFT_BUILD/test-bin/caf.$program" "$number" >"$out" 2>&1
    got=$?
    if [ $got != "$want" ] || ! grep -q "$line" "$out"; then
      echo "$program $number: status $got (want $want), want '$line' in:"
      cat "$out"
      status=1
    fi
  done
}

expect 1 '^weft: pe 1: pe 0 sent a reference that makes no sense$' 0 1 2 3
expect 0 '^moved 0, outcome 0$' 4 5
expect 0 '^moved 0, outcome 3$' 6 7
program=visits
expect 1 'pe 0 asks for an answer that is not kept for it' 0
expect 1 'image 1 sent a reference that makes no sense' 1 2 3 4 5
expect 1 '^weft: pe 0: image 2 gave an answer that makes no sense$' 6 7 8 9
expect 0 '^good$' 10
program=answers
expect 1 '^weft: pe 0: pe 1 gave an answer that makes no sense$' 0 1 2 3 4 5 6 7 8 9
expect 0 '^good$' 10 11 12
expect 1 '^weft: pe 0: pe 1 is asked for something of more than 4 GB, which Weft does not do$' 14 15
export WEFT_ON_DEATH=continue
expect 0 '^good$' 13
exit $status
