#!/bin/sh
# How many functions lie between a call of the program and libfabric, inlined ones included: at most 6.
#   depth.sh WEFTRUN DEPTH
set -u
command -v addr2line >/dev/null || { echo "no addr2line here"; exit 77; }
out=$("$1" -n 2 --nodes 2 "$2") || { echo "$out"; exit 1; }
status=0
for what in quiet atomic; do
  addresses=$(echo "$out" | sed -n "s/^$what //p")
  [ "$addresses" ] || { echo "$what: libfabric was not reached"; exit 1; }
  names=$(addr2line -f -i -e "$2" $addresses | awk 'NR % 2' | sed '/^program_/,$d; /^fi_/d')
  echo "$what:" $names
  [ "$(echo "$names" | wc -l)" -le 6 ] || status=1
done
exit $status
