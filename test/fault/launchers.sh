# The same under Hydra, whose own lines we do not judge: the job ends, with a status that is not 0, and nothing is left.
set -u
. "$(dirname "$0")/lib.sh"
command -v mpiexec.hydra >/dev/null || { echo "skipped: no mpiexec.hydra"; exit 77; }

hydra() { # STATUS WAY AT
  fresh
  timeout 90 mpiexec.hydra -n 3 "$VICTIM" "$2" "$3" >"$NOTES/out" 2>"$NOTES/err" </dev/null
  status=$?
  [ $status -ne 124 ] || fail "hydra: $2 hangs"
  { [ "$1" = any ] && [ $status -ne 0 ]; } || [ "$status" = "$1" ] || fail "hydra: $2: status $status, want $1"
  nothing_left
}
for at in 0 2; do
  hydra 7 global_exit $at
  hydra 1 exit $at
  hydra any abort $at
  hydra any kill $at
  hydra any busy-kill $at
done
exit 0
