# The same program under every launcher of this machine, and alone. $1: weftrun, hydra, openmpi, prte, odd, nodes, apart or alone.
set -u
. "$(dirname "$0")/../launch/lib.sh"

skip() {
  echo "skipped: $*"
  exit 77
}

exchange() { # NAME VALUES NPES COMMAND...: it exchanges, with so many values in the launcher's store: "per node", "per PE", or none
  name=$1 wanted=$2 n=$3
  shift 3
  WEFT_VERBOSE=1 timeout 100 "$@" "$PEER" exchange "$name" "$n" >"$DIR/out" 2>"$DIR/err" || fail "$name, $n PEs: $*"
  [ "$(cat "$DIR/out")" = "exchanged over $name: $n" ] || fail "$name, $n PEs: $*: $(cat "$DIR/out")"
  said=$(sed -n "s/^weft: the launcher's store has a value //p" "$DIR/err")
  [ "$said" = "$wanted" ] || fail "$name, $n PEs: $*: a value '$said', not '$wanted'"
}

under() { # NAME VALUES LAUNCHER...: exchanges at 1, 2 and 7 PEs, which share a machine, then an abort
  name=$1 values=$2
  shift 2
  exchange "$name" "${values:+per PE}" 1 "$@" -n 1
  for n in 2 7; do exchange "$name" "$values" $n "$@" -n $n; done
  fresh
  timeout 100 "$@" -n 3 "$PEER" abort "$DIR" 1 9 >/dev/null 2>&1
  status=$?
  [ $status -eq 9 ] || fail "$name: abort with 9 gives status $status"
  for pe in 0 1 2; do within 10 ended "$(cat "$DIR/pid.$pe")" || fail "$name: pe $pe outlives an abort"; done
  if ! ended "$(cat "$DIR/pid.child")"; then kill -9 "$(cat "$DIR/pid.child")"; fi
}

root=
[ "$(id -u)" -ne 0 ] || root=--allow-run-as-root
unset PMI_FD PMI_RANK PMI_SIZE PMIX_RANK WEFT_LAUNCHER
case $1 in
weftrun)
  under weftrun '' "$WEFTRUN" # it has no store for Weft
  ;;
hydra)
  command -v mpiexec.hydra >/dev/null || skip 'no mpiexec.hydra (package mpich)'
  under pmi1 'per node' mpiexec.hydra
  ;;
openmpi)
  mpirun --version 2>/dev/null | grep -q 'Open MPI' || skip 'no mpirun of Open MPI (package openmpi-bin)'
  under pmix 'per node' mpirun $root --oversubscribe
  ;;
prte)
  command -v prterun >/dev/null || skip 'no prterun'
  under pmix 'per node' prterun $root --map-by :OVERSUBSCRIBE
  ;;
odd) # one PE is not told who shares a machine: a line and an end, whichever it is
  mpirun --version 2>/dev/null | grep -q 'Open MPI' || skip 'no mpirun of Open MPI (package openmpi-bin)'
  for pe in 0 1 2; do
    ODD=$pe timeout 60 mpirun $root --oversubscribe -n 3 "$WEFT_BUILD/test-bin/boot.odd" exchange pmix 3 >/dev/null 2>"$DIR/err"
    status=$?
    if [ $status -eq 0 ] || [ $status -eq 124 ]; then fail "PE $pe is not told: status $status"; fi
    grep -Eq '^weft: .*(PE [0-2] has put no weft-0-|bytes that PE [0-2] put)' "$DIR/err" || fail "PE $pe is not told: no line"
  done
  ;;
nodes) # by weftrun's PMI-1, as another launcher would have it: once per node, of the same size or not, in turns or not
  exchange pmi1 'per node' 6 "$WEFTRUN" -n 6 --nodes 2 env -u WEFT_LAUNCHER
  exchange pmi1 'per node' 7 "$WEFTRUN" -n 7 --nodes 3 env -u WEFT_LAUNCHER
  exchange pmi1 'per PE' 4 "$WEFTRUN" -n 4 --nodes 4 env -u WEFT_LAUNCHER
  exchange pmi1 'per node' 5 "$WEFTRUN" -n 5 env -u WEFT_LAUNCHER
  ;;
apart) # the same, but one of a node does not see the others' processes: nobody shares memory
  unshare -fp --mount-proc true 2>/dev/null || skip 'no process numbers of their own are permitted here'
  for pe in 0 1; do
    # shellcheck disable=SC2016
    exchange pmi1 'per PE' 4 "$WEFTRUN" -n 4 --nodes 2 env -u WEFT_LAUNCHER sh -c \
      '[ $PMI_RANK -ne $0 ] || exec unshare -fp --mount-proc "$@"; exec "$@"' $pe
  done
  ;;
alone)
  [ "$("$PEER" exchange alone 1)" = 'exchanged over alone: 1' ] || fail alone
  # What looks like a launcher but offers no way in must not become N jobs of one.
  SLURM_STEP_NUM_TASKS=4 "$PEER" exchange alone 1 >/dev/null 2>"$DIR/err" && fail 'srun without PMI'
  grep -q '^weft: .*srun started 4 tasks' "$DIR/err" || fail 'srun without PMI: no line'
  SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=4 "$PEER" exchange alone 1 >/dev/null 2>"$DIR/err" && fail 'srun without PMI, task 0'
  grep -q '^weft: .*srun started 4 tasks' "$DIR/err" || fail 'srun without PMI: no line of task 0'
  SLURM_PROCID=3 SLURM_STEP_NUM_TASKS=4 "$PEER" exchange alone 1 >/dev/null 2>"$DIR/err" && fail 'srun without PMI, task 3'
  ! grep -q '^weft:' "$DIR/err" || fail 'srun without PMI: a line of task 3, too'
  PMI_PORT=x:1 "$PEER" exchange alone 1 >/dev/null 2>"$DIR/err" && fail 'PMI_PORT'
  grep -q '^weft: .*PMI_PORT' "$DIR/err" || fail 'PMI_PORT: no line'
  # A wrapper has closed the descriptor, as the subprocess of Python does. A job of one, and a program of a PE, lose nothing.
  PMI_FD=99 PMI_SIZE=2 PMI_RANK=0 "$PEER" exchange alone 1 >/dev/null 2>"$DIR/err" && fail 'PMI_FD is closed'
  grep -q '^weft: one of 2 processes, but its connection' "$DIR/err" || fail 'PMI_FD is closed: no line'
  PMI_FD=99 PMI_SIZE=1 PMI_RANK=0 "$PEER" exchange alone 1 >/dev/null || fail 'one PE, PMI_FD is closed'
  WEFT_LAUNCHER_JOINED=1 PMI_FD=99 PMI_SIZE=2 PMI_RANK=0 "$PEER" exchange alone 1 >/dev/null || fail 'a program of a PE'
  ;;
esac
exit 0
