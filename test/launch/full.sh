# Nobody reads the output, and its pipe is full: signals and the death of weftrun end the job all the same.
set -u
. "$(dirname "$0")/lib.sh"

program='echo $$ >"$0/pid.$PMI_RANK"; exec yes'
mkfifo "$DIR.pipe"
trap 'rm -rf "$DIR" "$DIR.pipe"; kill $reader 2>/dev/null' EXIT

# Both PEs sleep in write(), or with --tag wait for the keeper, which finds no room.
full() {
  [ -s "$DIR/pid.0" ] && [ -s "$DIR/pid.1" ] &&
    for pid in $(cat "$DIR"/pid.*); do grep -q '^State:.S' "/proc/$pid/status" || return 1; done
}

start() { # OPTIONS
  fresh
  sleep 100 <"$DIR.pipe" &
  reader=$!
  env --default-signal=HUP "$WEFTRUN" -n 2 $1 sh -c "$program" "$DIR" >"$DIR.pipe" 2>&1 &
  front=$!
  within 60 full || fail 'the job did not start'
  sleep 0.1
  within 60 full || fail 'the pipe does not fill'
  keeper=$(ps -o pid= --ppid $front | tr -d ' ')
  echo "$keeper" >"$DIR/pid.keeper"
}

finished() { # STATUS
  within 30 ended $front || fail "weftrun $options: it did not end by $signal"
  wait $front 2>/dev/null
  status=$?
  check_all_ended
  [ $status -eq "$1" ] || fail "weftrun $options: status $status, want $1"
  kill $reader
}

for options in --tag -q; do
  for signal in HUP:129 KILL:137; do
    start $options
    kill -${signal%:*} $front
    finished ${signal#*:}
  done
done
exit 0
