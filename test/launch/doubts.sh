# What may not be meant is one line, and the job runs. A program that is linked with Open MPI is alone in each process
# under weftrun (the libraries are made here, as only their names count); nodes of Slurm's that stay idle; weftrun under
# another launcher.
set -u
. "$(dirname "$0")/lib.sh"
command -v gcc >/dev/null || { echo 'skipped: no gcc'; exit 77; }
cd "$DIR" || exit 1
unset SLURM_JOB_NUM_NODES SLURM_STEP_NUM_NODES SLURM_STEP_NUM_TASKS SLURM_PROCID SLURM_PTY_PORT \
  OMPI_COMM_WORLD_SIZE PMI_SIZE WEFT_LAUNCHER_JOINED

library() { # FILE: a library of this name
  echo 'int nothing;' | gcc -shared -fPIC -x c - -o "$1" -Wl,-soname,"$1" || fail "cannot make $1"
}
program() { # NAME LIBRARY...
  name=$1
  shift
  echo "int main(void) { return 0; }" | gcc -x c - -x none -o "$name" -Wl,--no-as-needed "$@" -Wl,-rpath,"$DIR" ||
    fail "cannot make $name"
}
for name in libmpi.so.40 libmpi_mpifh.so.20 liboshmem.so.40 libmpi.so.12 libweft.so.0 libarmci.so; do library $name; done
program open ./libmpi.so.40
program fortran ./libmpi_mpifh.so.20
program shmem ./liboshmem.so.40
program mpich ./libmpi.so.12
program both ./libmpi.so.40 ./libweft.so.0
program arrays ./libarmci.so ./libmpi.so.40

says() { # PROGRAM ARGUMENTS...
  what=$1
  shift
  "$WEFTRUN" "$@" 2>"$DIR/err" || fail "$*: status $?"
  check_line "$what is linked with Open MPI: started by weftrun each of the 2 processes is alone; Open MPI's mpirun .*"
}
silent() {
  "$WEFTRUN" "$@" 2>"$DIR/err" || fail "$*: status $?"
  [ ! -s "$DIR/err" ] || fail "$*: a line"
}
for one in open fortran shmem; do says ./$one -n 2 ./$one; done
PATH=$DIR:$PATH says open -n 2 --nodes 2 open
says ./open -n 2 --wdir "$DIR/." ./open
silent -n 1 ./open
silent -n 2 -q ./open
for one in mpich both arrays; do silent -n 2 ./$one; done
grep -q 'weft: pe %d: ' "$PEER" || fail 'libweft.a is not known by its lines'
echo 'const char *line = "weft: pe %d: ";' | gcc -c -x c - -o line.o && program static line.o ./libmpi.so.40
silent -n 2 ./static
silent -n 2 env ./open
# Files that are damaged, or no programs.
head -c 3000 open >short && head -c 40 open >shorter && : >empty && chmod +x short shorter empty
for one in short shorter; do
  "$WEFTRUN" -n 2 ./$one 2>"$DIR/err" && fail "$one runs"
  check_line ".*" # of its end
done
silent -n 2 ./empty
# The number of PEs behind the program.
"$WEFTRUN" echo -n 4 x >"$DIR/out" 2>"$DIR/err"
check_line "-n 4 is an argument of echo here, and 1 process starts; weftrun's options stand before the program"
for one in '-n 1 echo -n 4' 'echo -n x' 'echo -n' 'echo 4 -n 4' '-q echo -n 4'; do
  # shellcheck disable=SC2086
  silent $one >"$DIR/out"
done
doubts() { # LINE VARIABLE=VALUE...
  line=$1
  shift
  env "$@" "$WEFTRUN" -n 2 true 2>"$DIR/err" || fail "$*: status $?"
  if [ -n "$line" ]; then check_line "$line"; elif [ -s "$DIR/err" ]; then fail "$*: a line"; fi
  env "$@" "$WEFTRUN" -q -n 2 true 2>"$DIR/err"
  [ ! -s "$DIR/err" ] || fail "$* and -q: a line"
}
idle='Slurm gave this job 3 nodes, and weftrun starts all 2 processes on this one; .*'
doubts "$idle" SLURM_JOB_NUM_NODES=3
doubts '' SLURM_JOB_NUM_NODES=3 SLURM_STEP_NUM_NODES=1 SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0
doubts "$idle" SLURM_JOB_NUM_NODES=3 SLURM_STEP_NUM_NODES=1 SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0 SLURM_PTY_PORT=1234
doubts '' SLURM_JOB_NUM_NODES=1
SLURM_JOB_NUM_NODES=3 "$WEFTRUN" --nodes 2 -n 2 true 2>"$DIR/err"
check_line "$idle"
SLURM_JOB_NUM_NODES=3 silent -n 1 true
doubts 'srun has started weftrun 4 times, and each starts a job of 2 of its own; .*' SLURM_JOB_NUM_NODES=3 \
  SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0
doubts '' SLURM_JOB_NUM_NODES=3 SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=1
doubts "$idle" SLURM_JOB_NUM_NODES=3 SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0 SLURM_PTY_PORT=1234
doubts '' SLURM_JOB_NUM_NODES=1 SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0 SLURM_PTY_PORT=1234
doubts 'mpirun has started weftrun 2 times, .*' OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0
doubts 'mpiexec or weftrun has started weftrun 5 times, .*' PMI_SIZE=5 PMI_RANK=0
doubts '' PMI_SIZE=5 PMI_RANK=0 WEFT_LAUNCHER_JOINED=1
exit 0
