# A PE dies with locks while the job goes on: others get them, each from the dead once. Where it was the last one of
# its node, what was kept there is lost, and that is said. A second shmem_init is refused.
set -u
. "$(dirname "$0")/../launch/lib.sh"

program=$(find "$WEFT_BUILD" -name shmem.deaths -type f | head -1)
export WEFT_ON_DEATH=continue
for way in set test; do
  timeout 50 "$WEFTRUN" -n 4 "$program" $way >"$DIR/out" 2>"$DIR/err" || fail "$way: status $?: $(cat "$DIR/err")"
  [ "$(grep -c right "$DIR/out")" -eq 1 ] || fail "$way: $(cat "$DIR/out")"
  line="shmem_${way}_lock: this PE has the lock 0x[0-9a-f]* from one that failed with it"
  [ "$(grep -c "$line" "$DIR/err")" -eq 4 ] || fail "$way: $(cat "$DIR/err")"
  timeout 50 "$WEFTRUN" -n 4 --nodes 4 "$program" $way known >"$DIR/out" 2>"$DIR/err" &&
    fail "$way, 4 nodes: $(cat "$DIR/out")"
  line="shmem_${way}_lock: the lock 0x[0-9a-f]* is kept at PE 3, which has failed"
  grep -q "$line" "$DIR/err" || fail "$way, 4 nodes: $(cat "$DIR/err")"
done
timeout 50 "$WEFTRUN" -n 4 "$program" fortran >"$DIR/out" 2>"$DIR/err" || fail "fortran: status $?: $(cat "$DIR/err")"
timeout 50 "$WEFTRUN" -n 4 --nodes 4 "$program" fortran known >"$DIR/out" 2>"$DIR/err" && fail "fortran: $(cat "$DIR/out")"
grep -q 'shmem_set_lock: the lock 0x[0-9a-f]* is kept at PE 3, which has failed' "$DIR/err" ||
  fail "fortran, 4 nodes: $(cat "$DIR/err")"
for nodes in 1 2; do
  timeout 50 "$WEFTRUN" -n 4 --nodes $nodes "$program" again >"$DIR/out" 2>"$DIR/err"
  status=$?
  [ $status -eq 1 ] && grep -q 'shmem_init called after shmem_finalize' "$DIR/err" || fail "again: status $status"
done
exit 0
