# The same program under every launcher of this machine, and alone. $1: weftrun, hydra, openmpi, prte, nodes or alone.
set -u
. "$(dirname "$0")/../launch/lib.sh"

skip() {
  echo "skipped: $*"
  exit 77
}

under() { # NAME LAUNCHER...: exchanges at 1, 2 and 7 PEs, then an abort
  name=$1
  shift
  for n in 1 2 7; do
    timeout 100 "$@" -n $n "$PEER" exchange "$name" $n >"$DIR/out" 2>"$DIR/err" || fail "$name, $n PEs"
    [ "$(cat "$DIR/out")" = "exchanged over $name: $n" ] || fail "$name, $n PEs: $(cat "$DIR/out")"
  done
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
  under weftrun "$WEFTRUN"
  ;;
hydra)
  command -v mpiexec.hydra >/dev/null || skip 'no mpiexec.hydra (package mpich)'
  under pmi1 mpiexec.hydra
  ;;
openmpi)
  mpirun --version 2>/dev/null | grep -q 'Open MPI' || skip 'no mpirun of Open MPI (package openmpi-bin)'
  under pmix mpirun $root --oversubscribe
  ;;
prte)
  command -v prterun >/dev/null || skip 'no prterun'
  under pmix prterun $root --map-by :OVERSUBSCRIBE
  ;;
nodes) # by weftrun's PMI-1, as another launcher would have it: once per node, of the same size or not, in turns or not
  for where in "-n 6 --nodes 2" "-n 7 --nodes 3" "-n 4 --nodes 4" "-n 5"; do
    n=${where#-n } n=${n%% *}
    timeout 100 "$WEFTRUN" $where env -u WEFT_LAUNCHER "$PEER" exchange pmi1 "$n" >"$DIR/out" 2>"$DIR/err" || fail "$where"
    [ "$(cat "$DIR/out")" = "exchanged over pmi1: $n" ] || fail "$where: $(cat "$DIR/out")"
  done
  # One of a node does not see the others' processes: nobody shares memory.
  if unshare -fp --mount-proc true 2>/dev/null; then
    for apart in 0 1; do
      timeout 100 "$WEFTRUN" -n 4 --nodes 2 env -u WEFT_LAUNCHER sh -c \
        '[ $PMI_RANK -ne $0 ] || exec unshare -fp --mount-proc "$@"; exec "$@"' $apart "$PEER" exchange pmi1 4 >"$DIR/out" 2>"$DIR/err" ||
        fail "pe $apart apart"
      [ "$(cat "$DIR/out")" = "exchanged over pmi1: 4" ] || fail "pe $apart apart: $(cat "$DIR/out")"
    done
  fi
  ;;
alone)
  [ "$("$PEER" exchange alone 1)" = 'exchanged over alone: 1' ] || fail alone
  # What looks like a launcher but offers no way in must not become N jobs of one.
  SLURM_STEP_NUM_TASKS=4 "$PEER" exchange alone 1 >/dev/null 2>"$DIR/err" && fail 'srun without PMI'
  grep -q '^weft: .*srun started 4 tasks' "$DIR/err" || fail 'srun without PMI: no line'
  PMI_PORT=x:1 "$PEER" exchange alone 1 >/dev/null 2>"$DIR/err" && fail 'PMI_PORT'
  grep -q '^weft: .*PMI_PORT' "$DIR/err" || fail 'PMI_PORT: no line'
  ;;
esac
exit 0
