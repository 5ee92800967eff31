# The table of --stats, to the byte: one node and two, with and without the checks, by weftrun and by another launcher. It goes to
# the standard error.
set -u
. "$(dirname "$0")/lib.sh"

# Columns of one PE: puts, gets and atomics with their bytes, quiets, fences, collectives; waits.
expect_pe() { # PE
  awk -v pe="$1" '$1 == pe && NF == 14 {
    print $2, $3, $4, $5, $6, $7, $8, $9, $10, $12; exit }' "$DIR/err" >"$DIR/row"
  [ "$(cat "$DIR/row")" = '15 5.7K 6 2.0K 8 44B 2 1 8 1' ] || fail "$what: PE $1: $(cat "$DIR/row")"
}

expect_matrix() { # FIRST-WORD-OF-ITS-TITLE ROW...
  title=$1
  shift
  for row; do
    sed -n "/^$title of the operations/,/^[A-Z]/p" "$DIR/err" | tr -s ' ' | grep -qx " $row" || fail "$what: $title: no row $row"
  done
}

expect_four() {
  for pe in 0 1 2 3; do expect_pe $pe; done
  grep -Eq '^ +all +60 +22.6K +24 +7.9K +32 +176B +8 +4 +32 ' "$DIR/err" || fail "$what: sum"
  expect_matrix Number '0 1 28 . .' '1 1 . 28 .' '2 1 . . 28' '3 29 . . .'
  expect_matrix Bytes '0 8B 7.7K . .' '1 8B . 7.7K .' '2 8B . . 7.7K' '3 7.7K . . .'
}

for check in 0 1; do
  for nodes in 1 2; do
    what="WEFT_CHECK=$check --nodes $nodes"
    WEFT_CHECK=$check "$WEFTRUN" -n 4 --nodes $nodes --stats "$KNOWN" >"$DIR/out" 2>"$DIR/err" || fail "$what: status $?"
    expect_four
    [ ! -s "$DIR/out" ] || fail "$what: something on stdout"
    nothing_left "$what"
  done
done

what='WEFT_COALESCE=0'
WEFT_COALESCE=0 "$WEFTRUN" -n 4 --nodes 2 --stats "$KNOWN" 2>"$DIR/err" || fail "$what: status $?"
expect_four

if command -v mpiexec.hydra >/dev/null; then
  what='mpiexec.hydra'
  WEFT_STATS=1 mpiexec.hydra -n 4 "$KNOWN" >"$DIR/out" 2>"$DIR/err" </dev/null || fail "$what: status $?"
  expect_four
fi

# Nobody asked: nothing is said.
"$WEFTRUN" -n 2 "$KNOWN" 2>"$DIR/err" || fail 'without: status'
[ ! -s "$DIR/err" ] || fail 'without: something on stderr'

# Only one PE is asked to: nobody records, and a line says why.
"$WEFTRUN" -n 2 sh -c '[ $PMI_RANK = 1 ] || export WEFT_STATS=1; exec "$0"' "$KNOWN" 2>"$DIR/err" || fail 'one PE: status'
[ "$(grep -c . "$DIR/err")" -eq 1 ] && grep -q '^weft: pe 0: .*not on every PE, so nothing is recorded' "$DIR/err" ||
  fail 'one PE: not one line'

# More PEs than a matrix has room for: the pairs with most bytes.
"$WEFTRUN" -n 18 --stats "$KNOWN" 2>"$DIR/err" || fail '18 PEs: status'
expect_pe 17
grep -q '^The 16 pairs with most bytes' "$DIR/err" || fail '18 PEs: no pairs'
tr -s ' ' <"$DIR/err" | grep -qx ' 17 0 29 7.7K' || fail '18 PEs: no pair of 17 and 0'
exit 0
