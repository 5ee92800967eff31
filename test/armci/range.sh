# WEFT_CHECK=1: what is outside of every block, or in one that was freed, is told by one line, on a node and between nodes.
export WEFT_CHECK=1
said() { # WHICH TEXT [STATUS]
  for nodes in 1 2; do
    out=$(timeout 20 "$WEFTRUN" -n 2 --nodes $nodes "$WEFT_BUILD/test-bin/armci.range" "$1" 2>&1)
    got=$?
    [ $got -eq "${3:-1}" ] || { echo "$1, $nodes nodes: status $got: $out"; exit 1; }
    printf '%s\n' "$out" | grep -q "$2" || { echo "$1, $nodes nodes: not '$2' but: $out"; exit 1; }
  done
}
there='bytes at 0x[0-9a-f]* are not inside one live block of process 1'
said right '' 0
said put "pe 0: ARMCI_Put: 8 $there"
said own 'pe 0: ARMCI_Put: 8 bytes at 0x[0-9a-f]* are not inside one live block of process 0'
said get "ARMCI_Get: 8 $there"
said nbget "ARMCI_NbGet: 8 $there"
said acc "ARMCI_Acc: 8 $there"
said rows "ARMCI_PutS: 48 $there"
said rows-back "ARMCI_PutS: 16 $there"
said list "ARMCI_PutV: 8 $there"
said rmw "ARMCI_Rmw: 8 $there"
said value "ARMCI_PutValueLong: 8 $there"
