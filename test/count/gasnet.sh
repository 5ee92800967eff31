#!/bin/sh
# Counts the instructions of GASNet's shortest puts, gets and atomics and checks the limits that the project promises.
#   gasnet.sh WEFTRUN WEFT-COUNT PROGRAM      (gasnet_rma.c, optimised, linked with the shared library)
# Exit status: 0 all within their limits, 1 not, 77 this machine cannot count.
set -u
weftrun=$1 count=$2 program=$3
. "$(dirname "$0")/lib.sh"

names='put_val put_nbi put_nbi_val get_val wait_puts wait_puts_idle'
symbols='gex_RMA_PutNBI@libweft* gex_NBI_Wait@libweft* count_ex_fetch_add count_ex_add'
for name in $names; do symbols="$symbols count_ex_$name count_g1_$name"; done

count_job node "$program" "$symbols" ''
count_job plain "$program" "$symbols" '--nodes 2' WEFT_COALESCE=0
count_job coalesced "$program" "$symbols" '--nodes 2'

pair() { # COUNT JOB NAME KIND-OF-LIMIT PEERS...: GASNet-EX's and GASNet-1's
  how=$1 job=$2 name=$3 limit=$4
  shift 4
  for api in ex g1; do
    if [ "$how" = inline ]; then value=$(inline "$job" "count_${api}_$name"); else value=$(get "$job" "count_${api}_$name" "$how"); fi
    row "  $name, $([ $api = ex ] && echo GASNet-EX || echo GASNet-1)" "$value" "$limit" "$@"
  done
}

rule
head_row instructions 'SFI 2014' 'GASNet-EX'
rule
echo 'on one node, to return, inline'
pair inline node put_val 8 - 10
pair inline node put_nbi 8 - 14
pair inline node put_nbi_val 8 - -
pair inline node get_val 8 - 12
pair inline node wait_puts_idle 8 - -
row '  gex_AD_OpNB_I64 FADD, gex_Event_Wait' "$(inline node count_ex_fetch_add)" 12 - -
row '  gex_AD_OpNBI_I64 ADD' "$(inline node count_ex_add)" 8 - -
row '  gex_RMA_PutNBI called' "$(get node gex_RMA_PutNBI total)" - - -
echo 'to another node, up to libfabric, WEFT_COALESCE=0, tcp'
pair to plain put_nbi 30 - 114
pair to plain put_nbi_val 30 - -
pair to plain wait_puts 20 56 61
row '  gex_RMA_PutNBI called' "$(get plain gex_RMA_PutNBI to)" - - 114
row '  gex_NBI_Wait(GEX_EC_PUT) called' "$(get plain gex_NBI_Wait to)" - 56 61
pair to plain put_val - - -
pair to plain get_val - - -
echo 'to another node, to return'
pair inline plain wait_puts_idle 8 - -
pair inline coalesced put_nbi - - -
rule
cat <<'TEXT'
"inline": without the return of the function that stands around the call. SFI 2014: GASNet-IBV in the scalable fabric
interfaces paper. GASNet-EX: 2025.8, smp and ofi conduits, counted the same way.
TEXT
exit $failed
