# A PE that dies in the middle of an accumulate, while the job goes on: on one node and on two.
set -u
. "$(dirname "$0")/../launch/lib.sh"

program=$(find "$WEFT_BUILD" -name rma.accumulate_death -type f | head -1)
export WEFT_ON_DEATH=continue
for nodes in 1 2; do
  timeout 50 "$WEFTRUN" -n 4 --nodes $nodes "$program" >"$DIR/out" 2>"$DIR/err" ||
    fail "$nodes nodes: status $?: $(cat "$DIR/out" "$DIR/err")"
  grep -q right "$DIR/out" || fail "$nodes nodes: $(cat "$DIR/out" "$DIR/err")"
done
exit 0
