#!/bin/sh
# Network namespaces that play hosts: weft-a, weft-b, ... joined by a bridge (10.77.0.1, 10.77.0.2, ...).
#   netns.sh run [-n COUNT] COMMAND...   namespaces private to COMMAND, gone when it ends, however it ends
#   netns.sh up [COUNT] / down           the same for all to see, to try things by hand (root)
# `run` needs root, or a machine that lets users make user namespaces. Where it is not permitted: one line, and
# exit status 77 ("skipped").
set -e
PATH=$PATH:/usr/sbin:/sbin
names="a b c d e f g h"

make_hosts() { # COUNT: the first namespace carries the bridge (two hosts need none)
  i=0
  for x in $names; do
    i=$((i + 1))
    [ $i -le "$1" ] || break
    ip netns add weft-$x
    ip -n weft-$x link set lo up
    if [ "$1" -eq 2 ]; then
      [ $i -eq 1 ] || ip -n weft-a link add eth0 type veth peer name eth0 netns weft-$x
    else
      [ $i -ne 1 ] || ip -n weft-a link add eth0 type bridge
      [ $i -eq 1 ] || ip -n weft-a link add to-$x type veth peer name eth0 netns weft-$x
      [ $i -eq 1 ] || ip -n weft-a link set to-$x master eth0 up
    fi
  done
  i=0
  for x in $names; do
    i=$((i + 1))
    [ $i -le "$1" ] || break
    ip -n weft-$x address add 10.77.0.$i/24 dev eth0
    ip -n weft-$x link set eth0 up
  done
  # The kernel calls a link running a moment later; until then libfabric passes over it.
  for x in $names; do
    [ -e /run/netns/weft-$x ] || break
    tries=100
    until ip -n weft-$x link show eth0 | grep -q 'state UP'; do
      tries=$((tries - 1))
      [ $tries -gt 0 ] || { echo "eth0 of weft-$x does not come up"; return 1; }
      sleep 0.05
    done
  done
}

case $1 in
run)
  shift
  count=2
  if [ "$1" = -n ]; then count=$2; shift 2; fi
  # Stage 1: a mount namespace (and, for ordinary users, a user namespace where one is root).
  if [ -z "$WEFT_NETNS_INSIDE" ]; then
    user=
    [ "$(id -u)" -eq 0 ] || user="--map-root-user --net"
    if ! command -v ip >/dev/null || ! unshare $user --mount --net true 2>/dev/null; then
      echo "skipped: network namespaces are not permitted here (or iproute2 is missing)"
      exit 77
    fi
    WEFT_NETNS_INSIDE=1 exec unshare $user --mount "$0" run -n "$count" "$@"
  fi
  unset WEFT_NETNS_INSIDE
  mkdir -p /run/netns 2>/dev/null || mount -t tmpfs weft-run /run && mkdir -p /run/netns
  mount -t tmpfs weft-netns /run/netns
  # (ip complains of things it does not need when root is only root of a user namespace.)
  said=$(make_hosts "$count" 2>&1) || {
    echo "skipped: cannot make network namespaces here: $said"
    exit 77
  }
  exec "$@"
  ;;
up) make_hosts "${2:-2}" ;;
down)
  for x in $names; do
    [ ! -e /run/netns/weft-$x ] || ip netns del weft-$x
  done
  ;;
*)
  sed -n '2,6s/^# //p' "$0" >&2
  exit 2
  ;;
esac
