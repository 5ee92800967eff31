# Damaged programs: the translator ends with 0 or 1, never by a signal, and soon. The damage is the same
# each time (a fixed seed).
#   fuzz.sh [ROUNDS]
. "$(dirname "$0")/common.sh"
rounds=${1:-150}
programs="layout access forall order oldstyle errors bulk together initial calls"
for program in $programs; do
  "$UPCC" -E -I"$here" "$here/$program.upc" 2>/dev/null | grep -v '^# \|^$' >"$work/$program.text"
  [ "$(wc -l <"$work/$program.text")" -gt 100 ] || fail "$program: no text"
done
cat >"$work/damage.awk" <<'END'
# Delete, repeat, exchange or invent a word here and there, behind the headers.
BEGIN { srand(seed); n = split("( ) { } [ ] ; , * & shared [*] strict upc_forall THREADS struct = -> . sizeof typedef ? : 0x \" '", junk, " ") }
{
  if (NR > from && rand() < rate) {
    c = int(rand() * length($0)); k = int(rand() * 5)
    if (k == 0) $0 = substr($0, 1, c) substr($0, c + 1 + int(rand() * 6))
    else if (k == 1) $0 = substr($0, 1, c) " " junk[1 + int(rand() * n)] " " substr($0, c + 1)
    else if (k == 2) $0 = $0 $0
    else if (k == 3) { swap = last; last = $0; $0 = swap }
    else $0 = ""
  }
  if (NR > from && rand() < 0.001) exit
  print
}
END
round=0
while [ $round -lt "$rounds" ]; do
  for program in $programs; do
    lines=$(wc -l <"$work/$program.text")
    awk -v seed=$((round * 7 + 1)) -v from=$((lines - 180)) -v rate=0.0$((round % 5 + 1)) -f "$work/damage.awk" "$work/$program.text" >"$work/in.i"
    options=
    [ $((round % 3)) -eq 0 ] && options="-T=3 -O2"
    # shellcheck disable=SC2086
    timeout 20 "$UPCC" $options -trans "$work/in.i" -o "$work/out.trans.c" >"$work/log" 2>&1
    status=$?
    if [ $status -gt 1 ]; then
      cp "$work/in.i" "${TMPDIR:-/tmp}/upcc-fuzz.i"
      tail -5 "$work/log"
      fail "status $status in round $round with $program: see ${TMPDIR:-/tmp}/upcc-fuzz.i"
    fi
    round=$((round + 1))
  done
done
exit 0
