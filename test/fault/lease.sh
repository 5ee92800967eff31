# A PE stops or dies with leases of a port's spare buffers out (lessee.c): the port serves the others.
set -u
. "$(dirname "$0")/lib.sh"
VICTIM=$WEFT_BUILD/test-bin/fault.lessee
export WEFT_DEBUG=port_buffers=2x3K,port_spares=4x8K WEFT_TEST_SECONDS=50
fresh
timeout 60 "$WEFTRUN" -n 4 --nodes 2 "$VICTIM" stop >"$NOTES/out" 2>"$NOTES/err" </dev/null || fail "stop: status $?"
nothing_left
ends 137 "pe 3 .*signal 9" "$WEFTRUN" -n 4 --nodes 2 "$VICTIM" die
