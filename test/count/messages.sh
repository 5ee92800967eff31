#!/bin/sh
# Counts the instructions of GASNet's active messages and checks the limits that the project promises.
#   messages.sh WEFTRUN WEFT-COUNT PROGRAM      (messages.c, optimised, linked with the shared library)
# Exit status: 0 all within their limits, 1 not, 77 this machine cannot count.
set -u
weftrun=$1 count=$2 program=$3
. "$(dirname "$0")/lib.sh"

sent='count_short0 count_short2 count_medium count_poll_idle'
count_job node "$program" "$sent" ''
pe=1
count_job reply "$program" count_reply ''
pe=0
count_job away "$program" "$sent" '--nodes 2'
pe=1
count_job reply_away "$program" count_reply '--nodes 2'

rule
head_row instructions 'SFI 2014' 'GASNet-EX'
rule
echo 'on one node, to return'
row '  AM short, no argument, inline' "$(inline node count_short0)" 24 - 190
row '  AM short, 2 arguments, inline' "$(inline node count_short2)" 24 - 220
row '  AM short, 2 arguments, reply' "$(inline reply count_reply)" - - 220
row '  AM medium, 64 bytes' "$(inline node count_medium)" - - 244
row '  poll with nothing there' "$(inline node count_poll_idle)" - - 50
echo 'to another node, up to libfabric, tcp'
row '  AM short, 2 arguments' "$(get away count_short2 to)" 93 106 82
row '  AM short, 2 arguments, reply' "$(get reply_away count_reply to)" - 106 82
row '  AM medium, 64 bytes' "$(get away count_medium to)" - - -
rule
cat <<'TEXT'
A short message to another node takes three more behind one that is not answered yet, as every second one here is.
"inline": without the return of the function that stands around the call. SFI 2014: GASNet-IBV in the scalable fabric
interfaces paper. GASNet-EX: 2025.8, smp and ofi conduits, counted the same way; of its own it executes 248 for a short
message to another node.
TEXT
exit $failed
