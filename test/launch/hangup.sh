# The terminal hangs up: the job ends with it, also where weftrun leads the session; not under nohup.
set -u
. "$(dirname "$0")/lib.sh"

command -v script >/dev/null || { echo 'skipped: there is no script(1)'; exit 77; }

both() { [ -s "$DIR/pid.0" ] && [ -s "$DIR/pid.1" ]; }
program='echo $$ >"$0/pid.$PMI_RANK"; exec sleep 100'

# The front is the leader: the kernel tells it alone.
script -qc "exec env --default-signal=HUP '$WEFTRUN' -n 2 sh -c '$program' '$DIR' 2>'$DIR/err'" /dev/null </dev/null >/dev/null 2>&1 &
terminal=$!
within 60 both || fail 'the job did not start'
kill -KILL $terminal
check_all_ended
within 30 test -s "$DIR/err" || fail 'nothing was said'
check_line 'weftrun got signal 1 \(Hangup\); ending the job'

# Under nohup it goes on.
fresh
(trap '' HUP; exec "$WEFTRUN" -n 2 sh -c "$program" "$DIR" 2>"$DIR/err") &
front=$!
within 60 both || fail 'the job did not start'
kill -HUP $front
kill -TERM $front
wait $front
check_all_ended
check_line 'weftrun got signal 15 \(Terminated\); ending the job'
exit 0
