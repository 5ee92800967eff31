#!/bin/sh
# A host that offers its loopback address to others is told so at once, in one line; hosts that are one machine may use theirs.
#   loopback.sh WEFTRUN PROGRAM
here=$WEFT_SOURCE/test/netns.sh
[ -n "$WEFT_TEST_INSIDE" ] || WEFT_TEST_INSIDE=1 exec "$here" run -n 2 sh "$0" "$@"
weftrun=$1 program=$2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
refused() { # PE, PROVIDER, [WEFT_IFACE=lo] COMMAND...
  says="PE $1 has the address 127.0.0.1:[0-9]*, which other hosts cannot reach: is its network interface up"
  export WEFT_PROVIDER=$2
  shift 2
  WEFT_LINK_TIMEOUT=0 timeout 60 env "$@" >"$log" 2>&1
  status=$?
  { [ $status -ne 0 ] && [ $status -ne 124 ] && [ "$(grep -c "$says" "$log")" = 1 ] &&
    [ "$(grep -vc 'ended the job with status' "$log")" = 1 ]; } || { cat "$log"; exit 1; }
}
for provider in auto rxm sockets; do
  refused 1 $provider "$weftrun" -n 2 --netns weft-a,weft-b sh -c '[ $PMI_RANK != 1 ] || export WEFT_IFACE=lo; exec "$0"' "$program"
done
refused 0 auto WEFT_IFACE=127.0.0.1 "$weftrun" -n 4 --netns weft-a,weft-b "$program"
export WEFT_PROVIDER=auto
ip -n weft-b link set eth0 down # and the other end has no carrier
refused '[01]' auto "$weftrun" -n 2 --netns weft-a,weft-b "$program"
WEFT_IFACE=lo timeout 60 "$weftrun" -n 2 --nodes 2 "$program"
