# WEFT_CHECK=1: who waits for long for another image says where, a team's number is positive, and all images give a
# collective subroutine equally much.
PROGRAM=$WEFT_BUILD/test-bin/caf.lonely
. "$(dirname "$0")/../lonely.sh"
for nodes in '' '--nodes 2'; do
  lonely images "SYNC IMAGES: $waits" "$nodes" &
  lonely event "EVENT WAIT: $waits" "$nodes" &
  lonely team 'FORM TEAM: -1 is no number of a team' "$nodes" &
  lonely sum 'CO_SUM: members of the team call another collective' "$nodes" &
  lonely text 'CO_BROADCAST: members of the team call another collective' "$nodes" &
done
all_said
