# Who returns from main beside PEs that wait in a collective is not silent: the job ends with a line, or waits with one.
set -u
. "$(dirname "$0")/../launch/lib.sh"

program=$(find "$WEFT_BUILD" -name coll.leaves -type f | head -1)
said() { grep -Eq '^weft: pe 0: exit\(0\) without shmem_finalize' "$DIR/err$1"; }
jobs=
for nodes in 1 2; do # both at once: each waits for some seconds
  "$WEFTRUN" -n 2 --nodes $nodes "$program" 2>"$DIR/err$nodes" &
  jobs="$jobs $!"
done
for nodes in 1 2; do
  within 30 said $nodes || fail "$nodes nodes: no line"
done
for job in $jobs; do
  kill $job 2>/dev/null
  wait $job && fail "status 0"
done
exit 0
