# Random loops over shared arrays against the same loops in plain C (loops.awk), on one node and on several, with and
# without optimisation; the same ones each time.
#   loops.sh [PROGRAMS [SEED]]
. "$(dirname "$0")/common.sh"
programs=${1:-4} seed=${2:-1}
some_ways() { # the sanitizers see the same code in one way
  printf '%s\n' "-O2 -T=3"
  [ -n "$UPCC_SANITIZED" ] || printf '%s\n' "-O2" "-O0"
}
some_ways >"$work/ways"
while [ "$programs" -gt 0 ]; do
  awk -v seed="$seed" -v cases=60 -f "$here/loops.awk" >"$work/loops.upc"
  while read -r way; do
    # shellcheck disable=SC2086
    "$UPCC" $way -w "$work/loops.upc" -o "$work/loops" || fail "seed $seed $way: it does not compile"
    for nodes in "" "--nodes 3"; do
      # shellcheck disable=SC2086
      "$WEFTRUN" -n 3 $nodes "$work/loops" </dev/null || { cp "$work/loops.upc" "${TMPDIR:-/tmp}/upcc-loops.upc"; fail "seed $seed $way $nodes: see ${TMPDIR:-/tmp}/upcc-loops.upc"; }
    done
  done <"$work/ways"
  programs=$((programs - 1)) seed=$((seed + 1))
done
exit 0
