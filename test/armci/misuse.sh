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
once() { # OUTPUT LINES
  [ "$(printf '%s\n' "$1" | grep -c '^weft:')" -eq "$2" ] || { echo "not $2 lines: $1"; exit 1; }
}
more=--nodes=2 # what may depend on where the target is
said finalized 'ARMCI_Put: not between ARMCI_Init and ARMCI_Finalize'
said over 'ARMCI_Barrier: not between ARMCI_Init and ARMCI_Finalize'
said proc 'ARMCI_Put: process 2 does not exist (they are 0 to 1)'
said mutex-twice 'ARMCI_Lock: mutex 1 of process 0 is held by this process already'
said mutex-unlock 'ARMCI_Unlock: mutex 1 of process 0 is not held by this process'
for death in end continue; do
  WEFT_ON_DEATH=$death said mutex-kept 'is not given up any more: pe 0 has it, and is at its end'
done
said error 'ARMCI_Error: on purpose (code 7)' 7
said cleanup 'exit(5) without ARMCI_Finalize' 5
WEFT_CHECK=1 said range 'ARMCI_Put: remote memory'
WEFT_CHECK=1 said sums 'armci_msg_lgop: members of the team call another collective'
WEFT_CHECK=1 said strides "ARMCI_AccS: the target's stride of level 0 is 4 bytes, the block below it has 8"
WEFT_CHECK=1 said unused-handle 'ARMCI_Wait: no operation was begun with this handle'
WEFT_FINALIZE_LIMIT=1 said alone 'ARMCI_Finalize: not all 2 processes called it within 1 s' # trap 6
said killed 'signal 9' 137                                                                # trap 40
WEFT_ON_DEATH=continue said dead-member 'ARMCI: a process of a group of 2 is gone'
# (AddressSanitizer's malloc ends a program that asks for so much, unless it is told not to.)
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}allocator_may_return_null=1"
WEFT_PRIVATE_SIZE=16M said exhausted 'ARMCI_Malloc: no room for 17179869184 bytes' 0       # trap 40
once "$out" 1
WEFT_CHECK=1 WEFT_PRIVATE_SIZE=16M said exhausted 'ARMCI_Malloc_local: no room for 1152921504606846976 bytes, so it returns NULL' 0
once "$out" 3
more=
said before 'ARMCI_AllFence: not between ARMCI_Init and ARMCI_Finalize'
said before-malloc 'ARMCI_Malloc: not between ARMCI_Init and ARMCI_Finalize'
said negative 'ARMCI_Get: -8 bytes'
said levels 'ARMCI_PutS: 9 levels of strides'
said elements 'ARMCI_Acc: blocks of 12 bytes are no whole elements'
said type 'ARMCI_Acc: 1000 is no type'
said scale 'ARMCI_Acc: no scale'
said rmw 'ARMCI_Rmw: 77 is no operation'
said unaligned 'ARMCI_Rmw: process 0, object'
said handle 'ARMCI_Wait: no handle'
said free 'ARMCI_Free: 0x'
said free-again 'was freed before'
said free-again 'ARMCI_Free: 0x'
said free-beyond 'is a block beyond whose end the program wrote'
said operation "armci_msg_lgop: no operation 'xor'"
said truncated 'armci_msg_rcv: a message of 24 bytes from 0, room for 8'
said no-mutexes 'ARMCI_Lock: there are no mutexes'
said mutex-number 'ARMCI_Lock: process 0 has no mutex 2'
said mutex-sets 'ARMCI_Create_mutexes: there are mutexes already'
said group 'ARMCI_Group_create: rank 0 is in the list twice'
said assert 'file.c:12: function: assertion failed: x == 1' 3
said printed 'seen 5' 0
said abort 'armci_msg_abort (code 9)' 9

# Options that job scripts set for other implementations are answered by one line each, and the program goes on.
one_line() { # OPTION=VALUE TEXT
  out=$(env "$1" timeout 20 "$WEFTRUN" -n 2 "$WEFT_BUILD/test-bin/armci.misuse" none 2>&1) || { echo "$1: $out"; exit 1; }
  [ "$(printf '%s\n' "$out" | wc -l)" -eq 1 ] || { echo "$1: not one line: $out"; exit 1; }
  case $out in *"$2"*) ;; *) echo "$1: not '$2' but: $out"; exit 1 ;; esac
}
one_line ARMCI_DEFAULT_SHMMAX=64 'ARMCI_DEFAULT_SHMMAX is ignored'
one_line GA_NUM_PROGRESS_RANKS_PER_NODE=1 'all 2 processes compute'
one_line ARMCI_VERBOSE=1 'ARMCI by Weft'
[ -z "$(COMEX_MAX_NB_OUTSTANDING=8 "$WEFTRUN" -n 2 "$WEFT_BUILD/test-bin/armci.misuse" none 2>&1)" ] || exit 1

# What ARMCI calls do is in the table of --stats, by size.
for nodes in 1 2; do
  out=$("$WEFTRUN" -n 2 --nodes $nodes --stats "$WEFT_BUILD/test-bin/armci.misuse" counted 2>&1) || { echo "$out"; exit 1; }
  row=$(printf '%s\n' "$out" | awk '$1 == 0 && NF == 14 { print $2, $3, $4, $5, $6, $7; exit }')
  [ "$row" = '1 24B 3 24B 2 24B' ] || { echo "--stats, $nodes nodes: $row in $out"; exit 1; }
done
