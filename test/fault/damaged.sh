#!/bin/sh
# A packet that makes no sense is one line at the port that takes it, which names the sender, and the end of the job.
set -u
. "$(dirname "$0")/lib.sh"
run="$WEFTRUN -n 2 --nodes 2 $(dirname "$VICTIM")/fault.damaged"
for which in $(seq 0 58); do
  ends 1 "pe 1: pe 0.*(sent a damaged (packet|call)|with pe 1 reaches beyond its memory|at an address that is not symmetric|its address is not aligned|before its greeting|sent a damaged part of a collective's data)|pe 1: (PE 0 sent a damaged message|a message from PE 0 says 8 bytes and has more)|pe 1: node 0 sent a damaged answer: " $run "$which"
  [ "$(grep -vc 'ended the job with status' "$NOTES/err")" -eq 1 ] || fail "$which: more than one line"
done
exit 0
