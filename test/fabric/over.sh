# The network's tests once more. today: over a libfabric 2.x (today.sh), with its provider tcp, and what large messages need over tcp;ofi_rxm; how it fills and releases receive buffers, too (src/fabric/receive.c). basic: with memory regions as network cards want them, over what is here.
#   over.sh today|basic
set -u
out=$(mktemp)
trap 'rm -f "$out"' EXIT
ran=0
said= # what the library says of its provider
case $1 in
today)
  . "$WEFT_SOURCE/test/today.sh"
  said='provider tcp,'
  ;;
basic)
  WEFT_DEBUG=basic_regions=1
  export WEFT_DEBUG
  said='virtual addresses'
  ;;
esac
try() { # PROGRAM WHERE COMMAND...
  program=$1 where=$2
  shift 2
  [ -x "$WEFT_BUILD/test-bin/$program" ] || return 0
  env WEFT_VERBOSE=1 "$@" >"$out" 2>&1 || {
    echo "failed: $program$where: status $?"
    tail -n 20 "$out"
    exit 1
  }
  grep -q "$said" "$out" || { echo "failed: $program: not one line with '$said'"; exit 1; }
  ran=$((ran + 1))
}
run() { # PES NODES PROGRAM [NAME=VALUE...]
  pes=$1 nodes=$2 program=$3
  shift 3
  try "$program" ", $pes PEs on $nodes nodes, $*" "$@" "$WEFTRUN" -n "$pes" --nodes "$nodes" "$WEFT_BUILD/test-bin/$program"
}
if [ "$1" = basic ]; then
  heap='symmetric heap of up to \([0-9]*\) MB at \(0x[0-9a-f]*\).*'
  for how in WEFT_PROVIDER=auto WEFT_PROVIDER=sockets WEFT_COALESCE=0 WEFT_ON_DEATH=continue WEFT_HELPERS=2; do
    run 5 2 fabric.basic $how
    [ "$(sed -n "s/.*$heap/\2/p" "$out" | sort -u | wc -l)" -gt 1 ] || { echo "failed: all PEs have the same addresses"; exit 1; }
  done
  most=$(sed -n "s/.*$heap/\1/p" "$out" | sort -n | tail -n 1)
  [ "$most" -le 513 ] || { echo "failed: each PE would pin $most MB at its start"; exit 1; }
  run 2 2 fabric.basic SHMEM_SYMMETRIC_SIZE=700M
  grep -q 'heap of up to 70[01] MB' "$out" || { echo "failed: SHMEM_SYMMETRIC_SIZE was not heard"; exit 1; }
fi
for how in WEFT_COALESCE=1 WEFT_COALESCE=0; do
  for program in fault.signals fabric.litmus fabric.fence fabric.signal; do run 2 2 $program $how; done
  for program in shmem.rma_sizes shmem.lock shmem.ordering coll.sync coll.moves gasnet.teams; do
    run 4 2 $program $how
  done
done
run 8 8 fault.small
run 8 8 fault.small WEFT_HELPERS=1 WEFT_CTX_ENDPOINTS=2
if [ "$1" = today ]; then
  for program in fabric.flood fabric.broken fabric.stopped; do try $program "" "$WEFT_BUILD/test-bin/$program" tcp; done
  said='provider tcp;ofi_rxm,'
  for program in fabric.litmus rma.gets rma.parts am.deaf; do run 2 2 $program 'WEFT_PROVIDER=tcp;ofi_rxm'; done
fi
[ $ran -gt 0 ] || { echo "skipped: none of the programs is built"; exit 77; }
echo "$ran runs"
