# The table of --stats, to the byte: one node and two, with and without the checks, by weftrun and by another launcher. It goes to
# the standard error.
set -u
. "$(dirname "$0")/lib.sh"

# Columns of one PE: puts, gets and atomics with their bytes, quiets, fences, collectives; waits.
expect_pe() { # PE
  awk -v pe="$1" '$1 == pe && NF == 14 {
    print $2, $3, $4, $5, $6, $7, $8, $9, $10, $12; exit }' "$DIR/err" >"$DIR/row"
  [ "$(cat "$DIR/row")" = '14 5.6K 6 2.0K 6 28B 2 1 8 1' ] || fail "$what: PE $1: $(cat "$DIR/row")"
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
  grep -Eq '^ +all +56 +22.3K +24 +7.9K +24 +112B +8 +4 +32 ' "$DIR/err" || fail "$what: sum"
  expect_matrix Number '0 1 25 . .' '1 1 . 25 .' '2 1 . . 25' '3 26 . . .'
  expect_matrix Bytes '0 8B 7.6K . .' '1 8B . 7.6K .' '2 8B . . 7.6K' '3 7.6K . . .'
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

# More PEs than a matrix has room for: the pairs with most bytes.
"$WEFTRUN" -n 18 --stats "$KNOWN" 2>"$DIR/err" || fail '18 PEs: status'
expect_pe 17
grep -q '^The 16 pairs with most bytes' "$DIR/err" || fail '18 PEs: no pairs'
tr -s ' ' <"$DIR/err" | grep -qx ' 17 0 26 7.6K' || fail '18 PEs: no pair of 17 and 0'
exit 0
