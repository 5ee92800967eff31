# Between two hosts (network namespaces): the cable is pulled and put back, or not, connections are killed, processes stop and go on. Nothing hangs
# without a word.
#   links.sh [PROVIDER...]: only over these, and what depends on them
set -u
. "$(dirname "$0")/lib.sh"
sh=$WEFT_SOURCE/test/netns.sh
[ -n "${WEFT_TEST_INSIDE:-}" ] || {
  WEFT_TEST_INSIDE=1 "$sh" run sh "$0" "$@"
  exit $?
}
PATH=$PATH:/usr/sbin:/sbin
VICTIM=$WEFT_BUILD/test-bin/fault.talker
export WEFT_TEST_SECONDS=100

runs() { ip -n weft-a -br link show eth0 | grep -q ' UP ' && ip -n weft-b -br link show eth0 | grep -q ' UP '; }
# (Until the kernel says that the interface runs libfabric chooses another one for a new job.)
cable() {
  ip -n weft-b link set eth0 "$1"
  [ "$1" = down ] || within 20 runs || fail "the interface does not come up"
}
start() { # ARGUMENT
  fresh
  timeout 100 "$WEFTRUN" -n 4 --netns weft-a,weft-b "$VICTIM" "$@" >"$NOTES/out" 2>"$NOTES/err" </dev/null &
  job=$!
  goes_on "start $*"
}
ends_well() {
  touch "$NOTES/end"
  wait $job || fail "$1: status $?"
  [ ! -s "$NOTES/err" ] || fail "$1: it was to be survived without a word"
}
ends_with() { # PATTERN WHAT
  wait $job
  status=$?
  [ $status -eq 1 ] || { [ $status -eq 139 ] && [ -n "${crash:-}" ]; } || fail "$2: status $status"
  grep -Eq "$1" "$NOTES/err" || fail "$2: no line like: $1"
  [ "$(grep -v 'the others go on' "$NOTES/err" | grep -Ec 'was lost|was heard|killed by|no connection')" -eq 1 ] || fail "$2: it is said more than once"
  case $1 in "nothing was heard"*)
    [ "$(grep -c . "$NOTES/err")" -eq 1 ] || fail "$2: more is said than that" ;;
  esac
  nothing_left
}
ends_named='10\.77\.0\.[12]:[0-9]+.*10\.77\.0\.[12]:[0-9]+'

for provider in ${*:-auto rxm sockets}; do
  export WEFT_PROVIDER=$provider
  # Each process stops for a while: PE 0 and 2 have their node's port, 1 and 3 have not; and weftrun, its keeper too.
  # Then the cable is out for a while. (Where
  # the machine stands still meanwhile it is out for longer than the job has patience: again.)
  export WEFT_LINK_TIMEOUT=30
  for again in 1 2 3 4 5; do
    start
    run=$(ps -o pid= --ppid $job | tr -d ' ')
    for pid in $(cat "$NOTES"/pid.[01]) $run $(ps -o pid= --ppid "$run"); do
      kill -STOP "$pid"
      sleep 0.3
      kill -CONT "$pid"
      goes_on "stopped"
    done
    out=$(date +%s)
    cable down
    sleep 2
    cable up
    out=$(($(date +%s) - out))
    [ $out -gt 15 ] || break
    touch "$NOTES/end"
    wait $job
  done
  goes_on "cable put back after $out s ($provider, $again)"
  ends_well "interruptions ($provider)"

  # It stays out.
  export WEFT_LINK_TIMEOUT=4
  start
  cable down
  ends_with "nothing was heard of node [01] \($ends_named.*as if the link" "cable out ($provider)"
  cable up

  # Connections are killed. (Until that is seen the provider has made new ones, and what was lost with the old ones is missing.)
  export WEFT_LINK_TIMEOUT=30
  for coalesce in 1 0; do
    export WEFT_COALESCE=$coalesce
    start loose
    # Connections that no look has seen yet have no name; there are twenty looks in a second in which the job runs.
    for _ in 1 2 3 4 5; do
      sleep 0.1
      goes_on "looks"
    done
    # (libfabric 1.17's rxm may fall over its own lost connection: then the job ends by that.)
    crash=
    [ $provider = auto ] || crash='|killed by signal 11'
    nsenter --net=/run/netns/weft-a ss -4 -t -K dst 10.77.0.2 >/dev/null 2>&1
    ends_with "connection between .*$ends_named.* was lost$crash" "ss -K ($provider, WEFT_COALESCE=$coalesce)"
  done
  unset WEFT_COALESCE
