# A job ends with all of its output, however late somebody reads it, and with its status, whatever its threads hold.
set -u
. "$(dirname "$0")/lib.sh"
STREAMS=$WEFT_BUILD/test-bin/fault.streams

slow() { # NAME COMMAND...: nobody reads for longer than the patience with locks
  name=$1
  shift
  { "$@" 2>"$NOTES/err.$name"; echo $? >"$NOTES/status.$name"; } | { sleep 7; wc -c >"$NOTES/bytes.$name"; }
}
slow one "$WEFTRUN" -n 1 "$STREAMS" slow 0 &
slow three "$WEFTRUN" -n 1 "$STREAMS" slow 3 &
slow alone "$STREAMS" slow 0 &
[ ! -x "$WEFT_BUILD/test-bin/gasnet.streams" ] || GASNET_EXITTIMEOUT=2 slow gasnet "$WEFTRUN" -n 2 "$WEFT_BUILD/test-bin/gasnet.streams" slow 0 &
[ ! -x "$WEFT_BUILD/test-bin/gasnet.streams" ] || GASNET_EXITTIMEOUT=2 slow unlike "$WEFTRUN" -n 2 "$WEFT_BUILD/test-bin/gasnet.streams" unlike 3 &
mkfifo "$NOTES/terminal"
timeout 30 "$WEFTRUN" -n 1 "$STREAMS" held 3 <>"$NOTES/terminal" >"$NOTES/out" 2>"$NOTES/err.held"
status=$?
[ $status -eq 3 ] || fail "a stream that is held: status $status, want 3: $(cat "$NOTES/err.held")"
wait
for how in "streams held 0" "streams held 3" "streams_seq held 0"; do
  [ -x "$WEFT_BUILD/test-bin/gasnet.streams" ] || break
  timeout 30 "$WEFTRUN" -n 2 "$WEFT_BUILD/test-bin/gasnet."$how <>"$NOTES/terminal" >"$NOTES/out" 2>"$NOTES/err.held"
  got=$?
  [ $got -eq ${how##* } ] || fail "gasnet.$how: status $got: $(cat "$NOTES/err.held")"
done

# What the others had printed, which nobody reads for longer than they have to come to their waits. A busy machine may not give them that second.
for run in "others 384000 -n 5" "others 384000 -n 5 --nodes 2" "both 192000 -n 4" "both 192000 -n 4 --nodes 2" "stopped 96000 -n 3 --nodes 3" \
  "over 192000 -n 4 -x WEFT_ON_DEATH=continue" "over 192000 -n 4 --nodes 2 -x WEFT_ON_DEATH=continue" \
  "both 192000 -n 4 --nodes 2 -x WEFT_ON_DEATH=continue"; do
  read -r how want where <<EOF
$run
EOF
  for try in 1 2 3; do
    bytes=$(timeout 30 "$WEFTRUN" $where "$STREAMS" "$how" 0 2>"$NOTES/err.others" | { sleep 2; wc -c; })
    [ "$bytes" -ne "$want" ] || break
  done
  [ "$bytes" -eq "$want" ] || fail "$how, $where: $bytes bytes of $want: $(cat "$NOTES/err.others")"
  [ "$(grep -c 'port died' "$NOTES/err.others")" -eq 0 ] || fail "$how, $where: $(cat "$NOTES/err.others")"
done
for name in one three alone gasnet unlike; do
  [ -e "$NOTES/status.$name" ] || continue
  want=0
  case $name in three | unlike) want=3 ;; esac
  [ "$(cat "$NOTES/status.$name")" -eq $want ] || fail "$name: status $(cat "$NOTES/status.$name"), want $want: $(cat "$NOTES/err.$name")"
  [ "$(cat "$NOTES/bytes.$name")" -eq 96000 ] || fail "$name: $(cat "$NOTES/bytes.$name") bytes of 96000"
done
exit 0
