# WEFT_ON_DEATH=continue: a PE that dies before the job has started is one line, not a job that waits for ever.
set -u
. "$(dirname "$0")/lib.sh"
export WEFT_ON_DEATH=continue
for where in "-n 3" "-n 4 --nodes 2"; do
  for victim in 0 1; do
    ends 1 "pe [0-9]: pe $victim died while the job started" $WEFTRUN $where "$WEFT_BUILD/test-bin/fault.stillborn" $victim
  done
done
exit 0