done
[ $# -eq 0 ] || exit 0

# The job goes on without a dead PE, but not without what was lost with a connection to one that lives.
export WEFT_LINK_TIMEOUT=30 WEFT_PROVIDER=auto WEFT_ON_DEATH=continue
for coalesce in 1 0; do
  export WEFT_COALESCE=$coalesce
  start alone
  kill -KILL "$(cat "$NOTES/pid.1")"
  sleep 1
  goes_on "a death (WEFT_COALESCE=$coalesce)"
  nsenter --net=/run/netns/weft-a ss -4 -t -K dst 10.77.0.2 >/dev/null 2>&1
  ends_with "(connection between .*$ends_named.*|operation over .*) was lost" "ss -K behind a death (WEFT_COALESCE=$coalesce)"
done
unset WEFT_COALESCE
# Nor without the link.
export WEFT_LINK_TIMEOUT=4
start
cable down
ends_with "nothing was heard of node [01] \($ends_named.*as if the link" "cable out (WEFT_ON_DEATH=continue)"
cable up
unset WEFT_ON_DEATH

# All processes are stopped for longer than the timeout, or their machine is, while the cable is out: no time passes for them.
export WEFT_LINK_TIMEOUT=10
start
cable down
kill -STOP $(cat "$NOTES"/pid.*)
sleep 12
kill -CONT $(cat "$NOTES"/pid.*)
sleep 1
cable up
goes_on "all stopped"
ends_well "all stopped"

# A PE waits for what needs no answer, and the host that it waits for is gone, or its process is stopped.
export WEFT_LINK_TIMEOUT=3
start waits
cable down
ends_with "nothing was heard of node [01] \($ends_named" "cable out under a wait"
cable up
start waits
kill -STOP "$(cat "$NOTES/pid.2")" "$(cat "$NOTES/pid.3")"
within 30 grep -Eq 'node 1 has not answered for [0-9]* s' "$NOTES/err" || fail "stopped under a wait: no line"
kill -CONT "$(cat "$NOTES/pid.2")" "$(cat "$NOTES/pid.3")"
touch "$NOTES/end"
wait $job || fail "stopped under a wait: status $?"

# A link that is idle for several times as long is not silent. (At its end a busy machine may be slow to answer.)
export WEFT_LINK_TIMEOUT=1
start idle
sleep 4
touch "$NOTES/end"
wait $job || fail "idle: status $?"
[ "$(grep -vc 'has not answered for [0-9]* s' "$NOTES/err")" -eq 0 ] || fail "idle: a line"

# What is sent is lost from the beginning (nobody has this address): no connection is made, and whatever is sent first says so.
export WEFT_LINK_TIMEOUT=2
ip -n weft-a neigh replace 10.77.0.2 lladdr 02:00:00:00:00:99 nud permanent dev eth0
fresh
timeout 100 "$WEFTRUN" -n 2 --netns weft-a,weft-b "$VICTIM" >"$NOTES/out" 2>"$NOTES/err" </dev/null &
job=$!
ends_with "no connection to node [01] over .* within 2 s" "closed from the start"
ip -n weft-a neigh del 10.77.0.2 dev eth0

# A process that stays stopped is no broken link: the job waits, and says so.
WEFT_PROVIDER=auto
start alone
kill -STOP "$(cat "$NOTES/pid.2")"
within 30 grep -Eq '(a node|node 1) has not answered for [0-9]* s' "$NOTES/err" || fail "stopped: no line"
kill -CONT "$(cat "$NOTES/pid.2")"
goes_on "stopped for long"
touch "$NOTES/end"
wait $job || fail "stopped for long: status $?"
exit 0
