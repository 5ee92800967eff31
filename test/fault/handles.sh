# WEFT_CHECK=1: a team, a context or the like that was destroyed, or is none, is one line. (AddressSanitizer has its own, with the stacks.)
set -u
. "$(dirname "$0")/lib.sh"
export WEFT_CHECK=1
for where in "-n 1" "-n 2" "-n 2 --nodes 2"; do
  run="$WEFTRUN $where $WEFT_BUILD/test-bin/fault.handles"
  for how in ctx ctx-quiet ctx-twice ctx-of-team; do ends 1 "pe [01]: a context that was destroyed is used" $run $how; done
  for how in team team-size team-twice team-split tm tm-barrier; do ends 1 "pe [01]: a team that was destroyed is used" $run $how; done
  ends 1 "pe [01]: an atomic domain that was destroyed is used" $run ad
  ends 1 "pe [01]: a segment that was destroyed is used" $run segment
  ends 139 "pe [01]: this program uses the address .*: a NULL pointer, or a handle that is none" $run ctx-none
  ends 0 "ended without shmem_finalize" $run ctx-reused
done
exit 0
