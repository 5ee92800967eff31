# weft-report: the page is HTML, needs nothing from elsewhere, and shows the numbers of the program.
set -u
. "$(dirname "$0")/lib.sh"

"$WEFTRUN" -n 4 --trace "$DIR/t.json" "$KNOWN" 2>"$DIR/err" || fail 'status'
[ "$("$REPORT" "$DIR/t.json")" = "$DIR/t.html" ] || fail 'does not say what it wrote'
"$REPORT" "$DIR/t.json" -o - | cmp - "$DIR/t.html" || fail '-o -'
python3 "$WEFT_SOURCE/test/record/report.py" "$DIR/t.html" 4 || fail 'the page of 4 PEs'

# Several PEs share a row when there are many of them: 100 PEs, each of which asks 5 operations of 40 bytes of the next.
python3 "$WEFT_SOURCE/test/record/report.py" make 100 >"$DIR/many.json"
"$REPORT" "$DIR/many.json" -o "$DIR/many.html" >/dev/null || fail 'many PEs'
python3 "$WEFT_SOURCE/test/record/report.py" "$DIR/many.html" many || fail 'the page of 100 PEs'

# What collectives move between nodes has a picture of its own.
"$WEFTRUN" -n 4 --nodes 2 --trace "$DIR/t.json" "$KNOWN" 2>"$DIR/err" && "$REPORT" "$DIR/t.json" >/dev/null || fail 'two nodes'
python3 "$WEFT_SOURCE/test/record/report.py" "$DIR/t.html" 4 || fail 'the page of two nodes'
grep -q 'aria-label="bytes moved by collectives"' "$DIR/t.html" || fail 'no picture of what collectives moved'

# A job that ended badly has its page as well.
"$WEFTRUN" -n 2 --trace "$DIR/t.json" "$KNOWN" global_exit "$DIR" 2>"$DIR/err"
"$REPORT" "$DIR/t.json" >/dev/null || fail 'a job that ended badly'
grep -q 'did not come to its end' "$DIR/t.html" || fail 'does not say that the job ended badly'

refuses() { # PATTERN ARGUMENTS...
  pattern=$1
  shift
  ! "$REPORT" "$@" >"$DIR/out" 2>"$DIR/err" || fail "$*: status 0"
  [ "$(wc -l <"$DIR/err")" -eq 1 ] && grep -q "^weft-report: .*$pattern" "$DIR/err" || fail "$*: not one line"
}
refuses 'cannot read .*No such file' "$DIR/none.json"
refuses 'no trace of Weft' "$KNOWN"
head -c -40 "$DIR/t.json" >"$DIR/cut.json"
refuses 'not whole' "$DIR/cut.json"
head -c 300 "$DIR/t.json" >"$DIR/cut.json"
refuses 'not whole' "$DIR/cut.json"
refuses 'cannot write /nowhere/x' "$DIR/t.json" -o /nowhere/x
# Another program's files, and damaged ones, are one line as well.
for damage in 's/"version":1/"version":2/' 's/"weft":{/"weft":[{/; s/}$/}]}/' 's/"pes":/"pe":/' 's/"npes":[0-9]*/"npes":"x"/'; do
  sed "$damage" "$DIR/t.json" >"$DIR/bad.json"
  ! cmp -s "$DIR/t.json" "$DIR/bad.json" || fail "$damage changes nothing"
  refuses 'bad.json \(is damaged\|is not whole\|has version 2\)' "$DIR/bad.json"
done
echo '{"traceEvents":[],"weft":1}' >"$DIR/bad.json"
refuses 'not whole' "$DIR/bad.json"
! "$REPORT" "$DIR/t.json" -o - >/dev/full 2>"$DIR/err" || fail 'a full disk: status 0'
grep -q '^weft-report: cannot write the standard output: No space' "$DIR/err" || fail 'a full disk: no line'
cp "$DIR/t.json" "$DIR/t.html"
refuses 'would take the place of the trace' "$DIR/t.html"
cmp "$DIR/t.json" "$DIR/t.html" || fail 'the trace is overwritten'
refuses 'see weft-report --help$' --frobnicate
(cd "$DIR" && name=$(printf 'a b\377') && cp t.json "$name.json" && "$REPORT" "$name.json" >out && [ -s "$name.html" ]) || fail 'a name that is no UTF-8'
exit 0
