# Boot in programs of both MPIs, before and after MPI_Init, under the launchers that fit and those that do not.
# $1: mpich or openmpi. The program is built here, by that MPI's compiler, together with the boot sources.
set -u
. "$(dirname "$0")/../launch/lib.sh"

mpi=$1
if ! command -v mpicc.$mpi >/dev/null; then
  echo "skipped: no mpicc.$mpi"
  exit 77
fi
include=$(ls -d /usr/lib/*/pmix2/include /usr/include 2>/dev/null | sed 's/^/-I/')
mpicc.$mpi -std=gnu11 -g -D_GNU_SOURCE= '-DWEFT_VERSION="0"' -I"$WEFT_SOURCE/src" -I"$WEFT_SOURCE/include" $include -o "$DIR/mpi_peer" \
  "$WEFT_SOURCE/test/boot/mpi_peer.c" "$WEFT_SOURCE"/src/boot/*.c "$WEFT_SOURCE"/src/base/*.c -lpthread -ldl \
  >"$DIR/err" 2>&1 || fail 'the program does not build'

root=
[ "$(id -u)" -ne 0 ] || root=--allow-run-as-root
unset PMI_FD PMI_RANK PMI_SIZE PMIX_RANK WEFT_LAUNCHER
by_hydra() { timeout 100 mpiexec.hydra "$@" >"$DIR/out" 2>"$DIR/err"; }
by_weftrun() { timeout 100 "$WEFTRUN" "$@" >"$DIR/out" 2>"$DIR/err"; }
by_mpirun() { timeout 100 mpirun $root --oversubscribe "$@" >"$DIR/out" 2>"$DIR/err"; }

works() { # LAUNCHER
  for mode in plain inside outlive before around; do
    "$1" -n 2 "$DIR/mpi_peer" $mode 2 || fail "$1 $mode: status $?"
  done
  "$1" -n 2 "$DIR/mpi_peer" abort 2
  status=$?
  [ $status -eq 7 ] || fail "$1 abort: status $status, want 7"
}

misfits() { # LAUNCHER LINE
  "$1" -n 2 "$DIR/mpi_peer" inside 2 && fail "$1: no error"
  [ "$(cat "$DIR/out" "$DIR/err" | grep -c "^weft: .*$2")" -eq 1 ] || fail "$1: not one line like $2"
}

if [ "$mpi" = mpich ]; then
  works by_hydra
  works by_weftrun
  for mode in within unended; do by_weftrun -n 2 "$DIR/mpi_peer" $mode 2 || fail "weftrun $mode: status $?"; done
  misfits by_mpirun 'linked with MPICH but .* as 2 MPI worlds of one'
else
  works by_mpirun
  misfits by_hydra 'linked with Open MPI but .* as 2 MPI worlds of one'
  misfits by_weftrun 'linked with Open MPI but .* as 2 MPI worlds of one'
fi
exit 0
