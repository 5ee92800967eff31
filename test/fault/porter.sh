# WEFT_ON_DEATH=continue: a node's port is a process of its own. When that is killed its PEs end with it, one line says so, and the other
# nodes go on to a good end. When it is stopped the job waits, says so after WEFT_LINK_TIMEOUT, and goes on when it does.
# A PE forks it before it has a libfabric, and what is wrong for both is said once.
# The answer of a dead node's port that comes when nobody waits for it any more is no damage.
set -u
. "$(dirname "$0")/lib.sh"
export WEFT_ON_DEATH=continue

forked="$WEFTRUN -n 2 --nodes 2 $WEFT_BUILD/test-bin/fault.forked"
timeout 60 $forked || fail "a port's process: status $?"
WEFT_PROVIDER=nonsense
export WEFT_PROVIDER
ends 1 'libfabric has no provider "nonsense"' $forked
[ "$(grep -c nonsense "$NOTES/err")" -eq 1 ] || fail "no provider: said more than once"
unset WEFT_PROVIDER
ends 1 "cannot start the process of this node's port: Resource temporarily unavailable" $forked fails
ends 1 "cannot start the process of this node's port: Cannot allocate memory" $forked full

# The port's process that this PE has forked; it has that PE's environment.
port_of() { # PE
  for status in $(grep -lsx 'Name:.weft-port' /proc/[0-9]*/status); do
    variables=$(tr '\0' '\n' <"${status%status}environ" 2>/dev/null)
    if echo "$variables" | grep -qx "NOTES=$NOTES" && echo "$variables" | grep -qx "PMI_RANK=$1"; then
      basename "$(dirname "$status")"
    fi
  done
}
started() { [ "$(ls "$NOTES" | grep -c '^pid\.')" -eq 4 ]; }
ended() { ! grep -qs '^State:.[^ZX]' "/proc/$1/status"; }

# And where the launcher is just about to end the PEs nothing is said: they have its signal to come.
for run in 0 1 "1 ends"; do
  node=${run% *} lines=1 block=
  [ "$run" = "$node" ] || { lines=0 block="env --block-signal=TERM"; }
  fresh
  timeout 60 "$WEFTRUN" -n 4 --nodes 2 $block "$VICTIM" survive >"$NOTES/out" 2>"$NOTES/err" </dev/null &
  job=$!
  within 60 started || fail "the job does not start"
  [ $lines -eq 1 ] || kill -TERM "$(cat "$NOTES/pid.$((2 * node))")" "$(cat "$NOTES/pid.$((2 * node + 1))")"
  port=$(port_of $((2 * node)))
  [ -n "$port" ] || fail "node $node has no process of its port"
  kill -KILL "$port"
  for pe in $((2 * node)) $((2 * node + 1)); do
    within 30 ended "$(cat "$NOTES/pid.$pe")" || fail "pe $pe goes on without its node's port"
  done
  touch "$NOTES/end"
  wait $job || fail "port of node $node: status $?"
  [ "$(grep -c "the process of node $node's port died" "$NOTES/err")" -eq $lines ] || fail "port of node $run: not $lines lines"
  nothing_left
done

for node in 0 1; do
  fresh
  WEFT_LINK_TIMEOUT=2 timeout 60 "$WEFTRUN" -n 4 --nodes 2 "$WEFT_BUILD/test-bin/fault.talker" >"$NOTES/out" 2>"$NOTES/err" </dev/null &
  job=$!
  goes_on "start"
  port=$(port_of $((2 * node)))
  [ -n "$port" ] || fail "node $node has no process of its port"
  kill -STOP "$port"
  within 30 grep -Eq "(a node|node $node) has not answered for [0-9]* s" "$NOTES/err" || fail "port of node $node stopped: no line"
  kill -CONT "$port"
  goes_on "port of node $node stopped"
  touch "$NOTES/end"
  wait $job || fail "port of node $node stopped: status $?"
  [ "$(grep -vc 'has not answered for [0-9]* s' "$NOTES/err")" -eq 0 ] || fail "port of node $node stopped: another line"
  nothing_left
done

fresh
timeout 60 "$WEFTRUN" -n 2 --nodes 2 "$WEFT_BUILD/test-bin/fault.talker" late >"$NOTES/out" 2>"$NOTES/err" </dev/null &
job=$!
both_started() { [ "$(ls "$NOTES" | grep -c '^pid\.')" -eq 2 ]; }
is_quiet() { [ "$(rounds)" -gt 0 ]; }
within 60 both_started || fail "late: the job does not start"
port=$(port_of 1)
[ -n "$port" ] || fail "late: node 1 has no process of its port"
kill -STOP "$port"
touch "$NOTES/put"
sleep 0.2
kill -KILL "$(cat "$NOTES/pid.1")"
within 30 is_quiet || fail "late: a quiet waits for the dead"
kill -CONT "$port"
within 30 ended "$port" || fail "late: the port of the dead goes on"
sleep 0.2
touch "$NOTES/end"
wait $job || fail "late: status $?: $(cat "$NOTES/err")"
nothing_left
exit 0
