# --netns: the PEs run in the namespaces, in blocks, and end like those of one node.
set -u
. "$(dirname "$0")/lib.sh"

if [ $# -eq 0 ]; then
  rm -rf "$DIR"
  exec sh "$WEFT_SOURCE/test/netns.sh" run sh "$0" inside
fi
got=$("$WEFTRUN" -n 3 --netns weft-a,weft-b \
  sh -c 'echo $PMI_RANK $WEFT_NODE $(ip -4 -o address show eth0 | sed "s/.*inet \([0-9.]*\).*/\1/")' | sort | tr '\n' ,)
[ "$got" = '0 weft-a 10.77.0.1,1 weft-a 10.77.0.1,2 weft-b 10.77.0.2,' ] || fail "got '$got'"
timeout 60 "$WEFTRUN" -n 3 --netns weft-a,weft-b "$PEER" exchange weftrun 3 || fail exchange
timeout 60 "$WEFTRUN" -n 4 --netns weft-a,weft-b "$PEER" kill "$DIR" 2 2>"$DIR/err"
[ $? -eq 137 ] || fail 'not status 137'
check_line 'pe 2 \(pid [0-9]+, node weft-b\) was killed by signal 9 \(Killed\); ending the job'
check_all_ended

# Pretended nodes where the loopback interface has no address of IPv4.
got=$(ip netns exec weft-a sh -c 'ip address del 127.0.0.1/8 dev lo; exec "$0" -n 2 --nodes 2 printenv WEFT_IFACE' "$WEFTRUN")
[ "$got" = "$(printf '::1\n::1')" ] || fail "IPv6 alone: WEFT_IFACE is $got"
exit 0
