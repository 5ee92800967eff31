# Builds and runs the examples of this folder: UPC that calls C with OpenSHMEM, GASNet and MPI, and C that calls UPC;
# on one node and two, without MPI and with each MPI that is here. Needs upcc (UPCC) and weftrun (WEFTRUN).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
UPCC=${UPCC:-$WEFT_BUILD/bin/upcc}
include=${WEFT_SOURCE:-$here/../..}/include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

right() { # LABEL N COMMAND...: N lines that say that nothing is wrong
  label=$1 n=$2
  shift 2
  timeout 100 "$@" >out 2>err </dev/null || { cat out err; echo "$label: status $?"; exit 1; }
  [ "$(grep -c ' 0 wrong$' out)" -eq "$n" ] || { cat out err; echo "$label: not $n right lines"; exit 1; }
}
build() { # NAME CC UPCC: CC compiles the C files; UPCC the UPC files, and links
  name=$1 cc=$2
  $cc -O1 -g -Wall -Werror ${WITH:-} ${CFLAGS:-} -I"$include" -I"$here" -c "$here/models.c" -o models.$name.o
  $cc -O1 -g -Wall -Werror ${WITH:-} ${CFLAGS:-} -I"$include" -I"$here" -c "$here/c_calls_upc.c" -o main.$name.o
  $3 -O2 -Wall "$here/upc_calls_c.upc" models.$name.o -o upc.$name
  $3 -O2 -Wall -extern-main "$here/part.upc" main.$name.o models.$name.o -o c.$name
}
build plain gcc "$UPCC"
for way in "" "--nodes 2"; do
  # shellcheck disable=SC2086
  { right "UPC calls C $way" 4 "$WEFTRUN" -n 4 $way ./upc.plain; right "C calls UPC $way" 3 "$WEFTRUN" -n 3 $way ./c.plain; }
done
[ -z "${UPCC_SANITIZED:-}" ] || exit 0
if command -v mpicc.mpich >/dev/null; then
  WITH=-DWITH_MPI build mpich mpicc.mpich "env MPICH_CC=$UPCC mpicc.mpich"
  for way in "" "--nodes 2"; do
    # shellcheck disable=SC2086
    { right "MPICH: UPC calls C $way" 4 "$WEFTRUN" -n 4 $way ./upc.mpich; right "MPICH: C calls UPC $way" 4 "$WEFTRUN" -n 4 $way ./c.mpich; }
  done
  right "MPICH, Hydra" 2 mpiexec.hydra -n 2 ./upc.mpich
fi
if command -v mpicc.openmpi >/dev/null; then
  root=
  [ "$(id -u)" -ne 0 ] || root=--allow-run-as-root
  WITH=-DWITH_MPI build openmpi mpicc.openmpi "env OMPI_CC=$UPCC mpicc.openmpi"
  for program in upc c; do right "Open MPI: $program" 2 mpirun.openmpi $root --oversubscribe -n 2 ./$program.openmpi; done
fi
exit 0
