# Without /proc the PEs alone can be ended; what else holds the pipe of their output does not keep weftrun.
set -u
. "$(dirname "$0")/lib.sh"

without_proc='mount -t tmpfs none /proc && exec "$@"'
unshare -m sh -c "$without_proc" sh true 2>/dev/null || { echo 'skipped: not permitted to mount'; exit 77; }

timeout -s KILL 60 unshare -m sh -c "$without_proc" sh "$WEFTRUN" -n 2 --tag sh -c '
  [ $PMI_RANK = 0 ] || { while [ ! -s "$0/child" ]; do sleep 0.02; done; exit 3; }
  echo $$ >"$0/pid.0"; printf unfinished; sleep 100 & echo $! >"$0/child"; wait' "$DIR" >"$DIR/out" 2>"$DIR/err"
status=$?
kill "$(cat "$DIR/child")"
[ $status -eq 3 ] || fail "status $status, want 3"
check_all_ended
[ "$(cat "$DIR/out")" = '[0] unfinished' ] || fail 'the last line is lost'
grep -q '^weft: some processes of the job do not end even by SIGKILL$' "$DIR/err" || fail 'it is not said'
exit 0
