# The whole job ends when one PE does, on one node and on several; the line says which PE and why, the status is passed on, and
# nothing is left: not when weftrun is killed either.
set -u
. "$(dirname "$0")/lib.sh"

for where in "-n 3" "-n 4 --nodes 2"; do
  for at in 0 2; do # on two nodes: the lowest of each has the port
    run="$WEFTRUN $where $VICTIM"
    ends 7 "pe $at .*status 7" $run busy-global_exit $at
    ends 1 "pe $at.*exit\(0\) without shmem_finalize" $run exit $at
    ends 139 "pe $at .*signal 11" $run segv $at
    ends 137 "pe $at .*signal 9" $run kill $at
    ends 137 "pe $at .*signal 9" $run busy-kill $at
    [ "$(grep -c . "$NOTES/err")" -eq 1 ] || fail "busy-kill $at: more than one line"
    [ $at -ne 0 ] || continue
    ends 7 "pe $at .*status 7" $run global_exit $at
    ends 5 "pe $at.*exit\(5\) without shmem_finalize" $run exit5 $at
    ends 1 "pe $at.*without shmem_finalize" $run return $at
    ends 6 "pe $at .*exited with status 6" $run _exit $at
    ends 134 "pe $at .*signal 6" $run abort $at
  done
done

# A program that does not call shmem_finalize and means well: it is done for it. One warning, of PE 0.
well() { # PATTERN WAY...
  ends 0 "$@"
  [ "$(grep -c . "$NOTES/err")" -eq 1 ] || fail "$*: more than one line"
}
for where in "-n 3" "-n 4 --nodes 2" "-n 1"; do
  run="$WEFTRUN $where $VICTIM"
  for way in end-all end-one end-busy; do well '^weft: pe 0: the program ended without shmem_finalize' $run $way; done
  well '^weft: pe 0: the program ended without the last shmem_finalize .calls of shmem_init: 2, of it: 1.,' $run end-inner
  well '^weft: pe 0: shmem_finalize called again' $run finalize-twice
done

# The death explains the lost connection, also when the launcher hears of both at once.
started() { [ "$(ls "$NOTES" | grep -c '^pid\.')" -eq 4 ]; }
late() { # STATUS SIGNAL
  fresh
  "$WEFTRUN" -n 4 --nodes 2 "$VICTIM" wait 2>"$NOTES/err" &
  front=$!
  within 60 started || fail "the job does not start"
  keeper=$(ps -o pid= --ppid $front | tr -d ' ')
  kill -STOP "$keeper"
  kill -"$2" "$(cat "$NOTES/pid.0")"
  sleep 3
  kill -CONT "$keeper"
  wait $front
  status=$?
  [ $status -eq "$1" ] || fail "late $2: status $status"
  one_line "late $2"
  nothing_left
}
one_line() { [ "$(grep -c . "$NOTES/err")" -eq 1 ] || fail "$1: more than one line"; }
late 139 SEGV

# All its connections are lost at once, while it uses them.
ends 1 "connection between .*127\.0\.0\.1:[0-9]+.*127\.0\.0\.1:[0-9]+.* was lost" $WEFTRUN -n 2 --nodes 2 $VICTIM cut 0
one_line "cut"

# In the middle of heavy traffic, whichever process it is: one line, and no other node's port is stuck.
for helpers in 1 2; do
  for at in 2 3; do # with the first port of its node, with the second or none
    ends 137 "pe $at .*signal 9" env WEFT_HELPERS=$helpers $WEFTRUN -n 6 --nodes 3 $VICTIM flood-kill $at
    one_line "flood-kill $at with $helpers helpers"
  done
  at=$((5 - 2 * helpers)) # PE 1 never polls, so messages wait for it
  ends 137 "pe $at .*signal 9" env WEFT_HELPERS=$helpers $WEFTRUN -n 4 --nodes 2 "$WEFT_BUILD/test-bin/fault.flood_am" $at
  one_line "flood_am $at with $helpers helpers"
  ends 139 "pe 0 .*signal 11" env WEFT_HELPERS=$helpers WEFT_COALESCE=0 $WEFTRUN -n 4 --nodes 2 $VICTIM flood-segv 0
  one_line "flood-segv with $helpers helpers"
  ends 7 "pe 3 .*status 7" env WEFT_HELPERS=$helpers $WEFTRUN -n 4 --nodes 2 $VICTIM flood-global_exit 3
done

# weftrun is killed: the job goes with it.
for nodes in 1 2; do
  fresh
  "$WEFTRUN" -n 4 --nodes $nodes "$VICTIM" wait 2>"$NOTES/err" &
  front=$!
  within 60 started || fail "the job does not start"
  kill -KILL $front
  wait $front 2>/dev/null
  nothing_left
done

# A PE comes to its end with a lock that another waits for.
for where in "-n 2" "-n 4 --nodes 2" "-n 2 -x WEFT_ON_DEATH=continue"; do
  for how in finalize return; do
    ends 1 'the lock at .* is not given up any more: pe 0 has it, and is at its end' $WEFTRUN $where "$WEFT_BUILD/test-bin/fault.keeper" $how
  done
done
exit 0
