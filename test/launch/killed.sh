# weftrun itself is killed, or gets a signal: the job ends all the same, and nothing is left.
set -u
. "$(dirname "$0")/lib.sh"

start() {
  fresh
  env --default-signal=HUP "$WEFTRUN" -n 3 "$PEER" wait "$DIR" 0 2>"$DIR/err" &
  front=$!
  within 60 ready 3 || fail "the job did not start"
  keeper=$(cat "$DIR/keeper")
}

keeper_ended() { ended "$keeper"; }

# finished STATUS 'LINE'
finished() {
  wait $front 2>/dev/null
  status=$?
  within 30 keeper_ended || fail "the keeper is still there"
  check_all_ended
  [ $status -eq "$1" ] || fail "status $status, want $1"
  check_line "$2"
}

start
kill -KILL $front
finished 137 "weftrun \(pid $front\) was killed; ending the job"

start
kill -KILL "$keeper"
finished 137 "weftrun's keeper process \(pid $keeper\) was killed by signal 9 \(Killed\); ending the job"

for signal in INT:2:Interrupt TERM:15:Terminated HUP:1:Hangup; do
  name=${signal%%:*} text=${signal##*:} number=${signal#*:}
  number=${number%:*}
  start
  kill -"$name" $front
  finished $((128 + number)) "weftrun got signal $number \($text\); ending the job"
done

# The same signal at the keeper, which is what a user may find in the list of processes.
start
kill -TERM "$keeper"
finished 143 'weftrun got signal 15 \(Terminated\); ending the job'

# A signal to weftrun and then to its whole process group, as timeout(1) sends it, comes twice and is one: the PEs have
# their grace. (Not timeout itself: until it knows its child, a signal ends it, and nobody passes it on.) A second
# signal, whichever it is, takes the grace from them. A busy machine may stand still for longer than the grace. So each
# case has three tries, and says so when it needs another.
patient='trap "trap \"\" TERM INT; sleep 0.3; echo >$0/late.$PMI_RANK; exit" TERM INT
  echo $$ >"$0/pid.$PMI_RANK"; while :; do sleep 0.1; done'
both() { [ -s "$DIR/pid.0" ] && [ -s "$DIR/pid.1" ]; }
start_patient() { # in a process group of its own, which has the number of the front
  fresh
  setsid "$WEFTRUN" -n 2 sh -c "$patient" "$DIR" 2>"$DIR/err" &
  front=$!
  trap 'kill -KILL -$front 2>/dev/null; rm -rf "$DIR"' EXIT # Ctrl-C does not reach it there
  within 60 both || fail 'the job did not start'
}
one_signal_leaves_grace() {
  start_patient
  [ "$(ps -o pgid= -p $front | tr -d ' ')" = $front ] || fail 'no process group of its own'
  kill -TERM $front
  kill -TERM -$front 2>/dev/null
  wait $front
  check_all_ended
  [ -e "$DIR/late.0" ] && [ -e "$DIR/late.1" ]
}
two_signals_take_grace() {
  start_patient
  keeper=$(ps -o pid= --ppid $front | tr -d ' ')
  kill -STOP "$keeper"
  kill -TERM $front
  sleep 0.1
  kill -INT $front
  kill -CONT "$keeper"
  wait $front
  check_all_ended
  [ ! -e "$DIR/late.0" ]
}
one_of_three() {
  for try in 1 2 3; do
    "$1" && return
    echo "$1: not in try $try"
  done
  return 1
}
one_of_three one_signal_leaves_grace || fail 'no grace after a signal to the process group'
one_of_three two_signals_take_grace || fail 'two different signals: the job had its grace'
trap 'rm -rf "$DIR"' EXIT

# The machine stands still while the job ends: nobody has sent SIGKILL yet, so nobody may give up.
fresh
"$WEFTRUN" -n 2 sh -c 'trap "" TERM; echo $$ >"$0/pid.$PMI_RANK"; while :; do sleep 1; done' "$DIR" 2>"$DIR/err" &
front=$!
within 60 both || fail "the job did not start"
keeper=$(ps -o pid= --ppid $front | tr -d ' ')
kill -TERM $front
sleep 0.3
kill -STOP "$keeper"
sleep 6
kill -CONT "$keeper"
finished 143 'weftrun got signal 15 \(Terminated\); ending the job'

# Ctrl-C at a terminal: the terminal's driver sends the signal to everyone. (A script that was started by another's `&`
# has SIGINT ignored, and weftrun would inherit that: no terminal would end it.)
if command -v script >/dev/null; then
  fresh
  { within 60 ready 3; printf '\003'; within 60 all_ended; } |
    env --default-signal=INT \
      script -qec "trap : INT; '$WEFTRUN' -n 3 '$PEER' wait '$DIR' 0; echo status \$?" /dev/null >"$DIR/out" 2>&1
  tr -d '\r^C' <"$DIR/out" >"$DIR/err"
  grep -q 'status 130' "$DIR/err" || fail "Ctrl-C: not status 130"
  check_line 'weftrun got signal 2 \(Interrupt\); ending the job'
  check_all_ended
fi
exit 0
