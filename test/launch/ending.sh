# A PE ends badly: the status, the one line, and nothing left, stubborn children included.
set -u
. "$(dirname "$0")/lib.sh"

# ends STATUS 'LINE' WEFTRUN-OPTIONS -- PEER-ARGUMENTS
ends() {
  want=$1 line=$2 options=
  shift 2
  while [ "$1" != -- ]; do
    options="$options $1"
    shift
  done
  shift
  mode=$1
  shift
  fresh
  timeout 60 "$WEFTRUN" $options "$PEER" "$mode" "$DIR" "$@" 2>"$DIR/err"
  status=$?
  [ $status -eq "$want" ] || fail "$mode $*: status $status, want $want"
  check_line "$line"
  check_all_ended
}

ends 137 'pe 1 \(pid [0-9]+\) was killed by signal 9 \(Killed\); ending the job' -n 3 -- kill 1
ends 137 'pe 0 \(pid [0-9]+\) was killed by signal 9 \(Killed\); ending the job' -n 1 -- kill 0
ends 137 'pe 2 \(pid [0-9]+, node 1\) was killed by signal 9 \(Killed\); ending the job' \
  -n 3 --nodes 2 -- kill 2
ends 9 'pe 0 \(pid [0-9]+\) ended the job with status 9' -n 3 -- abort 0 9
ends 255 'pe 7 \(pid [0-9]+\) ended the job with status 255' -n 8 -- abort 7 255
ends 0 'pe 1 \(pid [0-9]+\) ended the job with status 0' -n 2 -- abort 1 0
ends 3 'pe 1 \(pid [0-9]+\) exited with status 3; ending the job' -n 2 -- exit 1 3
ends 1 'pe 1 \(pid [0-9]+\) exited without finalizing; ending the job' -n 2 -- desert 1
ends 1 'pe 1 \(pid [0-9]+\) exited while the others wait for it; ending the job' -n 3 -- miss 1

# A program that knows nothing of PMI.
fresh
timeout 60 "$WEFTRUN" -n 2 sh -c 'echo $$ >"$0/pid.$PMI_RANK"; [ $PMI_RANK = 0 ] && exec sleep 60; exit 5' "$DIR" \
  2>"$DIR/err"
[ $? -eq 5 ] || fail "plain program: not status 5"
check_line 'pe 1 \(pid [0-9]+\) exited with status 5; ending the job'
check_all_ended

# Two programs in a PE, one after the other: the first has finalized, the second has not.
fresh
timeout 60 "$WEFTRUN" -n 2 sh -c '"$0" exchange weftrun 2 && exec "$0" desert "$1" 1' "$PEER" "$DIR" >"$DIR/out" 2>"$DIR/err"
[ $? -eq 1 ] || fail "the second program: not status 1"
check_line 'pe 1 \(pid [0-9]+\) exited without finalizing; ending the job'
check_all_ended
exit 0
