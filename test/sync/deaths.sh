# PEs that die while the job goes on: which one and how, on one node and on two. The job ends well, and one line names
# the dead.
set -u
. "$(dirname "$0")/../launch/lib.sh"

program=$(find "$WEFT_BUILD" -name sync.deaths -type f | head -1)
export WEFT_ON_DEATH=continue
try() { # HOW WHO weftrun's arguments...
  how=$1 who=$2
  shift 2
  timeout 50 "$WEFTRUN" "$@" "$program" $how $who >"$DIR/out" 2>"$DIR/err"
  status=$?
  [ $status -eq 0 ] || fail "$how $who $*: status $status: $(cat "$DIR/out" "$DIR/err")"
  [ "$(grep -c right "$DIR/out")" -eq 1 ] || fail "$how $who $*: $(cat "$DIR/out")"
  [ "$(grep -c "^weft: pe $who .* the others go on" "$DIR/err")" -eq 1 ] || fail "$how $who $*: $(cat "$DIR/err")"
}
try kill 0 -n 4
try word 3 -n 4
for who in 0 2 3; do
  try kill $who -n 4 --nodes 2
done
try word 2 -n 4 --nodes 2
# What everybody did is counted, the dead too.
try kill 3 -n 4 --stats
grep -q 'what 4 PEs did until the job ended' "$DIR/err" || fail "no table: $(cat "$DIR/err")"

# Two hosts (network namespaces); the one with the port, and one without.
for who in 2 3; do
  timeout 50 "$WEFT_SOURCE/test/netns.sh" run "$WEFTRUN" -n 4 --netns weft-a,weft-b "$program" kill $who \
    >"$DIR/out" 2>"$DIR/err"
  status=$?
  [ $status -ne 77 ] || break
  [ $status -eq 0 ] && [ "$(grep -c right "$DIR/out")" -eq 1 ] || fail "netns, $who: status $status: $(cat "$DIR/out" "$DIR/err")"
done

# Two machines: PEs 2 and 3 see other processes than 0 and 1, so each is watched on its own machine only.
unshare --pid --fork --mount-proc --kill-child sleep 100 >/dev/null 2>&1 &
unshared=$!
trap 'kill -KILL $unshared 2>/dev/null; rm -rf "$DIR"' EXIT
tries=100
until init=$(pgrep -P $unshared) || [ $((tries -= 1)) -eq 0 ]; do sleep 0.02; done
if [ -n "$init" ]; then
  cat >"$DIR/there" <<END
[ \$PMI_RANK -ge 2 ] || exec "\$@"
exec nsenter -t $init -p -m -- "\$@"
END
  inner=$program
  program=sh
  for who in 0 3; do
    how="$DIR/there $inner kill"
    try "$how" $who -n 4
  done
fi
exit 0
