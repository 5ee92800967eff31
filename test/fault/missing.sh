# What a connection took along that nobody saw: the job ends with a line that names both ends. What only is not taken yet, or comes slowly, is
# waited for.
set -u
. "$(dirname "$0")/lib.sh"
export WEFT_LINK_TIMEOUT=2
slow='(node [01]|a node) has not answered for'
ends_named='node 0 \(127\.0\.0\.1:[0-9]+\) and node 1 \(127\.0\.0\.1:[0-9]+\) was lost'

run() { echo "$WEFTRUN -n $1 --nodes 2 $WEFT_BUILD/test-bin/fault.missing $2"; }
apart() {
  DIR=$DIR/$1
  NOTES=$DIR
}
# (On a busy machine a node may be slow to answer, too, which is a line of its own.)
judge() ( # WHAT STATUS LINE [PES]
  apart "$1"
  ends "$2" "$3" $(run "${4:-2}" "$1")
  [ "$(grep -Ec "$3" "$DIR/err")" -eq 1 ] && [ "$(grep -Evc "$3|$slow" "$DIR/err")" -eq 0 ] || fail "$1: more than one line"
)
judge_lease() ( # d: the data
  export WEFT_DEBUG=port_buffers=2x3K,port_spares=4x8K
  judge "lease${1:-}" 1 "$lost"
)
# Where the job goes on without its dead what is missing may be theirs: that is only said.
judge_dead() (
  apart dead
  fresh
  : >"$NOTES/err"
  WEFT_ON_DEATH=continue timeout 60 $(run 3 dead) >"$NOTES/out" 2>"$NOTES/err" </dev/null &
  within 30 grep -q 'node 1 has not answered for [0-9]* s' "$NOTES/err" || fail "dead: no line"
  kill $!
  wait
)
# What a lost node will not answer is no reason for a line.
judge_gone() (
  apart gone
  fresh
  WEFT_ON_DEATH=continue timeout 60 $(run 2 gone) >"$NOTES/out" 2>"$NOTES/err" </dev/null
  grep -q 'pe 0 .*without finalizing' "$NOTES/err" || fail "gone: not the end of PE 0"
  ! grep 'has not answered' "$NOTES/err" || fail "gone: a line"
)
judge_loop() (
  apart loop
  fresh
  WEFT_LINK_TIMEOUT=3 timeout 60 $(run 3 loop) >"$NOTES/out" 2>"$NOTES/err" </dev/null || fail "loop: status $?"
  [ ! -s "$NOTES/err" ] || fail "loop: $(cat "$NOTES/err")"
)
# They wait most of the time.
lost="connection between $ends_named, and with it"
jobs=
for what in "judge packet 1 '$lost'" "judge answer 1 '$lost'" "judge message 1 '$lost'" "judge lock 1 '$lost' 3" "judge answered 1 '$lost' 3" judge_lease "judge_lease d" judge_dead judge_gone judge_loop; do
  eval "$what" &
  jobs="$jobs $!"
done
gone='(cannot tell what was put before it|failed: .*): the connection between .*127\.0\.0\.1.* was lost'
# Nobody is asked meanwhile whether it is there: that would make the connection again.
(
  export WEFT_COALESCE=0 WEFT_LINK_TIMEOUT=60
  for what in write again anew; do
    judge $what 1 "$gone" || exit 1
  done
  WEFT_PROVIDER=rxm judge write 1 "$gone"
  judge brief 1 'the connection between node 1 \(.*\) and node 0 \(127\.0\.0\.1:[0-9]+\) was lost'
) || exit 1
judge late 0 'node 1 has not answered for [0-9]+ s' || exit 1
for job in $jobs; do wait "$job" || exit 1; done
exit 0
