# Builds and runs rings.f90: coarrays beside OpenSHMEM and GASNet, and beside each MPI that is here.
set -eu
here=$WEFT_SOURCE/examples
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

build() { # CC FC
  $1 -O2 -Wall -Wextra -Werror -I"$WEFT_SOURCE/include" -c "$here/upc/models.c" -o models.o
  $2 -O2 "$here/rings.f90" models.o -o rings
}
right() { # IMAGES COMMAND...
  n=$1
  shift
  timeout 60 "$@" ./rings >out 2>err </dev/null && grep -qx "$n images: 0 wrong" out || { echo "$*:"; cat out err; exit 1; }
}
caf=$WEFT_BUILD/bin/caf
build gcc "$caf"
right 4 "$WEFTRUN" -n 4
right 3 "$WEFTRUN" -n 3 --nodes 2
right 3 env WEFT_ON_DEATH=continue "$WEFTRUN" -n 3 --nodes 2 # GASNet's end meets no image that has stopped
if command -v mpicc.mpich >/dev/null; then
  build 'mpicc.mpich -DWITH_MPI' "env MPICH_FC=$caf mpif90.mpich"
  right 2 mpiexec.hydra -n 2
  right 3 "$WEFTRUN" -n 3 --nodes 2
fi
if command -v mpicc.openmpi >/dev/null; then
  root=
  [ "$(id -u)" -ne 0 ] || root=--allow-run-as-root
  build 'mpicc.openmpi -DWITH_MPI' "env OMPI_FC=$caf mpif90.openmpi"
  # shellcheck disable=SC2086
  right 2 mpirun.openmpi $root --oversubscribe -n 2
fi
