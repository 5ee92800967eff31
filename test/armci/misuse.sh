# Each of these ends the job at once with one line that says what is wrong, and a status that is not 0.
said() { # WHICH TEXT [STATUS]
  for nodes in "" $more; do
    # shellcheck disable=SC2086
    out=$(timeout 20 "$WEFTRUN" -n 2 $nodes "$WEFT_BUILD/test-bin/armci.misuse" "$1" 2>&1)
    got=$?
    [ $got -eq "${3:-1}" ] || { echo "$1 $nodes: status $got: $out"; exit 1; }
    case $out in *"$2"*) ;; *) echo "$1 $nodes: not '$2' but: $out"; exit 1 ;; esac
  done
}
more=--nodes=2 # what may depend on where the target is
said finalized 'ARMCI_Put: not between ARMCI_Init and ARMCI_Finalize'
said proc 'ARMCI_Put: process 2 does not exist (they are 0 to 1)'
said mutex-twice 'ARMCI_Lock: mutex 1 of process 0 is held by this process already'
said mutex-unlock 'ARMCI_Unlock: mutex 1 of process 0 is not held by this process'
said error 'ARMCI_Error: on purpose (code 7)' 7
said cleanup 'exit(5) without ARMCI_Finalize' 5
WEFT_CHECK=1 said range 'ARMCI_Put: remote memory'
more=
said before 'ARMCI_AllFence: not between ARMCI_Init and ARMCI_Finalize'
said negative 'ARMCI_Get: -8 bytes'
said levels 'ARMCI_PutS: 9 levels of strides'
said elements 'ARMCI_Acc: blocks of 12 bytes are no whole elements'
said type 'ARMCI_Acc: 1000 is no type'
said scale 'ARMCI_Acc: no scale'
said rmw 'ARMCI_Rmw: 77 is no operation'
said unaligned 'ARMCI_Rmw: process 0, object'
said handle 'ARMCI_Wait: no handle'
said operation "armci_msg_lgop: no operation 'xor'"
said truncated 'armci_msg_rcv: a message of 24 bytes from 0, room for 8'
said no-mutexes 'ARMCI_Lock: there are no mutexes'
said mutex-number 'ARMCI_Lock: process 0 has no mutex 2'
said mutex-sets 'ARMCI_Create_mutexes: there are mutexes already'
said group 'ARMCI_Group_create: rank 0 is in the list twice'
said abort 'armci_msg_abort (code 9)' 9
