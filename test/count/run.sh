#!/bin/sh
# Counts the instructions of Weft's shortest paths and checks the limits that the project promises.
#   run.sh WEFTRUN WEFT-COUNT PATHS      (paths.c, optimised, linked with the shared library)
# Exit status: 0 all within their limits, 1 not, 77 this machine cannot count.
set -u
weftrun=$1 count=$2 paths=$3
skip=10 # calls that pass first

"$count" --out /dev/null --symbol main true
if [ $? -eq 77 ]; then
  echo "skipped: no single-stepping here"
  exit 77
fi
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

run() { # NAME WEFTRUN-OPTIONS [VARIABLE=VALUE...]: counts every path of that job into NAME.csv
  name=$1 options=$2
  shift 2
  env "$@" "$weftrun" -n 2 $options "$count" --csv --skip $skip --out "$tmp/$name.csv" \
    -s count_int_p -s count_int_g -s count_fetch_add -s count_quiet -s count_quiet_idle \
    -s 'shmem_int_p@libweft*' -s 'shmem_int_g@libweft*' -s 'shmem_quiet@libweft*' \
    -s 'shmem_int_atomic_fetch_add@libweft*' "$paths" ||
    { echo "run.sh: the job '$name' failed"; failed=1; }
}

get() { # JOB SYMBOL KIND
  awk -F, -v symbol="$2" -v kind="$3" '$1 == symbol && $3 == kind { print $6; exit }' \
    "$tmp/$1.csv" 2>/dev/null
}

rule() {
  printf '%s\n' '---------------------------------------------------------------------------------------------------'
}

row() { # TEXT VALUE LIMIT SFI SOS OSHMEM OSSS GASNET; LIMIT - : for information
  verdict=
  if [ -z "$2" ]; then
    failed=1 verdict="NOT COUNTED"
  elif [ "$3" != - ] && [ "$2" -gt "$3" ]; then
    failed=1 verdict="OVER"
  fi
  printf '%-39s %6s %6s %9s %9s %7s %7s %7s%s\n' "$1" "${2:--}" "$3" "$4" "$5" "$6" "$7" "$8" "${verdict:+ $verdict}"
}

inline() { # JOB SYMBOL: the total without the return of the function around the call
  total=$(get "$1" "$2" total)
  [ -z "$total" ] || echo $((total - 1))
}

run node ''
run plain '--nodes 2' WEFT_COALESCE=0
run counter '--nodes 2' WEFT_COALESCE=0 WEFT_PROVIDER=sockets
run coalesced '--nodes 2'

rule
printf '%-39s %6s %6s %9s %9s %7s %7s %7s\n' \
  instructions Weft limit 'SFI 2014' 'SOS 2025' OSHMEM OSSS GASNet
rule
echo 'on one node, to return'
row '  shmem_int_p inline' "$(inline node count_int_p)" 8 - - 208 221 10
row '  shmem_int_g inline' "$(inline node count_int_g)" 8 - - 393 411 12
row '  shmem_int_atomic_fetch_add inline' "$(inline node count_fetch_add)" 8 - - 353 400 -
row '  shmem_quiet' "$(get node count_quiet total)" 4 - - 254 248 -
row '  shmem_int_p called' "$(get node shmem_int_p total)" 10 - - 208 221 -
row '  shmem_int_g called' "$(get node shmem_int_g total)" - - - 393 411 -
row '  shmem_int_atomic_fetch_add called' "$(get node shmem_int_atomic_fetch_add total)" - - - 353 400 -
row '  shmem_quiet called' "$(get node shmem_quiet total)" - - - 254 248 -
echo 'to another node, up to libfabric, WEFT_COALESCE=0'
row '  shmem_int_p, tcp;ofi_rxm' "$(get plain count_int_p to)" 16 16 60 - - -
row '  shmem_int_p, sockets' "$(get counter count_int_p to)" 16 16 60 - - -
row '  shmem_int_p called, tcp;ofi_rxm' "$(get plain shmem_int_p to)" - 16 60 - - -
row '  shmem_quiet, sockets (counter)' "$(get counter count_quiet to)" 8 11 36 - - -
row '  shmem_quiet, tcp;ofi_rxm (flush)' "$(get plain count_quiet to)" 20 11 36 - - -
row '  shmem_int_g, tcp;ofi_rxm' "$(get plain count_int_g to)" - - 69 - - -
echo 'to another node, to return'
row '  shmem_int_p, tcp;ofi_rxm' "$(get plain count_int_p total)" - - 1332 - - -
row '  shmem_int_p coalesced' "$(get coalesced count_int_p total)" - - - - - -
rule
cat <<'TEXT'
"inline": without the return of the function that stands around the call. "called": from the symbol's
first instruction to its return. "up to libfabric": before the first instruction of libfabric, the
test for the node and the jump included.
SFI 2014: SHMEM-SFI in the scalable fabric interfaces paper, without a test for the node; in the same
paper a put takes 402 (MVAPICH2-X) and 388 (GASNet-IBV). SOS 2025: Sandia OpenSHMEM over tcp;ofi_rxm.
OSHMEM: Open MPI 4.1.4 over UCX. OSSS: OSSS-UCX. GASNet: GASNet-EX 2025.8 put_val, get_val. The peers
were counted the same way on 2 PEs of one machine (single steps, agreeing with callgrind and objdump).
TEXT
exit $failed
