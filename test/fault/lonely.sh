# WEFT_CHECK=1: where some PEs are in one collective and others in another one, or at their end, a line says so: at once, or where each is.
set -u
. "$(dirname "$0")/lib.sh"
export WEFT_CHECK=1 WEFT_DEBUG=patience_s=3
lonely() { # LINE OPTIONS...: the victim, PE 0, calls something alone
  line=$1 name=$(echo "$*" | tr -c 'a-z0-9\n' _)
  shift
  "$WEFTRUN" "$@" 2>"$NOTES/err.$name" >"$NOTES/out.$name" &
  job=$!
  within 60 grep -Eqs "$line" "$NOTES/err.$name"
  kill -INT $job 2>/dev/null
  wait $job
  grep -Eq "$line" "$NOTES/err.$name" || echo "$*: no line like: $line" >>"$NOTES/failed"
}
waits='this PE has waited for the others for 3 s'
lonely "pe 0: shmem_malloc: $waits" -n 2 "$VICTIM" lone-malloc 0 &
lonely "pe 1: shmem_barrier_all: $waits" -n 2 "$VICTIM" lone-malloc 0 &
lonely "pe 0: shmem_long_wait_until: $waits" -n 2 "$VICTIM" lone-wait 0 &
for way in lone-malloc lone-finalize; do
  lonely "pe [0-3]: shmem_.*(: $waits|: another member of the team|while other PEs go on)" -n 4 --nodes 2 "$VICTIM" $way 0 &
done
wait
[ ! -e "$NOTES/failed" ] || fail "$(cat "$NOTES"/failed "$NOTES"/err.*)"
exit 0
