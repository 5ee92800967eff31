# The file of --trace: its events and counters are what the program did.
set -u
. "$(dirname "$0")/lib.sh"

run() { # WEFTRUN-OPTIONS...: leaves the trace in $DIR/t.json
  rm -f "$DIR/t.json"
  "$WEFTRUN" "$@" --trace "$DIR/t.json" "$KNOWN" >"$DIR/out" 2>"$DIR/err" || fail "$*: status $?"
  nothing_left "$*"
}

for nodes in 1 2; do
  run -n 4 --nodes $nodes
  [ ! -s "$DIR/err" ] && [ ! -s "$DIR/out" ] || fail "--nodes $nodes: said something"
  python3 "$TRACE" "$DIR/t.json" 4 || fail "--nodes $nodes"
done
run -n 1
python3 "$TRACE" "$DIR/t.json" 1 || fail 'one PE'
WEFT_CHECK=1 run -n 2 --nodes 2
python3 "$TRACE" "$DIR/t.json" 2 || fail 'WEFT_CHECK=1'

# A relative name is one of where weftrun was started; the variable does the same as the option.
(cd "$DIR" && WEFT_TRACE=sub.json "$WEFTRUN" -n 2 --wdir / "$KNOWN") || fail 'WEFT_TRACE: status'
python3 "$TRACE" "$DIR/sub.json" 2 || fail 'WEFT_TRACE'

# A program whose numbers have a decimal comma.
if localedef -i de_DE -f UTF-8 "$DIR/de_DE.UTF-8" >/dev/null 2>&1; then
  LOCPATH=$DIR LC_ALL=de_DE.UTF-8 run -n 2
  python3 "$TRACE" "$DIR/t.json" 2 || fail 'with a decimal comma'
fi

# Little room: as much as there is, and one line that says so. All is counted.
WEFT_TRACE_EVENTS=10 run -n 2
python3 "$TRACE" "$DIR/t.json" 2 room=10 || fail 'WEFT_TRACE_EVENTS=10'
grep -Eq '^weft: pe 0: the trace has no room .*WEFT_TRACE_EVENTS=10' "$DIR/err" || fail 'no line about room'
WEFT_TRACE_EVENTS=0 run -n 2
python3 "$TRACE" "$DIR/t.json" 2 room=0 || fail 'WEFT_TRACE_EVENTS=0'

# Another launcher, whose PEs keep their parts beside the file: they are gone when it is there.
if command -v mpiexec.hydra >/dev/null; then
  WEFT_TRACE=$DIR/hydra.json mpiexec.hydra -n 2 "$KNOWN" 2>"$DIR/err" </dev/null || fail 'mpiexec.hydra: status'
  python3 "$TRACE" "$DIR/hydra.json" 2 || fail 'mpiexec.hydra'
  [ "$(ls "$DIR" | grep -c hydra)" -eq 1 ] || fail "mpiexec.hydra leaves $(ls "$DIR")"
fi

# Two lives: the table and the trace of each finalize have all since the first init, and nothing of a child.
(cd "$DIR" && "$WEFTRUN" -n 2 --stats --trace lives.json "$WEFT_BUILD/test-bin/record.lives" 2>err) || fail 'two lives: status'
[ "$(grep -Ec '^ +all +2 +16B ' "$DIR/err")" -eq 1 ] && [ "$(grep -Ec '^ +all +4 +32B ' "$DIR/err")" -eq 1 ] || fail 'two lives'
[ "$(grep -c '"name":"shmem_p"' "$DIR/lives.json")" -eq 4 ] || fail 'two lives: the trace'

# It cannot be written: the program runs all the same.
"$WEFTRUN" -n 2 --trace /nowhere/t.json "$KNOWN" 2>"$DIR/err" || fail '/nowhere: status'
[ "$(cat "$DIR/err")" = "$(grep '^weft: pe 0: cannot write the trace /nowhere/t.json: .*name another file' "$DIR/err")" ] ||
  fail '/nowhere: not one line'
nothing_left /nowhere
exit 0
