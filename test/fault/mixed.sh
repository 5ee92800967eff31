# PEs that have loaded different libraries of Weft, or have other options where they must be the same, do not begin.
set -u
. "$(dirname "$0")/lib.sh"
for where in "-n 2" "-n 4 --nodes 2"; do
  ends 1 "pe 0: PE 1 has loaded another libweft than PE 0" $WEFTRUN $where "$WEFT_BUILD/test-bin/fault.mixed"
done
# shellcheck disable=SC2016
ends 1 "pe 0: .*WEFT_DEBUG=port_spares on PE 1 differs from PE 0's" "$WEFTRUN" -n 2 --nodes 2 sh -c \
  '[ "$PMI_RANK" = 0 ] && name=port_buffers || name=port_spares; WEFT_DEBUG=$name=4x32K exec "$0" return' "$VICTIM"
exit 0
