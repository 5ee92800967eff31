#!/bin/sh
# Connections between nodes have the congestion control that WEFT_TCP_CONGESTION says: two namespaces, whose own one is changed.
#   congestion.sh WEFTRUN PROGRAM
set -e
here=$WEFT_SOURCE/test/netns.sh
if [ -z "$WEFT_TEST_INSIDE" ]; then
  grep -qw bbr /proc/sys/net/ipv4/tcp_allowed_congestion_control || { echo "skipped: no BBR here"; exit 77; }
  WEFT_TEST_INSIDE=1 exec "$here" run -n 2 "$0" "$@"
fi
systems() { # NAME
  for host in weft-a weft-b; do
    ip netns exec $host sh -c "echo $1 >/proc/sys/net/ipv4/tcp_congestion_control"
  done
}
run() { # WANTED [NAME=VALUE...]
  wanted=$1
  shift
  env "$@" "$WEFTRUN" -n 4 --netns weft-a,weft-b "$PROGRAM" "$wanted"
}
WEFTRUN=$1 PROGRAM=$2
systems bbr
run reno
run reno WEFT_PROVIDER=rxm
run reno WEFT_PROVIDER=sockets
run bbr WEFT_TCP_CONGESTION=system
run reno WEFT_TCP_CONGESTION=reno
systems reno
run reno
run bbr WEFT_TCP_CONGESTION=bbr
