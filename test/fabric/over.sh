# The network's tests once more over a libfabric 2.x: the one in PyPI's mpich, which scripts/peers installs below build/peers, with its provider tcp.
set -u
library=$(ls "$WEFT_BUILD"/../peers/mpich/lib/mpich/libfabric.so.1 "$WEFT_SOURCE"/build/peers/mpich/lib/mpich/libfabric.so.1 2>/dev/null | head -n 1)
[ -n "$library" ] || {
  echo "skipped: no libfabric 2.x here (scripts/peers installs one)"
  exit 77
}
LD_LIBRARY_PATH=$(dirname "$library")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
out=$(mktemp)
trap 'rm -f "$out"' EXIT
ran=0
run() { # PES NODES PROGRAM [NAME=VALUE...]
  pes=$1 nodes=$2 program=$3
  shift 3
  [ -x "$WEFT_BUILD/test-bin/$program" ] || return 0
  env "$@" WEFT_PROVIDER=tcp WEFT_VERBOSE=1 "$WEFTRUN" -n "$pes" --nodes "$nodes" "$WEFT_BUILD/test-bin/$program" >"$out" 2>&1 || {
    echo "failed: $program, $pes PEs on $nodes nodes, $*: status $?"
    tail -n 20 "$out"
    exit 1
  }
  grep -q 'provider tcp,' "$out" || { echo "failed: $program did not run over libfabric's tcp"; exit 1; }
  ran=$((ran + 1))
}
for how in WEFT_COALESCE=1 WEFT_COALESCE=0; do
  for program in fault.signals fabric.litmus fabric.fence fabric.signal; do run 2 2 $program $how; done
  for program in shmem.rma_sizes shmem.lock shmem.ordering coll.sync coll.moves gasnet.teams; do
    run 4 2 $program $how
  done
done
run 8 8 fault.small
run 8 8 fault.small WEFT_HELPERS=1 WEFT_CTX_ENDPOINTS=2
[ $ran -gt 0 ] || { echo "skipped: none of the programs is built"; exit 77; }
echo "$ran runs over $(basename "$(readlink -f "$library")") of $library"
