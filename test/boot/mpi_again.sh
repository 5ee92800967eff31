# Jobs over communicators of an MPI program. $1: mpich or openmpi. Linked with libweft.a, since it uses the runtime
# itself.
set -u
. "$(dirname "$0")/../launch/lib.sh"

mpi=$1
if ! command -v mpicc.$mpi >/dev/null; then
  echo "skipped: no mpicc.$mpi"
  exit 77
fi
library=$(find "$WEFT_BUILD" -name libweft.a | head -1)
mpicc.$mpi -std=gnu11 -O1 -g -D_GNU_SOURCE= '-DWEFT_VERSION="0"' -I"$WEFT_SOURCE/src" -I"$WEFT_SOURCE/include" \
  -I"$WEFT_SOURCE/test" -o "$DIR/mpi_again" "$WEFT_SOURCE/test/boot/mpi_again.c" "$library" -lpthread -ldl -lrt -lm \
  >"$DIR/out" 2>"$DIR/err" || fail 'the program does not build'

root=
[ "$(id -u)" -ne 0 ] || root=--allow-run-as-root
unset PMI_FD PMI_RANK PMI_SIZE PMIX_RANK WEFT_LAUNCHER
if [ "$mpi" = mpich ]; then
  launch() { timeout 60 mpiexec.hydra "$@"; }
else
  launch() { timeout 60 mpirun $root --oversubscribe "$@"; }
fi
cat >"$DIR/on_node" <<'END'
nodes=$1
shift
rank=${PMI_RANK:-$OMPI_COMM_WORLD_RANK}
[ "$nodes" -eq 1 ] || export WEFT_NODE=pretended-$((rank / 2))
exec "$@"
END
for nodes in 1 2; do
  launch -n 4 sh "$DIR/on_node" $nodes "$DIR/mpi_again" >"$DIR/out" 2>"$DIR/err" || fail "$nodes nodes: status $?"
  [ "$(grep -o right "$DIR/out" | wc -l)" -eq 4 ] || fail "$nodes nodes: $(cat "$DIR/out")"
done
exit 0
