#!/bin/sh
# What MPI's launchers call in the place of ssh, inside netns.sh: in-netns.sh [OPTION...] HOST COMMAND...
# HOST is one of its namespaces or its address. There it has shared memory and a host name of its own, weft-a or weft-b.
while case $1 in -*) true ;; *) false ;; esac; do shift; done
case $1 in
weft-a | 10.77.0.1) host=weft-a ;;
weft-b | 10.77.0.2) host=weft-b ;;
*) echo "in-netns.sh: no host '$1'" >&2; exit 1 ;;
esac
shift
exec ip netns exec $host "$(dirname "$0")/as-host.sh" $host sh -c "$*"
