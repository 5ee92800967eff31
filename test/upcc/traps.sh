# Every trap that docs/upc-traps.md numbers is cited by a test of test/upc or test/upcc, as "trap 3" or
# "traps 2, 7 to 9".
. "$(dirname "$0")/common.sh"
most=$(sed -n 's/^\([0-9]*\)\. .*/\1/p' "$WEFT_SOURCE/docs/upc-traps.md" | tail -n 1)
[ "${most:-0}" -ge 46 ] || fail "docs/upc-traps.md has $most traps"
cat "$here"/*.upc "$here"/*.sh "$here"/../upc/*.c "$here"/../upc/*.sh | tr '\n*#' '   ' | tr -s ' ' |
  grep -o 'traps\? [0-9][0-9, to]*\(and [0-9]*\)\?' | awk '
    { gsub(",", " "); for (i = 2; i <= NF; i++) {
        if ($i == "to") { for (k = last; k <= $(i + 1); k++) cited[k] = 1 }
        else if ($i ~ /^[0-9]+$/) { cited[$i] = 1; last = $i } } }
    END { for (k in cited) print k }' | sort -n >"$work/cited"
seq "$most" | grep -vxFf "$work/cited" >"$work/missing"
[ ! -s "$work/missing" ] || fail "no test cites the traps: $(tr '\n' ' ' <"$work/missing")"
exit 0
