# Random loops over shared arrays against the same loops in plain C (loops.awk), on one node and on several, with and
# without optimisation; the same ones each time.
#   loops.sh [PROGRAMS [SEED]]
. "$(dirname "$0")/common.sh"
programs=${1:-4} seed=${2:-1}
while [ "$programs" -gt 0 ]; do
  awk -v seed="$seed" -v cases=60 -f "$here/loops.awk" >"$work/loops.upc"
  for way in "-O2 -T=3" "-O2" "-O0"; do
    # shellcheck disable=SC2086
    "$UPCC" $way -w "$work/loops.upc" -o "$work/loops" || fail "seed $seed $way: it does not compile"
    for nodes in "" "--nodes 3"; do
      # shellcheck disable=SC2086
      "$WEFTRUN" -n 3 $nodes "$work/loops" || { cp "$work/loops.upc" "${TMPDIR:-/tmp}/upcc-loops.upc"; fail "seed $seed $way $nodes: see ${TMPDIR:-/tmp}/upcc-loops.upc"; }
    done
  done
  programs=$((programs - 1)) seed=$((seed + 1))
done
exit 0
