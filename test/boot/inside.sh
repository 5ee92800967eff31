# A PE of weftrun's starts another Weft program, or another launcher: neither is taken for a part of the job.
set -u
. "$(dirname "$0")/../launch/lib.sh"
INSIDE=$WEFT_BUILD/test-bin/boot.inside
export DIR
works() {
  timeout 60 "$@" >"$DIR/out" 2>"$DIR/err" || fail "$*: status $?: $(cat "$DIR/err")"
}
works "$WEFTRUN" -n 2 "$INSIDE" outer
works "$WEFTRUN" -n 2 --stats "$INSIDE" outer
grep -q "what 2 PEs did" "$DIR/err" || fail "--stats: no table of the outer job"
works "$WEFTRUN" -n 2 --trace "$DIR/trace.json" "$INSIDE" outer
grep -q shmem_barrier_all "$DIR/trace.json" || fail "--trace: the outer job's trace is gone"
if command -v mpiexec.hydra >/dev/null; then
  # shellcheck disable=SC2016
  INSIDE=$INSIDE works "$WEFTRUN" -n 1 sh -c 'mpiexec.hydra -n 2 "$INSIDE" tell'
fi
exit 0
