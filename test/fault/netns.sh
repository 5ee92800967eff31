# A PE dies on one of two hosts (network namespaces).
set -u
. "$(dirname "$0")/lib.sh"
sh=$WEFT_SOURCE/test/netns.sh
"$sh" run true >"$NOTES/out" 2>&1 || { cat "$NOTES/out"; exit 77; }
for at in 0 1 3; do
  run="$sh run $WEFTRUN -n 4 --netns weft-a,weft-b $VICTIM"
  ends 7 "pe $at .*status 7" $run global_exit $at
  ends 137 "pe $at .*signal 9" $run kill $at
  ends 137 "pe $at .*signal 9" $run busy-kill $at
  ends 137 "pe $at .*signal 9" env WEFT_HELPERS=2 $run flood-kill $at
  ends 1 "pe $at.*without shmem_finalize" $run exit $at
done
exit 0
