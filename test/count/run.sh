#!/bin/sh
# Counts the instructions of Weft's shortest paths and checks the limits that the project promises.
#   run.sh WEFTRUN WEFT-COUNT PATHS      (paths.c, optimised, linked with the shared library)
# Exit status: 0 all within their limits, 1 not, 77 this machine cannot count.
set -u
weftrun=$1 count=$2 paths=$3
. "$(dirname "$0")/lib.sh"

run() { # NAME WEFTRUN-OPTIONS [VARIABLE=VALUE...]
  name=$1 options=$2
  shift 2
  count_job "$name" "$paths" 'count_int_p count_int_g count_fetch_add count_quiet count_quiet_idle
    count_putmem count_getmem count_test_hit count_test_miss count_wait_until_hit
    shmem_int_p@libweft* shmem_int_g@libweft* shmem_quiet@libweft* shmem_int_atomic_fetch_add@libweft*' "$options" "$@"
}

run node ''
run plain '--nodes 2' WEFT_COALESCE=0
run counter '--nodes 2' WEFT_COALESCE=0 WEFT_PROVIDER=sockets
run coalesced '--nodes 2'

rule
head_row instructions 'SFI 2014' 'SOS 2025' OSHMEM OSSS GASNet
rule
echo 'on one node, to return'
row '  shmem_int_p inline' "$(inline node count_int_p)" 8 - - 208 221 10
row '  shmem_int_g inline' "$(inline node count_int_g)" 8 - - 393 411 12
row '  shmem_int_atomic_fetch_add inline' "$(inline node count_fetch_add)" 8 - - 353 400 -
row '  shmem_putmem inline, 8 bytes' "$(inline node count_putmem)" 10 - - - - -
row '  shmem_getmem inline, 8 bytes' "$(inline node count_getmem)" 12 - - - - -
row '  shmem_quiet' "$(get node count_quiet total)" 4 - - 254 248 -
row '  shmem_int_p called' "$(get node shmem_int_p total)" 10 - - 208 221 -
row '  shmem_int_g called' "$(get node shmem_int_g total)" - - - 393 411 -
row '  shmem_int_atomic_fetch_add called' "$(get node shmem_int_atomic_fetch_add total)" - - - 353 400 -
row '  shmem_quiet called' "$(get node shmem_quiet total)" - - - 254 248 -
row '  shmem_int_wait_until that holds' "$(get node count_wait_until_hit total)" 45 - - - - -
row '  shmem_int_test that holds' "$(get node count_test_hit total)" 56 - - - - -
row '  shmem_int_test that does not' "$(get node count_test_miss total)" 175 - - - - -
echo 'to another node, up to libfabric, WEFT_COALESCE=0'
row '  shmem_int_p, tcp' "$(get plain count_int_p to)" 16 16 60 - - -
row '  shmem_int_p, sockets' "$(get counter count_int_p to)" 16 16 60 - - -
row '  shmem_int_p called, tcp' "$(get plain shmem_int_p to)" - 16 60 - - -
row '  shmem_quiet, sockets (counter)' "$(get counter count_quiet to)" 8 11 36 - - -
row '  shmem_quiet, tcp (flush)' "$(get plain count_quiet to)" 20 11 36 - - -
row '  shmem_int_g, tcp' "$(get plain count_int_g to)" - - 69 - - -
echo 'to another node, up to libfabric, gathered, and nothing is under way there'
row '  shmem_int_p' "$(get coalesced count_int_p to)" 250 - - - - -
row '  shmem_putmem, 8 bytes' "$(get coalesced count_putmem to)" 280 - - - - -
row '  shmem_getmem, 8 bytes' "$(get coalesced count_getmem to)" 340 - - - - -
row '  shmem_int_atomic_fetch_add' "$(get coalesced count_fetch_add to)" 300 - - - - -
echo 'to another node, to return'
row '  shmem_int_p, tcp' "$(get plain count_int_p total)" - - 1332 - - -
row '  shmem_int_p coalesced' "$(get coalesced count_int_p total)" - - - - - -
rule
cat <<'TEXT'
"inline": without the return of the function that stands around the call. "called": from the symbol's
first instruction to its return. "up to libfabric": before the first instruction of libfabric, the
test for the node and the jump included. 8 bytes: the compiler does not know how many there are.
SFI 2014: SHMEM-SFI in the scalable fabric interfaces paper, without a test for the node; in the same
paper a put takes 402 (MVAPICH2-X) and 388 (GASNet-IBV). SOS 2025: Sandia OpenSHMEM over tcp;ofi_rxm.
OSHMEM: Open MPI 4.1.4 over UCX. OSSS: OSSS-UCX. GASNet: GASNet-EX 2025.8 put_val, get_val. The peers
were counted the same way on 2 PEs of one machine (single steps, agreeing with callgrind and objdump).
TEXT
exit $failed
