# A job whose hosts have providers of different names, or that do different things, ends with one line that says so. That one has no door is no such thing.
weftrun=$1 program=$2
refused() { # WHAT THE LINE SAYS, COMMAND...
  says=$1
  shift
  timeout 60 "$weftrun" -n 4 --nodes 4 "$@" >"$log" 2>&1 && { echo "it ran: $*"; exit 1; }
  [ "$(grep -c "$says" "$log")" = 1 ] && [ "$(grep -vc 'ended the job with status' "$log")" = 1 ] ||
    { cat "$log"; exit 1; }
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
timeout 60 "$weftrun" -n 4 --nodes 4 "$program" || exit 1
UNLIKE=door timeout 60 "$weftrun" -n 4 --nodes 4 "$program" || { echo "where one host has no door"; exit 1; }
refused "PE 1 has libfabric's provider .*: set WEFT_PROVIDER" sh -c '[ "$PMI_RANK" != 1 ] || export WEFT_PROVIDER=rxm; exec "$0"' "$program"
refused "is not the same on PE 1 as on PE 0: all hosts need the same version" env UNLIKE=1 "$program"
exit 0
