# A member of a collect whose part would not fit into any memory, also by a sum that wraps: a line, by each way.
set -u
program=$WEFT_BUILD/test-bin/coll.sizes
out=$(mktemp)
trap 'rm -f "$out"' EXIT
status=0

# expect STATUS LINE BYTES ENV...
expect() {
  want=$1 line=$2 bytes=$3
  shift 3
  timeout 60 env "$@" "$WEFTRUN" -n 3 --nodes 3 "$program" "$bytes" >"$out" 2>&1
  got=$?
  if [ $got != "$want" ] || ! grep -q "$line" "$out"; then
    echo "$bytes bytes, $*: status $got (want $want), want '$line' in:"
    cat "$out"
    status=1
  fi
}

tables=$WEFT_SOURCE/test/coll/tables
for way in WEFT_COLL_TABLE=$tables/first.table WEFT_COLL_TABLE=$tables/second.table \
    WEFT_COLL_TABLE=$tables/third.table WEFT_ON_DEATH=continue; do
  expect 0 '^right$' 8 $way
  for bytes in 0x10000000000 0x8000000000000000 0xfffffffffffffff8; do
    expect 1 '^weft: pe [0-2]: collect: the parts take' $bytes $way
  done
done
exit $status
