# Jobs that end badly: what every PE did until then is there, in the table and in the file, also of one that got SIGKILL; and
# nothing is left elsewhere, not when weftrun itself is killed either.
set -u
. "$(dirname "$0")/lib.sh"

for nodes in 1 2; do
  for how in global_exit:3 kill:137 abort:134; do
    what="--nodes $nodes ${how%:*}"
    rm -f "$DIR/t.json"
    mkdir "$DIR/here"
    "$WEFTRUN" -n 4 --nodes $nodes --stats --trace "$DIR/t.json" "$KNOWN" "${how%:*}" "$DIR/here" 2>"$DIR/err"
    status=$?
    [ $status -eq "${how#*:}" ] || fail "$what: status $status"
    grep -q '^weft: pe 3 ' "$DIR/err" || fail "$what: the PE is not named"
    grep -q "^weft: the trace $DIR/t.json has what 4 of 4 PEs did" "$DIR/err" || fail "$what: no line about the trace"
    grep -Eq '^ +all +60 +22.6K +24 +7.9K +32 +176B +8 +4 ' "$DIR/err" || fail "$what: no table"
    python3 "$TRACE" "$DIR/t.json" 4 incomplete || fail "$what"
    nothing_left "$what"
    rm -r "$DIR/here"
  done
done

# --stats alone.
"$WEFTRUN" -n 2 --stats "$KNOWN" global_exit "$DIR" 2>"$DIR/err"
grep -q '^Weft: what 2 PEs did until the job ended' "$DIR/err" || fail 'no table'
nothing_left 'stats alone'

# Long names, of the trace and of the folder of parts.
part=$(printf '%0200d' 0)
deep=$DIR/$part/$part/$part/$part
mkdir -p "$deep"
TMPDIR=$deep "$WEFTRUN" -n 2 --stats --trace "$deep/t.json" "$KNOWN" global_exit "$DIR" 2>"$DIR/err"
grep -q 'has what 2 of 2 PEs did' "$DIR/err" && grep -q '^Weft: what 2 PEs did' "$DIR/err" || fail 'a long name: nothing is collected'
[ "$(ls "$deep")" = t.json ] || fail "a long name: left behind: $(ls -R "$deep")"
rm -r "$DIR/$part"

# Another launcher leaves the files of the PEs: they are enough.
if command -v mpiexec.hydra >/dev/null; then
  mkdir "$DIR/here"
  WEFT_TRACE=$DIR/t.json mpiexec.hydra -n 2 "$KNOWN" kill "$DIR/here" >"$DIR/out" 2>&1 </dev/null
  ! "$REPORT" "$DIR/t.json" 2>"$DIR/err" || fail 'hydra: a page of nothing'
  grep -q "weftrun --collect $DIR/t.json" "$DIR/err" || fail 'hydra: weft-report does not say what to do'
  "$WEFTRUN" --collect "$DIR/t.json" 2>"$DIR/err" || fail "hydra: --collect: status $?"
  python3 "$TRACE" "$DIR/t.json" 2 incomplete || fail 'hydra'
  ! ls "$DIR"/t.json.* 2>/dev/null || fail 'hydra: files are left'
  ! "$WEFTRUN" --collect "$DIR/t.json" 2>"$DIR/err" || fail '--collect of nothing: status 0'
  grep -q '^weftrun: there are no files' "$DIR/err" || fail '--collect of nothing: no line'
fi

# The front of weftrun is killed: the keeper clears up.
"$WEFTRUN" -n 2 --stats sleep 60 2>"$DIR/err" &
front=$!
tries=1500
until [ -n "$(ls -A "$TMPDIR")" ] || [ $((tries -= 1)) -eq 0 ]; do sleep 0.02; done
kill -KILL $front
wait $front 2>/dev/null
tries=1500
until [ -z "$(ls -A "$TMPDIR")" ] || [ $((tries -= 1)) -eq 0 ]; do sleep 0.02; done
nothing_left 'weftrun was killed'
exit 0
