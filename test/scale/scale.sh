#!/bin/sh
# make scale: jobs far larger than the machine, with a table. scale.sh BUILD-DIRECTORY [PE-COUNTS [NODE-COUNTS]]
# Exit status 0: all came to a good end.
set -u
build=$1
pes=${2:-64 128 256 512 1000}
nodes=${3:-16 32 64 65 100 256 257}
program=$build/test-bin/scale.all
failed=0

now() { awk '{ print $1 }' /proc/uptime; }
one() { # WHAT COMMAND...
  what=$1
  shift
  line=$(timeout 300 "$@" "$program" "$(now)" 2>&1) || { failed=1; line="| failed: $(echo "$line" | tail -n 1) |"; }
  echo "| $what $line"
}

echo "| job | PEs | first barrier done after, s | barrier, ms | put to all, ms | PSS of PE 0, KB | descriptors | sockets |"
echo "|---|---|---|---|---|---|---|---|"
for n in $pes; do one 'one node' "$build/bin/weftrun" -n "$n"; done
for n in $nodes; do one 'a node each' "$build/bin/weftrun" -n "$n" --nodes "$n"; done
exit $failed
