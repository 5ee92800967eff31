# WEFT_ON_DEATH=continue where the hosts are machines of their own, as their names differ: a death on one is told to the other by packets.
# Members of teams die, in the end all of a host; and the others go on to put to such a host.
set -u
. "$(dirname "$0")/lib.sh"
[ -n "${WEFT_TEST_INSIDE:-}" ] || {
  WEFT_TEST_INSIDE=1 "$WEFT_SOURCE/test/netns.sh" run sh "$0"
  exit $?
}
PATH=$PATH:/usr/sbin:/sbin
export WEFT_ON_DEATH=continue

try() { # PES DEATHS PROGRAM ARGUMENTS...
  n=$1 deaths=$2 what="$3 ${4:-} ${5:-} ($WEFT_PROVIDER)" program=$WEFT_BUILD/test-bin/$3
  shift 3
  # shellcheck disable=SC2016
  timeout 50 "$WEFTRUN" -n "$n" --netns weft-a,weft-b sh -c 'host=$(ip netns identify $$) && [ "$host" ] && exec "$0/test/as-host.sh" "$host" "$@"' \
    "$WEFT_SOURCE" "$program" "$@" >"$NOTES/out" 2>"$NOTES/err" || fail "$what: status $?: $(cat "$NOTES/out")"
  [ "$(grep -c right "$NOTES/out")" -eq 1 ] || fail "$what: $(cat "$NOTES/out")"
  [ "$(grep -c 'the others go on' "$NOTES/err")" -eq "$deaths" ] && [ "$(wc -l <"$NOTES/err")" -eq "$deaths" ] || fail "$what"
}
for WEFT_PROVIDER in auto rxm sockets; do
  export WEFT_PROVIDER
  for first in 0 1; do try 5 3 coll.deaths $first; done
  try 4 2 fault.survivor
  [ "$WEFT_PROVIDER" = auto ] || continue
  for first in 2 3 4 5; do try 5 3 coll.deaths $first; done
  for who in 0 1; do try 5 2 coll.gone $who $who; done
done
# A quiet that counts deliveries waits for none to the dead.
export WEFT_PROVIDER=auto WEFT_COALESCE=0 WEFT_DEBUG=completion=delivery
try 4 2 fault.survivor
unset WEFT_DEBUG
export WEFT_PROVIDER=sockets
for long in '' long; do try 4 2 fault.survivor $long; done
exit 0
