# Members of teams that die in collectives, on one node and on two: each kind is the first to be met once.
set -u
. "$(dirname "$0")/../launch/lib.sh"

program=$(find "$WEFT_BUILD" -name coll.deaths -type f | head -1)
export WEFT_ON_DEATH=continue
for first in 0 1 2 3 4 5; do
  for nodes in 1 2 3; do
    [ $((first % 3 + 1)) -eq $nodes ] || [ $first -lt 1 ] || continue
    timeout 50 "$WEFTRUN" -n 5 --nodes $nodes "$program" $first >"$DIR/out" 2>"$DIR/err" ||
      fail "$first, $nodes nodes: status $?: $(cat "$DIR/out" "$DIR/err")"
    [ "$(grep -c right "$DIR/out")" -eq 1 ] || fail "$first, $nodes nodes: $(cat "$DIR/out")"
    [ "$(grep -c "the others go on" "$DIR/err")" -eq 3 ] || fail "$first, $nodes nodes: $(cat "$DIR/err")"
  done
done
program=$(find "$WEFT_BUILD" -name coll.living -type f | head -1)
for kind in 0 1 2 3 4 5 6 7; do
  for nodes in $((kind % 2 + 1)); do
    who=$(((kind + nodes) % 2 * 3)) # the first or the last
    timeout 50 "$WEFTRUN" -n 4 --nodes $nodes "$program" $who $kind >"$DIR/out" 2>"$DIR/err" ||
      fail "living $who $kind, $nodes nodes: status $?: $(cat "$DIR/out" "$DIR/err")"
    [ "$(grep -c right "$DIR/out")" -eq 1 ] || fail "living $who $kind, $nodes nodes: $(cat "$DIR/out")"
  done
done
program=$(find "$WEFT_BUILD" -name coll.active_living -type f | head -1)
for kind in 0 1 2 3 4 5; do
  nodes=$((kind % 2 + 1)) who=$((kind / 3 * 3))
  timeout 50 "$WEFTRUN" -n 4 --nodes $nodes "$program" $who $kind >"$DIR/out" 2>"$DIR/err" ||
    fail "active sets $who $kind, $nodes nodes: status $?: $(cat "$DIR/out" "$DIR/err")"
  [ "$(grep -c right "$DIR/out")" -eq 1 ] || fail "active sets $who $kind, $nodes nodes: $(cat "$DIR/out")"
done
program=$(find "$WEFT_BUILD" -name coll.gone -type f | head -1)
for who in 0 1; do # rank 2 of the set, and rank 0
  for how in 0 1; do
    nodes=$(((who + how) % 2 + 1))
    timeout 20 "$WEFTRUN" -n 5 --nodes $nodes "$program" $who $how >"$DIR/out" 2>"$DIR/err" ||
      fail "gone $who $how, $nodes nodes: status $?: $(cat "$DIR/out" "$DIR/err")"
    [ "$(grep -c right "$DIR/out")" -eq 1 ] || fail "gone $who $how, $nodes nodes: $(cat "$DIR/out")"
  done
done
# With WEFT_CHECK=1 those that are left are told where they disagree.
program=$(find "$WEFT_BUILD" -name coll.disagree -type f | head -1)
for kind in 0 1 2; do
  for nodes in 1 2; do
    who=$(((kind + nodes) % 2 * 3))
    WEFT_CHECK=1 timeout 50 "$WEFTRUN" -n 4 --nodes $nodes "$program" $who $kind >"$DIR/out" 2>"$DIR/err"
    status=$?
    [ $status -eq 1 ] || fail "disagree $who $kind, $nodes nodes: status $status: $(cat "$DIR/err")"
    grep -Eq 'not everywhere: all PEs must give the same|another member of the team calls another function' "$DIR/err" ||
      fail "disagree $who $kind, $nodes nodes: $(cat "$DIR/err")"
  done
done
exit 0
