# What a connection took along that nobody saw: the job ends with a line that names both ends. What only is not taken yet is waited for.
set -u
. "$(dirname "$0")/lib.sh"
export WEFT_LINK_TIMEOUT=2
run="$WEFTRUN -n 2 --nodes 2 $WEFT_BUILD/test-bin/fault.missing"
lost='connection between node 0 \(127\.0\.0\.1:[0-9]+\) and node 1 \(127\.0\.0\.1:[0-9]+\) was lost, and with it'

judge() ( # WHAT STATUS LINE
  DIR=$DIR/$1
  NOTES=$DIR
  ends "$2" "$3" $run "$1"
  [ "$(grep -c . "$DIR/err")" -eq 1 ] || fail "$1: more than one line"
)
# They wait most of the time.
judge packet 1 "$lost" &
packet=$!
judge answer 1 "$lost" &
answer=$!
judge late 0 'node 1 has not answered for [0-9]+ s' || exit 1
wait $packet || exit 1
wait $answer || exit 1
exit 0
