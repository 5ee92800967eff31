# A process that knows where a job's port is, and not its secret, can neither read nor write the job's memory; the job goes on and says that somebody tried.
set -u
. "$(dirname "$0")/lib.sh"
PROGRAM=$WEFT_BUILD/test-bin/fault.stranger
export WEFT_PROVIDER=$STREAM_PROVIDER
fresh
timeout 100 "$WEFTRUN" -n 2 --nodes 2 "$PROGRAM" job "$NOTES/port" >"$NOTES/out" 2>"$NOTES/err" </dev/null &
pid=$!
within 30 test -s "$NOTES/port" || fail "$WEFT_PROVIDER: the job did not start"
for how in read write; do
  for key in 0 1 2; do
    timeout 20 "$PROGRAM" $how $key "$NOTES/port" >/dev/null 2>"$NOTES/try"
    [ $? -ne 3 ] || fail "$WEFT_PROVIDER: a stranger could $how with key $key"
  done
done
timeout 20 "$PROGRAM" read told "$NOTES/port" >/dev/null 2>"$NOTES/try"
[ $? -eq 3 ] || fail "who was told the key could not read: the test tries nothing"
timeout 20 "$PROGRAM" outside "$NOTES/port" >/dev/null 2>"$NOTES/try"
[ $? -ne 3 ] || fail "$WEFT_PROVIDER: a stranger with the key, but without the secret, could read"
timeout 20 "$PROGRAM" knock "$NOTES/port" >/dev/null 2>"$NOTES/try" || fail "$WEFT_PROVIDER: $(cat "$NOTES/try")"
timeout 20 "$PROGRAM" packet "$NOTES/port" >/dev/null 2>"$NOTES/try" || fail "$WEFT_PROVIDER: packets: $(cat "$NOTES/try")"
touch "$NOTES/port.done"
wait $pid || fail "$WEFT_PROVIDER: the job ended with status $?"
grep -q 'weft: pe 1: .*not of this job' "$NOTES/err" || fail "$WEFT_PROVIDER: no line about the stranger"
grep -q 'weft: pe 1: 8 messages that were not of this job' "$NOTES/err" || fail "$WEFT_PROVIDER: they were not counted"
grep -q 'weft: pe 1: a connection from .* is not of this job: refused' "$NOTES/err" || fail "$WEFT_PROVIDER: no line about who knocked"
grep -Eq 'weft: pe 1: [0-9]+ connections that were not of this job were refused' "$NOTES/err" || fail "$WEFT_PROVIDER: who knocked was not counted"
