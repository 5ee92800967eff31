# Counts the instructions of ARMCI's calls to a process of the node, from the entry to the return. A strided call that is
# contiguous costs what a contiguous one costs, and looking at its two levels.
#   count.sh WEFTRUN WEFT-COUNT PROGRAM
# Exit status: 0 all within the limits, 1 not, 77 this machine cannot count.
set -u
weftrun=$1 count=$2 program=$3
. "$WEFT_SOURCE/test/count/lib.sh"
symbols=
for name in Put Get Acc PutS GetS AccS NbPutS Fence; do symbols="$symbols PARMCI_$name@libarmci*"; done
count_job node "$program" "$symbols" ''
rule
head_row '64 bytes, instructions'
for name in Put Get Acc; do
  block=$(get node PARMCI_$name total)
  row "  ARMCI_$name" "$block" $([ $name = Acc ] && echo 345 || echo 45)
  row "  ARMCI_${name}S, contiguous" "$(get node PARMCI_${name}S total)" $((block + $([ $name = Acc ] && echo 65 || echo 50)))
done
row '  ARMCI_NbPutS, four rows' "$(get node PARMCI_NbPutS total)" 400
row '  ARMCI_Fence of nothing' "$(get node PARMCI_Fence total)" 60
rule
exit $failed
