# WEFT_ON_DEATH=continue: a PE that dies before the job has started is one line, not a job that waits for ever.
set -u
. "$(dirname "$0")/lib.sh"
export WEFT_ON_DEATH=continue
for where in "-n 3" "-n 4 --nodes 2"; do
  for victim in 0 1; do
    for moment in first second window collectives; do
      ends 1 "pe $victim died while the job started" $WEFTRUN $where "$WEFT_BUILD/test-bin/fault.stillborn" $victim $moment
      [ "$(grep -c 'died while' "$NOTES/err")" -eq 1 ] && ! grep -q 'must be the same\|must run the same\|WEFT_NODE' "$NOTES/err" || fail "$where, $victim, $moment: $(cat "$NOTES/err")"
    done
  done
done
exit 0
