# A process that knows where a job's port is, and not its secret, can neither read nor write the job's memory; the job goes on and says that somebody tried.
# Over libfabric's own TCP and rxm, at ports and at PEs' own endpoints, and where a port is a process of its own.
set -u
. "$(dirname "$0")/lib.sh"
PROGRAM=$WEFT_BUILD/test-bin/fault.stranger

start() { # WHERE
  where=$1
  fresh
  timeout 100 "$WEFTRUN" -n 2 --nodes 2 "$PROGRAM" job "$NOTES/port" >"$NOTES/out" 2>"$NOTES/err" </dev/null &
  pid=$!
  within 30 test -s "$NOTES/port" || fail "$where: the job did not start"
}
tries() { timeout 20 "$PROGRAM" "$@" >/dev/null 2>"$NOTES/try"; }
ends_well() {
  touch "$NOTES/port.done"
  wait $pid || fail "$where: the job ended with status $?"
}
said() { # TIMES LINE
  [ "$(grep -Ec "weft: pe 1: $2" "$NOTES/err")" -eq "$1" ] || fail "$where: not $1 times: $2"
}
knocks() {
  tries knock "$NOTES/port" "$@" || fail "$where: $(cat "$NOTES/try")"
  tries packet "$NOTES/port" "$@" || fail "$where: packets: $(cat "$NOTES/try")"
}

export WEFT_PROVIDER=$STREAM_PROVIDER
start "$WEFT_PROVIDER"
for how in read write; do
  for key in 0 1 2; do
    tries $how $key "$NOTES/port"
    [ $? -ne 3 ] || fail "$where: a stranger could $how with key $key"
  done
done
tries read told "$NOTES/port"
[ $? -eq 3 ] || fail "who was told the key could not read: the test tries nothing"
tries outside "$NOTES/port"
[ $? -ne 3 ] || fail "$where: a stranger with the key, but without the secret, could read"
knocks
ends_well
said 1 '.* is not of this job: dropped, as others will be'
said 1 '8 messages that were not of this job'
said 1 'a connection from .* is not of this job: refused'
said 1 '[0-9]+ connections that were not of this job were refused'

# The port is a process of its own, and PE 1's own endpoint another one's.
export WEFT_ON_DEATH=continue
start "$WEFT_PROVIDER, continue"
tries outside "$NOTES/port"
[ $? -ne 3 ] || fail "$where: a stranger with the key, but without the secret, could read"
tries outside "$NOTES/port" own
[ $? -ne 3 ] || fail "$where: at PE 1's own endpoint, too"
knocks
knocks own
ends_well
said 2 'a packet is not of this job: dropped'
said 1 '8 messages that were not of this job'
said 1 '6 messages that were not of this job'
said 2 'a connection from .* is not of this job: refused'
said 2 '[0-9]+ connections that were not of this job were refused'
unset WEFT_ON_DEATH

WEFT_PROVIDER=rxm
start "$WEFT_PROVIDER"
tries knock "$NOTES/port" || fail "$where: $(cat "$NOTES/try")"
ends_well
said 1 'a connection from .* is not of this job: refused'
said 1 '[0-9]+ connections that were not of this job were refused'
exit 0
