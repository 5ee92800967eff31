# weft-tune writes a table that a job takes, on one node and on two; a table that cannot be used is one line that says where and
# why, and the job does not run.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
fail() {
  echo "$*"
  bad=1
}
bin=$(dirname "$WEFTRUN")
test=$WEFT_BUILD/test-bin/coll.sync

"$WEFTRUN" -n 3 "$bin/weft-tune" -r 1 -m 1K -o "$work/one" 2>"$work/log" || fail "weft-tune failed: $(cat "$work/log")"
"$WEFTRUN" -n 3 --nodes 2 "$bin/weft-tune" --repeat 1 --max 64 >"$work/two" 2>>"$work/log" || fail "weft-tune on two nodes failed"
for op in sync broadcast reduce collect fcollect alltoall scan; do
  grep -qE "^$op +2 0 [a-z]+$" "$work/one" || fail "no rule for $op among two"
  grep -qE "^$op +3 0 [a-z]+$" "$work/one" || fail "no rule for $op among three"
  grep -qE "^# $op 3 8: .*[0-9.]+ us" "$work/one" || fail "no figures for $op"
done
for op in broadcast reduce collect; do
  grep -qE "^$op-nodes +2 0 [a-z]+$" "$work/two" || fail "no rule for $op-nodes"
done
grep -qE "^broadcast-inside +2 0 [a-z]+$" "$work/two" || fail "no rule for a broadcast's part on a node"
for table in one two; do
  WEFT_COLL_TABLE=$work/$table "$WEFTRUN" -n 3 "$test" || fail "a job with table $table failed"
done
refuses() { # LINE OPTIONS...: said once, status 2
  line=$1
  shift
  "$WEFTRUN" -n 2 "$bin/weft-tune" "$@" >"$work/out" 2>"$work/log"
  [ $? -eq 2 ] && [ "$(grep -c 'weft-tune:' "$work/log")" -eq 1 ] && grep -qx "weft: pe 0: weft-tune: $line; see weft-tune --help" "$work/log" ||
    fail "weft-tune $*: $(cat "$work/log")"
}
refuses '3: -m takes a number of bytes from 8, such as 64K' -m 3
refuses '2x: -r takes a number from 1 to 1000000' -r 2x
refuses '--nope: there is no such option' --nope
refuses '-o: it needs a value' -o
refuses 'more: it takes options only' -r 2 more
"$bin/weft-tune" 2>&1 | grep -q "weftrun -n N weft-tune" || fail "weft-tune alone does not say how it is started"
"$WEFTRUN" -n 2 "$bin/weft-tune" -m 64 -o "$work/none/table" 2>&1 | grep -q "cannot write $work/none/table" ||
  fail "weft-tune does not say that it cannot write"

# $1: the table's lines, $2: what the message must have
refuse() {
  printf '%b' "$1" >"$work/bad"
  WEFT_COLL_TABLE=$work/bad "$WEFTRUN" -n 3 "$test" >"$work/log" 2>&1 && fail "\"$1\" was taken"
  [ "$(grep -c "^weft: pe 0: WEFT_COLL_TABLE: $work/bad" "$work/log")" = 1 ] && grep -q -- "$2" "$work/log" ||
    fail "\"$1\": $(cat "$work/log")"
  [ "$(grep -vc 'ended the job with status' "$work/log")" = 1 ] || fail "\"$1\": more than one line: $(cat "$work/log")"
}
refuse 'reduce 2 0 post\nreduce 2 1K\n' 'bad:2: a rule is OPERATION MEMBERS BYTES ALGORITHM'
refuse '\n# x\nreduc 2 0 post\n' 'bad:3: there is no operation "reduc"'
refuse 'reduce two 0 post\n' '"two" is no number of members'
refuse 'reduce 2 many post\n' '"many" is no number of bytes'
refuse 'reduce 2 0 write\n' 'reduce can be done by "post slices leader", not "write"'
refuse "$(for i in $(seq 300); do printf 'sync 2 %d read\\n' "$i"; done)" 'more than [0-9]* rules'
# As many rules as there may be, behind them lines without one, and a comment of any length.
most=$(sed -n 's/.* has more than \([0-9]*\) rules$/\1/p' "$work/log")
{ printf '# '; seq -s ' ' 300; for i in $(seq $most); do echo "sync 2 $i read"; done; printf '\n# the end\n'; } >"$work/full"
WEFT_COLL_TABLE=$work/full "$WEFTRUN" -n 3 "$test" >"$work/log" 2>&1 || fail "a full table was refused: $(cat "$work/log")"
rm "$work/bad"
WEFT_COLL_TABLE=$work/bad "$WEFTRUN" -n 3 "$test" >"$work/log" 2>&1 && fail "a table that is not there was taken"
grep -q "^weft: pe 0: WEFT_COLL_TABLE: cannot read $work/bad: No such file" "$work/log" || fail "missing table: $(cat "$work/log")"
head -c 5000 "$WEFTRUN" >"$work/noise"
WEFT_COLL_TABLE=$work/noise "$WEFTRUN" -n 2 "$test" >"$work/log" 2>&1 && fail "noise was taken for a table"
grep -aq "^weft: pe 0: WEFT_COLL_TABLE: $work/noise:" "$work/log" || fail "noise: $(cat "$work/log")"
exit $bad
