# A signal during every call of every front end: the random programs, which predict their results, and files of UPC run
# under a timer whose handler is not to restart system calls (interrupt.c).
set -u
. "$(dirname "$0")/lib.sh"
ran=0
run() { # PROGRAM [ARGUMENTS]: on one node, on two, and on two that have a process for the port
  program=$WEFT_BUILD/test-bin/$1
  [ -x "$program" ] || return 0
  shift
  for where in "" "--nodes 2" "--nodes 2 -x WEFT_ON_DEATH=continue"; do
    fresh
    timeout 60 "$WEFTRUN" -n 3 $where -x LD_PRELOAD="$WEFT_BUILD/test-bin/libtest_interrupt.so" "$program" "$@" \
      >"$NOTES/out" 2>"$NOTES/err" </dev/null || {
      status=$?
      tail -n 5 "$NOTES/out"
      fail "$program $* $where: status $status"
    }
    ran=$((ran + 1))
  done
}
run shmem.random 3 2
run gasnet.random 3 2
run armci.random 3 2
run upc.random 3 2
run upc.io
run caf.random1
[ $ran -gt 0 ] || { echo "skipped: none of the programs is built"; exit 77; }
exit 0
