# What one PE tells the others and what cannot be is a line: a part of a collect that would not fit
# into any memory, also by a sum that wraps, by each way; PE 0's table; turn areas; meetings.
set -u
program=$WEFT_BUILD/test-bin/coll.sizes
out=$(mktemp)
trap 'rm -f "$out"' EXIT
status=0

# expect STATUS LINE WHAT NUMBER ENV...
expect() {
  want=$1 line=$2 what=$3 number=$4
  shift 4
  timeout 60 env "$@" "$WEFTRUN" -n 3 --nodes 3 "$program" "$what" "$number" >"$out" 2>&1
  got=$?
  if [ $got != "$want" ] || ! grep -q "$line" "$out"; then
    echo "$what $number, $*: status $got (want $want), want '$line' in:"
    cat "$out"
    status=1
  fi
}

tables=$WEFT_SOURCE/test/coll/tables
continue=WEFT_ON_DEATH=continue
for way in WEFT_COLL_TABLE=$tables/first.table WEFT_COLL_TABLE=$tables/second.table \
    WEFT_COLL_TABLE=$tables/third.table $continue; do
  expect 0 '^right$' collect 8 $way
  for bytes in 0x10000000000 0x8000000000000000 0xfffffffffffffff8; do
    expect 1 '^weft: pe [0-2]: collect: the parts take' collect $bytes $way
  done
done
for rules in 257 -1; do
  expect 1 "^weft: pe [12]: pe 0 sent a table of $rules algorithms, and 256" table $rules
done
expect 1 '[^x]x\{127\} on PE 0: all PEs must give the same$' words 8 WEFT_CHECK=1
for way in WEFT_ON_DEATH=end $continue; do
  # In front of the private heap, behind it, behind all.
  for place in 0 0x10000000000 0xfffffffffffffff8; do
    expect 1 '^weft: pe [0-2]: pe 1 has a damaged place in a new team$' place $place $way
  done
  expect 1 "^weft: pe 0: pe 1 sent a damaged list of a team's members$" list 0 $way
done
expect 0 '^right$' outcome 0 $continue
expect 1 'pe [12]: a PE says that 9 of 3 PEs in a meeting are gone$' outcome 9 $continue
expect 1 'pe 0: pe 1 has come to a meeting as if it were pe 0$' member 0 $continue
for size in 1 2; do
  expect 1 "pe 0: a PE has come to a meeting of 3 PEs as if it were one of $size$" \
    meeting $size $continue
done
exit $status
