# --hosts: which launcher is taken, and in what words. The launchers are scripts that print how they were called.
set -u
. "$(dirname "$0")/lib.sh"

fake() { # NAME [FIRST-LINE-OF---version]
  printf '#!/bin/sh\n[ "$1" = --version ] && { echo "%s"; exit; }\necho %s "$@"\nenv | grep -E "^(A|WEFT_LAUNCHER)="\nexit 4\n' \
    "${2:-}" "$1" >"$DIR/bin/$1"
  chmod +x "$DIR/bin/$1"
}

hands_over() { # PATTERN ARGUMENTS...
  pattern=$1
  shift
  PATH=$DIR/bin:$TOOLS WEFT_COALESCE=0 "$WEFTRUN" "$@" >"$DIR/out" 2>"$DIR/err"
  status=$?
  [ $status -eq 4 ] || fail "$*: status $status: $(cat "$DIR/out")"
  head -n 1 "$DIR/out" | grep -Eq -- "^$pattern\$" || fail "$*: $(cat "$DIR/out")"
}

mkdir "$DIR/bin" "$DIR/tools"
TOOLS=$DIR/tools # nothing but what the fakes need
for tool in sh env grep; do ln -s "$(command -v $tool)" "$DIR/tools/$tool"; done
unset SLURM_JOB_ID
root=
[ "$(id -u)" -eq 0 ] && root=' --allow-run-as-root'

PATH=$DIR/bin:$TOOLS "$WEFTRUN" --hosts a,b true 2>"$DIR/err"
[ $? -eq 2 ] || fail 'no launcher: not status 2'
grep -q '^weftrun: --hosts needs one of' "$DIR/err" || fail 'no launcher: no line'

fake mpiexec.hydra
fake mpirun 'HYDRA build details:'
hands_over 'mpiexec.hydra -n 5 -hosts a,b -ppn 3 -wdir /tmp -prepend-rank prog -n 7' \
  -n 5 --hosts a,b --wdir /tmp --tag prog -n 7
echo a >"$DIR/hosts.txt"
hands_over "mpiexec.hydra -n 5 -f $DIR/hosts.txt prog" -n 5 --hostfile "$DIR/hosts.txt" prog
wrong() { # LINE FILE: refused in one line, whichever launcher would get it
  PATH=$DIR/bin:$TOOLS "$WEFTRUN" -n 2 --hostfile "$2" prog >"$DIR/out" 2>"$DIR/err"
  status=$?
  [ $status -eq 2 ] && [ ! -s "$DIR/out" ] || fail "--hostfile $2: status $status"
  [ "$(cat "$DIR/err")" = "weftrun: $1" ] || fail "--hostfile $2: no such line"
}
wrong 'cannot read the host file /nowhere: No such file or directory' /nowhere
wrong "the host file $DIR is a directory" "$DIR"

fake mpirun 'mpirun (Open MPI) 4.1.4'
hands_over "mpirun -n 5 --host a:3,b:8 --map-by slot --bind-to none --oversubscribe$root .*-x A .*prog x" \
  -n 5 --hosts a,b:8 -x A=1 prog x
grep -q '^A=1$' "$DIR/out" || fail '-x is not in the environment'
hands_over ".*-x WEFT_COALESCE .*prog" -n 1 --hosts a prog
for variable in SHMEM_INFO SMA_INFO GASNET_BACKTRACE UPC_SHARED_HEAP_SIZE ARMCI_VERBOSE; do
  export $variable=1
  hands_over ".*-x $variable .*prog" -n 1 --hosts a prog
done
WEFT_LAUNCHER=weftrun hands_over '.*prog' --hosts a prog
! grep -q WEFT_LAUNCHER "$DIR/out" || fail 'WEFT_LAUNCHER is passed on'

hands_over "mpirun -n 4 --host a:2,b:2 --map-by ppr:2:node .*prog" -n 4 -N 2 --host a,b prog
hands_over "mpirun -n 6 --host a:3,b:3 --map-by ppr:3:node .*prog" -N 3 --bind-to core --hosts a,b prog
grep -q -- '--bind-to core: not needed here, and not handed over' "$DIR/err" || fail '--bind-to core: no line'
PATH=$DIR/bin:$TOOLS "$WEFTRUN" -N 2 --hostfile hosts.txt prog 2>"$DIR/err"
[ $? -eq 2 ] || fail '-N with --hostfile, without -n: not status 2'
fake prterun
hands_over "prterun -n 4 --host a:2,b:2 --map-by slot:OVERSUBSCRIBE --bind-to none$root .*prog" \
  -n 4 --hosts a,b prog

fake srun
hands_over 'prterun .*' -n 4 --hosts a,b prog
SLURM_JOB_ID=3
export SLURM_JOB_ID
hands_over 'srun --mpi=pmi2 --kill-on-bad-exit=1 --cpu-bind=none -n 4 -N 2 --ntasks-per-node 2 -w a,b --label prog' \
  -n 4 --hosts a,b --tag prog
exit 0
