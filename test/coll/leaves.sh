# Who returns from main beside PEs that wait in a collective is not silent: the job ends with a line, or waits with one.
set -u
. "$(dirname "$0")/../launch/lib.sh"

program=$(find "$WEFT_BUILD" -name coll.leaves -type f | head -1)
said() { grep -Eq '^weft: pe 0: exit\(0\) without shmem_finalize' "$DIR/err"; }
for nodes in 1 2; do
  "$WEFTRUN" -n 2 --nodes $nodes "$program" 2>"$DIR/err" &
  job=$!
  within 30 said || fail "$nodes nodes: no line"
  kill $job 2>/dev/null
  wait $job && fail "$nodes nodes: status 0"
done
exit 0
