# WEFT_CHECK=1: a process that waits in a collective which others do not call says so after a while; one that meets
# another collective ends the job at once.
PROGRAM=$WEFT_BUILD/test-bin/armci.lonely
. "$(dirname "$0")/../lonely.sh"
lonely barrier "pe 0: ARMCI_Barrier: $waits" &
lonely barrier "pe 0: ARMCI_Barrier: $waits" --nodes=2 &
lonely combine "pe 0: armci_msg_lgop: $waits" &
lonely broadcast "pe 0: armci_msg_bcast: $waits" &
lonely malloc "pe 0: ARMCI_Malloc: $waits" &
lonely group "pe 0: ARMCI_Group_create: $waits" &
lonely mutexes "pe 0: ARMCI_Create_mutexes: $waits" &
lonely receive "pe 0: armci_msg_rcv: $waits" &
lonely differ 'members of the team call another collective' &
all_said
