# PEs that have loaded different libraries of Weft do not begin.
set -u
. "$(dirname "$0")/lib.sh"
for where in "-n 2" "-n 4 --nodes 2"; do
  ends 1 "pe 0: PE 1 has loaded another libweft than PE 0" $WEFTRUN $where "$WEFT_BUILD/test-bin/fault.mixed"
done
exit 0
