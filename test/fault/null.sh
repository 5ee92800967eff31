# WEFT_CHECK=1: a NULL address is one line. (A sanitizer looks at such an address before Weft does, and dies of it.)
set -u
. "$(dirname "$0")/lib.sh"
export WEFT_CHECK=1
for where in "-n 2" "-n 2 --nodes 2" "-n 1"; do
  run="$WEFTRUN $where $VICTIM"
  ends 1 "pe 0: a put, a get or an atomic names the address (\(nil\)|0x0), which is no PE.s memory" $run null 0
  ends 1 "pe 0: a put, a get or an atomic names the address 0x[0-9a-f]+, which is no PE.s memory" $run null-get 0
done
# The program's own NULL pointer: one process of a node says so, and dies of it as it would have.
ends 139 "pe [01]: this program uses the address 0x[0-9a-f]+: a NULL pointer, or a handle that is none" $WEFTRUN -n 2 $VICTIM null-own
[ "$(grep -c 'NULL pointer' "$NOTES/err")" -eq 1 ] || fail "null-own: said more than once"
# Where each dies for itself each says so.
export WEFT_ON_DEATH=continue
ends 139 "NULL pointer" $WEFTRUN -n 2 $VICTIM null-own
[ "$(grep -c 'NULL pointer' "$NOTES/err")" -eq 2 ] || fail "null-own: not said by each"
exit 0
