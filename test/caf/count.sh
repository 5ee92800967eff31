# Counts the instructions of a scalar get and put on a node, from the entry to the return: at most 40 each.
#   count.sh WEFTRUN WEFT-COUNT PROGRAM
# Exit status: 0 both within the limit, 1 not, 77 this machine cannot count.
set -u
weftrun=$1 count=$2 program=$3
. "$WEFT_SOURCE/test/count/lib.sh"
count_job node "$program" '_gfortran_caf_get@libcaf* _gfortran_caf_send@libcaf*' ''
rule
head_row instructions
row '  get of a scalar on a node' "$(get node _gfortran_caf_get total)" 40
row '  put of a scalar on a node' "$(get node _gfortran_caf_send total)" 40
rule
exit $failed
